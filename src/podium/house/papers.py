"""The documents of a house against its journal, and its tickets against its ledger (EVT-4).

A document is stored beside the journal, which has its digest: altering, adding or removing one is detected. A ticket's
record says the same as the transfers that paid for it and paid it.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from podium.house.events import SNAPSHOT, DocumentsFiled, HouseSnapshot, decode
from podium.house.house import HOUSE
from podium.house.shelf import TICKET, digest, missing
from podium.house.tickets import TICKETS, Ticket, transfers_of
from podium.record.journal import Entry
from podium.record.store import Damaged, Document, Posted, Reading, prove_end, read_documents, read_stream

FILED: Final = str(DocumentsFiled.__struct_config__.tag)
_DOCUMENTS_AT_ONCE: Final = 100
"""Documents that one statement asks for."""
_MAX_ENTRIES_BEHIND: Final = 10_000
"""Entries behind a transfer among which its ticket must be filed: more than one append writes."""

Digests = dict[tuple[str, str, int], str]
"""By kind, key and version: the digest that the journal has."""


def self_check(book: Reading) -> None:
    """INT-2: what must hold before anybody is served; the first difference is `Damaged`. `podium verify` proves all."""
    prove_end(book)
    snapshot = book.last(HOUSE, SNAPSHOT)
    if snapshot is None:
        prove_documents(book)
    else:
        prove_documents_since(book, snapshot)


def prove_documents(book: Reading) -> int:
    """Every version of every document is the one whose digest the journal has; how many there are."""
    filed = _filed(read_stream(book, HOUSE))
    count = 0
    for document in read_documents(book):
        _prove(document, filed.pop(document[:3], None))
        count += 1
    for kind, key, version in filed:
        raise missing(kind, key, version)
    return count


def prove_documents_since(book: Reading, snapshot: Entry) -> int:
    """The documents that the house kept in mind when it was last written down, and all that were filed since; how many."""
    filed = _filed(read_stream(book, HOUSE, snapshot.sequence - 1))
    last: dict[tuple[str, str], int] = {}
    for kind, key, version in filed:
        last[kind, key] = max(version, last.get((kind, key), 0))
    count = 0
    for document in _versions(book, last):
        wanted = filed.pop(document[:3], None)
        # Versions before the snapshot are left to `podium verify`; one after the last is not the journal's.
        if wanted is not None or document.version > last[document.kind, document.key]:
            _prove(document, wanted)
            count += 1
    for kind, key, version in filed:
        raise missing(kind, key, version)
    return count


def _filed(entries: Iterable[Entry]) -> Digests:
    filed: Digests = {}
    for entry in entries:
        if entry.kind in (FILED, SNAPSHOT):
            happened = decode(entry.payload)
            if isinstance(happened, DocumentsFiled | HouseSnapshot):
                filed |= {(kind, key, version): found for kind, key, version, found in happened.documents}
    return filed


def _versions(book: Reading, names: Iterable[tuple[str, str]]) -> Iterator[Document]:
    by_kind: dict[str, list[str]] = {}
    for kind, key in names:
        by_kind.setdefault(kind, []).append(key)
    for kind, keys in by_kind.items():
        for at in range(0, len(keys), _DOCUMENTS_AT_ONCE):
            yield from book.versions_of(kind, keys[at : at + _DOCUMENTS_AT_ONCE])


def _prove(document: Document, wanted: str | None) -> None:
    named = f"Version {document.version} of the {document.kind} {document.key}"
    if wanted is None:
        raise Damaged(f"{named} is stored, but the journal knows nothing of it (EVT-4).")
    if digest(document) != wanted:
        raise Damaged(f"{named} was altered: its digest is not the one that the journal has (EVT-4).")


# --- tickets ------------------------------------------------------------------------------------------------------------


def find_ticket(book: Reading, key: str) -> Document | None:
    """A ticket that the house does not have in memory, proved: nobody is paid for what was altered in the store (TKT-2).

    Its record and the transfer that goes with it became durable in one append, so the digest stands in the journal right
    behind the entry of that transfer.
    """
    document = book.document(TICKET, key)
    if document is None:
        return None
    issued, paid = (book.transfer(transfer) for transfer in transfers_of(key))
    _compare(msgspec.json.decode(document.body, type=Ticket), issued, paid)
    posted = paid or issued
    assert posted is not None
    for entry in book.entries(posted.stream, posted.sequence, _MAX_ENTRIES_BEHIND):
        wanted = _filed([entry]).get(document[:3])
        if wanted is not None:
            _prove(document, wanted)
            return document
    raise Damaged(f"The journal does not vouch for the ticket {key} (EVT-4).")


class TicketAudit:
    """Looks at what moved into and out of tickets, and then at the tickets themselves."""

    def __init__(self) -> None:
        self._moved: dict[str, Posted] = {}

    def look_at(self, posted: Posted) -> None:
        if TICKETS in (posted.transfer.debit, posted.transfer.credit):
            self._moved[posted.transfer.id] = posted

    def compare(self, book: Reading) -> int:
        """Every ticket was paid for once, and is redeemed or void if and only if it was paid; how many there are."""
        documents = book.documents("ticket")
        for document in documents:
            self._compare(msgspec.json.decode(document.body, type=Ticket))
        for transfer in self._moved:
            raise Damaged(f"The transfer {transfer} moved the worth of a ticket that has no record (TKT-2).")
        return len(documents)

    def _compare(self, ticket: Ticket) -> None:
        issued, paid = (self._moved.pop(transfer, None) for transfer in transfers_of(ticket.key))
        _compare(ticket, issued, paid)


def _compare(ticket: Ticket, issued: Posted | None, paid: Posted | None) -> None:
    """The record of a ticket says the same as its two transfers."""
    named = f"The ticket {ticket.key} ending in {ticket.ending}"
    if issued is None:
        raise Damaged(f"{named} has a record, but the ledger took nothing for it (TKT-2).")
    if (ticket.state == "outstanding") != (paid is None):
        raise Damaged(f"{named} is {ticket.state}, but the ledger {'paid' if paid else 'did not pay'} it (TKT-2).")
    _agree(f"{named} was issued for", ticket.amount, ticket.issued, issued)
    if paid is not None:
        _agree(f"{named} was {ticket.state} for", ticket.amount, ticket.settled, paid)


def _agree(said: str, amount: int, time: int, posted: Posted) -> None:
    if (amount, time) != (posted.transfer.amount, posted.time):
        moved = f"{posted.transfer.amount} at {posted.time}"
        raise Damaged(f"{said} {amount} at {time}, but the ledger has {moved} (TKT-2).")
