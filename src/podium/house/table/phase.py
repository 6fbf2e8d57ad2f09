"""The phase of a table: what it is doing, in one word."""

from typing import Literal

from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, HoleCard, Peek, Wagers

Phase = Literal[
    "closed",
    "paused",
    "waiting",
    "betting",
    "dealing",
    "deciding",
    "peeking",
    "turning",
    "confirming",
    "result",
    "void",
]
"""What a table is doing. `waiting`: for the dealer's New Game, or for a shoe."""


def phase_of(played: Round) -> Phase:
    """The phase of a table with this round, in play or over."""
    if played.over:
        return "void" if played.voided else "result"
    match played.awaits:
        case Wagers():
            return "betting"
        case Decisions():
            return "deciding"
        case Peek():
            return "peeking"
        case HoleCard():
            return "turning"
        case Confirmation():
            return "confirming"
    return "dealing"
