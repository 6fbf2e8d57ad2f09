"""Simulation jobs: a number of rounds with their strategy and wagers, played in blocks.

A block is a fixed number of rounds with a random stream of its own, so the same seed gives the same result whatever the number of
workers and the order in which they finish.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.games import Game
from podium.rules.wagers import check_limits, check_wagers

STRATEGIES: Final = ("best", "timeout", "never-bust", "mimic-dealer")

ROUNDS_PER_BLOCK: Final = 1 << 16
"""Large enough that scheduling a block, a tenth of a millisecond of Python, is negligible beside playing it."""

DEFAULT_WAGER: Final = 1000
"""In minor units. No payment on it is rounded."""

DEFAULT_PENETRATION: Final = 0.75
"""The place of the cut card, as a share of the shoe."""

RESERVE_CARDS_PER_HAND: Final = 16
"""Cards behind the cut card that are shuffled too, for each seat and for the dealer; the cards behind those are not shuffled."""

MAX_STAKED: Final = 10**12
"""The total of all initial wagers of a table, in minor units, such that the largest payout fits into 64 bits."""

Sums = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """What to simulate. Checked on construction."""

    game: Game
    rounds: int
    seed: int = 1
    strategy: str = "best"
    players: int = 1
    wagers: Mapping[str, int] = field(default_factory=dict)
    """By name, in minor units; the main wager is added if it is missing."""
    penetration: float = DEFAULT_PENETRATION

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", self._wagers())
        for name, least in (("rounds", 1), ("players", 1), ("seed", 0)):
            number = getattr(self, name)
            if type(number) is not int or number < least:
                raise Refused("number-least", name=name, number=shortened(repr(number)), least=least)
        if self.strategy not in STRATEGIES:
            raise Refused("strategy-unknown", strategy=shortened(self.strategy), strategies=STRATEGIES)
        places = self.game.rules.places
        if places is not None and self.players > places:
            raise Refused("too-many-players", game=self.game.name, seats=places, players=self.players)
        check_staked(self.players * sum(self.wagers.values()))
        if not 0 <= self.penetration <= 0.9:
            raise Refused("cut-card", penetration=self.penetration)

    def _wagers(self) -> dict[str, int]:
        """The wagers in the order of the game, the main wager first."""
        asked = dict(self.wagers)
        main = self.game.rules.main.name
        asked.setdefault(main, DEFAULT_WAGER)
        check_wagers(self.game.rules, self.game.offers, asked, {})
        check_limits(self.game.rules, self.game.offers, asked, {})
        return {wager: asked[wager] for wager in self.game.offers if wager in asked}

    @property
    def blocks(self) -> int:
        return -(-self.rounds // ROUNDS_PER_BLOCK)

    def rounds_of(self, block: int) -> int:
        return max(0, min(ROUNDS_PER_BLOCK, self.rounds - block * ROUNDS_PER_BLOCK))


def check_staked(staked: int) -> None:
    """Refuses stakes that would overflow the kernels."""
    if staked > MAX_STAKED:
        raise Refused("staked-too-much", staked=staked, most=MAX_STAKED)


@dataclass(frozen=True)
class BlockPlayer:
    """Plays the blocks of a job, in any thread and in any order."""

    play: Callable[[range], Sums]
    """Plays some blocks. Returns, by wager, the sums of results, of their squares, and of the squares of the table's results."""
    at_once: int = 1
    """How many blocks it plays together."""

    def warm_up(self, job: Job) -> None:
        """Compiles the kernels before the clock starts, by playing a block without rounds."""
        self.play(range(job.blocks, job.blocks + 1))

    def pieces(self, job: Job) -> Iterator[range]:
        """The blocks of a job, grouped as they are handed out."""
        every = self.at_once
        return (range(first, min(first + every, job.blocks)) for first in range(0, job.blocks, every))


def alike(job: Job, net: float, squares: float) -> Sums:
    """The sums of a table whose players all have the same result, from the sums of one player."""
    return np.array([[job.players * net, job.players * squares, job.players**2 * squares]])


english(
    "refused",
    {
        "number-least": "{name} is {number}: it must be a whole number, {least} or more.",
        "too-many-players": "{game} has {seats} seats: there cannot be {players} players.",
        "cut-card": "The cut card cannot be at {penetration}: choose from 0 (a fresh shoe for every round) to 0.9.",
        "staked-too-much": (
            "The table would stake {staked:money} at first: up to {most:money} can be counted. Choose fewer players or "
            "smaller wagers."
        ),
    },
)
