"""What is to be simulated, and who plays it: a job of so many rounds, and a player of its blocks.

A block is a fixed number of rounds with a random stream of its own, so the same seed gives the same result however
many workers there are and whichever block they finish first.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.games import Game
from podium.rules.wagers import check_wagers

STRATEGIES: Final = ("best", "timeout", "never-bust", "mimic-dealer")

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

Sums = NDArray[np.float64]


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
        raise Refused("staked-too-much", staked=staked, most=MOST)


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


def alike(job: Job, net: float, squares: float) -> Sums:
    """The sums of a table where everybody has the same result, from those of one player."""
    return np.array([[job.players * net, job.players * squares, job.players**2 * squares]])


english(
    "refused",
    {
        "number-least": "{name} is {number}: it is a whole number, {least} or more.",
        "too-many-players": "{game} has {seats} seats: there cannot be {players} players.",
        "cut-card": "The cut card cannot stand at {penetration}: from 0 (a fresh shoe for every round) to 0.9.",
        "staked-too-much": (
            "The table would stake {staked:money} at first: up to {most:money} can be counted. Choose fewer players or "
            "smaller wagers."
        ),
    },
)
