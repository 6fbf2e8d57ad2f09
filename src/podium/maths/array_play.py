"""Play or fold with nine cards in sight, for one array at a time: the exact decision of the best player, in machine code.

`three_card.best_play` counts how often each hand is played; this module decides a single array. A hand is played when the packets
that the dealer can hold from the 43 other cards are worth at least as much as their number (`three_card`). Their worth is that of
all packets minus those with a card in sight, by inclusion and exclusion over the nine cards. The tables are small, because all hands
below queen high do equally well against every packet. Most hands need no count: they are played or folded whatever the player sees,
or the number of idle cards in sight decides.
"""

from collections import defaultdict
from functools import cache, partial
from itertools import permutations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import cards
from podium.maths.compiled import in_python, part, unsigned
from podium.maths.nine_seen import FURTHER_CARDS
from podium.maths.shuffling import Cards
from podium.maths.three_card import PACKETS, WORTHS, HandPlay, best_play, showdowns

CARDS_IN_SIGHT: Final = 9
"""The cards of the array, all of them face up when TCP 7 asks for the decision."""

# What a strategy does with a hand.
FOLD: Final = 0
PLAY: Final = 1
LOOK: Final = 2
"""It depends on the cards in sight."""

MAX_WORTH: Final = max(WORTHS)
"""The most that a packet can be worth."""

Plan = NDArray[np.int8]
"""Fold, play or look, by the rank of the hand."""


class Sight(NamedTuple):
    """Tables for the hands whose play depends on the cards in sight. Hands that do equally well against every packet share a row."""

    row: NDArray[np.int64]
    """By the rank of the hand."""
    by_idle: NDArray[np.int8]
    """By the rank of the hand and the number of idle cards in sight: play, fold, or look further."""
    worth: NDArray[np.int16]
    """By row and the rank of the dealer's hand: what ante and play return."""
    every: NDArray[np.int64]
    """By row: the worth of all packets of the deck together."""
    ones: NDArray[np.int16]
    """By row and card: the worth of the packets with that card; 0 for an idle card."""
    twos: NDArray[np.int16]
    """By row and two cards: the worth of the packets with both."""


def blind() -> Sight:
    """For players who look at their own cards only."""
    none, table = np.zeros(0, np.int64), np.zeros((0, 0), np.int16)
    return Sight(none, np.zeros((0, 0), np.int8), table, none, table, np.zeros((0, 0, 0), np.int16))


SUITED: Final = 13 * 13 * 13
"""The index at which suited hands begin in `hand_places`."""


@cache
def hand_places() -> NDArray[np.int16]:
    """The rank of every hand by the ranks of its cards, followed by the same for suited hands; `place_of` looks it up."""
    table = showdowns()
    places = np.zeros((2, 13, 13, 13), np.int16)
    ranks, suits = table.packets // 4, table.packets % 4
    suited = (suits == suits[:, :1]).all(axis=1).astype(np.int64)
    for order in permutations(range(3)):
        places[suited, *ranks[:, order].T] = table.places
    return places.reshape(-1)


@part
def place_of(places: NDArray[np.int16], first: int, second: int, third: int) -> int:
    """The rank of three cards among all hands. A card's index is four times its rank plus its suit."""
    suited = int(((first ^ second) | (first ^ third)) & 3 == 0)
    return int(places[unsigned(SUITED * suited + ((first >> 2) * 13 + (second >> 2)) * 13 + (third >> 2))])


@cache
def best_plan() -> tuple[Plan, Sight]:
    """The best play with nine cards in sight."""
    worths, place = np.array(WORTHS, np.int16)[showdowns().kinds], partial(in_python(place_of), hand_places())
    by_place: defaultdict[int, list[HandPlay]] = defaultdict(list)
    for hand in best_play():
        by_place[place(*(card.index for card in cards(hand.cards)))].append(hand)
    plan = np.array([_whatever_is_seen(by_place[place]) for place in range(len(worths))], np.int8)
    looking = np.flatnonzero(plan == LOOK)
    worth, rows = np.unique(worths[looking], axis=0, return_inverse=True)
    row = np.zeros(len(plan), np.int64)
    row[looking] = rows
    by_idle = np.full((len(plan), CARDS_IN_SIGHT + 1), LOOK, np.int8)
    counted = [_counted(one) for one in worth]
    every, ones, twos = (
        np.array([of[some] for of in counted], kind) for some, kind in enumerate((np.int64, np.int16, np.int16))
    )
    for number in looking.tolist():
        by_idle[number] = _by_idle(by_place[number], ones[row[number]])
    return plan, Sight(row, by_idle, worth, every, ones, twos)


def _whatever_is_seen(hands: list[HandPlay]) -> int:
    """The play of all hands of one rank, which differ in suits only, if the cards in sight do not matter."""
    often = {hand.often for hand in hands}
    return PLAY if often == {1} else FOLD if often == {0} else LOOK


def _counted(worth: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """The worth of the packets of the whole deck: of all, of those with a given card, of those with two given cards."""
    table = showdowns()
    each = worth[table.places]
    ones, twos = np.zeros(52, np.int64), np.zeros((52, 52), np.int64)
    for a, b, _ in permutations(range(3)):
        np.add.at(twos, (table.packets[:, a], table.packets[:, b]), each)
    for a in range(3):
        np.add.at(ones, table.packets[:, a], each)
    return int(each.sum()), ones, twos


def _by_idle(hands: list[HandPlay], ones: NDArray[np.int64]) -> NDArray[np.int8]:
    """What the number of idle cards alone decides, the same for all suits of the hand."""
    found = np.full(CARDS_IN_SIGHT + 1, LOOK, np.int8)
    for idle in range(FURTHER_CARDS + 1):
        live = FURTHER_CARDS - idle
        shares = {(hand.sets_by_live[live], comb(49 - hand.idle, live)) for hand in hands}
        if all(hand.idle == np.count_nonzero(ones == 0) for hand in hands):
            found[idle] = PLAY if all(a == b for a, b in shares) else FOLD if all(a == 0 for a, _ in shares) else LOOK
    return found


@part
def plays_in_sight(sight: Sight, places: Any, dealt: Cards, first: int, own: int, live: Cards) -> bool:
    """Whether the best player plays a hand whose play depends on the nine cards from `first` on; `live` is scratch space for nine."""
    row = unsigned(sight.row[unsigned(own)])
    idle = 0
    for place in range(CARDS_IN_SIGHT):
        idle += sight.ones[row, unsigned(dealt[first + place])] == 0
    decided = sight.by_idle[unsigned(own), unsigned(idle)]
    if decided != LOOK:
        return decided == PLAY
    many = 0
    for place in range(CARDS_IN_SIGHT):
        card = dealt[first + place]
        live[unsigned(many)] = card
        many += sight.ones[row, unsigned(card)] > 0
    worth = sight.every[row]
    for x in range(many):
        worth -= sight.ones[row, unsigned(live[x])]
        for y in range(x):
            worth += sight.twos[row, unsigned(live[x]), unsigned(live[y])]
    # The triples that remain to be subtracted are worth between 0 and `at_most`, which usually settles the question.
    at_most = MAX_WORTH * (many * (many - 1) * (many - 2) // 6)
    if worth < PACKETS or worth - at_most >= PACKETS:
        return worth >= PACKETS
    for x in range(many):
        for y in range(x):
            for z in range(y):
                worth -= sight.worth[row, place_of(places, live[x], live[y], live[z])]
    return worth >= PACKETS
