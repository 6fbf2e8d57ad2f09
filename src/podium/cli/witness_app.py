"""The commands of `podium witness`, with their arguments and their help."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import KeysAt

witness_app = typer.Typer(
    help="Watch the record of a house from elsewhere: fetch its signed checkpoints, check that it only grows, cosign them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Witness = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the witness.")]
Source = Annotated[
    str, typer.Argument(metavar="[URL|DATA|FILE]", help="The house: its address, its data, or a file that it mailed.")
]
Mailed = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="A file that the house mailed, instead of what was fetched.")
]
HouseKey = Annotated[str, typer.Option("--key", metavar="KEY", help="The verifier key of the house.")]


@witness_app.command(
    "init", epilog="Example:\n\n\b\n  podium witness init w --house https://house.example --key podium/1f...+..."
)
def witness_init(
    directory: Witness,
    key: HouseKey,
    house: Annotated[str, typer.Option(metavar="URL", help="The address of the house, if it can be reached.")] = "",
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the witness in its signatures.")] = "",
) -> int:
    """Make a witness of a house, with a key of its own. Its verifier key is printed."""
    from podium.cli import witness

    return witness.init(directory, key, house, name)


@witness_app.command("trust", epilog="Example:\n\n\b\n  podium witness trust w --key podium/1f...+...")
def witness_trust(directory: Witness, key: HouseKey) -> int:
    """Accept another signing key of the house: one that it has changed to."""
    from podium.cli import witness

    return witness.trust(directory, key)


@witness_app.command("key", epilog="Example:\n\n\b\n  podium witness key /var/lib/podium")
def witness_key(
    where: Annotated[str, typer.Argument(metavar="DIR", help="The folder of a witness, or the data of a house.")],
    keys: KeysAt = "",
) -> int:
    """Print the verifier key of a house, for its witnesses, or of a witness, for `podium verify`."""
    from podium.cli import witness

    return witness.show_key(where, keys)


@witness_app.command("fetch", epilog="Example:\n\n\b\n  podium witness fetch w\n  podium witness fetch w mailed.txt")
def witness_fetch(directory: Witness, source: Source = "") -> int:
    """Fetch the checkpoints that a house shows now, and proofs that its logs only grew. They are not checked yet."""
    from podium.cli import witness

    return witness.fetch(directory, source)


@witness_app.command("check", epilog="Example:\n\n\b\n  podium witness check w")
def witness_check(directory: Witness, file: Mailed = None) -> int:
    """Check what was fetched against what was cosigned before. Exit code 1 if a log was rewritten, cut or rolled back."""
    from podium.cli import witness

    return witness.check(directory, file)


@witness_app.command("cosign", epilog="Example:\n\n\b\n  podium witness cosign w mailed.txt > cosigned.txt")
def witness_cosign(directory: Witness, file: Mailed = None) -> int:
    """Check what was fetched, cosign what is new, and print it. Exit code 1 as `check`; then nothing is cosigned."""
    from podium.cli import witness

    return witness.cosign(directory, file)


@witness_app.command("run", epilog="Example:\n\n\b\n  podium witness run w --every 10")
def witness_run(
    directory: Witness,
    source: Source = "",
    every: Annotated[float, typer.Option(metavar="S", min=0.1, max=86_400, help="Seconds between two looks.")] = 10,
) -> int:
    """Fetch, check and cosign again and again. It ends with exit code 1 when a log was rewritten, cut or rolled back."""
    from podium.cli import witness

    return witness.run(directory, source, every)


@witness_app.command("serve", epilog="Example:\n\n\b\n  podium witness serve w --host 0.0.0.0 --port 8100")
def witness_serve(
    directory: Witness,
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="The port.")] = 8100,
) -> int:
    """Give what was cosigned to `podium verify --witness URL`: /checkpoints, /history and /key."""
    from podium.cli import witness

    return witness.serve(directory, host, port)


@witness_app.command(
    "show",
    epilog="""
Examples:

\b
  podium witness show w
  podium witness show /var/lib/podium
  podium witness show /var/lib/podium --since cosigned.txt > to-mail.txt
""",
)
def witness_show(
    where: Annotated[str, typer.Argument(metavar="DIR", help="The folder of a witness, or the data of a house.")],
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Of a house, also the proofs that its logs began as a witness cosigned them here."
        ),
    ] = None,
) -> int:
    """Print checkpoints as text that can be printed, mailed, or given to `podium verify --witness`."""
    from podium.cli import witness

    return witness.show(where, since)
