"""Players around one table, and the results that they and the house have in the same rounds.

In a community game everybody plays the same cards, so results add up instead of cancelling; what they come to together
is not to be had from the figures of one player unless all do the same.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths.families import family_of
from podium.maths.figures import Figures
from podium.maths.jobs import Job, check_staked
from podium.maths.simulate import AHEAD, cores, in_order
from podium.rules.games import Game

ROUNDS: Final = 4_000_000
"""Rounds that are simulated unless other is asked for."""


@dataclass(frozen=True)
class Party:
    """Players who do the same."""

    players: int
    strategy: str = "best"
    spots: tuple[int, ...] = ()
    """The locations that they choose, in Three Card Poker; those that the game proposes where it is empty."""
    wagers: Mapping[str, int] = field(default_factory=dict)
    """What each of them stakes, by name in minor units; what everybody stakes where it is empty."""


@dataclass(frozen=True)
class Crowd:
    """Who plays at the table and what they stake; how it is simulated where that is needed. Checked.

    Different amounts of a wager are counted as multiples of what is common to them, so that one round serves all.
    """

    game: Game
    parties: tuple[Party, ...]
    wagers: Mapping[str, int] = field(default_factory=dict)
    rounds: int = ROUNDS
    seed: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", self.job.wagers)
        object.__setattr__(self, "parties", tuple(self._staking(party) for party in self.parties))
        for wager, part in self.common.items():
            amounts = {party.wagers[wager] for party in self.parties if wager in party.wagers}
            if len(amounts) > 1 and not self.whole(wager, part):
                raise Refused("amounts-rounded", wager=wager, part=part)
        check_staked(self.staked)

    def _staking(self, party: Party) -> Party:
        """The party with its wagers and spots; making a job of it checks them, its players and its strategy."""
        wagers = party.wagers or self.wagers
        job = Job(self.game, self.rounds, strategy=party.strategy, players=party.players, wagers=wagers)
        return replace(party, wagers=job.wagers, spots=self.game.rules.read_spots(party.spots))

    @property
    def players(self) -> int:
        return sum(party.players for party in self.parties)

    @property
    def staked(self) -> int:
        """By all players together, before any decision adds to it."""
        return sum(party.players * sum(party.wagers.values()) for party in self.parties)

    @property
    def job(self) -> Job:
        """How it is simulated; the main wager stands for all that is staked."""
        strategy = self.parties[0].strategy
        return Job(self.game, self.rounds, seed=self.seed, strategy=strategy, players=self.players, wagers=self.wagers)

    @property
    def common(self) -> dict[str, int]:
        """By wager, in the order of the game: the largest amount of which every party's is a multiple."""
        placed = [wager for wager in self.game.offers if any(wager in party.wagers for party in self.parties)]
        return {wager: math.gcd(*(party.wagers.get(wager, 0) for party in self.parties)) for wager in placed}

    @property
    def multiples(self) -> NDArray[np.int64]:
        """By party and wager: how often the common amount is in what each player stakes."""
        common = self.common.items()
        return np.array([[party.wagers.get(wager, 0) // part for wager, part in common] for party in self.parties])

    def whole(self, wager: str, stake: int) -> bool:
        """Whether no payment on this stake is rounded down."""
        return family_of(self.game).unrounded(self.game, wager, stake)


# --- distributions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """How a round comes out for the house: amounts in minor units, the lowest first, and the chance of each."""

    amounts: NDArray[np.int64]
    chances: NDArray[np.float64]

    @classmethod
    def of(cls, often: Mapping[int, float], times: int = 1) -> "Results":
        """From what a player won and how often, for the house and so many players who win it together."""
        amounts = np.array(sorted(-net for net in often), dtype=np.int64)
        chances = np.array([often[-int(amount)] for amount in amounts], dtype=np.float64)
        return cls(amounts * times, chances / chances.sum())

    @property
    def mean(self) -> float:
        return float(self.amounts @ self.chances)

    @property
    def variance(self) -> float:
        return float(((self.amounts - self.mean) ** 2) @ self.chances)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def largest_loss(self) -> int:
        """For the house."""
        return max(0, -int(self.amounts[0]))


@dataclass(frozen=True)
class Played:
    """What a crowd's rounds came to."""

    table: Results
    """All players together."""
    single: tuple[Results, ...]
    """One player of each party."""
    method: str
    how: str
    rounds: int = 0
    """That were simulated."""

    @property
    def standard_error(self) -> float | None:
        """Of the table's mean, where it was simulated."""
        return self.table.standard_deviation / math.sqrt(self.rounds) if self.rounds else None


def play(crowd: Crowd, *, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> Played:
    """Exactly where everybody does the same with the main wager alone, and otherwise by simulation."""
    figures = _exact(crowd)
    if figures is None or figures.results is None:
        return _simulated(crowd, cores(jobs), progress)
    ((_, part),) = crowd.common.items()
    often: Counter[int] = Counter()
    for net, chance in figures.results.items():
        often[round(net * part)] += float(chance)  # type: ignore[assignment]  # a Counter adds any numbers up
    times = crowd.multiples[:, 0].tolist()
    single = {multiple: Results.of(often, multiple) for multiple in times}
    together = sum(party.players * multiple for party, multiple in zip(crowd.parties, times, strict=True))
    how = f"{figures.how} Everybody has this result at the same time."
    return Played(Results.of(often, together), tuple(single[multiple] for multiple in times), "exact", how)


def _exact(crowd: Crowd) -> Figures | None:
    """The figures of one player, where everybody has the same result and it is known whole."""
    family = family_of(crowd.game)
    alike = len({(party.strategy, frozenset(party.spots)) for party in crowd.parties}) == 1
    alone = crowd.players == 1 or family.shares_cards(crowd.game)
    if len(crowd.common) > 1 or not alike or not all(crowd.whole(*staked) for staked in crowd.common.items()):
        return None
    (main,) = crowd.common
    return family.figures(crowd.game, main, crowd.parties[0].strategy) if alone else None


# --- simulation -----------------------------------------------------------------------------------------------------------

Block = Callable[[int], NDArray[np.int64]]
"""By its number: what one player of each party, or each seat, won in every round of a block."""


def _simulated(crowd: Crowd, jobs: int, progress: Callable[[int], None] | None) -> Played:
    job = crowd.job
    shared = family_of(crowd.game).shares_cards(crowd.game)
    block, many = family_of(crowd.game).blocks(crowd), [party.players for party in crowd.parties]
    party_of = [number for number, party in enumerate(crowd.parties) for _ in range(1 if shared else party.players)]
    weights = np.array(many if shared else [1] * len(party_of), dtype=np.int64)

    def tallies(number: int) -> list[Counter[int]]:
        """Of the table, and of each party; counted in the worker, so that no block is kept."""
        won = block(number)
        columns = [[column for column, of in enumerate(party_of) if of == party] for party in range(len(many))]
        return [_tally(won @ weights), *(_tally(won[:, of_party]) for of_party in columns)]

    totals: list[Counter[int]] = [Counter() for _ in range(1 + len(crowd.parties))]
    with ThreadPoolExecutor(jobs) as workers:
        parts = in_order(lambda number: workers.submit(tallies, number), range(job.blocks), AHEAD * jobs)
        for number, found in enumerate(parts):
            for total, tally in zip(totals, found, strict=True):
                total.update(tally)
            if progress is not None:
                progress(job.rounds_of(number))
    table, *single = (Results.of(total) for total in totals)
    how = f"Simulation: {job.rounds:,} rounds of the whole table, seed {job.seed}, from real shoes as `podium simulate` deals them."
    return Played(table, tuple(single), "simulation", how, job.rounds)


def _tally(amounts: NDArray[np.int64]) -> Counter[int]:
    found, often = np.unique(amounts, return_counts=True)
    return Counter(dict(zip(found.tolist(), often.tolist(), strict=True)))


english(
    "refused",
    {
        "amounts-rounded": (
            "Different amounts of {wager:wager} are counted as multiples of what is common to them, {part:money}, and a "
            "payment on that is rounded: choose multiples of 1.00, for instance."
        ),
    },
)
