"""Simulation: rounds dealt from real shoes, in blocks that any number of workers can share.

A block is a fixed number of rounds with a random stream of its own, so the same seed gives the same result however
many workers there are and whichever block they finish first.
"""

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from podium.blackjack.rules import BlackjackRules
from podium.dealing import OwnHands
from podium.games import Game
from podium.maths.blackjack import STRATEGIES, analysis, policy_for
from podium.maths.blackjack_rounds import SPARE, community_block, own_hands_block, side_bets
from podium.maths.boxes import book, terms
from podium.maths.poker_rounds import poker, poker_block, poker_policy
from podium.maths.positions import Policy
from podium.maths.shuffling import full_shoe, stream
from podium.refusal import Refused
from podium.threecard import PROPOSED_SPOTS, ThreeCardRules
from podium.wagers import check_wagers

BLOCK: Final = 1 << 16
"""Rounds in a block."""

WAGER: Final = 1000
"""The main wager unless another is asked for: no payment on it is rounded."""

PENETRATION: Final = 0.75
"""Where the cut card stands in the shoe."""

RESERVE: Final = 40
"""Cards behind the cut card, for each seat, that are put into random order as well."""

Sums = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """What is to be simulated, checked."""

    game: Game
    rounds: int
    seed: int = 1
    strategy: str = "best"
    players: int = 1
    wagers: Mapping[str, int] = None  # type: ignore[assignment]
    penetration: float = PENETRATION

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", self._wagers())
        for name, least in (("rounds", 1), ("players", 1), ("seed", 0)):
            number = getattr(self, name)
            if type(number) is not int or number < least:
                raise Refused(f"{name} is {number!r}: it is a whole number, {least} or more.")
        if self.strategy not in STRATEGIES:
            raise Refused(f"There is no strategy {self.strategy!r}: the strategies are {', '.join(STRATEGIES)}.")
        places = self.game.rules.places
        if places is not None and self.players > places:
            raise Refused(f"{self.game.name} has {places} seats, so players cannot be {self.players}.")
        if not 0 <= self.penetration <= 0.9:
            raise Refused(
                f"The cut card cannot stand at {self.penetration}: from 0 (a fresh shoe for every round) to 0.9."
            )

    def _wagers(self) -> dict[str, int]:
        """The main wager first, then the others in the order in which the game lists them."""
        asked = dict(self.wagers or {})
        main = self.game.rules.main.name
        asked.setdefault(main, WAGER)
        check_wagers(self.game.rules, self.game.offers, asked, {})
        return {wager: asked[wager] for wager in self.game.offers if wager in asked}

    @property
    def blocks(self) -> int:
        return -(-self.rounds // BLOCK)

    def rounds_of(self, block: int) -> int:
        return max(0, min(BLOCK, self.rounds - block * BLOCK))


Player = Callable[[int], Sums]
"""Plays a block; gives its sums by wager: of results, of their squares, of the squares of the table's results."""


def player_of(job: Job) -> Player:
    """Everything that the blocks of a job share is prepared once; what comes back can be called from any thread."""
    if isinstance(job.game.rules, ThreeCardRules):
        return _poker_player(job, job.game.rules, [poker_policy(job.strategy)])
    assert isinstance(job.game.rules, BlackjackRules)
    return blackjack_player(job, job.game.rules, [policy_for(analysis(job.game), job.strategy)])


def blackjack_player(job: Job, rules: BlackjackRules, policies: list[Policy]) -> Player:
    """A player of blocks of blackjack; every seat follows the first policy."""
    main, *others = job.wagers
    sides = side_bets(job.game.offers, {wager: job.wagers[wager] for wager in others})
    conditions, tables = terms(rules, job.wagers[main]), book(rules, policies)
    size = 52 * rules.decks
    cut = int(size * job.penetration)
    own_hands = job.game.dealing is OwnHands
    seats = job.players if own_hands else 1
    needed = min(size, cut + RESERVE * (seats + 1))

    def play(block: int) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        cards = np.concatenate([full_shoe(rules.decks), np.zeros(SPARE, dtype=np.int64)])
        state, rounds = stream(job.seed, block), job.rounds_of(block)
        if own_hands:
            which = np.zeros(job.players, dtype=np.int64)
            own_hands_block(state, conditions, tables, sides, which, cards, cut, needed, rounds, sums)
        else:
            many = np.array([job.players], dtype=np.int64)
            community_block(state, conditions, tables, sides, many, cards, cut, needed, rounds, sums)
        return sums

    return play


def _poker_player(job: Job, rules: ThreeCardRules, policies: list[NDArray[np.bool_]]) -> Player:
    tables = poker(rules, job.game.offers, job.wagers, policies, PROPOSED_SPOTS)
    many = np.array([job.players], dtype=np.int64)

    def play(block: int) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        poker_block(stream(job.seed, block), tables, many, full_shoe(1), job.rounds_of(block), sums)
        return sums

    return play


# --- results ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What a wager did in the simulation, for each unit of it."""

    wager: str
    stake: int
    house_edge: float
    standard_error: float
    standard_deviation: float

    def told(self) -> dict[str, float]:
        return {
            "house_edge": self.house_edge,
            "standard_error": self.standard_error,
            "standard_deviation": self.standard_deviation,
        }


@dataclass(frozen=True)
class Simulated:
    """The result of a job."""

    job: Job
    jobs: int
    seconds: float
    wagers: tuple[Measured, ...]

    @property
    def rounds_per_second(self) -> float:
        return self.job.rounds / self.seconds if self.seconds else 0.0

    def told(self) -> dict[str, Any]:
        """As `podium simulate --json` writes it."""
        job = self.job
        return {
            "game": job.game.name,
            "options": job.game.changed(),
            "strategy": job.strategy,
            "players": job.players,
            "seed": job.seed,
            "jobs": self.jobs,
            "rounds": job.rounds,
            "seconds": self.seconds,
            "rounds_per_second": self.rounds_per_second,
            "wagers": {measured.wager: measured.told() for measured in self.wagers},
        }


def measured(job: Job, sums: Sums) -> tuple[Measured, ...]:
    """The error is that of the mean over rounds: players of one table share cards, so only rounds count as independent."""
    found = []
    results, rounds = job.rounds * job.players, job.rounds
    for (wager, stake), (total, squares, tables) in zip(job.wagers.items(), sums.tolist(), strict=True):
        mean = total / results / stake
        variance = max(0.0, squares / results / stake**2 - mean**2)
        of_tables = max(0.0, tables / rounds / (stake * job.players) ** 2 - mean**2)
        error = math.sqrt(of_tables / max(1, rounds - 1))
        found.append(Measured(wager, stake, -mean, error, math.sqrt(variance)))
    return tuple(found)


def simulate(job: Job, *, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> Simulated:
    """Play a job on so many cores, all of them by default. `progress` is told the number of rounds that were added."""
    jobs = _jobs(jobs)
    play = player_of(job)
    play_compiled(job, play)
    began = time.perf_counter()
    with ThreadPoolExecutor(jobs) as workers:
        sums = _added(job, workers.map(play, range(job.blocks)), progress)
    seconds = time.perf_counter() - began
    return Simulated(job, jobs, seconds, measured(job, sums))


def play_compiled(job: Job, play: Player) -> None:
    """Compilation and start-up do not count as playing: the kernels are called once without a round."""
    play(job.blocks)


def _added(job: Job, parts: Iterator[Sums], progress: Callable[[int], None] | None) -> Sums:
    """In the order of the blocks, so that the last digit does not depend on who was first."""
    sums = np.zeros((len(job.wagers), 3))
    for block, part in enumerate(parts):
        sums += part
        if progress is not None:
            progress(job.rounds_of(block))
    return sums


def _jobs(jobs: int | None) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs is None:
        return cores
    if type(jobs) is not int or jobs < 1:
        raise Refused(f"jobs is {jobs!r}: it is a whole number, 1 or more.")
    return jobs
