"""The line between a process and a server, which can be cut: nothing arrives any more, and nobody is told."""

import asyncio
import contextlib
from threading import Thread


class Cable:
    """Passes everything on, while it is whole. It has a thread of its own: whoever looks at a store for long cuts nothing."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name=f"cable to {to}", daemon=True)
        self._whole = asyncio.Event()
        self._whole.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def lay(self) -> None:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._lay(), self._loop).result()

    async def _lay(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        self._loop.call_soon_threadsafe(self._whole.set)

    def take_away(self) -> None:
        asyncio.run_coroutine_threadsafe(self._take_away(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _take_away(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        there: asyncio.StreamWriter | None = None
        try:
            await self._whole.wait()
            back, there = await asyncio.open_connection("127.0.0.1", self._to)
            await asyncio.gather(self._pump(reader, there), self._pump(back, writer))
        except (OSError, asyncio.CancelledError):
            pass  # one end is gone, or the test is over
        finally:
            self._tasks.discard(task)
            for end in (writer, there):
                if end is not None:
                    end.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()
        await self._whole.wait()
        writer.close()
