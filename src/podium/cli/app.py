"""`podium` itself: all its commands together. The modules `*_app.py` have them, with their arguments and their help."""

from typing import Annotated

import typer

from podium import __version__
from podium.cli.console_app import config_app, people_app
from podium.cli.games_app import games_app
from podium.cli.house_app import house_app
from podium.cli.keys_app import keys_app
from podium.cli.program_app import program_app
from podium.cli.reports_app import reports_app
from podium.cli.rng_app import rng_app
from podium.cli.witness_app import witness_app

app = typer.Typer(
    help="Podium: stadium table games. One dealer, any number of players on terminals.",
    epilog="Exit codes: 0 done, 1 a check found a difference or a run failed, 2 bad input or usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(games_app)
app.add_typer(house_app)
app.add_typer(reports_app)
app.add_typer(witness_app, name="witness")
app.add_typer(keys_app, name="keys")
app.add_typer(program_app, name="program")
app.add_typer(rng_app, name="rng")
app.add_typer(config_app, name="config")
app.add_typer(people_app, name="people")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"podium {__version__}")
        raise typer.Exit


@app.callback()
def podium(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Podium: stadium table games. One dealer, any number of players on terminals."""
