"""Requests that moved money, by their keys, so that a repeated request does not happen twice (LED-2).

The latest are remembered. All of them are in the ledger, where a transfer keeps its id for ever: before carrying out a
request whose key is not remembered, look there.
"""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from podium.house import limits
from podium.house.events import MoneyMoved, decode
from podium.house.tickets import transfers_of
from podium.record.ledger import LedgerFault, Transfer
from podium.record.store.interface import Posted, Reading


class Requests:
    """The requests of one house."""

    def __init__(self) -> None:
        self._done: OrderedDict[str, Transfer] = OrderedDict()
        self._looked_up: dict[str, Transfer | None] = {}
        self.complete = True
        """Whether no request was ever forgotten."""

    def add(self, key: str, transfer: Transfer) -> None:
        """A request was carried out."""
        self._done[key] = transfer
        while len(self._done) > limits.MAX_REMEMBERED_REQUESTS:
            self._done.popitem(last=False)
            self.complete = False

    def knows(self, key: str) -> bool:
        """Whether memory alone tells what was done under a key, without the ledger."""
        return key in self._done or self.complete

    def find(self, key: str) -> Transfer | None:
        """What was carried out under a key, if anything was."""
        if key in self._done:
            return self._done[key]
        if key not in self._looked_up and not self.complete:
            raise LedgerFault(f"{key} is not remembered, and nobody has looked it up in the ledger (LED-2).")
        return self._looked_up.get(key)

    @contextmanager
    def looked_up(self, key: str, found: Transfer | None) -> Iterator[None]:
        """Remembers what the ledger has under a key, while its request is carried out."""
        self._looked_up[key] = found
        try:
            yield
        finally:
            del self._looked_up[key]

    def __len__(self) -> int:
        return len(self._done)


def find_request(book: Reading, key: str, ticket: str = "") -> Transfer | None:
    """What was carried out under the key of a request, from the ledger. Either a transfer has the key as its id, or it is the
    transfer of a ticket, and its journal entry names the request."""
    posted = book.transfer(key)
    if posted is not None:
        return posted.transfer
    of_ticket = [book.transfer(transfer_id) for transfer_id in transfers_of(ticket)] if ticket else []
    return next((found.transfer for found in of_ticket if found is not None and _request(book, found) == key), None)


def _request(book: Reading, posted: Posted) -> str:
    for entry in book.entries(posted.stream, posted.sequence - 1, 1):
        moved = decode(entry.payload)
        if isinstance(moved, MoneyMoved):
            return moved.request
    return ""
