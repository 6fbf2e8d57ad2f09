"""Signs checkpoints of the record while the house is open; no command waits for it (EVT-5)."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from podium.house.checkpoints import Signatory, verifier_key
from podium.record.store import GroupCommit, Reading
from podium.record.tlog import NoteVerifier
from podium.server import limits
from podium.server.log import log

T = TypeVar("T")


class Signing:
    """Signs every few seconds what has become durable since. It reads on a thread of its own, because the first time,
    in a book of an earlier version, that may be millions of entries."""

    def __init__(self, store: GroupCommit, secret: bytes, clock: Callable[[], int]) -> None:
        self._store: Final = store
        self._secret: Final = secret
        self._clock: Final = clock
        self._signatory: Final = Signatory(secret)
        self._one_at_a_time: Final = asyncio.Lock()
        self.failing_since: int | None = None
        """Since when the record could not be signed."""
        self._thread: Final = ThreadPoolExecutor(1, thread_name_prefix="podium-signing")

    async def run(self) -> None:
        while True:
            await asyncio.sleep(limits.MIN_SECONDS_BETWEEN_CHECKPOINTS)
            try:
                await self.sign()
                self.failing_since = None
            except Exception:  # the house goes on; health reports it, and a witness sees that signing has stopped
                self.failing_since = self.failing_since or self._clock()
                log.exception("the record could not be signed")

    async def sign(self) -> int:
        """Signs every stream that grew. Returns how many did."""
        async with self._one_at_a_time:
            signed = await self._reading(lambda book: self._signatory.sign(book, self._clock()))
            if signed:
                try:
                    await self._store.put_checkpoints(signed)
                except BaseException:
                    self._signatory.forget()
                    raise
            return len(signed)

    async def key(self) -> NoteVerifier:
        """The verifier key of its checkpoints."""
        return await self._reading(lambda book: verifier_key(book, self._secret))

    async def close(self) -> None:
        """Signs the rest, so that the record of a closed house is signed to its last entry."""
        try:
            await self.sign()
        except Exception:  # a store that failed cannot take it
            log.exception("the record could not be signed at its end")
        self._thread.shutdown()

    async def _reading(self, what: Callable[[Reading], T]) -> T:
        return await self._store.read(what, self._thread)
