"""The gateway's end of the bus: holds the sockets of terminals and browsers, and carries what they say to the house.

It keeps no state but the open sockets. While the house is away, terminals stay connected and are told so; when it is back, maybe
in another process on another machine, the gateway opens all of their lines there.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from secrets import randbits, token_hex
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Later
from podium.basics.words import english
from podium.house import HouseConfig
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.bus import Bus
from podium.server.bus.far import HIGH_WATER_BYTES
from podium.server.bus.frames import (
    VERSION,
    Accepted,
    AnyFrame,
    Beacon,
    Ending,
    Gone,
    Hello,
    Knocked,
    Leaving,
    LetIn,
    Opened,
    Passed,
    Said,
    Source,
    Taken,
    Told,
    TurnedAway,
    Visited,
    beacon_subject,
    decode_beacon,
    decode_packet,
    gateway_subject,
    house_subject,
)
from podium.server.bus.link import SILENT_SECONDS, Link
from podium.server.gateway import Connection, Limits, broadcast
from podium.server.gateway.entrance import Entrance, Security, Stallable, Visit, feed, short_answer
from podium.server.gateway.line import Admitted, Switchboard
from podium.server.gateway.picows import CountedProtocol
from podium.server.log import log
from podium.server.terminals import encode
from podium.wire.codes import CloseCode
from podium.wire.messages import Standstill

LOOK_SECONDS: Final = 0.2
"""Seconds between two looks whether there is a house."""
REMIND_SECONDS: Final = 2.0
"""Seconds after which terminals are told again that the house is away, so that they know that the gateway is there."""


class Request(NamedTuple):
    """A terminal that has knocked: what another opening of the house must be shown to let it in again."""

    head: bytes
    source: Source


class GatewayEnd:
    """A gateway without a house: the house is at the other end of the bus."""

    def __init__(self, bus: Bus, name: str, address: str, tls: Security | None) -> None:
        self._bus: Final = bus
        self._name: Final = name
        self._address: Final = address
        self._subject: Final = gateway_subject(name, token_hex(8))
        self._config = HouseConfig()
        arrivals = Arrivals(lambda: self._config)
        self.board: Final = Switchboard(self, Limits(), arrivals)
        self._entrance: Final = Entrance(
            self._browser,
            arrivals,
            lambda: self._config.connections_per_address,
            in_all=self.board.limits.connections_in_all,
            tls=tls,
            take=self._take,
        )
        self._last = 0
        self._knocking: Final[dict[int, Knocker]] = {}
        self._known: Final[dict[int, Request]] = {}
        """Every terminal with an open line."""
        self._lines: Final[dict[int, Connection]] = {}
        self._browsers: Final[dict[int, Browser]] = {}
        self._link: Link | None = None
        """The link with the house, from the first word on."""
        self._accepted = False
        self._house: Beacon | None = None
        """The newest opening of the house that was heard of."""
        self._house_at = 0.0
        self.port = 0

    @property
    def up(self) -> Link | None:
        """The link, where the house has accepted it and it is not broken."""
        link = self._link
        return link if link is not None and self._accepted and link.broken is None else None

    # --- its life ---------------------------------------------------------------------------------------------------

    async def listen(self, host: str, port: int) -> None:
        """Begins to listen, to the bus and to terminals."""
        await self._bus.listen(beacon_subject(self._name), self._saw)
        await self._bus.listen(self._subject, self._heard)
        self.port = await self._entrance.listen(host, port)
        self.board.watch()

    async def run(self) -> None:
        """Keeps a link with the house."""
        away_at = 0.0
        loop = asyncio.get_running_loop()
        while True:
            if self._is_there(loop.time()):
                await self._keep_link()
                away_at = 0.0
            if loop.time() - away_at > REMIND_SECONDS:
                away_at = loop.time()
                self._say_away()
            await asyncio.sleep(LOOK_SECONDS)

    async def close(self) -> None:
        """Stops listening, and tells every terminal to connect again: to another gateway, where there is one."""
        self._entrance.stop()
        await self.board.goodbye()
        for browser in list(self._browsers.values()):
            browser.cut()
        if (link := self.up) is not None:
            link.put(Leaving())
            await link.flush()
        await self._bus.close()

    def _is_there(self, now: float) -> bool:
        return self._house is not None and now - self._house_at < SILENT_SECONDS

    async def _keep_link(self) -> None:
        """Makes a link, and keeps it until it is broken."""
        assert self._house is not None
        house = self._house
        publish = partial(self._bus.publish, house_subject(self._name, house.instance))
        self._link = link = Link(randbits(63), publish, self._take_frame)
        self._accepted = False
        link.put(Hello(self._subject, self._address, VERSION))
        why = await link.run()
        if self._accepted:
            log.warning("the house is away", process=house.process, reason=why)
        self._accepted = False
        self._drop_browsers()

    def _saw(self, message: bytes) -> None:
        """Hears that the house is there: the highest epoch counts, and in one epoch the newest."""
        try:
            beacon = decode_beacon(message)
        except msgspec.MsgspecError as error:
            log.warning("a message on the bus could not be read", error=str(error))
            return
        now = asyncio.get_running_loop().time()
        known = self._house
        if known is not None and beacon.instance != known.instance:
            if (beacon.epoch, beacon.since) < (known.epoch, known.since):
                return
            if self._link is not None:
                self._link.snap("another process serves the house")
        self._house, self._house_at = beacon, now

    def _heard(self, message: bytes) -> None:
        try:
            packet = decode_packet(message)
        except msgspec.MsgspecError as error:
            log.warning("a message on the bus could not be read", error=str(error))
            return
        if self._link is not None and packet.link == self._link.number:
            self._link.take(packet)

    # --- what the house says ----------------------------------------------------------------------------------------

    def _take_frame(self, frame: AnyFrame) -> None:
        match frame:
            case Told(lines, message):
                broadcast([self._lines[line] for line in lines if line in self._lines], message)
            case LetIn(line) if line in self._knocking:
                self._let_in(line)
            case TurnedAway(line, answer) if line in self._knocking:
                self._knocking.pop(line).turn_away(answer)
            case Ending(line, code, reason) if line in self._lines:
                self._lines[line].close(reason, CloseCode(code))
            case Passed(line, data) if line in self._browsers:
                self._browsers[line].passed(data)
            case Taken(line, count) if line in self._browsers:
                self._browsers[line].taken(count)
            case Gone(line) if line in self._browsers:
                self._browsers.pop(line).finish()
            case Accepted(proxies, per_address):
                self._begin(proxies, per_address)
            case Leaving() if self._link is not None:
                self._house = None
                self._link.snap("the house is closing")

    def _begin(self, proxies: tuple[str, ...], per_address: int) -> None:
        """The house has taken the link: every open line is opened there."""
        self._config = msgspec.structs.replace(self._config, proxies=proxies, connections_per_address=per_address)
        self._accepted = True
        assert self._link is not None
        for line, known in self._known.items():
            if line in self._lines:
                self._link.put(Knocked(line, known.head, known.source, open=True))
        log.info("the house is there", process=self._house.process if self._house is not None else "")

    def _let_in(self, number: int) -> None:
        knocker = self._knocking.pop(number)
        self._known[number] = Request(bytes(knocker.head), knocker.source)
        knocker.let_in(self.board, str(number))

    def _say_away(self) -> None:
        why = Later("house-away")
        broadcast(list(self._lines.values()), encode(Standstill(reason=str(why), why=why.phrase)))

    def _drop_browsers(self) -> None:
        for browser in list(self._browsers.values()):
            browser.cut()
        for knocker in list(self._knocking.values()):
            knocker.turn_away(away())
        self._knocking.clear()

    # --- what terminals do ------------------------------------------------------------------------------------------

    def _take(
        self, target: str, headers: object, transport: asyncio.Transport, visit: Visit
    ) -> asyncio.BufferedProtocol | None:
        return Knocker(self, visit)

    def number(self) -> int:
        """A new number for a connection."""
        self._last += 1
        return self._last

    def knocks(self, knocker: "Knocker") -> None:
        """The head of a terminal's request is whole."""
        if (link := self.up) is None:
            knocker.turn_away(away())
            return
        number = self.number()
        self._knocking[number] = knocker
        knocker.when_gone = lambda: self._stops_knocking(number)
        link.put(Knocked(number, bytes(knocker.head), knocker.source, open=False))

    def _stops_knocking(self, number: int) -> None:
        if self._knocking.pop(number, None) is not None and (link := self.up) is not None:
            link.put(Gone(number))

    def opened(self, connection: Connection) -> None:
        number = int(connection.token)
        self._lines[number] = connection
        if (link := self.up) is not None:
            link.put(Opened(number))
        else:
            self._say_away()

    def heard(self, connection: Connection, message: bytes) -> None:
        # While the house is away the message is lost: the terminal sends it again after the next welcome.
        if (link := self.up) is not None:
            link.put(Said(int(connection.token), message))

    def closed(self, connection: Connection) -> None:
        number = int(connection.token)
        self._lines.pop(number, None)
        self._known.pop(number, None)
        if (link := self.up) is not None:
            link.put(Gone(number))

    # --- what browsers do -------------------------------------------------------------------------------------------

    def _browser(self, entrance: Entrance, visit: Visit) -> asyncio.Protocol:
        return Browser(self, entrance, visit)

    def visited(self, browser: "Browser", source: Source) -> bool:
        """A browser has connected. Returns whether the house is there."""
        if (link := self.up) is None:
            return False
        self._browsers[browser.number] = browser
        link.put(Visited(browser.number, source))
        return True

    def pass_on(self, frame: Passed | Taken) -> None:
        """Sends bytes of a browser's connection, or how many were taken."""
        if (link := self.up) is not None:
            link.put(frame)

    def left(self, browser: "Browser") -> None:
        """A browser is gone."""
        if self._browsers.pop(browser.number, None) is not None and (link := self.up) is not None:
            link.put(Gone(browser.number))


class Knocker(asyncio.BufferedProtocol):
    """A terminal that asks for a line, until the house has answered."""

    def __init__(self, end: GatewayEnd, visit: Visit) -> None:
        self._end: Final = end
        self._visit: Final = visit
        self._buffer: Final = bytearray(limits.MAX_REQUEST_HEAD_BYTES)
        self.head = bytearray()
        """What was read: the head of the request."""
        self.source = Source("", 0, tls=False, certificate=b"")
        self.when_gone: Callable[[], None] = lambda: None
        self._transport: asyncio.Transport | None = None
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert hasattr(transport, "write")
        self._transport = transport  # type: ignore[assignment]
        self.source = source_of(transport)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        first = not self.head
        self.head += self._buffer[:nbytes]
        if first:
            self._end.knocks(self)
        elif len(self.head) > limits.MAX_REQUEST_HEAD_BYTES and self._transport is not None:
            self._transport.abort()  # a terminal waits for the handshake before it says anything

    def connection_lost(self, exc: Exception | None) -> None:
        self.when_gone()
        self._visit.leave()

    def let_in(self, board: Switchboard, token: str) -> None:
        """Makes the connection a line."""
        transport = self._transport
        assert transport is not None
        line = CountedProtocol(self._visit, board, Admitted(token, f"{self.source.address}:{self.source.port}"))
        transport.set_protocol(line)
        line.connection_made(transport)
        feed(line, bytes(self.head))

    def turn_away(self, answer: bytes) -> None:
        """Answers over HTTP, and closes."""
        self.when_gone = lambda: None
        if self._transport is not None:
            self._transport.write(answer)
            self._transport.close()


class Browser(Stallable, asyncio.Protocol):
    """A browser's connection, whose bytes go to the house and come from there."""

    def __init__(self, end: GatewayEnd, entrance: Entrance, visit: Visit) -> None:
        super().__init__()
        self._end: Final = end
        self._entrance: Final = entrance
        self._visit: Final = visit
        self.number: Final = end.number()
        self._under_way = 0
        """Bytes of the request that the house has not taken yet."""
        self._untaken = 0
        """Bytes of the answer that wait for the browser."""
        self._paused = False
        self._finishing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self._entrance.served.add(self)
        if not self._end.visited(self, source_of(transport)):
            self._answer_away()

    def data_received(self, data: bytes) -> None:
        self._under_way += len(data)
        self._end.pass_on(Passed(self.number, data))
        if self._under_way > HIGH_WATER_BYTES and self.transport is not None:
            self.transport.pause_reading()

    def taken(self, count: int) -> None:
        """The house has taken this many bytes of the request."""
        self._under_way -= count
        if self._under_way <= HIGH_WATER_BYTES and self.transport is not None and not self.transport.is_closing():
            self.transport.resume_reading()

    def passed(self, data: bytes) -> None:
        """Bytes of the answer have come from the house."""
        if self.transport is None:
            return
        self._untaken += len(data)
        self.transport.write(data)
        if not self._paused:
            self._take()

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        self._take()

    def _take(self) -> None:
        self._end.pass_on(Taken(self.number, self._untaken))
        self._untaken = 0

    def finish(self) -> None:
        """The house closes the connection, after what it has written."""
        if self.transport is not None:
            self.transport.close()

    def cut(self) -> None:
        """The house is away: what was asked is not answered."""
        if self.transport is not None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._entrance.served.discard(self)
        self._end.left(self)
        self._visit.leave()

    def _answer_away(self) -> None:
        if self.transport is not None:
            self.transport.write(away())
            self.transport.close()


def away() -> bytes:
    """The answer while there is no house."""
    return short_answer(HTTPStatus.SERVICE_UNAVAILABLE, Later("house-away"))


def source_of(transport: asyncio.BaseTransport) -> Source:
    """Where a connection comes from."""
    peer = transport.get_extra_info("peername")
    tls = transport.get_extra_info("ssl_object")
    certificate = tls.getpeercert(binary_form=True) if tls is not None else None
    address, port = peer[:2] if isinstance(peer, tuple) else ("unknown", 0)
    secure = transport.get_extra_info("sslcontext") is not None
    return Source(str(address), int(port), tls=secure, certificate=certificate or b"")


english(
    "refused",
    {"house-away": "One moment: the house is away, and comes back by itself. Seats, wagers and time are kept."},
)
