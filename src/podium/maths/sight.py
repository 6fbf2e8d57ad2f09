"""What a player sees who is asked something: made from the views that the player is shown, so nothing else can be in it.

Equal positions are worth the same to everybody, whoever is asked and whatever the wager: in a community game thousands of
players ask for one.
"""

from collections import Counter
from functools import lru_cache
from typing import Literal

import msgspec

from podium.basics.cards import card
from podium.play.views import Layout, QuestionView, SeatView
from podium.rules.asking import CHOICES


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
    boxes = [code for hands in layout.seats.values() for each in hands for code in each.cards]
    return _box_position(
        tuple(question.allowed),
        question.about,
        (*layout.player, *layout.stream, *boxes),
        tuple(layout.dealer),
        tuple(view.hands[question.hand].cards),
        view.insurance > 0,
        len(view.hands) - 1,
        question.hand > 0,
    )


@lru_cache(maxsize=1024)
def _box_position(
    allowed: tuple[str, ...],
    about: str,
    in_sight: tuple[str, ...],
    dealers: tuple[str, ...],
    hand: tuple[str, ...],
    insured: bool,
    splits: int,
    later: bool,
) -> BoxPosition:
    """Thousands who share their cards ask within a moment, so it is put together once."""
    own = _values(hand)
    return BoxPosition(
        asked=tuple(sorted(choice for choice in allowed if choice in CHOICES)),
        up=_values(dealers)[0],
        hand=own,
        beside=tuple(sorted((Counter(_values(in_sight)) - Counter(own)).elements())),
        about="insurance" if about == "insurance" else "play",
        insured=insured,
        pair=_values(hand[:1])[0] if splits else None,
        splits=splits,
        later=later,
    )


def _values(codes: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sorted(card(code).points - 1 for code in codes))
