"""What finished hands pay and which decisions are allowed, taken from the same box and settlement that the table uses."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from podium.basics.cards import Card, card, cards
from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.maths.dealer import BLACKJACK, BUST_PAYS, BUST_PUSHES, ENDS
from podium.maths.positions import BUST_ROW, ROWS, TWO_CARDS
from podium.maths.shoe import VALUES
from podium.rules.asking import Decision
from podium.rules.blackjack.box import Box, Hand
from podium.rules.blackjack.dealers import DealersHand
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.blackjack.settlement import settle

SAMPLE_WAGER = 1000
"""In minor units. Large enough that no payment of any game is rounded, and allowed by every document."""

Floats = NDArray[np.float64]
Whose = Literal["player", "dealer, never added to", "dealer, always added to"]
"""The player's own wager, or one for the dealer to which the player adds nothing or all that is allowed (SBJ 5.c.viii, 5.d.vi)."""

_ROWS = ("Td 6d", "Td 7d", "Td 8d", "Td 9d", "Td Qd", "7d 7h 7s", "Td 6d Qd")
_ENDS = ("Th 7h", "Th 8h", "Th 9h", "Th Qh", "7h 7d 7s", "Th 6h Qh", "", "Ah Kh")
_BUSTS = {0: "Th 2h 4h Qh", 4: "Th 2h 4h Qh", 5: "Th 2h 2d 2s Qh"}


def card_of(value: int) -> Card:
    return card("A23456789T"[value] + "d")


def _dealer(rules: BlackjackRules, end: int) -> DealersHand:
    """A sample dealer's hand with this end."""
    if rules.bust_pushes_from not in _BUSTS:
        raise Refused("bust-pushes-not-computed", cards=rules.bust_pushes_from)
    shown = _ENDS[end] if end != BUST_PUSHES else _BUSTS[rules.bust_pushes_from]
    return DealersHand(cards(shown), hits_soft_17=rules.dealer_hits_soft_17)


def _hand(row: int, *, stake: int, added: int, toke: int = 0, toke_added: int = 0) -> Hand:
    hand = Hand(stake, toke, from_split=True)
    for dealt in cards(_ROWS[row]):
        hand.take(dealt)
    hand.added, hand.toke_added = added, toke_added
    hand.ended = "bust" if row == BUST_ROW else "stood"
    return hand


@dataclass(frozen=True)
class Special:
    """The net results of rounds that end without the player's hand being played."""

    blackjack: float
    blackjack_tied: float
    even_money: float
    surrendered: float
    surrendered_to_blackjack: float


@dataclass(frozen=True)
class Payoffs:
    """What a wager on the hands of a box pays, per unit of the initial wager."""

    whose: Whose
    hands: Floats
    """The net result, by insured, which hand (first, later), doubled, how it ended (the rows), how the dealer's hand ended.

    The insurance wager is not included, except for what a tie of the first hand saves of it.
    """
    stakes: Floats
    """The final stake, by which hand, doubled, row and dealer's end."""
    special: tuple[Special, Special]
    """By insured, insurance included."""

    def insurance(self, insured: int, end: int) -> float:
        """The net result of an insurance of half the wager; what a tie saves of it is counted with the hand."""
        return self.insured(insured) * (2.0 if end == BLACKJACK else -1.0)

    def insured(self, insured: int) -> float:
        """The stake of the insurance. A wager for the dealer is never insured."""
        return 0.5 * insured if self.whose == "player" else 0.0


def payoffs(rules: BlackjackRules, whose: Whose = "player") -> Payoffs:
    """What the settlement pays under these rules."""
    net, stakes = np.zeros((2, 2, 2, ROWS, ENDS)), np.zeros((2, 2, ROWS, ENDS))
    for insured, later, doubled, row, end in np.ndindex(net.shape):
        box = _box(rules, whose, row, doubled=doubled, later=later)
        staked, returned = _settled(box, whose, end, insured)
        net[insured, later, doubled, row, end] = (returned - staked) / SAMPLE_WAGER
        stakes[later, doubled, row, end] = staked / SAMPLE_WAGER
    return Payoffs(whose, net, stakes, (_special(rules, whose, 0), _special(rules, whose, 1)))


def _box(rules: BlackjackRules, whose: Whose, row: int, *, doubled: int, later: int) -> Box:
    """A box whose last hand ended in this way; a later hand follows one that has busted."""
    added = SAMPLE_WAGER * (rules.double_adds * doubled + later)
    initial = SAMPLE_WAGER * (1 - later)
    toke_added = added if whose == "dealer, always added to" else 0
    toke = 0 if whose == "player" else initial + toke_added
    own = _hand(row, stake=initial + added, added=added, toke=toke, toke_added=toke_added)
    box = Box(rules, SAMPLE_WAGER, 0 if whose == "player" else SAMPLE_WAGER)
    box.hands = [_hand(BUST_ROW, stake=SAMPLE_WAGER, added=0), own] if later else [own]
    return box


def _settled(box: Box, whose: Whose, end: int, insured: int) -> tuple[int, int]:
    """The stake and the return of the wager on the last hand of a box, including what a tie saves of the insurance."""
    box.insured, box.insurance = bool(insured), SAMPLE_WAGER // 2
    dealer = _dealer(box.rules, end)
    hands, wagers = settle(box, dealer)
    if whose != "player":
        tokes = [wager for wager in wagers if wager.whose == "dealer"]  # none where no hand carries one
        return sum(toke.staked for toke in tokes), sum(toke.returned for toke in tokes)
    first = len(hands) == 1
    saved = wagers[-1].returned if insured and first and not dealer.blackjack else 0  # SBJ 5.g
    return hands[-1].staked, hands[-1].returned + saved


def _special(rules: BlackjackRules, whose: Whose, insured: int) -> Special:
    def net(ended: str, end: int) -> float:
        box = Box(rules, SAMPLE_WAGER, 0 if whose == "player" else SAMPLE_WAGER)
        natural = ended in ("blackjack", "even-money")
        for dealt in cards("Ad Kd" if natural else "Td 6d"):
            box.hands[0].take(dealt)
        box.hands[0].ended = ended
        box.insured, box.insurance = bool(insured), SAMPLE_WAGER // 2
        _, wagers = settle(box, _dealer(rules, end))
        counted = [wager for wager in wagers if wager.whose == ("player" if whose == "player" else "dealer")]
        return sum(wager.returned - wager.staked for wager in counted) / SAMPLE_WAGER

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
    """The decisions that the rules allow, by pairs of card values."""

    first: dict[tuple[int, int], frozenset[str]]
    """On the two cards that were dealt."""
    doubles_after_split: frozenset[tuple[int, int]]
    """The split hands, as (value of the pair, value of the next card), that may double."""
    splits: tuple[int, ...]
    """How often a pair may be split, by its value."""
    insurance: bool
    even_money: bool


def allowed(rules: BlackjackRules) -> Allowed:
    """Asks a box for every position."""
    first = {}
    for pair in TWO_CARDS:
        box = Box(rules, SAMPLE_WAGER, 0)
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
    natural = Box(rules, SAMPLE_WAGER, 0)
    natural.start(card_of(0), card_of(9))
    natural.offer_early(card_of(0))
    early = natural.question().allowed if natural.early else {}
    return Allowed(first, frozenset(doubles), splits, "insure" in early, "even-money" in early)


def _times(rules: BlackjackRules, value: int) -> int:
    """How often a pair can be split if every further card has its value."""
    box = Box(rules, SAMPLE_WAGER, 0)
    box.start(card_of(value), card_of(value))
    times = 0
    while True:
        box.advance()
        if box.owed:
            box.take(card_of(value))
        elif box.asks and "split" in box.question().allowed:
            box.decide(Decision("split"), SAMPLE_WAGER)
            times += 1
        else:
            return times


def _after_split(rules: BlackjackRules, value: int, second: int) -> frozenset[str]:
    """The decisions that are allowed on the first hand of a split with this second card."""
    box = Box(rules, SAMPLE_WAGER, 0)
    box.start(card_of(value), card_of(value))
    box.decide(Decision("split"), SAMPLE_WAGER)
    while box.owed:
        box.take(card_of(second))
    return frozenset(box.question().allowed) if box.asks and box.playing == 0 else frozenset()


english(
    "refused",
    {"bust-pushes-not-computed": "A dealer bust that pushes with {cards} cards or more is not computed: 4 and 5 are."},
)
