"""What a player sees who is asked something: made from the views that the player is shown, so nothing else can be in it.

Equal positions are worth the same to everybody, whoever is asked and whatever the wager: in a community game thousands of
players ask for one.
"""

from collections import Counter
from typing import Literal

import msgspec

from podium.cards import card
from podium.views import Layout, QuestionView, SeatView


class BoxPosition(msgspec.Struct, frozen=True):
    """A blackjack hand that is asked about. Cards are their values, sorted; 0 is an ace."""

    asked: tuple[str, ...]
    up: int
    hand: tuple[int, ...]
    beside: tuple[int, ...] = ()
    """All other cards that lie open: of the player's other hands, and of other boxes."""
    about: Literal["play", "insurance"] = "play"
    insured: bool = False
    pair: int | None = None
    """The value that was split to make this hand."""
    splits: int = 0
    """How often the box has split."""
    later: bool = False
    """Whether it is not the first hand of a split."""


class ArrayPosition(msgspec.Struct, frozen=True):
    """Three of nine cards, and the six others in sight; codes, sorted."""

    own: tuple[str, ...]
    others: tuple[str, ...]


Position = BoxPosition | ArrayPosition


def position(layout: Layout, view: SeatView, question: QuestionView) -> Position:
    """What a player sees who is asked this question."""
    if layout.array:
        own = [layout.array[spot - 1] for spot in view.spots]
        return ArrayPosition(tuple(sorted(own)), tuple(sorted(set(layout.array) - set(own))))
    hand = _values(view.hands[question.hand].cards)
    boxes = [code for hands in layout.seats.values() for each in hands for code in each.cards]
    in_sight = Counter(_values([*layout.player, *layout.stream, *boxes]))
    return BoxPosition(
        asked=tuple(sorted(choice for choice in question.allowed if choice.isalpha() or choice == "even-money")),
        up=_values(layout.dealer)[0],
        hand=hand,
        beside=tuple(sorted((in_sight - Counter(hand)).elements())),
        about="insurance" if question.about == "insurance" else "play",
        insured=view.insurance > 0,
        pair=_values(view.hands[question.hand].cards[:1])[0] if len(view.hands) > 1 else None,
        splits=len(view.hands) - 1,
        later=question.hand > 0,
    )


def _values(codes: list[str]) -> tuple[int, ...]:
    return tuple(sorted(card(code).points - 1 for code in codes))
