"""The gateway on picows: the first choice, because it adds little to what the kernel does."""

import logging
from collections.abc import Collection
from functools import partial
from typing import Any, Final

from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from podium.server.gateway import STANDARD, Desk, Limits
from podium.server.gateway.line import Line, NotAdmitted, Switchboard, peer
from podium.wire.codes import CloseCode

READ_BUFFER: Final = 2_048
"""A command is some hundred bytes; ten thousand lines wait for one most of the time. It grows when it must."""


class PicowsLine(WSListener, Line):
    """A terminal's connection."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self.write = partial(transport.send, WSMsgType.TEXT)
        self.unsent = transport.underlying_transport.get_write_buffer_size
        self.peer = peer(transport.underlying_transport.get_extra_info("peername"))
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
        """Nothing: `send` looks at what waits."""

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
        """A terminal that pings and does not read must not fill the memory either."""
        if self.unsent() <= self.board.limits.unsent_bytes:
            self._transport.send_pong(payload)


class PicowsGateway:
    """A listening gateway."""

    def __init__(self, board: Switchboard) -> None:
        self._board: Final = board
        self.port = 0

    async def listen(self, host: str, port: int) -> None:
        most = self._board.limits.message_bytes
        self._server = await ws_create_server(
            self._welcome,
            host,
            port,
            # A message that is somewhat too big is refused here, with our sentence; beyond this picows does not read it.
            max_frame_size=4 * most,
            read_buffer_init_size=READ_BUFFER,
            # Pings count as messages, so that nobody can flood the house with them.
            enable_auto_pong=False,
            logger_name=_Log(logging.getLogger("picows")),
            backlog=4_096,
        )
        self.port = self._server.sockets[0].getsockname()[1]
        self._board.watch()

    async def close(self) -> None:
        self._server.close()
        await self._board.goodbye()

    def _welcome(self, request: WSUpgradeRequest) -> PicowsLine | WSUpgradeResponseWithListener:
        try:
            token = self._board.admit(request.path.decode("ascii", "replace"), request.headers.get("Origin"))
        except NotAdmitted as answer:
            refusal = WSUpgradeResponse.create_error_response(answer.status, f"{answer.sentence}\n".encode())
            return WSUpgradeResponseWithListener(refusal, None)
        # RFC 6455 4.2.1: the header holds a list, and Firefox sends `keep-alive, Upgrade`; picows expects one word.
        if "upgrade" in [word.strip().lower() for word in request.headers.get("Connection", "").split(",")]:
            request.headers["Connection"] = "Upgrade"
        return PicowsLine(self._board, token)


class _Log(logging.LoggerAdapter[logging.Logger]):
    """What picows has to say. What a terminal did wrong is no error of the house."""

    def error(self, msg: object, *args: Any, **kwargs: Any) -> None:
        self.info(msg, *args, **kwargs)


async def listen(
    desk: Desk, host: str, port: int, limits: Limits = STANDARD, *, origins: Collection[str] | None = None
) -> PicowsGateway:
    """Start a gateway; port 0 takes any that is free."""
    gateway = PicowsGateway(Switchboard(desk, limits, origins))
    await gateway.listen(host, port)
    return gateway
