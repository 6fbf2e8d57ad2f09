"""Every hand that a blackjack player can hold, as a multiset of card values, and the policies that decide on them.

A hand is a number: its index in the list of all compositions whose total, aces low, is at most 21. The list is sorted by that total,
so a card always leads to a higher number.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.maths.shoe import VALUES, best_total

# Decisions on a hand.
STAND: Final = 0
HIT: Final = 1
DOUBLE: Final = 2
SPLIT: Final = 3
SURRENDER: Final = 4

# Earlier decisions, when the dealer's first card is an ace.
DECLINE: Final = 0
INSURE: Final = 1
EVEN_MONEY: Final = 2

BUST_ROW: Final = 6
ROWS: Final = 7
"""The ends of a hand that settlement distinguishes: 16 or less, 17, 18, 19, 20, 21, bust."""


class Hands(NamedTuple):
    """The list of hands as arrays; 0 is the empty hand."""

    counts: NDArray[np.int64]
    """How many cards of each value."""
    points: NDArray[np.int64]
    soft: NDArray[np.bool_]
    cards: NDArray[np.int64]
    row: NDArray[np.int64]
    after: NDArray[np.int64]
    """By hand and card value: the hand after that card, or -1 if it busts."""


def _compositions(most: int, lowest: int = 1) -> Iterator[tuple[int, ...]]:
    """Multisets of card values from `lowest` to 10 with a total of at most `most`, aces low."""
    yield ()
    for value in range(lowest, min(most, 10) + 1):
        for rest in _compositions(most - value, value):
            yield (value, *rest)


@lru_cache(maxsize=1)
def all_hands() -> Hands:
    listed = sorted(_compositions(21), key=lambda hand: (sum(hand), len(hand), hand))
    number = {hand: place for place, hand in enumerate(listed)}
    totals = [best_total(hand) for hand in listed]
    after = [[number.get(tuple(sorted((*hand, value + 1))), -1) for value in range(VALUES)] for hand in listed]
    return Hands(
        counts=np.array([[hand.count(value + 1) for value in range(VALUES)] for hand in listed], dtype=np.int64),
        points=np.array([points for points, _ in totals], dtype=np.int64),
        soft=np.array([soft for _, soft in totals], dtype=np.bool_),
        cards=np.array([len(hand) for hand in listed], dtype=np.int64),
        row=np.array([max(0, points - 16) for points, _ in totals], dtype=np.int64),
        after=np.array(after, dtype=np.int64),
    )


def hand_of(*values: int) -> int:
    """The number of the hand with these card values, where 0 is an ace."""
    number = 0
    for value in values:
        number = int(all_hands().after[number, value])
    return number


TWO_CARDS: Final = tuple((first, second) for first in range(VALUES) for second in range(first, VALUES))
NATURAL: Final = (0, 9)


class Policy(NamedTuple):
    """What a player decides, by up card and hand. The first index says whether the player is insured.

    A decision that the rules do not allow becomes a hit; a split ace that cannot be split again stands.
    """

    early: NDArray[np.int8]
    """By hand, when the up card is an ace: decline, insure, even money."""
    first: NDArray[np.int8]
    """By insured, up card, hand: the decision on the hand that was dealt."""
    split: NDArray[np.int8]
    """By insured, which hand (0 the first, 1 a later one), up card, value of the pair, hand: the decision on a split hand."""
    limit: NDArray[np.int8]
    """By insured, up card, value of the pair: the maximum number of splits."""


def empty_policy() -> Policy:
    """A policy that stands on everything."""
    hands = len(all_hands().cards)
    return Policy(
        early=np.zeros(hands, dtype=np.int8),
        first=np.zeros((2, VALUES, hands), dtype=np.int8),
        split=np.zeros((2, 2, VALUES, VALUES, hands), dtype=np.int8),
        limit=np.zeros((2, VALUES, VALUES), dtype=np.int8),
    )


def by_total(soft: int, hard: int) -> Policy:
    """A policy that stands on this soft or hard total, or more, and otherwise hits."""
    hands = all_hands()
    stands = hands.points >= np.where(hands.soft, soft, hard)
    policy = empty_policy()
    policy.first[:] = np.where(stands, STAND, HIT).astype(np.int8)
    return policy
