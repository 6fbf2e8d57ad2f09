"""Health knows: for each table and each part of the house, whether it does what it should, and why not."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.words import Phrase
from podium.cli.backups import back_up
from podium.house.table import TableConfig
from podium.server.podium import Work
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, play
from tests.terminal import on_a_loop

HOUR = 3_600_000
DAYS_2 = 48 * HOUR
AUTOMATED = TableConfig(game="stadium-blackjack", betting_seconds=0.3, result_seconds=0.1, card_seconds=0.01)
LIVE = msgspec.structs.replace(QUICK, dealer="live")


async def health(browser: Browser) -> tuple[int, dict[str, Any]]:
    said = await browser.get("/api/health")
    return said.status, said.body


def table_of(body: dict[str, Any], name: str = "t1") -> dict[str, Any]:
    [table] = [table for table in body["tables"] if table["table"] == name]
    return dict(table)


def why(part: dict[str, Any]) -> str:
    return str(msgspec.convert(part["why"], Phrase))


async def look(served: Served) -> None:
    assert served.opened is not None
    await served.opened.reception.vigil.look()


@pytest.mark.parametrize("days", [-2, 2])
@on_a_loop
async def test_time_2_a_clock_that_is_set_stops_and_hurries_no_table_and_is_told(tmp_path: Path, days: int) -> None:
    """A clock set back two days froze automated tables; one set on ended everybody's time."""
    config = msgspec.structs.replace(CONFIG, tables={"t1": AUTOMATED, "idle": QUICK})
    async with a_house(tmp_path, config) as served:
        browser, _ = await served.guest()
        async with await browser.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 500}, lambda: terminal.view.phase == "result")
            before = served.house.table("t1").last_at
            served.set_by = days * DAYS_2 // 2
            seen = terminal.view.number
            while terminal.view.number == seen:
                await terminal.changed()
            assert abs(served.house.table("t1").last_at - before) < 60_000
            status, body = await health(browser)
            assert (status, table_of(body)["state"], body["clock"]["state"]) == (200, "well", "warning")
            way = "ahead of" if days > 0 else "behind"
            assert f"seconds {way} the house's own clock, which runs on unchanged" in why(body["clock"])
            await look(served)
            noted = {note.source: note for note in await served.notes() if note.kind == "health-changed"}
            assert noted["clock"].after == "warning"


@on_a_loop
async def test_a_table_that_waits_for_somebody_says_for_whom(tmp_path: Path) -> None:
    config = msgspec.structs.replace(CONFIG, tables={"t1": QUICK, "live": LIVE})
    async with a_house(tmp_path, config) as served:
        operator = await served.operator()
        _, body = await health(operator)
        assert why(table_of(body)) == "Nobody sits at the table."
        assert why(table_of(body, "live")) == "The table waits for a dealer to sign in at it."
        await operator.done("/api/floor/tables/t1", state="closed", why="end-of-day")
        status, body = await health(operator)
        assert (status, why(table_of(body))) == (200, "The table is closed.")


@on_a_loop
async def test_a_table_that_is_late_fails(tmp_path: Path) -> None:
    """A table's turn that does not end is not progress, whatever the reason."""
    async with a_house(tmp_path) as served:
        browser, _ = await served.guest()
        assert served.opened is not None
        async with await browser.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            podium = served.opened.floor.podiums["t1"]
            hung = asyncio.Event()
            keep = served.opened.floor.keep

            async def hang() -> None:
                await hung.wait()
                await keep()

            served.opened.floor.keep = hang  # type: ignore[method-assign]
            podium.put(Work(lambda now: None, lambda result: None, lambda refusal: None))
            await asyncio.sleep(0.05)
            served.later += 75_000
            status, body = await health(browser)
            assert (status, why(table_of(body))) == (
                503,
                "The table should have gone on by itself 15 seconds ago.",
            )
            served.opened.floor.keep = keep  # type: ignore[method-assign]
            hung.set()


@on_a_loop
async def test_the_disk_warns_at_the_configured_rest(tmp_path: Path) -> None:
    full = msgspec.structs.replace(CONFIG, disk_rest_mb=10**9)
    async with a_house(tmp_path, full) as served:
        operator = await served.operator()
        status, body = await health(operator)
        assert (status, body["state"], body["well"]) == (200, "warning", True)
        assert why(body["disk"]).endswith(
            "MB are free on the disk with the data of the house, less than the required 1000000000 MB."
        )
        for _ in range(2):
            await look(served)
        noted = [note for note in await served.notes() if note.kind == "health-changed"]
        assert [(note.source, note.after) for note in noted] == [("disk", "warning")]
        text = (await operator.get("/metrics")).body
        assert 'podium_health{part="disk"} 1.0' in text.splitlines()


@on_a_loop
async def test_bak_1_a_backup_that_is_due_is_told_until_it_is_made(tmp_path: Path) -> None:
    daily = msgspec.structs.replace(CONFIG, backup_hours=24)
    async with a_house(tmp_path / "house", daily) as served:
        operator = await served.operator()
        _, body = await health(operator)
        assert why(body["backups"]) == "No backup is known; one is due every 24 hours."
        await operator.done("/api/record/backups")
        assert (await health(operator))[1]["backups"]["state"] == "well"
        served.pass_time(25 * HOUR)
        _, body = await health(operator)
        assert why(body["backups"]) == "The last backup is 25 hours old; one is due every 24 hours (BAK-1)."
        served.later = 0
        await served.restart()  # which must know of the backup from its journal
        operator = served.moved(operator)
        assert (await health(operator))[1]["backups"]["state"] == "well"
        before = (await health(operator))[1]["backups"]["made_at"]
        assert await asyncio.to_thread(back_up, str(tmp_path / "house"), tmp_path / "elsewhere.backup") == 0
        await look(served)
        assert (await health(operator))[1]["backups"]["made_at"] > before


@on_a_loop
async def test_evt_5_a_witness_that_does_not_come_is_missed(tmp_path: Path) -> None:
    watched = msgspec.structs.replace(CONFIG, witness_minutes=10)
    async with a_house(tmp_path, watched) as served:
        operator = await served.operator()
        assert (await health(operator))[1]["witness"]["state"] == "well"
        served.pass_time(11 * 60_000)
        _, body = await health(operator)
        assert why(body["witness"]).startswith(
            "No witness has fetched the checkpoints for 11 minutes; one is due every 10"
        )
        assert (await operator.get("/api/checkpoints")).status == 200
        assert (await health(operator))[1]["witness"]["state"] == "well"
