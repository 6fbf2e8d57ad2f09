"""The plan of a hundred venues: its simulations agree with what can be calculated, and its page with the program."""

from itertools import pairwise, repeat
from pathlib import Path
from random import Random
from statistics import mean

import pytest
from bench.plan import (
    MEASURED,
    SLICE_MESSAGES,
    TURN_MS,
    YEAR_SECONDS,
    Failure,
    carried_out,
    committed,
    lines,
    parts,
    waits,
    year,
)

PAGE = (Path(__file__).parent.parent / "docs" / "planning.md").read_text(encoding="utf-8")


def test_the_page_has_what_the_program_prints() -> None:
    assert "\n".join(lines(100, 10_000, 10, 1)) in PAGE, (
        "put the output of `python -m bench.plan` into docs/planning.md"
    )


@pytest.mark.parametrize("busy", [0.3, 0.7])
def test_commands_wait_for_a_processor_as_long_as_the_theory_of_queues_says(busy: float) -> None:
    """Pollaczek and Khinchine: with random arrivals and equal services the mean wait is busy * service / (2 - 2 * busy)."""
    random, at, arrivals = Random(1), 0.0, []
    for _ in range(40_000):
        at += random.expovariate(busy)
        arrivals.append(at)
    done = carried_out(arrivals, 1.0, [], 0.0)
    waited = mean(end - begin - 1.0 for begin, end in done)
    assert waited == pytest.approx(busy / (2 - 2 * busy), rel=0.1)


def test_what_is_shown_holds_a_command_up_for_one_slice_at_most() -> None:
    [(came, done)] = carried_out([0.1], 1.0, [(0.0, 100 * SLICE_MESSAGES)], 0.01)
    assert done - came <= SLICE_MESSAGES * 0.01 + 1.0


def test_a_batch_is_what_came_while_the_last_one_was_written() -> None:
    assert committed([0.0], 7.0, 0.5) == [7.5]
    carried = [0.0, 1.0, 2.0, 100.0]
    durable = committed(carried, 7.0, 0.5)
    assert durable == [7.5, TURN_MS + 8.0, TURN_MS + 8.0, 107.5]
    many = committed([float(each) for each in range(1_000)], 7.0, 0.02)
    assert all(end >= came + 7.0 for came, end in zip(range(1_000), many, strict=True))
    assert all(later == earlier or later > earlier + TURN_MS - 1 for earlier, later in pairwise(many))


def test_more_terminals_wait_longer_and_many_tables_less_long_than_one() -> None:
    small, large, spread = (
        waits(count, tables, MEASURED, Random(1), 1) for count, tables in ((500, 1), (4_000, 1), (4_000, 8))
    )
    assert small.most < large.most
    assert spread.most < large.most
    assert large.busy == pytest.approx(8 * small.busy, rel=0.1)


def test_a_year_of_failures_is_as_long_as_they_are_on_average() -> None:
    failures = [Failure("often", 12, (5, 15)), Failure("for some", 4, (100, 100), share=0.5)]
    saw = year(2_000, failures, Random(1))
    assert mean(saw.waited) == pytest.approx(12 * 10 + 4 * 50, rel=0.05)
    assert saw.times == pytest.approx(16, rel=0.05)
    assert list(saw.waited) == sorted(saw.waited)


def test_failures_at_once_are_counted() -> None:
    assert year(50, [Failure("never over", 1_000, (YEAR_SECONDS, YEAR_SECONDS))], Random(1)).at_once > 50
    assert year(50, [], Random(1)) == ([0.0] * 50, 0, 0)


def test_a_venue_of_twice_the_size_needs_twice_as_much() -> None:
    one, two = parts(5_000, MEASURED), parts(10_000, MEASURED)
    for small, large, times in zip(one, two, [*repeat(2.0, 3), None, 2.0, 2.0, None], strict=True):
        assert times is None or large == pytest.approx(times * small)
    assert two.gateway_processes >= one.gateway_processes >= 2
