"""A player who is away delays nobody (DSC-2), over real sockets: lines are dropped in mid-decision, and the house
restarts."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from podium.client import Client
from podium.house import HouseConfig
from podium.play.events import TimeExpired
from podium.rules.asking import Decisions
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, until
from tests.server.test_seats import gone, seated
from tests.terminal import on_a_loop

SECOND = 1_000


def a_table(**changes: Any) -> HouseConfig:
    """One table whose times are far longer than a slow test: only a test lets them pass."""
    slow = {"decision_seconds": 600, "insurance_seconds": 600, "absent_seconds": 60, "result_seconds": 600, **changes}
    return msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(QUICK, **slow)})


def asked(served: Served) -> set[int]:
    """The seats that are asked how to play."""
    table = served.house.table("t1")
    if table.between_rounds or not isinstance(table.in_play.awaits, Decisions) or table.in_play.dealing.insuring:
        return set()
    return set(table.in_play.awaits)


def timed_out(served: Served) -> list[TimeExpired]:
    return [event for event in served.house.table("t1").round.events if isinstance(event, TimeExpired)]


async def so(served: Served, is_so: Callable[[], bool]) -> None:
    """Until it is so in the house."""
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.01)


async def turn(served: Served, later: int = 0) -> None:
    """Lets time pass when all that has happened is stored, and waits for the table's turn: a store that takes minutes gives
    them back."""
    assert served.opened is not None
    for passes in (0, later):
        served.pass_time(passes)
        await served.opened.floor.at_table("t1", lambda now: None)


async def until_asked(served: Served, *terminals: Client) -> None:
    """Plays until every one of these is asked how to play, in the same step."""
    wanted = {terminal.seat.seat for terminal in terminals if terminal.seat is not None}
    answered: dict[Client, Any] = {}
    while asked(served) != wanted:
        if served.house.table("t1").phase() == "result":
            await turn(served, 600 * SECOND)
        for terminal in terminals:
            open_turn = terminal.turn()
            if open_turn is None or open_turn.key == answered.get(terminal) or asked(served) == wanted:
                continue
            answered[terminal] = open_turn.key
            if open_turn.question is None:
                await terminal.bet({"blackjack": 1_000})
            elif "decline" in open_turn.question.allowed:
                await terminal.decide("decline")
        await asyncio.sleep(0.005)


@on_a_loop
async def test_dsc_2_a_lost_line_delays_nobody_and_a_player_who_is_there_keeps_the_full_time(tmp_path: Path) -> None:
    async with a_house(tmp_path, a_table()) as served:
        ann, name = await served.guest()
        bob, _ = await served.guest()
        lost, there = await seated(ann), await seated(bob)
        await until_asked(served, lost, there)
        both, before = asked(served), len(timed_out(served))
        await gone(served, lost, name)
        await turn(served, 300 * SECOND)
        assert asked(served) == both, "Bob is there, and has his full time"
        await until(there, lambda: (found := there.turn()) is not None and found.question is not None)
        await there.decide("stand")
        await so(served, lambda: len(timed_out(served)) > before)
        assert timed_out(served)[before] == TimeExpired((1,))
        await there.__aexit__(None, None, None)


@on_a_loop
async def test_dsc_2_when_everybody_is_away_the_table_waits_for_the_absent_seconds_and_no_longer(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path, a_table()) as served:
        ann, name = await served.guest()
        terminal = await seated(ann)
        await until_asked(served, terminal)
        before = len(timed_out(served))
        await gone(served, terminal, name)
        await turn(served, 20 * SECOND)
        assert asked(served) == {1}
        async with await ann.terminal():
            await turn(served, 100 * SECOND)
            assert asked(served) == {1}, "Ann is back, and has her full time"
        await so(served, lambda: served.opened.floor.presence.away_since(name) is not None)  # type: ignore[union-attr]
        await turn(served, 61 * SECOND)
        assert timed_out(served)[before] == TimeExpired((1,))


@on_a_loop
async def test_dsc_2_a_table_that_sleeps_is_woken_by_the_loss_of_a_line(tmp_path: Path) -> None:
    """Nobody moves the clock here."""
    async with a_house(tmp_path, a_table(absent_seconds=0.1)) as served:
        ann, name = await served.guest()
        terminal = await seated(ann)
        await until_asked(served, terminal)
        before = len(timed_out(served))
        await gone(served, terminal, name)
        await so(served, lambda: len(timed_out(served)) > before)


async def asked_over_a_restart(served: Served, player: Browser) -> int:
    """A player is asked, loses the connection, and the house restarts. How often time had run out before."""
    terminal = await seated(player)
    await until_asked(served, terminal)
    before = len(timed_out(served))
    await terminal.__aexit__(None, None, None)
    await served.restart()
    await so(served, lambda: bool(served.opened.floor.podiums))  # type: ignore[union-attr]
    return before


@on_a_loop
async def test_dsc_2_a_restart_of_the_house_cuts_nobody_short(tmp_path: Path) -> None:
    async with a_house(tmp_path, a_table()) as served:
        ann, name = await served.guest()
        before = await asked_over_a_restart(served, ann)
        await turn(served, 400 * SECOND)
        assert asked(served) == {1}, "the house was away, and Ann has her full time"
        async with await served.moved(ann).terminal() as back:
            await back.watch("t1")
            await until(back, lambda: (found := back.turn()) is not None and found.question is not None)
            await back.decide("stand")
            await so(served, lambda: not served.house.in_play(name))
        assert len(timed_out(served)) == before


@on_a_loop
async def test_dsc_2_who_does_not_come_back_after_a_restart_is_away_when_the_full_time_is_over(tmp_path: Path) -> None:
    async with a_house(tmp_path, a_table()) as served:
        ann, _ = await served.guest()
        before = await asked_over_a_restart(served, ann)
        await turn(served, 601 * SECOND)
        assert timed_out(served)[before:] == [TimeExpired()]


@on_a_loop
async def test_a_leaver_is_shown_the_credit_after_the_result(tmp_path: Path) -> None:
    async with a_house(tmp_path, a_table(absent_seconds=0)) as served:
        ann, name = await served.guest()
        async with await ann.terminal() as terminal:
            await terminal.watch("t1")
            returned = 0
            while not returned:
                await terminal.join()
                await until(terminal, lambda: terminal.seat is not None and terminal.seat.seat is not None)
                await until_asked(served, terminal)
                staked = served.house.credit(name)
                await terminal.leave()
                await so(served, lambda: name not in served.house.table("t1").seats)
                async with asyncio.timeout(10):
                    await until(terminal, lambda: terminal.seat.credit == served.house.credit(name))  # type: ignore[union-attr]
                returned = served.house.credit(name) - staked
            assert terminal.seat is not None
            assert terminal.seat.seat is None
