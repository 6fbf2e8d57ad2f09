"""A disk that is slow, full, or gone at the worst moment; what it has called durable it keeps."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

from podium.record.journal import START, Entry, Head
from podium.record.ledger import Account, changes, never_negative
from podium.record.store import FIRST, Document, Fenced, Past, Posted, StoredCheckpoint, Unavailable
from podium.record.tlog import Node

T = TypeVar("T")


class Disk:
    """What survives a crash: journal and ledger, written together or not at all; to be read as any store is."""

    def __init__(self, witness: Callable[[Entry], None]) -> None:
        self.streams: dict[str, list[Entry]] = {}
        self._posted: dict[str, Posted] = {}
        self._balances: Counter[Account] = Counter()
        self._witness = witness

    def write(self, entries: list[Entry]) -> None:
        """One append: every entry follows the last of its stream, every transfer is new, nobody is overdrawn."""
        heads: dict[str, Head] = {}
        for entry in entries:
            head = heads.get(entry.stream) or self._head(entry.stream)
            if (entry.sequence, entry.previous) != (head.sequence + 1, head.hash):
                raise Fenced(f"Entry {entry.sequence} of {entry.stream} does not follow entry {head.sequence}.")
            heads[entry.stream] = Head(entry.sequence, entry.hash)
        for entry in entries:
            for transfer in entry.transfers:
                assert transfer.id not in self._posted, f"LED-2: {transfer} happens twice"
                posted = Posted(len(self._posted) + 1, entry.stream, entry.sequence, entry.time, transfer)
                self._posted[transfer.id] = posted
            moved = changes(entry.transfers)
            self._balances.update(moved)
            overdrawn = [name for name in moved if never_negative(name) and self._balances[name] < 0]
            assert not overdrawn, f"GAME-1: {overdrawn} is overdrawn"
        for entry in entries:
            self.streams.setdefault(entry.stream, []).append(entry)
            self._witness(entry)

    @property
    def last_written(self) -> int:
        """The time of the last entry of all."""
        return max((entries[-1].time for entries in self.streams.values() if entries), default=0)

    def _head(self, stream: str) -> Head:
        last = self.streams[stream][-1] if self.streams.get(stream) else None
        return Head(last.sequence, last.hash) if last else START

    # --- reading ----------------------------------------------------------------------------------------------------

    folder: Path | None = None
    """A simulated disk has no archives."""

    def first(self, stream: str) -> int:
        return 1

    def heads(self) -> dict[str, Head]:
        return {stream: self._head(stream) for stream in self.streams}

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        return self.streams.get(stream, [])[after : after + limit]

    def hashes(self, stream: str, after: int = 0, limit: int = 10_000) -> list[bytes]:
        return [entry.hash for entry in self.entries(stream, after, limit)]

    def checkpoints(self) -> list[StoredCheckpoint]:
        """The simulated house signs none."""
        return []

    def nodes(self, stream: str, level: int, first: int = 0, limit: int = 10_000) -> list[Node]:
        return []

    def node_counts(self) -> dict[tuple[str, int], int]:
        return {}

    def guards(self) -> dict[Account, bool]:
        return {name: never_negative(name) for name in self._balances}

    def strangers(self) -> list[str]:
        return []

    def last(self, stream: str, kind: str, before: int | None = None) -> Entry | None:
        earlier = self.streams.get(stream, [])[: None if before is None else before - 1]
        return next((entry for entry in reversed(earlier) if entry.kind == kind), None)

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        return list(self._posted.values())[after : after + limit]

    def transfer(self, transfer_id: str) -> Posted | None:
        return self._posted.get(transfer_id)

    def balances(self) -> dict[Account, int]:
        return {name: amount for name, amount in self._balances.items() if amount}

    def sums(self, after: int = 0) -> dict[Account, int]:
        moved = changes(posted.transfer for posted in self.posted(after, len(self._posted)))
        return {name: amount for name, amount in moved.items() if amount}

    def last_position(self) -> int:
        return len(self._posted)

    def past(self) -> Past | None:
        """Each start in the simulation adds up everything."""
        return None

    def document(self, kind: str, key: str) -> Document | None:
        """People, tickets and sessions come in by other doors; the simulated house has none."""
        return None

    def documents(self, kind: str) -> list[Document]:
        return []

    def versions_of(self, kind: str, keys: Sequence[str]) -> list[Document]:
        return []

    def versions(self, after: tuple[str, str, int] = FIRST, limit: int = 10_000) -> list[Document]:
        return []


class Temper(NamedTuple):
    """How a disk behaves while one process writes to it."""

    slow: float = 0.002
    """How many seconds a write takes about."""
    fails: float = 0.0
    """How often it cannot write, or cannot say whether it did."""
    crash_at: int = 0
    """The number of the write at which the process dies; 0 for none."""
    crash_after: bool = False
    """Whether that write is durable when the process dies."""


class SimulatedStore:
    """Group commit as one process sees it: a batch is whatever came while the last one was being written."""

    def __init__(self, disk: Disk, temper: Temper, chance: Random, crash: Callable[[], None]) -> None:
        self._disk = disk
        self._temper = temper
        self._chance = chance
        self._reads = Random(chance.random())
        """How long reading takes has no influence on what happens to the writes."""
        self._crash = crash
        self._waiting: list[tuple[list[Entry], asyncio.Future[None]]] = []
        self._writing = False
        self._writes = 0
        self.dead = False

    @property
    def at_rest(self) -> bool:
        """Whether nothing is on its way to the disk."""
        return not self._writing

    async def append(
        self,
        entries: Iterable[Entry] = (),
        *,
        documents: Iterable[Document] = (),
    ) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((list(entries), done))
        if not self._writing:
            self._begin(loop)
        await done

    async def read(self, what: Callable[[Any], T]) -> T:
        """Reads what is durable, after a moment; a process that has died never comes back with it."""
        await asyncio.sleep(self._reads.expovariate(1 / self._temper.slow))
        return what(self._disk)

    async def find(self, what: Callable[[Any], T]) -> T:
        return await self.read(what)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        batch, self._waiting = self._waiting, []
        self._writing = True
        loop.call_later(self._chance.expovariate(1 / self._temper.slow), self._end, loop, batch)

    def _end(self, loop: asyncio.AbstractEventLoop, batch: list[Any]) -> None:
        if self.dead:
            return
        self._writes += 1
        crashes = self._writes == self._temper.crash_at
        if crashes and not self._temper.crash_after:
            self._crash()
            return
        failed = self._chance.random() < self._temper.fails
        if not failed or self._chance.random() < 0.3:
            for entries, _ in batch:
                self._disk.write(entries)
        if crashes:
            self._crash()
            return
        for _, done in batch:
            if failed and not done.done():
                done.set_exception(Unavailable("The disk is full, or it cannot say whether it wrote."))
            elif not done.done():
                done.set_result(None)
        self._writing = False
        if self._waiting:
            self._begin(loop)
