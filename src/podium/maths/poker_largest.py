"""The largest payout of a round of Three Card Poker, over every hand against every dealer's packet."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.maths.array_play import place_of
from podium.maths.compiled import compiled
from podium.maths.largest import Largest
from podium.maths.patrons import Patrons
from podium.maths.poker_rounds import OWN, Poker, best_five, showdown_kind
from podium.rules.three_card import LINES

Weights = NDArray[np.int64]


class Triple(NamedTuple):
    """Three locations and the wagers on them: what they win by the rank of the hand or the category of the six cards."""

    antes: int
    """The antes of players who chose them, as multiples of the common amount."""
    pair_plus: NDArray[np.int64]
    six_card: NDArray[np.int64]


def largest_of_poker(patrons: Patrons, tables: Poker) -> Largest:
    triples = _triples(patrons, tables)
    most = _most_of_packets(
        tables,
        np.array([triple.antes for triple in triples.values()]),
        np.array([triple.pair_plus for triple in triples.values()]),
        np.array([triple.six_card for triple in triples.values()]),
        len(tables.six_card) > 0,
        _packets(),
    )
    if len(triples) == 1:
        return Largest(
            int(most),
            True,
            "Every hand against every packet of the dealer's was looked at, up to an exchange of suits.",
        )
    how = (
        f"Wagers lie on {len(triples)} different choices of three locations: the best hand on each of them against the same packet of "
        "the dealer's. The house cannot lose more, whether or not one array holds all these hands."
    )
    return Largest(int(most), False, how)


def _triples(patrons: Patrons, tables: Poker) -> dict[frozenset[int], Triple]:
    """The wagers by location: own wagers lie on the chosen locations, line wagers on the lines."""
    hands, categories = tables.pair_plus.shape[1] - 1, tables.six_card.shape[1] - 1
    lines = list(LINES.values())
    found: dict[frozenset[int], Triple] = {}

    def lay(spots: tuple[int, ...], antes: int, pair_plus: Weights | int = 0, six_card: Weights | int = 0) -> None:
        blank = Triple(0, np.zeros(hands, dtype=np.int64), np.zeros(categories, dtype=np.int64))
        was = found.get(frozenset(spots), blank)
        found[frozenset(spots)] = Triple(was.antes + antes, was.pair_plus + pair_plus, was.six_card + six_card)

    for party, multiples in zip(patrons.parties, patrons.multiples.tolist(), strict=True):
        ante, *others = (party.players * times for times in multiples)
        lay(party.spots, ante)
        for row, times in zip([*tables.pair_plus, *tables.six_card], others, strict=True):
            spots = party.spots if row[0] == OWN else lines[row[0]]
            if times == 0:
                continue
            if len(row) > categories + 1:
                lay(spots, 0, pair_plus=times * row[1:])
            else:
                lay(spots, 0, six_card=times * row[1:])
    return found


def _packets() -> NDArray[np.int64]:
    """The dealer's packets; of those that differ only by an exchange of suits, mostly one."""
    seen = {}
    for three in combinations(range(52), 3):
        suits = list(dict.fromkeys(card % 4 for card in three))
        seen[tuple(card // 4 * 4 + suits.index(card % 4) for card in three)] = three
    return np.array(list(seen.values()), dtype=np.int64)


@compiled
def _most_of_packets(
    poker: Poker,
    players: NDArray[np.int64],
    pair_plus: NDArray[np.int64],
    six_card: NDArray[np.int64],
    sixes: bool,
    packets: NDArray[np.int64],
) -> int:
    """The largest sum, over the dealer's packets, of the best result on each triple of locations."""
    six = np.zeros(6, dtype=np.int64)
    best = np.zeros(len(players), dtype=np.int64)
    most = -(2**62)
    for packet in packets:
        six[3:] = packet
        dealers = place_of(poker.places, packet[0], packet[1], packet[2])
        best[:] = -(2**62)
        for a in range(52):
            for b in range(a):
                for c in range(b):
                    if a in packet or b in packet or c in packet:
                        continue
                    own = place_of(poker.places, a, b, c)
                    category = 0
                    if sixes:
                        six[0], six[1], six[2] = a, b, c
                        category = best_five(six)
                    main = max(-poker.ante, poker.fates[showdown_kind(poker, own, dealers)] + poker.bonus[own])
                    for triple in range(len(players)):
                        won = players[triple] * main + pair_plus[triple, own] + six_card[triple, category]
                        best[triple] = max(best[triple], won)
        most = max(most, best.sum())
    return most
