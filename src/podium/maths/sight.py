"""What a player sees when asked for a decision. It is built from the views that the player is shown, so it contains nothing else.

Equal positions are worth the same to every player, whatever the wager: in a community game thousands of players ask about one.
"""

from collections import Counter
from functools import lru_cache
from typing import Literal

import msgspec

from podium.basics.cards import card
from podium.play.views import Layout, QuestionView, SeatView
from podium.rules.asking import CHOICES


class BoxPosition(msgspec.Struct, frozen=True, tag="box"):
    """A question about a blackjack hand. Cards are given as sorted values, where 0 is an ace."""

    asked: tuple[str, ...]
    up: int
    hand: tuple[int, ...]
    beside: tuple[int, ...] = ()
    """All other open cards: of the player's other hands and of other boxes."""
    about: Literal["play", "insurance"] = "play"
    insured: bool = False
    pair: int | None = None
    """The value of the pair that was split to make this hand."""
    splits: int = 0
    """How often the box has split."""
    later: bool = False
    """Whether it is a later hand of a split, not the first."""


class ArrayPosition(msgspec.Struct, frozen=True, tag="array"):
    """The player's three cards and the six others in sight, as sorted codes."""

    own: tuple[str, ...]
    others: tuple[str, ...]


Position = BoxPosition | ArrayPosition


def position(layout: Layout, view: SeatView, question: QuestionView) -> Position:
    """The position of a player who is asked this question."""
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
    """Cached, because thousands of players who share their cards ask at the same time."""
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
