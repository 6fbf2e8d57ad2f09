"""The sections of a table's stream, from one snapshot to a later one. Each is replayed by itself, so that a single long
stream can be proved on all cores.

A section begins with a snapshot and ends with the one that the next section begins with; its replay must end in that
state. Together the sections of a stream prove what one replay of the whole stream proves.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from podium.house.table.events import SNAPSHOT, RoundReopened, TableSnapshot, decode, kinds
from podium.record.journal import Entry
from podium.record.store import Reading

LEAST_ENTRIES: Final = 10_000
"""The least number of entries that are worth a section of their own."""
[REOPENED] = kinds(RoundReopened)


class Section(NamedTuple):
    """A part of a stream that is replayed by itself."""

    stream: str
    after: int
    """The entry before its first one; 0 for the beginning of the stream."""
    until: int
    """Its last entry."""
    ends: bool
    """Whether it is the last one to be proved."""

    @property
    def entries(self) -> int:
        return self.until - self.after


def whole(stream: str, until: int) -> Section:
    """One section for a whole stream, up to the entry of that number."""
    return Section(stream, 0, until, ends=True)


def sections(book: Reading, stream: str, until: int, *, least: int = LEAST_ENTRIES) -> list[Section]:
    """Divides a stream, up to the entry of that number, at some of its snapshots."""
    again = [(entry.sequence, decode(entry.payload)) for entry in _backwards(book, stream, REOPENED, until)]
    told = [(sequence, event.round) for sequence, event in again if isinstance(event, RoundReopened)]
    bounds, last = [0], until
    for entry in reversed(list(_backwards(book, stream, SNAPSHOT, until))):
        happened = decode(entry.payload)
        assert isinstance(happened, TableSnapshot)
        # A reopened round is proved from its own cards, so both must be in one section.
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
