"""Proof that a store holds what was written: chains whole, every transfer once, balances equal to their sum."""

from collections.abc import Iterator
from typing import NamedTuple

from podium.journal import START, BrokenChain, Entry, Head, follow
from podium.ledger import Account, Transfer, changes, never_negative
from podium.store.interface import Damaged, Posted, Reading

_PAGE = 5_000


class Proved(NamedTuple):
    """How much was checked."""

    streams: int
    entries: int
    transfers: int
    accounts: int


def read_stream(book: Reading, stream: str, after: int = 0) -> Iterator[Entry]:
    """All entries of a stream, page by page."""
    while page := book.entries(stream, after, _PAGE):
        yield from page
        after = page[-1].sequence


def read_posted(book: Reading, after: int = 0) -> Iterator[Posted]:
    """All transfers in the order of posting, page by page."""
    while page := book.posted(after, _PAGE):
        yield from page
        after = page[-1].position


def prove(book: Reading) -> Proved:
    """Check everything that can be checked without knowing any game; the first difference is `Damaged`.

    The journal is the truth: the ledger's tables are proved to be what follows from it (EVT-4, LED-1, LED-2).
    """
    moved: dict[str, Transfer] = {}
    heads = book.heads()
    entries = sum(_prove_stream(book, stream, head, moved) for stream, head in heads.items())
    sums = _prove_transfers(book, moved)
    _prove_balances(book.balances(), sums)
    return Proved(len(heads), entries, len(moved), len(sums))


def _prove_stream(book: Reading, stream: str, end: Head, moved: dict[str, Transfer]) -> int:
    head = START
    try:
        for entry in read_stream(book, stream):
            head = follow(head, entry)
            for transfer in entry.transfers:
                if moved.setdefault(transfer.id, transfer) != transfer:
                    raise Damaged(
                        f"Entry {entry.sequence} of {stream} moves {transfer.id} otherwise than an entry before it."
                    )
    except BrokenChain as broken:
        raise Damaged(str(broken)) from None
    if head != end:
        raise Damaged(f"{stream} ends with entry {head.sequence}, but {end.sequence} was expected.")
    return head.sequence


def _prove_transfers(book: Reading, moved: dict[str, Transfer]) -> dict[Account, int]:
    sums: dict[Account, int] = {}
    count = 0
    for posted in read_posted(book):
        transfer = posted.transfer
        if moved.get(transfer.id) != transfer:
            raise Damaged(
                f"The ledger has {transfer}, but the journal has {moved.get(transfer.id, 'no such transfer')}."
            )
        for account, change in changes([transfer]).items():
            sums[account] = sums.get(account, 0) + change
        count += 1
    if count != len(moved):
        raise Damaged(f"The journal moves money {len(moved)} times, but the ledger has {count} transfers.")
    return sums


def _prove_balances(balances: dict[Account, int], sums: dict[Account, int]) -> None:
    for account in sorted(balances.keys() | sums.keys()):
        if balances.get(account, 0) != sums.get(account, 0):
            raise Damaged(
                f"{account} stands at {balances.get(account, 0)}, but its transfers come to {sums.get(account, 0)}."
            )
        if never_negative(account) and balances.get(account, 0) < 0:
            raise Damaged(f"{account} is overdrawn: it stands at {balances[account]}.")
