"""The distribution of the sum of the results of many rounds.

If the distribution of one round is known and lies on a lattice (whole wagers, halves, ...), that of the sum is exact: its Fourier
transform is a power of that of one round. Otherwise the sum is taken to be normal, by the central limit theorem.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from podium.maths.figures import Figures

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

MAX_POINTS_PER_UNIT: Final = 1000
"""Of the lattice; the denominators of odds do not exceed it."""
MAX_TRANSFORM_POINTS: Final = 2**22
"""A distribution that would need a longer transform is taken to be normal."""

Once = Mapping[Fraction, Fraction] | Mapping[float, float]
"""The probability of each net result of one round."""


@dataclass(frozen=True)
class ResultSpread:
    """The distribution of the total result of some rounds, in units of the initial wager."""

    rounds: int
    mean: float
    standard_deviation: float
    quantiles: tuple[float, ...]
    """The results below which 1, 5, 25, 50, 75, 95 and 99 % of players end."""
    ahead: float
    """The probability that a player has won more than was lost."""
    heights: tuple[tuple[float, float], ...]
    """Results and their relative probabilities, for a plot."""
    exact: bool


def spread(figures: Figures, rounds: int) -> ResultSpread:
    """The distribution of the total of this many rounds with a wager of one unit."""
    return total(figures.results, -float(figures.house_edge), figures.standard_deviation, rounds)


def total(results: Once | None, mean: float, deviation: float, rounds: int) -> ResultSpread:
    """The distribution of the sum of independent rounds with this mean and deviation; `results` is that of one round, if known."""
    moments = mean * rounds, deviation * math.sqrt(rounds)
    lattice = _lattice(results, rounds) if results and deviation else None
    return _normal(moments, rounds) if lattice is None else _summed(moments, rounds, *lattice)


# --- exactly --------------------------------------------------------------------------------------------------------


def _lattice(results: Once, rounds: int) -> tuple[NDArray[np.float64], Fraction, Fraction] | None:
    """The probabilities of the sum on a lattice, with its lowest point and its step; None if it has too many points."""
    nets = {Fraction(net).limit_denominator(MAX_POINTS_PER_UNIT): float(often) for net, often in results.items()}
    lowest = min(nets)
    fine = math.lcm(*(net.denominator for net in nets))
    places = {int((net - lowest) * fine): often for net, often in nets.items()}
    coarse = math.gcd(*places)
    step, span = Fraction(coarse, fine), max(places) // coarse
    mean = sum(place // coarse * often for place, often in places.items())
    deviation = math.sqrt(max(0.0, sum((place // coarse - mean) ** 2 * often for place, often in places.items())))
    # Results further from the mean than half the window wrap around; they are too rare to be visible.
    needed = min(rounds * span + 1, int(max(24 * deviation * math.sqrt(rounds), 8 * span)) + 64)
    if needed > MAX_TRANSFORM_POINTS:
        return None
    points = 1 << (needed - 1).bit_length()
    once = np.zeros(points)
    for place, often in places.items():
        once[place // coarse % points] += often
    chances = np.clip(np.fft.irfft(np.fft.rfft(once) ** rounds, points), 0, None)
    first = 0 if needed == rounds * span + 1 else round(mean * rounds) - points // 2
    return np.roll(chances, -first) / chances.sum(), rounds * lowest + first * step, step


def _summed(
    moments: tuple[float, float], rounds: int, chances: NDArray[np.float64], lowest: Fraction, step: Fraction
) -> ResultSpread:
    mean, deviation = moments
    below = np.cumsum(chances)
    results: NDArray[np.float64] = float(lowest) + float(step) * np.arange(len(chances), dtype=np.float64)
    at = np.minimum(np.searchsorted(below, QUANTILES), len(below) - 1)
    quantiles = tuple(float(result) for result in results[at])
    ahead = float(chances[results > float(step) / 2].sum())
    return ResultSpread(rounds, mean, deviation, quantiles, ahead, _columns(results, chances, below), True)


def _columns(
    results: NDArray[np.float64], chances: NDArray[np.float64], below: NDArray[np.float64], columns: int = 120
) -> tuple[tuple[float, float], ...]:
    """The distribution without its outermost thousandths, in columns of equally many lattice points."""
    first, last = (int(place) for place in np.searchsorted(below, (0.001, 0.999)))
    wide = max(1, (last - first) // columns + 1)
    return tuple(
        (float(results[start : start + wide].mean()), float(chances[start : start + wide].sum()))
        for start in range(first, min(last + 1, len(results)), wide)
    )


# --- by the central limit theorem -----------------------------------------------------------------------------------


def _normal(moments: tuple[float, float], rounds: int) -> ResultSpread:
    mean, deviation = moments
    if not deviation:
        return ResultSpread(rounds, mean, 0.0, (mean,) * len(QUANTILES), float(mean > 0), ((mean, 1.0),), True)
    normal = NormalDist(mean, deviation)
    heights = tuple((mean + deviation * step / 20, normal.pdf(mean + deviation * step / 20)) for step in range(-62, 63))
    quantiles = tuple(normal.inv_cdf(share) for share in QUANTILES)
    return ResultSpread(rounds, mean, deviation, quantiles, 1 - normal.cdf(0), heights, False)
