"""The figures of a wager: its outcomes and their probabilities, the house edge, the variance.

Probabilities that come from counting deals are exact fractions; those of a long recursion (blackjack) are floating-point numbers.
`Figures` holds either, so code that prints them need not know which they are.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from podium.basics.money import Odds

Number = Fraction | float

Method = Literal["exact", "simulation"]

LOSES = "other"
"""The outcome of all deals that no line of a paytable pays."""


@dataclass(frozen=True)
class PaytableLine:
    """One outcome of a wager that is paid by a paytable."""

    outcome: str
    ways: int
    """In how many of the equally likely deals it occurs."""
    probability: Fraction
    pays: Fraction
    """The net win per unit staked; -1 if the stake is lost."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of a wager, per unit of the initial wager."""

    house_edge: Number
    """The share of the initial wager that the house keeps on average."""
    hit_frequency: Number
    """How often a wager returns more than was staked."""
    variance: Number
    """The variance of the net result."""
    how: str
    """How these figures were obtained, in a sentence."""
    method: Method = "exact"
    standard_error: float | None = None
    """The standard error of the house edge, if it was simulated."""
    total_wagered: Number | None = None
    """The average total stake, if decisions add to the initial wager."""
    staked: int = 1
    """0 for a bonus without a stake of its own; its figures are then per unit of the wager that it follows."""
    outcomes: tuple[PaytableLine, ...] = ()
    """The lines of the paytable, highest first; the losing outcome comes last."""
    results: Mapping[Fraction, Fraction] | Mapping[float, float] | None = None
    """The probability of each net result, if the whole distribution is known."""

    @property
    def returned(self) -> Number:
        """The average return per unit staked."""
        return self.staked - self.house_edge

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def house_edge_per_total_wagered(self) -> Number | None:
        return None if self.total_wagered is None else self.house_edge / self.total_wagered

    def to_dict(self) -> dict[str, Any]:
        """As `podium par --json` writes it."""
        said: dict[str, Any] = {"house_edge": float(self.house_edge)}
        if isinstance(self.house_edge, Fraction):
            said["house_edge_fraction"] = str(self.house_edge)
        said |= {
            "return": float(self.returned),
            "hit_frequency": float(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            "variance": float(self.variance),
            "method": self.method,
            "how": self.how,
        }
        if self.standard_error is not None:
            said["standard_error"] = self.standard_error
        if self.house_edge_per_total_wagered is not None:
            said["house_edge_per_total_wagered"] = float(self.house_edge_per_total_wagered)
        if self.outcomes:
            said["outcomes"] = [
                {
                    "outcome": line.outcome,
                    "ways": line.ways,
                    "probability": float(line.probability),
                    "pays": int(line.pays) if line.pays.denominator == 1 else float(line.pays),
                }
                for line in self.outcomes
            ]
        return said


def moments(results: Mapping[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """The mean and the variance of a distribution of net results.

    >>> moments({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)})
    (Fraction(0, 1), Fraction(1, 1))
    """
    mean = sum((net * often for net, often in results.items()), Fraction(0))
    return mean, sum((net * net * often for net, often in results.items()), Fraction(0)) - mean * mean


def gathered(results: Iterable[tuple[Fraction, Fraction]]) -> dict[Fraction, Fraction]:
    """Adds up the probabilities of equal net results; the lowest result comes first."""
    whole: dict[Fraction, Fraction] = {}
    for net, often in results:
        if often:
            whole[net] = whole.get(net, Fraction(0)) + often
    return dict(sorted(whole.items()))


def by_paytable(ways: Mapping[str | None, int], paytable: Mapping[str, Odds], *, how: str, staked: int = 1) -> Figures:
    """The figures of a wager from the number of deals that each line of its paytable pays; None counts the deals that lose."""
    deals = sum(ways.values())
    lines = [
        PaytableLine(
            outcome, ways.get(outcome, 0), Fraction(ways.get(outcome, 0), deals), Fraction(odds.pays, odds.per)
        )
        for outcome, odds in paytable.items()
    ]
    left = deals - sum(line.ways for line in lines)
    lines.append(PaytableLine(LOSES, left, Fraction(left, deals), Fraction(-staked)))
    results = gathered((line.pays, line.probability) for line in lines)
    mean, variance = moments(results)
    return Figures(
        house_edge=-mean,
        hit_frequency=sum((often for net, often in results.items() if net > 0), Fraction(0)),
        variance=variance,
        how=how,
        staked=staked,
        outcomes=tuple(lines),
        results=results,
    )
