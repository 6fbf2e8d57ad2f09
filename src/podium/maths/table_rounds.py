"""Blocks of rounds in machine code that keep what every player won in each round, instead of the sums of each wager.

They use the kernels of the simulation: the same stream and the same shoe give the same rounds.
"""

import numpy as np
from numpy.typing import NDArray

from podium.maths.array_play import CARDS_IN_SIGHT
from podium.maths.blackjack_rounds import SPARE_CARDS, SideBets, community_round, new_shoe, own_hands_round
from podium.maths.boxes import COLUMNS, MAX_HANDS, PlayTables, Terms
from podium.maths.compiled import compiled, part
from podium.maths.poker_rounds import CARDS_DEALT, Poker, ante_net, side_nets
from podium.maths.shuffling import Cards, Stream, shuffle

Results = NDArray[np.int64]
"""By round and party (or seat): what one player won with all wagers together."""
Multiples = NDArray[np.int64]
"""By party (or seat) and wager: the stake as a multiple of the amount that the kernels play for."""


@part
def keep(nets: NDArray[np.int64], multiples: Multiples, results: Results, place: int) -> None:
    for row in range(nets.shape[0]):
        won = 0
        for wager in range(nets.shape[1]):
            won += nets[row, wager] * multiples[row, wager]
        results[place, row] = won


@compiled
def community_results(
    state: Stream,
    terms: Terms,
    tables: PlayTables,
    sides: SideBets,
    multiples: Multiples,
    cards: Cards,
    cut: int,
    needed: int,
    results: Results,
) -> None:
    """Plays rounds of community blackjack for one player of each strategy."""
    rounds, parties = results.shape
    boxes = np.zeros((parties, MAX_HANDS + 1, COLUMNS), dtype=np.int64)
    nets = np.zeros((parties, 1 + len(sides.early)), dtype=np.int64)
    values = np.empty(len(cards), dtype=np.int64)
    at = len(cards) - SPARE_CARDS
    for place in range(rounds):
        if at >= cut:
            new_shoe(state, cards, values, needed)
            at = 0
        at = community_round(terms, tables, sides, cards, values, at, boxes, nets)
        keep(nets, multiples, results, place)


@compiled
def own_hands_results(
    state: Stream,
    terms: Terms,
    tables: PlayTables,
    sides: SideBets,
    strategies: NDArray[np.int64],
    multiples: Multiples,
    cards: Cards,
    cut: int,
    needed: int,
    results: Results,
) -> None:
    """Plays rounds of blackjack with own hands, a seat for each of these strategies."""
    rounds, seats = results.shape
    boxes = np.zeros((seats, MAX_HANDS + 1, COLUMNS), dtype=np.int64)
    nets = np.zeros((seats, 1 + len(sides.early) + len(sides.buster)), dtype=np.int64)
    counts = np.zeros((seats, 2), dtype=np.int64)
    values = np.empty(len(cards), dtype=np.int64)
    at = len(cards) - SPARE_CARDS
    for place in range(rounds):
        if at >= cut:
            new_shoe(state, cards, values, needed)
            at = 0
        at = own_hands_round(terms, tables, sides, strategies, cards, values, at, boxes, counts, nets)
        keep(nets, multiples, results, place)


@compiled
def poker_results(
    state: Stream, poker: Poker, spots: NDArray[np.int64], multiples: Multiples, cards: Cards, results: Results
) -> None:
    """Plays rounds of Three Card Poker; party n follows strategy n and has chosen row n of `spots`."""
    nets = np.zeros((len(spots), 1 + len(poker.pair_plus) + len(poker.six_card)), dtype=np.int64)
    room = np.zeros(CARDS_IN_SIGHT, dtype=np.int64)
    for place in range(len(results)):
        shuffle(state, cards, 52, CARDS_DEALT)
        for party in range(len(spots)):
            nets[party, 0] = ante_net(poker, party, cards, spots[party], room)
            side_nets(poker, cards, spots[party], room, nets[party])
        keep(nets, multiples, results, place)
