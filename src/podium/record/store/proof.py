"""Proof that a store holds what was written: chains intact, every transfer once, balances equal to their sums."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from podium.record import limits
from podium.record.journal import START, BrokenChain, Entry, Head, follow
from podium.record.ledger import Account, Transfer, changes, never_negative
from podium.record.store.interface import FIRST, Damaged, Document, Posted, Reading
from podium.record.store.past import prove_balances, sums_of

_ROWS_PER_PAGE = 5_000


class Proved(NamedTuple):
    """How much was checked."""

    streams: int
    entries: int
    transfers: int
    accounts: int


def read_stream(book: Reading, stream: str, after: int = 0) -> Iterator[Entry]:
    """All entries of a stream, page by page."""
    while page := book.entries(stream, after, _ROWS_PER_PAGE):
        yield from page
        after = page[-1].sequence


def read_posted(book: Reading, after: int = 0) -> Iterator[Posted]:
    """All transfers in the order of posting, page by page."""
    while page := book.posted(after, _ROWS_PER_PAGE):
        yield from page
        after = page[-1].position


def read_documents(book: Reading) -> Iterator[Document]:
    """Every version of every document, page by page."""
    after = FIRST
    while page := book.versions(after, _ROWS_PER_PAGE):
        yield from page
        after = page[-1][:3]


def prove(book: Reading, look_at: Callable[[Posted], None] = lambda posted: None) -> Proved:
    """Checks everything that can be checked without knowing any game; raises `Damaged` at the first difference.

    The journal is the truth: the ledger's tables are proved to be what follows from it (EVT-4, LED-1, LED-2). Both are
    read side by side, a page at a time, so a long record needs no more memory than a short one. `look_at` is given every transfer.
    """
    heads = book.heads()
    streams = {stream: _Followed(book, stream, head) for stream, head in heads.items()}
    sums: Counter[Account] = Counter()
    transfers = 0
    for (stream, sequence), postings in groupby(read_posted(book), key=lambda posted: (posted.stream, posted.sequence)):
        moved = [_found(streams.get(stream), posted, look_at) for posted in postings]
        transfers += len(moved)
        # The transfers of one entry happen together, so a void may take a stake from the bank and give it back in any order.
        for account, change in changes(moved).items():
            sums[account] += change
            if change < 0 and sums[account] < 0 and never_negative(account):
                raise Damaged(f"{account} was overdrawn by entry {sequence} of {stream} (GAME-1).")
    for followed in streams.values():
        followed.finish()
    prove_balances(book.balances(), sums)
    _prove_guards(book.guards(), sums)
    return Proved(len(heads), sum(head.sequence for head in heads.values()), transfers, len(sums))


def prove_end(book: Reading) -> None:
    """Proves what is quick to prove, however long the record is: the last entries of every stream are intact and their
    money is in the ledger, and every balance is the sum of its transfers, from where the book's past ends."""
    for stream, end in book.heads().items():
        after = max(end.sequence - limits.MAX_PROVED_ENTRIES_PER_STREAM, 0)
        before = book.entries(stream, after - 1, 1)[0] if after else None
        followed = _Followed(book, stream, end, Head(after, before.hash) if before else START)
        followed.finish(posted=True)
    prove_balances(book.balances(), sums_of(book, book.past()))
    _prove_guards(book.guards())


def _found(followed: "_Followed | None", posted: Posted, look_at: Callable[[Posted], None]) -> Transfer:
    """Checks that a posting has the transfer, position and time of the entry that caused it: reports are made from
    postings."""
    if followed is None or not followed.finds(posted):
        raise _not_there(posted)
    look_at(posted)
    return posted.transfer


def _not_there(posted: Posted) -> Damaged:
    return Damaged(
        f"The ledger has {posted.transfer.id} at {posted.time} from entry {posted.sequence} of {posted.stream}, but the "
        "journal does not have it there."
    )


class _Followed:
    """One stream of the journal: its chain is proved as it is read, and its transfers are compared with the ledger."""

    def __init__(self, book: Reading, stream: str, end: Head, start: Head = START) -> None:
        self._book: Final = book
        self._stream: Final = stream
        self._start: Final = start
        self._end: Final = end
        self._moved: Final = self._read()

    def _read(self) -> Iterator[tuple[Entry, Transfer]]:
        head = self._start
        try:
            for entry in read_stream(self._book, self._stream, head.sequence):
                head = follow(head, entry)
                for transfer in entry.transfers:
                    yield entry, transfer
        except BrokenChain as broken:
            raise Damaged(str(broken)) from None
        if head != self._end:
            raise Damaged(f"{self._stream} ends with entry {head.sequence}, but {self._end.sequence} was expected.")

    def finds(self, posted: Posted) -> bool:
        """Whether this is the next transfer in the journal."""
        for entry, transfer in self._moved:
            if (entry.sequence, entry.time, transfer) == (posted.sequence, posted.time, posted.transfer):
                return True
            self._pass_over(entry, transfer)
        return False

    def finish(self, *, posted: bool = False) -> None:
        """Reads to the end; whether the ledger has the remaining transfers."""
        for entry, transfer in self._moved:
            self._pass_over(entry, transfer, posted=posted)

    def _pass_over(self, entry: Entry, transfer: Transfer, *, posted: bool = False) -> None:
        """LED-2: a transfer that was sent again is in the journal twice, and in the ledger once, from another entry."""
        known = self._book.transfer(transfer.id)
        if known is None:
            raise Damaged(
                f"The ledger has no transfer {transfer.id}, which entry {entry.sequence} of {entry.stream} moves."
            )
        if known.transfer != transfer:
            raise Damaged(f"The ledger has {known.transfer}, but the journal has {transfer}.")
        if not posted and (known.stream, known.sequence) == (entry.stream, entry.sequence):
            raise _not_there(known)


def _prove_guards(guards: Mapping[Account, bool], known: Container[Account] | None = None) -> None:
    """The store keeps every account from being overdrawn that must never be, and has no account that nothing ever moved."""
    for account, guarded in guards.items():
        if guarded != never_negative(account):
            how = "is not kept" if not guarded else "is kept"
            raise Damaged(f"{account} {how} from being overdrawn, against what the ledger says of it (GAME-1).")
        if known is not None and account not in known:
            raise Damaged(f"The ledger has an account {account} that no transfer ever moved (LED-1).")
