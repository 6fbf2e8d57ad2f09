"""Rounds of Three Card Poker in machine code."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import DECK, Card
from podium.basics.hands import three_card_hand
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths.array_play import (
    CARDS_IN_SIGHT,
    FOLD,
    LOOK,
    PLAY,
    Plan,
    Sight,
    best_plan,
    blind,
    hand_places,
    place_of,
    plays_in_sight,
)
from podium.maths.blackjack_rounds import Nets, Sums, add_up
from podium.maths.compiled import compiled, part, unsigned
from podium.maths.shuffling import Cards, Stream, shuffle
from podium.maths.three_card import KINDS, net, showdowns
from podium.rules.bets import ANTE, ANTE_BONUS, PAIR_PLUS, SIX_CARD_BONUS, Bet
from podium.rules.bets.ante import qualifies
from podium.rules.placard import Offer
from podium.rules.seat import paid_by
from podium.rules.three_card import LINES, ThreeCardRules

CARDS_DEALT: Final = 12
"""Nine for the array and three for the dealer."""

OWN: Final = 6
"""The index of the player's own three cards, after the lines of the array."""

FOLDED: Final = len(KINDS)
"""The index after the kinds of showdown: the hand was folded."""

CATEGORIES: Final = (
    "other",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)

# Sets of ranks as bits, and the number of cards of each rank as octal digits.
ACE_LOW: Final = 0b1_0000_0000_1111
ROYAL: Final = 0b1_1111_0000_0000
FOURS: Final = 0o4444444444444
TWOS: Final = 0o2222222222222
ONES: Final = 0o1111111111111


class Poker(NamedTuple):
    """The game as tables; amounts are in minor units."""

    ante: int
    places: NDArray[np.int16]
    """The ranks of all hands, for `place_of`."""
    qualifies: int
    """The rank of the lowest hand with which the dealer qualifies."""
    fates: NDArray[np.int64]
    """By the kind of showdown: the net result of ante and play together."""
    plans: NDArray[np.int8]
    """By strategy and the rank of the hand: fold, play or look."""
    sight: Sight
    bonus: NDArray[np.int64]
    """By the rank of the hand: the ante bonus."""
    lines: NDArray[np.int64]
    """The locations of each line; the last row has the player's own."""
    pair_plus: NDArray[np.int64]
    """A row for each wager: the line that it lies on, then its net result by the rank of the hand."""
    six_card: NDArray[np.int64]
    """A row for each wager: the line that it lies on, then its net result by category."""


@lru_cache(maxsize=1)
def examples() -> tuple[tuple[Card, ...], ...]:
    """By the rank of a hand: three cards that make it."""
    table = showdowns()
    _, first = np.unique(table.places, return_index=True)
    return tuple(tuple(DECK[index] for index in table.packets[place]) for place in first)


def poker_plan(strategy: str) -> Plan:
    """What a strategy does with each hand."""
    match strategy:
        case "best":
            return best_plan()[0]
        case "timeout":
            plays = [False for _ in examples()]
        case "mimic-dealer":
            plays = [qualifies(three_card_hand(three)) for three in examples()]
        case _:
            plays = [True for _ in examples()]
    return np.where(plays, PLAY, FOLD).astype(np.int8)


def poker(
    rules: ThreeCardRules,
    offers: Mapping[str, Offer],
    amounts: Mapping[str, int],
    plans: list[Plan],
    spots: tuple[int, ...],
) -> Poker:
    """Prepares the tables for these wagers; `amounts` has the ante, then Pair Plus, then the 6 Card Bonus."""
    for wager in amounts:
        if (bet := offers[wager].bet) not in (ANTE, PAIR_PLUS, SIX_CARD_BONUS):
            raise Refused("not-simulated-poker", wager=wager, clause=bet.clause)
    ante = amounts[ANTE.name]
    paid = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
    bonuses = [ANTE_BONUS.line(paid, ANTE_BONUS.of(*three)) for three in examples()]
    lines = [*LINES.values(), spots]
    looks = any(bool(np.any(plan == LOOK)) for plan in plans)
    return Poker(
        ante=ante,
        places=hand_places(),
        qualifies=[qualifies(three_card_hand(three)) for three in examples()].index(True),
        fates=np.array([net(kind) * ante for kind in KINDS], dtype=np.int64),
        plans=np.array(plans),
        sight=best_plan()[1] if looks else blind(),
        bonus=np.array([paid[line].on(ante) if line else 0 for line in bonuses], dtype=np.int64),
        lines=np.array(lines, dtype=np.int64) - 1,
        pair_plus=_side(offers, amounts, PAIR_PLUS, len(bonuses) + 1),
        six_card=_side(offers, amounts, SIX_CARD_BONUS, len(CATEGORIES) + 1),
    )


def _side(offers: Mapping[str, Offer], amounts: Mapping[str, int], bet: Bet, width: int) -> NDArray[np.int64]:
    rows = []
    for wager, stake in amounts.items():
        offer = offers[wager]
        if offer.bet is not bet:
            continue
        if bet is PAIR_PLUS:
            outcomes = [bet.of(*three) for three in examples()]
        else:
            outcomes = [None if category == "other" else category for category in CATEGORIES]
        odds = [paid_by(offer, outcome) for outcome in outcomes]
        line = list(LINES).index(offer.line) if offer.line else OWN
        rows.append([line, *(-stake if paid is None else paid.on(stake) for paid in odds)])
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


# --- one round ------------------------------------------------------------------------------------------------------------


@part
def best_five(six: Cards) -> int:
    """The category of the best five among six cards, as an index of `CATEGORIES`."""
    suits = held = counts = np.int64(0)
    for place in range(6):
        rank, suit = six[place] // 4, six[place] % 4
        suits |= np.int64(1) << (16 * suit + rank)
        held += np.int64(1) << (4 * suit)
        counts += np.int64(1) << (3 * rank)
    flush, ranks = np.int64(0), np.int64(0)
    for suit in range(4):
        of_suit = (suits >> (16 * suit)) & 0x1FFF
        ranks |= of_suit
        if (held >> (4 * suit)) & 15 >= 5:
            flush = of_suit
    if straight(flush):
        return 7 if flush & ROYAL == ROYAL else 6
    if counts & FOURS:
        return 5
    several = counts & TWOS  # ranks with two or three cards
    trips = (several >> 1) & counts & ONES
    if trips and several & (several - 1):
        return 4
    if flush:
        return 3
    if straight(ranks):
        return 2
    return 1 if trips else 0


@part
def straight(ranks: Any) -> bool:
    """Whether the ranks contain a straight."""
    run = ranks & (ranks >> 1)
    return (run & (run >> 2) & (ranks >> 4)) != 0 or ranks & ACE_LOW == ACE_LOW


@part
def three_at(poker: Poker, dealt: Cards, spots: NDArray[np.int64]) -> int:
    """The rank of the hand that three locations of the array make."""
    return place_of(poker.places, dealt[spots[0]], dealt[spots[1]], dealt[spots[2]])


@part
def showdown_kind(poker: Poker, own: int, dealers: int) -> int:
    """The kind of showdown as an index of `KINDS` (TCP 9). Arithmetic, because a branch would be unpredictable."""
    unqualified = int(dealers < poker.qualifies)
    return 3 * unqualified + (1 - unqualified) * (2 * (own > dealers) + (own == dealers))


@part
def ante_net(poker: Poker, strategy: int, dealt: Cards, spots: NDArray[np.int64], room: Cards) -> int:
    """The net result of ante, play and ante bonus."""
    own = three_at(poker, dealt, spots)
    plan = poker.plans[strategy, own]
    if plan == LOOK:
        plan = PLAY if plays_in_sight(poker.sight, poker.places, dealt, 0, own, room) else FOLD
    if plan == FOLD:
        return -poker.ante
    dealers = place_of(poker.places, dealt[CARDS_IN_SIGHT], dealt[CARDS_IN_SIGHT + 1], dealt[CARDS_IN_SIGHT + 2])
    return poker.fates[showdown_kind(poker, own, dealers)] + poker.bonus[own]


@part
def side_nets(poker: Poker, dealt: Cards, spots: NDArray[np.int64], room: Cards, nets: NDArray[np.int64]) -> None:
    """Fills in the net results of the other wagers of a player with these spots."""
    wager = 1
    for row in range(len(poker.pair_plus)):
        line = poker.pair_plus[row, 0]
        three = three_at(poker, dealt, spots if line == OWN else poker.lines[line])
        nets[wager] = poker.pair_plus[row, 1 + three]
        wager += 1
    for row in range(len(poker.six_card)):
        line = poker.six_card[row, 0]
        of_line = spots if line == OWN else poker.lines[line]
        for place in range(3):
            room[place] = dealt[of_line[place]]
            room[3 + place] = dealt[CARDS_IN_SIGHT + place]
        nets[wager] = poker.six_card[row, 1 + best_five(room)]
        wager += 1


@part
def play_poker(poker: Poker, dealt: Cards, room: Cards, nets: Nets) -> None:
    """Plays one round for one player of each strategy, from twelve cards; `room` is scratch space for nine."""
    for strategy in range(len(nets)):
        nets[strategy, 0] = ante_net(poker, strategy, dealt, poker.lines[OWN], room)
        side_nets(poker, dealt, poker.lines[OWN], room, nets[strategy])


@compiled
def poker_block(state: Stream, poker: Poker, many: NDArray[np.int64], cards: Cards, rounds: int, sums: Sums) -> None:
    """Plays rounds, each from a freshly shuffled deck."""
    nets = np.zeros((len(many), len(sums)), dtype=np.int64)
    room = np.zeros(CARDS_IN_SIGHT, dtype=np.int64)
    for _ in range(rounds):
        shuffle(state, cards, 52, CARDS_DEALT)
        play_poker(poker, cards, room, nets)
        add_up(nets, many, sums)


@compiled
def ante_block(state: Stream, poker: Poker, cards: Cards, rounds: int, counts: NDArray[np.int64]) -> None:
    """Plays rounds for the ante alone and one strategy, counting how often each hand met each kind of showdown.

    The dealer's cards come first, then the player's own; the six others are dealt only if the player looks at them. The hands are
    always compared, because that is cheaper than an unpredictable branch.
    """
    room = np.zeros(CARDS_IN_SIGHT, dtype=np.int64)
    for _ in range(rounds):
        shuffle(state, cards, 52, 6)
        dealers = place_of(poker.places, cards[0], cards[1], cards[2])
        own = place_of(poker.places, cards[3], cards[4], cards[5])
        plan = poker.plans[0, unsigned(own)]
        if plan == LOOK:
            shuffle(state, cards, 52, CARDS_DEALT, 6)
            plan = PLAY if plays_in_sight(poker.sight, poker.places, cards, 3, own, room) else FOLD
        kind = showdown_kind(poker, own, dealers)
        counts[unsigned(kind if plan == PLAY else FOLDED), unsigned(own)] += 1


def ante_nets(poker: Poker) -> NDArray[np.int64]:
    """The net result that each count of `ante_block` stands for."""
    played = poker.fates[:, np.newaxis] + poker.bonus
    return np.concatenate([played, np.full((1, len(poker.bonus)), -poker.ante)])


english(
    "refused",
    {"not-simulated-poker": "The simulation of Three Card Poker does not play {wager:wager} ({clause}). Leave it out."},
)
