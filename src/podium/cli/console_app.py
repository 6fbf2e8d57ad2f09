"""The commands of `podium config` and `podium people`, with their arguments and their help."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import KeysAt

config_app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
people_app = typer.Typer(
    help="The accounts of a house, from the console of its machine: through the running house, or on its book while it is closed.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The configuration, in TOML.")]
Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", readable=False, help="Where the house keeps its journal.")
]
Database = Annotated[
    str, typer.Option(metavar="URL", help="The PostgreSQL address of a house that is closed; without a password.")
]
DatabaseFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file of mode 600 with the PostgreSQL address, which may have a password."),
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name with which the person signs in.")]


@config_app.callback(
    epilog="""
Examples:

\b
  podium config > podium.toml
  podium config --check podium.toml
"""
)
def config(
    context: typer.Context,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE", help="Check this file and print what it would open.")
    ] = None,
) -> None:
    """Check the configuration of a house, or print one to start from: that of the demonstration house.

    A mistake is reported with its place and with what would be accepted. A file is the seed of an empty house; after that the
    house itself keeps its configuration, and `diff` and `apply` compare it with a file and change it.
    """
    from podium.cli import configuration

    if context.invoked_subcommand is None:
        configuration.write_demonstration() if check is None else configuration.check(check)


@config_app.command("show")
def config_show(
    data: Data = None, database: Database = "", database_file: DatabaseFile = None, keys: KeysAt = ""
) -> int:
    """Print the configuration that a house has, as a file that `apply` takes."""
    from podium.cli import configuration
    from podium.cli.data import database_of, default_data

    return configuration.show(data or default_data(), database_of(database, database_file), keys)


@config_app.command("diff", epilog="Example:\n\n\b\n  podium config diff podium.toml --data data")
def config_diff(
    file: File, data: Data = None, database: Database = "", database_file: DatabaseFile = None, keys: KeysAt = ""
) -> int:
    """Print where a file differs from the configuration that the house has. Exit code 1 if it does."""
    from podium.cli import configuration
    from podium.cli.data import database_of, default_data

    return configuration.diff(file, data or default_data(), database_of(database, database_file), keys)


@config_app.command("apply", epilog="Example:\n\n\b\n  podium config apply podium.toml --data data")
def config_apply(
    file: File, data: Data = None, database: Database = "", database_file: DatabaseFile = None, keys: KeysAt = ""
) -> int:
    """Give the house the configuration in a file. The journal says what changed and who did it."""
    from podium.cli import configuration
    from podium.cli.data import database_of, default_data

    return configuration.apply(file, data or default_data(), database_of(database, database_file), keys)


@people_app.command("list")
def people_list(
    data: Data = None,
    database: Database = "",
    database_file: DatabaseFile = None,
    keys: KeysAt = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List everybody who has an account."""
    from podium.cli import people
    from podium.cli.data import database_of, default_data

    return people.list_people(data or default_data(), database_of(database, database_file), keys, as_json=as_json)


@people_app.command("invite", epilog="Example:\n\n\b\n  podium people invite ines --role dealer --data data")
def people_invite(
    name: Name,
    role: Annotated[
        str, typer.Option(metavar="ROLE", help="player, dealer, cashier, supervisor, operator or auditor.")
    ],
    data: Data = None,
    database: Database = "",
    database_file: DatabaseFile = None,
    keys: KeysAt = "",
) -> int:
    """Make an account, and print the link with which the person chooses a password."""
    from podium.cli import people
    from podium.cli.data import database_of, default_data

    return people.invite(data or default_data(), name, role, database_of(database, database_file), keys)


@people_app.command("close")
def people_close(
    name: Name, data: Data = None, database: Database = "", database_file: DatabaseFile = None, keys: KeysAt = ""
) -> int:
    """Close an account, and end its sessions."""
    from podium.cli import people
    from podium.cli.data import database_of, default_data

    return people.close(data or default_data(), name, database_of(database, database_file), keys)


@people_app.command("reset", epilog="Example:\n\n\b\n  podium people reset operator --data data")
def people_reset(
    name: Name, data: Data = None, database: Database = "", database_file: DatabaseFile = None, keys: KeysAt = ""
) -> int:
    """Print a link with which somebody who has lost the password chooses another: the way back for a sole operator."""
    from podium.cli import people
    from podium.cli.data import database_of, default_data

    return people.reset(data or default_data(), name, database_of(database, database_file), keys)
