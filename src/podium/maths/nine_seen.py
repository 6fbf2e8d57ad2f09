"""Play or fold with all nine cards of the array in sight: the exact optimum, for every hand and every six further cards.

A hand of three leaves C(49, 6) = 13,983,816 sets of six further cards that the player sees, and each set leaves the dealer
C(43, 3) = 12,341 hands. Those hands are never enumerated. For a set S of seen cards, inclusion and exclusion give the number of
dealer hands of some kind without a card of S:

    all - sum over a in S of with(a) + sum over pairs of with(a, b) - sum over triples of with(a, b, c)

so adding a card to S changes the number by a sum of table entries, and nested loops carry these sums along. A card whose dealer
hands all beat the player (an ace or king, for a player with queen high) never changes the number. Such cards are `idle`; only their
number among the six matters.

The four kinds of showdown are counted in one integer: bits 0 to 19 hold the dealer hands that do not qualify, bits 20 to
39 those that the player beats, and the bits from 40 on the worth of playing, so that one comparison decides.
"""

from typing import Any, Final

import numpy as np

from podium.maths.compiled import compiled

FURTHER_CARDS: Final = 6
"""The cards of the array that are not the player's own, all in sight."""

FIELD_BITS: Final = 20
WORTH_SHIFT_BITS: Final = 2 * FIELD_BITS
MASK: Final = (1 << FIELD_BITS) - 1


def packed(worth: int, *, qualified: bool, won: bool) -> int:
    """A dealer hand packed into an integer; `worth` is what ante and play return against it."""
    return (worth << WORTH_SHIFT_BITS) + (int(won) << FIELD_BITS) + int(not qualified)


@compiled
def _tables(hand: Any, places: Any, kinds: Any, packs: Any) -> Any:
    """Packed counts for the 49 cards that the hand leaves: of all dealer hands, and of those with a card, two cards, three cards."""
    left = np.empty(49, np.int64)
    n = 0
    for card in range(52):
        if card != hand[0] and card != hand[1] and card != hand[2]:
            left[n] = card
            n += 1
    ones, twos, threes = np.zeros(49, np.int64), np.zeros((49, 49), np.int64), np.zeros((49, 49, 49), np.int64)
    every = np.int64(0)
    kind = kinds[places[hand[0], hand[1], hand[2]]]
    for a in range(49):
        for b in range(a + 1, 49):
            for c in range(b + 1, 49):
                pack = packs[kind[places[left[a], left[b], left[c]]]]
                every += pack
                for x, y, z in ((a, b, c), (b, c, a), (c, a, b)):
                    ones[x] += pack
                    twos[x, y] += pack
                    twos[y, x] += pack
                    threes[x, y, z] = pack
                    threes[x, z, y] = pack
    return every, ones, twos, threes


@compiled
def _tally(value: Any, least: Any, tallies: Any) -> None:
    """Counts a set of seen cards if the hand is played with it."""
    if value >= least:
        tallies[0] += 1
        tallies[1] += value & MASK
        tallies[2] += (value >> FIELD_BITS) & MASK
        tallies[3] += value >> WORTH_SHIFT_BITS


@compiled
def _add_card(card: Any, g: Any, h: Any, threes: Any, new_g: Any, new_h: Any) -> None:
    """Updates `g` and `h` for one more chosen card, for the cards that may follow it."""
    n = len(g)
    for e in range(card + 1, n):
        new_g[e] = g[e] + h[card, e]
        for f in range(e + 1, n):
            new_h[e, f] = h[e, f] - threes[card, e, f]


@compiled
def _last_two(value: Any, least: Any, d: Any, g: Any, h: Any, three: Any, fives: Any, sixes: Any) -> None:
    """Counts all sets that begin with four given cards, the last of which is `d`."""
    n = len(g)
    for e in range(d + 1, n):
        with_five = value + g[e]
        _tally(with_five, least, fives)
        played, together = np.int64(0), np.int64(0)
        for f in range(e + 1, n):
            with_six = with_five + g[f] + h[e, f] - three[e, f]
            plays = with_six >= least
            played += plays
            together += with_six if plays else 0
        # At most 49 counts of at most 18,424 each were added, so no field has overflowed into the next.
        sixes[0] += played
        sixes[1] += together & MASK
        sixes[2] += (together >> FIELD_BITS) & MASK
        sixes[3] += together >> WORTH_SHIFT_BITS


@compiled
def _every_set(every: Any, ones: Any, twos: Any, threes: Any, least: Any, tallies: Any) -> None:
    """Tallies the sets of 0 to 6 of these cards by their size.

    `g[f]` is what adding f to the chosen cards changes, and `h[e, f]` what adding e changes in `g[f]`.
    """
    n = len(ones)
    g1, g2, g3, g4 = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    h1, h2, h3 = np.empty((n, n), np.int64), np.empty((n, n), np.int64), np.empty((n, n), np.int64)
    _tally(every, least, tallies[0])
    for a in range(n):
        one = every - ones[a]
        _tally(one, least, tallies[1])
        _add_card(a, -ones, twos, threes, g1, h1)
        for b in range(a + 1, n):
            two = one + g1[b]
            _tally(two, least, tallies[2])
            _add_card(b, g1, h1, threes, g2, h2)
            for c in range(b + 1, n):
                three = two + g2[c]
                _tally(three, least, tallies[3])
                _add_card(c, g2, h2, threes, g3, h3)
                for d in range(c + 1, n):
                    four = three + g3[d]
                    _tally(four, least, tallies[4])
                    for f in range(d + 1, n):
                        g4[f] = g3[f] + h3[d, f]
                    _last_two(four, least, d, g4, h3, threes[d], tallies[5], tallies[6])


@compiled
def tally_hand(hand: Any, places: Any, kinds: Any, packs: Any, least: Any) -> Any:
    """By the number of live cards among the six: the sets with which the hand is played and, summed over them, the dealer hands
    that do not qualify, those that lose, and the worth of playing. Also returns the number of idle cards.

    `places` is the rank of three cards among all hands, `kinds` the kind of showdown between two ranks, and `packs` the packed
    count of a kind. A hand is played when playing is worth at least `least`, which is what folding saves.
    """
    every, ones, twos, threes = _tables(hand, places, kinds, packs)
    live = np.nonzero(ones)[0]
    n = len(live)
    some_ones, some_twos, some_threes = np.empty(n, np.int64), np.empty((n, n), np.int64), np.empty((n, n, n), np.int64)
    for x in range(n):
        some_ones[x] = ones[live[x]]
        for y in range(n):
            some_twos[x, y] = twos[live[x], live[y]]
            for z in range(n):
                some_threes[x, y, z] = threes[live[x], live[y], live[z]]
    tallies = np.zeros((FURTHER_CARDS + 1, 4), np.int64)
    _every_set(every, some_ones, some_twos, some_threes, least << WORTH_SHIFT_BITS, tallies)
    return tallies, 49 - n
