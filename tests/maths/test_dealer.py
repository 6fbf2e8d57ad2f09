"""The dealer's exact distribution: against a plain recursion over cards, and against published figures."""

from fractions import Fraction

import numpy as np
import pytest

from podium.maths.buster import buster_figures, buster_ways
from podium.maths.dealer import (
    BLACKJACK,
    BUST_PAYS,
    BUST_PUSHES,
    DEALER_17,
    ENDS,
    bust_distribution,
    dealer_table,
)
from podium.maths.shoe import best_total, fresh_shoe
from podium.rules.bets import BUSTER
from tests.maths.kernels import dealer_ends


def plainly(cards: tuple[int, ...], left: list[int], hits_soft_17: bool, pushes_from: int) -> list[float]:
    """How the dealer ends, card by card."""
    points, soft = best_total(value + 1 for value in cards)
    ends = [0.0] * ENDS
    if points > 21:
        ends[BUST_PUSHES if pushes_from and len(cards) >= pushes_from else BUST_PAYS] = 1.0
    elif points == 21 and len(cards) == 2:
        ends[BLACKJACK] = 1.0
    elif len(cards) > 1 and (points > 17 or (points == 17 and not (soft and hits_soft_17))):
        ends[DEALER_17 + points - 17] = 1.0
    else:
        for value, count in enumerate(left):
            if count:
                fewer = [*left[:value], count - 1, *left[value + 1 :]]
                further = plainly((*cards, value), fewer, hits_soft_17, pushes_from)
                ends = [end + count / sum(left) * more for end, more in zip(ends, further, strict=True)]
    return ends


SHOES = ([1, 0, 0, 2, 0, 3, 0, 0, 0, 4], [1, 1, 1, 1, 0, 1, 0, 0, 1, 3], [3, 0, 4, 0, 0, 0, 0, 4, 0, 4])


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize("pushes_from", [0, 4])
@pytest.mark.parametrize("shoe", SHOES)
def test_every_end_is_as_likely_as_a_plain_recursion_says(
    shoe: list[int], hits_soft_17: bool, pushes_from: int
) -> None:
    table = dealer_table(hits_soft_17=hits_soft_17, bust_pushes_from=pushes_from)
    for up in range(10):
        ends = dealer_ends(table, up, np.array(shoe))
        assert ends == pytest.approx(plainly((up,), shoe, hits_soft_17, pushes_from), abs=1e-12)


def test_buster_classic_keeps_6_21_per_cent_of_six_decks() -> None:
    classic = buster_figures(BUSTER.paytables["CLASSIC"], 6, hits_soft_17=True)
    assert round(float(classic.house_edge) * 100, 2) == 6.21


def test_busts_of_all_lengths_are_all_busts() -> None:
    """The exact fractions and the table of the kernel agree."""
    table = dealer_table(hits_soft_17=True, bust_pushes_from=0)
    shoe = fresh_shoe(8)
    bust = 0.0
    for up in range(10):
        left = shoe.copy()
        left[up] -= 1
        ends = dealer_ends(table, up, left)
        bust += shoe[up] / shoe.sum() * ends[BUST_PAYS]
    assert float(sum(bust_distribution(8, hits_soft_17=True).values())) == pytest.approx(bust, abs=1e-12)


def test_buster_ways_are_whole_and_complete() -> None:
    ways = buster_ways(6, hits_soft_17=True)
    deals = sum(ways.values())
    three = Fraction(ways["bust with 3 cards"], deals)
    assert three == bust_distribution(6, hits_soft_17=True)[3]
    assert set(ways) == {None, *BUSTER.outcomes}
