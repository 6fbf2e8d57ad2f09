"""Cards as two letters, their values, and what three or five of them make."""

from collections import Counter
from itertools import combinations

from tests.oracle.illegal import Illegal

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def read_cards(text: str, decks: int) -> list[str]:
    cards = text.split()
    for card, times in Counter(cards).items():
        if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
            raise Illegal(f"{card} is no card")
        if times > decks:
            raise Illegal(f"{card} occurs {times} times in {decks} decks")
    return cards


def value(card: str) -> int:
    """The value of a card in blackjack, an ace being 1."""
    if card[0] == "A":
        return 1
    return 10 if card[0] in "TJQK" else int(card[0])


def total(cards: list[str]) -> int:
    """The best total of a blackjack hand."""
    low = sum(value(card) for card in cards)
    return low + 10 if is_soft(cards) else low


def is_soft(cards: list[str]) -> bool:
    return any(card[0] == "A" for card in cards) and sum(value(card) for card in cards) <= 11


def is_natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


def may_become_natural(up_card: str) -> bool:
    return value(up_card) in (1, 10)


def is_flush(cards: list[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def straight_high(cards: list[str]) -> int:
    """The place of a straight's highest card, or 0; the ace is high, or low under a two."""
    places = sorted(RANKS.index(card[0]) + 2 for card in cards)
    if places == list(range(places[0], places[0] + len(places))):
        return places[-1]
    wheel = [*range(2, len(places) + 1), 14]
    return len(places) if places == wheel else 0


def three_card_hand(cards: list[str]) -> str:
    """The name of three cards in three card poker."""
    ranks = len({card[0] for card in cards})
    if straight_high(cards) and is_flush(cards):
        return "straight flush"
    if ranks == 1:
        return "three of a kind"
    if straight_high(cards):
        return "straight"
    if is_flush(cards):
        return "flush"
    return "pair" if ranks == 2 else "high card"


THREE_CARD_ORDER = ["high card", "pair", "flush", "straight", "three of a kind", "straight flush"]


def three_card_strength(cards: list[str]) -> tuple[int, list[int]]:
    """Larger is better: first the kind of hand, then its ranks, a pair before its kicker."""
    kind = THREE_CARD_ORDER.index(three_card_hand(cards))
    if straight_high(cards):
        return kind, [straight_high(cards)]
    places = [RANKS.index(card[0]) + 2 for card in cards]
    return kind, sorted(places, key=lambda place: (places.count(place), place), reverse=True)


FIVE_CARD_ORDER = [
    "other",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
]


def five_card_hand(cards: list[str]) -> str:
    times = sorted(Counter(card[0] for card in cards).values())
    high = straight_high(cards)
    if high and is_flush(cards):
        return "royal flush" if high == 14 else "straight flush"
    if times == [1, 4]:
        return "four of a kind"
    if times == [2, 3]:
        return "full house"
    if is_flush(cards):
        return "flush"
    if high:
        return "straight"
    return "three of a kind" if times == [1, 1, 3] else "other"


def best_five_of(cards: list[str]) -> str:
    return max((five_card_hand(list(five)) for five in combinations(cards, 5)), key=FIVE_CARD_ORDER.index)
