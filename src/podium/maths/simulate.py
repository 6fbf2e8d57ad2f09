"""Simulation: rounds dealt from real shoes, in blocks that any number of workers can share.

A block is a fixed number of rounds with a random stream of its own, so the same seed gives the same result however
many workers there are and whichever block they finish first.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from podium.basics.refusal import Refused
from podium.maths.array_play import Plan
from podium.maths.automaton import WIDTH, automaton
from podium.maths.blackjack import STRATEGIES, analysis, policy_for
from podium.maths.blackjack_rounds import SPARE, community_block, own_hands_block, side_bets
from podium.maths.boxes import VALUE_OF, Book, Terms, book, terms
from podium.maths.lanes import LANES, Marks, four_blocks
from podium.maths.poker_rounds import Poker, ante_block, ante_nets, poker, poker_block, poker_plan
from podium.maths.positions import Policy
from podium.maths.shuffling import full_shoe, stream
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.dealing import OwnHands
from podium.rules.games import Game
from podium.rules.three_card import PROPOSED_SPOTS, ThreeCardRules
from podium.rules.wagers import check_wagers

BLOCK: Final = 1 << 16
"""Rounds in a block: enough that handing it out, a tenth of a millisecond of Python, does not count beside playing it."""

WAGER: Final = 1000
"""The main wager unless another is asked for: no payment on it is rounded."""

PENETRATION: Final = 0.75
"""Where the cut card stands in the shoe."""

RESERVE: Final = 16
"""Cards behind the cut card, for each seat and the dealer, that are shuffled as well; those behind them lie as before."""

MOST: Final = 10**12
"""All that a table may stake at first, in minor units: the largest payout on it still is a whole number of the machine."""

AHEAD: Final = 8
"""Pieces that are handed out for each core before the first of them is back."""

MOST_JOBS: Final = 256
"""More threads than any machine has use for."""

Sums = NDArray[np.float64]
Piece = TypeVar("Piece")
Found_co = TypeVar("Found_co", covariant=True)


@dataclass(frozen=True)
class Job:
    """What is to be simulated, checked."""

    game: Game
    rounds: int
    seed: int = 1
    strategy: str = "best"
    players: int = 1
    wagers: Mapping[str, int] = field(default_factory=dict)
    """By name in minor units; the main wager is added where it is missing."""
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
        check_staked(self.players * sum(self.wagers.values()))
        if not 0 <= self.penetration <= 0.9:
            raise Refused(
                f"The cut card cannot stand at {self.penetration}: from 0 (a fresh shoe for every round) to 0.9."
            )

    def _wagers(self) -> dict[str, int]:
        """The main wager first, then the others in the order in which the game lists them."""
        asked = dict(self.wagers)
        main = self.game.rules.main.name
        asked.setdefault(main, WAGER)
        check_wagers(self.game.rules, self.game.offers, asked, {})
        return {wager: asked[wager] for wager in self.game.offers if wager in asked}

    @property
    def blocks(self) -> int:
        return -(-self.rounds // BLOCK)

    def rounds_of(self, block: int) -> int:
        return max(0, min(BLOCK, self.rounds - block * BLOCK))


def check_staked(staked: int) -> None:
    """Refuse what the kernels could not count."""
    if staked > MOST:
        raise Refused(
            f"The table would stake {staked:,} minor units at first: it is counted up to {MOST:,}, with fewer "
            "players or smaller wagers."
        )


@dataclass(frozen=True)
class Player:
    """Plays blocks, in any thread, in any order."""

    play: Callable[[range], Sums]
    """Gives the sums of some blocks by wager: of results, of their squares, of the squares of the table's results."""
    at_once: int = 1
    """How many blocks it takes together."""

    def warm_up(self, job: Job) -> None:
        """Compilation does not count as playing: play a block that has no rounds."""
        self.play(range(job.blocks, job.blocks + 1))

    def pieces(self, job: Job) -> Iterator[range]:
        """The blocks of a job as they are handed out."""
        every = self.at_once
        return (range(first, min(first + every, job.blocks)) for first in range(0, job.blocks, every))


def player_of(job: Job) -> Player:
    """Everything that the blocks of a job share is prepared once; what comes back can be called from any thread."""
    if isinstance(job.game.rules, ThreeCardRules):
        return _poker_player(job, job.game.rules, poker_plan(job.strategy))
    assert isinstance(job.game.rules, BlackjackRules)
    return blackjack_player(job, job.game.rules, [policy_for(analysis(job.game), job.strategy)])


def blackjack_player(job: Job, rules: BlackjackRules, policies: list[Policy]) -> Player:
    """A player of blocks of blackjack; every seat follows the first policy."""
    main, *others = job.wagers
    sides = side_bets(job.game.offers, {wager: job.wagers[wager] for wager in others})
    conditions, tables = terms(rules, job.wagers[main]), book(rules, policies)
    size = 52 * rules.decks
    cut = max(1, int(size * job.penetration))  # at least one round is dealt from every shoe
    own_hands = job.game.dealing is OwnHands
    seats = job.players if own_hands else 1
    needed = min(size, cut + RESERVE * (seats + 1))

    if not own_hands and not others:
        return _fast_player(job, rules, conditions, tables, cut, needed)

    def play(blocks: range) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        for block in blocks:
            cards = np.concatenate([full_shoe(rules.decks), np.zeros(SPARE, dtype=np.int64)])
            state, rounds = stream(job.seed, block), job.rounds_of(block)
            if own_hands:
                which = np.zeros(job.players, dtype=np.int64)
                own_hands_block(state, conditions, tables, sides, which, cards, cut, needed, rounds, sums)
            else:
                many = np.array([job.players], dtype=np.int64)
                community_block(state, conditions, tables, sides, many, cards, cut, needed, rounds, sums)
        return sums

    return Player(play)


def _fast_player(job: Job, rules: BlackjackRules, conditions: Terms, tables: Book, cut: int, needed: int) -> Player:
    """The main wager of community blackjack alone, through the automaton: everybody at the table does the same."""
    states = automaton(conditions, tables)
    marks = Marks(states.ended, states.splits, states.split_boxes)
    values = np.concatenate([VALUE_OF[full_shoe(rules.decks)], np.zeros(SPARE, dtype=np.int64)]).astype(np.uint8)

    def play(blocks: range) -> Sums:
        lanes = [*blocks, *range(job.blocks, job.blocks + LANES - len(blocks))]
        streams = np.array([stream(job.seed, block) for block in lanes])
        rounds = np.array([job.rounds_of(block) for block in lanes])
        counts, split = np.zeros(len(states.table) // WIDTH, dtype=np.uint64), np.zeros(2)
        shoes = np.tile(values, (LANES, 1))
        four_blocks(streams, conditions, tables, states.table, marks, shoes, cut, needed, rounds, counts, split)
        ends = counts[states.ended : states.splits].astype(np.float64)
        net, squares = float(ends @ states.nets) + split[0], float(ends @ states.nets**2) + split[1]
        return _alike(job, net, squares)

    return Player(play, at_once=LANES)


def _poker_player(job: Job, rules: ThreeCardRules, plan: Plan) -> Player:
    tables = poker(rules, job.game.offers, job.wagers, [plan], PROPOSED_SPOTS)
    many = np.array([job.players], dtype=np.int64)
    if len(job.wagers) == 1:
        return _ante_player(job, tables)

    def play(blocks: range) -> Sums:
        sums = np.zeros((len(job.wagers), 3))
        for block in blocks:
            poker_block(stream(job.seed, block), tables, many, full_shoe(1), job.rounds_of(block), sums)
        return sums

    return Player(play)


def _ante_player(job: Job, tables: Poker) -> Player:
    """The ante alone: what a round came to is counted and not added up."""
    nets = ante_nets(tables)

    def play(blocks: range) -> Sums:
        counts = np.zeros(nets.shape, dtype=np.int64)
        for block in blocks:
            ante_block(stream(job.seed, block), tables, full_shoe(1), job.rounds_of(block), counts)
        return _alike(job, float((counts * nets).sum()), float((counts * nets**2).sum()))

    return Player(play)


def _alike(job: Job, net: float, squares: float) -> Sums:
    """The sums of a table where everybody has the same result, from those of one player."""
    return np.array([[job.players * net, job.players * squares, job.players**2 * squares]])


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
            "penetration": job.penetration,
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
    jobs = cores(jobs)
    player = player_of(job)
    player.warm_up(job)
    began = time.perf_counter()
    with ThreadPoolExecutor(jobs) as workers:
        parts = in_order(lambda piece: workers.submit(player.play, piece), player.pieces(job), AHEAD * jobs)
        sums = added(job, player.pieces(job), parts, progress)
    seconds = time.perf_counter() - began
    return Simulated(job, jobs, seconds, measured(job, sums))


class Promised(Protocol[Found_co]):
    """What a worker, of this machine or another, will have found."""

    def result(self) -> Found_co: ...

    def cancel(self) -> object: ...


def in_order(submit: Callable[[Piece], Promised[Found_co]], pieces: Iterable[Piece], ahead: int) -> Iterator[Found_co]:
    """What the workers find, in the order of the pieces. Few are handed out ahead, so a long job needs no more memory than a short one."""
    waiting: deque[Promised[Found_co]] = deque()
    try:
        for piece in pieces:
            waiting.append(submit(piece))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for promised in waiting:
            promised.cancel()


def added(job: Job, pieces: Iterable[range], parts: Iterator[Sums], progress: Callable[[int], None] | None) -> Sums:
    """In the order of the blocks, so that the last digit does not depend on who was first."""
    sums = np.zeros((len(job.wagers), 3))
    for piece, part in zip(pieces, parts, strict=True):
        sums += part
        if progress is not None:
            progress(sum(job.rounds_of(block) for block in piece))
    return sums


def cores(jobs: int | None) -> int:
    """How many cores are used: all that this process may use, unless fewer or more are asked for."""
    all_of_them = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs is None:
        return all_of_them
    if type(jobs) is not int or not 1 <= jobs <= MOST_JOBS:
        raise Refused(f"jobs is {jobs!r}: it is a whole number from 1 to {MOST_JOBS}.")
    return jobs
