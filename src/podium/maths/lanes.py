"""The fast simulation of the main wager of community blackjack: several shoes side by side through the automaton.

Each table look-up depends on the one before, but look-ups of different shoes are independent, so four blocks are played in turns, one
card each. Every block has its own random stream and shoe, and its result is exactly that of the general kernels.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.maths.automaton import ROW_WIDTH
from podium.maths.blackjack_rounds import SPARE_CARDS, needs_dealer
from podium.maths.boxes import (
    ADDED,
    COLUMNS,
    DOUBLED,
    ENDED,
    HAND,
    HELD,
    MAX_HANDS,
    PLAYING,
    STAKE,
    Box,
    PlayTables,
    Terms,
    Values,
    dealers_hand,
    makes_blackjack,
    net_of,
    play_hands,
)
from podium.maths.compiled import compiled, part
from podium.maths.shuffling import Stream, shuffle

LANES: Final = 4
"""The number of shoes side by side."""

AT, STATE, ROUNDS = 0, 1, 2
"""The columns of the lanes: the place of the next card, the state, the rounds played."""

Table = NDArray[np.uint16]
Lane = NDArray[np.int64]
Lanes = NDArray[np.int64]
Counts = NDArray[np.uint64]
Sums = NDArray[np.float64]


class Marks(NamedTuple):
    """The first state that ends a round, the first that splits a pair, and the pairs that are split."""

    ended: int
    splits: int
    pairs: NDArray[np.int64]


@part
def split_round(
    terms: Terms, tables: PlayTables, box: Box, values: Values, at: int, pair: NDArray[np.int64], sums: Sums
) -> int:
    """Plays a round on from a pair that is split, the next card being at `at`. Returns the place after its last card."""
    up, value, insured = pair[0], pair[1], pair[2]
    box[0, HAND] = tables.pairs[value]
    box[0, HELD] = 2
    box[0, STAKE] = terms.wager
    box[0, ADDED] = box[0, DOUBLED] = 0
    box[0, ENDED] = PLAYING
    count, at = play_hands(terms, tables, 0, box, values, at, up, value, insured)
    need = needs_dealer(terms, box, count, insured, up)
    points, held, blackjack = 0, 0, False
    if need > 0:
        dealers = np.int64(values[at])
        at += 1
        blackjack = makes_blackjack(up, dealers)
        if need == 2:
            points, held, at = dealers_hand(terms, values, at, up, dealers)
    net = float(net_of(terms, tables, box, count, insured, points, held, blackjack))
    sums[0] += net
    sums[1] += net * net
    return at


@part
def shuffle_lane(stream: Stream, values: Values, needed: int) -> None:
    size = len(values) - SPARE_CARDS
    shuffle(stream, values, size, needed)
    for place in range(SPARE_CARDS):
        values[size + place] = values[place]


@part
def deal_on(
    terms: Terms,
    tables: PlayTables,
    table: Table,
    marks: Marks,
    box: Box,
    values: Values,
    lane: Lane,
    cut: int,
    most: int,
    counts: Counts,
    sums: Sums,
) -> None:
    """Deals from one lane alone until the current round is over and the cut card is out, or `most` rounds are played."""
    at, state, rounds = lane[AT], lane[STATE], lane[ROUNDS]
    while True:
        if state >= marks.splits:
            at = split_round(terms, tables, box, values, at, marks.pairs[state - marks.splits], sums)
            rounds += 1
            state = marks.ended
        if state >= marks.ended and (at >= cut or rounds == most):
            break
        state = np.int64(table[state * ROW_WIDTH + values[at]])
        at += 1
        counts[state] += 1
        if marks.ended <= state < marks.splits:
            rounds += 1
    lane[AT], lane[STATE], lane[ROUNDS] = at, state, rounds


@part
def deal_together(
    table: Table, splits: int, ended: int, shoes: Values, lanes: Lanes, steps: int, counts: Counts
) -> None:
    """Deals a card to each lane in turn, `steps` times or until a lane reaches a pair that is split."""
    first_split, first_end, shift, one = np.uint64(splits), np.uint64(ended), np.uint64(4), np.uint64(1)
    values_0, values_1, values_2, values_3 = shoes[0], shoes[1], shoes[2], shoes[3]
    at_0, at_1, at_2, at_3 = (
        np.uint64(lanes[0, AT]),
        np.uint64(lanes[1, AT]),
        np.uint64(lanes[2, AT]),
        np.uint64(lanes[3, AT]),
    )
    state_0, state_1, state_2, state_3 = (
        np.uint64(lanes[0, STATE]),
        np.uint64(lanes[1, STATE]),
        np.uint64(lanes[2, STATE]),
        np.uint64(lanes[3, STATE]),
    )
    rounds_0 = rounds_1 = rounds_2 = rounds_3 = np.uint64(0)
    for _ in range(steps):
        state_0 = np.uint64(table[(state_0 << shift) | np.uint64(values_0[at_0])])
        state_1 = np.uint64(table[(state_1 << shift) | np.uint64(values_1[at_1])])
        state_2 = np.uint64(table[(state_2 << shift) | np.uint64(values_2[at_2])])
        state_3 = np.uint64(table[(state_3 << shift) | np.uint64(values_3[at_3])])
        at_0, at_1, at_2, at_3 = at_0 + one, at_1 + one, at_2 + one, at_3 + one
        counts[state_0] += one
        counts[state_1] += one
        counts[state_2] += one
        counts[state_3] += one
        rounds_0 += np.uint64(state_0 >= first_end)
        rounds_1 += np.uint64(state_1 >= first_end)
        rounds_2 += np.uint64(state_2 >= first_end)
        rounds_3 += np.uint64(state_3 >= first_end)
        if max(state_0, state_1, state_2, state_3) >= first_split:
            break
    lanes[0, AT], lanes[1, AT], lanes[2, AT], lanes[3, AT] = at_0, at_1, at_2, at_3
    lanes[0, STATE], lanes[1, STATE], lanes[2, STATE], lanes[3, STATE] = state_0, state_1, state_2, state_3
    lanes[0, ROUNDS] += rounds_0
    lanes[1, ROUNDS] += rounds_1
    lanes[2, ROUNDS] += rounds_2
    lanes[3, ROUNDS] += rounds_3


@part
def leave_splits(
    terms: Terms, tables: PlayTables, marks: Marks, box: Box, shoes: Values, lanes: Lanes, sums: Sums
) -> None:
    """Plays out the pairs that lanes have reached; these states are already counted as rounds."""
    for lane in range(LANES):
        if lanes[lane, STATE] >= marks.splits:
            pair = marks.pairs[lanes[lane, STATE] - marks.splits]
            lanes[lane, AT] = split_round(terms, tables, box, shoes[lane], lanes[lane, AT], pair, sums)
            lanes[lane, STATE] = marks.ended


@compiled
def four_blocks(
    streams: Stream,
    terms: Terms,
    tables: PlayTables,
    table: Table,
    marks: Marks,
    shoes: Values,
    cut: int,
    needed: int,
    rounds: NDArray[np.int64],
    counts: Counts,
    sums: Sums,
) -> None:
    """Plays four blocks. `counts` gets how often each state was reached, `sums` the results of rounds with splits."""
    box = np.zeros((MAX_HANDS + 1, COLUMNS), dtype=np.int64)
    lanes = np.zeros((LANES, 3), dtype=np.int64)
    in_a_shoe = cut // 3 + 2  # a round has at least three cards
    while np.min(rounds - lanes[:, ROUNDS]) > in_a_shoe:
        for lane in range(LANES):
            shuffle_lane(streams[lane], shoes[lane], needed)
            lanes[lane, AT], lanes[lane, STATE] = 0, marks.ended
        while np.max(lanes[:, AT]) < cut:
            deal_together(table, marks.splits, marks.ended, shoes, lanes, cut - int(np.max(lanes[:, AT])), counts)
            leave_splits(terms, tables, marks, box, shoes, lanes, sums)
        for lane in range(LANES):
            deal_on(terms, tables, table, marks, box, shoes[lane], lanes[lane], cut, rounds[lane], counts, sums)
    for lane in range(LANES):
        while lanes[lane, ROUNDS] < rounds[lane]:
            shuffle_lane(streams[lane], shoes[lane], needed)
            lanes[lane, AT], lanes[lane, STATE] = 0, marks.ended
            deal_on(terms, tables, table, marks, box, shoes[lane], lanes[lane], cut, rounds[lane], counts, sums)
