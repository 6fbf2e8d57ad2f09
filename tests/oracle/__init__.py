"""A second reading of the rules: rounds settled without any part of Podium, to be compared with what Podium says.

It is written from the rules alone, as plainly as they can be put, and knows nothing of events, seats or timers: the
order of the cards is known from the start, so every player is played alone, hand by hand, and only then is it
counted how many cards the table needed.
"""

from tests.oracle.illegal import Illegal
from tests.oracle.rounds import play, settle

__all__ = ["Illegal", "play", "settle"]
