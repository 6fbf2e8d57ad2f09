"""The dealer's hand."""

from typing import Any

from tests.oracle.cards import is_natural, is_soft, total
from tests.oracle.illegal import Illegal


def card_at(cards: list[str], place: int) -> str:
    if place >= len(cards):
        raise Illegal(f"card {place + 1} is missing")
    return cards[place]


def must_draw(hand: list[str], *, hits_soft_17: bool) -> bool:
    return total(hand) <= 16 or (hits_soft_17 and total(hand) == 17 and is_soft(hand))


def complete(hand: list[str], cards: list[str], *, hits_soft_17: bool) -> list[str]:
    """The dealer's hand drawn to its end from the front of `cards`."""
    hand = list(hand)
    drawn = 0
    while must_draw(hand, hits_soft_17=hits_soft_17):
        hand.append(card_at(cards, drawn))
        drawn += 1
    return hand


def shown(hand: list[str]) -> dict[str, Any]:
    return {
        "cards": " ".join(hand),
        "total": total(hand),
        "blackjack": is_natural(hand),
        "bust": total(hand) > 21,
    }
