"""Archives: files that hold the older entries of tables, so that the book itself stays small.

A file begins with a mark. Then come blocks, each with up to a thousand entries of one stream, in order: MessagePack of time,
kind, payload, money and the positions of the transfers in the ledger, compressed by xz. The index that follows says
where each block begins, and the last eight bytes say where the index begins. Hashes are not in it, because they follow from the entries: whoever
reads a block computes the chain again, and a file that was altered does not fit what comes after it.

The digest of each file, with the heads of what it holds, is a document of the house, so the journal vouches for it (EVT-4).
"""

import os
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import file_digest
from itertools import islice
from lzma import LZMADecompressor, LZMAError, compress
from pathlib import Path
from typing import IO, Final, NamedTuple

import msgspec

from podium.record import limits
from podium.record.journal import BrokenChain, Entry, Head, entry_hash, follow
from podium.record.ledger import Account, changes
from podium.record.store.disk import sync_directory
from podium.record.store.interface import Damaged, Posted, Reading
from podium.record.store.times import OUT_OF_ORDER_MS, position_before

ARCHIVE: Final = "archive"
"""The kind of the documents that name archives."""
CARRIED: Final = "carried"
"""The kind of the document that has the sums of all archived transfers."""

_MARK: Final = b"podium-archive-1\n"
_FOOTER_BYTES: Final = 8
_FASTEST: Final = 1
"""The preset of xz: on a journal it is as small as the slower ones."""
_MAX_INDEX_BYTES: Final = 1 << 28
_MAX_BLOCK_BYTES: Final = 1 << 28
"""A block that unpacks to more than this is taken for altered: an entry of a full hall has a few megabytes."""
_ROWS_PER_PAGE: Final = 5_000


class ArchivedRange(msgspec.Struct, frozen=True):
    """What an archive holds of one stream."""

    stream: str
    first: int
    last: int
    """With `first`: the sequence numbers of its first and its last entry."""
    previous: str
    head: str
    """The hashes of the entry before the first one, and of the last one."""
    transfers: int
    first_position: int
    last_position: int
    """The positions of its first and its last transfer in the ledger; 0 if it has none."""


class Archive(msgspec.Struct, frozen=True):
    """An archive, as the house has filed it."""

    key: str
    """The name of the file."""
    folder: str
    """Where it was written."""
    ranges: tuple[ArchivedRange, ...]
    since: int
    until: int
    """The times of its first and its last entry, in milliseconds."""
    bytes: int
    sha256: str

    @property
    def entries(self) -> int:
        return sum(each.last - each.first + 1 for each in self.ranges)


class CarriedForward(msgspec.Struct, frozen=True):
    """The sums of all archived transfers, so that balances can be proved without reading them."""

    sums: dict[Account, int]
    archives: int
    """How many archives the sums cover."""
    key: str = "ledger"


class ToArchive(NamedTuple):
    """The part of a stream that is to be archived."""

    stream: str
    first: int
    last: int


class _Block(msgspec.Struct, frozen=True, array_like=True):
    stream: str
    first: int
    count: int
    previous: bytes
    offset: int
    bytes: int
    kinds: dict[str, int]
    """The last entry of each kind."""
    first_position: int
    last_position: int


Row = tuple[int, str, bytes, bytes, tuple[int, ...]]
"""An entry in a block: time, kind, payload, money, and the positions of its transfers."""
_encode: Final = msgspec.msgpack.Encoder().encode
_decode_rows: Final = msgspec.msgpack.Decoder(list[Row]).decode
_decode_index: Final = msgspec.msgpack.Decoder(list[_Block]).decode


class ArchivedEntry(NamedTuple):
    """An entry with the positions of its transfers."""

    entry: Entry
    positions: tuple[int, ...]


# --- writing ------------------------------------------------------------------------------------------------------------


def write_archive(book: Reading, file: Path, asked: Sequence[ToArchive]) -> Archive:
    """Writes parts of streams into a new file, reads it back, and compares it with the ledger. The file gets its name only
    when it is complete and on the disk."""
    made = file.with_name(f"{file.name}.new")
    positions = _positions(book, asked)
    with os.fdopen(os.open(made, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as written:
        writer = _Writer(written)
        ranges = [writer.add(book, each, positions[each.stream]) for each in asked]
        writer.finish()
        digest = file_digest(written, "sha256").hexdigest()
        size = written.tell()
    archive = Archive(file.name, str(file.absolute().parent), tuple(ranges), writer.since, writer.until, size, digest)
    try:
        _compare(book, made, archive)
    except BaseException:
        made.unlink()
        raise
    made.rename(file)
    sync_directory(file.parent)
    return archive


class _Writer:
    def __init__(self, file: IO[bytes]) -> None:
        self._file: Final = file
        self._index: Final[list[_Block]] = []
        self.since, self.until = 2**63, 0
        file.write(_MARK)

    def add(self, book: Reading, asked: ToArchive, positions: "_Positions") -> ArchivedRange:
        stream, first, last = asked
        before = book.entries(stream, first - 2, 1)[0].hash if first > 1 else bytes(32)
        after, head, transfers = first - 1, before, 0
        first_position = last_position = 0
        while after < last:
            page = book.entries(stream, after, min(limits.MAX_ENTRIES_PER_ARCHIVE_BLOCK, last - after))
            if not page:
                raise Damaged(f"{stream} has no entry {after + 1}, which is to be archived.")
            page = _up_to_bytes(page, limits.MAX_ARCHIVE_BLOCK_BYTES)
            taken = [positions.of(entry) for entry in page]
            self._add_block(page, taken)
            flat = [position for each in taken for position in each]
            transfers += len(flat)
            first_position = first_position or (flat[0] if flat else 0)
            last_position = flat[-1] if flat else last_position
            after, head = page[-1].sequence, page[-1].hash
        return ArchivedRange(stream, first, last, before.hex(), head.hex(), transfers, first_position, last_position)

    def _add_block(self, page: list[Entry], positions: list[tuple[int, ...]]) -> None:
        rows = [
            (entry.time, entry.kind, entry.payload, entry.money, taken)
            for entry, taken in zip(page, positions, strict=True)
        ]
        flat = [position for taken in positions for position in taken]
        packed = compress(_encode(rows), preset=_FASTEST)
        self._index.append(
            _Block(
                stream=page[0].stream,
                first=page[0].sequence,
                count=len(page),
                previous=page[0].previous,
                offset=self._file.tell(),
                bytes=len(packed),
                kinds={entry.kind: entry.sequence for entry in page},
                first_position=flat[0] if flat else 0,
                last_position=flat[-1] if flat else 0,
            )
        )
        self._file.write(packed)
        self.since = min(self.since, page[0].time)
        self.until = max(self.until, page[-1].time)

    def finish(self) -> None:
        at = self._file.tell()
        self._file.write(compress(_encode(self._index), preset=_FASTEST))
        self._file.write(at.to_bytes(_FOOTER_BYTES))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.seek(0)


def _up_to_bytes(page: list[Entry], most: int) -> list[Entry]:
    """The first entries of a page, at least one, that are no longer than this together."""
    total = 0
    for number, entry in enumerate(page):
        total += len(entry.payload) + len(entry.money)
        if total > most:
            return page[: max(number, 1)]
    return page


class _Positions:
    """Where the ledger has the transfers of one stream."""

    def __init__(self) -> None:
        self._entries: Final = array("q")
        self._positions: Final = array("q")
        self._at = 0

    def add(self, posted: Posted) -> None:
        self._entries.append(posted.sequence)
        self._positions.append(posted.position)

    def of(self, entry: Entry) -> tuple[int, ...]:
        """The positions of the transfers of the next entry."""
        begin = self._at
        while self._at < len(self._entries) and self._entries[self._at] == entry.sequence:
            self._at += 1
        found = tuple(self._positions[begin : self._at])
        if len(found) != len(entry.transfers):
            raise Damaged(
                f"The ledger does not have the transfers of entry {entry.sequence} of {entry.stream} once each (LED-2)."
            )
        return found


def _positions(book: Reading, asked: Sequence[ToArchive]) -> dict[str, _Positions]:
    wanted = {each.stream: each for each in asked}
    found = {stream: _Positions() for stream in wanted}
    begins = [entry.time for each in asked for entry in book.entries(each.stream, each.first - 1, 1)]
    ends = [entry.time for each in asked for entry in book.entries(each.stream, each.last - 1, 1)]
    after, until = position_before(book, min(begins) - OUT_OF_ORDER_MS), max(ends) + OUT_OF_ORDER_MS
    while page := book.posted(after, _ROWS_PER_PAGE):
        for posted in page:
            each = wanted.get(posted.stream)
            if each is not None and each.first <= posted.sequence <= each.last:
                found[posted.stream].add(posted)
        after = page[-1].position
        if page[0].time > until:
            break
    return found


def _compare(book: Reading, made: Path, archive: Archive) -> None:
    """Checks that the file has what the book has: every entry by its hash, every transfer where the ledger has it."""
    file = ArchiveFile(made)
    for each in archive.ranges:
        after = each.first - 1
        while after < each.last:
            stored = book.entries(each.stream, after, min(_ROWS_PER_PAGE, each.last - after))
            written = [held.entry for held in file.held(each.stream, after, len(stored))]
            if written != stored:
                raise Damaged(f"{made} was not read back as it was written.")
            after = stored[-1].sequence


# --- reading ------------------------------------------------------------------------------------------------------------


class ArchiveFile:
    """Reads an archive. Only the blocks that were read last stay in memory."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        try:
            found = path.stat()
            self._version: Final = (found.st_mtime_ns, found.st_size)
            self._blocks: Final = _index_of(path, self._version)
        except OSError as error:
            raise Damaged(f"{path} cannot be read: {error.strerror}.") from None

    def held(self, stream: str, after: int, limit: int) -> list[ArchivedEntry]:
        """The entries of a stream that follow a sequence number, in order."""
        return list(islice(self._held_after(stream, after), limit))

    def _held_after(self, stream: str, after: int) -> Iterator[ArchivedEntry]:
        for number, block in enumerate(self._blocks):
            if block.stream == stream and block.first + block.count - 1 > after:
                for held in self._read(number):
                    if held.entry.sequence > after:
                        yield held

    def last(self, stream: str, kind: str, before: int) -> Entry | None:
        """The last entry of that kind before a sequence number."""
        for number in reversed(range(len(self._blocks))):
            block = self._blocks[number]
            if block.stream == stream and block.first < before and kind in block.kinds:
                for held in reversed(self._read(number)):
                    if held.entry.kind == kind and held.entry.sequence < before:
                        return held.entry
        return None

    def posted(self, stream: str, after: int) -> Iterator[Posted]:
        """The transfers of a stream that follow a position in the ledger, in order."""
        for number, block in enumerate(self._blocks):
            if block.stream == stream and block.last_position > after:
                for entry, positions in self._read(number):
                    for position, transfer in zip(positions, entry.transfers, strict=True):
                        if position > after:
                            yield Posted(position, stream, entry.sequence, entry.time, transfer)

    def _read(self, number: int) -> list[ArchivedEntry]:
        return _read_block(self.path, self._version, number)


@lru_cache(maxsize=limits.MAX_ARCHIVES_IN_MEMORY)
def _index_of(path: Path, version: tuple[int, int]) -> list[_Block]:
    with path.open("rb") as file:
        mark = file.read(len(_MARK))
        end = version[1] - _FOOTER_BYTES
        file.seek(max(end, 0))
        at = int.from_bytes(file.read())
        if mark != _MARK or not len(_MARK) <= at < end:
            raise _altered(path)
        file.seek(at)
        packed = file.read(end - at)
    try:
        return _decode_index(_unpacked(packed, _MAX_INDEX_BYTES))
    except (LZMAError, msgspec.MsgspecError, EOFError):
        raise _altered(path) from None


@lru_cache(maxsize=limits.MAX_ARCHIVE_BLOCKS_IN_MEMORY)
def _read_block(path: Path, version: tuple[int, int], number: int) -> list[ArchivedEntry]:
    block = _index_of(path, version)[number]
    try:
        with path.open("rb") as file:
            file.seek(block.offset)
            rows = _decode_rows(_unpacked(file.read(block.bytes), _MAX_BLOCK_BYTES))
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {error.strerror}.") from None
    except (LZMAError, msgspec.MsgspecError, EOFError):
        raise _altered(path) from None
    if len(rows) != block.count:
        raise _altered(path)
    found, previous = [], block.previous
    for sequence, (time, kind, payload, money, positions) in enumerate(rows, block.first):
        hash = entry_hash(block.stream, sequence, time, kind, payload, money, previous)
        found.append(
            ArchivedEntry(Entry(block.stream, sequence, time, kind, payload, money, previous, hash), positions)
        )
        previous = hash
    return found


def _unpacked(packed: bytes, most: int) -> bytes:
    decompressor = LZMADecompressor()
    data = decompressor.decompress(packed, most)
    if not decompressor.eof:
        raise EOFError
    return data


def _altered(path: Path) -> Damaged:
    return Damaged(f"The archive {path} is not what was written: restore it from a copy (EVT-4).")


# --- proving ------------------------------------------------------------------------------------------------------------


def prove_file(path: Path, archive: Archive) -> dict[Account, int]:
    """Checks a file against what the house has filed of it: digest, chains and ends. Returns the sums of its
    transfers."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            digest = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Damaged(f"{path} cannot be read: {error.strerror}.") from None
    if (size, digest) != (archive.bytes, archive.sha256):
        raise _altered(path)
    sums: dict[Account, int] = {}
    read = ArchiveFile(path)
    for each in archive.ranges:
        head = Head(each.first - 1, bytes.fromhex(each.previous))
        try:
            for held in read.held(each.stream, each.first - 1, each.last - each.first + 1):
                head = follow(head, held.entry)
                for account, change in changes(held.entry.transfers).items():
                    sums[account] = sums.get(account, 0) + change
        except BrokenChain:
            raise _altered(path) from None
        if head != Head(each.last, bytes.fromhex(each.head)):
            raise _altered(path)
    return {account: amount for account, amount in sums.items() if amount}
