"""A box in machine code: one player's hands played by a policy and settled, as `podium.rules.blackjack` does it.

It repeats the readable engine for speed; tests/maths/test_simulation_is_the_engine.py proves that both settle alike.
"""

from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import DECK
from podium.maths.compiled import part
from podium.maths.payoffs import allowed
from podium.maths.positions import (
    DOUBLE,
    EVEN_MONEY,
    HIT,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    Hands,
    Policy,
    all_hands,
    hand_of,
)
from podium.maths.shoe import ACE, TEN, VALUES
from podium.rules.bets import BLACKJACK
from podium.rules.blackjack.rules import BlackjackRules

VALUE_OF: Final = np.array([card.points - 1 for card in DECK], dtype=np.int64)
"""By the index of a card: its value, where 0 is an ace and 9 counts ten."""

# How a hand ended.
PLAYING: Final = 0
STOOD: Final = 1
BUST: Final = 2
NATURAL: Final = 3
EVENED: Final = 4
SURRENDERED: Final = 5

# The columns of a box.
HAND: Final = 0
HELD: Final = 1
STAKE: Final = 2
ADDED: Final = 3
DOUBLED: Final = 4
ENDED: Final = 5
COLUMNS: Final = 6

MAX_HANDS: Final = 5

ALWAYS: Final = 0
NEVER: Final = 1
IF_NOT_INSURED: Final = 2
PUSH_INSURANCE: Final = 3
_STANDOFF: Final = ("always", "never", "if-not-insured", "always-and-push-insurance")
_SURRENDER: Final = ("off", "on", "not-against-blackjack")

Box = NDArray[np.int64]
Values = NDArray[Any]
"""The values of the cards of a shoe, in the order of dealing."""


class Terms(NamedTuple):
    """The rules of a box as integers; amounts are in minor units."""

    wager: int
    double: int
    insurance: int
    """0 if it is not offered."""
    even_money: int
    hits_soft_17: int
    splits: int
    resplit_aces: int
    at_once: int
    surrender: int
    takes_all: int
    standoff: int
    bust_pushes_from: int
    natural_pays: int
    natural_per: int
    twenty_one_pays: int
    twenty_one_per: int
    win_pays: int
    win_per: int


class PlayTables(NamedTuple):
    """The tables that a box reads: the hands, what may be doubled, and the policies of the strategies."""

    after: NDArray[np.int64]
    points: NDArray[np.int64]
    pairs: NDArray[np.int64]
    """By value: the hand of two cards of it."""
    may_double: NDArray[np.bool_]
    """By whether the hand comes from a split, and by hand."""
    early: NDArray[np.int8]
    """This and the next three: by strategy, then as in `Policy`."""
    first: NDArray[np.int8]
    split: NDArray[np.int8]
    limit: NDArray[np.int8]


def terms(rules: BlackjackRules, wager: int) -> Terms:
    table = rules.main_paytable
    natural, win = table["blackjack"], table["win"]
    twenty_one = table[BLACKJACK.line(table, "21") or "win"]
    half = wager // 2 if rules.insurance else 0
    return Terms(
        wager=wager,
        double=wager * rules.double_adds,
        insurance=half if half >= max(1, rules.insurance_least) else 0,
        even_money=int(rules.even_money),
        hits_soft_17=int(rules.dealer_hits_soft_17),
        splits=rules.max_splits if rules.split == "on" else 0,
        resplit_aces=int(rules.resplit_aces),
        at_once=int(rules.split_draw == "at-once"),
        surrender=_SURRENDER.index(rules.surrender),
        takes_all=int(rules.dealer_blackjack_takes == "all"),
        standoff=_STANDOFF.index(rules.keep_standoff_bet),
        bust_pushes_from=rules.bust_pushes_from,
        natural_pays=natural.pays,
        natural_per=natural.per,
        twenty_one_pays=twenty_one.pays,
        twenty_one_per=twenty_one.per,
        win_pays=win.pays,
        win_per=win.per,
    )


def play_tables(rules: BlackjackRules, policies: list[Policy]) -> PlayTables:
    hands: Hands = all_hands()
    permitted = allowed(rules)
    may_double = np.zeros((2, len(hands.cards)), dtype=np.bool_)
    for pair, choices in permitted.first.items():
        may_double[0, hand_of(*pair)] = "double" in choices
    for pair in permitted.doubles_after_split:
        may_double[1, hand_of(*pair)] = True
    return PlayTables(
        after=hands.after,
        points=hands.points,
        pairs=np.array([hand_of(value, value) for value in range(VALUES)]),
        may_double=may_double,
        early=np.array([policy.early for policy in policies]),
        first=np.array([policy.first for policy in policies]),
        split=np.array([policy.split for policy in policies]),
        limit=np.array([policy.limit for policy in policies]),
    )


def unrounded(rules: BlackjackRules, wager: int) -> bool:
    """Whether no payment on this wager is rounded down, so that it is paid as in the exact analysis."""
    odds = [*rules.main_paytable.values()]
    return wager % 2 == 0 and all(Fraction(wager * line.pays, line.per).denominator == 1 for line in odds)


# --- playing ------------------------------------------------------------------------------------------------------------


@part
def may_split(terms: Terms, tables: PlayTables, box: Box, count: int, index: int, pair: int) -> bool:
    if count > terms.splits or box[index, HAND] != tables.pairs[pair]:
        return False
    return count == 1 or pair != ACE or terms.resplit_aces != 0


@part
def take(terms: Terms, tables: PlayTables, box: Box, count: int, index: int, pair: int, value: int) -> None:
    """Gives a card to a hand of the box."""
    hand = tables.after[box[index, HAND], value]
    box[index, HELD] += 1
    if hand < 0:
        box[index, ENDED] = BUST
        return
    box[index, HAND] = hand
    if box[index, DOUBLED] != 0 or tables.points[hand] == 21:
        box[index, ENDED] = STOOD
    elif count > 1 and pair == ACE and box[index, HELD] == 2 and not may_split(terms, tables, box, count, index, pair):
        box[index, ENDED] = STOOD  # SBJ 5.d.ii: a split ace gets one card


@part
def choice(
    terms: Terms, tables: PlayTables, strategy: int, box: Box, count: int, index: int, up: int, pair: int, insured: int
) -> int:
    """The decision of the policy on the hand in play; a hit where the rules do not allow it."""
    hand = box[index, HAND]
    if count == 1:
        action = tables.first[strategy, insured, up, hand]
        two = box[index, HELD] == 2
        if action == SURRENDER:
            return SURRENDER if two and terms.surrender != 0 else HIT
        if action == SPLIT:
            allowed = pair >= 0 and two and may_split(terms, tables, box, count, index, pair)
            return SPLIT if allowed and tables.limit[strategy, insured, up, pair] > 0 else HIT
    else:
        if (
            box[index, HELD] == 2
            and count - 1 < tables.limit[strategy, insured, up, pair]
            and may_split(terms, tables, box, count, index, pair)
        ):
            return SPLIT
        if pair == ACE:
            return STAND
        action = tables.split[strategy, insured, 1 if index > 0 else 0, up, pair, hand]
        if action in (SPLIT, SURRENDER):
            return HIT
    if action == DOUBLE and not (box[index, HELD] == 2 and tables.may_double[0 if count == 1 else 1, hand]):
        return HIT
    return action


@part
def split_hand(terms: Terms, tables: PlayTables, box: Box, count: int, index: int, pair: int) -> None:
    """Splits a hand: the second card starts a hand of its own, directly after the one that it came from."""
    for later in range(count, index + 1, -1):
        for column in range(COLUMNS):
            box[later, column] = box[later - 1, column]
    single = tables.after[0, pair]
    box[index, HAND] = box[index + 1, HAND] = single
    box[index, HELD] = box[index + 1, HELD] = 1
    box[index + 1, STAKE] = box[index + 1, ADDED] = terms.wager
    box[index + 1, DOUBLED] = 0
    box[index + 1, ENDED] = PLAYING


@part
def play_hands(
    terms: Terms, tables: PlayTables, strategy: int, box: Box, values: Values, at: int, up: int, pair: int, insured: int
) -> tuple[int, int]:
    """Plays the hands of a box from its first two cards. Returns the number of hands and the place of the next card."""
    count, index = 1, 0
    while index < count:
        if box[index, ENDED] != PLAYING:
            index += 1
            continue
        if box[index, HELD] == 1:
            take(terms, tables, box, count, index, pair, values[at])
            at += 1
            continue
        action = choice(terms, tables, strategy, box, count, index, up, pair, insured)
        if action == STAND:
            box[index, ENDED] = STOOD
        elif action == SURRENDER:
            box[index, ENDED] = SURRENDERED
        elif action == SPLIT:
            split_hand(terms, tables, box, count, index, pair)
            count += 1
            if terms.at_once != 0:  # DLB 5.d: one card is added to each new hand
                take(terms, tables, box, count, index, pair, values[at])
                take(terms, tables, box, count, index + 1, pair, values[at + 1])
                at += 2
        else:
            if action == DOUBLE:
                box[index, STAKE] += terms.double
                box[index, ADDED] += terms.double
                box[index, DOUBLED] = 1
            take(terms, tables, box, count, index, pair, values[at])
            at += 1
    return count, at


@part
def start(terms: Terms, tables: PlayTables, strategy: int, box: Box, first: int, second: int, up: int) -> int:
    """Takes the first two cards and decides on insurance and even money. Returns whether the player is insured."""
    hand = tables.after[tables.after[0, first], second]
    box[0, HAND] = hand
    box[0, HELD] = 2
    box[0, STAKE] = terms.wager
    box[0, ADDED] = 0
    box[0, DOUBLED] = 0
    natural = tables.points[hand] == 21
    box[0, ENDED] = NATURAL if natural else PLAYING
    if up != ACE:
        return 0
    early = tables.early[strategy, hand]
    if early == EVEN_MONEY and natural and terms.even_money != 0:
        box[0, ENDED] = EVENED
    return 1 if early == INSURE and terms.insurance > 0 else 0


# --- the dealer and settlement --------------------------------------------------------------------------------------------


@part
def dealers_hand(terms: Terms, values: Values, at: int, up: int, second: Any) -> tuple[int, int, int]:
    """Completes the dealer's hand. Returns its total, the number of its cards and the place of the next card."""
    hard = up + second + 2
    ace = up == ACE or second == ACE
    held = 2
    while True:
        soft = ace and hard <= 11
        points = hard + 10 if soft else hard
        if points > 17 or (points == 17 and not (soft and terms.hits_soft_17 != 0)):
            return points, held, at
        value = values[at]
        at += 1
        hard += value + 1
        ace = ace or value == ACE
        held += 1


@part
def makes_blackjack(up: Any, second: Any) -> bool:
    return (up == ACE and second == TEN) or (up == TEN and second == ACE)


@part
def hand_returns(
    terms: Terms, tables: PlayTables, box: Box, index: int, insured: int, points: int, held: int, blackjack: bool
) -> int:
    """What a hand returns, the stake included."""
    ended, stake = box[index, ENDED], box[index, STAKE]
    if ended == BUST:
        return 0
    if ended == SURRENDERED:
        return 0 if blackjack and terms.surrender == 2 else stake // 2
    if ended == EVENED:
        return 2 * stake
    if ended == NATURAL:
        if not blackjack:
            return stake + stake * terms.natural_pays // terms.natural_per
        return stake if keeps_ties(terms, insured) else 0
    if blackjack:
        return 0 if terms.takes_all != 0 else box[index, ADDED]
    total = tables.points[box[index, HAND]]
    if points > 21:
        if terms.bust_pushes_from != 0 and held >= terms.bust_pushes_from:
            return stake
    elif total == points:
        return stake if keeps_ties(terms, insured) else 0
    elif total < points:
        return 0
    if total == 21:
        return stake + stake * terms.twenty_one_pays // terms.twenty_one_per
    return stake + stake * terms.win_pays // terms.win_per


@part
def keeps_ties(terms: Terms, insured: int) -> bool:
    if terms.standoff == NEVER:
        return False
    return not (terms.standoff == IF_NOT_INSURED and insured != 0)


@part
def insurance_returns(terms: Terms, tables: PlayTables, box: Box, points: int, blackjack: bool) -> int:
    """What an insurance wager returns, the stake included."""
    if terms.standoff == PUSH_INSURANCE:
        natural = box[0, ENDED] == NATURAL
        if natural and blackjack:
            return terms.insurance
        stood = box[0, ENDED] == STOOD
        if stood and not blackjack and points <= 21 and tables.points[box[0, HAND]] == points:
            return terms.insurance
    return 3 * terms.insurance if blackjack else 0


@part
def net_of(
    terms: Terms, tables: PlayTables, box: Box, count: int, insured: int, points: int, held: int, blackjack: bool
) -> int:
    """The net result of a box, insurance included."""
    net = 0
    for index in range(count):
        net += hand_returns(terms, tables, box, index, insured, points, held, blackjack) - box[index, STAKE]
    if insured != 0:
        net += insurance_returns(terms, tables, box, points, blackjack) - terms.insurance
    return net
