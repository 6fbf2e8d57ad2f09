"""Moves what tables recorded long ago from the book into archives.

An archive is written from the book, read back, and then filed as a document, so the journal vouches for its digest. Only then
is what it holds deleted from the book, a little at a time. The house's own stream stays in the book, with all that people did
and every ticket: it is small. Of a table's stream the book keeps what a start reads: everything from the last snapshot on.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from podium.house.events import Noted
from podium.house.house import House
from podium.house.state import HOUSE
from podium.house.table.events import SNAPSHOT
from podium.record import limits
from podium.record.ledger import Account
from podium.record.store import Damaged, Pruned, Reading
from podium.record.store.archive import Archive, ArchiveFile, CarriedForward, ToArchive, prove_file, write_archive
from podium.record.store.archived import archives_of, carried_forward, find_archive
from podium.record.store.times import sequence_before
from podium.record.tlog import STORED_LEVELS

DAY_MS: Final = 86_400_000
MIN_ARCHIVED_ENTRIES: Final = 1_000
"""Fewer entries than this are left for the next archive."""


class MadeArchive(NamedTuple):
    """An archive that was written, to be filed."""

    archive: Archive
    carried: CarriedForward


def make_archive(book: Reading, folder: Path, before: int) -> MadeArchive | None:
    """Writes what tables recorded before a time into the next archive; None if there is too little for a file."""
    asked = _asked(book, before)
    if sum(each.last - each.first + 1 for each in asked) < MIN_ARCHIVED_ENTRIES:
        return None
    folder.mkdir(exist_ok=True, mode=0o700)
    file = folder / _name(book, asked)
    archive = write_archive(book, file, asked)
    carried = carried_forward(book)
    return MadeArchive(archive, CarriedForward(_sum([carried.sums, prove_file(file, archive)]), carried.archives + 1))


def file_archive(house: House, made: MadeArchive, now: int, *, by: str) -> None:
    """Files an archive that was written: from now on the book need not have what it holds."""
    house.shelf.put(made.archive, now)
    house.shelf.put(made.carried, now)
    archive = made.archive
    reason = f"{archive.key}: {archive.entries} entries, {archive.bytes} bytes"
    house.note(Noted("archive-made", "house", by, reason, after=archive.sha256), now)


def _asked(book: Reading, before: int) -> list[ToArchive]:
    # What is archived was signed before, and the tree over it follows from nodes that are stored (EVT-5).
    signed = {each.stream: each.size >> STORED_LEVELS << STORED_LEVELS for each in book.checkpoints()}
    archived = {each.stream: each.last for archive in archives_of(book) for each in archive.ranges}
    asked, room = [], limits.MAX_ENTRIES_PER_ARCHIVE
    for stream, head in book.heads().items():
        snapshot = None if stream == HOUSE else book.last(stream, SNAPSHOT)
        if snapshot is None:
            continue
        first = archived.get(stream, 0) + 1
        # A start reads only what stays in the book.
        last = min(
            sequence_before(book, stream, before),
            snapshot.sequence - 1,
            head.sequence - limits.MAX_PROVED_ENTRIES_PER_STREAM - 2,
            signed.get(stream, 0),
            first + room - 1,
        )
        if last >= first:
            asked.append(ToArchive(stream, first, last))
            room -= last - first + 1
    return asked


def _name(book: Reading, asked: Sequence[ToArchive]) -> str:
    """A name that sorts by time. A file that was written and never filed is written again."""
    until = max(entry.time for each in asked for entry in book.entries(each.stream, each.last - 1, 1))
    taken = {archive.key for archive in archives_of(book)}
    stem = f"{datetime.fromtimestamp(until // 1000, UTC):%Y-%m-%dT%H-%M-%SZ}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.archive" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _sum(parts: Sequence[dict[Account, int]]) -> dict[Account, int]:
    sums: dict[Account, int] = {}
    for part in parts:
        for name, amount in part.items():
            sums[name] = sums.get(name, 0) + amount
    return {name: amount for name, amount in sorted(sums.items()) if amount}


def next_pruning(book: Reading) -> Pruned | None:
    """The next archived entries to delete from the book: few enough to be done between two turns of a table. None when
    none are left."""
    for archive in archives_of(book):
        for each in archive.ranges:
            after = book.first(each.stream) - 1
            if after < each.last:
                file = ArchiveFile(find_archive(archive, book.folder))
                held = file.held(each.stream, after, min(limits.MAX_ENTRIES_PRUNED_AT_ONCE, each.last - after))
                positions = [position for one in held for position in one.positions]
                return Pruned(each.stream, held[-1].entry.sequence, positions)
    return None


def prove_archives(book: Reading) -> tuple[int, int]:
    """Checks every archive against what the house has filed of it, and that what they hold joins up; `Damaged` names a file
    that is missing or altered (EVT-4). Returns how many archives there are, and their entries."""
    archives, ends = archives_of(book), dict[str, tuple[int, str]]()
    sums = []
    for archive in archives:
        sums.append(prove_file(find_archive(archive, book.folder), archive))
        for each in archive.ranges:
            if ends.get(each.stream, (0, bytes(32).hex())) != (each.first - 1, each.previous):
                raise Damaged(
                    f"The archive {archive.key} does not follow what was archived of {each.stream} before (EVT-4)."
                )
            ends[each.stream] = each.last, each.head
    carried = carried_forward(book)
    if (carried.archives, carried.sums) != (len(archives), _sum(sums)):
        raise Damaged("What the house carries forward is not what its archives come to (LED-1).")
    return len(archives), sum(archive.entries for archive in archives)
