"""The terminals' WebSockets, behind a small interface with two implementations.

A gateway listens at the house's one address, serves its pages there, and passes on messages from terminals at `/ws`; it knows
nothing of their content. A terminal that is slow or hostile delays nobody: what it sends is bounded in size and rate, what is
sent to it never blocks, and a terminal that does not keep up is disconnected with a reason.
"""

import asyncio
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from aiohttp import web

from podium.server import limits
from podium.server.arrivals import Arrivals, Evidence
from podium.server.gateway.entrance import Security
from podium.wire.codes import CloseCode


class Ended(NamedTuple):
    """Why the house closed a line."""

    code: CloseCode
    reason: str
    """The reason that the terminal was given; for a bug in the house, the error and its place."""


class Connection(Protocol):
    """One terminal's open line."""

    @property
    def token(self) -> str:
        """The terminal's credentials: the token of its cookie and, after a `~`, its own key if it has one."""

    @property
    def peer(self) -> str:
        """Where it comes from, for the log."""

    @property
    def ended(self) -> "Ended | None":
        """How the house closed it; None while it is open, or if the terminal closed it."""

    def send(self, message: bytes) -> None:
        """Sends one message. It never blocks: a terminal whose buffer overflows is disconnected instead."""

    def close(self, reason: str, code: CloseCode = CloseCode.DONE) -> None:
        """Closes the connection with a reason of at most some 120 letters. No further message from it is handled."""


class Desk(Protocol):
    """Answers the terminals. Every method is called on the event loop and must not block."""

    def opened(self, connection: Connection) -> None:
        """A terminal connected."""

    def heard(self, connection: Connection, message: bytes) -> None:
        """A terminal sent one whole text message, within the limits."""

    def closed(self, connection: Connection) -> None:
        """A terminal disconnected, from either side. Never called from within `send` or `close`."""


class Limits(NamedTuple):
    """What a terminal may do before it is disconnected."""

    message_bytes: int = limits.MAX_MESSAGE_BYTES
    messages_per_second: float = limits.MAX_MESSAGES_PER_SECOND
    burst: int = limits.MAX_MESSAGES_AT_ONCE
    unsent_bytes: int = limits.MAX_UNSENT_BYTES_PER_SOCKET
    """How much may wait to be sent to a terminal that does not read."""
    unsent_bytes_in_all: int = limits.MAX_UNSENT_BYTES
    """How much may wait to be sent to all terminals together."""
    idle_seconds: float = limits.MAX_SILENT_SECONDS
    """How long a terminal may be silent; it is pinged at half of it."""
    connections: int = limits.MAX_OPEN_SOCKETS
    connections_per_address: int = limits.MAX_CONNECTIONS_PER_ADDRESS
    """How many connections of any kind may come from one address that is not a proxy's."""
    connections_in_all: int = limits.MAX_OPEN_SOCKETS + limits.MAX_HTTP_CONNECTIONS
    """How many connections of any kind there may be: fewer, where the system allows fewer open files."""
    farewell_seconds: float = 2
    """How long a terminal has to answer the closing handshake before the line is cut."""


STANDARD: Final = Limits()


class Gateway(Protocol):
    """A listening gateway."""

    @property
    def port(self) -> int:
        """The port at which it listens."""

    def page_for(self, address: str) -> asyncio.Protocol | None:
        """Serves a browser from this address whose socket is elsewhere; None where there is no room."""

    async def close(self) -> None:
        """Stops listening, and disconnects every terminal with a reason."""


class LineCheck(Protocol):
    """Checks that a line is opened from the terminal at which its session began."""

    def __call__(self, token: str, shown: Evidence, tab: str) -> None:
        """Refuses a line that is opened elsewhere; `tab` is the terminal's own key, which the proof covers."""


class Listen(Protocol):
    """How an implementation is started: `picows.listen`, `aiohttp.listen`.

    `pages` is what is served beside `/ws`; `arrivals` knows the names of the house, None for those of this machine;
    `tls` is the certificate of a house that speaks TLS itself; `known` checks from which terminal a line comes.
    """

    async def __call__(
        self,
        desk: Desk,
        host: str,
        port: int,
        limits: Limits = ...,
        *,
        pages: web.Application | None = ...,
        arrivals: Arrivals | None = ...,
        tls: Security | None = ...,
        known: LineCheck | None = ...,
    ) -> Gateway: ...


def broadcast(connections: Iterable[Connection], message: bytes) -> None:
    """The same message to everybody, encoded once."""
    for connection in connections:
        connection.send(message)
