"""RNG-5: cards dealt by the real shuffle pass the statistics of a laboratory, at 99 % taken together.

The generator is replaced by a stream that is the same in every run, so the verdict is the same for everybody. Shuffles
that are known to be wrong show that the battery can fail.
"""

from collections.abc import Iterator, Sequence

import pytest

from podium.record.fair import shuffled, words_of
from tests.battery import SHOES, Deck, Shuffler, birthday_spacings, deal, verdict, with_a_cut
from tests.entropy import repeatable


def dealt(shuffler: Shuffler, decks: int = 1) -> list[Deck]:
    return deal(shuffler, words_of(repeatable("randomness")), decks=decks, shoes=SHOES[decks])


@pytest.mark.parametrize("decks", SHOES)
@pytest.mark.parametrize("shuffler", [shuffled, with_a_cut])
def test_rng_5_dealt_cards_pass_the_battery(shuffler: Shuffler, decks: int) -> None:
    assert verdict(dealt(shuffler, decks)) == {}


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
    assert verdict(dealt(wrong)) != {}


def test_rng_5_the_birthday_spacings_find_days_that_come_too_evenly() -> None:
    """Shoes whose first cards follow a lattice, as those of a bad linear generator do."""
    year = 52 * 51 * 50
    decks = []
    for at in range(SHOES[1]):
        first, rest = divmod(at * 1_021 % year, 51 * 50)
        left = list(range(52))
        three = [left.pop(place) for place in (first, *divmod(rest, 50))]
        decks.append([*three, *left])
    [chance] = birthday_spacings(decks)
    assert chance < 1e-6
