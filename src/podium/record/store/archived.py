"""A book with its archives: one record, whether an entry is still in the book or in a file.

Archived entries are deleted from the book a little at a time, so some may be in both places; they count once.
"""

import heapq
import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from podium.record.journal import Entry
from podium.record.ledger import Account, changes
from podium.record.store.archive import ARCHIVE, CARRIED, Archive, ArchivedRange, ArchiveFile, CarriedForward
from podium.record.store.interface import Damaged, Posted, Reading
from podium.record.store.reading import SqlReading

FOLDER: Final = "archives"
"""The folder of the archives, in the directory with the data of a house."""
FOLDER_VARIABLE: Final = "PODIUM_ARCHIVES"
"""The environment variable that names another folder where archives are looked for."""


class MissingArchive(Damaged):
    """The file of an archive is not there."""

    def __init__(self, archive: Archive, looked: str) -> None:
        super().__init__(
            f"The archive {archive.key} is missing, with {archive.entries:,} entries of the record: it is not in {looked}."
            f" Put it back, or name its folder in {FOLDER_VARIABLE} (EVT-4)."
        )
        self.name: Final = archive.key


def archives_of(book: Reading) -> list[Archive]:
    """The archives of a house, the oldest first."""
    found = [msgspec.json.decode(each.body, type=Archive) for each in book.documents(ARCHIVE)]
    return sorted(found, key=lambda archive: (archive.since, archive.key))


def carried_forward(book: Reading) -> CarriedForward:
    """The sums of the transfers in archives."""
    found = book.document(CARRIED, "ledger")
    return msgspec.json.decode(found.body, type=CarriedForward) if found else CarriedForward({}, 0)


def find_archive(archive: Archive, folder: Path | None) -> Path:
    """Where an archive is: in the folder of the book, in the one that the environment names, or where it was written."""
    named = os.environ.get(FOLDER_VARIABLE)
    places = [each for each in (folder, Path(named) if named else None, Path(archive.folder)) if each is not None]
    for place in places:
        if (place / archive.key).is_file():
            return place / archive.key
    looked = " or ".join(dict.fromkeys(str(place) for place in places))
    raise MissingArchive(archive, looked)


class _Part(NamedTuple):
    """The part of a stream that one archive has."""

    archive: Archive
    range: ArchivedRange


class ArchivedReading(SqlReading):
    """Reads a store together with its archives."""

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        page = super().entries(stream, after, limit)
        if not page or page[0].sequence == after + 1:
            return page
        found: list[Entry] = []
        for part in self._parts(stream):
            if part.range.last > after + len(found) and len(found) < limit:
                held = self._file(part.archive).held(stream, after + len(found), limit - len(found))
                found += [each.entry for each in held]
        more = limit - len(found)
        return found + super().entries(stream, after + len(found), more) if more else found

    def hashes(self, stream: str, after: int = 0, limit: int = 10_000) -> list[bytes]:
        [[first]] = self._query("SELECT min(sequence) FROM journal WHERE stream = ? AND sequence > ?", stream, after)
        if first is None or first == after + 1:
            return super().hashes(stream, after, limit)
        return [entry.hash for entry in self.entries(stream, after, limit)]

    def last(self, stream: str, kind: str, before: int | None = None) -> Entry | None:
        found = super().last(stream, kind, before)
        if found is not None:
            return found
        for part in reversed(self._parts(stream)):
            if before is None or part.range.first < before:
                found = self._file(part.archive).last(stream, kind, before or part.range.last + 1)
                if found is not None:
                    return found
        return None

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        parts = [part for part in self._parts() if part.range.last_position > after]
        if not parts:
            return super().posted(after, limit)
        until = {stream: part.range.last for part in self._parts() for stream in [part.range.stream]}
        return list(islice(self._merged(after, limit, parts, until), limit))

    def _merged(self, after: int, limit: int, parts: list[_Part], until: dict[str, int]) -> Iterator[Posted]:
        """The transfers of the book and of archives in order. An archive is opened when its first transfer is due."""
        sources = [self._stored(after, limit, until), *(self._posted_of(part, after) for part in parts)]
        begins = [after, *(max(after, part.range.first_position - 1) for part in parts)]
        due: list[tuple[int, int, Posted | None]] = [(at, number, None) for number, at in enumerate(begins)]
        heapq.heapify(due)
        while due:
            _, number, posted = heapq.heappop(due)
            if posted is not None:
                yield posted
            following = next(sources[number], None)
            if following is not None:
                heapq.heappush(due, (following.position, number, following))

    def _stored(self, after: int, limit: int, until: dict[str, int]) -> Iterator[Posted]:
        while page := super().posted(after, limit):
            yield from (posted for posted in page if posted.sequence > until.get(posted.stream, 0))
            after = page[-1].position

    def _posted_of(self, part: _Part, after: int) -> Iterator[Posted]:
        yield from self._file(part.archive).posted(part.range.stream, after)

    def sums(self, after: int = 0) -> dict[Account, int]:
        parts = self._parts()
        if not parts:
            return super().sums(after)
        sums = Counter(carried_forward(self).sums if not after else ())
        for part in parts if after else ():
            if part.range.last_position > after:
                for posted in self._posted_of(part, after):
                    sums.update(changes([posted.transfer]))
        sums.update(self._sums_in_book(after, {part.range.stream: part.range.last for part in parts}))
        return {account: amount for account, amount in sums.items() if amount}

    def _sums_in_book(self, after: int, until: dict[str, int]) -> dict[Account, int]:
        """The sums of the transfers that are in no archive; `until` is the last archived entry of each stream."""
        sides = " UNION ALL ".join(
            f"SELECT {account}, {amount} AS moved, stream, sequence FROM transfers WHERE position > ?"
            for account, amount in (("credit AS account", "amount"), ("debit", "-amount"))
        )
        cases = " ".join("WHEN ? THEN ?" for _ in until)
        rows = self._query(
            f"SELECT account, sum(moved) FROM ({sides}) AS each_side WHERE sequence > CASE stream {cases} ELSE 0 END GROUP BY account",
            after,
            after,
            *(value for each in until.items() for value in each),
        )
        return {Account(account): int(moved) for account, moved in rows}

    def last_position(self) -> int:
        archived = (part.range.last_position for part in self._parts())
        return max(super().last_position(), *archived, 0)

    def _parts(self, stream: str = "") -> list[_Part]:
        """The archived parts of a stream, or of all streams, the oldest first."""
        parts = [_Part(archive, each) for archive in archives_of(self) for each in archive.ranges]
        return sorted((part for part in parts if stream in ("", part.range.stream)), key=lambda part: part.range.first)

    def _file(self, archive: Archive) -> ArchiveFile:
        return ArchiveFile(find_archive(archive, self.folder))
