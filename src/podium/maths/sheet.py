"""The PAR sheet as data: wagers with their figures, warnings, and the formatting of numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Final, Literal

from podium.maths.figures import Figures
from podium.rules.games import Game

Strategy = Literal["best", "timeout"]

STRATEGIES: Final = {
    "best": "best play",
    "timeout": "every decision times out",
}

WARN_ABOVE_EDGE: Final = Fraction(1, 4)
"""Operators are warned about a wager with a higher house edge."""


@dataclass(frozen=True)
class ParEntry:
    """A wager of the sheet, or several that are the same bet by the same paytable on other cards."""

    wagers: tuple[str, ...]
    title: str
    figures: Figures
    paytable: str = ""
    """The name of the paytable, if it is paid by one."""
    also: Mapping[str, Figures] = field(default_factory=dict)
    """The same wager under other play, for comparison."""

    @property
    def wager(self) -> str:
        return self.wagers[0]

    @property
    def places(self) -> str:
        """The other places for this wager, in words."""
        lines = [wager.partition("@")[2] for wager in self.wagers[1:]]
        return f"also on {', '.join(lines)}" if lines else ""


@dataclass(frozen=True)
class ParSheet:
    """What a configured game returns."""

    game: Game
    strategy: Strategy
    entries: tuple[ParEntry, ...]
    uncounted: tuple[str, ...] = ()
    """Wagers whose figures are not known; they are listed without figures."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option that is in force, except those that the document fixes."""
        chosen = {rule.name: getattr(self.game.rules, rule.name) for rule in fields(self.game.rules)}
        return {name: value for name, value in chosen.items() if not self.game.options[name].fixed}

    @property
    def warnings(self) -> list[str]:
        """What an operator must not overlook, one sentence each."""
        left_out = [f"{wager} is left out: its figures are not known." for wager in self.uncounted]
        return [*left_out, *(said for entry in self.entries for said in _warnings(entry))]

    def to_dict(self) -> dict[str, Any]:
        """As `podium par --json` writes it."""
        return {
            "game": self.game.name,
            "options": self.options,
            "strategy": self.strategy,
            "wagers": {wager: _to_dict(entry) for entry in self.entries for wager in entry.wagers},
            "warnings": self.warnings,
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each wager, and after it one for each outcome of its paytable: for a spreadsheet or a data frame.

        A row of an outcome has its `outcome`, `ways`, `probability` and `pays`; the row of the wager has none of them.
        """
        return [row for entry in self.entries for wager in entry.wagers for row in _rows(wager, entry)]

    def _repr_html_(self) -> str:
        """How a notebook shows the sheet."""
        from podium.maths.page import overview  # noqa: PLC0415  # the page is written from the sheet

        return overview(self)


def _rows(wager: str, entry: ParEntry) -> Iterator[dict[str, Any]]:
    said = entry.figures.to_dict()
    outcomes = said.pop("outcomes", [])
    named = {"wager": wager, "title": entry.title, "paytable": entry.paytable}
    yield dict.fromkeys(COLUMNS) | named | {name: value for name, value in said.items() if name in COLUMNS}
    for line in outcomes:
        yield dict.fromkeys(COLUMNS) | named | line


COLUMNS: Final = (
    "wager",
    "title",
    "paytable",
    "house_edge",
    "house_edge_fraction",
    "return",
    "hit_frequency",
    "standard_deviation",
    "house_edge_per_total_wagered",
    "method",
    "standard_error",
    "outcome",
    "ways",
    "probability",
    "pays",
)


def _to_dict(entry: ParEntry) -> dict[str, Any]:
    said = entry.figures.to_dict()
    if entry.also:
        said["compared"] = {name: figures.to_dict() for name, figures in entry.also.items()}
    return said


def _warnings(entry: ParEntry) -> Iterator[str]:
    edge = entry.figures.house_edge
    if not entry.figures.staked:
        return
    if edge < 0:
        yield f"{entry.wager} gives the player an advantage of {percent(-edge)} of the wager."
    elif edge > WARN_ABOVE_EDGE:
        yield f"{entry.wager} keeps {percent(edge)} of the wager, more than a quarter."


def percent(share: Fraction | float) -> str:
    """A share as a percentage; with two more digits if it is very small, as in some games of blackjack.

    >>> percent(Fraction(1, 8)), percent(0.000153)
    ('12.50 %', '0.0153 %')
    """
    said = 100 * float(share)
    return f"{said:.4f} %" if 0 < abs(said) < 0.1 else f"{said:.2f} %"


def odds(pays: Fraction) -> str:
    """The odds of a line of a paytable, as a placard writes them.

    >>> odds(Fraction(5, 2)), odds(Fraction(-1))
    ('5 to 2', '-1')
    """
    return f"{pays.numerator} to {pays.denominator}" if pays > 0 else str(pays)
