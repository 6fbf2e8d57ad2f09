"""One link between a gateway and the house, over a bus that may lose, repeat and reorder what it carries.

Both ends number their packets. A packet that comes twice is ignored; one that is missing breaks the link, because nobody asks
for it again: the gateway makes a new link, and the terminals send again what was not answered. A link that has been silent
for too long is broken too.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from podium.server.bus.frames import AnyFrame, Knocked, Packet, Passed, Said, Told, encode_packet

BEAT_SECONDS: Final = 0.5
"""The most time between two packets, so that silence means something and a lost last packet is noticed."""
GATHER_SECONDS: Final = 0.005
"""The least time between two packets: what comes in it travels together."""
SILENT_SECONDS: Final = 2.5
"""After this long without a packet the other end is taken for dead."""
MAX_PACKET_BYTES: Final = 262_144
"""Frames of about this length travel together; NATS carries messages of a megabyte."""
FRAME_BYTES: Final = 16
"""What a frame takes beside the bytes that it carries, roughly."""
MAX_BACKLOG_BYTES: Final = 67_108_864
"""Bytes that wait for the bus. At the limit the link is broken: the bus does not keep up."""


class Link:
    """One end of a link. `take` is given what comes; `run` sends, and returns why the link is broken."""

    def __init__(
        self, number: int, publish: Callable[[bytes], Awaitable[None]], heard: Callable[[AnyFrame], None]
    ) -> None:
        self.number: Final = number
        self._publish: Final = publish
        self._heard: Final = heard
        self._frames: list[AnyFrame] = []
        self._backlog = 0
        self._sent = 0
        self._taken = 0
        self._last: bytes | None = None
        """The message that the last frame tells; whoever is told the same right after it is added there."""
        self._last_lines: list[int] = []
        self._loop: Final = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self._wake: Final = asyncio.Event()
        self.broken: str | None = None
        """Why the link is broken; None while it is not."""

    # --- what is sent -----------------------------------------------------------------------------------------------

    def put(self, frame: AnyFrame) -> None:
        """Sends a frame, soon and in order."""
        if self.broken is not None:
            return
        self._last = None
        self._frames.append(frame)
        self._count(_size(frame))

    def tell(self, line: int, message: bytes) -> None:
        """Sends a terminal a message. What is told to many, one after another, crosses the bus once."""
        if self.broken is not None:
            return
        if message is self._last:
            self._last_lines.append(line)
            return
        self._last, self._last_lines = message, [line]
        told = Told(self._last_lines, message)
        self._frames.append(told)
        self._count(_size(told))

    def _count(self, length: int) -> None:
        self._backlog += length
        if self._backlog > MAX_BACKLOG_BYTES:
            self.snap("the bus does not keep up")
        self._wake.set()

    # --- what comes -------------------------------------------------------------------------------------------------

    def take(self, packet: Packet) -> None:
        """Takes a packet of this link."""
        if self.broken is not None or packet.number < self._taken:
            return
        self._heard_at = self._loop.time()
        if packet.number > self._taken:
            self.snap(f"packet {self._taken} was lost on the bus")
            return
        self._taken += 1
        for frame in packet.frames:
            self._heard(frame)

    def snap(self, why: str) -> None:
        """Breaks the link."""
        if self.broken is None:
            self.broken = why
            self._frames.clear()
            self._wake.set()

    # --- its task ---------------------------------------------------------------------------------------------------

    async def run(self) -> str:
        """Sends what waits until the link is broken; returns why."""
        while not self.broken:
            sent_at = self._loop.time()
            try:
                await self._send()
            except OSError as error:
                self.snap(f"the bus does not answer ({error})")
                break
            if not self._frames:
                self._wake.clear()
                await self._rest()
                await asyncio.sleep(sent_at + GATHER_SECONDS - self._loop.time())
            if self._loop.time() - self._heard_at > SILENT_SECONDS:
                self.snap("the other end is silent")
        return self.broken or ""

    async def flush(self) -> None:
        """Sends what waits, for the last time."""
        while self._frames and self.broken is None:
            await self._send()

    async def _send(self) -> None:
        """Sends a packet with what waits, also if that is nothing: the other end hears that this one is there."""
        frames, self._frames = _first(self._frames)
        if not self._frames:
            self._last, self._backlog = None, 0
        packet = encode_packet(Packet(self.number, self._sent, frames))
        self._sent += 1
        await self._publish(packet)

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(BEAT_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return


def _first(frames: list[AnyFrame]) -> tuple[list[AnyFrame], list[AnyFrame]]:
    """As many frames as one packet takes, and the others."""
    length = 0
    for at, frame in enumerate(frames):
        length += _size(frame)
        if length > MAX_PACKET_BYTES and at:
            return frames[:at], frames[at:]
    return frames, []


def _size(frame: AnyFrame) -> int:
    match frame:
        case Said(message=carried) | Told(message=carried) | Passed(data=carried) | Knocked(head=carried):
            return FRAME_BYTES + len(carried)
        case _:
            return FRAME_BYTES
