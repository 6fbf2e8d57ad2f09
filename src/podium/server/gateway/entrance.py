"""The one listening socket of the house: every connection is counted, and must send its request in time.

A request for a WebSocket goes to the gateway's own protocol, if it has one; everything else is served by aiohttp. Until
the head of its first request is whole, a connection costs a few hundred bytes and has a deadline.
"""

import asyncio
import re
import socket
import ssl
from base64 import b64decode
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final, Protocol, cast

import aiofastnet
import msgspec
from aiohttp import web
from multidict import CIMultiDict, MultiMapping

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.server import limits
from podium.server.arrivals import Arrivals, counted_as, plain
from podium.server.headers import headers_for
from podium.server.log import log

END_OF_HEAD: Final = b"\r\n\r\n"
BACKLOG: Final = 4_096
"""Connections that the system keeps until they are taken, after a restart for example."""
ACCEPTED_AT_ONCE: Final = 16
"""Connections that are taken in one turn of the event loop, before others have theirs."""
KEY_BYTES: Final = 16
"""RFC 6455 4.1: what a WebSocket's key decodes to."""
SWEEP_SECONDS: Final = 5
MAX_HEADERS: Final = 64
_UPGRADE: Final = re.compile(r"GET (/ws(?:\?[!-~]*)?) HTTP/1\.1")
_HEADER: Final = re.compile(r"([A-Za-z0-9-]+):[ \t]*([\t -~]*)")


class Security(Protocol):
    """The house's certificate, where it speaks TLS itself."""

    @property
    def context(self) -> ssl.SSLContext:
        """The context that secures the next connection."""


class Visit:
    """A counted connection, from accept to close."""

    def __init__(self, entrance: "Entrance", address: str) -> None:
        self._entrance: Final = entrance
        self.address: Final = address
        self._is_page = True
        self._left = False
        self.when_left: Callable[[], object] | None = None
        """Called once, when the connection is gone."""
        entrance.count(address, 1, page=True)

    def becomes_line(self) -> None:
        """The connection becomes a terminal's, and no longer counts as a browser's."""
        if self._is_page and not self._left:
            self._is_page = False
            self._entrance.count(self.address, -1, page=True)
            self._entrance.count(self.address, 1, page=False)

    def leave(self) -> None:
        """The connection is gone."""
        if self._left:
            return
        self._left = True
        self._entrance.count(self.address, -1, page=self._is_page)
        if self.when_left is not None:
            self.when_left()


ServeBrowser = Callable[["Entrance", Visit], asyncio.Protocol]
"""The protocol of a browser's connection."""

Take = Callable[[str, MultiMapping[str], asyncio.Transport, Visit], asyncio.BufferedProtocol | None]
"""The protocol of a WebSocket's request, by its address, headers, transport and visit; None to have aiohttp answer it."""


class Entrance:
    """Listens, counts connections, and hands each one to the protocol that serves it."""

    def __init__(
        self,
        serve: "ServeBrowser",
        arrivals: Arrivals,
        per_address: Callable[[], int],
        *,
        in_all: int,
        tls: Security | None = None,
        take: Take | None = None,
    ) -> None:
        self._serve: Final = serve
        self._arrivals: Final = arrivals
        self._per_address: Final = per_address
        self._in_all: Final = in_all
        self.tls: Final = tls
        self._take: Final = take
        self._pages = 0
        self._all = 0
        self._pages_at: Final = Counter[str]()
        self._all_at: Final = Counter[str]()
        self._waiting: Final[dict[Knock, None]] = {}
        """Connections whose first request has not come, the oldest first."""
        self._waiting_at: Final[dict[str, dict[Knock, None]]] = {}
        self.served: Final[set[Stallable]] = set()
        self._closing = False
        self._sockets: Final[list[socket.socket]] = []
        self._sweeper: asyncio.Task[None] | None = None

    async def listen(self, host: str, port: int) -> int:
        """Begins to listen; returns the port."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, _, _, _, address in dict.fromkeys(found):
                everywhere = address[0] == "::" and socket.has_dualstack_ipv6()
                self._sockets.append(
                    socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=everywhere)
                )
        except OSError:
            for listening in self._sockets:
                listening.close()
            raise
        for listening in self._sockets:
            listening.setblocking(False)
            loop.add_reader(listening, self._accept, listening)
        self._sweeper = asyncio.create_task(self._sweep())
        bound: int = self._sockets[0].getsockname()[1]
        return bound

    def _accept(self, listening: socket.socket) -> None:
        """Accepts the connections that wait, some at a time."""
        loop = asyncio.get_running_loop()
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                taken, address = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no more open files, for example: the next look may find some
                log.exception("a connection could not be accepted")
                loop.remove_reader(listening)
                loop.call_later(1, self._accept_again, listening)
                return
            taken.setblocking(False)
            visit = self.visit_from(plain(address[0]))
            if visit is None:
                self._turn_away(taken)
            else:
                Knock(self, visit).meet(taken)

    def _accept_again(self, listening: socket.socket) -> None:
        if not self._closing:
            asyncio.get_running_loop().add_reader(listening, self._accept, listening)

    def _turn_away(self, taken: socket.socket) -> None:
        """Answers that there is no room, and closes; over TLS that is not possible yet."""
        with suppress(OSError), taken:
            if self.tls is None:
                taken.send(short_answer(HTTPStatus.SERVICE_UNAVAILABLE, Refused("browsers-full")))
                taken.shutdown(socket.SHUT_WR)

    def stop(self) -> None:
        """Stops accepting, and drops connections without a request."""
        self._closing = True
        for listening in self._sockets:
            asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for knock in list(self._waiting):
            knock.drop()

    # --- counting ---------------------------------------------------------------------------------------------------

    def count(self, address: str, step: int, *, page: bool) -> None:
        """Counts one more connection from an address, or one less."""
        for counted in (self._all_at, self._pages_at) if page else (self._all_at,):
            counted[address] += step
            if not counted[address]:
                del counted[address]
        self._all += step
        if page:
            self._pages += step

    def visit_from(self, address: str) -> Visit | None:
        """The visit of a new connection, if there is room: connections without a request give way to newcomers."""
        if self._closing:
            return None
        counted = counted_as(address)
        # Everybody who comes through a proxy comes from its address.
        if not self._arrivals.is_proxy(address) and self._is_full_at(counted):
            _drop_the_first(self._waiting_at.get(counted, {}))
            if self._is_full_at(counted):
                return None
        if self._is_full():
            _drop_the_first(self._waiting)
        return Visit(self, counted) if not self._is_full() else None

    def _is_full(self) -> bool:
        return self._pages >= limits.MAX_HTTP_CONNECTIONS or self._all >= self._in_all

    def _is_full_at(self, address: str) -> bool:
        return (
            self._pages_at[address] >= limits.MAX_HTTP_CONNECTIONS_PER_ADDRESS
            or self._all_at[address] >= self._per_address()
        )

    def waits(self, knock: "Knock", address: str) -> None:
        """Notes that a connection has yet to send its request."""
        self._waiting[knock] = None
        self._waiting_at.setdefault(address, {})[knock] = None

    def waits_no_more(self, knock: "Knock", address: str) -> None:
        """Notes that a connection has sent its request, or is gone."""
        self._waiting.pop(knock, None)
        same = self._waiting_at.get(address, {})
        same.pop(knock, None)
        if not same:
            self._waiting_at.pop(address, None)

    # --- who serves a connection ------------------------------------------------------------------------------------

    def lead(self, head: bytes, transport: asyncio.Transport, visit: Visit) -> None:
        """Hands a connection over to the protocol that serves it, with the bytes read so far."""
        asked = read_upgrade(head) if self._take is not None else None
        line = self._take(*asked, transport, visit) if self._take is not None and asked is not None else None
        if line is not None:
            visit.becomes_line()
            transport.set_protocol(line)
            line.connection_made(transport)
            feed(line, head)
            return
        page = self._serve(self, visit)
        transport.set_protocol(page)
        page.connection_made(transport)
        page.data_received(head)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for page in list(self.served):
                page.cut_if_stalled(SWEEP_SECONDS)


class Knock(asyncio.Protocol):
    """A new connection, until the head of its first request is whole."""

    def __init__(self, entrance: Entrance, visit: Visit) -> None:
        self._entrance: Final = entrance
        self._head = bytearray()
        self._visit: Visit | None = visit
        self._transport: asyncio.Transport | None = None
        self._taken: socket.socket | None = None
        self._meeting: asyncio.Task[None] | None = None
        self._deadline: Final = asyncio.get_running_loop().call_later(limits.MAX_REQUEST_HEAD_SECONDS, self._too_slow)
        entrance.waits(self, visit.address)

    def meet(self, taken: socket.socket) -> None:
        """Reads from a new connection, after the handshake of TLS where the house speaks it."""
        self._taken = taken
        self._meeting = asyncio.create_task(self._meet(taken))

    async def _meet(self, taken: socket.socket) -> None:
        self._taken = None  # the transport closes it from here on
        tls = self._entrance.tls
        loop = asyncio.get_running_loop()
        try:
            await aiofastnet.connect_accepted_socket(
                loop,
                lambda: self,
                taken,
                ssl=tls.context if tls is not None else None,
                ssl_handshake_timeout=limits.MAX_REQUEST_HEAD_SECONDS if tls is not None else None,
            )
        except (OSError, EOFError):  # an SSLError and a timeout are OSErrors
            self._go()
        finally:
            self._meeting = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # aiofastnet's transports behave like one, but do not inherit from it.
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        looked = max(0, len(self._head) - len(END_OF_HEAD))
        # RFC 9112 2.2: empty lines before a request are skipped. They are no reason to give the connection more time.
        self._head += data if self._head else data.lstrip(b"\r\n")
        self._look(looked)

    def _look(self, since: int = 0) -> None:
        """Passes the connection on when its first request is complete, or is not a request."""
        head, transport, visit = self._head, self._transport, self._visit
        if not head or transport is None or visit is None:
            return
        if head.find(END_OF_HEAD, since) >= 0 or not chr(head[0]).isupper():
            self._waits_no_more()
            self._visit = None
            self._entrance.lead(bytes(head), transport, visit)
        elif len(head) > limits.MAX_REQUEST_HEAD_BYTES:
            most = limits.MAX_REQUEST_HEAD_BYTES
            transport.write(
                short_answer(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, Refused("head-too-long", most=most))
            )
            transport.close()
            self._go()

    def connection_lost(self, exc: Exception | None) -> None:
        self._go()

    def drop(self) -> None:
        """Cuts the connection: its time is up, or another connection needs its place."""
        if self._taken is not None:
            self._taken.close()
        if self._meeting is not None:
            self._meeting.cancel()
        if self._transport is not None:
            self._transport.abort()
        self._go()

    def _too_slow(self) -> None:
        if self._transport is not None:
            refusal = Refused("head-too-slow", seconds=limits.MAX_REQUEST_HEAD_SECONDS)
            self._transport.write(short_answer(HTTPStatus.REQUEST_TIMEOUT, refusal))
        self.drop()

    def _waits_no_more(self) -> None:
        self._deadline.cancel()
        if self._visit is not None:
            self._entrance.waits_no_more(self, self._visit.address)

    def _go(self) -> None:
        self._waits_no_more()
        if self._visit is not None:
            self._visit.leave()
            self._visit = None


class Stallable:
    """A browser's connection that is cut when the browser takes nothing of its answer."""

    transport: asyncio.Transport | None = None

    def __init__(self) -> None:
        self._unsent = 0
        self._stalled_seconds = 0

    def cut_if_stalled(self, seconds: int) -> None:
        """Cuts the connection of a browser that has taken nothing for too long; `seconds` have passed since the last look."""
        transport = self.transport
        unsent = transport.get_write_buffer_size() if transport is not None else 0
        self._stalled_seconds = self._stalled_seconds + seconds if unsent and unsent == self._unsent else 0
        self._unsent = unsent
        if transport is not None and self._stalled_seconds >= limits.MAX_STALLED_SECONDS:
            transport.abort()


class PageHandler(Stallable, web.RequestHandler):
    """aiohttp's end of a connection that is counted."""

    def __init__(self, entrance: Entrance, visit: Visit, server: web.Server) -> None:
        Stallable.__init__(self)
        web.RequestHandler.__init__(
            self,
            server,
            loop=asyncio.get_running_loop(),
            keepalive_timeout=limits.MAX_IDLE_HTTP_SECONDS,
            lingering_time=limits.MAX_LINGERING_SECONDS,
            access_log=cast("Any", None),
            max_headers=MAX_HEADERS,
            auto_decompress=False,  # no terminal compresses what it sends, and a few bytes could become very many
        )
        self._entrance: Final = entrance
        self.visit: Final = visit

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._entrance.served.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        self._entrance.served.discard(self)
        super().connection_lost(exc)
        self.visit.leave()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to something that is not a request, with the usual headers and without internals."""
        if status < HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(exc, ConnectionError):
            # The browser is gone, or sent something that is not a request: not a mistake of the house. aiohttp would log
            # an error as often as a stranger likes, with a piece of the request, which may hold a token.
            log.debug("a request could not be read", peer=self.visit.address, error=type(exc).__name__)
            if request.writer.output_size > 0:
                raise ConnectionError("the answer has begun: nothing else can be said")
            refusal = Refused("request-unreadable")
        else:
            super().handle_error(request, status, exc, message)
            refusal = Refused("answer-failed")
        response = web.Response(
            status=status, body=refusal_body(refusal), content_type="application/json", headers=headers_for(None)
        )
        response.force_close()
        return response


def read_upgrade(head: bytes) -> tuple[str, MultiMapping[str]] | None:
    """The address and the headers of a request that asks for a WebSocket as it should; None for anything else."""
    if not head.startswith(b"GET /ws"):
        return None
    first, *lines = head.partition(END_OF_HEAD)[0].decode("latin-1").split("\r\n")
    target = _UPGRADE.fullmatch(first)
    if target is None or len(lines) > MAX_HEADERS:
        return None
    headers = CIMultiDict[str]()
    for line in lines:
        field = _HEADER.fullmatch(line)
        if field is None:
            return None
        headers.add(field[1], field[2].rstrip())
    return (target[1], headers) if _asks_for_websocket(headers) else None


def _asks_for_websocket(headers: MultiMapping[str]) -> bool:
    words = [word.strip().lower() for word in headers.get("Connection", "").split(",")]
    return (
        headers.get("Upgrade", "").lower() == "websocket"
        and "upgrade" in words
        and headers.get("Sec-WebSocket-Version") == "13"
        and _is_key(headers.get("Sec-WebSocket-Key", ""))
        and len(headers.getall("Host", [])) == 1
        and headers.get("Content-Length", "0") == "0"
        and "Transfer-Encoding" not in headers
    )


def _is_key(key: str) -> bool:
    try:
        return len(b64decode(key, validate=True)) == KEY_BYTES
    except (NotBase64, ValueError):
        return False


def feed(protocol: asyncio.BufferedProtocol, data: bytes) -> None:
    """Gives a protocol the bytes that were read before it took over."""
    while data:
        room = memoryview(protocol.get_buffer(len(data)))
        size = min(len(data), len(room))
        room[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]


def _drop_the_first(waiting: dict[Knock, None]) -> None:
    if waiting:
        next(iter(waiting)).drop()


def peer_address(transport: asyncio.BaseTransport) -> str:
    """The address at the other end of a connection."""
    found = transport.get_extra_info("peername")
    return plain(found[0]) if isinstance(found, tuple) else "unknown"


def certificate_of(transport: asyncio.BaseTransport | None) -> str:
    """The SHA-256 of the certificate that the other end of a connection proved to own; empty without one."""
    tls = transport.get_extra_info("ssl_object") if transport is not None else None
    found = tls.getpeercert(binary_form=True) if tls is not None else None
    return sha256(found).hexdigest() if found else ""


def refusal_body(refusal: Refused) -> bytes:
    """A refusal over HTTP: the sentence in English, and the phrase for every language."""
    return msgspec.json.encode({"reason": str(refusal), "why": refusal.phrase})


def short_answer(status: HTTPStatus, refusal: Refused) -> bytes:
    """A complete answer for a connection that no protocol serves."""
    body = refusal_body(refusal)
    headers = headers_for(None) | {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        "Retry-After": "5",
    }
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in headers.items()),
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + body


english(
    "refused",
    {
        "browsers-full": "The house is busy: too many browsers are connected. Try again in a moment.",
        "head-too-long": "The headers of a request have {most:count} bytes at most.",
        "head-too-slow": "The headers of a request must come within {seconds} seconds.",
        "request-unreadable": "This is not an HTTP request that the house can read.",
        "answer-failed": "The house made an error, and closes this connection.",
    },
)
