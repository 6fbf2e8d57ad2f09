"""Advice: what each answer to a question is worth to the player, given the best play afterwards.

Every card that the player cannot see (`sight`) is equally likely to come next; cards of earlier rounds are not tracked.
The worth of an answer is the expected net result of the hand in question, per unit of the original wager. Insurance
counts only while it is on offer.
"""

from podium.maths.families import family_of
from podium.maths.sight import Position
from podium.rules.games import Game


def worths(game: Game, asked: Position) -> dict[str, float]:
    """Returns what each answer is worth."""
    return family_of(game).worths(game, asked)


def begin(game: Game) -> None:
    """Loads and compiles the kernels and prepares the rules, which takes longer than any single position."""
    family_of(game).warm_up(game)
