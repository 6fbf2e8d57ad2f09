"""What browsers and staff can make grow: connections, requests, reads, backups, slips; and the mathematics."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house.events import Noted
from podium.rules.games import game
from podium.server import limits, theory
from podium.server.clerks import Askers, Clerk, Found
from podium.server.clerks.questions import ProveShoe, Question, ReadCheckpoints, RecallPlayer
from podium.server.coach import Coach
from podium.server.gateway import entrance
from podium.server.slips import leave, waiting
from podium.server.theory import KnownReturns, Theory
from podium.server.web.cards import RefusalCard
from tests.server.served import CONFIG, QUICK, a_house, play
from tests.terminal import Terminal, on_a_loop

# --- connections and requests -------------------------------------------------------------------------------------------


HEALTH = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


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
            assert "frame-ancestors 'none'" in told
        status = b""
        while not status.startswith(b"HTTP/1.1 200"):  # as soon as the house has seen that they are gone
            async with connected(port) as again:
                status = await again.readline()


@on_a_loop
async def test_a_connection_without_a_request_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_HEAD_SECONDS before the first request, MAX_IDLE_HTTP_SECONDS after it; also where a head has begun."""
    monkeypatch.setattr(limits, "MAX_IDLE_HTTP_SECONDS", 0.1)
    monkeypatch.setattr(limits, "MAX_REQUEST_HEAD_SECONDS", 0.1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for request in (b"", b"G", b"GET /ws HTTP/1.1\r\nHost:", HEALTH, HEALTH + b"GET /", HEALTH + HEALTH[:-2]):
            async with connected(served.opened.port, request) as reader:
                told = await reader.read()  # until the house closes it
                assert told.startswith(b"HTTP/1.1 200 " if HEALTH in request else b"HTTP/1.1 408 "), request


@on_a_loop
async def test_headers_that_trickle_in_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_HEAD_SECONDS is for the whole head, however often something comes; the same after an answer."""
    monkeypatch.setattr(limits, "MAX_IDLE_HTTP_SECONDS", 0.5)
    monkeypatch.setattr(limits, "MAX_REQUEST_HEAD_SECONDS", 0.5)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for first in (b"", HEALTH):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
            began = monotonic()
            writer.write(first + b"GET / HTTP/1.1\r\n")
            reading = asyncio.create_task(reader.read())
            while not reading.done():
                writer.write(b"X-More: 1\r\n")
                await asyncio.sleep(0.02)
                assert monotonic() - began < 30
            writer.close()


@pytest.mark.parametrize("first", [b"\r\n", b"\n", b"\r\n\r\nGET / HTTP/1.1\r\n"])
@on_a_loop
async def test_empty_lines_before_a_request_win_no_time(
    first: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_REQUEST_HEAD_SECONDS; and whoever sends empty lines alone has not asked for anything, and gives way."""
    monkeypatch.setattr(limits, "MAX_HTTP_CONNECTIONS_PER_ADDRESS", 1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        port = served.opened.port
        async with connected(port, first) as waits:
            await asyncio.sleep(0.05)
            async with connected(port, b"\r\n" + HEALTH) as honest:
                assert (await honest.readline()).startswith(b"HTTP/1.1 200 ")
            assert await waits.read() == b""
        monkeypatch.setattr(limits, "MAX_REQUEST_HEAD_SECONDS", 0.1)
        async with connected(port, first) as waits:
            assert (await waits.read()).startswith(b"HTTP/1.1 408 ")


@on_a_loop
async def test_a_head_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_HEAD_BYTES."""
    monkeypatch.setattr(limits, "MAX_REQUEST_HEAD_BYTES", 1_000)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        async with connected(served.opened.port, b"GET / HTTP/1.1\r\n" + b"X-More: 1\r\n" * 100) as reader:
            told = await reader.read()
        assert told.startswith(b"HTTP/1.1 431 ")
        assert b"The headers of a request have 1,000 bytes at most." in told


@on_a_loop
async def test_a_body_that_trickles_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_BODY_SECONDS."""
    monkeypatch.setattr(limits, "MAX_REQUEST_BODY_SECONDS", 0.1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        head = b"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
        async with connected(served.opened.port, head) as reader:
            assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")


@on_a_loop
async def test_a_body_that_goes_on_after_its_refusal_is_not_read_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_LINGERING_SECONDS: it was 10, so a body that trickles held its connection for twice the time of a body."""
    monkeypatch.setattr(limits, "MAX_REQUEST_BODY_SECONDS", 0.1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
        began = monotonic()
        writer.write(b"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n")
        reading = asyncio.create_task(reader.read())
        while not reading.done():
            writer.write(b" ")
            await asyncio.sleep(0.05)
            assert monotonic() - began < 8
        assert reading.result().startswith(b"HTTP/1.1 408 ")
        writer.close()


@on_a_loop
async def test_an_answer_that_nobody_takes_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_STALLED_SECONDS."""
    monkeypatch.setattr(limits, "MAX_STALLED_SECONDS", 1)
    monkeypatch.setattr(entrance, "SWEEP_SECONDS", 1)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        gateway: Any = served.opened.gateway
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            slow.connect(("127.0.0.1", served.opened.port))
            slow.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(slow, HEALTH)
            while not gateway._entrance.served:
                await asyncio.sleep(0.01)
            [page] = gateway._entrance.served
            page.transport.write(b"x" * 50_000_000)  # more than the kernel takes
            while gateway._entrance.served:
                await asyncio.sleep(0.01)


@on_a_loop
async def test_only_so_many_connections_come_from_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_HTTP_CONNECTIONS_PER_ADDRESS and MAX_CONNECTIONS_PER_ADDRESS: those that ask for nothing give way."""
    monkeypatch.setattr(limits, "MAX_HTTP_CONNECTIONS_PER_ADDRESS", 2)
    config = msgspec.structs.replace(CONFIG, connections_per_address=3)
    async with a_house(tmp_path, config) as served:
        assert served.opened is not None
        port = served.opened.port
        async with connected(port, b"") as waits, connected(port) as one, connected(port) as other:
            assert (await one.readline()).startswith(b"HTTP/1.1 200")
            assert (await other.readline()).startswith(b"HTTP/1.1 200")
            assert await waits.read() == b"", "whoever asks for nothing gives way"
            async with connected(port) as third:
                assert (await third.readline()).startswith(b"HTTP/1.1 503")
        lines: list[Terminal] = []
        while len(lines) < 3:
            asked = await Terminal.request(port, token="display", Host="localhost")
            lines += [asked] if asked.status == 101 else []
        assert (await Terminal.request(port)).status == 503
        lines[0].vanish()
        while (await Terminal.request(port)).status != 101:
            await asyncio.sleep(0.01)


@on_a_loop
async def test_guests_come_in_at_a_rate_and_in_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`guests_per_minute` of an address, `guests_at_once` in all, MIN_IDLE_MS_OF_A_NEW_GUEST."""
    config = msgspec.structs.replace(CONFIG, guests_per_minute=4, guests_at_once=5)
    async with a_house(tmp_path, config) as served:
        browser = await served.browser()
        assert [(await browser.post("/api/guest")).status for _ in range(5)] == [200] * 4 + [429]
        said = await browser.post("/api/guest")
        assert said.reason == "More than 4 guests have come from here within a minute: wait a moment."
        served.later += 15_000
        assert [(await browser.post("/api/guest")).status for _ in range(2)] == [200, 429], "evenly after that"
        served.later += 15_000
        said = await browser.post("/api/guest")
        assert (said.status, said.reason[:23]) == (429, "The house is full: 5 gu")
        served.later += limits.MIN_IDLE_MS_OF_A_NEW_GUEST
        assert (await browser.post("/api/guest")).status == 200, "who did nothing for a minute has given way"


@asynccontextmanager
async def held_up(clerk: Clerk) -> AsyncIterator[None]:
    """Stops the process of a clerk that has answered something, until the end of the block."""
    await clerk.ask(ReadCheckpoints(), "nobody")
    assert clerk.process_id is not None
    os.kill(clerk.process_id, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(clerk.process_id, signal.SIGCONT)


@on_a_loop
async def test_nobody_waits_for_the_record_with_many_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_READS_PER_PERSON."""
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        clerk = served.opened.clerks.others
        async with held_up(clerk):
            ann = [asyncio.create_task(clerk.ask(RecallPlayer("ann", None), "ann")) for _ in range(4)]
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="You are waiting for other answers"):
                await clerk.ask(RecallPlayer("ann", None), "ann")
            bob = asyncio.create_task(clerk.ask(RecallPlayer("bob", None), "bob"))
            await asyncio.sleep(0)
        assert await asyncio.gather(*ann, bob) == [b"[]"] * 5


@pytest.mark.parametrize(
    ("limit", "question"),
    [
        ("MAX_WAITING_READS_OF_STRANGERS", ReadCheckpoints()),
        ("MAX_WAITING_READS_OF_GUESTS", RecallPlayer("guest-0f", None)),
    ],
)
@on_a_loop
async def test_strangers_leave_room_for_the_rounds_of_players(
    limit: str, question: Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty guests, which anybody can pose as, had filled every place at the clerk."""
    monkeypatch.setattr(limits, limit, 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        clerks = served.opened.clerks
        async with held_up(clerks.others):
            strangers = [asyncio.create_task(clerks.ask(question, f"by {number}")) for number in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(Refused, match="The record is being read for others"):
                await clerks.ask(question, "by 3")
            ann = asyncio.create_task(clerks.ask(RecallPlayer("ann", None), "ann"))
            await asyncio.sleep(0)
        await asyncio.gather(*strangers)
        assert await ann == b"[]"


@on_a_loop
async def test_an_answer_that_takes_too_long_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_READ_SECONDS: the clerk goes on with it, so that what it has indexed is there the next time."""
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        guest, _ = await served.guest()
        clerk = served.opened.clerks.others
        async with held_up(clerk):
            monkeypatch.setattr(limits, "MAX_READ_SECONDS", 0.2)
            before = clerk.process_id
            said = await guest.get("/api/rounds")
            assert (said.status, said.reason[:33]) == (503, "The record is still being read af")
        monkeypatch.setattr(limits, "MAX_READ_SECONDS", 60)
        assert (await guest.get("/api/rounds")).status == 200
        assert clerk.process_id == before


@on_a_loop
async def test_a_long_answer_from_the_record_is_sent_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_ANSWER_BYTES_IN_MEMORY and MAX_ANSWER_BYTES_ON_DISK."""
    monkeypatch.setattr(limits, "MAX_ANSWER_BYTES_IN_MEMORY", 100)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        whole = await operator.get("/api/events")
        assert whole.status == 200
        assert len(whole.body) > 2
        table = await operator.get("/api/reports/significant-events", format="csv")
        assert table.status == 200
        assert table.body.startswith("Report,")
        assert table.body.count("\n") > len(whole.body)
        monkeypatch.setattr(limits, "MAX_ANSWER_BYTES_ON_DISK", 200)
        said = await operator.get("/api/events")
        assert (said.status, said.reason[:25]) == (422, "The answer is longer than")
        monkeypatch.setattr(limits, "MAX_ANSWER_BYTES_ON_DISK", 10_000_000)
        assert len((await operator.get("/api/events")).body) >= len(whole.body)


@on_a_loop
async def test_a_request_that_is_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REQUEST_BYTES."""
    monkeypatch.setattr(limits, "MAX_REQUEST_BYTES", 100)
    async with a_house(tmp_path) as served:
        browser = await served.browser()
        said = await browser.ask("POST", "/api/sign-in", data=b" " * 101)
        assert said.status == 413
        assert said.reason == "The request is too long: Maximum request body size 100 exceeded."


@on_a_loop
async def test_only_so_many_wait_for_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_READS: a refused request may be repeated; the tables and the desk do not wait."""
    monkeypatch.setattr(limits, "MAX_WAITING_READS", 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        guest, _ = await served.guest()
        clerks = served.opened.clerks
        async with held_up(clerks.others):
            waiting = [
                asyncio.create_task(clerks.ask(RecallPlayer("ann", None), f"by {number}")) for number in range(2)
            ]
            await asyncio.sleep(0)
            said = await guest.get("/api/rounds")
            assert (said.status, said.reason) == (429, "The record is being read for others: ask again in a moment.")
            assert (await guest.post("/api/cash-out", "k")).status == 200
            operator = await served.operator()
            assert (await operator.get("/api/events")).status == 200, "the staff has a clerk of its own"
        await asyncio.gather(*waiting)
        assert (await guest.get("/api/rounds")).status == 200


@on_a_loop
async def test_a_flood_of_questions_for_one_proof_reads_the_journal_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_KNOWN_PROOFS."""
    monkeypatch.setattr(limits, "MAX_KNOWN_PROOFS", 1)
    read: list[int] = []
    ask = Clerk.ask

    async def noted(self: Clerk, question: Question, by: str, *, askers: Askers = "players") -> Found:
        if isinstance(question, ProveShoe):
            read.append(question.shoe.number)
        return await ask(self, question, by, askers=askers)

    monkeypatch.setattr(Clerk, "ask", noted)
    quick = msgspec.structs.replace(QUICK, game="stadium-three-card-poker", options={}, result_seconds=0)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": quick})) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"ante": 500}, lambda: terminal.view.round > 3, spots=(1, 2, 3))
        second, first = [shoe["number"] for shoe in (await guest.get("/api/shoes", table="t1")).body][-2:]
        answers = [(await guest.get("/api/proof", table="t1", shoe=first)).body for _ in range(5)]
        assert answers == answers[:1] * 5
        assert read == [first]
        for shoe in (second, first):
            await guest.get("/api/proof", table="t1", shoe=shoe)
        assert read == [first, second, first]


# --- the record, and what others leave ----------------------------------------------------------------------------------


@on_a_loop
async def test_only_so_many_backups_lie_beside_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_BACKUPS; and the record is proved or backed up once at a time."""
    monkeypatch.setattr(limits, "MAX_BACKUPS", 1)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        both = await asyncio.gather(*(operator.post("/api/record/backups") for _ in range(2)))
        [busy] = [said for said in both if said.status != 200]
        assert busy.reason == "The record is being proved, backed up or archived: ask again when that is done."
        said = await operator.post("/api/record/backups")
        assert said.reason.startswith("There are 1 backups in ")
        for file in (tmp_path / "backups").iterdir():
            file.rename(tmp_path / file.name)
        await operator.done("/api/record/backups")


@on_a_loop
async def test_only_so_many_slips_are_noted_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_SLIPS_PER_LOOK; deleted slips are not remembered."""
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


@on_a_loop
async def test_the_coach_remembers_refusals_only_of_configurations_that_it_knows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MAX_KNOWN_RULES."""
    monkeypatch.setattr(limits, "MAX_KNOWN_RULES", 2)

    class Refusing:
        """A worker that cannot advise on any game."""

        async def ask(self, question: Any, form: Any) -> Any:
            raise Refused("coach-busy")

    coach: Any = Coach(cast("Any", SimpleNamespace(advice=Refusing())))
    for of in RULES:
        coach.begin(of)
        await asyncio.gather(*coach._errands)
    assert list(coach._refused) == [of.fingerprint for of in RULES[1:]]
