"""Checks the documents of a house against its journal, and its tickets against its ledger (EVT-4).

Documents are stored beside the journal, which has their digests: altering, adding or removing one is detected. A ticket's
record must agree with the transfers that paid for it and paid it out.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from podium.house.events import SNAPSHOT, DocumentsFiled, HouseSnapshot, decode
from podium.house.requests import issued_for
from podium.house.shelf import digest, missing
from podium.house.stamps import TICKET
from podium.house.state import HOUSE
from podium.house.tickets import TICKETS, Ticket
from podium.record.journal import Entry
from podium.record.store import (
    Damaged,
    Document,
    Posted,
    Reading,
    prove_checkpoint_ends,
    prove_end,
    read_documents,
    read_stream,
)

FILED: Final = str(DocumentsFiled.__struct_config__.tag)
_DOCUMENTS_AT_ONCE: Final = 100
"""Documents per statement."""
_MAX_ENTRIES_BEHIND: Final = 10_000
"""A ticket must be filed within this many entries after its transfer: more than one append writes."""

Digests = dict[tuple[str, str, int], str]
"""The digest in the journal, by kind, key and version."""


def self_check(book: Reading) -> None:
    """INT-2: the checks before a house serves; raises `Damaged` at the first difference. `podium verify` proves the rest."""
    prove_end(book)
    prove_checkpoint_ends(book)
    snapshot = book.last(HOUSE, SNAPSHOT)
    if snapshot is None:
        prove_documents(book)
    else:
        prove_documents_since(book, snapshot)


def prove_documents(book: Reading) -> int:
    """Checks every version of every document against its digest in the journal; returns how many there are."""
    filed = _filed(read_stream(book, HOUSE))
    count = 0
    for document in read_documents(book):
        _prove(document, filed.pop(document[:3], None))
        count += 1
    for kind, key, version in filed:
        raise missing(kind, key, version)
    return count


def prove_documents_since(book: Reading, snapshot: Entry) -> int:
    """Checks the documents in the last snapshot of the house, and all that were filed since; returns how many."""
    filed = _filed(read_stream(book, HOUSE, snapshot.sequence - 1))
    last: dict[tuple[str, str], int] = {}
    for kind, key, version in filed:
        last[kind, key] = max(version, last.get((kind, key), 0))
    count = 0
    for document in _versions(book, last):
        wanted = filed.pop(document[:3], None)
        # Versions before the snapshot are left to `podium verify`; a version after the last is not in the journal.
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


def find_ticket(book: Reading, key: str, stamped_since: int = 0) -> Document | None:
    """Reads and proves a ticket that is not in memory, so that a ticket altered in the store is not paid (TKT-2). From entry
    `stamped_since` of the house's stream on, every ticket has a stamp; 0 if none has.

    Its record and its transfer became durable in one append, so the digest follows the entry of that transfer closely in
    the journal.
    """
    document = book.document(TICKET, key)
    if document is None:
        return None
    ticket = msgspec.json.decode(document.body, type=Ticket)
    issued, paid = (book.transfer(transfer) for transfer in ticket.transfers)
    _compare(book, ticket, issued, paid)
    posted = paid or issued
    assert posted is not None
    if not ticket.stamp:
        check_unstamped(book, document, stamped_since)
    for entry in book.entries(posted.stream, posted.sequence, _MAX_ENTRIES_BEHIND):
        wanted = _filed([entry]).get(document[:3])
        if wanted is not None:
            _prove(document, wanted)
            return document
    raise Damaged(f"The journal does not vouch for the ticket {key} (EVT-4).")


def check_unstamped(book: Reading, document: Document, stamped_since: int) -> None:
    """Checks that a ticket without a stamp was filed before the house stamped its tickets (SEC-7)."""
    posted = [book.transfer(each) for each in msgspec.json.decode(document.body, type=Ticket).transfers]
    if stamped_since and any(each is not None and each.sequence >= stamped_since for each in posted):
        raise Damaged(f"The ticket {document.key} was not filed by this house: it has no stamp (SEC-7).")


class TicketAudit:
    """Collects the money that moved into and out of tickets, and then checks the tickets themselves."""

    def __init__(self) -> None:
        self._moved: dict[str, Posted] = {}

    def look_at(self, posted: Posted) -> None:
        if TICKETS in (posted.transfer.debit, posted.transfer.credit):
            self._moved[posted.transfer.id] = posted

    def compare(self, book: Reading) -> int:
        """Checks that every ticket was paid for once, and is redeemed or void if and only if it was paid out; returns how many
        there are."""
        documents = book.documents("ticket")
        for document in documents:
            self._compare(book, msgspec.json.decode(document.body, type=Ticket))
        for transfer in self._moved:
            raise Damaged(f"The transfer {transfer} moved the worth of a ticket that has no record (TKT-2).")
        return len(documents)

    def _compare(self, book: Reading, ticket: Ticket) -> None:
        issued, paid = (self._moved.pop(transfer, None) for transfer in ticket.transfers)
        _compare(book, ticket, issued, paid)


def _compare(book: Reading, ticket: Ticket, issued: Posted | None, paid: Posted | None) -> None:
    """Checks that the record of a ticket agrees with its two transfers."""
    named = f"The ticket {ticket.key} ending in {ticket.ending}"
    if issued is None:
        raise Damaged(f"{named} has a record, but the ledger took nothing for it (TKT-2).")
    if ticket.paid_by and issued_for(book, issued) != ticket.key:
        raise Damaged(f"{named} names the transfer {ticket.paid_by}, which paid for something else (TKT-2).")
    if (ticket.state == "outstanding") != (paid is None):
        raise Damaged(f"{named} is {ticket.state}, but the ledger {'paid' if paid else 'did not pay'} it (TKT-2).")
    _agree(f"{named} was issued for", ticket.amount, ticket.issued, issued)
    if paid is not None:
        _agree(f"{named} was {ticket.state} for", ticket.amount, ticket.settled, paid)


def _agree(said: str, amount: int, time: int, posted: Posted) -> None:
    if (amount, time) != (posted.transfer.amount, posted.time):
        moved = f"{posted.transfer.amount} at {posted.time}"
        raise Damaged(f"{said} {amount} at {time}, but the ledger has {moved} (TKT-2).")
