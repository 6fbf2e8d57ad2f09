"""The gateway on aiohttp: the second implementation, in Python where picows is compiled; and the pages, for both.

Two differences remain: aiohttp itself assembles a message that comes in pieces, within the limit of size, where picows
lets us refuse it; and it takes frames without a mask. Neither lets anything through to the desk that is not allowed.
"""

import asyncio
from collections.abc import Coroutine
from typing import Final

from aiohttp import ClientConnectionResetError, WSMsgType, web

from podium.server import limits as server_limits
from podium.server.arrivals import Arrivals
from podium.server.gateway import STANDARD, Desk, Limits, LineCheck
from podium.server.gateway.entrance import Entrance, PageHandler, Security, Take, Visit, refusal_body
from podium.server.gateway.line import PATH, Admitted, Line, NotAdmitted, Switchboard
from podium.wire.codes import CloseCode

NEVER: Final = 1 << 62
"""Effectively unlimited: aiohttp's own flow control would wait, and a broadcast must not."""
ENDS: Final = {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR}


class AiohttpLine(Line):
    """A terminal's connection."""

    def __init__(self, board: Switchboard, admitted: Admitted, request: web.BaseRequest) -> None:
        super().__init__(board, admitted)
        transport = request.transport
        if transport is None:
            raise ConnectionResetError("The terminal left before it was let in.")
        self._transport: Final = transport
        self._socket: Final = _Socket(self, board.limits.message_bytes)
        self._request: Final = request
        self._reads = True
        self.write = self._write
        self.unsent = transport.get_write_buffer_size

    async def serve(self) -> web.StreamResponse:
        """From the handshake until the terminal is gone."""
        await self._socket.prepare(self._request)
        if isinstance(self._request.protocol, PageHandler) and (serving := asyncio.current_task()) is not None:
            self._request.protocol.visit.becomes_line()
            self._request.protocol.visit.when_left = serving.cancel
        self.board.opened(self)
        try:
            await self._listen()
        finally:
            self.cut()
            self.board.gone(self)
        return self._socket

    async def _listen(self) -> None:
        """Runs until the terminal closes; cancelled when its line is lost or cut."""
        while (frame := await self._socket.receive()).type not in ENDS:
            if self.counts():
                self._take(frame.type, frame.data)
            elif not self._reads:
                break
        self.end(CloseCode.DONE, "Goodbye.")
        if frame.type is not WSMsgType.CLOSE:
            # The frame cannot be read or is too large. The terminal has a moment to read the reason, then it is cut
            # off.
            await asyncio.sleep(2 * self.board.limits.farewell_seconds)

    def _take(self, kind: WSMsgType, payload: bytes) -> None:
        if kind is WSMsgType.TEXT:
            self.text(payload)
        elif kind is WSMsgType.BINARY:
            self.binary()
        elif kind is WSMsgType.PING and self.unsent() <= self.board.limits.unsent_bytes:
            _at_once(self._socket.pong(payload))

    def _write(self, message: bytes) -> None:
        _at_once(self._socket.send_frame(message, WSMsgType.TEXT))

    def ping(self) -> None:
        if not self.ending:
            _at_once(self._socket.ping())

    def farewell(self, code: CloseCode, reason: str) -> None:
        _at_once(self._socket.send_frame(code.to_bytes(2) + reason.encode(), WSMsgType.CLOSE))

    def stop_reading(self) -> None:
        self._reads = False  # aiohttp stops by itself when nobody takes what it has read

    def cut(self) -> None:
        self._transport.abort()


class _Socket(web.WebSocketResponse):
    """aiohttp's WebSocket with our closing frames: its own have no reason, and wait for terminals that do not read."""

    def __init__(self, line: AiohttpLine, message_bytes: int) -> None:
        super().__init__(
            # aiohttp takes less than this many bytes.
            max_msg_size=message_bytes + 1,
            compress=False,
            autoping=False,
            autoclose=False,
            decode_text=False,
            writer_limit=NEVER,
        )
        self._line: Final = line

    async def close(self, *, code: int = CloseCode.DONE, message: bytes = b"", drain: bool = True) -> bool:
        """aiohttp calls this when a frame cannot be read, and when the terminal is gone."""
        words = {
            CloseCode.TOO_BIG: self._line.too_big,
            CloseCode.BROKEN: "This frame is not in the WebSocket protocol.",
        }
        known = CloseCode(code) if code in set(CloseCode) else CloseCode.BROKEN
        self._line.end(known, words.get(known, "Goodbye."))
        return True


class AiohttpGateway:
    """A listening gateway, with the pages beside it."""

    def __init__(self, board: Switchboard, pages: web.Application | None, tls: Security | None) -> None:
        self.board: Final = board
        self.port = 0
        self._tls: Final = tls
        self._pages: Final = pages if pages is not None else web.Application()
        self._pages.router.add_get(PATH, self._welcome)

    async def listen(self, host: str, port: int, take: Take | None = None) -> None:
        self._runner = web.AppRunner(
            self._pages, access_log=None, keepalive_timeout=server_limits.MAX_IDLE_HTTP_SECONDS
        )
        await self._runner.setup()
        most = self.board.limits
        self._entrance = Entrance(
            self._page,
            self.board.arrivals,
            lambda: most.connections_per_address,
            in_all=most.connections_in_all,
            tls=self._tls,
            take=take,
        )
        self.port = await self._entrance.listen(host, port)
        self.board.watch()

    def _page(self, entrance: Entrance, visit: Visit) -> PageHandler:
        assert self._runner.server is not None
        return PageHandler(entrance, visit, self._runner.server)

    def page_for(self, address: str) -> PageHandler | None:
        """Serves a browser from this address whose socket is elsewhere; None where there is no room."""
        visit = self._entrance.visit_from(address)
        return None if visit is None else self._page(self._entrance, visit)

    async def close(self) -> None:
        self._entrance.stop()
        await self.board.goodbye()
        await self._runner.cleanup()

    async def _welcome(self, request: web.Request) -> web.StreamResponse:
        if request.transport is None:
            raise ConnectionResetError("The terminal left before it was let in.")
        try:
            admitted = self.board.admit(request.raw_path, request.headers, request.transport)
        except NotAdmitted as answer:
            return web.Response(
                status=answer.status, body=refusal_body(answer.refusal), content_type="application/json"
            )
        return await AiohttpLine(self.board, admitted, request).serve()


def _at_once(sending: Coroutine[object, object, None]) -> None:
    """Runs a coroutine that never waits: without compression and below `writer_limit`, aiohttp writes and returns."""
    try:
        sending.send(None)
    except (StopIteration, ClientConnectionResetError):
        return
    sending.close()


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
) -> AiohttpGateway:
    """Starts a gateway; port 0 takes any that is free."""
    gateway = AiohttpGateway(Switchboard(desk, limits, arrivals, known), pages, tls)
    await gateway.listen(host, port)
    return gateway
