"""What a version of Podium finds in a house.

The version that recorded a house writes this down once (`STORE.json`); every later version must find the same. So the
names used here are fixed, whatever the program calls these things. English text is left out, and so are the cards of
rounds in play, which may be hidden from whoever reads a record.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from podium.house import House
from podium.house import events as house_events
from podium.house.people import Enrolled, Invitation, Person, Session
from podium.house.reports import Records
from podium.house.reports.recall import PlayerRecord
from podium.house.shelf import KINDS
from podium.house.shuffling import SealedShuffler
from podium.house.table import Table
from podium.house.table import events as table_events
from podium.house.table.face_down import Sealing
from podium.house.tickets import Ticket
from podium.house.verify import verify
from podium.record.journal import Entry, write_transfers
from podium.record.seal import Seal
from podium.record.store import BOOK, Book, Reading, open_book, read_documents, read_stream
from podium.record.store.keys import KeyFolder, default_folder, find_ring
from podium.rules.asking import Decisions


def book_of(data: Path, url: str = "", *, writable: bool = False) -> Book:
    """The book of a house: in its directory, or in its database."""
    return open_book(url or data / BOOK, writable=writable)


def key_of(data: Path) -> bytes:
    """The seal's key of a house: in its directory, where earlier versions kept it, or beside it."""
    ring = find_ring(KeyFolder(default_folder(data), os.urandom), "seal", data)
    assert ring is not None
    return ring.current


def opens_shoes(data: Path) -> Sealing:
    """Opens what is sealed in a house with its key."""
    return SealedShuffler(Seal(key_of(data), os.urandom), os.urandom)


def findings(book: Reading, sealing: Sealing) -> dict[str, Any]:
    """All findings, as plain JSON values."""
    house = replayed(book, sealing)
    found = {
        "closed_at": max(entry.time for stream in book.heads() for entry in read_stream(book, stream)),
        "heads": {stream: [head.sequence, head.hash.hex()] for stream, head in book.heads().items()},
        "kinds": {stream: Counter(entry.kind for entry in read_stream(book, stream)) for stream in book.heads()},
        "proved": proved(book, sealing),
        "balances": balances(house),
        "documents": documents(house),
        "tables": tables(house),
        "rounds": rounds(book),
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


def not_understood(book: Reading) -> list[str]:
    """Entries and documents with a field that this version does not know: decoding would drop it silently."""
    entries = [
        f"entry {entry.sequence} of {stream}, {entry.kind}"
        for stream in book.heads()
        for entry in read_stream(book, stream)
        if not _understood(entry)
    ]
    documents = [
        f"version {document.version} of the {document.kind} {document.key}"
        for document in read_documents(book)
        if not _keeps(msgspec.json.encode(msgspec.json.decode(document.body, type=KINDS[document.kind])), document.body)
    ]
    return entries + documents


def _understood(entry: Entry) -> bool:
    if entry.stream.startswith("table/"):
        again = table_events.encode(table_events.decode(entry.payload))
    else:
        again = house_events.encode(house_events.decode(entry.payload))
    moved = _keeps(write_transfers(entry.transfers), entry.money) if entry.money else not entry.transfers
    return _keeps(again, entry.payload) and moved


def _keeps(again: bytes, stored: bytes) -> bool:
    """Whether what was decoded and encoded again still has all that was stored. A later version may add fields."""
    return _same_or_more(json.loads(again), json.loads(stored))


def _same_or_more(now: Any, then: Any) -> bool:
    if isinstance(then, dict) and isinstance(now, dict):
        return all(name in now and _same_or_more(now[name], value) for name, value in then.items())
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(_same_or_more, now, then))
    return bool(now == then)


def replayed(book: Reading, sealing: Sealing) -> House:
    """The house replayed from its first entry, with its documents."""
    house = House(sealing)
    house.restore({stream: read_stream(book, stream) for stream in book.heads()})
    for kind in KINDS:
        house.shelf.load(book.documents(kind))
    return house


def restored_at_start(book: Reading, sealing: Sealing) -> House:
    """The house as a start restores it: each table from its last `table-stood` on."""
    house = House(sealing)
    house.come_back(book)
    return house


def proved(book: Reading, sealing: Sealing) -> dict[str, int]:
    """What `podium verify` counts, with the key of the house."""
    found = verify(book, sealing)
    counted = ("documents", "tickets", "tables", "rounds", "in_play", "shoes", "cards", "in_use", "live_shoes")
    return {
        **found.store._asdict(),
        **{name: getattr(found, name) for name in counted},
        "opened_with_key": found.opened_with_key,
    }


def balances(house: House) -> dict[str, int]:
    """Every balance that is not zero."""
    return {str(account): amount for account, amount in sorted(house.ledger)}


def tables(house: House) -> dict[str, Any]:
    """The state of every table."""
    return {name: _table(table) for name, table in sorted(house.tables.items())}


def _table(table: Table) -> dict[str, Any]:
    asked = None if table.between_rounds else table.in_play.awaits
    return {
        "phase": table.phase(),
        "deadline": table.deadline,
        "round": table.round_number,
        "rules": table.game.fingerprint if table.game else "",
        "next_rules": table.upcoming.to_game().fingerprint,
        "dealer": table.dealer,
        "seats": dict(sorted(table.seats.items())),
        "shoe": table.shoe_number,
        "cards_out": table.shoe.dealt if table.shoe else 0,
        "handle": table.handle,
        "history": len(table.history),
        # Houses of before had one box for each player.
        **({"boxes": further} if (further := _further(table)) else {}),
        "asked": {
            _box_of(table, seat): {choice: list(cost) for choice, cost in question.allowed.items()}
            for seat, question in (asked.items() if isinstance(asked, Decisions) else ())
        },
    }


def _further(table: Table) -> dict[str, int]:
    """The seats of further boxes, by player and box."""
    return {
        f"{player} box {box}": seat for player, boxes in table.boxes.items() for box, seat in boxes.items() if box > 1
    }


def _box_of(table: Table, seat: int) -> str:
    return next((name for name, further in _further(table).items() if further == seat), table.players[seat])


def documents(house: House) -> dict[str, Any]:
    """People, tickets, terminals, sessions and invitations."""
    shelf = house.shelf
    return {
        "people": {each.key: [each.role, each.active, bool(each.password)] for each in shelf.every(Person)},
        "tickets": {each.key: [each.amount, each.state, each.ending] for each in shelf.every(Ticket)},
        "terminals": {each.name: each.active for each in shelf.every(Enrolled)},
        "sessions": {each.key: [each.person, each.ended] for each in shelf.every(Session)},
        "invitations": {each.key: [each.person, each.used] for each in shelf.every(Invitation)},
    }


def rounds(book: Reading) -> dict[str, Any]:
    """Every round as recalled: what each player staked, decided and was paid."""
    records = Records()
    records.catch_up(book)
    found = {}
    for table, lines in sorted(records.rounds.by_table.items()):
        for line in lines:
            record = records.recall(book, table, line.round)
            assert not record.difference, record.difference
            found[f"{table} {line.round}"] = {
                "status": record.status,
                "rules": record.fingerprint,
                "cards": record.cards if record.status == "settled" else "",
                "players": dict(_parts(record.players)),
            }
    return found


def _parts(parts: Iterable[PlayerRecord]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By player; a further box of a player has its seat in its name."""
    known = set()
    for part in parts:
        yield (f"{part.player} at {part.seat}" if part.player in known else part.player), _part(part)
        known.add(part.player)


def _part(part: PlayerRecord) -> dict[str, Any]:
    return {
        "seat": part.seat,
        "credit": [part.credit_before, part.credit_after],
        "decisions": [f"{decision}{' (time-out)' if by_house else ''}" for decision, by_house in part.decisions],
        "payments": [[paid.wager, paid.whose, paid.staked, paid.returned, paid.tips] for paid in part.settled],
        "held": part.held,
    }
