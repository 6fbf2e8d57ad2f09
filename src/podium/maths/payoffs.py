"""What a finished hand comes to and what may be decided on it: asked of the same box and settlement that the table uses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from podium.asking import Decision
from podium.blackjack.box import Box, Hand
from podium.blackjack.dealers import DealersHand
from podium.blackjack.rules import BlackjackRules
from podium.blackjack.settlement import settle
from podium.cards import Card, card, cards
from podium.maths.dealer import BLACKJACK, BUST_PAYS, BUST_PUSHES, ENDS
from podium.maths.positions import BUST_ROW, ROWS, TWO_CARDS
from podium.maths.shoe import VALUES
from podium.refusal import Refused

WAGER = 1000
"""In minor units: large enough that no payment of any game is rounded, and a wager that every document allows."""

Payoffs = NDArray[np.float64]
"""By whether the hand was doubled, how it ended (the rows), how the dealer's hand ended: net, for each unit wagered."""

_ROWS = ("Td 6d", "Td 7d", "Td 8d", "Td 9d", "Td Qd", "7d 7h 7s", "Td 6d Qd")
_ENDS = ("Th 7h", "Th 8h", "Th 9h", "Th Qh", "7h 7d 7s", "Th 6h Qh", "", "Ah Kh")
_BUSTS = {0: "Th 2h 4h Qh", 4: "Th 2h 4h Qh", 5: "Th 2h 2d 2s Qh"}


def card_of(value: int) -> Card:
    return card("A23456789T"[value] + "d")


def _dealer(rules: BlackjackRules, end: int) -> DealersHand:
    """A hand of the dealer's that ended so."""
    if rules.bust_pushes_from not in _BUSTS:
        raise Refused(f"A dealer bust that pushes from {rules.bust_pushes_from} cards on is not computed: 4 and 5 are.")
    shown = _ENDS[end] if end != BUST_PUSHES else _BUSTS[rules.bust_pushes_from]
    return DealersHand(cards(shown), hits_soft_17=rules.dealer_hits_soft_17)


def _hand(row: int, *, stake: int, added: int) -> Hand:
    hand = Hand(stake, 0, from_split=True)
    for dealt in cards(_ROWS[row]):
        hand.take(dealt)
    hand.added = added
    hand.ended = "bust" if row == BUST_ROW else "stood"
    return hand


def payoffs(rules: BlackjackRules, *, later: bool, insured: bool) -> Payoffs:
    """What the player's first hand, or a later one of a split, comes to.

    Insurance itself is not in it, but what a tie of the first hand saves of it is.
    """
    table = np.zeros((2, ROWS, ENDS))
    for doubled in (0, 1):
        added = WAGER * rules.double_adds * doubled
        for row in range(ROWS):
            for end in range(ENDS):
                table[doubled, row, end] = _net(rules, row, end, added, later=later, insured=insured)
    return table


def _net(rules: BlackjackRules, row: int, end: int, added: int, *, later: bool, insured: bool) -> float:
    box = Box(rules, WAGER, 0)
    own = _hand(row, stake=WAGER + added, added=added + (WAGER if later else 0))
    box.hands = [_hand(BUST_ROW, stake=WAGER, added=0), own] if later else [own]
    box.insured, box.insurance = insured, WAGER // 2
    dealer = _dealer(rules, end)
    hands, wagers = settle(box, dealer)
    net = hands[-1].returned - own.stake
    if insured and not later and not dealer.blackjack:
        net += wagers[-1].returned  # SBJ 5.g: a tie brings the insurance back
    return net / WAGER


@dataclass(frozen=True)
class Special:
    """What a round comes to that ends without the player's hand being played."""

    blackjack: float
    blackjack_tied: float
    even_money: float
    surrendered: float
    surrendered_to_blackjack: float


def special(rules: BlackjackRules, *, insured: bool) -> Special:
    """As the settlement pays it, insurance included where there is one."""

    def net(ended: str, end: int) -> float:
        box = Box(rules, WAGER, 0)
        natural = ended in ("blackjack", "even-money")
        for dealt in cards("Ad Kd" if natural else "Td 6d"):
            box.hands[0].take(dealt)
        box.hands[0].ended = ended
        box.insured, box.insurance = insured, WAGER // 2
        hands, wagers = settle(box, _dealer(rules, end))
        insurance = wagers[-1].returned - box.insurance if insured else 0
        return (hands[0].returned - WAGER + insurance) / WAGER

    return Special(
        blackjack=net("blackjack", BUST_PAYS),
        blackjack_tied=net("blackjack", BLACKJACK),
        even_money=net("even-money", BUST_PAYS),
        surrendered=net("surrender", BUST_PAYS),
        surrendered_to_blackjack=net("surrender", BLACKJACK),
    )


# --- what may be decided ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Allowed:
    """What the rules allow, by pairs of card values."""

    first: dict[tuple[int, int], frozenset[str]]
    """On the two cards that were dealt."""
    doubles_after_split: frozenset[tuple[int, int]]
    """A split hand of (pair's value, next value) may double."""
    splits: tuple[int, ...]
    """By the value of the pair: how often it may be split."""
    insurance: bool
    even_money: bool


def allowed(rules: BlackjackRules) -> Allowed:
    """Asked of a box, position by position."""
    first = {}
    for pair in TWO_CARDS:
        box = Box(rules, WAGER, 0)
        box.start(card_of(pair[0]), card_of(pair[1]))
        box.advance()
        first[pair] = frozenset(box.question().allowed) if box.asks else frozenset()
    splits = tuple(_times(rules, value) for value in range(VALUES))
    doubles = {
        (value, second)
        for value in range(VALUES)
        for second in range(VALUES)
        if splits[value] and "double" in _after_split(rules, value, second)
    }
    natural = Box(rules, WAGER, 0)
    natural.start(card_of(0), card_of(9))
    natural.offer_early(card_of(0))
    early = natural.question().allowed if natural.early else {}
    return Allowed(first, frozenset(doubles), splits, "insure" in early, "even-money" in early)


def _times(rules: BlackjackRules, value: int) -> int:
    """How often a pair may be split when every card that comes is of its value."""
    box = Box(rules, WAGER, 0)
    box.start(card_of(value), card_of(value))
    times = 0
    while True:
        box.advance()
        if box.owed:
            box.take(card_of(value))
        elif box.asks and "split" in box.question().allowed:
            box.decide(Decision("split"), WAGER)
            times += 1
        else:
            return times


def _after_split(rules: BlackjackRules, value: int, second: int) -> frozenset[str]:
    """What may be decided on the first hand of a split with that second card."""
    box = Box(rules, WAGER, 0)
    box.start(card_of(value), card_of(value))
    box.decide(Decision("split"), WAGER)
    while box.owed:
        box.take(card_of(second))
    return frozenset(box.question().allowed) if box.asks and box.playing == 0 else frozenset()
