"""The PAR sheet as data: its wagers with their figures, its warnings, and how its numbers are written."""

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

GREEDY: Final = Fraction(1, 4)
"""A wager of which the house keeps more than that is worth a warning."""


@dataclass(frozen=True)
class Entry:
    """One wager of the sheet, or several that are the same bet by the same paytable on other cards."""

    wagers: tuple[str, ...]
    title: str
    figures: Figures
    paytable: str = ""
    """The paytable's name, where it is paid by one."""
    also: Mapping[str, Figures] = field(default_factory=dict)
    """The same wager played otherwise, for comparison."""

    @property
    def wager(self) -> str:
        return self.wagers[0]

    @property
    def places(self) -> str:
        """The other places that it can lie on, in words."""
        lines = [wager.partition("@")[2] for wager in self.wagers[1:]]
        return f"also on {', '.join(lines)}" if lines else ""


@dataclass(frozen=True)
class Sheet:
    """What a configured game returns."""

    game: Game
    strategy: Strategy
    entries: tuple[Entry, ...]
    uncounted: tuple[str, ...] = ()
    """Wagers that nothing here knows how to count; they are named rather than guessed."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option that is in force, those that the document fixes left out."""
        chosen = {rule.name: getattr(self.game.rules, rule.name) for rule in fields(self.game.rules)}
        return {name: value for name, value in chosen.items() if not self.game.options[name].fixed}

    @property
    def warnings(self) -> list[str]:
        """What an operator must not overlook, in a sentence each."""
        left_out = [f"{wager} is left out: its figures are not known." for wager in self.uncounted]
        return [*left_out, *(said for entry in self.entries for said in _warnings(entry))]

    def told(self) -> dict[str, Any]:
        """As `podium par --json` writes it."""
        return {
            "game": self.game.name,
            "options": self.options,
            "strategy": self.strategy,
            "wagers": {wager: _told(entry) for entry in self.entries for wager in entry.wagers},
            "warnings": self.warnings,
        }


def _told(entry: Entry) -> dict[str, Any]:
    said = entry.figures.told()
    if entry.also:
        said["compared"] = {name: figures.told() for name, figures in entry.also.items()}
    return said


def _warnings(entry: Entry) -> Iterator[str]:
    edge = entry.figures.house_edge
    if not entry.figures.staked:
        return
    if edge < 0:
        yield f"{entry.wager} gives the player an advantage of {percent(-edge)} of the wager."
    elif edge > GREEDY:
        yield f"{entry.wager} keeps {percent(edge)} of the wager, more than a quarter."


def percent(share: Fraction | float) -> str:
    """A share as people read it; a very small one, as some games of blackjack keep, with two digits more.

    >>> percent(Fraction(1, 8)), percent(0.000153)
    ('12.50 %', '0.0153 %')
    """
    said = 100 * float(share)
    return f"{said:.4f} %" if 0 < abs(said) < 0.1 else f"{said:.2f} %"


def odds(pays: Fraction) -> str:
    """What a line of a paytable pays, as a placard writes it.

    >>> odds(Fraction(5, 2)), odds(Fraction(-1))
    ('5 to 2', '-1')
    """
    return f"{pays.numerator} to {pays.denominator}" if pays > 0 else str(pays)
