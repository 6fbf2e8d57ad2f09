"""RNG-5: cards dealt by the real shuffle pass the statistics of a laboratory, at 99 % taken together.

The generator is replaced by a stream that is the same in every run, so the verdict is the same for everybody. Shuffles
that are known to be wrong show that the battery can fail.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from podium.record.fair import shuffled, words_of
from tests.entropy import repeatable

SHOES = 12_000
Deck = list[int]
Shuffler = Callable[[Sequence[int], Iterator[int]], Deck]


def deal(shuffler: Shuffler) -> list[Deck]:
    """That many shuffles of one deck, one after another from one stream."""
    words = words_of(repeatable("randomness"))
    return [shuffler(range(52), words) for _ in range(SHOES)]


def chi_square(counts: Sequence[int], expected: Sequence[float] | None = None) -> float:
    return float(stats.chisquare(counts, expected).pvalue)


def positions(decks: list[Deck]) -> Iterator[float]:
    """Chi-square: each card comes equally often in each of some places, the first and the last among them."""
    for place in (0, 1, 2, 25, 50, 51):
        came = Counter(deck[place] for deck in decks)
        yield chi_square([came[card] for card in range(52)])


def runs(decks: list[Deck]) -> Iterator[float]:
    """Runs: low and high first cards of shoe after shoe change as often as they should."""
    high = [deck[0] >= 26 for deck in decks]
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
    ranks = [deck[0] // 4 for deck in decks]
    singles, pairs = Counter(ranks), Counter(pairwise([*ranks, ranks[0]]))
    total = len(ranks)
    psi_1 = 13 / total * sum(count**2 for count in singles.values()) - total
    psi_2 = 169 / total * sum(count**2 for count in pairs.values()) - total
    yield float(stats.chi2.sf(psi_2 - psi_1, 169 - 13))


def duplicates(decks: list[Deck]) -> Iterator[float]:
    """How many shoes begin with the same three cards as another."""
    kinds = 52 * 51 * 50
    same = sum(count * (count - 1) // 2 for count in Counter(tuple(deck[:3]) for deck in decks).values())
    mean = SHOES * (SHOES - 1) / 2 / kinds
    yield float(min(1.0, 2 * min(stats.poisson.cdf(same, mean), stats.poisson.sf(same - 1, mean))))


def interplay(decks: list[Deck]) -> Iterator[float]:
    """Cards of one shoe, and of two tables that deal in turn, have nothing to do with each other."""
    first_two = Counter((deck[0], deck[1]) for deck in decks)
    yield chi_square([first_two[a, b] for a in range(52) for b in range(52) if a != b])
    tables = Counter((one[0] // 4, other[0] // 4) for one, other in zip(decks[::2], decks[1::2], strict=True))
    yield chi_square([tables[a, b] for a in range(13) for b in range(13)])
    stays = Counter(sum(card == place for place, card in enumerate(deck)) for deck in decks)
    stayed = [*(stays[n] for n in range(5)), sum(count for n, count in stays.items() if n >= 5)]
    poisson = [float(stats.poisson.pmf(n, 1)) * SHOES for n in range(5)]
    yield chi_square(stayed, [*poisson, SHOES - sum(poisson)])


BATTERY = (positions, runs, serial_correlation, coupon_collector, overlaps, duplicates, interplay)


def verdict(decks: list[Deck]) -> dict[str, float]:
    """The tests that fail: their chance is below what 99 % for all of them together leaves to each (Sidak)."""
    chances = {f"{test.__name__} {at}": p for test in BATTERY for at, p in enumerate(test(decks))}
    least = 1 - 0.99 ** (1 / len(chances))
    return {name: p for name, p in chances.items() if p < least}


def test_rng_5_dealt_cards_pass_the_battery() -> None:
    assert verdict(deal(shuffled)) == {}


def any_with_any(cards: Sequence[int], words: Iterator[int]) -> Deck:
    """The usual mistake: each place changes with any place at all."""
    order = list(cards)
    for place in range(52):
        other = next(words) % 52
        order[place], order[other] = order[other], order[place]
    return order


def never_stays(cards: Sequence[int], words: Iterator[int]) -> Deck:
    """Another: a card never changes with itself, so only cycles come out."""
    order = list(cards)
    for last in range(51, 0, -1):
        place = next(words) % last
        order[last], order[place] = order[place], order[last]
    return order


def few_bits(cards: Sequence[int], words: Iterator[int]) -> Deck:
    """And another: all places from one word, so that only 65,536 orders are possible."""
    word = next(words)
    return shuffled(cards, (word * (at + 7) * 2_654_435_761 >> 8 & 0xFFFF for at in range(10_000)))


@pytest.mark.parametrize("wrong", [any_with_any, never_stays, few_bits])
def test_rng_5_the_battery_finds_shuffles_that_are_wrong(wrong: Shuffler) -> None:
    assert verdict(deal(wrong)) != {}
