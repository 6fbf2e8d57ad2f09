"""Where browsers connect: up to a limit, and idle connections are closed."""

import asyncio
from collections.abc import Callable

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.server import limits
from podium.server.web.cards import refusal_card


class Full(asyncio.Protocol):
    """A connection over the limit: it is refused in a sentence and closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        body = msgspec.json.encode(refusal_card(Refused("browsers-full")))
        transport.write(
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nRetry-After: 5\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        transport.close()


def bounded(server: web.Server) -> Callable[[], asyncio.BaseProtocol]:
    """The factory that serves a new connection, or refuses it."""
    return lambda: server() if len(server.connections) < limits.MAX_HTTP_CONNECTIONS else Full()


async def listen(application: web.Application, host: str, port: int) -> "Listening":
    """Serve an application; port 0 takes any free port."""
    runner = web.AppRunner(application, access_log=None, keepalive_timeout=limits.MAX_IDLE_HTTP_SECONDS)
    await runner.setup()
    assert runner.server is not None
    listener = await asyncio.get_running_loop().create_server(bounded(runner.server), host, port)
    return Listening(runner, listener)


class Listening:
    """An application that is served."""

    def __init__(self, runner: web.AppRunner, listener: asyncio.Server) -> None:
        self._runner = runner
        self._listener = listener
        self.port: int = listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        self._listener.close()
        await self._runner.cleanup()


english(
    "refused",
    {"browsers-full": "The house is busy: too many browsers are connected. Try again in a moment."},
)
