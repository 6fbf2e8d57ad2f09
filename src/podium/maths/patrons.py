"""The patrons of one table, and the results that they and the house have in the same rounds.

In a community game everybody plays the same cards, so results add up instead of cancelling. Their sum does not follow from the
figures of one player unless all play alike.
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
from podium.maths.simulation import PIECES_AHEAD_PER_CORE, cores, in_order
from podium.rules.games import Game

DEFAULT_ROUNDS: Final = 4_000_000
"""Rounds that are simulated by default."""


@dataclass(frozen=True)
class Party:
    """Players with the same strategy, spots and wagers."""

    players: int
    strategy: str = "best"
    spots: tuple[int, ...] = ()
    """The locations that they choose, in Three Card Poker; if empty, those that the game proposes."""
    wagers: Mapping[str, int] = field(default_factory=dict)
    """What each of them stakes, by name in minor units; if empty, what everybody stakes."""


@dataclass(frozen=True)
class Patrons:
    """Everybody who plays at a table and what they stake, and how it is simulated where necessary. Checked on construction.

    Different amounts of a wager are treated as multiples of their greatest common divisor, so that one round serves all.
    """

    game: Game
    parties: tuple[Party, ...]
    wagers: Mapping[str, int] = field(default_factory=dict)
    rounds: int = DEFAULT_ROUNDS
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
        """The party with its wagers and spots filled in; making a job of it checks wagers, players and strategy."""
        wagers = party.wagers or self.wagers
        job = Job(self.game, self.rounds, strategy=party.strategy, players=party.players, wagers=wagers)
        return replace(party, wagers=job.wagers, spots=self.game.rules.read_spots(party.spots))

    @property
    def players(self) -> int:
        return sum(party.players for party in self.parties)

    @property
    def staked(self) -> int:
        """The initial wagers of all players together."""
        return sum(party.players * sum(party.wagers.values()) for party in self.parties)

    @property
    def job(self) -> Job:
        """The job by which the table is simulated."""
        strategy = self.parties[0].strategy
        return Job(self.game, self.rounds, seed=self.seed, strategy=strategy, players=self.players, wagers=self.wagers)

    @property
    def common(self) -> dict[str, int]:
        """By wager, in the order of the game: the greatest common divisor of the parties' stakes."""
        placed = [wager for wager in self.game.offers if any(wager in party.wagers for party in self.parties)]
        return {wager: math.gcd(*(party.wagers.get(wager, 0) for party in self.parties)) for wager in placed}

    @property
    def multiples(self) -> NDArray[np.int64]:
        """By party and wager: the stake of each player as a multiple of the common amount."""
        common = self.common.items()
        return np.array([[party.wagers.get(wager, 0) // part for wager, part in common] for party in self.parties])

    def whole(self, wager: str, stake: int) -> bool:
        """Whether no payment on this stake is rounded down."""
        return family_of(self.game).unrounded(self.game, wager, stake)


# --- distributions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """The distribution of the result of a round for the house: amounts in minor units, lowest first, and their probabilities."""

    amounts: NDArray[np.int64]
    chances: NDArray[np.float64]

    @classmethod
    def of(cls, often: Mapping[int, float], times: int = 1) -> "Results":
        """From how often a player won each amount: the house's result against `times` players who win it together."""
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
        """The largest loss of the house."""
        return max(0, -int(self.amounts[0]))


@dataclass(frozen=True)
class RoundsPlayed:
    """The results of the rounds that these patrons play."""

    table: Results
    """All players together."""
    single: tuple[Results, ...]
    """One player of each party."""
    method: str
    how: str
    rounds: int = 0
    """How many rounds were simulated; 0 if the results are exact."""

    @property
    def standard_error(self) -> float | None:
        """The standard error of the table's mean, if it was simulated."""
        return self.table.standard_deviation / math.sqrt(self.rounds) if self.rounds else None


def play(patrons: Patrons, *, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> RoundsPlayed:
    """The results of the table: exact if everybody plays alike with the main wager alone, simulated otherwise."""
    figures = _exact(patrons)
    if figures is None or figures.results is None:
        return _simulated(patrons, cores(jobs), progress)
    ((_, part),) = patrons.common.items()
    often: Counter[int] = Counter()
    for net, chance in figures.results.items():
        often[round(net * part)] += float(chance)  # type: ignore[assignment]  # a Counter adds any numbers up
    times = patrons.multiples[:, 0].tolist()
    single = {multiple: Results.of(often, multiple) for multiple in times}
    together = sum(party.players * multiple for party, multiple in zip(patrons.parties, times, strict=True))
    how = f"{figures.how} Everybody has this result at the same time."
    return RoundsPlayed(Results.of(often, together), tuple(single[multiple] for multiple in times), "exact", how)


def _exact(patrons: Patrons) -> Figures | None:
    """The figures of one player, if everybody has the same result and its whole distribution is known."""
    family = family_of(patrons.game)
    alike = len({(party.strategy, frozenset(party.spots)) for party in patrons.parties}) == 1
    alone = patrons.players == 1 or family.shares_cards(patrons.game)
    if len(patrons.common) > 1 or not alike or not all(patrons.whole(*staked) for staked in patrons.common.items()):
        return None
    (main,) = patrons.common
    return family.figures(patrons.game, main, patrons.parties[0].strategy) if alone else None


# --- simulation -----------------------------------------------------------------------------------------------------------

Block = Callable[[int], NDArray[np.int64]]
"""Plays the block of this number: what one player of each party, or each seat, won in every round."""


def _simulated(patrons: Patrons, jobs: int, progress: Callable[[int], None] | None) -> RoundsPlayed:
    job = patrons.job
    shared = family_of(patrons.game).shares_cards(patrons.game)
    block, many = family_of(patrons.game).blocks(patrons), [party.players for party in patrons.parties]
    party_of = [number for number, party in enumerate(patrons.parties) for _ in range(1 if shared else party.players)]
    weights = np.array(many if shared else [1] * len(party_of), dtype=np.int64)

    def tallies(number: int) -> list[Counter[int]]:
        """Counts the results of the table and of each party here in the worker, so that no block is kept."""
        won = block(number)
        columns = [[column for column, of in enumerate(party_of) if of == party] for party in range(len(many))]
        return [_tally(won @ weights), *(_tally(won[:, of_party]) for of_party in columns)]

    totals: list[Counter[int]] = [Counter() for _ in range(1 + len(patrons.parties))]
    with ThreadPoolExecutor(jobs) as workers:
        parts = in_order(
            lambda number: workers.submit(tallies, number), range(job.blocks), PIECES_AHEAD_PER_CORE * jobs
        )
        for number, found in enumerate(parts):
            for total, tally in zip(totals, found, strict=True):
                total.update(tally)
            if progress is not None:
                progress(job.rounds_of(number))
    table, *single = (Results.of(total) for total in totals)
    how = f"Simulation: {job.rounds:,} rounds of the whole table, seed {job.seed}, from real shoes as `podium simulate` deals them."
    return RoundsPlayed(table, tuple(single), "simulation", how, job.rounds)


def _tally(amounts: NDArray[np.int64]) -> Counter[int]:
    found, often = np.unique(amounts, return_counts=True)
    return Counter(dict(zip(found.tolist(), often.tolist(), strict=True)))


english(
    "refused",
    {
        "amounts-rounded": (
            "Different amounts of {wager:wager} are counted as multiples of their greatest common divisor, {part:money}, on "
            "which a payment is rounded: choose multiples of 1.00, for instance."
        ),
    },
)
