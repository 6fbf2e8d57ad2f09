"""Seats of players who are gone (DSC-1, DSC-2)."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client import Client
from podium.house.reports import Records
from podium.house.table import TableConfig
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, play
from tests.terminal import on_a_loop

ONE_SEAT = msgspec.structs.replace(
    CONFIG, tables={"t1": msgspec.structs.replace(QUICK, places=1, seat_kept_minutes=3, close_betting_early=False)}
)
MINUTE = 60_000


async def seated(browser: Browser) -> Client:
    """A terminal whose player has a seat."""
    terminal = await (await browser.terminal()).__aenter__()
    await terminal.watch("t1")
    await terminal.join()
    return terminal


async def look(served: Served, later: int) -> None:
    """Lets time pass, and the house look around; then waits for the table's turn."""
    assert served.opened is not None
    while not served.opened.floor.podiums:  # its tables are just being opened
        await asyncio.sleep(0)
    served.pass_time(later)
    await served.opened.reception.vigil.look()
    await served.opened.floor.at_table("t1", lambda now: None)


async def gone(served: Served, terminal: Client, player: str) -> None:
    """The line is lost, and the house has noticed."""
    assert served.opened is not None
    await terminal.__aexit__(None, None, None)
    while served.opened.floor.presence.away_since(player) is None:
        await asyncio.sleep(0)


@on_a_loop
async def test_dsc_1_who_is_gone_for_long_gives_the_seat_back(tmp_path: Path) -> None:
    async with a_house(tmp_path, ONE_SEAT) as served:
        ann, name = await served.guest()
        bob, other = await served.guest()
        await gone(served, await seated(ann), name)
        async with await bob.terminal() as waiting:
            await waiting.watch("t1")
            with pytest.raises(Refused, match="All 1 seats of this table are taken"):
                await waiting.join()
            await look(served, 2 * MINUTE)
            assert served.house.table("t1").seats == {name: 1}
            await look(served, MINUTE)
            assert served.house.table("t1").seats == {}
            assert await waiting.join() == 1
            await look(served, 60 * MINUTE)
            assert served.house.table("t1").seats == {other: 1}


@on_a_loop
async def test_dsc_3_who_comes_back_in_time_has_the_seat(tmp_path: Path) -> None:
    async with a_house(tmp_path, ONE_SEAT) as served:
        ann, name = await served.guest()
        await gone(served, await seated(ann), name)
        await look(served, 2 * MINUTE)
        async with await ann.terminal():
            await look(served, 60 * MINUTE)
            assert served.house.table("t1").seats == {name: 1}


@on_a_loop
async def test_dsc_2_a_wager_in_play_keeps_the_seat_until_the_round_is_over(tmp_path: Path) -> None:
    async with a_house(tmp_path, ONE_SEAT) as served:
        ann, name = await served.guest()
        terminal = await seated(ann)
        await play(terminal, {"blackjack": 1_000}, lambda: served.house.in_play(name))
        await gone(served, terminal, name)
        table = served.house.table("t1")
        # Nobody moves the clock here, so betting stays open: only the house looks around, an hour later.
        assert served.opened is not None
        served.opened.floor.free_seats(served.clock() + 60 * MINUTE)
        await served.opened.floor.at_table("t1", lambda now: None)
        assert table.seats == {name: 1}
        while not table.between_rounds or table.round_number == 0:
            served.pass_time(MINUTE)
            await served.opened.floor.at_table("t1", lambda now: None)
        await look(served, 0)
        assert table.seats == {}
        assert not served.house.in_play(name)


@on_a_loop
async def test_dsc_1_who_does_not_come_back_after_a_restart_gives_the_seat_back(tmp_path: Path) -> None:
    async with a_house(tmp_path, ONE_SEAT) as served:
        ann, name = await served.guest()
        await seated(ann)
        await served.restart()
        assert served.house.table("t1").seats == {name: 1}
        await look(served, 3 * MINUTE)
        assert served.house.table("t1").seats == {}
        assert served.opened is not None
        records = Records()
        await served.opened.store.read(records.catch_up)
        [stay] = records.stays.of[name]
        assert stay.until is not None


@pytest.mark.parametrize("minutes", [0, -1, 1441])
def test_a_time_that_no_seat_can_be_kept_is_refused(minutes: Any) -> None:
    with pytest.raises(Refused, match="seat_kept_minutes"):
        TableConfig("mega-blackjack", seat_kept_minutes=minutes).check()


@on_a_loop
async def test_whose_turn_comes_with_anothers_decision_is_asked_at_once(tmp_path: Path) -> None:
    """Nobody's time runs out here: who is not shown the question waits until the test fails."""
    in_turn = msgspec.structs.replace(QUICK, game="match-up-blackjack", options={}, result_seconds=0)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": in_turn})) as served:
        terminals = [await seated((await served.guest())[0]) for _ in range(3)]
        table = served.house.tables["t1"]
        await asyncio.gather(
            *(play(terminal, {"blackjack": 200}, lambda: table.round_number > 3) for terminal in terminals)
        )
        for terminal in terminals:
            await terminal.__aexit__(None, None, None)
