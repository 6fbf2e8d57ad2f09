"""Rounds of Three Card Poker in machine code."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.bets import ANTE, ANTE_BONUS, PAIR_PLUS, PLAY, SIX_CARD_BONUS, Bet
from podium.bets.ante import qualifies, showdown
from podium.cards import DECK, cards
from podium.hands import ThreeCardHand, three_card_hand
from podium.maths.blackjack_rounds import Nets, Sums, add_up
from podium.maths.compiled import compiled
from podium.maths.shuffling import Cards, Stream, shuffle
from podium.placard import Offer
from podium.seat import paid_by
from podium.threecard import LINES, ThreeCardRules

CARDS: Final = 12
"""Nine in the array and three of the dealer's."""

OWN: Final = 6
"""The place of the player's own three cards among the lines of the array."""

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


class Poker(NamedTuple):
    """The game as tables; amounts in minor units."""

    ante: int
    strength: NDArray[np.int16]
    """By three cards: the place of the hand in the order of hands."""
    fate: NDArray[np.int64]
    """By the places of the player's hand and the dealer's: what ante and play come to together."""
    plays: NDArray[np.bool_]
    """By strategy and the place of the hand: whether it is played."""
    bonus: NDArray[np.int64]
    """By the place of the hand: the ante bonus."""
    lines: NDArray[np.int64]
    """The locations of every line, and in the last row the player's own."""
    pair_plus: NDArray[np.int64]
    """A row for each wager: the line that it lies on and then, by the place of the hand, what it comes to."""
    six_card: NDArray[np.int64]
    """A row for each wager: the line that it lies on and then, by category, what it comes to."""


@lru_cache(maxsize=1)
def hand_order() -> tuple[tuple[ThreeCardHand, ...], NDArray[np.int16]]:
    """Every three-card hand in order, and by three cards its place."""
    hands = {three: three_card_hand([DECK[index] for index in three]) for three in combinations(range(52), 3)}
    order = sorted(set(hands.values()))
    place = {hand: number for number, hand in enumerate(order)}
    strength = np.zeros((52, 52, 52), dtype=np.int16)
    for three, hand in hands.items():
        for some in permutations(three):
            strength[some] = place[hand]
    return tuple(order), strength


@lru_cache(maxsize=1)
def _examples() -> tuple[tuple[int, ...], ...]:
    """By the place of a hand: three cards that make it."""
    _, strength = hand_order()
    examples: dict[int, tuple[int, ...]] = {}
    for three in combinations(range(52), 3):
        examples.setdefault(int(strength[three]), three)
    return tuple(examples[place] for place in range(len(examples)))


_OUTCOMES: Final = (None, *ANTE.outcomes)


@lru_cache(maxsize=1)
def _showdowns() -> NDArray[np.int8]:
    """By the places of the player's hand and the dealer's: how they compare."""
    order, _ = hand_order()
    return np.array([[_OUTCOMES.index(showdown(own, dealers)) for dealers in order] for own in order], dtype=np.int8)


def poker_policy(strategy: str) -> NDArray[np.bool_]:
    """Which hands a strategy plays, by their places."""
    order, _ = hand_order()
    match strategy:
        case "best":
            least = three_card_hand(cards("Qd 6h 4s"))
            return np.array([hand >= least for hand in order])
        case "timeout":
            return np.zeros(len(order), dtype=np.bool_)
        case "mimic-dealer":
            return np.array([qualifies(hand) for hand in order])
    return np.ones(len(order), dtype=np.bool_)


def poker(
    rules: ThreeCardRules,
    offers: Mapping[str, Offer],
    amounts: Mapping[str, int],
    policies: list[NDArray[np.bool_]],
    spots: tuple[int, ...],
) -> Poker:
    """The game with these wagers; `amounts` has the ante, and side bets in the order pair plus, six card bonus."""
    order, strength = hand_order()
    ante = amounts[ANTE.name]
    paid = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
    fates = np.array([_fate(outcome, ante) for outcome in _OUTCOMES])
    bonuses = [ANTE_BONUS.line(paid, ANTE_BONUS.of(*(DECK[index] for index in three))) for three in _examples()]
    lines = [*LINES.values(), spots]
    return Poker(
        ante=ante,
        strength=strength.reshape(-1),
        fate=fates[_showdowns()],
        plays=np.array(policies),
        bonus=np.array([paid[line].on(ante) if line else 0 for line in bonuses], dtype=np.int64),
        lines=np.array(lines, dtype=np.int64) - 1,
        pair_plus=_side(offers, amounts, PAIR_PLUS, len(order) + 1),
        six_card=_side(offers, amounts, SIX_CARD_BONUS, len(CATEGORIES) + 1),
    )


def _fate(outcome: str | None, ante: int) -> int:
    """TCP 9: an outcome that a paytable lists is paid, another is pushed, and none at all loses."""
    if outcome is None:
        return -2 * ante
    return sum(bet.paytables["A"][outcome].on(ante) for bet in (ANTE, PLAY) if outcome in bet.paytables["A"])


def _side(offers: Mapping[str, Offer], amounts: Mapping[str, int], bet: Bet, width: int) -> NDArray[np.int64]:
    rows = []
    for wager, stake in amounts.items():
        offer = offers[wager]
        if offer.bet is not bet:
            continue
        if bet is PAIR_PLUS:
            outcomes = [bet.of(*(DECK[index] for index in three)) for three in _examples()]
        else:
            outcomes = [None if category == "other" else category for category in CATEGORIES]
        odds = [paid_by(offer, outcome) for outcome in outcomes]
        line = list(LINES).index(offer.line) if offer.line else OWN
        rows.append([line, *(-stake if paid is None else paid.on(stake) for paid in odds)])
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


@compiled
def best_five(six: Cards) -> int:
    """The category of the best five among six cards, by its place in `CATEGORIES`."""
    suits = np.zeros(4, dtype=np.int64)
    held = np.zeros(4, dtype=np.int64)
    counts = np.zeros(13, dtype=np.int64)
    for card in six:
        suits[card % 4] |= 1 << (card // 4)
        held[card % 4] += 1
        counts[card // 4] += 1
    flush = np.int64(0)
    for suit in range(4):
        if held[suit] >= 5:
            flush = suits[suit]
    if flush != 0:
        top = straight(flush)
        if top > 0:
            return 7 if top == 14 else 6
    most = next_most = np.int64(0)
    for count in counts:
        if count > most:
            most, next_most = count, most
        elif count > next_most:
            next_most = count
    if most == 4:
        return 5
    if most == 3 and next_most >= 2:
        return 4
    if flush != 0:
        return 3
    if straight(suits[0] | suits[1] | suits[2] | suits[3]) > 0:
        return 2
    return 1 if most == 3 else 0


@compiled
def straight(ranks: Any) -> int:
    """The highest rank of the best straight within a set of ranks, or 0."""
    for low in range(8, -1, -1):
        if (ranks >> low) & 31 == 31:
            return low + 6
    return 5 if ranks & 0b1_0000_0000_1111 == 0b1_0000_0000_1111 else 0


@compiled
def three_at(poker: Poker, dealt: Cards, line: int) -> int:
    """The strength of three cards of the array."""
    spots = poker.lines[line]
    return poker.strength[(dealt[spots[0]] * 52 + dealt[spots[1]]) * 52 + dealt[spots[2]]]


@compiled
def poker_round(poker: Poker, dealt: Cards, six: Cards, nets: Nets) -> None:
    """One round for one player of every strategy, from twelve cards; `six` is room for the Six Card Bonus."""
    own = three_at(poker, dealt, OWN)
    dealers = poker.strength[(dealt[9] * 52 + dealt[10]) * 52 + dealt[11]]
    for strategy in range(len(nets)):
        if poker.plays[strategy, own]:
            nets[strategy, 0] = poker.fate[own, dealers] + poker.bonus[own]
        else:
            nets[strategy, 0] = -poker.ante
        wager = 1
        for row in range(len(poker.pair_plus)):
            nets[strategy, wager] = poker.pair_plus[row, 1 + three_at(poker, dealt, poker.pair_plus[row, 0])]
            wager += 1
        for row in range(len(poker.six_card)):
            spots = poker.lines[poker.six_card[row, 0]]
            for place in range(3):
                six[place] = dealt[spots[place]]
                six[3 + place] = dealt[9 + place]
            nets[strategy, wager] = poker.six_card[row, 1 + best_five(six)]
            wager += 1


@compiled
def poker_block(state: Stream, poker: Poker, many: NDArray[np.int64], cards: Cards, rounds: int, sums: Sums) -> None:
    """So many rounds, the deck shuffled for each of them."""
    nets = np.zeros((len(many), len(sums)), dtype=np.int64)
    six = np.zeros(6, dtype=np.int64)
    for _ in range(rounds):
        shuffle(state, cards, 52, CARDS)
        poker_round(poker, cards, six, nets)
        add_up(nets, many, sums)
