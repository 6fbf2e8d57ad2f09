"""`podium device`: connects a card reader with a house."""

import asyncio
import os
import sys
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.device import Adapter, Practice, SimulatedShoe, lines_of, watch
from podium.client.reader_key import ReaderKey
from podium.client.terminal import Client, Disconnected, connect

LOST: Final = 1
MAX_LINE_BYTES: Final = 4_096


class Wiring(NamedTuple):
    """Where the device is: lines from standard input unless one of these is given."""

    listen: str = ""
    serial: str = ""
    baud: int = 9_600
    practice: Practice | None = None


def device(address: str, token: str, wiring: Wiring, *, patience: float, key: ReaderKey | None = None) -> int:
    """Connects the device with the house until one of them ends."""
    try:
        asyncio.run(_run(address.rstrip("/"), token, wiring, patience, key))
    except KeyboardInterrupt:
        return 0
    except Disconnected as lost:
        print(lost, file=sys.stderr)
        return LOST
    return 0


def read_token(path: Path | None) -> str:
    """The token of the enrolled reader, from a file or from the environment; an argument would be in the list of processes."""
    token = path.read_text().strip() if path is not None else os.environ.get("PODIUM_DEVICE_TOKEN", "").strip()
    if not token:
        raise Refused("device-token")
    return token


async def _run(address: str, token: str, wiring: Wiring, patience: float, key: ReaderKey | None) -> None:
    url = address.replace("http", "ws", 1) + "/ws"
    prove = None if key is None else partial(key.prove, address, token)
    line = _serial_line(wiring.serial, wiring.baud) if wiring.serial else None
    async with connect(url, token, patience=patience, prove=prove) as house:
        await watch(house)
        _tell(f"READY {house.watching}")
        if wiring.practice is not None:
            await SimulatedShoe(house, wiring.practice, _tell).run()
        elif wiring.listen:
            await _listen(house, wiring.listen)
        elif line is not None:
            stream = await _pipe(os.dup(line))
            await Adapter(house).serve(lines_of(stream), lambda said: _write(line, said))
        else:
            stream = await _pipe(sys.stdin.fileno())
            await Adapter(house).serve(lines_of(stream), _tell)


def _tell(line: str) -> None:
    print(line, flush=True)


async def _pipe(descriptor: int) -> asyncio.StreamReader:
    stream = asyncio.StreamReader(limit=MAX_LINE_BYTES)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(descriptor, "rb", buffering=0))
    return stream


def _serial_line(path: str, baud: int) -> int:
    """Opens a serial line: raw, eight bits, no parity, one stop bit."""
    try:
        line = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise Refused("device-serial", path=path, error=error.strerror or str(error)) from None
    tty.setraw(line)
    speed = getattr(termios, f"B{baud}", None)
    if speed is None:
        raise Refused("device-baud", baud=baud)
    settings = termios.tcgetattr(line)
    settings[4] = settings[5] = speed
    termios.tcsetattr(line, termios.TCSANOW, settings)
    return line


def _write(descriptor: int, said: str) -> None:
    os.write(descriptor, f"{said}\r\n".encode())


async def _listen(house: Client, where: str) -> None:
    """Listens at a TCP port for one device at a time; the next one replaces the last."""
    host, _, port = where.rpartition(":")
    if not port.isdecimal():
        raise Refused("device-listen", where=where)
    last: list[asyncio.StreamWriter] = []

    async def hear(stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for other in last:
            other.close()
        last[:] = [writer]
        with suppress(ConnectionError):
            await Adapter(house).serve(lines_of(stream), _to(writer))
        writer.close()

    server = await asyncio.start_server(hear, host or "127.0.0.1", int(port), limit=MAX_LINE_BYTES)
    _tell(f"LISTEN {server.sockets[0].getsockname()[1]}")
    async with server:
        while True:  # until the house ends the connection
            await house.changed()


def _to(writer: asyncio.StreamWriter) -> Callable[[str], None]:
    return lambda said: writer.write(f"{said}\n".encode())


english(
    "refused",
    {
        "device-token": "Give the token of the enrolled reader with --token-file or in PODIUM_DEVICE_TOKEN.",
        "device-serial": "The serial line {path} cannot be opened: {error}.",
        "device-baud": "{baud} baud is not a speed of this machine's serial lines.",
        "device-listen": "{where:quoted} is not an address to listen at: it is like 127.0.0.1:7000.",
    },
)
