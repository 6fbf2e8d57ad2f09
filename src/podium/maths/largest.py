"""The largest payout of a round: what the house loses if every wager comes out as well as the cards allow at once.

Nobody's strategy limits it: players may decide as they like, and the cards may fall as they like.
"""

from typing import NamedTuple

from podium.maths.crowd import Crowd
from podium.maths.families import family_of


class Largest(NamedTuple):
    """The most that the house can lose in a round, in minor units."""

    amount: int
    reached: bool
    """Whether cards exist that bring it; otherwise the house cannot lose more, but perhaps never so much."""
    how: str


def largest(crowd: Crowd) -> Largest:
    """The largest payout to a crowd."""
    return family_of(crowd.game).largest(crowd)
