"""What browsers and staff can make grow: connections, requests, reads, backups, slips; and the mathematics."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house.events import Noted
from podium.rules.games import game
from podium.server import limits, theory
from podium.server.coach import Coach
from podium.server.slips import leave, waiting
from podium.server.theory import KnownReturns, Theory
from podium.server.web.cards import RefusalCard
from tests.server.served import a_house
from tests.terminal import on_a_loop

# --- connections and requests -------------------------------------------------------------------------------------------


HEALTH = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"


@asynccontextmanager
async def connected(port: int, request: bytes = HEALTH) -> AsyncIterator[asyncio.StreamReader]:
    """A bare connection, closed when it is left."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        yield reader
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@on_a_loop
async def test_only_so_many_browsers_are_connected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_HTTP_CONNECTIONS."""
    monkeypatch.setattr(limits, "MAX_HTTP_CONNECTIONS", 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        port = served.opened.port
        async with connected(port) as one, connected(port) as other:
            for reader in (one, other):
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            async with connected(port, b"") as third:
                told = (await third.read()).decode()
            assert told.startswith("HTTP/1.1 503 ")
            said = msgspec.json.decode(told.partition("\r\n\r\n")[2], type=RefusalCard)
            assert said.reason == "The house is busy: too many browsers are connected. Try again in a moment."
            assert said.reason == str(said.why)
        status = b""
        while not status.startswith(b"HTTP/1.1 200"):  # as soon as the house has seen that they are gone
            async with connected(port) as again:
                status = await again.readline()


@on_a_loop
async def test_a_connection_without_a_request_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_IDLE_HTTP_SECONDS, before the first request and after it."""
    monkeypatch.setattr(limits, "MAX_IDLE_HTTP_SECONDS", 0.1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for request in (b"", HEALTH):
            async with connected(served.opened.port, request) as reader:
                await reader.read()  # until the house closes it


@on_a_loop
async def test_a_request_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_BYTES."""
    monkeypatch.setattr(limits, "MAX_REQUEST_BYTES", 100)
    async with a_house(tmp_path) as served:
        browser = await served.browser()
        said = await browser.ask("POST", "/api/sign-in", data=b" " * 101)
        assert (said.status, said.reason[:24]) == (413, "The request is too long:")


@on_a_loop
async def test_only_so_many_wait_for_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_READS: whoever is refused may ask again; the tables and the desk do not wait."""
    monkeypatch.setattr(limits, "MAX_WAITING_READS", 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        guest, _ = await served.guest()
        go, reception = threading.Event(), served.opened.reception
        reports = [asyncio.create_task(reception.reading(lambda book: go.wait())) for _ in range(2)]
        await asyncio.sleep(0)
        said = await guest.get("/api/rounds")
        assert (said.status, said.reason) == (422, "The record is being read for others: ask again in a moment.")
        assert (await guest.post("/api/cash-out", "k")).status == 200
        go.set()
        await asyncio.gather(*reports)
        assert (await guest.get("/api/rounds")).status == 200


# --- the record, and what others leave ----------------------------------------------------------------------------------


@on_a_loop
async def test_only_so_many_backups_lie_beside_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_BACKUPS; and the record is proved or backed up once at a time."""
    monkeypatch.setattr(limits, "MAX_BACKUPS", 1)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        both = await asyncio.gather(*(operator.post("/api/record/backups") for _ in range(2)))
        [busy] = [said for said in both if said.status != 200]
        assert busy.reason == "The record is being proved or backed up: ask again when that is done."
        said = await operator.post("/api/record/backups")
        assert said.reason.startswith("There are 1 backups in ")
        for file in (tmp_path / "backups").iterdir():
            file.rename(tmp_path / file.name)
        await operator.done("/api/record/backups")


@on_a_loop
async def test_only_so_many_slips_are_noted_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_SLIPS_PER_LOOK; what was thrown away is not remembered."""
    monkeypatch.setattr(limits, "MAX_SLIPS_PER_LOOK", 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        vigil = served.opened.reception.vigil
        for number in range(5):
            leave(tmp_path, Noted("backup-made", f"slip {number}"), number)
        for left in (3, 1, 0):
            await vigil.take_slips()
            assert len(waiting(tmp_path)) == left
        assert vigil._taken == set()
        noted = [note.source for note in await served.notes() if note.kind == "backup-made"]
        assert noted == [f"slip {number}" for number in range(5)]


# --- the mathematics ----------------------------------------------------------------------------------------------------

RULES = [game("dynasty-blackjack", {"decks": decks}) for decks in (4, 6, 8)]


@on_a_loop
async def test_returns_are_known_of_only_so_many_configurations(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_KNOWN_RULES: those in use stay."""
    monkeypatch.setattr(limits, "MAX_KNOWN_RULES", 2)

    async def work_out(of: Any, worker: Any) -> KnownReturns:
        return KnownReturns({}, largest=1.0)

    monkeypatch.setattr(theory, "work_out", work_out)
    known = Theory()
    first, second, third = RULES
    for of in (first, second):
        await known.learn(of, lambda: None)
    known.returns(first.fingerprint)
    await known.learn(third, lambda: None)
    assert list(known.known) == [first.fingerprint, third.fingerprint]
    assert not known.working_on(second.fingerprint)
    await known.learn(second, lambda: None)
    assert second.fingerprint in known.known


@on_a_loop
async def test_only_so_many_configurations_wait_to_be_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_RULES."""
    monkeypatch.setattr(limits, "MAX_WAITING_RULES", 2)
    go = asyncio.Event()

    async def work_out(of: Any, worker: Any) -> KnownReturns:
        await go.wait()
        return KnownReturns({}, largest=1.0)

    monkeypatch.setattr(theory, "work_out", work_out)
    known = Theory()
    tasks = [asyncio.create_task(known.learn(of, lambda: None)) for of in RULES]
    await asyncio.sleep(0)
    assert [known.working_on(of.fingerprint) for of in RULES] == [True, True, False]
    go.set()
    await asyncio.gather(*tasks)
    await known.learn(RULES[2], lambda: None)
    assert RULES[2].fingerprint in known.known


@on_a_loop
async def test_the_coach_keeps_within_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_POSITIONS, MAX_WAITING_FOR_ADVICE, MAX_KNOWN_POSITIONS, and MAX_KNOWN_RULES of those begun."""
    for name, value in (("POSITIONS", 2), ("FOR_ADVICE", 4)):
        monkeypatch.setattr(limits, f"MAX_WAITING_{name}", value)
    monkeypatch.setattr(limits, "MAX_KNOWN_POSITIONS", 1)
    monkeypatch.setattr(limits, "MAX_KNOWN_RULES", 2)
    works: list[asyncio.Future[Any]] = []

    class Thinking:
        """A worker that answers when the test has it."""

        async def ask(self, question: Any, form: Any) -> Any:
            works.append(asyncio.get_running_loop().create_future())
            return await works[-1]

    asked: Any = Coach(cast("Any", SimpleNamespace(advice=Thinking())))
    told: list[Any] = []
    for position in ("a", "b", "a"):
        asked.ask(RULES[0], position, told.append)
    with pytest.raises(Refused, match="too many questions"):
        asked.ask(RULES[0], "c", told.append)
    asked.ask(RULES[0], "a", told.append)
    with pytest.raises(Refused, match="too many questions"):
        asked.ask(RULES[0], "a", told.append)
    await asyncio.sleep(0)
    for number, work in enumerate(works):
        work.set_result({"hit": number})
    await asyncio.gather(*asked._errands)
    assert len(told) == 4
    assert (len(asked._known), len(asked._asking), asked._waiting) == (1, 0, 0)
    for of in RULES:
        asked.begin(of)
    assert list(asked._begun) == [of.fingerprint for of in RULES[1:]]
    asked.close()
