"""Group commit without a timer: a batch is everything that arrived while the last one was being written.

A single caller waits for one write; when thousands arrive together, one write serves them all.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, NamedTuple, TypeVar

from podium.record import limits
from podium.record.journal import Entry
from podium.record.store.interface import Append, Book, Document, Reading, Signed, Unavailable

Result = TypeVar("Result")


class _Waiting(NamedTuple):
    append: Append
    future: "asyncio.Future[None]"
    loop: asyncio.AbstractEventLoop


class GroupCommit:
    """A store over a book: one thread writes, others read, and no caller blocks the event loop."""

    def __init__(self, book: Book) -> None:
        self._book: Final = book
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
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
        await self._put(Append(tuple(entries), tuple(documents)))

    async def put_checkpoints(self, checkpoints: Iterable[Signed]) -> None:
        """Stores checkpoints of what is durable already, with the next batch; nobody waits for them (EVT-5)."""
        await self._put(Append(checkpoints=tuple(checkpoints)))

    async def _put(self, append: Append) -> None:
        if self._closed:
            raise Unavailable("The store is closed.")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.put(_Waiting(append, future, loop))
        await future

    async def read(self, what: Callable[[Reading], Result], thread: ThreadPoolExecutor | None = None) -> Result:
        """Reads on the reading thread, or on the caller's: `await store.read(lambda book: book.entries("t1"))`."""
        return await asyncio.get_running_loop().run_in_executor(thread or self._reader, what, self._book)

    async def find(self, what: Callable[[Reading], Result]) -> Result:
        """Looks up something small on a thread of its own, so that it does not wait for a long report."""
        if self._closed:
            raise Unavailable("The store is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._finder, what, self._book)

    async def close(self) -> None:
        """Writes what is waiting, then closes the database."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.get_running_loop().run_in_executor(self._reader, self._thread.join)
        self._reader.shutdown()
        self._finder.shutdown()
        self._book.close()

    # --- on the writing thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            batch, last = self._take()
            if batch:
                self._write(batch)
            if last:
                return

    def _take(self) -> tuple[list[_Waiting], bool]:
        """Everything that waits, up to the size of a batch and at least one; and whether it is the end."""
        batch: list[_Waiting] = []
        rows = 0
        waiting = self._queue.get()
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

    def _write(self, batch: list[_Waiting]) -> None:
        outcomes: list[Exception | None]
        try:
            outcomes = self._book.write([waiting.append for waiting in batch])
        except Exception as error:
            outcomes = [error] * len(batch)
        # One call wakes a loop for all of its callers.
        for loop in {waiting.loop for waiting in batch}:
            done = [(each.future, outcome) for each, outcome in zip(batch, outcomes, strict=True) if each.loop is loop]
            loop.call_soon_threadsafe(_resume, done)


def _resume(done: list[tuple["asyncio.Future[None]", Exception | None]]) -> None:
    for future, outcome in done:
        if future.done():
            continue
        if outcome is None:
            future.set_result(None)
        else:
            future.set_exception(outcome)
