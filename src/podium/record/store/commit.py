"""Group commit without a timer: a batch is everything that arrived while the last one was being written.

A single caller waits for one write; when thousands arrive together, one write serves all of them.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Final, NamedTuple, TypeVar

from podium.record import limits
from podium.record.journal import Entry
from podium.record.store.interface import Append, Away, Book, Document, Pruned, Reading, Signed, Unavailable
from podium.record.store.last import is_stored, trace_of

Result = TypeVar("Result")

FIRST_WAIT_SECONDS: Final = 0.1
LONGEST_WAIT_SECONDS: Final = 2.0
"""Seconds between two tries to reach a store that is away: the first time, and at most."""
QUIET_SECONDS: Final = 0.25
"""Seconds without a write after which the book may rest. Without this wait each bet at a table with a few players would
cost two syncs."""
LONGEST_UNRESTED_SECONDS: Final = 1.0
"""Seconds after which it rests although writes keep coming."""


class _Queued(NamedTuple):
    append: Append
    future: "asyncio.Future[None]"
    loop: asyncio.AbstractEventLoop


class GroupCommit:
    """A store over a book: one thread writes, others read, and no caller blocks the event loop."""

    def __init__(
        self,
        book: Book,
        *,
        told: Callable[[str | None], None] = lambda reason: None,
        quiet_seconds: float = QUIET_SECONDS,
    ) -> None:
        """`told` is called on the writing thread: with the reason when the store does not answer, with None when it is
        back."""
        self._book: Final = book
        self.told = told
        self._quiet_seconds: Final = quiet_seconds
        self._unrested_since: float | None = None
        """When something was first written since the book rested; None when there is nothing to do for it."""
        self._queue: SimpleQueue[_Queued | None] = SimpleQueue()
        self._closed = False
        self._tired: Exception | None = None
        """Why the book could not do what it does when nothing waits."""
        self._reader: Final = ThreadPoolExecutor(1, thread_name_prefix="podium-reader")
        self._finder: Final = ThreadPoolExecutor(1, thread_name_prefix="podium-finder")
        self._thread: Final = Thread(target=self._run, name="podium-writer", daemon=True)
        self._thread.start()

    async def append(
        self,
        entries: Iterable[Entry] = (),
        *,
        documents: Iterable[Document] = (),
    ) -> None:
        """Returns when all of it is durable; raises when none of it was written."""
        await self._put_in_line(Append(tuple(entries), tuple(documents)))

    async def put_checkpoints(self, checkpoints: Iterable[Signed]) -> None:
        """Stores checkpoints of what is durable already, with the next batch; nobody waits for them (EVT-5)."""
        await self._put_in_line(Append(checkpoints=tuple(checkpoints)))

    async def prune(self, pruned: Iterable[Pruned]) -> None:
        """Deletes from the book what archives have."""
        await self._put_in_line(Append(pruned=tuple(pruned)))

    def _put_in_line(self, append: Append) -> "asyncio.Future[None]":
        """The future is done when the append is durable."""
        if self._closed:
            raise Unavailable("The store is closed.")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.put(_Queued(append, future, loop))
        return future

    async def read(self, what: Callable[[Reading], Result], thread: ThreadPoolExecutor | None = None) -> Result:
        """Reads on the reading thread, or on the caller's: `await store.read(lambda book: book.entries("t1"))`."""
        return await asyncio.get_running_loop().run_in_executor(thread or self._reader, what, self._book)

    async def find(self, what: Callable[[Reading], Result]) -> Result:
        """Looks up something small on a separate thread, so that it does not wait for a long report; waits for a store
        that is away."""
        if self._closed:
            raise Unavailable("The store is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._finder, self._patiently, what)

    async def close(self) -> None:
        """Writes what is queued, then closes the database."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(self._reader, self._thread.join)
        self._reader.shutdown()
        self._finder.shutdown()
        self._book.close()

    def _patiently(self, what: Callable[[Reading], Result]) -> Result:
        for _ in self._tries():
            with suppress(Away):
                return what(self._book)
        return what(self._book)

    def _tries(self) -> Iterator[None]:
        """Retries a store that is away for a limited time, with growing pauses."""
        until, wait = monotonic() + limits.MAX_STORE_AWAY_SECONDS, FIRST_WAIT_SECONDS
        while monotonic() < until and not self._closed:
            yield
            sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    # --- on the writing thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            batch, last = self._take()
            if batch:
                self._write(batch)
                self._unrested_since = self._unrested_since or monotonic()
            if last:
                self._rest()
                return

    def _rest(self) -> None:
        """Gives the book time for work that no caller waits for. If that fails, the next write reports it."""
        self._unrested_since = None
        try:
            self._book.rest()
        except Exception as error:
            self._tired = error

    def _take(self) -> tuple[list[_Queued], bool]:
        """Everything that waits, at least one and at most a batch; and whether it is the end."""
        batch: list[_Queued] = []
        rows = 0
        waiting = self._next()
        while waiting is not None:
            batch.append(waiting)
            rows += len(waiting.append.entries) + len(waiting.append.documents)
            if rows >= limits.MAX_ROWS_PER_WRITE:
                return batch, False
            try:
                waiting = self._queue.get_nowait()
            except Empty:
                return batch, False
        return batch, True

    def _next(self) -> _Queued | None:
        """The first that waits. The book rests once nothing has come for a moment, or when it has not rested for too
        long."""
        if self._unrested_since is not None:
            left = self._unrested_since + LONGEST_UNRESTED_SECONDS - monotonic()
            with suppress(Empty):
                if left > 0:
                    return self._queue.get(timeout=min(self._quiet_seconds, left))
            self._rest()
        return self._queue.get()

    def _write(self, batch: list[_Queued]) -> None:
        appends = [waiting.append for waiting in batch]
        outcomes = self._outlast(appends, self._try(appends))
        # One call wakes a loop for all of its callers.
        for loop in {waiting.loop for waiting in batch}:
            done = [(each.future, outcome) for each, outcome in zip(batch, outcomes, strict=True) if each.loop is loop]
            loop.call_soon_threadsafe(_resume, done)

    def _try(self, appends: Sequence[Append]) -> list[Exception | None]:
        if self._tired is not None:
            return [Unavailable(f"The store cannot go on: {self._tired}. Nothing of this was kept.")] * len(appends)
        try:
            return self._book.write(appends)
        except Exception as error:
            return [error] * len(appends)

    def _outlast(self, appends: Sequence[Append], outcomes: list[Exception | None]) -> list[Exception | None]:
        """Waits for a store that is away. A write whose answer was lost may have been carried out, so the store is
        asked before anything is written again: everything is written once."""
        lost = next((outcome for outcome in outcomes if isinstance(outcome, Away)), None)
        if lost is None:
            return outcomes
        self.told(str(lost))
        for _ in self._tries():
            try:
                self._book.reconnect()
                missing = [number for number, append in enumerate(appends) if not _is_written(self._book, append)]
            except Away:
                continue
            except Exception as error:
                return [error] * len(appends)
            tried = self._try([appends[number] for number in missing]) if missing else []
            if not any(isinstance(outcome, Away) for outcome in tried):
                self.told(None)
                known = dict(zip(missing, tried, strict=True))
                return [known.get(number) for number in range(len(appends))]
        return outcomes


def _is_written(book: Reading, append: Append) -> bool:
    """Whether an append is stored: it is whole or not at all, so one part tells."""
    trace = trace_of(append)
    return trace is None or is_stored(book, trace)


def _resume(done: list[tuple["asyncio.Future[None]", Exception | None]]) -> None:
    for future, outcome in done:
        if future.done():
            continue
        if outcome is None:
            future.set_result(None)
        else:
            future.set_exception(outcome)
