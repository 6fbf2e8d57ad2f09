"""RNG-11: the generator is tested while it is used, and one that fails deals no card."""

from collections.abc import Iterator
from math import ceil

import pytest
from scipy import stats

from podium.basics.refusal import Refused
from podium.record.generator import (
    FALSE_ALARM_BITS,
    PROPORTION_CUTOFF,
    REPETITION_CUTOFF,
    START_BYTES,
    WINDOW_BYTES,
    Generator,
)
from tests.entropy import repeatable
from tests.floor import TestHouse, stadium


class Breaking:
    """A sound source that gives something else from its nth byte on."""

    def __init__(self, sound_bytes: int, broken: Iterator[int]) -> None:
        self._sound, self._left, self._broken = repeatable("generator"), sound_bytes, broken

    def __call__(self, length: int) -> bytes:
        sound = self._sound(min(self._left, length))
        self._left -= len(sound)
        return sound + bytes(next(self._broken) for _ in range(length - len(sound)))


def stuck() -> Iterator[int]:
    while True:
        yield 7


def favouring(every: int) -> Iterator[int]:
    """One byte in so many is 7; the others never repeat right after each other."""
    at = 0
    while True:
        at += 1
        yield 7 if at % every == 0 else 8 + at % 200


def until_refused(generator: Generator) -> tuple[bytes, Refused]:
    """Everything that a generator gave before it refused, and the refusal."""
    given = b""
    for _ in range(5_000):
        try:
            given += generator(64)
        except Refused as refusal:
            return given, refusal
    raise AssertionError("The generator passed.")


def test_the_cutoffs_are_those_of_sp_800_90b() -> None:
    entropy_bits, chance = 8, 2.0**-FALSE_ALARM_BITS
    assert 1 + ceil(FALSE_ALARM_BITS / entropy_bits) == REPETITION_CUTOFF
    assert 1 + stats.binom.isf(chance, WINDOW_BYTES, 2.0**-entropy_bits) == PROPORTION_CUTOFF
    assert START_BYTES >= 1024


def test_rng_11_a_sound_generator_passes_and_gives_what_its_source_gives() -> None:
    generator, source = Generator(repeatable("sound")), repeatable("sound")
    source(START_BYTES)  # tested at the start and not used
    assert [generator(1024) for _ in range(300)] == [source(1024) for _ in range(300)]


@pytest.mark.parametrize("sound_bytes", [0, 100, START_BYTES, START_BYTES + 5_000])
def test_rng_11_a_stuck_generator_is_found_before_its_bytes_are_used(sound_bytes: int) -> None:
    given, refusal = until_refused(Generator(Breaking(sound_bytes, stuck())))
    assert refusal.phrase.key == "refused.generator-repeats"
    assert b"\x07" * REPETITION_CUTOFF not in given


@pytest.mark.parametrize("every", [3, 9, 19])
def test_rng_11_a_generator_that_favours_a_value_is_found(every: int) -> None:
    _, refusal = until_refused(Generator(Breaking(START_BYTES + 3 * WINDOW_BYTES - 1, favouring(every))))
    assert refusal.phrase.key == "refused.generator-favours"


def only(*samples: int) -> Iterator[int]:
    """These bytes, and then all values in turn."""
    yield from samples
    while True:
        yield from range(256)


@pytest.mark.parametrize(("repeated", "fails"), [(REPETITION_CUTOFF - 1, False), (REPETITION_CUTOFF, True)])
def test_rng_11_the_repetition_test_fails_at_its_cutoff(repeated: int, fails: bool) -> None:
    generator = Generator(Breaking(0, only(*[255] * repeated)))
    if fails:
        with pytest.raises(Refused, match="repeats itself"):
            generator(1)
    assert fails or generator(1)


@pytest.mark.parametrize(("times", "fails"), [(PROPORTION_CUTOFF - 1, False), (PROPORTION_CUTOFF, True)])
def test_rng_11_the_proportion_test_fails_at_its_cutoff(times: int, fails: bool) -> None:
    # A window begins with the value that is counted in it; here it comes that often, and the others follow in turn.
    window = [255, *([0, 255] * (times - 1)), *(1 + at % 250 for at in range(WINDOW_BYTES - 2 * times + 1))]
    assert (len(window), window.count(255)) == (WINDOW_BYTES, times)
    generator = Generator(Breaking(0, only(*window)))
    if fails:
        with pytest.raises(Refused, match="favours a value"):
            generator(1)
    assert fails or generator(1)


def test_rng_11_a_generator_that_failed_once_gives_nothing_more() -> None:
    def broken_for_a_while() -> Iterator[int]:
        yield from [7] * 64
        yield from favouring(10_000)

    generator = Generator(Breaking(START_BYTES, broken_for_a_while()))
    for _ in range(5):
        with pytest.raises(Refused, match="repeats itself"):
            generator(64)


def test_rng_11_a_table_whose_generator_fails_pauses_and_deals_no_more() -> None:
    house = TestHouse(t1=stadium())
    house.shuffler._entropy = Generator(Breaking(0, stuck()))  # type: ignore[misc]
    house.player("ann")
    house.step()
    table = house.table()
    assert (table.is_open, table.paused, table.shoe) == (False, True, None)
    assert table.notice.key == "generator-repeats"
    # Opened again, it tries to shuffle again, and rests again.
    house.at("t1", lambda table: table.open(house.now, by="olga"))
    house.step()
    assert not house.table().is_open
