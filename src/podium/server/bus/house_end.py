"""The house's end of the bus: takes the links of gateways, and serves their terminals and browsers as it serves its own."""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from secrets import token_hex
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.bus import Bus
from podium.server.bus.far import FarLine, FarTransport
from podium.server.bus.frames import (
    VERSION,
    Accepted,
    AnyFrame,
    Beacon,
    Ending,
    GatewayCard,
    Gone,
    Hello,
    Knocked,
    Leaving,
    LetIn,
    Opened,
    Packet,
    Passed,
    Said,
    Source,
    Taken,
    TurnedAway,
    Visited,
    beacon_subject,
    decode_packet,
    encode_beacon,
    house_subject,
)
from podium.server.bus.link import BEAT_SECONDS, Link
from podium.server.gateway import Desk, Limits, LineCheck
from podium.server.gateway.entrance import read_upgrade, short_answer
from podium.server.gateway.line import Admitted, NotAdmitted, Switchboard
from podium.server.log import log
from podium.wire.codes import CloseCode

FRAMES_PER_TURN: Final = 100
"""Frames of one gateway that are handled before the tables have their turn again."""

ServePage = Callable[[str], asyncio.Protocol | None]
"""What serves a browser's connection from an address; None where there is no room."""


class HouseEnd:
    """All gateways of a house."""

    def __init__(
        self,
        bus: Bus,
        name: str,
        desk: Desk,
        serve_page: ServePage,
        config: Callable[[], HouseConfig],
        *,
        arrivals: Arrivals,
        known: LineCheck,
        epoch: int,
        since: int,
    ) -> None:
        self._bus: Final = bus
        self._name: Final = name
        self.serve_page = serve_page
        self._config: Final = config
        self.board: Final = Switchboard(desk, Limits(connections=limits.MAX_SOCKETS_AT_GATEWAYS), arrivals, known)
        self._beacon: Final = Beacon(token_hex(8), epoch, since, f"{socket.gethostname()}:{os.getpid()}")
        self._gateways: Final[dict[int, FarGateway]] = {}
        """By the numbers of their links."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._beating: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Tells gateways from now on that the house is there."""
        await self._bus.listen(house_subject(self._name, self._beacon.instance), self._heard)
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Lets every gateway know that this process ends. Their terminals stay, and wait for the next one."""
        if self._beating is not None:
            self._beating.cancel()
        for gateway in list(self._gateways.values()):
            gateway.link.put(Leaving())
            await gateway.link.flush()
            gateway.link.snap("the house is closing")
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._bus.close()

    async def _beat(self) -> None:
        while True:
            gateways = [gateway.card for gateway in self._gateways.values()]
            beacon = msgspec.structs.replace(self._beacon, gateways=gateways)
            try:
                await self._bus.publish(beacon_subject(self._name), encode_beacon(beacon))
            except OSError as error:
                log.warning("the bus does not answer", reason=str(error))
            await asyncio.sleep(BEAT_SECONDS)

    def _heard(self, message: bytes) -> None:
        try:
            packet = decode_packet(message)
        except msgspec.MsgspecError as error:
            log.warning("a message on the bus could not be read", error=str(error))
            return
        gateway = self._gateways.get(packet.link) or self._begun(packet)
        if gateway is not None:
            gateway.link.take(packet)

    def _begun(self, packet: Packet) -> "FarGateway | None":
        """The gateway of a link that begins with this packet; None where it belongs to one that is broken."""
        hello = packet.frames[0] if packet.frames and packet.number == 0 else None
        if not isinstance(hello, Hello):
            return None
        if hello.version != VERSION:
            log.warning("a gateway of another version was not taken", gateway=hello.address, version=hello.version)
            return None
        for gateway in self._gateways.values():
            if gateway.hello.gateway == hello.gateway:
                gateway.link.snap("the gateway has made a new link")
        gateway = self._gateways[packet.link] = FarGateway(
            self, packet.link, hello, partial(self._bus.publish, hello.gateway)
        )
        task = asyncio.create_task(self._serve(gateway), name=f"gateway {hello.address}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return gateway

    async def _serve(self, gateway: "FarGateway") -> None:
        config = self._config()
        gateway.link.put(Accepted(config.proxies, config.connections_per_address))
        log.info("a gateway has come", gateway=gateway.hello.address)
        handling = asyncio.create_task(gateway.handle())
        try:
            why = await gateway.link.run()
        finally:
            handling.cancel()
            del self._gateways[gateway.link.number]
            gateway.end()
        log.info("a gateway is gone", gateway=gateway.hello.address, reason=why)


class FarGateway:
    """One gateway, as the house knows it: its terminals and its browsers."""

    def __init__(self, end: HouseEnd, number: int, hello: Hello, publish: Callable[[bytes], Awaitable[None]]) -> None:
        self.hello: Final = hello
        self._board: Final = end.board
        self._end: Final = end
        self._inbox: Final[deque[AnyFrame]] = deque()
        self._come: Final = asyncio.Event()
        self._admitted: Final[dict[int, Admitted]] = {}
        """Terminals that may open their line."""
        self._lines: Final[dict[int, FarLine]] = {}
        self._browsers: Final[dict[int, FarTransport]] = {}
        self.link: Final = Link(number, publish, self._put)

    @property
    def card(self) -> GatewayCard:
        return GatewayCard(self.hello.address, len(self._lines))

    def _put(self, frame: AnyFrame) -> None:
        self._inbox.append(frame)
        self._come.set()

    async def handle(self) -> None:
        """Handles what the gateway says, some of it at a time: after a takeover all of its terminals come at once."""
        while True:
            await self._come.wait()
            for _ in range(min(len(self._inbox), FRAMES_PER_TURN)):
                self._handle(self._inbox.popleft())
            if not self._inbox:
                self._come.clear()
            await asyncio.sleep(0)

    def _handle(self, frame: AnyFrame) -> None:
        match frame:
            case Said(line, message):
                self._said(line, message)
            case Knocked():
                self._knocked(frame)
            case Opened(line):
                self._opened(line)
            case Gone(line):
                self._gone(line)
            case Visited(line, source):
                self._visited(line, source)
            case Passed(line, data) if line in self._browsers:
                self._browsers[line].passed(data)
            case Taken(line, count) if line in self._browsers:
                self._browsers[line].taken(count)
            case Leaving():
                self.link.snap("the gateway is closing")

    def _said(self, number: int, message: bytes) -> None:
        line = self._lines.get(number)
        if line is not None and not line.ending:
            line.text(message)

    def _knocked(self, knocked: Knocked) -> None:
        asked = read_upgrade(knocked.head)
        if asked is None:
            return self._turn_away(knocked, HTTPStatus.BAD_REQUEST, Refused("request-unreadable"))
        transport = FarTransport(self.link, knocked.line, knocked.source)
        try:
            self._admitted[knocked.line] = self._board.admit(*asked, transport)
        except NotAdmitted as answer:
            return self._turn_away(knocked, answer.status, answer.refusal)
        if knocked.open:
            return self._opened(knocked.line)
        return self.link.put(LetIn(knocked.line))

    def _turn_away(self, knocked: Knocked, status: HTTPStatus, refusal: Refused) -> None:
        if knocked.open:
            # The terminal connects again, and is told why over HTTP.
            self.link.put(Ending(knocked.line, CloseCode.LATER, "Connect again."))
        else:
            self.link.put(TurnedAway(knocked.line, short_answer(status, refusal)))

    def _opened(self, number: int) -> None:
        admitted = self._admitted.pop(number, None)
        if admitted is not None:
            line = self._lines[number] = FarLine(self._board, admitted, self.link, number)
            self._board.opened(line)

    def _gone(self, number: int) -> None:
        self._admitted.pop(number, None)
        if (line := self._lines.pop(number, None)) is not None:
            self._board.gone(line)
        if (browser := self._browsers.pop(number, None)) is not None:
            browser.lost()

    def _visited(self, number: int, source: Source) -> None:
        protocol = self._end.serve_page(source.address)
        if protocol is None:
            self.link.put(Passed(number, short_answer(HTTPStatus.SERVICE_UNAVAILABLE, Refused("browsers-full"))))
            self.link.put(Gone(number))
            return
        transport = self._browsers[number] = FarTransport(self.link, number, source)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)

    def end(self) -> None:
        """The gateway is gone, and with it all its connections."""
        self._inbox.clear()
        for number in [*self._admitted, *self._lines, *self._browsers]:
            self._gone(number)
