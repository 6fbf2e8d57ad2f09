"""Finds the entries and transfers of a time without reading the earlier ones."""

from collections.abc import Callable
from typing import Final

from podium.record.store.interface import Reading

OUT_OF_ORDER_MS: Final = 600_000
"""How far postings may be out of order. They are stored in the order in which they became durable, which is the order
of time unless a batch had to wait or the clock was set."""


def sequence_before(book: Reading, stream: str, time: int) -> int:
    """A sequence number such that every entry of the stream up to it is older than `time`."""

    def time_after(sequence: int) -> int | None:
        found = book.entries(stream, sequence, 1)
        return found[0].time if found else None

    return _last_before(time, time_after)


def position_before(book: Reading, time: int) -> int:
    """A position in the ledger such that every transfer up to it is older than `time`."""

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
