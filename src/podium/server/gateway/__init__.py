"""The terminals' WebSockets, behind a small interface with two implementations.

A gateway listens at the house's one address, serves its pages there, and passes on what terminals say at `/ws`; it knows
no message, no table and no money. A terminal that
is slow or hostile delays nobody: what it sends is bounded in size and rate, what is sent to it never blocks, and a
terminal that does not keep up is disconnected with a reason.
"""

from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb
from typing import Final, NamedTuple, Protocol

from aiohttp import web

from podium.server import limits
from podium.server.arrivals import Arrivals, Evidence
from podium.server.gateway.entrance import Security
from podium.wire.codes import CloseCode


class Ended(NamedTuple):
    """Why the house ended a line."""

    code: CloseCode
    reason: str
    """What the terminal was told; for a mistake of the house, what went wrong and where."""


class Connection(Protocol):
    """One terminal's open line."""

    @property
    def token(self) -> str:
        """What the terminal showed to prove who it is: the token of its cookie, and after a `~` its own key, if it has one."""

    @property
    def peer(self) -> str:
        """Where it comes from, for the log."""

    @property
    def ended(self) -> "Ended | None":
        """How the house ended it; None as long as it is open, and when the terminal went by itself."""

    def send(self, message: bytes) -> None:
        """Sends one message. It never blocks: a terminal whose buffer overflows is disconnected instead."""

    def close(self, reason: str, code: CloseCode = CloseCode.DONE) -> None:
        """Ends the connection, telling the terminal why in some 120 letters. Nothing more is heard from it."""


class Desk(Protocol):
    """Answers the terminals. Every method is called on the event loop and must not block."""

    def opened(self, connection: Connection) -> None:
        """A terminal connected."""

    def heard(self, connection: Connection, message: bytes) -> None:
        """A terminal said something: one whole text message, within the limits."""

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
    farewell_seconds: float = 2
    """How long a terminal that is told goodbye has to take its leave before the line is cut."""


STANDARD: Final = Limits()


class Gateway(Protocol):
    """A listening gateway."""

    @property
    def port(self) -> int:
        """Where it listens."""

    async def close(self) -> None:
        """Stops listening, and disconnects every terminal with a reason."""


class KnownDevice(Protocol):
    """Checks that a line is opened from the device at which its session began."""

    def __call__(self, token: str, shown: Evidence, tab: str) -> None:
        """Refuses a line that is not; `tab` is the terminal's own key, which the proof is about."""


class Listen(Protocol):
    """How an implementation is started: `picows.listen`, `aiohttp.listen`.

    `pages` is what is served beside `/ws`; `arrivals` knows under which names the house is reached, None for those of
    this machine; `tls` is the certificate of a house that speaks TLS itself; `known` checks from which device a line comes.
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
        known: KnownDevice | None = ...,
    ) -> Gateway: ...


def place_of(error: BaseException) -> str:
    """What went wrong, and where: never the words of the error, which may hold what nobody should read."""
    frames = extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def broadcast(connections: Iterable[Connection], message: bytes) -> None:
    """The same message to everybody, encoded once."""
    for connection in connections:
        connection.send(message)
