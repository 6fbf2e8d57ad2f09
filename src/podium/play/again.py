"""Settles a finished round again, with the right cards or as void. The original round is not changed."""

from collections.abc import Iterable

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.play.events import AnyEvent, Confirmed, Voided
from podium.play.round import Round
from podium.rules.asking import Confirmation, Nothing, expected


def reopened(played: Round) -> Round:
    """The round as it was before its result was confirmed."""
    again = Round(played.game, played.out, taken=True)
    for event in played.events:
        if not isinstance(event, Confirmed | Voided):
            again.apply(event)
    return again


def told_again(played: Round, events: Iterable[AnyEvent]) -> Round:
    """The round with a different ending. It must be complete: nobody is asked again, and no further card is dealt."""
    again = reopened(played)
    for event in events:
        if isinstance(event, Confirmed) and not isinstance(again.awaits, Confirmation):
            raise Refused("reopen-not-finished", awaited=expected(again.awaits), clause="VOID-4")
        again.apply(event)
    assert isinstance(again.awaits, Nothing)
    return again


english(
    "refused",
    {
        "reopen-not-finished": (
            "With these cards the round would not be finished: it awaits {awaited}. Enter every card that was dealt, or void the"
            " round."
        ),
    },
)
