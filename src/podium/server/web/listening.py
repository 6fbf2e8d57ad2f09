"""Where browsers connect: as many as there is room for, and none for long without asking anything."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from podium.server import limits

_FULL = "The house is busy: too many browsers are connected. Try again in a moment."


class Full(asyncio.Protocol):
    """A connection for which there is no room: it is told so, and closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        body = f'{{"reason":"{_FULL}"}}'
        transport.write(
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nRetry-After: 5\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        transport.close()


def bounded(server: web.Server) -> Callable[[], asyncio.BaseProtocol]:
    """What serves a new connection."""
    return lambda: server() if len(server.connections) < limits.MAX_HTTP_CONNECTIONS else Full()


async def listen(application: web.Application, host: str, port: int) -> "Listening":
    """Serve an application; port 0 takes any that is free."""
    runner = web.AppRunner(application, access_log=None, keepalive_timeout=limits.MAX_IDLE_HTTP_SECONDS)
    await runner.setup()
    assert runner.server is not None
    listener = await asyncio.get_running_loop().create_server(bounded(runner.server), host, port)
    return Listening(runner, listener)


class Listening:
    """Pages and requests that are served."""

    def __init__(self, runner: web.AppRunner, listener: asyncio.Server) -> None:
        self._runner = runner
        self._listener = listener
        self.port: int = listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._listener.close()
        await self._runner.cleanup()
