"""Split hands: what they come to together, when each is played by its own cards.

A split hand's player looks at that hand, the up card and the value of the pair, and at nothing else. Then the cards that
other hands drew are, for this hand, cards burned unseen, and burning a card changes no probability; so the chances of
each hand with each end of the dealer's are exact, and so is the expectation of their sum. Only that two hands of one
split are independent of each other once the dealer's end is known is an approximation. It touches the spread alone.

What must be known of other hands is how many of them there are. While a further split is possible, every hand that is played
has told that its second card was not of the pair's value. Burning one card splits any expectation F that belongs to
`k` known cards of the pair's value and `x` known others into F(k, x) = Q F(k + 1, x) + (1 - Q) F(k, x + 1),
Q being the chance that the card is of that value; this gives F(k, x + 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.dealer import ENDS

Floats = NDArray[np.float64]

REACH: Final = 30
"""Five hands of three units each, in half units."""


@dataclass(frozen=True)
class Branch:
    """A split hand with one card, about to get its second, when so many cards of the pair's value are out."""

    again: float
    """The chance that the second card is of the pair's value."""
    ends: Floats
    """How the dealer ends."""
    other: Floats
    """By which hand (first, later), doubled, row, dealer's end: the second card was another, and the hand ended so."""
    same: Floats
    """Likewise, but it was of the pair's value and was not split again."""


class Burned:
    """The branches with some known cards of other values burned: `at(k, x)`."""

    def __init__(self, branches: list[Branch]) -> None:
        """The first branch belongs to two cards of the pair's value."""
        level = list(branches)
        self._levels = [level]
        while len(level) > 1:
            level = [_burn(one, more) for one, more in pairwise(level)]
            self._levels.append(level)

    def at(self, k: int, x: int) -> Branch:
        return self._levels[x][k - 2]


def _burn(one: Branch, more: Branch) -> Branch:
    """The branch after another value was burned. `more` has one more card of the pair's value out."""
    left = 1.0 - one.again
    if left <= 0.0:
        return one

    def unburned(now: Floats, then: Floats) -> Floats:
        return np.maximum((now - one.again * then) / left, 0.0)

    return Branch(
        again=one.again * (1.0 - more.again) / left,
        ends=unburned(one.ends, more.ends),
        other=unburned(one.other, more.other),
        same=unburned(one.same, more.same),
    )


def branches_needed(splits: int) -> int:
    """How many branches the play with so many splits reads."""
    return max(1, 2 * splits - 1)


@dataclass(frozen=True)
class SplitPlay:
    """All the hands of a pair that is split, at most so often."""

    burned: Burned
    splits: int

    def expect(self, worth: Floats) -> float:
        """The expectation of the sum of what each hand is worth, by which hand, doubled, row and dealer's end."""
        ends = self.burned.at(2, 0).ends

        def of_hand(joint: Floats, which: int) -> Floats:
            value: Floats = np.einsum("dre,dre->e", joint[which], worth[which])
            return value

        def add(hand: Floats, chance: Floats, rest: Floats) -> Floats:
            return hand + chance * rest

        whole = self._fold(of_hand, add, np.zeros(ENDS))
        return float(ends @ whole)

    def spread(self, pay: Floats) -> Floats:
        """By the dealer's end and the net result in half units (the middle is 0): the chance of both."""
        width = 2 * REACH + 1
        place = np.arange(ENDS) * width + np.rint(2 * pay).astype(np.int64) + REACH

        def of_hand(joint: Floats, which: int) -> Floats:
            cells = np.zeros(ENDS * width)
            np.add.at(cells, place[which], joint[which])
            return cells.reshape(ENDS, width)

        def add(hand: Floats, _: Floats, rest: Floats) -> Floats:
            sums = [np.convolve(one, more) for one, more in zip(hand, rest, strict=True)]
            return np.array(sums)[:, REACH : REACH + width]

        nothing = np.zeros((ENDS, width))
        nothing[:, REACH] = 1.0
        whole = self._fold(of_hand, add, nothing)
        return self.burned.at(2, 0).ends[:, np.newaxis] * whole

    def _fold(
        self,
        of_hand: Callable[[Floats, int], Floats],
        add: Callable[[Floats, Floats, Floats], Floats],
        nothing: Floats,
    ) -> Floats:
        """Play the hands one after the other, all given the dealer's end.

        `of_hand` is what the hands of one kind come to together with each end, `add` joins it to what follows it.
        """
        known: dict[tuple[int, int, int, int, int], Floats] = {}
        shape = (ENDS,) + (1,) * (nothing.ndim - 1)

        def rest(hands: int, left: int, k: int, x: int, which: int) -> Floats:
            key = hands, left, k, x, which
            if hands == 0:
                return nothing
            if key not in known:
                known[key] = after(*key)
            return known[key]

        def after(hands: int, left: int, k: int, x: int, which: int) -> Floats:
            branch = self.burned.at(k, x)
            ends = np.where(branch.ends > 0.0, branch.ends, 1.0)
            share = ends.reshape(shape)
            if left == 0:
                joint = branch.other + branch.same
                return add(of_hand(joint, which) / share, np.ones(ENDS), rest(hands - 1, 0, k, x, 1))
            chance = branch.other[which].sum(axis=(0, 1)) / ends
            played = add(of_hand(branch.other, which) / share, chance, rest(hands - 1, left, k, x + 1, 1))
            return played + (1.0 - chance).reshape(shape) * rest(hands + 1, left - 1, k + 1, x, which)

        return rest(2, self.splits - 1, 2, 0, 0)
