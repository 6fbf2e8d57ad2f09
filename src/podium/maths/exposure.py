"""Exposure: what a whole table can cost the house in a round, an hour and a day, and the bankroll that it needs.

In a community game everybody plays the same cards: N players who play alike win and lose together, so the standard deviation of the
table is N times that of one player. For N players with cards of their own it would be the square root of N times.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english, money
from podium.maths.largest import Largest, largest
from podium.maths.patrons import Patrons, Results, RoundsPlayed, play
from podium.maths.spread import QUANTILES, ResultSpread, total

ROUNDS_PER_HOUR: Final = 60
HOURS_PER_DAY: Final = 24
DEFAULT_RISK_OF_RUIN: Final = 0.001

MIN_STANDARD_ERRORS: Final = 4.0
"""A mean fewer standard errors above zero than this is too uncertain to base a bankroll on."""


@dataclass(frozen=True)
class Pace:
    """How fast and how long the table plays, and the risk of ruin that is accepted. Checked on construction."""

    rounds_per_hour: int = ROUNDS_PER_HOUR
    hours: float = HOURS_PER_DAY
    risk: float = DEFAULT_RISK_OF_RUIN

    def __post_init__(self) -> None:
        if type(self.rounds_per_hour) is not int or not 1 <= self.rounds_per_hour <= 3600:
            number = shortened(repr(self.rounds_per_hour))
            raise Refused("number-between", name="rounds-per-hour", number=number, least=1, most=3600)
        if not 0 < self.hours <= 24 or self.day < 1:
            raise Refused("pace-hours", name="hours", number=self.hours)
        if not 0 < self.risk < 1:
            raise Refused("pace-risk", name="risk", number=self.risk)

    @property
    def day(self) -> int:
        """Rounds per day."""
        return round(self.rounds_per_hour * self.hours)


@dataclass(frozen=True)
class Times:
    """The distribution of the house's result over a round, an hour and a day."""

    round: ResultSpread
    hour: ResultSpread
    day: ResultSpread

    def by_name(self) -> dict[str, ResultSpread]:
        return {"round": self.round, "hour": self.hour, "day": self.day}


@dataclass(frozen=True)
class Exposure:
    """What the patrons of a table can cost the house. Amounts are in minor units; positive ones are won by the house."""

    patrons: Patrons
    pace: Pace
    played: RoundsPlayed
    largest: Largest
    table: Times
    apart: Times
    """The same players with cards of their own, independent of each other."""
    bankroll: int | None
    """None if the house has no advantage: then no bankroll lasts."""
    bankroll_apart: int | None

    @property
    def ratio(self) -> float:
        """The standard deviation of the table divided by that of the same players with cards of their own."""
        apart = self.apart.round.standard_deviation
        return self.table.round.standard_deviation / apart if apart else 1.0

    @property
    def warnings(self) -> list[str]:
        """What an operator must not overlook, one sentence each."""
        said = []
        mean, error = self.played.table.mean, self.played.standard_error
        if error is not None and mean < MIN_STANDARD_ERRORS * error:
            said.append(
                f"The house's mean of {money(round(mean))} a round has a standard error of {money(round(error))}: simulate more rounds before "
                "the bankroll is relied on."
            )
        elif self.bankroll is None:
            said.append("The house has no advantage here: any bankroll is lost in the end, so none is given.")
        if self.bankroll is not None and self.bankroll < self.largest.amount:
            said.append(
                f"The largest payout of {money(self.largest.amount)} is more than the bankroll of {money(self.bankroll)}: it is too rare to "
                "weigh in the risk, but when it comes, the bankroll does not cover it."
            )
        return said

    def rows(self) -> list[dict[str, Any]]:
        """A row for the table and one for independent players, over a round, an hour and a day; amounts in minor units."""
        listed = []
        for players, times in (("table", self.table), ("independent", self.apart)):
            for span, spread in times.by_name().items():
                said = _to_dict(spread)
                quantiles = {f"quantile_{share}": amount for share, amount in said.pop("quantiles").items()}
                listed.append({"players": players, "span": span, **said, **quantiles})
        return listed

    def to_dict(self) -> dict[str, Any]:
        """As `podium exposure --json` writes it."""
        patrons, played = self.patrons, self.played
        said: dict[str, Any] = {
            "game": patrons.game.name,
            "options": patrons.game.changed(),
            "players": patrons.players,
            "parties": [
                {"players": party.players, "strategy": party.strategy, "wagers": dict(party.wagers)}
                for party in patrons.parties
            ],
            "wagers": dict(patrons.wagers),
            "staked": patrons.staked,
            "rounds_per_hour": self.pace.rounds_per_hour,
            "hours": self.pace.hours,
            "method": played.method,
            "how": played.how,
        }
        if played.standard_error is not None:
            said |= {"rounds": played.rounds, "seed": patrons.seed, "standard_error": played.standard_error}
        said |= {name: _to_dict(spread) for name, spread in self.table.by_name().items()}
        said["round"]["largest_loss_found"] = played.table.largest_loss
        said["round"]["distribution"] = _distribution(played.table)
        said["largest_payout"] = self.largest._asdict()
        said["bankroll"] = {"risk": self.pace.risk, "amount": self.bankroll, "how": BANKROLL}
        said["independent"] = {name: _to_dict(spread) for name, spread in self.apart.by_name().items()}
        said["independent"]["bankroll"] = self.bankroll_apart
        said["ratio"] = self.ratio
        said["warnings"] = self.warnings
        return said


def _to_dict(spread: ResultSpread) -> dict[str, Any]:
    return {
        "rounds": spread.rounds,
        "mean": spread.mean,
        "standard_deviation": spread.standard_deviation,
        "house_ahead": spread.ahead,
        "quantiles": {f"{share:g}": amount for share, amount in zip(QUANTILES, spread.quantiles, strict=True)},
        "method": "convolution" if spread.exact else "normal",
    }


def _distribution(results: Results) -> list[dict[str, float]]:
    pairs = zip(results.amounts.tolist(), results.chances.tolist(), strict=True)
    return [{"result": amount, "probability": chance} for amount, chance in pairs]


def exposure(
    patrons: Patrons, pace: Pace, *, jobs: int | None = None, progress: Callable[[int], None] | None = None
) -> Exposure:
    """Works out the exposure of the house to the patrons of a table."""
    played = play(patrons, jobs=jobs, progress=progress)
    apart = [(party.players, single) for party, single in zip(patrons.parties, played.single, strict=True)]
    return Exposure(
        patrons,
        pace,
        played,
        largest(patrons),
        _times(pace, lambda rounds: _sum_of_rounds(played.table, rounds)),
        _times(pace, lambda rounds: _sum_apart(apart, rounds)),
        bankroll([(1, played.table)], pace.risk),
        bankroll(apart, pace.risk),
    )


# --- many rounds --------------------------------------------------------------------------------------------------------


def _times(pace: Pace, spread: Callable[[int], ResultSpread]) -> Times:
    return Times(spread(1), spread(pace.rounds_per_hour), spread(pace.day))


def _sum_of_rounds(results: Results, rounds: int) -> ResultSpread:
    """Rounds are treated as independent: the dependence between rounds of one shoe is negligible here."""
    return total(_once(results), results.mean, results.standard_deviation, rounds)


def _sum_apart(parties: list[tuple[int, Results]], rounds: int) -> ResultSpread:
    """Convolves the results of players who play alike; adds different parties by the central limit theorem."""
    first = parties[0][1]
    if all(results is first for _, results in parties) or len(parties) == 1:
        players = sum(count for count, _ in parties)
        found = total(_once(first), first.mean, first.standard_deviation, players * rounds)
    else:
        mean = sum(count * results.mean for count, results in parties)
        variance = sum(count * results.variance for count, results in parties)
        found = total(None, mean, math.sqrt(variance), rounds)
    return ResultSpread(rounds, *(getattr(found, name) for name in ResultSpread.__match_args__[1:]))


def _once(results: Results) -> dict[float, float]:
    return dict(zip(map(float, results.amounts.tolist()), results.chances.tolist(), strict=True))


# --- bankroll -------------------------------------------------------------------------------------------------------------

BANKROLL: Final = (
    "Lundberg's inequality: with r > 0 such that the mean of exp(-r X) is 1, X being what the house wins in a round, a bankroll B is "
    "ever lost with a chance of exp(-r B) at the most; B is ln(1 / risk) / r. The table may stay open for ever."
)


def bankroll(parts: list[tuple[int, Results]], risk: float) -> int | None:
    """The bankroll with which the risk of ruin is at most `risk`; the parts are independent of each other."""
    mean = sum(count * results.mean for count, results in parts)
    variance = sum(count * results.variance for count, results in parts)
    if mean <= 0:
        return None
    if all(results.amounts[0] >= 0 for _, results in parts):
        return 0
    rate = adjustment(parts, 2 * mean / variance)
    return math.ceil(math.log(1 / risk) / rate)


def adjustment(parts: list[tuple[int, Results]], guess: float) -> float:
    """The adjustment coefficient: the positive root of log E[exp(-r X)], which first falls and then rises."""
    low = high = guess
    while _log_mean(parts, high) <= 0:
        high *= 2
    while _log_mean(parts, low) > 0:
        low /= 2
    for _ in range(80):
        middle = (low + high) / 2
        if _log_mean(parts, middle) > 0:
            high = middle
        else:
            low = middle
    return low


def _log_mean(parts: list[tuple[int, Results]], rate: float) -> float:
    total = 0.0
    for count, results in parts:
        powers = -rate * results.amounts
        most = float(powers.max())
        total += count * (most + math.log(float(np.exp(powers - most) @ results.chances)))
    return total


english(
    "refused",
    {
        "pace-hours": "{name} is {number}: a day has up to 24, and at least one round is played in it.",
        "pace-risk": "{name} is {number}: it is a chance between 0 and 1, like 0.001.",
    },
)
