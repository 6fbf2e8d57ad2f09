"""A neighbour at the table, by the protocol alone: betting stays open until the neighbour leaves without a bet.

This way no test depends on how fast a browser is on a busy machine.
"""

import asyncio
from collections.abc import Coroutine
from threading import Thread
from types import TracebackType
from typing import Any, Final

from podium.client import Client, Door, connect


class Neighbour:
    """Somebody who sits at a table, in a thread of their own."""

    def __init__(self, address: str, table: str, seat: int | None = None) -> None:
        self._address: Final = address
        self._loop: Final = asyncio.new_event_loop()
        self._thread: Final = Thread(target=self._loop.run_forever)
        self._terminal: Client | None = None
        self._table: Final = table
        self._seat: Final = seat

    def __enter__(self) -> "Neighbour":
        self._thread.start()
        self._do(self._sit_down())
        return self

    def leaves(self) -> None:
        assert self._terminal is not None
        self._do(self._terminal.leave())

    async def _sit_down(self) -> None:
        async with Door(self._address) as door:
            self._terminal = connect(*await door.guest())
        await self._terminal.__aenter__()
        await self._terminal.watch(self._table)
        await self._terminal.join(self._seat)

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._terminal is not None:
            self._do(self._terminal.__aexit__(kind, error, where))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
