"""`podium strategy`: the best play as a table."""

from collections.abc import Callable
from functools import partial

from rich.console import Console

from podium.cli import terminal
from podium.cli.options import read_options
from podium.cli.output import Written, print_csv, print_json
from podium.maths.families import family_of
from podium.maths.families.family import Family
from podium.rules.games import Game, game


def show(name: str, options: list[str], *, written: Written) -> None:
    """Prints the best play of a configuration."""
    chosen = game(name, read_options(options))
    family = family_of(chosen)
    with Console(stderr=True).status("Counting ..."):
        # Found before anything is printed: output and the progress indicator do not mix.
        found = _found(chosen, family, written)
    found()


def _found(game: Game, family: Family, written: Written) -> Callable[[], None]:
    """Works out the best play, and returns what prints it."""
    match written:
        case "json":
            return partial(print_json, family.best_play_dict(game))
        case "csv":
            return partial(print_csv, family.best_play_rows(game))
        case "text":
            return partial(terminal.show, list(family.best_play(game)))
