"""A reverse proxy that speaks TLS, in the few lines that a test needs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from podium.server.tls import Certificate, CertificateFiles


class TlsProxy:
    """Takes TLS, and passes everything on to a house without it, saying who asked and how."""

    def __init__(self, house: int) -> None:
        self._house = house
        self.port = 0
        self.serving: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: the head of its request gets the headers of a proxy, and the rest goes through as it is."""
        serving = asyncio.current_task()
        assert serving is not None
        self.serving.add(serving)
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            writer.close()
            self.serving.discard(serving)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        asks_for_line = any(line.lower().startswith("upgrade:") for line in head)
        kept = [line for line in head[:-2] if asks_for_line or not line.lower().startswith("connection:")]
        kept += ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"]
        kept += [] if asks_for_line else ["Connection: close"]
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._house)
        try:
            to_writer.write("\r\n".join([*kept, "", ""]).encode("latin-1"))
            await asyncio.gather(_pass_on(reader, to_writer), _pass_on(to_reader, writer))
        finally:
            to_writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def tls_proxy(files: CertificateFiles, house: int) -> AsyncIterator[TlsProxy]:
    """A proxy with this certificate in front of the house at a port."""
    proxy = TlsProxy(house)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, ssl=Certificate(files).context)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in list(proxy.serving):
            task.cancel()
        await asyncio.gather(*proxy.serving, return_exceptions=True)
        await asyncio.sleep(0.05)  # so that what was closed is gone
