"""The documents of a house against its journal, and its tickets against its ledger (EVT-4).

A document is stored beside the journal, which has its digest: whoever alters, adds or removes one is found. A ticket's
record says the same as the transfers that paid for it and paid it.
"""

from typing import Final

import msgspec

from podium.house.events import DocumentsFiled, decode
from podium.house.house import HOUSE
from podium.house.shelf import digest
from podium.house.tickets import TICKETS, Ticket
from podium.record.store import Damaged, Posted, Reading, prove_end, read_documents, read_stream

FILED: Final = str(DocumentsFiled.__struct_config__.tag)


def self_check(book: Reading) -> None:
    """INT-2: what must hold before anybody is served; the first difference is `Damaged`. `podium verify` proves all."""
    prove_end(book)
    prove_documents(book)


def prove_documents(book: Reading) -> int:
    """Every version of every document is the one whose digest the journal has; how many there are."""
    filed = {
        (filing.kind, filing.key, filing.version): filing.digest
        for entry in read_stream(book, HOUSE)
        if entry.kind == FILED and isinstance(happened := decode(entry.payload), DocumentsFiled)
        for filing in happened.documents
    }
    count = 0
    for document in read_documents(book):
        named = f"Version {document.version} of the {document.kind} {document.key}"
        wanted = filed.pop((document.kind, document.key, document.version), None)
        if wanted is None:
            raise Damaged(f"{named} is stored, but the journal knows nothing of it (EVT-4).")
        if digest(document) != wanted:
            raise Damaged(f"{named} was altered: its digest is not the one that the journal has (EVT-4).")
        count += 1
    for kind, key, version in filed:
        raise Damaged(
            f"Version {version} of the {kind} {key} is in the journal, but it is not stored any more (EVT-4)."
        )
    return count


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
        issued, paid = (self._moved.pop(f"ticket/{ticket.key}/{way}", None) for way in ("out", "in"))
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
