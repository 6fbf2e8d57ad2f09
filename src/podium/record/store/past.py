"""The past of a book: the part that was proved before, noted beside it, so that a start costs the same after a year as after a day.

Reading every page of a file and adding up every transfer takes longer the longer the record is. So an open house does
both from time to time, and notes how far it came: the end of every stream, the last transfer, the sum of all transfers
up to there for each account, and when all pages were read. A start goes on from there.

A note that is torn, too old or another book's is ignored; then a start does all of it.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from podium.record.ledger import Account
from podium.record.store.disk import Files
from podium.record.store.interface import Damaged, Past, Reading
from podium.record.store.last import packed, unpacked

MAX_UNREAD_MS: Final = 7 * 24 * 3600 * 1000
"""A start skips reading all pages if the last entry of the book is at most this much younger than the last such
reading."""


class PastFile:
    """The note beside a book's file."""

    def __init__(self, files: Files, book: Path) -> None:
        self._files: Final = files
        self.path: Final = book.with_name(f"{book.name}.proved")

    def read(self) -> Past | None:
        """The note; None if it is missing or torn."""
        body = unpacked(self._files.read(self.path))
        try:
            return None if body is None else msgspec.json.decode(body, type=Past)
        except msgspec.MsgspecError:
            return None

    def write(self, past: Past) -> None:
        self._files.write(self.path, 0, packed(past))
        self._files.sync(self.path)


def is_of(past: Past, book: Reading) -> bool:
    """Whether a book continues this past: it holds the entries with which the streams ended then."""
    ends = ((book.hashes(stream, end - 1, 1), hash) for stream, (end, hash) in past.ends.items())
    return all(found and found[0].hex() == hash for found, hash in ends)


def is_recent(past: Past, book: Reading) -> bool:
    """Whether all pages were read through not long before the last entry of the book."""
    ends = [book.entries(stream, head.sequence - 1, 1) for stream, head in book.heads().items()]
    return max((last.time for [last] in ends), default=0) - past.read_at <= MAX_UNREAD_MS


def sums_of(book: Reading, past: Past | None) -> Mapping[Account, int]:
    """The sum of the transfers of each account; those of the past are not added up again."""
    if past is None:
        return book.sums()
    sums = Counter(past.sums)
    sums.update(book.sums(past.position))
    return {name: amount for name, amount in sums.items() if amount}


def prove_balances(balances: Mapping[Account, int], sums: Mapping[Account, int]) -> None:
    """LED-1: every balance is the sum of its transfers."""
    for account in sorted(balances.keys() | sums.keys()):
        if balances.get(account, 0) != sums.get(account, 0):
            raise Damaged(
                f"{account} stands at {balances.get(account, 0)}, but its transfers come to {sums.get(account, 0)}."
            )


def proved_past(book: Reading, before: Past | None, read_at: int) -> Past:
    """The past of a book as it is now, which goes on from the one before; raises `Damaged` where a balance is wrong."""
    sums = sums_of(book, before)
    prove_balances(book.balances(), sums)
    ends = {stream: (head.sequence, head.hash.hex()) for stream, head in book.heads().items()}
    return Past(ends, book.last_position(), dict(sums), read_at)
