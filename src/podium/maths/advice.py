"""What each answer to a question is worth to the player who is asked, by the best play that follows it.

All cards that the player does not see (`sight`) are equally likely to come; those of earlier rounds are not counted. Worth is
the expected net result of the hand that is asked about, for each unit of the original wager; insurance is counted while it
is asked for.
"""

from podium.maths.families import family_of
from podium.maths.sight import Position
from podium.rules.games import Game


def worths(game: Game, asked: Position) -> dict[str, float]:
    """What each answer is worth."""
    return family_of(game).worths(game, asked)


def begin(game: Game) -> None:
    """Do once what takes longer than any position: load and compile the kernels, and prepare the rules."""
    family_of(game).warm_up(game)
