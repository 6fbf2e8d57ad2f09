"""A terminal made of a bare socket: it can say what no WebSocket library would."""

import asyncio
import base64
import json
import os
import struct
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ClassVar, NamedTuple, ParamSpec

P = ParamSpec("P")

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def on_a_loop(story: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """A test that runs on an event loop of its own: that of its `loop` argument, if it takes one."""

    @wraps(story)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        loop: Any = kwargs.get("loop", asyncio.new_event_loop)
        with asyncio.Runner(loop_factory=loop) as runner:
            # A test that hangs is a failure too; nothing here comes near this.
            runner.run(asyncio.wait_for(_whole(story(*args, **kwargs)), 120))

    return run


async def _whole(story: Coroutine[Any, Any, None]) -> None:
    try:
        await story
    finally:
        Terminal.all_vanish()


class Frame(NamedTuple):
    opcode: int
    payload: bytes

    @property
    def code(self) -> int:
        return int.from_bytes(self.payload[:2])

    @property
    def reason(self) -> str:
        return self.payload[2:].decode()


def a_frame(payload: bytes | str, opcode: int = TEXT, *, first: int = 0x80, masked: bool = True) -> bytes:
    """The bytes of a frame; `first` are the four highest bits of its first byte."""
    data = payload.encode() if isinstance(payload, str) else payload
    bit = 0x80 if masked else 0
    size = len(data)
    if size < 126:
        length = bytes([bit | size])
    elif size < 65536:
        length = struct.pack("!BH", bit | 126, size)
    else:
        length = struct.pack("!BQ", bit | 127, size)
    mask = os.urandom(4)
    repeated = (mask * (size // 4 + 1))[:size]
    body = (int.from_bytes(data) ^ int.from_bytes(repeated)).to_bytes(size)
    return bytes([first | opcode]) + length + (mask + body if masked else data)


class Terminal:
    """One connection."""

    _open: ClassVar[list["Terminal"]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str) -> None:
        self._reader = reader
        self._writer = writer
        self.head = head
        self._open.append(self)

    @classmethod
    def all_vanish(cls) -> None:
        """Every terminal that was ever opened drops its line."""
        while cls._open:
            cls._open.pop().vanish()

    @classmethod
    async def request(cls, port: int, target: str = "/ws", token: str = "t", **headers: str) -> "Terminal":
        """Asks for a line, with a token in its cookie and after a `~` the terminal's own key; `head` is the answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        return await cls.over(reader, writer, target, token, **headers)

    @classmethod
    async def over(
        cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: str, token: str = "t", **headers: str
    ) -> "Terminal":
        """The same on a connection that is there."""
        cookie, _, key = token.partition("~")
        target = f"{target}?tab={key}" if key else target
        said = {
            "Host": "localhost",
            **({"Cookie": f"podium={cookie}"} if cookie else {}),
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        } | headers
        lines = [f"GET {target} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items()), "", ""]
        writer.write("\r\n".join(lines).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        return cls(reader, writer, head)

    @classmethod
    async def connect(cls, port: int, target: str = "/ws", token: str = "t", **headers: str) -> "Terminal":
        terminal = await cls.request(port, target, token, **headers)
        assert terminal.status == 101, terminal.head
        return terminal

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    async def reason(self) -> str:
        """The sentence of an answer that opens no line."""
        size = int(self.head.lower().partition("content-length: ")[2].split()[0])
        reason: str = json.loads(await self._reader.readexactly(size))["reason"]
        return reason

    def say(self, payload: bytes | str, opcode: int = TEXT, *, first: int = 0x80, masked: bool = True) -> None:
        """Sends one frame."""
        self.write(a_frame(payload, opcode, first=first, masked=masked))

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def frame(self) -> Frame:
        """The next frame, of whatever kind."""
        first, second = await self._reader.readexactly(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", await self._reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
        assert first & 0x80, "the house sends messages in one piece"
        assert not second & 0x80, "a server does not mask"
        return Frame(first & 0xF, await self._reader.readexactly(size))

    async def hear(self) -> bytes:
        """The next text message."""
        frame = await self.frame()
        assert frame.opcode == TEXT, frame
        return frame.payload

    async def goodbye(self) -> Frame:
        """The closing frame, past whatever comes before it; and that the terminal takes its leave, as it should."""
        while (frame := await self.frame()).opcode != CLOSE:
            pass
        self.say(frame.payload[:2], CLOSE)
        await self.ended()
        return frame

    async def ended(self) -> None:
        """Until the line is cut."""
        try:
            while await self._reader.read(65536):
                pass
        except ConnectionResetError:
            pass
        self._writer.close()

    def vanish(self) -> None:
        """Drops the line without a word."""
        self._writer.transport.abort()
