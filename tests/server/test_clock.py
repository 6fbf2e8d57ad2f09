"""TIME-1, TIME-2: the house's clock goes on by the time that passes, whatever the system's clock is set to."""

from pathlib import Path

import msgspec
import pytest

from podium.server import vigil
from podium.server.clock import HouseClock
from tests.server.served import CONFIG, QUICK, a_house
from tests.terminal import on_a_loop

HOUR_MS = 3_600_000


def test_time_2_the_clock_of_the_house_counts_what_passes_and_not_what_is_set() -> None:
    system, elapsed = [1_000_000], [50]
    clock = HouseClock(lambda: system[0], lambda: elapsed[0])
    assert clock() == 1_000_000
    system[0] += HOUR_MS
    assert (clock(), clock.behind_system) == (1_000_000, HOUR_MS)
    elapsed[0] += 7
    system[0] += 7 - 2 * HOUR_MS
    assert (clock(), clock.behind_system) == (1_000_007, -HOUR_MS)


def test_time_1_the_clock_of_the_house_never_stands_before_its_journal() -> None:
    clock = HouseClock(lambda: 1_000, lambda: 0)
    clock.never_before(900)
    assert clock() == 1_000
    clock.never_before(5_000)
    assert (clock(), clock.behind_system) == (5_000, -4_000)


@pytest.mark.parametrize("hours", [-24, -1, 0, 24])
@on_a_loop
async def test_time_1_time_2_the_time_that_is_left_survives_a_restart_with_a_clock_that_was_set(
    tmp_path: Path, hours: int
) -> None:
    """Nobody gets an hour to bet, and nobody less than what was left when the house ended."""
    slow = msgspec.structs.replace(QUICK, betting_seconds=60)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": slow})) as served:
        browser, _ = await served.guest()
        async with await browser.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            while terminal.view.phase != "betting":
                await terminal.changed()
        table = served.house.table("t1")
        assert served.opened is not None
        left = table.deadline - served.opened.floor.clock()
        served.set_by += hours * HOUR_MS
        await served.restart()
        table = served.house.table("t1")
        assert left - 20_000 < table.deadline - served.opened.floor.clock() <= left + 1_000


@on_a_loop
async def test_time_2_it_is_noted_when_nothing_keeps_the_clock_right_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = [True]
    monkeypatch.setattr(vigil, "is_kept_right", lambda: state[0])
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for kept_right in (True, False, False, True):
            state[0] = kept_right
            await served.opened.reception.vigil.look()
        noted = [note.reason for note in await served.notes() if note.kind == "clock-changed"]
        assert noted == [
            "the system does not know whether its clock is right",
            "the system knows whether its clock is right",
        ]
