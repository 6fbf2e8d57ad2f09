"""Play or fold with nine cards in sight, round by round: the exact decision of the best player, in machine code.

`three_card.best_play` counts how often each hand is played; here one array lies on the table. A hand is played when the packets
that can be dealt from the 43 other cards are worth at least as much as there are of them (`three_card`). Their worth is that of
all packets less those that hold a card in sight, by inclusion and exclusion over the nine; the tables are small, because all hands
below queen high fare alike against every packet. Most hands need no count: they are played or folded whatever is seen, or what
they do follows from how many idle cards lie there.
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
from podium.maths.nine_seen import FURTHER
from podium.maths.shuffling import Cards
from podium.maths.three_card import PACKETS, WORTHS, HandPlay, best_play, showdowns

SEEN: Final = 9
"""The cards of the array, all face up when TCP 7 asks."""

# What a strategy does with a hand.
FOLD: Final = 0
PLAY: Final = 1
LOOK: Final = 2
"""It depends on the cards in sight."""

MOST: Final = max(WORTHS)
"""What a packet can be worth."""

Plan = NDArray[np.int8]
"""By the place of the hand in the order of hands: fold, play or look."""


class Sight(NamedTuple):
    """What is to be known of the hands that depend on what is seen. Hands that fare alike against every packet share a row."""

    row: NDArray[np.int64]
    """By the place of the hand."""
    by_idle: NDArray[np.int8]
    """By the place of the hand and the number of idle cards among the nine: what is done, or look further."""
    worth: NDArray[np.int16]
    """By row and the place of the dealer's hand: what playing brings back of ante and play."""
    every: NDArray[np.int64]
    """By row: what all packets of the deck are worth together."""
    ones: NDArray[np.int16]
    """By row and card: the packets that hold the card; nothing for an idle card."""
    twos: NDArray[np.int16]
    """By row and two cards: the packets that hold both."""


def blind() -> Sight:
    """For players who look at their own cards only."""
    none, table = np.zeros(0, np.int64), np.zeros((0, 0), np.int16)
    return Sight(none, np.zeros((0, 0), np.int8), table, none, table, np.zeros((0, 0, 0), np.int16))


SUITED: Final = 13 * 13 * 13
"""Where the hands of one suit begin among the places of hands."""


@cache
def hand_places() -> NDArray[np.int16]:
    """The places of all hands in the order of hands, by their ranks, and again for hands of one suit; `place_of` looks them up."""
    table = showdowns()
    places = np.zeros((2, 13, 13, 13), np.int16)
    ranks, suits = table.packets // 4, table.packets % 4
    suited = (suits == suits[:, :1]).all(axis=1).astype(np.int64)
    for order in permutations(range(3)):
        places[suited, *ranks[:, order].T] = table.places
    return places.reshape(-1)


@part
def place_of(places: NDArray[np.int16], first: int, second: int, third: int) -> int:
    """The place of three cards in the order of hands. A card's index is four times its rank and its suit."""
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
    by_idle = np.full((len(plan), SEEN + 1), LOOK, np.int8)
    counted = [_counted(one) for one in worth]
    every, ones, twos = (
        np.array([of[some] for of in counted], kind) for some, kind in enumerate((np.int64, np.int16, np.int16))
    )
    for number in looking.tolist():
        by_idle[number] = _by_idle(by_place[number], ones[row[number]])
    return plan, Sight(row, by_idle, worth, every, ones, twos)


def _whatever_is_seen(hands: list[HandPlay]) -> int:
    """Of all hands of one place, which differ in suits."""
    often = {hand.often for hand in hands}
    return PLAY if often == {1} else FOLD if often == {0} else LOOK


def _counted(worth: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """What the packets of the whole deck are worth: all of them, those with a card, those with two."""
    table = showdowns()
    each = worth[table.places]
    ones, twos = np.zeros(52, np.int64), np.zeros((52, 52), np.int64)
    for a, b, _ in permutations(range(3)):
        np.add.at(twos, (table.packets[:, a], table.packets[:, b]), each)
    for a in range(3):
        np.add.at(ones, table.packets[:, a], each)
    return int(each.sum()), ones, twos


def _by_idle(hands: list[HandPlay], ones: NDArray[np.int64]) -> NDArray[np.int8]:
    """What the number of idle cards decides by itself, for all suits of the hand alike."""
    found = np.full(SEEN + 1, LOOK, np.int8)
    for idle in range(FURTHER + 1):
        live = FURTHER - idle
        shares = {(hand.sets_by_live[live], comb(49 - hand.idle, live)) for hand in hands}
        if all(hand.idle == np.count_nonzero(ones == 0) for hand in hands):
            found[idle] = PLAY if all(a == b for a, b in shares) else FOLD if all(a == 0 for a, _ in shares) else LOOK
    return found


@part
def plays_in_sight(sight: Sight, places: Any, dealt: Cards, first: int, own: int, live: Cards) -> bool:
    """Whether the best player plays a hand that depends on what is seen: nine cards from the `first`; `live` is room for them."""
    row = unsigned(sight.row[unsigned(own)])
    idle = 0
    for place in range(SEEN):
        idle += sight.ones[row, unsigned(dealt[first + place])] == 0
    decided = sight.by_idle[unsigned(own), unsigned(idle)]
    if decided != LOOK:
        return decided == PLAY
    many = 0
    for place in range(SEEN):
        card = dealt[first + place]
        live[unsigned(many)] = card
        many += sight.ones[row, unsigned(card)] > 0
    worth = sight.every[row]
    for x in range(many):
        worth -= sight.ones[row, unsigned(live[x])]
        for y in range(x):
            worth += sight.twos[row, unsigned(live[x]), unsigned(live[y])]
    # What is still to be taken away is worth something between nothing and that much: mostly it makes no difference.
    at_most = MOST * (many * (many - 1) * (many - 2) // 6)
    if worth < PACKETS or worth - at_most >= PACKETS:
        return worth >= PACKETS
    for x in range(many):
        for y in range(x):
            for z in range(y):
                worth -= sight.worth[row, place_of(places, live[x], live[y], live[z])]
    return worth >= PACKETS
