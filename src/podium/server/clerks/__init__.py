"""Clerks read the record for players, staff and witnesses, each in a process of its own, so that no table waits for them.

await clerks.ask(FindEvents(...), "ann")

Questions are bounded: one at a time for each clerk, few in the queue, fewer from one person. A question that takes too long is
refused with a request to ask again; the clerk goes on with it, so that the next one finds the record indexed.
"""

import asyncio
from collections import Counter
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, Literal, Protocol

import msgspec

from podium.basics.refusal import Later, Refused
from podium.basics.words import Phrase, english
from podium.house.people import GUEST
from podium.record.store import Away
from podium.server import limits
from podium.server.beside import Beside
from podium.server.clerks.frames import AWAY, END, HEAD, PART, PART_BYTES, REFUSED, Opening
from podium.server.clerks.questions import (
    FindEvents,
    FindRounds,
    MakeReport,
    Question,
    ReadCalendar,
    RecallPlayer,
    RecallRound,
)
from podium.server.log import log

NICE: Final = 10
MAX_ATTEMPTS: Final = 2
"""Attempts per question, where the process ends instead of answering."""

STAFF: Final = (RecallRound, FindRounds, FindEvents, MakeReport, ReadCalendar)
"""Questions for the clerk of the staff. The other clerk answers players and strangers, so that they do not wait for a long
report."""

Askers = Literal["players", "guests", "strangers"]
"""Who asks the clerk of those who are not staff. One person can pose as many guests or strangers, so these leave places
for the players."""

Found = bytes | IO[bytes]
"""An answer as it is sent; one that is long is in a file, which nobody else can open."""


class Reads(Protocol):
    """Answers questions about the record."""

    async def ask(self, question: Question, by: str) -> Found:
        """Returns the answer; `by` is the person who asks, or the address."""


class ReadFailed(RuntimeError):
    """There is no answer: the process ended, or the program has a bug."""


class Clerks:
    """The clerks of a house, and those who wait for them."""

    def __init__(self, place: str | Path) -> None:
        opening = Opening.of(place)
        self.staff: Final = Clerk(opening)
        self.others: Final = Clerk(opening)

    async def ask(self, question: Question, by: str) -> Found:
        if isinstance(question, STAFF):
            return await self.staff.ask(question, by)
        return await self.others.ask(question, by, askers=_askers_of(question))

    async def close(self) -> None:
        for clerk in (self.staff, self.others):
            await clerk.close()


class Clerk:
    """One process, with the questions that wait for it."""

    def __init__(self, opening: Opening) -> None:
        self._opening: Final = opening
        self._process: Final = Beside("podium.server.clerks.process", NICE, 4 * PART_BYTES)
        self._turn: Final = asyncio.Lock()
        self._waiting: Final = Counter[str]()
        """Questions that are not answered yet, by who asks."""
        self._by_askers: Final = Counter[str]()
        """The same, by what they are."""
        self._asking: Final[set[asyncio.Task[Found]]] = set()

    @property
    def process_id(self) -> int | None:
        """The running process; None while there is none."""
        return self._process.process_id

    async def ask(self, question: Question, by: str, *, askers: Askers = "players") -> Found:
        """Returns the answer. Refused if too many questions wait already, in all or from such askers, or if it takes
        too long."""
        if self._waiting.total() >= limits.MAX_WAITING_READS or self._by_askers[askers] >= _most_of(askers):
            raise Refused("readers-waiting")
        if self._waiting[by] >= limits.MAX_WAITING_READS_PER_PERSON:
            raise Refused("reads-waiting")
        line = msgspec.json.encode(question) + b"\n"
        self._waiting[by] += 1
        self._by_askers[askers] += 1
        asking = asyncio.create_task(self._in_turn(line))
        self._asking.add(asking)
        asking.add_done_callback(partial(self._asked, by, askers))
        # The reading goes on when the client leaves or is told to ask again: the index made so far is worth keeping.
        done, _ = await asyncio.wait([asking], timeout=limits.MAX_READ_SECONDS)
        if not done:
            raise Later("record-slow", seconds=limits.MAX_READ_SECONDS)
        return asking.result()

    def _asked(self, by: str, askers: Askers, asking: "asyncio.Task[Found]") -> None:  # a callback's
        self._asking.discard(asking)
        self._by_askers[askers] -= 1
        self._waiting[by] -= 1
        if not self._waiting[by]:
            del self._waiting[by]
        if not asking.cancelled():
            asking.exception()  # the client may be gone

    async def _in_turn(self, question: bytes) -> Found:
        async with self._turn:
            return await self._answer(question)

    async def _answer(self, question: bytes) -> Found:
        for _ in range(MAX_ATTEMPTS):
            found: Found | Exception | None = None
            try:
                found = await self._read(question)
            except (BrokenPipeError, ConnectionResetError, asyncio.IncompleteReadError):
                self._process.end()
            except BaseException:  # the next question must not get the rest of this answer
                self._process.end()
                raise
            if isinstance(found, Exception):
                raise found
            if found is not None:
                return found
        raise ReadFailed("the process ended without an answer")

    async def _read(self, question: bytes) -> Found | Exception:
        """Reads the answer, or the reason why there is none."""
        opening = b"" if self._process.is_running else msgspec.json.encode(self._opening) + b"\n"
        asked, answered = await self._process.lines()
        asked.write(opening + question)
        await asked.drain()
        held = Incoming()
        try:
            while True:
                kind, length = HEAD.unpack(await answered.readexactly(HEAD.size))
                part = await answered.readexactly(length)
                if kind == END:
                    return held.found()
                if kind != PART:
                    held.drop()
                    return _unanswered(kind, part)
                held.add(part)
        except BaseException:
            held.drop()
            raise

    async def close(self) -> None:
        """Ends the process, even in the middle of a question."""
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        await self._process.close()


def _askers_of(question: Question) -> Askers:
    if not isinstance(question, RecallPlayer):
        return "strangers"
    return "guests" if question.player.startswith(GUEST) else "players"


def _most_of(askers: Askers) -> int:
    match askers:
        case "players":
            return limits.MAX_WAITING_READS
        case "guests":
            return limits.MAX_WAITING_READS_OF_GUESTS
    return limits.MAX_WAITING_READS_OF_STRANGERS


class Incoming:
    """An answer while it comes in: in memory as long as it is short, then in a temporary file."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._file: IO[bytes] | None = None
        self._bytes = 0

    def add(self, part: bytes) -> None:
        self._bytes += len(part)
        if self._bytes > limits.MAX_ANSWER_BYTES_ON_DISK:
            raise Refused("answer-too-long", clause="REP-1")
        self._parts.append(part)
        if self._file is None and self._bytes > limits.MAX_ANSWER_BYTES_IN_MEMORY:
            self._file = TemporaryFile()  # noqa: SIM115  # the sender of the answer closes it
        if self._file is not None:
            self._file.writelines(self._parts)
            self._parts.clear()

    def found(self) -> Found:
        """The whole answer."""
        if self._file is None:
            return b"".join(self._parts)
        self._file.seek(0)
        return self._file

    def drop(self) -> None:
        """Discards it."""
        if self._file is not None:
            self._file.close()


def _unanswered(kind: bytes, told: bytes) -> Exception:
    """The reason why there is no answer."""
    if kind == REFUSED:
        return Refused.saying(msgspec.json.decode(told, type=Phrase))
    if kind == AWAY:
        return Away(told.decode())
    log.error("a clerk failed", place=told.decode())
    return ReadFailed(told.decode())


english(
    "refused",
    {
        "reads-waiting": "You are waiting for other answers from the record: ask again when they have come.",
        "readers-waiting": "The record is being read for others: ask again in a moment.",
        "record-slow": "The record is still being read after {seconds} seconds: ask again in a moment.",
        "answer-too-long": "The answer is longer than the house can hold: ask for a shorter interval.",
    },
)
