"""The exact distribution of the dealer's final hand, from any composition of the shoe.

The order of the dealer's cards matters only for when the dealer stops. All hands that can be drawn are therefore listed once as
multisets, each with the number of orders that lead to it; the chance of one order is a product over the cards that are left. The
multisets share prefixes: each line of the table adds one card to an earlier line, at the cost of one multiplication. Busts, which
are the majority, follow by subtraction.
"""

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.maths.compiled import part
from podium.maths.shoe import TEN, VALUES, Counts, best_total

# How the dealer's hand ends: 17 to 21, a bust that pays, a bust that pushes (MGB 6), a blackjack.
DEALER_17: Final = 0
BUST_PAYS: Final = 5
BUST_PUSHES: Final = 6
BLACKJACK: Final = 7
ENDS: Final = 8
_UNFINISHED: Final = 8

Multiset = tuple[int, ...]
"""Card values in ascending order, 0 for an ace."""


class DealerTable(NamedTuple):
    """The lines of the table, grouped by up card; `starts[up]` is the first line of that card."""

    starts: NDArray[np.int64]
    before: NDArray[np.uint32]
    """The line that this one adds a card to, numbered from 1 within the up card; 0 is the up card alone."""
    value: NDArray[np.uint32]
    held: NDArray[np.float64]
    """How many cards of this value that earlier line has."""
    drawn: NDArray[np.uint32]
    """How many cards that earlier line has."""
    orders: NDArray[np.float64]
    """In how many orders the dealer can draw these cards; 0 if the hand is only a prefix of others."""
    end: NDArray[np.uint32]
    rest: int
    """The end that gets the remaining probability: every bust that the table does not list."""


def _hands(up: int, hits_soft_17: bool) -> tuple[dict[Multiset, int], dict[Multiset, int]]:
    """The completed hands that did not bust and those that did, each with its number of orders."""
    drawing: dict[Multiset, int] = {(): 1}
    good: dict[Multiset, int] = {}
    bust: dict[Multiset, int] = {}
    while drawing:
        longer: dict[Multiset, int] = {}
        for hand, orders in drawing.items():
            for value in range(VALUES):
                drawn = tuple(sorted((*hand, value)))
                points, soft = best_total(card + 1 for card in (up, *drawn))
                complete = points > 17 or (points == 17 and not (soft and hits_soft_17))
                into = bust if points > 21 else good if complete else longer
                into[drawn] = into.get(drawn, 0) + orders
        drawing = longer
    return good, bust


def _end_of(up: int, drawn: Multiset, bust_pushes_from: int) -> int:
    points, _ = best_total(card + 1 for card in (up, *drawn))
    if points > 21:
        return BUST_PUSHES if bust_pushes_from and 1 + len(drawn) >= bust_pushes_from else BUST_PAYS
    if points == 21 and len(drawn) == 1:
        return BLACKJACK
    return DEALER_17 + points - 17


@lru_cache(maxsize=8)
def dealer_table(*, hits_soft_17: bool, bust_pushes_from: int) -> DealerTable:
    """The table for these rules. `bust_pushes_from` is the number of cards from which a bust pushes, 0 for never."""
    rest = BUST_PUSHES if bust_pushes_from else BUST_PAYS
    starts, lines = [0], []
    for up in range(VALUES):
        good, bust = _hands(up, hits_soft_17)
        listed = good | {hand: orders for hand, orders in bust.items() if _end_of(up, hand, bust_pushes_from) != rest}
        lines += _lines(up, listed, bust_pushes_from)
        starts.append(len(lines))
    before, value, held, drawn, orders, end = zip(*lines, strict=True)
    return DealerTable(
        np.array(starts, dtype=np.int64),
        np.array(before, dtype=np.uint32),
        np.array(value, dtype=np.uint32),
        np.array(held, dtype=np.float64),
        np.array(drawn, dtype=np.uint32),
        np.array(orders, dtype=np.float64),
        np.array(end, dtype=np.uint32),
        rest,
    )


def _lines(up: int, listed: dict[Multiset, int], bust_pushes_from: int) -> list[tuple[int, int, int, int, int, int]]:
    """A line for every listed hand and for every prefix of one, prefixes first."""
    beginnings = {hand[:length] for hand in listed for length in range(1, len(hand) + 1)}
    number = {hand: place for place, hand in enumerate(sorted(beginnings), start=1)}
    lines = []
    for hand in sorted(beginnings):
        earlier, value = hand[:-1], hand[-1]
        orders = listed.get(hand, 0)
        end = _end_of(up, hand, bust_pushes_from) if orders else _UNFINISHED
        lines.append((number.get(earlier, 0), value, earlier.count(value), len(earlier), orders, end))
    return lines


MAX_DEALER_CARDS: Final = 40
"""More than any dealer's hand can have."""


@part
def fill_lines(
    table: DealerTable,
    up: int,
    left: Counts,
    ends: NDArray[np.float64],
    chance: NDArray[np.float64],
    share: NDArray[np.float64],
) -> None:
    """Writes to `ends` the probability of each end of the dealer's hand, given the up card and the cards that are left.

    The last place of `ends`, `chance` (a number for each line of the table, and one more) and `share`
    (`MAX_DEALER_CARDS` numbers) are scratch space.
    """
    cards = 0
    for value in range(VALUES):
        cards += left[value]
    for drawn in range(MAX_DEALER_CARDS):
        share[drawn] = 1.0 / (cards - drawn) if cards > drawn else 0.0
    first = table.starts[up]
    for end in range(ENDS + 1):
        ends[end] = 0.0
    chance[0] = 1.0
    for line in range(first, table.starts[up + 1]):
        one_order = chance[table.before[line]] * (left[table.value[line]] - table.held[line]) * share[table.drawn[line]]
        chance[line - first + 1] = one_order
        ends[table.end[line]] += table.orders[line] * one_order
    listed = 0.0
    for end in range(ENDS):
        listed += ends[end]
    ends[table.rest] += max(0.0, 1.0 - listed)


# --- exact fractions -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def bust_distribution(decks: int, *, hits_soft_17: bool) -> dict[int, Fraction]:
    """The probability that the dealer busts with exactly that many cards, off the top of a fresh shoe.

    It holds for Buster whatever the players do: taking cards of unknown order out of the shoe changes no probability.
    """
    shoe = [4 * decks] * TEN + [16 * decks]
    cards = sum(shoe)
    found: dict[int, Fraction] = {}
    for up in range(VALUES):
        _, bust = _hands(up, hits_soft_17)
        for hand, orders in bust.items():
            ways, whole = orders, 1
            for place, value in enumerate((up, *hand)):
                ways *= max(0, shoe[value] - (up, *hand)[:place].count(value))
                whole *= cards - place
            found[1 + len(hand)] = found.get(1 + len(hand), Fraction()) + Fraction(ways, whole)
    return {number: chance for number, chance in sorted(found.items()) if chance}
