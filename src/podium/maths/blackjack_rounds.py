"""Rounds of blackjack in machine code: community cards, own hands, and blocks of rounds from real shoes."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths.boxes import (
    COLUMNS,
    ENDED,
    MAX_HANDS,
    NATURAL,
    STOOD,
    SURRENDERED,
    VALUE_OF,
    Box,
    PlayTables,
    Terms,
    Values,
    dealers_hand,
    makes_blackjack,
    net_of,
    play_hands,
    start,
)
from podium.maths.compiled import compiled, part
from podium.maths.shoe import ACE, TEN
from podium.maths.shuffling import Cards, Stream, shuffle
from podium.rules.bets import BUSTER, Bet, Sees
from podium.rules.placard import Offer
from podium.rules.seat import paid_by

Nets = NDArray[np.int64]
Sums = NDArray[np.float64]

MAX_BUST_CARDS: Final = 12
"""Every Buster paytable pays a bust with this many cards or more alike."""

SPARE_CARDS: Final = 128
"""Cards from the front of the shoe that a round continues with when the shoe runs out, as with shuffled discards."""


class SideBets(NamedTuple):
    """The net results of side bets: by bet and the first three cards, and by bet and the number of cards of a dealer's bust."""

    early: NDArray[np.int64]
    buster: NDArray[np.int64]
    """The first column is for a dealer's hand that did not bust."""


def side_bets(offers: Mapping[str, Offer], amounts: Mapping[str, int]) -> SideBets:
    """Fills the tables with the outcome functions of the bets: bets on the first cards, then Buster."""
    for wager in amounts:
        bet = offers[wager].bet
        if bet.sees not in (Sees.FIRST_TWO, Sees.FIRST_THREE) and bet is not BUSTER:
            raise Refused("not-simulated-blackjack", wager=wager, clause=bet.clause)
    early = [_early(offers[wager], stake) for wager, stake in amounts.items() if offers[wager].bet is not BUSTER]
    buster = [_buster(offers[wager], stake) for wager, stake in amounts.items() if offers[wager].bet is BUSTER]
    return SideBets(
        np.array(early, dtype=np.int64).reshape(len(early), 52 * 52 * 52),
        np.array(buster, dtype=np.int64).reshape(len(buster), MAX_BUST_CARDS + 1),
    )


def _net(offer: Offer, outcome: str | None, stake: int) -> int:
    odds = paid_by(offer, outcome)
    return -stake if odds is None else odds.on(stake)


def _early(offer: Offer, stake: int) -> NDArray[np.int64]:
    nets = np.array([_net(offer, outcome, stake) for outcome in (None, *offer.bet.outcomes)], dtype=np.int64)
    return nets[_sights(offer.bet)]


@cache
def _sights(bet: Bet) -> NDArray[np.int8]:
    """The number of the outcome, 0 for none, by first card, second card and the dealer's. The first two have no order."""
    place = {outcome: number for number, outcome in enumerate((None, *bet.outcomes))}
    table = np.empty((52, 52, 52), dtype=np.int8)
    for first, second in product(DECK, DECK):
        if second.index < first.index:
            table[first.index, second.index] = table[second.index, first.index]
        elif bet.sees is Sees.FIRST_TWO:
            table[first.index, second.index] = place[bet.of(first, second)]
        else:
            table[first.index, second.index] = [place[bet.of(first, second, dealers)] for dealers in DECK]
    return table.reshape(-1)


def _buster(offer: Offer, stake: int) -> list[int]:
    nets = [_net(offer, offer.bet.of(held, 22), stake) for held in range(3, MAX_BUST_CARDS + 1)]
    return [-stake, -stake, -stake, *nets]


@part
def needs_dealer(terms: Terms, box: Box, count: int, insured: int, up: int) -> int:
    """How much of the dealer's hand a box needs: 2 for the whole hand, 1 for the second card, 0 for nothing (SBJ 9.c, 9.d)."""
    second = insured != 0
    for index in range(count):
        ended = box[index, ENDED]
        if ended == STOOD:
            return 2
        second = second or ended == NATURAL or (ended == SURRENDERED and terms.surrender == 2)
    return 1 if second and up in (ACE, TEN) else 0


@part
def early_bets(sides: SideBets, first: int, second: int, dealers: int, net: Nets) -> None:
    for bet in range(len(sides.early)):
        net[1 + bet] = sides.early[bet, (first * 52 + second) * 52 + dealers]


@compiled
def community_round(
    terms: Terms, tables: PlayTables, sides: SideBets, cards: Cards, values: Values, at: int, boxes: Box, nets: Nets
) -> int:
    """Plays one round for one player of each strategy. Fills in the net result of each wager and returns the place of the next card."""
    first, up, second = values[at], values[at + 1], values[at + 2]
    pair = first if first == second else -1
    furthest = at + 3
    for strategy in range(len(nets)):
        box = boxes[strategy]
        insured = start(terms, tables, strategy, box, first, second, up)
        count, place = play_hands(terms, tables, strategy, box, values, at + 3, up, pair, insured)
        need = needs_dealer(terms, box, count, insured, up)
        points, held, blackjack = 0, 0, False
        if need > 0:
            dealers = values[place]
            place += 1
            blackjack = makes_blackjack(up, dealers)
            if need == 2:
                points, held, place = dealers_hand(terms, values, place, up, dealers)
        furthest = max(furthest, place)
        nets[strategy, 0] = net_of(terms, tables, box, count, insured, points, held, blackjack)
        early_bets(sides, cards[at], cards[at + 2], cards[at + 1], nets[strategy])
    return furthest


@compiled
def own_hands_round(
    terms: Terms,
    tables: PlayTables,
    sides: SideBets,
    strategies: NDArray[np.int64],
    cards: Cards,
    values: Values,
    at: int,
    boxes: Box,
    counts: NDArray[np.int64],
    nets: Nets,
) -> int:
    """Plays one round with a hole card, a seat for each strategy. `counts` is scratch space for hands and insurance."""
    seats = len(strategies)
    up = values[at + seats]
    hole = values[at + 2 * seats + 1]
    blackjack = makes_blackjack(up, hole)
    place = at + 2 * seats + 2
    standing = False
    for seat in range(seats):
        first, second = values[at + seat], values[at + seats + 1 + seat]
        box, strategy = boxes[seat], strategies[seat]
        counts[seat, 1] = start(terms, tables, strategy, box, first, second, up)
        counts[seat, 0] = 1
        early_bets(sides, cards[at + seat], cards[at + seats + 1 + seat], cards[at + seats], nets[seat])
        if blackjack:
            continue
        pair = first if first == second else -1
        counts[seat, 0], place = play_hands(terms, tables, strategy, box, values, place, up, pair, counts[seat, 1])
        for index in range(counts[seat, 0]):
            standing = standing or box[index, ENDED] == STOOD
    points, held = 0, 2
    if not blackjack and (standing or len(sides.buster) > 0):  # MGB NOTE: Buster completes the hand
        points, held, place = dealers_hand(terms, values, place, up, hole)
    for seat in range(seats):
        count, insured = counts[seat, 0], counts[seat, 1]
        nets[seat, 0] = net_of(terms, tables, boxes[seat], count, insured, points, held, blackjack)
        for bet in range(len(sides.buster)):
            column = min(held, MAX_BUST_CARDS) if points > 21 else 0
            nets[seat, 1 + len(sides.early) + bet] = sides.buster[bet, column]
    return place


# --- blocks ---------------------------------------------------------------------------------------------------------------


@part
def add_up(nets: Nets, many: NDArray[np.int64], sums: Sums) -> None:
    """Adds a round to the sums of each wager: of results, of their squares, and of the squares of the table's results."""
    for wager in range(nets.shape[1]):
        table = 0.0
        for row in range(nets.shape[0]):
            net = float(nets[row, wager])
            table += many[row] * net
            sums[wager, 1] += many[row] * net * net
        sums[wager, 0] += table
        sums[wager, 2] += table * table


@compiled
def new_shoe(state: Stream, cards: Cards, values: Values, needed: int) -> None:
    """Shuffles the cards and looks up their values."""
    size = len(cards) - SPARE_CARDS
    shuffle(state, cards, size, needed)
    for place in range(SPARE_CARDS):
        cards[size + place] = cards[place]
    for place in range(len(cards)):
        values[place] = VALUE_OF[cards[place]]


@compiled
def community_block(
    state: Stream,
    terms: Terms,
    tables: PlayTables,
    sides: SideBets,
    many: NDArray[np.int64],
    cards: Cards,
    cut: int,
    needed: int,
    rounds: int,
    sums: Sums,
) -> None:
    """Plays rounds with `many` players of each strategy. The shoe is shuffled when the cut card, at `cut`, is reached."""
    size = len(cards) - SPARE_CARDS
    boxes = np.zeros((len(many), MAX_HANDS + 1, COLUMNS), dtype=np.int64)
    nets = np.zeros((len(many), len(sums)), dtype=np.int64)
    values = np.empty(len(cards), dtype=np.int64)
    at = size
    for _ in range(rounds):
        if at >= cut:
            new_shoe(state, cards, values, needed)
            at = 0
        at = community_round(terms, tables, sides, cards, values, at, boxes, nets)
        add_up(nets, many, sums)


@compiled
def own_hands_block(
    state: Stream,
    terms: Terms,
    tables: PlayTables,
    sides: SideBets,
    strategies: NDArray[np.int64],
    cards: Cards,
    cut: int,
    needed: int,
    rounds: int,
    sums: Sums,
) -> None:
    """Plays rounds of seats that follow these strategies."""
    size = len(cards) - SPARE_CARDS
    seats = len(strategies)
    boxes = np.zeros((seats, MAX_HANDS + 1, COLUMNS), dtype=np.int64)
    nets = np.zeros((seats, len(sums)), dtype=np.int64)
    counts = np.zeros((seats, 2), dtype=np.int64)
    many = np.ones(seats, dtype=np.int64)
    values = np.empty(len(cards), dtype=np.int64)
    at = size
    for _ in range(rounds):
        if at >= cut:
            new_shoe(state, cards, values, needed)
            at = 0
        at = own_hands_round(terms, tables, sides, strategies, cards, values, at, boxes, counts, nets)
        add_up(nets, many, sums)


english(
    "refused",
    {
        "not-simulated-blackjack": (
            "The simulation of blackjack does not play {wager:wager} ({clause}): it sees the first cards and the dealer's bust. "
            "Leave it out."
        ),
    },
)
