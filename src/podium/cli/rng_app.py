"""The command `podium rng collect`, with its arguments and its help."""

from pathlib import Path
from typing import Annotated

import typer

rng_app = typer.Typer(
    help="The generator of the automated dealer, for a test laboratory.", no_args_is_help=True, rich_markup_mode=None
)


@rng_app.callback()
def rng() -> None:
    """The generator of the automated dealer, for a test laboratory."""


@rng_app.command(
    "collect",
    epilog="""
Examples:

\b
  podium rng collect for-the-laboratory
  podium rng collect for-the-laboratory --mib 128 --shoes 100000 --decks 6 --decks 8 --cutters 3
""",
)
def collect(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty directory for the files.")],
    mib: Annotated[int, typer.Option(metavar="N", min=0, max=65_536, help="Raw output, in MiB.")] = 16,
    shoes: Annotated[
        int, typer.Option(metavar="N", min=0, max=10_000_000, help="Shuffled shoes for each number of decks.")
    ] = 10_000,
    decks: Annotated[
        list[int] | None,
        typer.Option(metavar="N", min=1, max=8, help="Decks in a shoe; may be given several times. 1, 4, 6 and 8."),
    ] = None,
    cutters: Annotated[
        int, typer.Option(metavar="N", min=0, max=16, help="Terminals that cut each shoe, with random numbers.")
    ] = 1,
) -> int:
    """Write raw output of the generator and final orders of shuffled shoes, made exactly as a running house makes them.

    `raw.bin` has the bytes as the shuffle draws them, after their health tests. `shoes-N-decks.csv` has one shoe on each
    line: its cards in the order of dealing, as numbers from 0 to 51 in the order that `collected.json` lists. Stopped with
    Ctrl-C, it keeps what is complete.
    """
    from podium.cli import collecting

    return collecting.collect(directory, mib=mib, shoes=shoes, decks=tuple(decks or (1, 4, 6, 8)), cutters=cutters)
