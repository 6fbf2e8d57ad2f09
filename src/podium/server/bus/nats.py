"""The bus over NATS. Its client connects again by itself; what was under way meanwhile is lost, and the links notice."""

import asyncio
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from ssl import create_default_context
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.server.log import log

if TYPE_CHECKING:
    from nats.aio.client import Client as NatsClient
    from nats.aio.msg import Msg

CONNECT_SECONDS: Final = 5
AGAIN_SECONDS: Final = 0.2
"""Seconds between two tries to connect again."""
PING_SECONDS: Final = 1
MAX_UNANSWERED_PINGS: Final = 2
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")


class NatsBus:
    """A connection to a NATS server, or to one of a cluster."""

    def __init__(self, client: "NatsClient") -> None:
        self._client: Final = client

    async def publish(self, subject: str, message: bytes) -> None:
        from nats.errors import Error  # noqa: PLC0415  # not installed where no bus is used

        if not self._client.is_connected:
            raise ConnectionError("there is no connection to NATS")
        try:
            await self._client.publish(subject, message)
        except Error as error:
            raise ConnectionError(_words(error)) from None

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        async def handle(message: "Msg") -> None:
            heard(message.data)

        # The links bound what is under way; NATS' own limits would drop messages one by one.
        await self._client.subscribe(subject, cb=handle, pending_msgs_limit=0, pending_bytes_limit=0)
        await self._client.flush()

    async def close(self) -> None:
        from nats.errors import Error  # noqa: PLC0415  # as above

        try:
            if self._client.is_connected:
                await self._client.flush()
            await self._client.close()
        except Error as error:
            log.warning("the bus was not closed well", reason=_words(error))


class BusAddress(NamedTuple):
    """Where a house and its gateways meet."""

    url: str
    """`nats://host:4222`, or `tls://host:4222`, with `user:password@` where it asks for them; several servers of a cluster are
    separated by commas."""
    name: str = "podium"
    """The name of the house there: the first word of its subjects."""
    authority: Path | None = None
    """The certificates that vouch for the servers; those of the system by default."""

    @property
    def servers(self) -> list[str]:
        return [server.strip() for server in self.url.split(",")]

    def check(self) -> None:
        """Refuses an address that is not one of NATS, and a missing driver."""
        for server in self.servers:
            try:
                parts = urlsplit(server)
                known = parts.scheme in ("nats", "tls") and bool(parts.hostname) and (parts.port or 1) > 0
            except ValueError:
                known = False
            if not known:
                raise Refused("bus-address")
        if not _NAME.fullmatch(self.name):
            raise Refused("bus-name", name=shortened(self.name))
        if find_spec("nats") is None:
            raise Refused("bus-driver")


async def join(address: BusAddress) -> NatsBus:
    """Connects, as soon as NATS answers."""
    told = ""
    while True:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await _connect(address)
        except (OSError, TimeoutError) as error:
            if str(error) != told:
                told = str(error)
                log.warning("NATS does not answer yet", servers=_without_passwords(address), reason=_words(error))
        await asyncio.sleep(AGAIN_SECONDS)


async def _connect(address: BusAddress) -> NatsBus:
    from nats.errors import Error  # noqa: PLC0415

    import nats  # noqa: PLC0415  # as above

    tls = any(server.startswith("tls:") for server in address.servers)
    try:
        client = await nats.connect(
            address.servers,
            tls=create_default_context(cafile=address.authority) if tls else None,
            connect_timeout=CONNECT_SECONDS,
            reconnect_time_wait=AGAIN_SECONDS,
            max_reconnect_attempts=-1,
            ping_interval=PING_SECONDS,
            max_outstanding_pings=MAX_UNANSWERED_PINGS,
            allow_reconnect=True,
            error_cb=_log_error,
            name="podium",
        )
    except Error as error:
        raise ConnectionError(_words(error)) from None
    return NatsBus(client)


def _without_passwords(address: BusAddress) -> list[str]:
    return [server.rpartition("@")[2] for server in address.servers]


async def _log_error(error: Exception) -> None:
    log.warning("the bus has failed", reason=_words(error))


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


english(
    "refused",
    {
        "bus-driver": "A bus needs its driver, which is not installed: pip install 'podium[bus]'.",
        "bus-name": "{name:quoted} does not name a house on a bus: use letters, digits, - and _.",
        "bus-address": "A bus has an address such as nats://host:4222 or tls://host:4222, or several with commas between them.",
    },
)
