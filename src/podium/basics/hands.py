"""Poker hands: three-card ranks, the best five of six."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from podium.basics.cards import RANKS, Card
from podium.basics.words import ENGLISH, Phrase, english

# --- three cards ----------------------------------------------------------------------------------------------------

THREE_CARD_ORDER: Final = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
"""Lowest first. With three cards a straight is rarer than a flush, and so beats it."""


class ThreeCardHand(NamedTuple):
    """A three-card hand; two of them compare as the game compares them."""

    strength: int
    ranks: tuple[int, ...]

    @property
    def category(self) -> str:
        return THREE_CARD_ORDER[self.strength]

    def as_fact(self) -> Phrase:
        """Returns the name of the hand: `pair of nines`."""
        return _named(self.category, RANKS[self.ranks[0] - 2])

    def __str__(self) -> str:
        return ENGLISH.say(self.as_fact())


@cache
def _named(category: str, top: str) -> Phrase:
    return Phrase(f"hand.{category.replace(' ', '-')}", {"rank": top})


english(
    "hand",
    {
        "high-card": "{rank:rank} high",
        "pair": "pair of {rank:ranks}",
        "flush": "flush, {rank:rank} high",
        "straight": "straight, {rank:rank} high",
        "three-of-a-kind": "three {rank:ranks}",
        "straight-flush": "straight flush, {rank:rank} high",
    },
)


def three_card_hand(cards: Sequence[Card]) -> ThreeCardHand:
    """The rank of three cards.

    >>> from podium.basics.cards import cards
    >>> str(three_card_hand(cards("9s 9d Kh"))), str(three_card_hand(cards("As 2d 3h")))
    ('pair of nines', 'straight, three high')
    """
    high, middle, low = sorted([card.order for card in cards], reverse=True)
    flush = cards[0].suit == cards[1].suit == cards[2].suit
    if high == middle == low:
        return ThreeCardHand(4, (high,))
    if (high == middle or middle == low) and not flush:  # two decks hold flushes with a pair in them
        return ThreeCardHand(1, (middle, low if high == middle else high))
    if high == 14 and (middle, low) == (3, 2):  # A-2-3 is the lowest straight
        return ThreeCardHand(5 if flush else 3, (3,))
    if high - low == 2 and high != middle != low:
        return ThreeCardHand(5 if flush else 3, (high,))
    return ThreeCardHand(2 if flush else 0, (high, middle, low))


# --- the best five of six -------------------------------------------------------------------------------------------

_STRAIGHTS: Final = (*((0b11111 << shift, shift + 6) for shift in range(8, -1, -1)), (0b1_0000_0000_1111, 5))


def best_five_of_six(cards: Sequence[Card]) -> str:
    """The category of the best five-card poker hand among six cards.

    >>> from podium.basics.cards import cards
    >>> best_five_of_six(cards("As Ks Qs Js Ts 2d"))
    'royal flush'
    """
    suits = [0, 0, 0, 0]
    counts = [0] * 13
    for card in cards:
        rank, suit = divmod(card.index, 4)
        suits[suit] |= 1 << rank
        counts[rank] += 1
    flush = next((ranks for ranks in suits if ranks.bit_count() >= 5), 0)
    if flush and (top := _straight(flush)):
        return "royal flush" if top == 14 else "straight flush"
    most, next_most = sorted(counts)[:-3:-1]
    if most == 4:
        return "four of a kind"
    if most == 3 and next_most >= 2:
        return "full house"
    if flush:
        return "flush"
    if _straight(suits[0] | suits[1] | suits[2] | suits[3]):
        return "straight"
    return "three of a kind" if most == 3 else "other"


def _straight(ranks: int) -> int:
    """The highest rank of the best straight within a set of ranks, or 0."""
    return next((top for pattern, top in _STRAIGHTS if ranks & pattern == pattern), 0)
