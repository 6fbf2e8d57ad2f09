"""What the gateways add to the kernel: a broadcast to every terminal, and a command with its acknowledgement.

The terminals are bare sockets in a second process. Each figure stands beside a bare loop that moves the same bytes (the
broadcast: through the very same sockets) in the same run. `TERMINALS=10000 python -m bench gateway` for a full hall;
each terminal takes an open file in both processes.
"""

import asyncio
import gc
import os
import select
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from statistics import median
from time import monotonic, process_time
from typing import Any

import uvloop

from podium.server.gateway import Connection, Limits, Listen, aiohttp, broadcast, picows

TERMINALS = int(os.environ.get("TERMINALS", "2000"))
ROUNDS = 15
COMMANDS = 10
TABLE = b'{"is":"table","table":"t1","number":1,"layout":"' + b"x" * 550 + b'"}'
COMMAND = b'{"do":"decide","id":123456,"round":17,"step":1,"decision":"hit"}'
ACKNOWLEDGED = b'{"is":"acknowledged","id":123456,"now":1700000000000}'
UNLIMITED = Limits(
    messages_per_second=1e9,
    burst=1_000_000_000,
    connections=TERMINALS,
    connections_per_address=TERMINALS,
    idle_seconds=3_600,
)


def frame(payload: bytes, *, mask: bytes = b"") -> bytes:
    """A text frame: of the house, or of a terminal with its mask."""
    bit = 0x80 if mask else 0
    size = len(payload)
    head = struct.pack("!BB", 0x81, bit | size) if size < 126 else struct.pack("!BBH", 0x81, bit | 126, size)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)) if mask else head + payload


# --- the terminals, in a process of their own -------------------------------------------------------------------------


def terminals(port: int, handshake: bool, house: Pipe) -> None:
    """Connects them all; then does what the house's process asks for, and says at what time the last one had everything."""
    lines = {line.fileno(): line for line in (_connect(port, handshake) for _ in range(TERMINALS))}
    poll = select.epoll()
    for number in lines:
        poll.register(number, select.EPOLLIN)
    gc.disable()
    house.send("connected")
    while (asked := house.recv()) is not None:
        say, times, hear = asked
        for _ in range(times):
            for line in lines.values() if say else ():
                line.send(say)
            _hear(poll, lines, hear)
        house.send(monotonic())


def _connect(port: int, handshake: bool) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port))
    if handshake:
        line.sendall(
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nCookie: podium=t\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += line.recv(4096)
    line.setblocking(False)
    return line


def _hear(poll: select.epoll, lines: dict[int, socket.socket], size: int) -> None:
    missing = dict.fromkeys(lines, size)
    while missing:
        for number, _ in poll.poll():
            missing[number] -= len(lines[number].recv(65536))
            if not missing[number]:
                del missing[number]


@contextmanager
def hall(port: int, *, handshake: bool = True) -> Iterator[Pipe]:
    """A hall full of terminals."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=terminals, args=(port, handshake, theirs))
    process.start()
    theirs.close()  # so that a hall which fails ends the measurement
    try:
        yield ours
    finally:
        ours.send(None)
        process.join()


# --- the house --------------------------------------------------------------------------------------------------------


class Echo:
    """A desk that acknowledges everything at once."""

    def __init__(self) -> None:
        self.present: list[Connection] = []

    def opened(self, connection: Connection) -> None:
        self.present.append(connection)

    def heard(self, connection: Connection, message: bytes) -> None:
        connection.send(ACKNOWLEDGED)

    def closed(self, connection: Connection) -> None:
        pass


async def measure(listen: Listen) -> tuple[list[float], list[float], float]:
    """Seconds for each broadcast through the gateway and by the bare loop, and of processor time for a command."""
    desk = Echo()
    gateway = await listen(desk, "127.0.0.1", 0, UNLIMITED)
    loop = asyncio.get_running_loop()
    # The hall starts in a thread, because the house must answer meanwhile.
    around = hall(gateway.port)
    pipe = await loop.run_in_executor(None, around.__enter__)
    await loop.run_in_executor(None, pipe.recv)
    sockets = [_file_number(connection) for connection in desk.present]
    whole = frame(TABLE)

    async def timed(send: Callable[[], object]) -> float:
        pipe.send((None, 1, len(whole)))
        began = monotonic()
        send()
        ended: float = await loop.run_in_executor(None, pipe.recv)
        return ended - began

    gc.disable()
    ours, bare = [], []
    for _ in range(ROUNDS):
        ours.append(await timed(lambda: broadcast(desk.present, TABLE)))
        bare.append(await timed(lambda: [os.write(number, whole) for number in sockets]))
    began = process_time()
    pipe.send((frame(COMMAND, mask=b"mask"), COMMANDS, len(frame(ACKNOWLEDGED))))
    await loop.run_in_executor(None, pipe.recv)
    spent = process_time() - began
    gc.enable()
    await loop.run_in_executor(None, around.__exit__, None, None, None)
    await gateway.close()
    return ours, bare, spent / TERMINALS / COMMANDS


def _file_number(connection: Any) -> int:
    """The file number of the socket behind a connection."""
    number: int = connection.unsent.__self__.get_extra_info("socket").fileno()
    return number


def bare_commands() -> float:
    """Seconds of processor time for a command in a loop that only receives and sends."""
    acknowledged = frame(ACKNOWLEDGED)
    with (
        socket.create_server(("127.0.0.1", 0), backlog=4_096) as door,
        hall(door.getsockname()[1], handshake=False) as pipe,
    ):
        lines = dict[int, socket.socket]()
        poll = select.epoll()
        for _ in range(TERMINALS):
            line, _ = door.accept()
            line.setblocking(False)
            lines[line.fileno()] = line
            poll.register(line.fileno(), select.EPOLLIN)
        pipe.recv()
        began = process_time()
        pipe.send((frame(COMMAND, mask=b"mask"), COMMANDS, len(acknowledged)))
        for _ in range(COMMANDS):
            answered = 0
            while answered < TERMINALS:
                for number, _ in poll.poll():
                    lines[number].recv(2048)
                    lines[number].send(acknowledged)
                    answered += 1
        spent = process_time() - began
        pipe.recv()
        for line in lines.values():
            line.close()
    return spent / TERMINALS / COMMANDS


def main() -> None:
    print(f"{TERMINALS:,} terminals; a broadcast of {len(TABLE)} bytes until the last one has it, median of {ROUNDS}")
    bare_command = bare_commands()
    print(
        f"  a command with its acknowledgement in a bare loop: {bare_command * 1e6:.1f} microseconds of the processor"
    )
    for name, listen in (("picows", picows.listen), ("aiohttp", aiohttp.listen)):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            ours, bare, command = runner.run(measure(listen))
        ratio = median(ours) / median(bare)
        print(
            f"  {name:8} broadcast {median(ours) * 1e3:6.1f} ms, {ratio:.2f} times the bare loop's {median(bare) * 1e3:.1f} ms; "
            f"command {command * 1e6:.1f} microseconds, {command / bare_command:.1f} times the bare loop's"
        )


if __name__ == "__main__":
    main()
