"""The PAR sheet and the best play as text, for a terminal or a file."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from podium.maths import three_card
from podium.maths.figures import Figures
from podium.maths.sheet import STRATEGIES, ParEntry, ParSheet, odds, percent
from podium.maths.strategy import LETTERS, NAMES, UP_CARDS, Row, StrategyTable
from podium.rules.options import written


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left", no_wrap=True)
    return table


def sheet_parts(sheet: ParSheet) -> Iterator[RenderableType]:
    """The parts of a sheet, from top to bottom."""
    yield Text(f"{sheet.game.title}: PAR sheet, {STRATEGIES[sheet.strategy]}", style="bold")
    changed = [f"{name} = {written(value)}" for name, value in sheet.game.changed().items()]
    yield Text(", ".join(changed) or "All options as by default.", style="dim")
    for warning in sheet.warnings:
        yield Text(f"Warning: {warning}", style="bold red")
    yield _overview(sheet)
    for entry in sheet.entries:
        yield from _entry(entry)


def _overview(sheet: ParSheet) -> Table:
    table = _table("wager", "house edge", "return", "hit frequency", "deviation", "method")
    for entry in sheet.entries:
        figures = entry.figures
        shares = figures.house_edge, figures.returned, figures.hit_frequency
        table.add_row(entry.wager, *map(percent, shares), f"{figures.standard_deviation:.4f}", _method(figures))
    return table


def _method(figures: Figures) -> str:
    return figures.method + ("" if figures.standard_error is None else f" ± {percent(figures.standard_error)}")


def _entry(entry: ParEntry) -> Iterator[RenderableType]:
    named = f", paytable {entry.paytable}" if entry.paytable else ""
    yield Text.assemble((entry.title, "bold"), (f"  {entry.wager}{named}", "dim"))
    said = [entry.places.capitalize() + "."] if entry.places else []
    figures = entry.figures
    fraction = f"{figures.house_edge} = " if isinstance(figures.house_edge, Fraction) else ""
    said.append(f"House edge {fraction}{float(figures.house_edge):.8f}.")
    if figures.house_edge_per_total_wagered is not None and figures.total_wagered is not None:
        said.append(
            f"Of all that is wagered ({float(figures.total_wagered):.5f} initial wagers on average) "
            f"the house keeps {percent(figures.house_edge_per_total_wagered)}."
        )
    said.append(figures.how)
    for name, other in entry.also.items():
        per_total = other.house_edge_per_total_wagered or 0
        said.append(
            f"{name.capitalize()}: {percent(other.house_edge)}, and {percent(per_total)} of all that is wagered."
        )
    yield Padding(Text("\n".join(said)), (0, 0, 0, 2))
    yield Padding(_outcomes(figures), (0, 0, 0, 2)) if figures.outcomes else ""


def _outcomes(figures: Figures) -> Table:
    table = _table("outcome", "ways", "probability", "pays")
    for line in figures.outcomes:
        table.add_row(line.outcome, _ways(line.ways), f"{float(line.probability):.6%}", odds(line.pays))
    return table


def _ways(ways: int) -> str:
    """Numbers of the dealer's orders have more digits than anybody reads; the JSON has them in full."""
    return f"{ways:,}" if ways < 10**12 else f"{ways:.4e}"


# --- the best play of blackjack -------------------------------------------------------------------------------------


def strategy_parts(table: StrategyTable) -> Iterator[RenderableType]:
    """The best play of blackjack: the table, and what it costs to follow it."""
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


# --- the best play of Three Card Poker ------------------------------------------------------------------------------


def three_card_parts() -> Iterator[RenderableType]:
    """When to play each hand whose play depends on the six further cards."""
    rows = three_card.boundary()
    queens = [row for row in rows if row.ranks.startswith("Q")]
    yield Text("Stadium Three Card Poker: when to play", style="bold")
    yield Text(
        f"A hand better than {queens[0].ranks} is always played. For the others it depends on the six further cards of the array; "
        "the tables say in how many of a hundred deals the hand is played, by how many of the six are higher than "
        "anything the dealer could lose with."
    )
    yield _by_idle("queen high", "aces and kings", queens)
    lower = [row for row in rows if row not in queens]
    yield _by_idle("lower", "aces, kings and queens", [_lower(lower)])
    yield Text(
        "Below queen high the ranks of the hand hardly matter: with three such cards in sight it is played in "
        f"{percent(min(row.with_idle[3] for row in lower))} to {percent(max(row.with_idle[3] for row in lower))} of deals. "
        "The exact rule for any nine cards: play if the dealer's 12,341 packets bring back at least what folding saves."
    )


def _lower(rows: Sequence[three_card.Boundary]) -> three_card.Boundary:
    """One row for hands of different ranks, which are all equally frequent."""
    count = len(rows)
    with_idle = tuple(sum((row.with_idle[idle] for row in rows), Fraction(0)) / count for idle in range(7))
    often = sum((row.often for row in rows), Fraction(0)) / count
    return three_card.Boundary("all hands", sum(row.hands for row in rows), often, False, with_idle)


def _by_idle(title: str, cards: str, rows: Sequence[three_card.Boundary]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for place, column in enumerate((title, "all deals", *(str(idle) for idle in range(7)))):
        table.add_column(column, justify="right" if place else "left", no_wrap=True)
    table.title = f"By the number of {cards} among the six"
    table.title_justify = "left"
    for row in rows:
        table.add_row(row.ranks, _share(row.often), *map(_share, row.with_idle))
    return table


def _share(share: Fraction) -> str:
    if share in (0, 1):
        return "play" if share else "fold"
    said = f"{100 * float(share):.2f}"
    return {"100.00": "> 99.99", "0.00": "< 0.01"}.get(said, said)
