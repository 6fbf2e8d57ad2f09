"""Both gateways, with real sockets: what a terminal may do, and what becomes of it when it does more."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvloop

from podium.house import HouseConfig
from podium.server.arrivals import Arrivals
from podium.server.gateway import STANDARD, Connection, Limits, Listen, aiohttp, broadcast, picows
from podium.server.gateway.line import Line
from podium.wire.codes import CloseCode
from tests.terminal import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Frame, Terminal, a_frame, on_a_loop

Loop = Callable[[], asyncio.AbstractEventLoop]


class Echo:
    """A desk that answers each message with the same, and remembers what happened."""

    def __init__(self) -> None:
        self.present: list[Connection] = []
        self.met: list[str] = []
        self.said: list[bytes] = []
        self._happened = asyncio.Event()

    def opened(self, connection: Connection) -> None:
        self.present.append(connection)
        self.met.append(connection.token)
        self._happened.set()

    def heard(self, connection: Connection, message: bytes) -> None:
        self.said.append(message)
        if message == b"fail":
            raise RuntimeError("the desk is broken")
        connection.send(message)

    def closed(self, connection: Connection) -> None:
        self.present.remove(connection)
        self._happened.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds, which only a coming or going can bring about."""
        while not holds():
            self._happened.clear()
            await self._happened.wait()

    async def empty(self) -> None:
        await self.until(lambda: not self.present)


@pytest.fixture(
    params=[(picows, uvloop.new_event_loop), (aiohttp, uvloop.new_event_loop), (picows, asyncio.new_event_loop)],
    ids=["picows", "aiohttp", "picows-without-uvloop"],
)
def gateway(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def listen(gateway: tuple[Any, Loop]) -> Listen:
    implementation: Listen = gateway[0].listen
    return implementation


@pytest.fixture
def loop(gateway: tuple[Any, Loop]) -> Loop:
    return gateway[1]


@asynccontextmanager
async def house(listen: Listen, limits: Limits = STANDARD, **options: Any) -> AsyncIterator[tuple[Echo, int]]:
    desk = Echo()
    open_house = await listen(desk, "127.0.0.1", 0, limits, **options)
    try:
        yield desk, open_house.port
    finally:
        Terminal.all_vanish()
        await open_house.close()
    assert desk.present == [], "the house forgot nobody"


# --- who is let in --------------------------------------------------------------------------------------------------


@on_a_loop
async def test_all_addresses_are_those_of_ipv4_too(listen: Listen) -> None:
    open_house = await listen(Echo(), "::", 0)
    try:
        for address in ("127.0.0.1", "::1"):
            _, writer = await asyncio.open_connection(address, open_house.port)
            writer.close()
    finally:
        await open_house.close()


@on_a_loop
async def test_a_terminal_is_heard_and_answered(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        terminal = await Terminal.connect(port, token="a-b~c")
        for message in ("", "hello", "é" * 100, "x" * 200, "y" * 16_384):
            terminal.say(message)
            assert await terminal.hear() == message.encode()
        assert desk.met == ["a-b~c"]
        assert desk.present[0].peer.startswith("127.0.0.1:")


@on_a_loop
async def test_a_terminal_without_a_cookie_shows_the_desk_nothing(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        await Terminal.connect(port, token="")
        await Terminal.connect(port, token="", Cookie="other=1; __Host-podium=t; podiums=t")
        assert desk.met == ["", ""], "a cookie for TLS counts over TLS alone"


@on_a_loop
async def test_a_wall_shows_the_cookie_of_its_terminal(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        await Terminal.connect(port, "/ws?as=display", token="t")
        await Terminal.connect(port, "/ws?as=display&tab=k", token="", Cookie="podium=t; podium-terminal=wall")
        assert desk.met == ["display", "wall~k"]


@on_a_loop
async def test_a_token_has_no_place_in_an_address(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        answer = await Terminal.request(port, "/ws?token=t", Connection="Upgrade")
        assert answer.status == 400
        assert (await answer.reason()).startswith("A session token has no place in an address")
        answer = await Terminal.request(port, "/ws?tab=1&more=2")
        assert await answer.reason() == "The address of a connection takes only these parameters: tab, as, proof."
        answer = await Terminal.request(port, "/ws?tab=%ff")
        assert await answer.reason() == "This address cannot be read."
        assert desk.met == []


@pytest.mark.parametrize("target", ["/", "/wss", "/ws/", "/ws/more", "/favicon.ico"])
@on_a_loop
async def test_there_is_no_line_at_other_addresses(listen: Listen, loop: Loop, target: str) -> None:
    async with house(listen) as (desk, port):
        assert (await Terminal.request(port, target)).status == 404
        assert desk.met == []


@on_a_loop
async def test_what_is_no_websocket_is_refused(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        for headers in ({"Upgrade": "tea"}, {"Sec-WebSocket-Version": "99"}, {"Sec-WebSocket-Key": "short"}):
            assert (await Terminal.request(port, **headers)).status == 400
        nonsense = await Terminal.request(port, "/ws HTTP/9.9\r\n: \x01\x02")
        assert nonsense.status == 400
        assert await nonsense.reason() == "This is not an HTTP request that the house can read."
        assert desk.met == []


@on_a_loop
async def test_firefox_connects_too(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (_, port):
        assert (await Terminal.request(port, Connection="keep-alive, Upgrade")).status == 101
        assert (await Terminal.request(port, Connection="keep-alive")).status == 400


@on_a_loop
async def test_only_pages_of_the_house_connect_from_a_browser(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        asked = {"Host": f"localhost:{port}"}
        assert (await Terminal.request(port, Origin=f"http://localhost:{port}", **asked)).status == 101
        assert (await Terminal.request(port, **asked)).status == 101, "what is no browser has no page"
        met = len(desk.met)
        here = f"localhost:{port}"
        for other in (
            "http://evil.example",
            f"http://{here}.evil.example",
            f"https://{here}",
            "http://localhost",
            "null",
        ):
            answer = await Terminal.request(port, Origin=other, **asked)
            assert answer.status == 403
            assert (await answer.reason()).startswith(
                f"This request comes from a page of {other!r}, and the house is at"
            )
        assert len(desk.met) == met


@on_a_loop
async def test_the_house_answers_to_its_own_names_alone(listen: Listen, loop: Loop) -> None:
    """A stranger's name that leads here (DNS rebinding) opens no line."""
    config = HouseConfig(address="https://play.example", hosts=("podium.lan",))
    async with house(listen, arrivals=Arrivals(lambda: config)) as (desk, port):
        for host in ("localhost", "127.0.0.1:8000", "[::1]:8000", "play.example", "PLAY.example:443", "podium.lan"):
            assert (await Terminal.request(port, Host=host)).status == 101, host
        met = len(desk.met)
        for host in ("evil.example", "play.example.evil.example", "1.2.3.4.evil.example", "", "[", "localhost."):
            answer = await Terminal.request(port, Host=host)
            assert answer.status == 421, host
            assert (await answer.reason()).startswith(f"This house does not answer to the name {host.lower()!r}")
        assert len(desk.met) == met


@on_a_loop
async def test_a_proxy_that_is_named_says_who_asks(listen: Listen, loop: Loop) -> None:
    config = HouseConfig(proxies=("127.0.0.0/8",), hosts=("play.example",))
    forwarded = {"X-Forwarded-For": "6.6.6.6, 9.9.9.9, 127.0.0.2", "X-Forwarded-Proto": "https", "Host": "play.example"}
    cookie = {"Cookie": "podium=plain; __Host-podium=secure"}
    async with house(listen, arrivals=Arrivals(lambda: config)) as (desk, port):
        await Terminal.connect(port, Origin="https://play.example", **forwarded, **cookie)
        assert (desk.met, desk.present[0].peer) == (["secure"], "9.9.9.9"), "what stands before it anybody can make up"
    async with house(listen, arrivals=Arrivals(lambda: HouseConfig(hosts=("play.example",)))) as (desk, port):
        await Terminal.connect(port, **forwarded, **cookie)
        assert desk.met == ["plain"], "nobody else is believed"
        assert desk.present[0].peer.startswith("127.0.0.1:")


@on_a_loop
async def test_a_line_on_a_connection_that_served_a_page(listen: Listen, loop: Loop) -> None:
    """As it may come through a proxy that keeps its connections."""
    async with house(listen) as (desk, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        await reader.readexactly(int(head.lower().partition("content-length: ")[2].split()[0]))
        terminal = await Terminal.over(reader, writer, "/ws")
        assert terminal.status == 101
        terminal.say("hello")
        assert await terminal.hear() == b"hello"
        broadcast(desk.present, b"table")
        assert await terminal.hear() == b"table"


@on_a_loop
async def test_compression_is_not_agreed_to(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (_, port):
        terminal = await Terminal.connect(port, **{"Sec-WebSocket-Extensions": "permessage-deflate"})
        assert "extensions" not in terminal.head.lower()


@on_a_loop
async def test_a_full_house_says_so_and_has_room_again(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(connections=2)) as (desk, port):
        first = await Terminal.connect(port)
        await Terminal.connect(port)
        goodbye = await (await Terminal.connect(port)).goodbye()
        assert goodbye.code == CloseCode.LATER
        assert goodbye.reason == "The house is full: all 2 lines are taken. Try again later."
        assert len(desk.met) == 2
        first.vanish()
        await desk.until(lambda: len(desk.present) == 1)
        again = await Terminal.connect(port)
        again.say("hello")
        assert await again.hear() == b"hello"


# --- what a terminal may say ----------------------------------------------------------------------------------------


async def ends(listen: Listen, limits: Limits, misbehave: Callable[[Terminal], None]) -> tuple[Echo, Frame]:
    """What a terminal is told that does this, while another one notices nothing."""
    async with house(listen, limits._replace(farewell_seconds=0.2)) as (desk, port):
        good, bad = await Terminal.connect(port), await Terminal.connect(port)
        misbehave(bad)
        goodbye = await bad.goodbye()
        good.say("still here")
        assert await good.hear() == b"still here"
        await desk.until(lambda: len(desk.present) == 1)
    return desk, goodbye


@pytest.mark.parametrize(
    ("frame", "code", "word"),
    [
        ({"payload": b"\x00\x01", "opcode": BINARY}, CloseCode.NOT_TEXT, "text"),
        ({"payload": b"\xff\xfe"}, CloseCode.NOT_UTF8, "UTF-8"),
        ({"payload": b"caf\xc3"}, CloseCode.NOT_UTF8, "UTF-8"),
        ({"payload": "x" * 1001}, CloseCode.TOO_BIG, "1,000 bytes"),
        ({"payload": "x" * 100_000}, CloseCode.TOO_BIG, "size|bytes"),
        ({"payload": "x", "first": 0xC0}, CloseCode.BROKEN, "extension|protocol"),
        ({"payload": "x", "first": 0x90}, CloseCode.BROKEN, "extension|protocol"),
        ({"payload": "x", "opcode": 3}, CloseCode.BROKEN, "opcode|protocol"),
        ({"payload": "x", "opcode": 15}, CloseCode.BROKEN, "opcode|protocol"),
        ({"payload": "x" * 126, "opcode": PING}, CloseCode.BROKEN, "control|protocol"),
        ({"payload": "x", "opcode": PING, "first": 0}, CloseCode.BROKEN, "control|protocol"),
        ({"payload": b"\x03", "opcode": CLOSE}, CloseCode.BROKEN, "clos|CLOSE|protocol"),
        ({"payload": b"\x00\x07", "opcode": CLOSE}, CloseCode.BROKEN, "close|protocol"),
    ],
)
@on_a_loop
async def test_a_frame_that_is_not_allowed(
    listen: Listen, loop: Loop, frame: dict[str, Any], code: CloseCode, word: str
) -> None:
    desk, goodbye = await ends(listen, Limits(message_bytes=1_000), lambda terminal: terminal.say(**frame))
    assert goodbye.code == code
    assert any(each in goodbye.reason for each in word.split("|")), goodbye.reason
    assert desk.said == [b"still here"]


@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**32, 2**62, 2**63, 2**64 - 1])
@on_a_loop
async def test_a_frame_that_claims_to_be_huge(listen: Listen, loop: Loop, size: int) -> None:
    claim = b"\x81\xff" + size.to_bytes(8) + b"mask"
    desk, goodbye = await ends(listen, Limits(), lambda terminal: terminal.write(claim))
    assert goodbye.code in {CloseCode.TOO_BIG, CloseCode.BROKEN}
    assert desk.said == [b"still here"]


@on_a_loop
async def test_a_message_of_the_largest_size_is_heard(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(message_bytes=1_000)) as (_, port):
        terminal = await Terminal.connect(port)
        terminal.say("x" * 1_000)
        assert await terminal.hear() == b"x" * 1_000


@on_a_loop
async def test_a_message_in_pieces(listen: Listen, loop: Loop) -> None:
    """picows lets us refuse it; aiohttp puts it together. Nobody hears a part of it."""
    async with house(listen) as (desk, port):
        terminal = await Terminal.connect(port)
        terminal.say("one ", TEXT, first=0)
        terminal.say("whole", CONTINUATION)
        frame = await terminal.frame()
        if listen is aiohttp.listen:
            assert frame == (TEXT, b"one whole")
        else:
            assert (frame.opcode, frame.code) == (CLOSE, CloseCode.NOT_TEXT)
            assert frame.reason == "A message must come in one piece."
            assert desk.said == []


@on_a_loop
async def test_pieces_do_not_get_around_the_limit_of_size(listen: Listen, loop: Loop) -> None:
    def misbehave(terminal: Terminal) -> None:
        terminal.say("x" * 900, TEXT, first=0)
        terminal.say("x" * 900, CONTINUATION)

    desk, goodbye = await ends(listen, Limits(message_bytes=1_000), misbehave)
    assert goodbye.code in {CloseCode.TOO_BIG, CloseCode.NOT_TEXT}
    assert desk.said == [b"still here"]


@on_a_loop
async def test_what_is_sent_byte_by_byte_is_heard(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (_, port):
        terminal = await Terminal.connect(port)
        for byte in a_frame("slowly but surely"):
            terminal.write(bytes([byte]))
            await asyncio.sleep(0)
        assert await terminal.hear() == b"slowly but surely"


@pytest.mark.parametrize("opcode", [TEXT, PING, PONG])
@on_a_loop
async def test_too_many_messages(listen: Listen, loop: Loop, opcode: int) -> None:
    def misbehave(terminal: Terminal) -> None:
        for _ in range(200):
            terminal.say("again", opcode)

    desk, goodbye = await ends(listen, Limits(messages_per_second=1, burst=20), misbehave)
    assert goodbye.code == CloseCode.NOT_ALLOWED
    assert goodbye.reason == "Too many messages: a terminal may send 1 a second, 20 at once."
    assert desk.said.count(b"again") == (20 if opcode == TEXT else 0)


@on_a_loop
async def test_a_flood_is_not_read_to_its_end(listen: Listen, loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = 0
    counts = Line.counts

    def count(line: Line) -> bool:
        nonlocal counted
        counted += 1
        return counts(line)

    monkeypatch.setattr(Line, "counts", count)
    await ends(listen, Limits(), lambda terminal: terminal.write(a_frame("") * 500_000))
    assert counted < 1_000


@on_a_loop
async def test_a_burst_is_heard_in_full(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(messages_per_second=1, burst=20)) as (_, port):
        terminal = await Terminal.connect(port)
        for number in range(20):
            terminal.say(str(number))
        assert [int(await terminal.hear()) for _ in range(20)] == list(range(20))


@on_a_loop
async def test_a_ping_is_answered(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (_, port):
        terminal = await Terminal.connect(port)
        terminal.say("there?", PING)
        assert await terminal.frame() == (PONG, b"there?")


@on_a_loop
async def test_a_fault_of_the_desk_costs_one_line(
    listen: Listen, loop: Loop, capfd: pytest.CaptureFixture[str]
) -> None:
    _, goodbye = await ends(listen, Limits(), lambda terminal: terminal.say("fail"))
    assert goodbye.code == CloseCode.MISTAKE
    assert "The house made an error" in goodbye.reason
    failed, ended = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert (failed["event"], failed["level"]) == ("the desk failed", "error")
    assert "the desk is broken" in failed["exception"]
    assert (ended["event"], ended["close_code"]) == ("a terminal is disconnected", CloseCode.MISTAKE)
    assert ended["peer"] == failed["peer"] != ""


# --- how a line ends ------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_terminal_that_does_not_read_is_disconnected_and_delays_nobody(listen: Listen, loop: Loop) -> None:
    limits = Limits(unsent_bytes=200_000, farewell_seconds=60)
    async with house(listen, limits) as (desk, port):
        slow, quick = await Terminal.connect(port), await Terminal.connect(port)
        message = b"x" * 60_000
        for _ in range(200):
            broadcast(desk.present, message)
            assert await quick.hear() == message
        # It wakes up, reads what had been sent before the line was full, and then why nothing more came.
        goodbye = await slow.goodbye()
        assert goodbye.code == CloseCode.LATER
        assert goodbye.reason == "This terminal does not keep up: more than 200,000 bytes wait to be read."
        await desk.until(lambda: len(desk.present) == 1)


@on_a_loop
async def test_a_terminal_that_never_reads_again_is_cut(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(unsent_bytes=200_000, farewell_seconds=0.05)) as (desk, port):
        await Terminal.connect(port)
        for _ in range(200):
            broadcast(desk.present, b"x" * 60_000)
        await desk.empty()


@on_a_loop
async def test_a_silent_terminal_is_pinged_and_then_let_go(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(idle_seconds=0.4)) as (desk, port):
        terminal = await Terminal.connect(port)
        assert await terminal.frame() == (PING, b"")
        goodbye = await terminal.goodbye()
        assert goodbye.code == CloseCode.LATER
        assert goodbye.reason == "Nothing was heard from this terminal for 0.4 seconds."
        await desk.empty()


@on_a_loop
async def test_a_terminal_that_answers_pings_stays(listen: Listen, loop: Loop) -> None:
    async with house(listen, Limits(idle_seconds=0.4)) as (_, port):
        terminal = await Terminal.connect(port)
        for _ in range(6):
            frame = await terminal.frame()
            assert frame.opcode == PING
            terminal.say(frame.payload, PONG)
        terminal.say("here")
        while (frame := await terminal.frame()).opcode == PING:
            pass
        assert frame == (TEXT, b"here")


@on_a_loop
async def test_the_desk_ends_a_line_with_its_reason(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        terminal = await Terminal.connect(port)
        desk.present[0].send(b"last word")
        desk.present[0].close("Your session has ended. " + "é" * 100)
        desk.present[0].send(b"never sent")
        desk.present[0].close("said only once")
        terminal.say("too late")
        assert await terminal.hear() == b"last word"
        goodbye = await terminal.goodbye()
        assert goodbye.code == CloseCode.DONE
        assert goodbye.reason == "Your session has ended. " + "é" * 49, "cut to what a closing frame can carry"
        await desk.empty()
        assert desk.said == []


@on_a_loop
async def test_a_terminal_takes_its_leave(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        terminal = await Terminal.connect(port)
        terminal.say((1000).to_bytes(2) + b"bye", CLOSE)
        frame = await terminal.frame()
        assert (frame.opcode, frame.code) == (CLOSE, CloseCode.DONE)
        await terminal.ended()
        await desk.empty()


@on_a_loop
async def test_terminals_that_vanish_are_forgotten(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        terminals = [await Terminal.connect(port) for _ in range(50)]
        for number, terminal in enumerate(terminals):
            terminal.say("half of a frame, and then nothing") if number % 2 else terminal.write(b"\x81\xfe")
            terminal.vanish()
        broadcast(desk.present, b"is anybody there")
        await desk.empty()
        assert len(desk.met) == 50


@on_a_loop
async def test_a_closing_house_says_goodbye_to_all(listen: Listen, loop: Loop) -> None:
    desk = Echo()
    closing = await listen(desk, "127.0.0.1", 0)
    terminals = [await Terminal.connect(closing.port) for _ in range(20)]
    goodbyes, _ = await asyncio.gather(asyncio.gather(*(terminal.goodbye() for terminal in terminals)), closing.close())
    assert {(goodbye.code, goodbye.reason) for goodbye in goodbyes} == {
        (CloseCode.GOING_AWAY, "The house is closing. Come back in a moment.")
    }
    assert desk.present == []
    with pytest.raises(ConnectionRefusedError):
        await Terminal.connect(closing.port)


@on_a_loop
async def test_a_closing_house_does_not_wait_for_those_who_do_not_leave(listen: Listen, loop: Loop) -> None:
    desk = Echo()
    closing = await listen(desk, "127.0.0.1", 0, Limits(farewell_seconds=0.05))
    terminal = await Terminal.connect(closing.port)
    await closing.close()
    assert desk.present == []
    await terminal.ended()


@on_a_loop
async def test_five_hundred_terminals(listen: Listen, loop: Loop) -> None:
    async with house(listen) as (desk, port):
        terminals = await asyncio.gather(*(Terminal.connect(port, token=str(n)) for n in range(500)))
        assert sorted(map(int, desk.met)) == list(range(500))
        for round_number in range(5):
            broadcast(desk.present, b"table %d" % round_number)
            for terminal in terminals:
                terminal.say("bet")
            for terminal in terminals:
                assert await terminal.hear() == b"table %d" % round_number
                assert await terminal.hear() == b"bet"
        for terminal in terminals:
            terminal.vanish()
        await desk.empty()


def test_after_which_goodbyes_a_terminal_comes_back() -> None:
    assert {code for code in CloseCode if code.come_back} == {CloseCode.GOING_AWAY, CloseCode.MISTAKE, CloseCode.LATER}
