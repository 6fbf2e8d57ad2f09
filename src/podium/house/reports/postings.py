"""Finds the transfers of an interval without scanning the whole ledger."""

from collections.abc import Callable, Iterator
from typing import Final

from podium.house.reports.intervals import Interval
from podium.record.journal import Entry
from podium.record.ledger import Account, changes
from podium.record.store import Posted, Reading, read_posted, read_stream

OUT_OF_ORDER_MS: Final = 600_000
"""How far postings may be out of order. They are stored in the order in which they became durable, which is that of
time, except when a batch had to wait or the clock was set."""


def posted_in(book: Reading, interval: Interval) -> Iterator[Posted]:
    """The transfers of an interval, in the order of posting."""
    for posted in read_posted(book, _position_before(book, interval.since - OUT_OF_ORDER_MS)):
        if posted.time in interval:
            yield posted
        elif posted.time >= interval.until + OUT_OF_ORDER_MS:
            return


def entries_in(book: Reading, stream: str, interval: Interval) -> Iterator[Entry]:
    """The entries of a stream in an interval."""
    for entry in read_stream(book, stream, sequence_before(book, stream, interval.since - OUT_OF_ORDER_MS)):
        if entry.time in interval:
            yield entry
        elif entry.time >= interval.until + OUT_OF_ORDER_MS:
            return


def sequence_before(book: Reading, stream: str, time: int) -> int:
    """A sequence number such that every entry of the stream up to it is older than `time`."""

    def time_after(sequence: int) -> int | None:
        found = book.entries(stream, sequence, 1)
        return found[0].time if found else None

    return _last_before(time, time_after)


def balances_at(book: Reading, time: int) -> dict[Account, int]:
    """The balance of every account at a time: the balance now, less what moved since."""
    balances = dict(book.balances())
    for posted in read_posted(book, _position_before(book, time - OUT_OF_ORDER_MS)):
        if posted.time >= time:
            for name, change in changes([posted.transfer]).items():
                amount = balances.get(name, 0) - change
                if amount:
                    balances[name] = amount
                else:
                    balances.pop(name, None)
    return balances


def _position_before(book: Reading, time: int) -> int:
    def time_after(position: int) -> int | None:
        found = book.posted(position, 1)
        return found[0].time if found else None

    return _last_before(time, time_after)


def _last_before(time: int, time_after: Callable[[int], int | None]) -> int:
    """A number such that everything up to it is older than `time`, found by binary search."""

    def older(number: int) -> bool:
        at = time_after(number)
        return at is not None and at < time

    if not older(0):
        return 0
    low, high = 0, 1
    while older(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if older(middle) else (low, middle)
    return low
