"""Requests that moved money, by their keys, so that a repeated request is carried out once (LED-2).

The latest are remembered. All of them are in the ledger, where a transfer keeps its id forever: before carrying out a
request whose key is not remembered, look there.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from podium.house import limits
from podium.house.events import MoneyMoved, decode
from podium.house.tickets import transfers_of
from podium.record.ledger import LedgerFault, Transfer
from podium.record.store.interface import Posted, Reading


class CarriedOut(NamedTuple):
    """A request that was carried out."""

    transfer: Transfer
    ticket: str
    """The key of the ticket that was issued for it, if one was."""


class Requests:
    """The requests of one house."""

    def __init__(self) -> None:
        self._done: OrderedDict[str, CarriedOut] = OrderedDict()
        self._looked_up: dict[str, CarriedOut | None] = {}
        self.complete = True
        """Whether no request was ever forgotten."""

    def add(self, key: str, transfer: Transfer, ticket: str = "") -> None:
        """Remembers a request that was carried out."""
        self._done[key] = CarriedOut(transfer, ticket or _issued_by(transfer))
        while len(self._done) > limits.MAX_REMEMBERED_REQUESTS:
            self._done.popitem(last=False)
            self.complete = False

    def knows(self, key: str) -> bool:
        """Whether the answer for a key is in memory, so that the ledger need not be read."""
        return key in self._done or self.complete

    def find(self, key: str) -> Transfer | None:
        """What was carried out under a key, if anything was."""
        done = self._find(key)
        return None if done is None else done.transfer

    def ticket(self, key: str) -> str:
        """The key of the ticket that was issued under a key; empty if none was."""
        done = self._find(key)
        return "" if done is None else done.ticket

    def remembered_ticket(self, key: str) -> str:
        """The same, from memory alone."""
        return self._done[key].ticket if key in self._done else ""

    def _find(self, key: str) -> CarriedOut | None:
        if key in self._done:
            return self._done[key]
        if key not in self._looked_up and not self.complete:
            raise LedgerFault(f"{key} is not remembered, and nobody has looked it up in the ledger (LED-2).")
        return self._looked_up.get(key)

    @contextmanager
    def looked_up(self, key: str, found: CarriedOut | None) -> Iterator[None]:
        """Remembers a request from the ledger while the one with the same key is carried out."""
        self._looked_up[key] = found
        try:
            yield
        finally:
            del self._looked_up[key]

    def __len__(self) -> int:
        return len(self._done)


def find_request(book: Reading, key: str, tickets: Iterable[str] = ()) -> CarriedOut | None:
    """What was carried out under the key of a request, from the ledger. Either a transfer has the key as its id, or it is a
    transfer of one of these tickets, and its journal entry names the request."""
    posted = book.transfer(key)
    if posted is not None:
        moved = _moved(book, posted)
        return CarriedOut(posted.transfer, moved.ticket if moved is not None else "")
    for ticket in tickets:
        for transfer in transfers_of(ticket):
            found = book.transfer(transfer)
            moved = _moved(book, found) if found is not None else None
            if found is not None and moved is not None and moved.request == key:
                return CarriedOut(found.transfer, _issued_by(found.transfer))
    return None


def _moved(book: Reading, posted: Posted) -> MoneyMoved | None:
    for entry in book.entries(posted.stream, posted.sequence - 1, 1):
        moved = decode(entry.payload)
        if isinstance(moved, MoneyMoved):
            return moved
    return None


def issued_for(book: Reading, posted: Posted) -> str:
    """The key of the ticket that a transfer paid for, as the journal has it; empty if it names none."""
    moved = _moved(book, posted)
    return moved.ticket if moved is not None else ""


def _issued_by(transfer: Transfer) -> str:
    """The ticket that a transfer of an earlier version paid for: its id named the ticket."""
    parts = transfer.id.split("/")
    return (
        parts[1] if transfer.kind in ("ticket-sold", "ticket-out") and len(parts) == 3 and parts[0] == "ticket" else ""
    )
