"""`podium device` as a process at a real house: lines over TCP, stutter, misreads, kill -9 of either (CARD-11, SEC-3)."""

import asyncio
import os
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession, CookieJar

from podium.basics.refusal import Refused
from podium.client import Client, connect
from podium.client.terminal import Disconnected
from podium.house import HouseConfig
from podium.wire.commands import AnswerReading, CloseBets, EnterCard, LoadShoe, NewGame, PlaceBet, ReadCard, TakePlace
from tests.server.served import PASSWORD, Browser, Served, a_house, until
from tests.server.test_approvals import LIVE, leave
from tests.terminal import on_a_loop
from tests.torture.house import ServedHouse, free_port

HELD = msgspec.structs.replace(
    LIVE, tables={"t1": msgspec.structs.replace(LIVE.tables["t1"], reading_hold_seconds=600)}
)
"""A hold so long that nothing counts by itself."""


@contextmanager
def adapter(address: str, token: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The adapter, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "podium", "device", "--house", address, *options],
        env={"PODIUM_DEVICE_TOKEN": token, "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if "--patience" in options else None,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return (await asyncio.to_thread(process.stdout.readline)).strip()


class Device:
    """A device at the adapter's TCP port."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._answers = self._socket.makefile("r")

    def say(self, line: str) -> None:
        self._socket.sendall(f"{line}\n".encode())

    async def asks(self, line: str) -> str:
        self.say(line)
        return await self.hears()

    async def hears(self) -> str:
        return (await asyncio.to_thread(self._answers.readline)).strip()

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


async def at_the_table(served: Served, operator: Browser) -> tuple[Client, Client, str]:
    """A dealer and a player in a round whose bets are closed, and the token of an enrolled shoe."""
    token = (await operator.done("/api/terminals", name="shoe-1", reads="t1"))["token"]
    dealer, (player, _) = await served.staff(operator, "dealer", "dana"), await served.guest()
    podium, seat = await dealer.terminal(), await player.terminal()
    await podium.__aenter__()
    await seat.__aenter__()
    await begin(podium, seat)
    return podium, seat, token


async def begin(podium: Client, seat: Client) -> None:
    for each in (podium, seat):
        await each.watch("t1")
    await podium.do(TakePlace)
    await podium.do(LoadShoe, cards=312)
    await seat.join()
    await podium.do(NewGame, round=1)
    await seat.do(PlaceBet, round=1, wagers={"blackjack": 500})
    await podium.do(CloseBets, round=1)


def shown(podium: Client) -> list[str]:
    return list(podium.view.cards)


@on_a_loop
async def test_card_11_a_device_over_tcp_stutters_and_each_card_counts_once(tmp_path: Path) -> None:
    async with a_house(tmp_path, HELD) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor")
        podium, seat, token = await at_the_table(served, operator)
        with adapter(f"http://127.0.0.1:{served.opened.port}", token, "--listen", "127.0.0.1:0") as process:  # type: ignore[union-attr]
            assert await said(process) == "READY t1"
            device = Device(int((await said(process)).removeprefix("LISTEN ")))
            assert await device.asks("HELLO run-7") == "READY t1"
            assert await device.asks("PING") == "PONG"
            assert (await device.asks("SHUFFLE")).startswith("ERR 'SHUFFLE' is not a line of a device")
            for _ in range(3):
                assert await device.asks("CARD 1 9s") == "OK 1"
            await until(podium, lambda: podium.table.held is not None and podium.table.held.card == "9s")
            assert shown(podium) == []
            assert await device.asks("CARD 2 6d") == "OK 2"
            await until(podium, lambda: shown(podium) == ["9s"])
            assert (await device.asks("CARD 4 5h")).startswith("NO 4 Reading 4 cannot be taken: reading 3 comes next.")
            assert (await device.asks("CARD 3 1z")).startswith("NO 3 ")
            device.say("CARD 3 5h")
            device.say("CARD 3 5h")
            assert [await device.hears(), await device.hears()] == ["OK 3", "OK 3"]
            await podium.do(EnterCard, round=1, number=3, card="4h")  # the shoe misread a four
            await until(podium, lambda: shown(podium) == ["9s", "6d", "4h"])
            device.close()
        [misread] = (await supervisor.get("/api/events", kind="misread")).body
        assert (misread["who"], misread["before"]) == ("dana", "5h")
        await leave(podium, seat)


@on_a_loop
async def test_card_11_a_device_that_does_not_count_goes_on_after_noise(tmp_path: Path) -> None:
    async with a_house(tmp_path, HELD) as served:
        podium, seat, token = await at_the_table(served, await served.operator())
        with adapter(f"http://127.0.0.1:{served.opened.port}", token, "--listen", "127.0.0.1:0") as process:  # type: ignore[union-attr]
            assert await said(process) == "READY t1"
            device = Device(int((await said(process)).removeprefix("LISTEN ")))
            assert await device.asks("CARD 9s") == "OK 1"
            for noise in ("CARD x", "CARD 1z"):
                assert (await device.asks(noise)).startswith("NO 2 ")
            assert await device.asks("CARD 6d") == "OK 2"
            await until(podium, lambda: shown(podium) == ["9s"])
            device.close()
        await leave(podium, seat)


@on_a_loop
async def test_card_11_a_killed_adapter_loses_nothing_and_deals_nothing_twice(tmp_path: Path) -> None:
    async with a_house(tmp_path, HELD) as served:
        podium, seat, token = await at_the_table(served, await served.operator())
        address = f"http://127.0.0.1:{served.opened.port}"  # type: ignore[union-attr]
        for line in ("CARD 1 9s", "CARD 2 6d"):
            with adapter(address, token) as process:
                assert await said(process) == "READY t1"
                assert process.stdin is not None
                for each in ("HELLO run-7", "CARD 1 9s", line):  # it does not know what was answered before
                    process.stdin.write(f"{each}\n")
                    process.stdin.flush()
                    assert await said(process) in ("READY t1", "OK 1", "OK 2")
        held = podium.table.held
        assert held is not None
        await podium.do(AnswerReading, reading=held.reading, answer="count")
        await until(podium, lambda: shown(podium) == ["9s", "6d"])
        await leave(podium, seat)


@on_a_loop
async def test_card_11_a_simulated_shoe_deals_a_round_with_misreads_that_the_dealer_corrects(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        podium, seat, token = await at_the_table(served, await served.operator())
        address = f"http://127.0.0.1:{served.opened.port}"  # type: ignore[union-attr]
        options = (
            "--simulated",
            "--pace",
            "0.1",
            "--misreads",
            "0.5",
            "--stutters",
            "0.5",
            "--seed",
            "3",
            "--cards",
            "3",
        )
        with adapter(address, token, *options) as process:
            assert await said(process) == "READY t1"
            drawn, misread = [], 0
            for number in range(1, 4):
                line = await said(process)
                drawn.append(line[:2])
                if "misread as" in line:
                    misread += 1
                    await podium.do(EnterCard, round=1, number=number, card=line[:2])
                await until(podium, lambda number=number: len(shown(podium)) == number)  # type: ignore[misc]
        assert shown(podium) == drawn
        assert misread
        await leave(podium, seat)


@on_a_loop
async def test_sec_3_only_the_enrolled_reader_of_a_table_reads_there(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        podium, seat, token = await at_the_table(served, operator)
        for terminal in (podium, seat):
            with pytest.raises(Refused, match="No card reader of table t1 is enrolled here"):
                await terminal.do(ReadCard, session="x", number=1, card="9s")
        assert (await operator.post("/api/terminals", name="shoe-2", reads="nowhere")).status == 422
        async with connect(f"ws://127.0.0.1:{served.opened.port}/ws", token) as reader:  # type: ignore[union-attr]
            await reader.watch("t1")
            with pytest.raises(Refused):
                await reader.do(EnterCard, round=1, number=1, card="9s")
            await reader.do(ReadCard, session="x", number=1, card="9s")
            await operator.ask("DELETE", "/api/terminals/shoe-1")
            with pytest.raises((Refused, Disconnected)):
                await reader.do(ReadCard, session="x", number=2, card="6d")
        await leave(podium, seat)


@on_a_loop
async def test_card_11_a_house_that_is_killed_comes_back_with_the_card_that_was_held(tmp_path: Path) -> None:
    """kill -9 of a served house between two readings: the adapter waits, and the round goes on."""
    config = HouseConfig(name="Killed", guests=True, tables=HELD.tables)
    house = ServedHouse(tmp_path, "", free_port(Random()), config)
    house.start()
    async with (
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as mine,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as hers,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as theirs,
    ):
        ask = _asking(house.pages)
        token = house.invitation.partition("#")[2]
        await ask(mine, "/api/invitations", token=token, password=PASSWORD)
        link = (await ask(mine, "/api/people", name="dana", role="dealer"))["invitation"].partition("#")[2]
        await ask(hers, "/api/invitations", token=link, password=PASSWORD)
        shoe = (await ask(mine, "/api/terminals", name="shoe-1", reads="t1"))["token"]
        await ask(theirs, "/api/guest")
        url = house.pages.replace("http", "ws") + "/ws"
        async with connect(url, _cookie(hers)) as podium, connect(url, _cookie(theirs)) as seat:
            await begin(podium, seat)
            with adapter(house.pages, shoe) as process:
                assert await said(process) == "READY t1"
                assert process.stdin is not None
                for line, answer in (("HELLO run-1", "READY t1"), ("CARD 1 9s", "OK 1"), ("CARD 2 6d", "OK 2")):
                    process.stdin.write(f"{line}\n")
                    process.stdin.flush()
                    assert await said(process) == answer
                await asyncio.to_thread(house.kill)
                process.stdin.write("CARD 2 6d\nCARD 3 5h\n")
                process.stdin.flush()
                await asyncio.to_thread(house.start)
                assert [await said(process), await said(process)] == ["OK 2", "OK 3"]
            await until(podium, lambda: shown(podium) == ["9s", "6d"])
            await until(podium, lambda: podium.table.held is not None and podium.table.held.card == "5h")
            held = podium.table.held
            assert held is not None
            await podium.do(AnswerReading, reading=held.reading, answer="count")
            await until(podium, lambda: shown(podium) == ["9s", "6d", "5h"])
    await asyncio.to_thread(house.kill)
    await asyncio.to_thread(house.verify)


def _asking(pages: str) -> Any:
    async def ask(session: ClientSession, path: str, **body: Any) -> Any:
        async with session.post(pages + path, json=body) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    return ask


def _cookie(session: ClientSession) -> str:
    [found] = [cookie for cookie in session.cookie_jar if cookie.key == "podium"]
    return found.value


# --- a reader that keeps a key (SEC-3) -------------------------------------------------------------------------------------


async def insists(served: Served, *, on: str) -> None:
    """From now on the house lets staff in at known terminals alone."""
    assert served.opened is not None
    config = msgspec.structs.replace(served.house.config, known_terminals=on)
    await served.opened.floor.in_house(lambda now: served.house.configure(config, now, by="test"))


@on_a_loop
async def test_sec_3_a_reader_with_a_key_reads_where_the_house_insists_and_its_token_alone_does_nothing(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path / "data", HELD) as served:
        operator = await served.operator()
        token = (await operator.done("/api/terminals", name="shoe-1", reads="t1"))["token"]
        assert served.opened is not None
        address, key = f"http://127.0.0.1:{served.opened.port}", tmp_path / "shoe-1.key"
        with adapter(address, token, "--key-file", str(key)) as process:
            assert await said(process) == "READY t1"
        assert key.stat().st_mode & 0o777 == 0o600
        for insisted in ("none", "staff"):
            await insists(served, on=insisted)
            with adapter(address, token, "--key-file", str(key)) as process:  # its line is proved anew each time
                assert await said(process) == "READY t1"
            await refused_reader(address, token, "does not prove that it comes from there")
            stolen = ["--key-file", str(tmp_path / f"{insisted}.key")]
            await refused_reader(address, token, "Another browser is already the terminal shoe-1", *stolen)


@on_a_loop
async def test_sec_3_a_reader_without_a_key_is_not_heard_where_the_house_insists(tmp_path: Path) -> None:
    async with a_house(tmp_path, HELD) as served:
        token = (await (await served.operator()).done("/api/terminals", name="shoe-1", reads="t1"))["token"]
        assert served.opened is not None
        address = f"http://127.0.0.1:{served.opened.port}"
        async with connect(f"{address.replace('http', 'ws')}/ws", token) as reader:
            await reader.watch("t1")
            await insists(served, on="staff")
            with pytest.raises((Refused, Disconnected), match="ign in"):
                await reader.do(ReadCard, session="s", number=1, card="9s")
        await refused_reader(address, token, "prove themselves by a key")


async def refused_reader(address: str, token: str, why: str, *options: str) -> None:
    with adapter(address, token, *options, "--patience", "2") as process:
        assert why in (await asyncio.to_thread(process.communicate))[0].replace("\n", " ")
        assert process.returncode != 0


@on_a_loop
async def test_card_11_a_device_on_a_serial_line_is_answered_there(tmp_path: Path) -> None:
    """A pseudo-terminal is the line: what the device writes arrives raw, and each answer comes back with its carriage return."""
    async with a_house(tmp_path, HELD) as served:
        podium, seat, token = await at_the_table(served, await served.operator())
        device, line = os.openpty()
        address = f"http://127.0.0.1:{served.opened.port}"  # type: ignore[union-attr]
        with adapter(address, token, "--serial", os.ttyname(line), "--baud", "19200") as process:
            assert await said(process) == "READY t1"
            answers = os.fdopen(device, "rb", buffering=0, closefd=False)
            for asked, answered in [
                (b"HELLO run-7\r\n", b"READY t1\r\n"),
                (b"CARD 1 9s\r\n", b"OK 1\r\n"),
                (b"CARD 1 9s\n", b"OK 1\r\n"),
                (b"\x00\xff noise\n", b"ERR "),
                (b"CARD 2 6d\r\n", b"OK 2\r\n"),
            ]:
                os.write(device, asked)
                heard = await asyncio.to_thread(answers.readline)
                assert heard.startswith(answered), heard
            await until(podium, lambda: shown(podium) == ["9s"])
            assert podium.table.held is not None
            assert podium.table.held.card == "6d"
            assert termios.tcgetattr(line)[4:6] == [termios.B19200, termios.B19200]
        os.close(device)
        os.close(line)
        await leave(podium, seat)
