"""Terminals at gateways in processes of their own: what the bus does to messages changes nothing that was acknowledged."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import cast

import msgspec
import pytest
from aiohttp import ClientSession

from podium.basics.refusal import Refused
from podium.client import Client, Door, connect
from podium.house import HouseConfig
from podium.record.store import read_posted
from podium.server.bus.far import HIGH_WATER_BYTES
from podium.server.bus.gateway_end import GatewayEnd
from podium.server.bus.house_end import HouseEnd
from podium.server.bus.nats import BusAddress, join
from podium.server.serve import serve_gateways
from podium.server.terminals import encode
from podium.wire.messages import AnyMessage, Standstill, TableView
from tests.buses import Fate, Wire
from tests.nats import a_nats_server
from tests.server.served import QUICK, Served, a_house, play
from tests.terminal import on_a_loop

WATCHING = 10
ROUNDS = 6
CHUNK = bytes(50_000)
FLOOD_BYTES = 400 * len(CHUNK)
IN_A_MOMENT = HouseConfig(
    name="Test house", guests=True, tables={"t1": msgspec.structs.replace(QUICK, result_seconds=1)}
)


@asynccontextmanager
async def a_gateway(wire: Wire) -> AsyncIterator[GatewayEnd]:
    """A gateway at a port of its own."""
    end = GatewayEnd(wire.join(), "podium", "http://gateway", None)
    await end.listen("127.0.0.1", 0)
    running = asyncio.create_task(end.run())
    try:
        yield end
    finally:
        running.cancel()
        await end.close()


async def serving(served: Served, wire: Wire, epoch: int = 1) -> HouseEnd:
    """Lets the house serve gateways on this bus."""
    assert served.opened is not None
    served.opened.house_end = await serve_gateways(served.opened, wire.join(), "podium", epoch, served.clock())
    return served.opened.house_end


async def linked(gateway: GatewayEnd) -> None:
    """Until the gateway has a link with the house."""
    async with asyncio.timeout(20):
        while gateway.up is None:
            await asyncio.sleep(0.01)


async def a_guest(gateway: GatewayEnd) -> tuple[str, str]:
    async with Door(f"http://127.0.0.1:{gateway.port}") as door:
        admitted = await door.guest()
    return admitted.url, admitted.token


async def stakes(served: Served) -> int:
    """How many stakes the record has."""
    assert served.opened is not None
    posted = await served.opened.store.read(lambda book: [each.transfer for each in read_posted(book)])
    return sum(transfer.kind == "stake" for transfer in posted)


def question(terminal: Client) -> tuple[str, ...]:
    """What the player may answer now: nothing if not asked."""
    turn = terminal.turn()
    return tuple(turn.question.allowed) if turn is not None and turn.question is not None else ()


async def rounds(terminal: Client, count: int) -> None:
    """Bets in so many rounds, each bet acknowledged, and stands."""
    for _ in range(count):
        await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
        played = terminal.view.round
        while terminal.view.round == played:
            await terminal.changed()


@on_a_loop
async def test_a_terminal_at_a_gateway_plays_like_one_at_the_house(tmp_path: Path) -> None:
    wire = Wire()
    async with a_house(tmp_path) as served, a_gateway(wire) as gateway:
        await serving(served, wire)
        await linked(gateway)
        async with connect(*await a_guest(gateway)) as terminal:
            await terminal.watch("t1")
            assert await terminal.join() is not None
            await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
            assert terminal.seat is not None
            assert terminal.seat.view is not None
        async with ClientSession() as browser, browser.get(f"http://127.0.0.1:{gateway.port}/play") as page:
            assert page.status == 200
            assert "<script" in await page.text()


@on_a_loop
async def test_what_everybody_sees_crosses_the_bus_once_for_each_gateway(tmp_path: Path) -> None:
    wire = Wire()
    async with a_house(tmp_path) as served, a_gateway(wire) as gateway:
        await serving(served, wire)
        await linked(gateway)
        seen: list[TableView] = []

        def heard(message: AnyMessage) -> None:
            if isinstance(message, TableView):
                seen.append(message)

        watching = await a_guest(gateway)
        async with AsyncExitStack() as leaving, connect(*await a_guest(gateway)) as terminal:
            for _ in range(WATCHING):
                await (await leaving.enter_async_context(connect(*watching, heard=heard))).watch("t1")
            await terminal.watch("t1")
            await terminal.join()
            before, seen[:] = wire.carried["gateway"], []
            await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
        shown = sum(len(encode(view)) for view in seen)
        assert max(Counter(view.number for view in seen).values()) == WATCHING
        assert wire.carried["gateway"] - before < shown / 3


@pytest.mark.parametrize("fate", [Fate.IS_LOST, Fate.COMES_TWICE, Fate.COMES_LATE])
@on_a_loop
async def test_led_2_what_the_bus_does_to_messages_changes_nothing_that_was_acknowledged(
    tmp_path: Path, fate: Fate
) -> None:
    wire, nth = Wire(), count(1)
    async with a_house(tmp_path, IN_A_MOMENT) as served, a_gateway(wire) as gateway:
        await serving(served, wire)
        await linked(gateway)
        player = await a_guest(gateway)
        async with connect(*player, answer_seconds=60) as terminal:
            await terminal.watch("t1")
            await terminal.join()
            wire.fate = lambda subject: Fate.ARRIVES if next(nth) % 12 else fate
            await rounds(terminal, ROUNDS)
            wire.fate = lambda subject: Fate.ARRIVES
            assert wire.met[fate] >= 5
        assert await stakes(served) == ROUNDS


@on_a_loop
async def test_int_1_terminals_at_a_gateway_go_on_when_the_house_is_opened_again(tmp_path: Path) -> None:
    """They keep their sockets, are told that the house is away, and see the cards of before when it is back."""
    wire = Wire()
    async with a_house(tmp_path) as served, a_gateway(wire) as gateway:
        await serving(served, wire)
        await linked(gateway)
        told: list[Standstill] = []

        def heard(message: AnyMessage) -> None:
            if isinstance(message, Standstill):
                told.append(message)

        async with connect(*await a_guest(gateway), heard=heard) as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 1_000}, lambda: bool(question(terminal)))
            cards, line = terminal.view.layout, terminal._line
            await served.close()
            while not told:
                await terminal.changed()
            assert told[0].why is not None
            assert told[0].why.key == "refused.house-away"
            async with ClientSession() as browser, browser.get(f"http://127.0.0.1:{gateway.port}/play") as page:
                assert page.status == 503
                assert page.headers["Retry-After"]
            await served.open()
            await serving(served, wire, epoch=2)
            while terminal.standstill is not None or not question(terminal):
                await terminal.changed()
            await terminal.decide("decline" if "decline" in question(terminal) else "stand")
            assert terminal.view.layout is not None
            assert cards is not None
            assert terminal._line is line


@on_a_loop
async def test_an_owner_of_an_earlier_epoch_is_not_believed(tmp_path: Path) -> None:
    wire = Wire()
    async with a_house(tmp_path / "new") as new, a_house(tmp_path / "old") as old, a_gateway(wire) as gateway:
        await serving(new, wire, epoch=2)
        await linked(gateway)
        await serving(old, wire, epoch=1)
        await asyncio.sleep(1.2)  # two of its beacons
        assert (await a_guest(gateway))[1]
        assert new.opened is not None
        assert old.opened is not None
        assert len(new.opened.doors.sessions) == 1
        assert len(old.opened.doors.sessions) == 0


@on_a_loop
async def test_the_gateways_of_a_house_meet_over_nats(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        with a_nats_server(tmp_path) as url:
            assert served.opened is not None
            bus = await join(BusAddress(url))
            served.opened.house_end = await serve_gateways(served.opened, bus, "podium", 1, served.clock())
            end = GatewayEnd(await join(BusAddress(url)), "podium", "http://gateway", None)
            await end.listen("127.0.0.1", 0)
            running = asyncio.create_task(end.run())
            await linked(end)
            async with connect(*await a_guest(end)) as terminal:
                await terminal.watch("t1")
                await terminal.join()
                await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
            running.cancel()
            await end.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1:4222", "nats://", "127.0.0.1:4222", "nats://h:99999"])
def test_a_bus_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Refused, match=r"nats://host:4222"):
        BusAddress(url).check()


def test_a_name_that_would_be_several_words_on_the_bus_is_refused() -> None:
    with pytest.raises(Refused, match="letters"):
        BusAddress("nats://127.0.0.1:4222", name="podium.>").check()


@on_a_loop
async def test_sec_8_a_browser_that_does_not_read_its_answer_fills_neither_the_house_nor_the_gateway(
    tmp_path: Path,
) -> None:
    """What is under way on one browser's connection is bounded, and arrives whole once it is read."""
    wire = Wire()
    async with a_house(tmp_path) as served, a_gateway(wire) as gateway:
        await serving(served, wire)
        await linked(gateway)
        assert served.opened is not None
        assert served.opened.gateway is not None
        page = asyncio.get_running_loop().create_future()

        class Flood(asyncio.Protocol):
            """Answers with much more than may be under way, as far as it may write."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                self.transport = cast("asyncio.Transport", transport)
                self.left = FLOOD_BYTES
                self.most = 0
                self.resume_writing()
                page.set_result(self)

            def pause_writing(self) -> None:
                self.paused = True

            def resume_writing(self) -> None:
                self.paused = False
                while self.left and not self.paused:
                    self.left -= len(CHUNK)
                    self.transport.write(CHUNK)
                    self.most = max(self.most, self.transport.get_write_buffer_size())
                if not self.left:
                    self.transport.close()

            def data_received(self, data: bytes) -> None:
                pass

        assert served.opened.house_end is not None
        served.opened.house_end.serve_page = lambda address: Flood()
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port, limit=1_024)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        flood = await page
        await asyncio.sleep(0.5)
        assert flood.left > FLOOD_BYTES / 2
        read = 0
        while data := await reader.read(65_536):
            read += len(data)
        assert read == FLOOD_BYTES
        assert flood.most <= HIGH_WATER_BYTES + len(CHUNK)
        writer.close()
