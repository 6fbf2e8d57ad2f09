"""`podium strategy`: the best play as a table."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table

from podium.basics.refusal import Refused
from podium.cli import terminal
from podium.cli.options import read_options
from podium.cli.told import print_json
from podium.maths.listing import three_card_parts
from podium.maths.strategy import LETTERS, NAMES, UP_CARDS, Row, StrategyTable, strategy_table
from podium.rules.games import game

IN_WORDS: Final = {"ante": three_card_parts}
"""By the main wager: best play that is a text, not a table of hands against the dealer's first card."""


def show(name: str, options: list[str], *, json: bool) -> None:
    chosen = game(name, read_options(options))
    in_words = IN_WORDS.get(chosen.rules.main.name)
    if in_words is not None:
        if json:
            raise Refused(f"The best play of {chosen.title} is a text: leave --json away.")
        terminal.show(in_words())
        return
    with Console(stderr=True).status("Counting ..."):
        table = strategy_table(chosen)
    if json:
        print_json(table.told())
    else:
        terminal.show(_parts(table))


def _parts(table: StrategyTable) -> Iterator[RenderableType]:
    yield f"{table.game.title}: best play off the top of a fresh shoe, against the dealer's first card"
    for title, rows in (("Hard", table.hard), ("Soft", table.soft), ("Pair", table.pairs)):
        yield ""
        yield _rows(title, rows)
    yield ""
    yield "\n".join(f"{letter}: {words}." for letter, words in LETTERS.items())
    yield ""
    yield f"Insurance: {'with ' + ', '.join(table.insurance) if table.insurance else 'never'}."
    yield f"Even money: {'taken' if table.even_money else 'not taken, or not offered'}."
    yield (
        f"House edge {table.best_edge:.4%} by the exact play, which looks at every card of a hand; {table.table_edge:.4%} by "
        f"this table. Following the table costs {table.cost:.4%} of the wager."
    )
    for hand, dealer, best, by_table in table.exceptions:
        yield f"Exact play differs: {hand} against {dealer}: {best}, not {by_table}."


def _rows(title: str, rows: tuple[Row, ...]) -> Table:
    listed = Table(title, *(NAMES[up] for up in UP_CARDS), box=None, pad_edge=False)
    for name, row in rows:
        listed.add_row(name, *row)
    return listed
