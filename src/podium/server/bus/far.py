"""The house's end of connections whose sockets a gateway holds."""

import asyncio
from collections import deque
from functools import partial
from typing import Any, Final

from podium.server.bus.frames import Ending, Gone, Passed, Source, Taken
from podium.server.bus.link import Link
from podium.server.gateway.line import Admitted, Line, Switchboard
from podium.wire.codes import CloseCode

MAX_PASSED_BYTES: Final = 65_536
"""Bytes of an answer that travel in one frame."""
HIGH_WATER_BYTES: Final = 262_144
"""Bytes of one browser's connection that may be under way, in each direction."""
LOW_WATER_BYTES: Final = 65_536


class FarLine(Line):
    """A terminal's line. Its gateway keeps it within the limits of size, rate and silence."""

    def __init__(self, board: Switchboard, admitted: Admitted, link: Link, number: int) -> None:
        super().__init__(board, admitted)
        self._link: Final = link
        self._number: Final = number
        self.write = partial(link.tell, number)
        self.unsent = lambda: 0

    def ping(self) -> None:
        """No-op: the gateway pings."""

    def farewell(self, code: CloseCode, reason: str) -> None:
        self._link.put(Ending(self._number, code, reason))

    def stop_reading(self) -> None:
        """No-op: the gateway has stopped."""

    def cut(self) -> None:
        """No-op: the gateway cuts a line that does not answer the farewell."""


class _Shown:
    """The certificate that the other end of a connection has proved to the gateway to have."""

    def __init__(self, certificate: bytes) -> None:
        self._certificate: Final = certificate

    def getpeercert(self, *, binary_form: bool) -> bytes | None:
        return self._certificate or None


class FarTransport(asyncio.Transport):
    """A browser's connection, or that of a terminal which has not been let in yet."""

    def __init__(self, link: Link, number: int, source: Source) -> None:
        shown = {"sslcontext": True, "ssl_object": _Shown(source.certificate)} if source.tls else {}
        super().__init__({"peername": (source.address, source.port), **shown})
        self._link: Final = link
        self._number: Final = number
        self._protocol: asyncio.Protocol | None = None
        self._under_way = 0
        """Bytes of answers that the gateway has not passed on yet."""
        self._writing_paused = False
        self._reading = True
        self._come: Final[deque[bytes]] = deque()
        """What came while nobody read."""
        self._closing = False

    # --- what the protocol does -------------------------------------------------------------------------------------

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, asyncio.Protocol)
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        assert self._protocol is not None
        return self._protocol

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None:
        if self._closing:
            return
        whole = bytes(data)
        for at in range(0, len(whole), MAX_PASSED_BYTES):
            self._link.put(Passed(self._number, whole[at : at + MAX_PASSED_BYTES]))
        self._under_way += len(whole)
        if self._under_way > HIGH_WATER_BYTES and not self._writing_paused:
            self._writing_paused = True
            self.get_protocol().pause_writing()

    def get_write_buffer_size(self) -> int:
        return self._under_way

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._link.put(Gone(self._number))
            self.lost()

    def abort(self) -> None:
        self.close()

    def can_write_eof(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return self._reading

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        asyncio.get_running_loop().call_soon(self._read)

    # --- what the gateway says --------------------------------------------------------------------------------------

    def passed(self, data: bytes) -> None:
        """Bytes came from the browser."""
        self._come.append(data)
        self._read()

    def taken(self, count: int) -> None:
        """The gateway has passed on this many bytes."""
        self._under_way -= count
        if self._writing_paused and self._under_way < LOW_WATER_BYTES and not self._closing:
            self._writing_paused = False
            self.get_protocol().resume_writing()

    def lost(self) -> None:
        """The connection is gone."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_soon(self.get_protocol().connection_lost, None)

    def _read(self) -> None:
        protocol = self.get_protocol()
        while self._reading and self._come and not self._closing:
            data = self._come.popleft()
            self._link.put(Taken(self._number, len(data)))
            assert isinstance(protocol, asyncio.Protocol)
            protocol.data_received(data)
