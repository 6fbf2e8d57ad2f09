"""A disk: what the process sees, what was synced, and what a power failure may leave of the rest."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import RLock
from typing import Any, Final, NamedTuple

from podium.record.store.disk import Files
from podium.record.store.interface import Unavailable

SECTOR: Final = 512
"""Bytes that are written whole or not at all."""
Content = dict[str, bytes]
"""Every file by its name."""


class Step(NamedTuple):
    """One thing that was done to the disk."""

    kind: str
    """create, write, truncate, sync, remove or rename."""
    name: str
    at: int = 0
    """Where it was written, or the new size."""
    data: bytes = b""
    to: str = ""


class Refusal(Exception):
    """The disk refused a step: `full`, or `error`."""


class FailingDisk:
    """Files in memory. `fault` looks at each step before it is done, and may refuse it or call a sync a lie."""

    def __init__(self, content: Content | None = None) -> None:
        self.now: dict[str, bytearray] = {name: bytearray(data) for name, data in (content or {}).items()}
        self.begun: Final[Content] = dict(content or {})
        """What was on it, synced, before the first step."""
        self.steps: list[Step] = []
        self.lies: set[int] = set()
        """Numbers of the steps that are syncs that did nothing."""
        self.fault: Callable[[int, Step], str | None] = lambda number, step: None
        """For a step and its number: None, or `full`, `error` or `lie`."""
        self.locked: set[str] = set()
        self.shared: dict[str, list[Any]] = {}
        """SQLite's shared memory beside each file, and who has locked which part of it."""
        self.shared_locks: dict[str, list[dict[int, str]]] = {}
        self.unmapped: list[Any] = []
        """Kept as long as the disk: a connection that nobody closed may still look at it."""
        self.turn: Final = RLock()

    def do(self, step: Step) -> None:
        with self.turn:
            fault = self.fault(len(self.steps), step)
            if fault == "lie":
                self.lies.add(len(self.steps))
            elif fault is not None:
                if step.kind == "write" and fault == "error":
                    # The first of its sectors may be there.
                    sectors = list(_sectors(step))
                    for sector in sectors[: len(sectors) // 2]:
                        self.steps.append(sector)
                        _do(self.now, sector)
                raise Refusal(fault)
            self.steps.append(step)
            _do(self.now, step)

    def read(self, name: str, at: int, size: int) -> bytes:
        with self.turn:
            return bytes(self.now[name][at : at + size])

    def crash(self) -> Content:
        """Ends the process alone: the system keeps what it was given."""
        return {name: bytes(data) for name, data in self.now.items()}

    def histories(self) -> Iterator[tuple[int, "PowerCut"]]:
        """The disk after each number of steps, for a power failure there."""
        cut = PowerCut(self.begun)
        yield 0, cut
        for number, step in enumerate(self.steps):
            cut.add(step, lie=number in self.lies)
            yield number + 1, cut


class PowerCut:
    """What is durable at a moment, and what is not yet."""

    def __init__(self, content: Content) -> None:
        self._names: dict[str, int] = {}
        self._durable: dict[int, bytes] = {}
        """By file, not by name: a file that is renamed keeps its bytes."""
        self._durable_names: dict[str, int] = {}
        self._now: dict[int, bytearray] = {}
        self._waiting: dict[int, list[Step]] = {}
        self._waiting_names: list[dict[str, int]] = []
        """What the directory was told since it was synced, one state after another."""
        for name, data in content.items():
            file = self._names[name] = len(self._names)
            self._durable[file], self._now[file] = data, bytearray(data)
        self._durable_names = dict(self._names)

    def add(self, step: Step, *, lie: bool = False) -> None:
        file = self._names.get(step.name, -1)
        match step.kind:
            case "create":
                file = self._names[step.name] = len(self._now)
                self._now[file], self._durable[file] = bytearray(), b""
                self._waiting_names.append(dict(self._names))
            case "remove":
                self._names.pop(step.name, None)
                self._waiting_names.append(dict(self._names))
            case "rename":
                self._names[step.to] = self._names.pop(step.name)
                self._waiting_names.append(dict(self._names))
            case "sync-names":
                if not lie:
                    self._sync_names()
            case "sync":
                if not lie:
                    self._durable[file] = bytes(self._now[file])
                    self._waiting.pop(file, None)
                    # SQLite syncs the directory with the first sync of a file that it made.
                    if self._durable_names.get(step.name) != file:
                        self._sync_names()
            case _:
                _do({step.name: self._now[file]}, step)
                self._waiting.setdefault(file, []).append(step)

    def _sync_names(self) -> None:
        self._durable_names = dict(self._names)
        self._waiting_names.clear()

    def left(self, chance: Random | None) -> Content:
        """What is there when the power comes back; without `chance` only what was synced."""
        states = [self._durable_names, *self._waiting_names]
        names = states[chance.randrange(len(states))] if chance is not None else self._durable_names
        return {name: self._left_of(file, chance) for name, file in names.items()}

    def _left_of(self, file: int, chance: Random | None) -> bytes:
        content = bytearray(self._durable.get(file, b""))
        waiting = self._waiting.get(file, [])
        if chance is None or not waiting:
            return bytes(content)
        parts = [part for step in waiting for part in _sectors(step)]
        match chance.randrange(3):
            case 0:
                kept = parts
            case 1:
                kept = parts[: chance.randrange(len(parts) + 1)]
            case _:
                # Any of them; of two for the same sector the later or the earlier one.
                often = chance.random()
                kept = [part for part in parts if chance.random() < often]
                chance.shuffle(kept)
        for part in kept:
            _do({part.name: content}, part)
        return bytes(content)


def _sectors(step: Step) -> Iterator[Step]:
    """The parts of a step that are done whole or not at all."""
    if step.kind != "write":
        yield step
        return
    at, end = step.at, step.at + len(step.data)
    while at < end:
        until = min((at // SECTOR + 1) * SECTOR, end)
        yield step._replace(at=at, data=step.data[at - step.at : until - step.at])
        at = until


def _do(files: dict[str, bytearray], step: Step) -> None:
    match step.kind:
        case "create":
            files[step.name] = bytearray()
        case "remove":
            files.pop(step.name, None)
        case "rename":
            files[step.to] = files.pop(step.name)
        case "write":
            file = files[step.name]
            if len(file) < step.at:
                file.extend(bytes(step.at - len(file)))
            file[step.at : step.at + len(step.data)] = step.data
        case "truncate":
            file = files[step.name]
            del file[step.at :]
            file.extend(bytes(step.at - len(file)))


class FailingFiles(Files):
    """What the store itself does to the files of such a disk."""

    def __init__(self, disk: FailingDisk, vfs: str) -> None:
        self.disk: Final = disk
        self.vfs = vfs

    def _do(self, step: Step) -> None:
        try:
            self.disk.do(step)
        except Refusal as refusal:
            raise OSError(f"the disk refuses: {refusal}") from None

    def exists(self, path: Path) -> bool:
        return str(path) in self.disk.now

    def size(self, path: Path) -> int:
        return len(self.disk.now[str(path)])

    def read(self, path: Path) -> bytes:
        return bytes(self.disk.now.get(str(path), b""))

    def remove(self, path: Path) -> None:
        if self.exists(path):
            self._do(Step("remove", str(path)))

    def publish(self, made: Path, path: Path) -> None:
        self._do(Step("rename", str(made), to=str(path)))
        self._do(Step("sync-names", str(path.parent)))

    def write(self, path: Path, at: int, data: bytes) -> None:
        if not self.exists(path):
            self._do(Step("create", str(path)))
        self._do(Step("write", str(path), at, data))

    def sync(self, path: Path) -> None:
        self._do(Step("sync", str(path)))

    def lock(self, path: Path) -> Callable[[], None]:
        name = str(path)
        if name in self.disk.locked:
            raise Unavailable(f"{path} is in use by another house on this machine.")
        self.disk.locked.add(name)

        def release() -> None:
            with suppress(KeyError):
                self.disk.locked.remove(name)

        return release

    def is_locked(self, path: Path) -> bool:
        return str(path) in self.disk.locked
