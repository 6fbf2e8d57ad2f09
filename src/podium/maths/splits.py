"""Split hands: their joint result when each hand is played by its own cards.

Each split hand is played by looking at that hand, the up card and the value of the pair, and nothing else. To this hand, the cards of
the other hands are cards burned unseen, and burning a card changes no probability. The joint probabilities of each hand and the
dealer's end are therefore exact, and so is the expectation of the sum. The only approximation is that the hands of one split are
treated as independent given the dealer's end; it affects the variance alone.

Only the number of the other hands matters. While a further split is possible, every hand that was played shows that its
second card was not of the pair's value. Burning one card splits any expectation F with `k` known cards of the pair's value and `x`
known others into F(k, x) = Q F(k + 1, x) + (1 - Q) F(k, x + 1), where Q is the probability that the card has that value; this
gives F(k, x + 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.dealer import ENDS

Floats = NDArray[np.float64]

REACH_HALF_UNITS: Final = 30
"""The largest net result in half units: five hands of three units each."""


@dataclass(frozen=True)
class Branch:
    """A split hand with one card, about to get its second, with a given number of cards of the pair's value out."""

    again: float
    """The probability that the second card has the pair's value."""
    ends: Floats
    """The probabilities of the dealer's ends."""
    other: Floats
    """The probability of each end of the hand if the second card has another value, by which hand (first, later), doubled, row, dealer's end."""
    same: Floats
    """The same if the second card has the pair's value and is not split again."""


class Burned:
    """The branches with `k` cards of the pair's value out and `x` known cards of other values burned: `at(k, x)`."""

    def __init__(self, branches: list[Branch]) -> None:
        """The first branch is for two cards of the pair's value."""
        level = list(branches)
        self._levels = [level]
        while len(level) > 1:
            level = [_burn(one, more) for one, more in pairwise(level)]
            self._levels.append(level)

    def at(self, k: int, x: int) -> Branch:
        return self._levels[x][k - 2]


def _burn(one: Branch, more: Branch) -> Branch:
    """The branch after a card of another value was burned. `more` has one more card of the pair's value out."""
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
    """How many branches are needed for this number of splits."""
    return max(1, 2 * splits - 1)


@dataclass(frozen=True)
class SplitPlay:
    """All hands of a pair that is split, up to a number of splits."""

    burned: Burned
    splits: int

    def expect(self, worth: Floats) -> float:
        """The expected sum over the hands; `worth` is by which hand, doubled, row and dealer's end."""
        ends = self.burned.at(2, 0).ends

        def of_hand(joint: Floats, which: int) -> Floats:
            value: Floats = np.einsum("dre,dre->e", joint[which], worth[which])
            return value

        def add(hand: Floats, chance: Floats, rest: Floats) -> Floats:
            return hand + chance * rest

        whole = self._fold(of_hand, add, np.zeros(ENDS))
        return float(ends @ whole)

    def spread(self, pay: Floats) -> Floats:
        """The joint probability of the dealer's end and the net result, in half units; the middle index is 0."""
        width = 2 * REACH_HALF_UNITS + 1
        place = np.arange(ENDS) * width + np.rint(2 * pay).astype(np.int64) + REACH_HALF_UNITS

        def of_hand(joint: Floats, which: int) -> Floats:
            cells = np.zeros(ENDS * width)
            np.add.at(cells, place[which], joint[which])
            return cells.reshape(ENDS, width)

        def add(hand: Floats, _: Floats, rest: Floats) -> Floats:
            sums = [np.convolve(one, more) for one, more in zip(hand, rest, strict=True)]
            return np.array(sums)[:, REACH_HALF_UNITS : REACH_HALF_UNITS + width]

        nothing = np.zeros((ENDS, width))
        nothing[:, REACH_HALF_UNITS] = 1.0
        whole = self._fold(of_hand, add, nothing)
        return self.burned.at(2, 0).ends[:, np.newaxis] * whole

    def _fold(
        self,
        of_hand: Callable[[Floats, int], Floats],
        add: Callable[[Floats, Floats, Floats], Floats],
        nothing: Floats,
    ) -> Floats:
        """Combines the hands one after the other, given the dealer's end.

        `of_hand` is the result of hands of one kind by the dealer's end, and `add` joins it to the result of the hands after it.
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
