"""The sections of a table's stream, from one snapshot to a later one: each is replayed by itself, so that one long table is proved on all
cores too.

A section begins with a snapshot and ends with the snapshot with which the next one begins, and what it comes to must be equal to it. So the
sections of a stream together prove what one replay of the whole stream proves.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from podium.house.table.events import SNAPSHOT, RoundReopened, TableSnapshot, decode, kinds
from podium.record.journal import Entry
from podium.record.store import Reading

LEAST_ENTRIES: Final = 10_000
"""Entries that are worth a section of their own."""
[REOPENED] = kinds(RoundReopened)


class Section(NamedTuple):
    """A part of a stream that is replayed by itself."""

    stream: str
    after: int
    """The entry before its first one; 0 for the beginning of the stream."""
    until: int
    """Its last entry."""
    ends: bool
    """Whether the stream ends with it, as far as it is proved."""

    @property
    def entries(self) -> int:
        return self.until - self.after


def whole(stream: str, until: int) -> Section:
    """A stream in one section, up to the entry of that number."""
    return Section(stream, 0, until, ends=True)


def sections(book: Reading, stream: str, until: int, *, least: int = LEAST_ENTRIES) -> list[Section]:
    """Divides a stream, up to the entry of that number, at some of its snapshots."""
    again = [(entry.sequence, decode(entry.payload)) for entry in _backwards(book, stream, REOPENED, until)]
    told = [(sequence, event.round) for sequence, event in again if isinstance(event, RoundReopened)]
    bounds, last = [0], until
    for entry in reversed(list(_backwards(book, stream, SNAPSHOT, until))):
        happened = decode(entry.payload)
        assert isinstance(happened, TableSnapshot)
        # A round that is told again is proved from its own cards: both are in one section.
        apart = any(number < happened.round.round and sequence > entry.sequence for sequence, number in told)
        if not apart and entry.sequence - bounds[-1] >= least and last - entry.sequence >= least:
            bounds.append(entry.sequence)
    # The snapshot is the last entry of one section and the first of the next.
    firsts = [max(bound - 1, 0) for bound in bounds]
    return [
        Section(stream, after, end, ends=end == last) for after, end in zip(firsts, [*bounds[1:], last], strict=True)
    ]


def _backwards(book: Reading, stream: str, kind: str, until: int) -> Iterator[Entry]:
    """The entries of a kind, the last one first."""
    before = until + 1
    while (found := book.last(stream, kind, before)) is not None:
        yield found
        before = found.sequence
