"""The largest payout of a round: what the house loses if every wager does as well as the cards allow at the same time.

It does not depend on a strategy: any decisions and any order of the cards are possible.
"""

from typing import NamedTuple

from podium.maths.families import family_of
from podium.maths.patrons import Patrons


class Largest(NamedTuple):
    """The most that the house can lose in a round, in minor units."""

    amount: int
    reached: bool
    """Whether some cards lead to it; if not, it is an upper bound."""
    how: str


def largest(patrons: Patrons) -> Largest:
    """The largest payout to the patrons."""
    return family_of(patrons.game).largest(patrons)
