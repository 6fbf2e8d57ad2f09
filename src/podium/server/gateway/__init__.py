"""The terminals' WebSockets, behind a small interface with two implementations.

A gateway accepts connections and passes on what they say; it knows no message, no table and no money. A terminal that
is slow or hostile delays nobody: what it sends is bounded in size and rate, what is sent to it never blocks, and a
terminal that does not keep up is disconnected with a reason.
"""

from typing import NamedTuple, Protocol


class Connection(Protocol):
    """One terminal's open line."""

    token: str
    """What the terminal showed to prove who it is: the `token` of the address that it opened."""
    peer: str
    """Where it comes from, for the log."""

    def send(self, message: bytes) -> None:
        """Send one message. It never blocks: a terminal whose buffer overflows is disconnected instead."""

    def close(self, reason: str) -> None:
        """End the connection, telling the terminal why."""


class Desk(Protocol):
    """Whoever answers the terminals. All of it is called on the event loop, and none of it may block."""

    def opened(self, connection: Connection) -> None:
        """A terminal connected."""

    def heard(self, connection: Connection, message: bytes) -> None:
        """A terminal said something: one whole text message, within the limits."""

    def closed(self, connection: Connection) -> None:
        """A terminal is gone, whoever ended it."""


class Limits(NamedTuple):
    """What a terminal may do before it is disconnected."""

    message_bytes: int = 16_384
    messages_per_second: float = 50
    burst: int = 100
    unsent_bytes: int = 1_048_576
    """How much may wait to be sent to a terminal that does not read."""
    idle_seconds: float = 40
    """How long a terminal may be silent; it is pinged at half of it."""
    connections: int = 19_000


class Gateway(Protocol):
    """A listening gateway."""

    port: int

    async def close(self) -> None:
        """Stop listening, and disconnect every terminal with a reason."""


class Listen(Protocol):
    """How an implementation is started: `picows.listen`, `aiohttp.listen`."""

    async def __call__(self, desk: Desk, host: str, port: int, limits: Limits = ...) -> Gateway: ...


def broadcast(connections: "list[Connection]", message: bytes) -> None:
    """The same message to everybody, encoded once."""
    for connection in connections:
        connection.send(message)
