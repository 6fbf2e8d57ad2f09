"""The cards on the table that everybody sees, and what one seat sees in addition.

A dealing builds these values from the cards that may be seen. A card that lies face down is in none of them.
"""

from collections.abc import Iterable
from typing import Annotated, TypedDict

import msgspec

from podium.basics.cards import Card
from podium.basics.words import Phrase

HandState = Annotated[
    str, msgspec.Meta(extra_json_schema={"enum": ["", "stood", "bust", "blackjack", "even-money", "surrender"]})
]


class HandView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A blackjack hand on the layout or on a terminal."""

    cards: list[str]
    total: int
    soft: bool = False
    state: HandState = ""
    """Empty while it is played."""
    doubled: bool = False
    stake: int = 0
    toke: int = 0
    blackjack: bool = False
    returned: int | None = None
    """When the hand is settled: what the player's own wager on it returned, with the stake."""


class Layout(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards as they lie, for everybody. Each way of dealing fills its own part."""

    player: list[str] = []
    """Community: the two cards that everybody has."""
    dealer: list[str] = []
    """Community: the dealer's first card. Own hands: the dealer's cards that are face up. Nine cards: the packet."""
    stream: list[str] = []
    """Community: the cards after the first three, in the order of dealing."""
    dealers: dict[int, HandView] = {}
    """Community: by the number of cards that a player took, the dealer's hand for that player."""
    dealers_hand: HandView | None = None
    """Own hands: the dealer's hand as far as it is face up."""
    hole: bool = False
    """Own hands: whether a card lies face down."""
    seats: dict[int, list[HandView]] = {}
    """Own hands: every box."""
    turn: int = 0
    """Own hands: the seat whose turn it is; 0 if it is nobody's."""
    array: list[str] = []
    """Nine cards: locations 1 to 9."""


class OwnView(TypedDict, total=False):
    """The fields of `SeatView` that the dealing fills."""

    hands: list[HandView]
    playing: int
    taken: int
    finished: bool
    insurance: int
    decision: str
    hand: Phrase | None
    dealers_hand: Phrase | None


def card_codes(cards: Iterable[Card]) -> list[str]:
    return [card.code for card in cards]
