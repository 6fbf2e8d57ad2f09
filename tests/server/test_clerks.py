"""Clerks read the record in processes of their own: play does not wait for them, and they fail without harm."""

import asyncio
import os
import signal
from pathlib import Path

import msgspec
import pytest

from podium.house.reports import AskedInterval, Records
from podium.record.journal import Entry
from podium.record.store.reading import SqlReading
from podium.server.clerks import Clerk, Found, ReadFailed
from podium.server.clerks.frames import AWAY, FAILED, Opening
from podium.server.clerks.process import ReadingDesk
from podium.server.clerks.questions import FindEvents, ReadCheckpoints, answered
from tests.server.served import CONFIG, QUICK, Served, a_house, play
from tests.terminal import on_a_loop

EVERYTHING = FindEvents(AskedInterval(), 0, kind="", source="", who="", text="")


def in_this_process(served: Served, question: FindEvents) -> bytes:
    """The same answer, made without a clerk."""
    book = Opening.of(served.data / "podium.db").book()
    try:
        return b"".join(answered(question, book, Records()))
    finally:
        book.close()


@on_a_loop
async def test_a_clerk_answers_what_the_record_says(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        operator = await served.operator()
        assert await served.opened.clerks.ask(EVERYTHING, "ann") == in_this_process(served, EVERYTHING)
        assert (await operator.get("/api/events")).body == msgspec.json.decode(in_this_process(served, EVERYTHING))


@on_a_loop
async def test_a_clerk_that_was_killed_is_started_again_and_nobody_notices(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        clerk = served.opened.clerks.staff
        operator = await served.operator()
        assert (await operator.get("/api/events")).status == 200
        first = clerk.process_id
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        asked = asyncio.create_task(operator.get("/api/events"))
        await asyncio.sleep(0.1)
        os.kill(first, signal.SIGKILL)
        assert (await asked).status == 200
        assert clerk.process_id not in (first, None)


@on_a_loop
async def test_a_clerk_ends_with_the_house_and_with_a_house_that_is_killed(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        await served.opened.clerks.ask(ReadCheckpoints(), "ann")
        process = served.opened.clerks.others.process_id
        assert process is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@on_a_loop
async def test_a_refusal_of_a_clerk_is_the_house_s_and_a_fault_is_noted_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        said = await operator.get("/api/recall", table="t1", round="7")
        assert (said.status, said.reason) == (422, "There is no round '7' at 't1'.")
        said = await operator.get("/api/reports/none")
        assert said.status == 422

        async def fails(self: Clerk, question: object, by: str, *, stranger: bool = False) -> Found:
            raise ReadFailed("KeyError in rounds.py, line 7")

        monkeypatch.setattr(Clerk, "ask", fails)
        said = await operator.get("/api/events")
        assert (said.status, said.reason) == (500, "The house made an error; its log has the details.")
        [note] = [note for note in await served.notes() if note.kind == "program-error"]
        assert note.reason == "KeyError in rounds.py, line 7"


def test_how_an_answer_ends_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ReadingDesk(Opening(file=str(tmp_path / "none.db")))
    assert [kind for kind, _ in desk.reply(b"nonsense")] == [FAILED]
    assert [kind for kind, _ in desk.reply(msgspec.json.encode(ReadCheckpoints()))] == [FAILED], "there is no file"
    desk = ReadingDesk(Opening(database="postgresql://127.0.0.1:1/none?connect_timeout=1"))
    assert [kind for kind, _ in desk.reply(msgspec.json.encode(ReadCheckpoints()))] == [AWAY]


@on_a_loop
async def test_reading_is_the_work_of_the_clerks_and_not_of_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = msgspec.structs.replace(QUICK, result_seconds=0)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": quick})) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 500}, lambda: terminal.view.round > 3)
        read: list[str] = []
        entries = SqlReading.entries

        def noted(book: SqlReading, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
            read.append(stream)
            return entries(book, stream, after, limit)

        monkeypatch.setattr(SqlReading, "entries", noted)
        in_this_process(served, EVERYTHING)
        assert read, "whoever reads the book is noted"
        read.clear()
        assert len((await guest.get("/api/rounds")).body) >= 3
        assert not read, "the house itself read its book"
