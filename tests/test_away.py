"""A house in PostgreSQL: its server is stopped and started under real terminals, and nobody else may serve from its database."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.record import limits
from podium.record.journal import Chain
from podium.record.store import Away, GroupCommit, Unavailable, open_book
from tests.history import notes_of
from tests.postgres import StoppingPostgres, postgres_that_stops
from tests.terminal import on_a_loop
from tests.torture.bots import Bot, check_acknowledged, come_in, still_running
from tests.torture.house import TABLES, ServedHouse, free_port


@pytest.fixture
def stopping() -> Iterator[StoppingPostgres]:
    with postgres_that_stops() as server:
        yield server


async def health(house: ServedHouse) -> tuple[int, dict[str, Any]]:
    async with aiohttp.ClientSession() as session, session.get(f"{house.pages}/api/health") as answer:
        return answer.status, await answer.json()


async def until_told(bots: list[Bot], tasks: list["asyncio.Task[None]"], more: int) -> None:
    wanted = {bot: len(bot.acknowledged) + more for bot in bots}
    async with asyncio.timeout(60):
        while any(len(bot.acknowledged) < wanted[bot] for bot in bots):
            await still_running(tasks)
            await asyncio.sleep(0.05)


@on_a_loop
async def test_int_1_a_store_that_goes_away_pauses_play_and_loses_nothing(
    tmp_path: Path, stopping: StoppingPostgres
) -> None:
    """The process goes on, terminals and health are told, and when the server is back so is play."""
    tables = {name: TABLES[name] for name in ("stadium-1", "three-1")}
    house = ServedHouse(
        tmp_path,
        stopping.url,
        free_port(Random("away")),
        HouseConfig(guests=True, guest_credit=1_000_000_00, tables=tables),
    )
    await asyncio.to_thread(house.start)
    seats = await come_in(house.pages, 8)
    bots = [Bot(seat, list(tables)[number % 2], f"away {number}") for number, seat in enumerate(seats)]
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        await until_told(bots, tasks, 1)
        for _ in range(2):
            await asyncio.to_thread(stopping.stop)
            async with asyncio.timeout(20):
                while not all(bot.house is not None and bot.house.standstill for bot in bots):
                    await asyncio.sleep(0.05)
            status, body = await health(house)
            assert (status, body["store"]["state"], body["store"]["kind"]) == (503, "failing", "postgresql")
            assert body["store"]["why"]["key"] == "health.store-away"
            assert "failing" in {table["state"] for table in body["tables"]}
            told = sum(len(bot.acknowledged) for bot in bots)
            await asyncio.sleep(1)
            assert sum(len(bot.acknowledged) for bot in bots) == told, "nobody is told of what is not stored"
            await asyncio.to_thread(stopping.start)
            await until_told(bots, tasks, 1)
            assert not any(bot.house is not None and bot.house.standstill for bot in bots)
            assert (await health(house))[0] == 200
            assert house.running
        house.kill()
        house.prove()
        assert house.witness is not None
        assert house.witness.outages.given_back > 0, "no time ran while the store was away (DSC-2)"
        assert check_acknowledged(bots, house.witness.facts) > 0
        house.verify()
        book = open_book(stopping.url, writable=False)
        outages = [note for note in notes_of(book) if note.kind == "outage" and note.source == "store"]
        book.close()
        assert len(outages) == 2
        assert outages[0].reason.startswith("The PostgreSQL store does not answer: ")
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if house.running:
            house.kill()


@on_a_loop
async def test_a_store_that_stays_away_is_given_up_after_a_bounded_time(
    stopping: StoppingPostgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_STORE_AWAY_SECONDS", 1)
    told: list[str | None] = []
    store = GroupCommit(open_book(stopping.url, alone=True), told=told.append)
    chain = Chain("t1")
    await store.append([chain.add(1, "noted", b"{}")])
    await asyncio.to_thread(stopping.stop)
    with pytest.raises(Away, match="does not answer"):
        await asyncio.wait_for(store.append([chain.add(2, "noted", b"{}")]), 20)
    with pytest.raises(Away, match="does not answer"):
        await asyncio.wait_for(store.find(lambda book: book.heads()), 20)
    assert told
    assert None not in told
    await asyncio.to_thread(stopping.start)
    await store.close()


@on_a_loop
async def test_led_2_what_was_written_before_the_answer_was_lost_is_not_written_again(postgres_url: str) -> None:
    """The commit arrives and its answer does not: the house looks before it writes again."""
    book = open_book(postgres_url, alone=True)
    write, lost = book.write, [2]

    def losing(appends: Any) -> list[Exception | None]:
        outcomes = write(appends)
        if lost[0]:
            lost[0] -= 1
            return [Away("The answer was lost.")] * len(appends)
        return outcomes

    book.write = losing  # type: ignore[method-assign]
    told: list[str | None] = []
    store = GroupCommit(book, told=told.append)
    chain = Chain("t1")
    for number in range(5):
        await store.append([chain.add(number, "noted", b"{}")])
    assert await store.find(lambda book: [entry.time for entry in book.entries("t1")]) == [0, 1, 2, 3, 4]
    assert told == ["The answer was lost.", None] * 2
    await store.close()


def test_a_second_house_on_the_same_database_is_refused(tmp_path: Path, postgres_url: str) -> None:
    tables = {"stadium-1": TABLES["stadium-1"]}
    house = ServedHouse(
        tmp_path / "one", postgres_url, free_port(Random("second")), HouseConfig(guests=True, tables=tables)
    )
    house.start()
    try:
        command = [sys.executable, "-m", "podium", "serve", "--data", str(tmp_path / "two"), "--port", "0"]
        second = subprocess.run(
            [*command, "--database", postgres_url], capture_output=True, text=True, check=False, timeout=60
        )
        assert second.returncode == 1
        [line] = [line for line in second.stderr.splitlines() if not line.startswith("{")]
        assert line.startswith(
            "The house cannot open: Another house serves from this database: it has been connected from"
        )
        assert line.endswith("to wait for its end, or give this house a database of its own.")
        assert house.running
    finally:
        house.kill()
    with pytest.raises(AssertionError):  # the first is gone, so the database is free again
        _refused(postgres_url)


def _refused(url: str) -> None:
    try:
        open_book(url, alone=True).close()
    except Unavailable:
        return
    raise AssertionError("nobody else has it")


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://db.example/house", "is not the address of a database: it is like postgresql://"),
        ("postgresql://%zz", "This is not a PostgreSQL address: "),
        ("postgresql://127.0.0.1:1/house", "The house cannot open: The PostgreSQL store does not answer: "),
    ],
)
def test_a_wrong_address_is_one_sentence(tmp_path: Path, address: str, said: str) -> None:
    command = [sys.executable, "-m", "podium", "serve", "--data", str(tmp_path), "--port", "0", "--database", address]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode in (1, 2)
    [line] = [line for line in ran.stderr.splitlines() if not line.startswith("{")]
    assert said in line


def test_a_missing_driver_is_one_sentence(tmp_path: Path) -> None:
    """As on a machine where `podium` was installed without it."""
    (tmp_path / "psycopg.py").write_text("raise ImportError('no psycopg')")
    command = [sys.executable, "-m", "podium", "verify", "postgresql://db.example/house"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)
    assert (ran.returncode, ran.stderr) == (
        2,
        "A house in PostgreSQL needs the driver, which is not installed: pip install 'podium[postgres]'.\n",
    )


def test_the_refusal_names_no_password() -> None:
    with pytest.raises(Refused) as refused:
        open_book("mysql://podium:secret@db.example/house")
    assert "secret" not in str(refused.value)
