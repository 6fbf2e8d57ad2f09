"""`podium strategy`: the best play as a table."""

from rich.console import Console

from podium.cli import terminal
from podium.cli.options import read_options
from podium.cli.output import print_json
from podium.maths.families import family_of
from podium.rules.games import game


def show(name: str, options: list[str], *, json: bool) -> None:
    """Prints the best play of a configuration."""
    chosen = game(name, read_options(options))
    family = family_of(chosen)
    if json:
        with Console(stderr=True).status("Counting ..."):
            found = family.best_play_dict(chosen)
        print_json(found)
        return
    with Console(stderr=True).status("Counting ..."):
        parts = list(family.best_play(chosen))
    terminal.show(parts)
