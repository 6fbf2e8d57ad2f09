"""A house that plays on a failing disk by the real GroupCommit, and what must be true of the disk afterwards."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from podium.basics.refusal import Refused
from podium.house import House, HouseConfig
from podium.house.shuffling import SealedShuffler
from podium.house.verify import Difference, verify
from podium.record.journal import BrokenChain, Entry
from podium.record.ledger import LedgerFault
from podium.record.seal import Seal, SealBroken
from podium.record.store import Damaged, GroupCommit, prove_end
from podium.record.store.sqlite import SqliteBook
from tests.entropy import repeatable
from tests.failing_disk.disk import Content, FailingDisk, FailingFiles
from tests.failing_disk.vfs import NAME, VFS
from tests.houses import KEY, NOON, PlayingHouse, all_games

BOOK: Final = Path("/disk/podium.db")
LOG: Final = f"{BOOK}-wal"
LAST: Final = f"{BOOK}.last"
LOG_PAGES: Final = 20
"""Pages after which the log is written back: a round fills it, so that this too happens within a round."""
WRONG: Final = (
    Damaged,
    Difference,
    BrokenChain,
    LedgerFault,
    Refused,
    SealBroken,
    msgspec.MsgspecError,
)
"""How a house says that its record is not what was written; it does not open then."""
CONFIG: Final[HouseConfig] = all_games()


class Lost(AssertionError):
    """Something that was acknowledged is gone, and nothing reports it."""


class WrittenDisk(FailingDisk):
    """A disk with notes of what the house on it acknowledged, and after how many steps."""

    def __init__(self, content: Content | None = None) -> None:
        super().__init__(content)
        self.acknowledged: list[tuple[int, list[Entry]]] = []
        self.asked: list[Entry] = []
        """What the house tried to keep last; if that was not acknowledged, it may be kept or not."""

    def acknowledged_after(self, steps: int) -> list[Entry]:
        return [entry for at, entries in self.acknowledged if at <= steps for entry in entries]

    def noted_after(self, steps: int) -> list[Entry]:
        """What was acknowledged and, a moment later, durably noted beside the book: a disk that lies about the book cannot
        lose that silently."""
        syncs = [n for n, step in enumerate(self.steps[:steps]) if (step.kind, step.name) == ("sync", LAST)]
        return self.acknowledged_after(syncs[-1] + 1 if syncs else 0)


class DiskHouse(PlayingHouse):
    """Makes every step of a round durable by itself."""

    def __init__(
        self,
        disk: WrittenDisk,
        book: SqliteBook,
        store: GroupCommit,
        loop: asyncio.AbstractEventLoop,
        *,
        now: int = NOON,
    ) -> None:
        self.disk: Final = disk
        self.group: Final = store
        self.loop: Final = loop
        super().__init__(book, CONFIG, now=now)

    def store(self) -> None:
        entries = self.house.take_entries()
        if entries:
            self.disk.asked = entries
            self.loop.run_until_complete(self.group.append(entries))
            self.disk.acknowledged.append((len(self.disk.steps), entries))

    def step(self, table: object, upset: object = None) -> None:
        super().step(table, upset)  # type: ignore[arg-type]
        self.store()


@contextmanager
def living(disk: WrittenDisk, *, now: int = NOON, log_pages: int = LOG_PAGES) -> Iterator[DiskHouse]:
    """A house on a disk, from its start to its death: what closing would write is not written."""
    VFS.insert(disk)
    book = SqliteBook(BOOK, files=FailingFiles(disk, NAME))
    book._writing().connection.execute(f"PRAGMA wal_autocheckpoint = {log_pages}")
    store, loop = GroupCommit(book, quiet_seconds=0), asyncio.new_event_loop()
    try:
        yield DiskHouse(disk, book, store, loop, now=now)
    finally:
        disk.fault = lambda number, step: "full"
        disk.locked.clear()
        loop.run_until_complete(store.close())
        loop.close()


def play_a_round(house: DiskHouse, table: str) -> None:
    if not house.house.table(table).seats:
        house.seat_bots(table, 2)
    house.play(table)


def begun_house() -> Content:
    """A disk with a house that has played a round of every game and was closed."""
    disk = WrittenDisk()
    with living(disk) as house:
        for table in house.house.tables:
            play_a_round(house, table)
        house.loop.run_until_complete(house.group.close())
        return disk.crash()


# --- what is left ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(content: Content, *, writable: bool = True) -> Iterator[SqliteBook]:
    disk = FailingDisk(content)
    VFS.insert(disk)
    book = SqliteBook(BOOK, files=FailingFiles(disk, NAME), writable=writable)
    # The sqlite3 module ends its statement, by our VFS, before it raises for a text that it cannot read, and loses the exception.
    book._reader.text_factory = lambda data: data.decode(errors="replace")
    try:
        yield book
    finally:
        disk.fault = lambda number, step: "full"
        book.close()


def shuffler() -> SealedShuffler:
    return SealedShuffler(Seal(KEY, repeatable("left")), repeatable("left"))


class Judge:
    """Judges what is left of a disk, each content once."""

    def __init__(self) -> None:
        self.looked = 0
        self._known: dict[bytes, tuple[str, dict[str, list[bytes]]]] = {}

    def judge(self, content: Content, acknowledged: list[Entry], *, whole: bool = True) -> str:
        """Returns an empty string if everything that was acknowledged is there and the record proves itself, and
        otherwise what the house says is wrong. Raises `Lost` if something is gone and nothing reports it.

        `whole`: nothing may be wrong on this disk.
        """
        wrong, stored = self._look(content)
        if wrong:
            if whole:
                raise Lost(f"The house does not open again: {wrong}")
            return wrong
        for entry in acknowledged:
            hashes = stored.get(entry.stream, [])
            if len(hashes) < entry.sequence or hashes[entry.sequence - 1] != entry.hash:
                raise Lost(f"Entry {entry.sequence} of {entry.stream} was acknowledged, and is gone.")
        return ""

    def holds(self, content: Content, entries: list[Entry]) -> bool:
        """Checks that of the entries that were not acknowledged all are there, or none."""
        _, stored = self._look(content)
        found = {entry.hash in stored.get(entry.stream, []) for entry in entries}
        if len(found) > 1:
            raise Lost("A part of one append is there, and a part is not.")
        return found == {True}

    def _look(self, content: Content) -> tuple[str, dict[str, list[bytes]]]:
        digest = sha256(b"".join(name.encode() + sha256(data).digest() for name, data in sorted(content.items())))
        key = digest.digest()
        if key not in self._known:
            self.looked += 1
            self._known[key] = _looked_at(content)
        return self._known[key]


def _looked_at(content: Content) -> tuple[str, dict[str, list[bytes]]]:
    """What the house says is wrong; otherwise it opens, comes back and verifies, and these are the hashes of all
    entries."""
    try:
        with opened(content) as book:
            prove_end(book)
            House(shuffler()).come_back(book)
            verify(book, shuffler())
            return "", {stream: book.hashes(stream) for stream in book.heads()}
    except WRONG as found:
        return str(found) or type(found).__name__, {}
