"""Parts of the compiled kernels that tests call by themselves, with the scratch space that they need."""

import numpy as np
from numpy.typing import NDArray

from podium.maths.boxes import COLUMNS, MAX_HANDS, Box
from podium.maths.compiled import called
from podium.maths.dealer import ENDS, MAX_DEALER_CARDS, DealerTable, fill_lines
from podium.maths.poker_rounds import play_poker
from podium.maths.shoe import Counts

_fill_lines = called(fill_lines)

poker_round = called(play_poker)


def dealer_ends(table: DealerTable, up: int, left: Counts) -> NDArray[np.float64]:
    """The probability of each end of the dealer's hand, given the up card and the cards that are left."""
    ends = np.empty(ENDS + 1)
    _fill_lines(table, up, left, ends, np.empty(len(table.before) + 1), np.empty(MAX_DEALER_CARDS))
    return ends[:ENDS]


def new_boxes(players: int) -> Box:
    return np.zeros((players, MAX_HANDS + 1, COLUMNS), dtype=np.int64)
