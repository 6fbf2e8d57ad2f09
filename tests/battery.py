"""The statistics of a laboratory for shuffled shoes (RNG-5): a chance for each figure, at 99 % for all of them together."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Final

import numpy as np
from scipy import stats

from podium.record.fair import cut_seed, shuffled, words_from

SHOES: Final = {1: 12_000, 4: 5_000, 6: 5_000, 8: 4_000}
"""How many shoes of so many decks."""
Deck = list[int]
Shuffler = Callable[[Sequence[int], Iterator[int]], Deck]


def deal(shuffler: Shuffler, words: Iterator[int], *, decks: int = 1, shoes: int) -> list[Deck]:
    """Shuffles of that many decks, one after another from one stream. Cards are numbered apart, also equal ones."""
    return [shuffler(range(52 * decks), words) for _ in range(shoes)]


def with_a_cut(cards: Sequence[int], words: Iterator[int]) -> Deck:
    """The house's shuffle, cut by two terminals: the order in which a shoe is dealt."""
    numbers = {f"seat-{seat}": bytes(next(words) & 0xFF for _ in range(32)).hex() for seat in (1, 2)}
    return shuffled(shuffled(cards, words), words_from(cut_seed(f"{next(words):064x}", numbers)))


def chi_square(counts: Sequence[int], expected: Sequence[float] | None = None) -> float:
    return float(stats.chisquare(counts, expected).pvalue)


def positions(decks: list[Deck]) -> Iterator[float]:
    """Chi-square: each face comes equally often in each of some places, the first and the last among them."""
    cards = len(decks[0])
    for place in (0, 1, 2, cards // 2, cards - 2, cards - 1):
        came = Counter(deck[place] % 52 for deck in decks)
        yield chi_square([came[face] for face in range(52)])


def runs(decks: list[Deck]) -> Iterator[float]:
    """Runs: low and high first cards of shoe after shoe change as often as they should."""
    high = [deck[0] >= len(deck) // 2 for deck in decks]
    count = 1 + sum(a != b for a, b in pairwise(high))
    above, below = sum(high), len(high) - sum(high)
    mean = 1 + 2 * above * below / (above + below)
    variance = (mean - 1) * (mean - 2) / (above + below - 1)
    yield float(2 * stats.norm.sf(abs(count - mean) / variance**0.5))


def serial_correlation(decks: list[Deck]) -> Iterator[float]:
    """The first card of a shoe says nothing about the first of the next, nor of the one after it."""
    first = np.array([deck[0] for deck in decks])
    for lag in (1, 2):
        yield float(stats.pearsonr(first[:-lag], first[lag:]).pvalue)


def coupon_collector(decks: list[Deck]) -> Iterator[float]:
    """How many first cards it takes until all four suits have come."""
    longest, lengths, seen, since = 16, [], set[int](), 0
    for deck in decks:
        seen.add(deck[0] % 4)
        since += 1
        if len(seen) == 4:
            lengths.append(min(since, longest))
            seen, since = set(), 0
    within = [1 - 4 * 0.75**n + 6 * 0.5**n - 4 * 0.25**n for n in range(3, longest)]
    chances = [after - before for before, after in pairwise(within)] + [1 - within[-1]]
    came = Counter(lengths)
    yield chi_square([came[n] for n in range(4, longest + 1)], [chance * len(lengths) for chance in chances])


def overlaps(decks: list[Deck]) -> Iterator[float]:
    """Overlapping pairs of first ranks, taken in a ring: Good's statistic, whose squares differ by a chi-square."""
    ranks = [deck[0] % 13 for deck in decks]
    singles, pairs = Counter(ranks), Counter(pairwise([*ranks, ranks[0]]))
    total = len(ranks)
    psi_1 = 13 / total * sum(count**2 for count in singles.values()) - total
    psi_2 = 169 / total * sum(count**2 for count in pairs.values()) - total
    yield float(stats.chi2.sf(psi_2 - psi_1, 169 - 13))


def duplicates(decks: list[Deck]) -> Iterator[float]:
    """How many shoes begin with the same three cards as another."""
    shoes, kinds = len(decks), prod(len(decks[0]) - at for at in range(3))
    same = sum(count * (count - 1) // 2 for count in Counter(tuple(deck[:3]) for deck in decks).values())
    yield two_sided_poisson(same, shoes * (shoes - 1) / 2 / kinds)


def two_sided_poisson(count: int, mean: float) -> float:
    return float(min(1.0, 2 * min(stats.poisson.cdf(count, mean), stats.poisson.sf(count - 1, mean))))


def birthday_spacings(decks: list[Deck]) -> Iterator[float]:
    """Marsaglia's test: the first three cards are a day of a long year; spacings between sorted days repeat as often as they should."""
    cards = len(decks[0])
    year = prod(cards - at for at in range(3))
    born = round((16 * year) ** (1 / 3))  # four repeated spacings on average
    groups = [decks[at : at + born] for at in range(0, len(decks) - born + 1, born)]
    repeated = 0
    for group in groups:
        days = sorted(_day(deck[:3], cards) for deck in group)
        spacings = Counter(after - before for before, after in pairwise(days))
        repeated += sum(count - 1 for count in spacings.values())
    yield two_sided_poisson(repeated, len(groups) * born**3 / (4 * year))


def _day(three: Deck, cards: int) -> int:
    """Numbers the ordered choices of three cards from 0 on."""
    day, left = 0, list(range(cards))
    for each in three:
        place = left.index(each)
        day = day * len(left) + place
        del left[place]
    return day


def positional_correlation(decks: list[Deck]) -> Iterator[float]:
    """Cards of two places of a shoe are related by nothing but that one cannot be the other."""
    cards = len(decks[0])
    expected = np.arctanh(-1 / (cards - 1))
    for one, other in ((0, 1), (0, cards - 1), (cards // 2, cards // 2 + 1), (1, cards // 2)):
        found = np.corrcoef([deck[one] for deck in decks], [deck[other] for deck in decks])[0, 1]
        yield float(2 * stats.norm.sf(abs(np.arctanh(found) - expected) * (len(decks) - 3) ** 0.5))


def interplay(decks: list[Deck]) -> Iterator[float]:
    """Cards of one shoe, and of two tables that deal in turn, have nothing to do with each other."""
    cards, shoes = len(decks[0]), len(decks)
    of_rank = cards // 13
    first_two = Counter((deck[0] % 13, deck[1] % 13) for deck in decks)
    chance = {True: of_rank * (of_rank - 1), False: of_rank * of_rank}
    expected = [shoes * chance[a == b] / (cards * (cards - 1)) for a in range(13) for b in range(13)]
    yield chi_square([first_two[a, b] for a in range(13) for b in range(13)], expected)
    tables = Counter((one[0] % 13, other[0] % 13) for one, other in zip(decks[::2], decks[1::2], strict=True))
    yield chi_square([tables[a, b] for a in range(13) for b in range(13)])
    stays = Counter(sum(card == place for place, card in enumerate(deck)) for deck in decks)
    stayed = [*(stays[n] for n in range(5)), sum(count for n, count in stays.items() if n >= 5)]
    poisson = [float(stats.poisson.pmf(n, 1)) * shoes for n in range(5)]
    yield chi_square(stayed, [*poisson, shoes - sum(poisson)])


BATTERY = (
    positions,
    runs,
    serial_correlation,
    positional_correlation,
    coupon_collector,
    overlaps,
    duplicates,
    birthday_spacings,
    interplay,
)


def chances(decks: list[Deck]) -> dict[str, float]:
    """By figure: the chance that a perfect shuffle would look as odd as these."""
    return {f"{test.__name__} {at}": p for test in BATTERY for at, p in enumerate(test(decks))}


def least(chances: Mapping[str, float]) -> float:
    """The chance below which one of them fails: what 99 % for all of them together leaves to each (Sidak)."""
    return float(1 - 0.99 ** (1 / len(chances)))


def verdict(decks: list[Deck]) -> dict[str, float]:
    """The figures that fail."""
    found = chances(decks)
    return {name: chance for name, chance in found.items() if chance < least(found)}
