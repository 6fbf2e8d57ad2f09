"""The results of many rounds, against plain convolution and the moments that they must have."""

from fractions import Fraction
from itertools import accumulate
from math import comb, sqrt

import pytest

from podium.maths import side_bets
from podium.maths.figures import Figures, gathered
from podium.maths.spread import QUANTILES, spread
from podium.rules.bets import SIX_CARD_BONUS
from podium.rules.bets.royal_match_21 import ROYAL_MATCH_21

COIN = Figures(
    house_edge=Fraction(0),
    hit_frequency=Fraction(1, 2),
    variance=Fraction(1),
    how="a coin",
    results={Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
)


def test_a_hundred_tosses_are_binomial() -> None:
    tosses = spread(COIN, 100)
    assert tosses.exact
    assert tosses.ahead == pytest.approx((1 - comb(100, 50) / 2**100) / 2, abs=1e-12)
    assert dict(tosses.heights)[0] == pytest.approx(comb(100, 50) / 2**100, abs=1e-12)


def test_few_rounds_of_halves_against_plain_convolution() -> None:
    figures = side_bets.figures(ROYAL_MATCH_21, ROYAL_MATCH_21.paytables["A"], 6)
    assert figures.results is not None
    once = {Fraction(net): Fraction(often) for net, often in figures.results.items()}
    total = {Fraction(0): Fraction(1)}
    for _ in range(7):
        total = gathered((one + net, was * often) for one, was in total.items() for net, often in once.items())
    found = spread(figures, 7)
    assert found.ahead == pytest.approx(float(sum(often for net, often in total.items() if net > 0)), abs=1e-12)
    below = list(accumulate(total.values()))
    for share, quantile in zip(QUANTILES, found.quantiles, strict=True):
        assert quantile == next(float(net) for net, reached in zip(total, below, strict=True) if reached >= share)


@pytest.mark.parametrize("rounds", [100, 10_000, 1_000_000])
def test_the_sum_has_the_mean_and_deviation_of_its_rounds(rounds: int) -> None:
    figures = side_bets.figures(SIX_CARD_BONUS, SIX_CARD_BONUS.paytables["TCP-6B3"], 1)
    found = spread(figures, rounds)
    assert found.exact
    weight = sum(height for _, height in found.heights)
    assert weight == pytest.approx(0.998, abs=0.002)
    middle = sum(result * height for result, height in found.heights) / weight
    assert middle == pytest.approx(found.mean, abs=0.05 * found.standard_deviation)
    assert found.standard_deviation == pytest.approx(figures.standard_deviation * sqrt(rounds))


def test_a_million_rounds_are_nearly_normal() -> None:
    figures = side_bets.figures(ROYAL_MATCH_21, ROYAL_MATCH_21.paytables["A"], 6)
    found = spread(figures, 1_000_000)
    fifth = found.mean - 1.6449 * found.standard_deviation
    assert found.quantiles[1] == pytest.approx(fifth, abs=0.01 * found.standard_deviation)


def test_without_the_whole_distribution_the_sum_is_taken_to_be_normal() -> None:
    bare = Figures(house_edge=0.01, hit_frequency=0.4, variance=1.3, how="by moments")
    found = spread(bare, 10_000)
    assert not found.exact
    assert found.quantiles[3] == pytest.approx(-100)


def test_who_always_loses_loses_exactly_that() -> None:
    gone = Figures(
        house_edge=Fraction(1),
        hit_frequency=Fraction(0),
        variance=Fraction(0),
        how="",
        results={Fraction(-1): Fraction(1)},
    )
    assert spread(gone, 100).quantiles == (-100,) * 7
    assert spread(gone, 100).ahead == 0
