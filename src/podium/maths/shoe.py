"""A shoe as the mathematics of blackjack sees it: the number of cards of each value."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
"""The number of cards of each value: index 0 is for aces, index 9 for all cards that count ten."""

VALUES: Final = 10
ACE: Final = 0
TEN: Final = 9


def fresh_shoe(decks: int) -> Counts:
    """The composition of a full shoe.

    >>> fresh_shoe(6)
    array([24, 24, 24, 24, 24, 24, 24, 24, 24, 96])
    """
    counts = np.full(VALUES, 4 * decks, dtype=np.int64)
    counts[TEN] = 16 * decks
    return counts


def best_total(values: Iterable[int]) -> tuple[int, bool]:
    """The best total of some cards, and whether it is soft. Values are 1 for an ace up to 10."""
    points = list(values)
    hard = sum(points)
    soft = hard <= 11 and 1 in points
    return (hard + 10 if soft else hard), soft
