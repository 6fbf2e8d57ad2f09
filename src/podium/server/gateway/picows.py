"""The gateway on picows: the default, because it adds little to the kernel's own work."""

import asyncio
import logging
from functools import partial
from typing import Any, Final

from aiohttp import web
from multidict import MultiMapping
from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from podium.server.arrivals import Arrivals
from podium.server.gateway import STANDARD, Desk, Limits, LineCheck
from podium.server.gateway.aiohttp import AiohttpGateway
from podium.server.gateway.entrance import Security, Visit
from podium.server.gateway.line import Admitted, Line, NotAdmitted, Switchboard
from podium.wire.codes import CloseCode

READ_BUFFER: Final = 2_048
"""A command is some hundred bytes; ten thousand lines wait for one most of the time. It grows when it must."""


class PicowsLine(WSListener, Line):
    """A terminal's connection."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.write = partial(transport.send, WSMsgType.TEXT)
        self.unsent = transport.underlying_transport.get_write_buffer_size
        self.board.opened(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == WSMsgType.CLOSE:
            self.end(CloseCode.DONE, "Goodbye.")
            transport.disconnect()
        elif not self.counts():
            return
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.end(CloseCode.BROKEN, "This frame uses an extension that was not agreed.")
        elif kind == WSMsgType.CONTINUATION or not frame.fin:
            self.end(CloseCode.NOT_TEXT, "A message must come in one piece.")
        elif kind == WSMsgType.TEXT:
            self.text(frame.get_payload_as_bytes())
        elif kind == WSMsgType.BINARY:
            self.binary()
        elif kind == WSMsgType.PING:
            self._pong(frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.board.gone(self)

    def pause_writing(self) -> None:
        """No-op: `send` checks what is queued."""

    def resume_writing(self) -> None:
        """No-op."""

    def ping(self) -> None:
        self._transport.send_ping()

    def farewell(self, code: CloseCode, reason: str) -> None:
        self._transport.send_close(WSCloseCode(code), reason)

    def stop_reading(self) -> None:
        self._transport.underlying_transport.pause_reading()

    def cut(self) -> None:
        self._transport.disconnect(graceful=False)

    def _pong(self, payload: bytes) -> None:
        """Answers a ping within the limit of unsent bytes: a terminal that pings without reading must not fill the
        memory."""
        if self.unsent() <= self.board.limits.unsent_bytes:
            self._transport.send_pong(payload)


class PicowsGateway(AiohttpGateway):
    """A gateway that gives terminals to picows. Where a terminal asks on a connection that pages were served on, as may
    happen behind a proxy, aiohttp holds its line."""

    def take(
        self, target: str, headers: MultiMapping[str], transport: asyncio.Transport, visit: Visit
    ) -> asyncio.BufferedProtocol | None:
        """The protocol of a terminal's connection. What is not admitted is left to aiohttp, which says why."""
        try:
            admitted = self.board.admit(target, headers, transport)
        except NotAdmitted:
            return None
        return CountedProtocol(visit, self.board, admitted)


class CountedProtocol(WSProtocol):  # type: ignore[misc]
    """picows' end of a connection that is counted. picows makes these only for servers of its own, so the arguments stand
    here in its order."""

    def __init__(self, visit: Visit, board: Switchboard, admitted: Admitted) -> None:
        def welcome(request: WSUpgradeRequest) -> PicowsLine:
            # RFC 6455 4.2.1: the header holds a list, and Firefox sends `keep-alive, Upgrade`; picows expects one word.
            request.headers["Connection"] = "Upgrade"
            return PicowsLine(board, admitted)

        never_ping, no_address = False, None
        super().__init__(
            no_address,
            no_address,
            False,  # not a client
            welcome,
            _LOG,
            True,  # an exception ends the connection
            board.limits.farewell_seconds,  # for the handshake, whose request is already here
            never_ping,
            0,
            0,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            False,  # pings count as messages, so that nobody can flood the house with them
            # A message that is somewhat too big is refused here, with our sentence; beyond this picows does not read it.
            4 * board.limits.message_bytes,
            None,  # no further headers
            READ_BUFFER,
        )
        self._visit: Final = visit

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._visit.leave()


class _Log(logging.LoggerAdapter[logging.Logger]):
    """The log of picows. A terminal's mistake is not an error of the house."""

    def error(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.info(msg, *args, **kwargs)


_LOG: Final = _Log(logging.getLogger("picows"))


async def listen(
    desk: Desk,
    host: str,
    port: int,
    limits: Limits = STANDARD,
    *,
    pages: web.Application | None = None,
    arrivals: Arrivals | None = None,
    tls: Security | None = None,
    known: LineCheck | None = None,
) -> PicowsGateway:
    """Starts a gateway; port 0 takes any that is free."""
    gateway = PicowsGateway(Switchboard(desk, limits, arrivals, known), pages, tls)
    await gateway.listen(host, port, gateway.take)
    return gateway
