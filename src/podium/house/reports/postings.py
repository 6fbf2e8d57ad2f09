"""Finds the transfers of an interval without scanning the whole ledger."""

from collections.abc import Iterator

from podium.house.reports.intervals import Interval
from podium.record.journal import Entry
from podium.record.ledger import Account, changes
from podium.record.store import Posted, Reading, read_posted, read_stream
from podium.record.store.times import OUT_OF_ORDER_MS, position_before, sequence_before


def posted_in(book: Reading, interval: Interval) -> Iterator[Posted]:
    """The transfers of an interval, in the order of posting."""
    for posted in read_posted(book, position_before(book, interval.since - OUT_OF_ORDER_MS)):
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


def balances_at(book: Reading, time: int) -> dict[Account, int]:
    """The balance of every account at a time: the balance now, less what moved since."""
    balances = dict(book.balances())
    for posted in read_posted(book, position_before(book, time - OUT_OF_ORDER_MS)):
        if posted.time >= time:
            for name, change in changes([posted.transfer]).items():
                amount = balances.get(name, 0) - change
                if amount:
                    balances[name] = amount
                else:
                    balances.pop(name, None)
    return balances
