"""How fast a book grows, from what it has recorded: the forecast for the disk."""

from typing import NamedTuple

from podium.record.store import Book
from podium.record.store.times import sequence_before

DAY_MS = 86_400_000


class Growth(NamedTuple):
    """The growth of a book in the last day."""

    entries: int
    """Entries that were written in that time, or as many as a whole day would have if the house is younger."""
    bytes: int
    """What they take in the book, at the average size of its entries."""
    measured_ms: int
    """How much of a day was measured."""

    @property
    def whole_day(self) -> bool:
        return self.measured_ms == DAY_MS

    def days(self, free_bytes: int) -> int | None:
        """How many days the free space of the disk will last; None for a book that does not grow."""
        return free_bytes // self.bytes if self.bytes else None


def growth(book: Book, now: int) -> Growth:
    """Measures what a day adds to a book."""
    heads = book.heads()
    in_book = sum(head.sequence - book.first(stream) + 1 for stream, head in heads.items())
    begins = [entry.time for stream in heads for entry in book.entries(stream, book.first(stream) - 1, 1)]
    measured = max(1, min(DAY_MS, now - min(begins, default=now)))
    written = sum(head.sequence - sequence_before(book, stream, now - DAY_MS) for stream, head in heads.items())
    entries = written * DAY_MS // measured
    return Growth(entries, entries * book.size() // max(in_book, 1), measured)
