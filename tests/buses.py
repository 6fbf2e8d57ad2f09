"""A bus in memory, which loses, repeats and reorders what a test wants it to."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from enum import Enum

from podium.server.bus import Bus


class Fate(Enum):
    """What becomes of a message."""

    ARRIVES = 1
    IS_LOST = 2
    COMES_TWICE = 3
    COMES_LATE = 4
    """After the next one to the same subject."""


class Wire:
    """What all who are on the bus share."""

    def __init__(self) -> None:
        self._listening: defaultdict[str, list[Callable[[bytes], None]]] = defaultdict(list)
        self._late: dict[str, bytes] = {}
        self.fate: Callable[[str], Fate] = lambda subject: Fate.ARRIVES
        self.carried: defaultdict[str, int] = defaultdict(int)
        """Bytes carried, by the middle word of the subject."""
        self.met: defaultdict[Fate, int] = defaultdict(int)

    def join(self) -> Bus:
        return _Joined(self)

    def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self._listening[subject].append(heard)

    def carry(self, subject: str, message: bytes) -> None:
        fate = self.fate(subject)
        self.met[fate] += 1
        self.carried[subject.split(".")[1]] += len(message)
        if fate is Fate.COMES_LATE and subject not in self._late:
            self._late[subject] = message
            return
        for _ in range({Fate.IS_LOST: 0, Fate.COMES_TWICE: 2}.get(fate, 1)):
            self._arrive(subject, message)
        if subject in self._late:
            self._arrive(subject, self._late.pop(subject))

    def _arrive(self, subject: str, message: bytes) -> None:
        for heard in self._listening[subject]:
            asyncio.get_running_loop().call_soon(heard, message)


class _Joined:
    """One end's connection with the bus."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._left = False

    async def publish(self, subject: str, message: bytes) -> None:
        if not self._left:
            self._wire.carry(subject, message)

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self._wire.listen(subject, lambda message: None if self._left else heard(message))

    async def close(self) -> None:
        self._left = True
