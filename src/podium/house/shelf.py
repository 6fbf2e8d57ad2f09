"""The documents of the house, with the last version of each in memory.

People, sessions, invitations, tickets, enrolled terminals and pending approvals change as a whole and are found by a key. `take` hands over
what was put here, to be made durable in one append with everything else that happened at the same moment. The number of
tickets only grows, so only the recently used ones are here; the store has all of them.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from struct import Struct
from typing import Final, Protocol, TypeVar

import msgspec

from podium.basics.refusal import Refused
from podium.house import limits
from podium.house.events import Filing
from podium.house.pending import Pending
from podium.house.people import Enrolled, Invitation, Passkey, Person, Session
from podium.house.stamps import APPROVAL, STAMPED, TICKET, Stamps, blank
from podium.house.tickets import Ticket
from podium.record.store.archive import ARCHIVE, CARRIED, Archive, CarriedForward
from podium.record.store.interface import Damaged, Document, Reading


class Kept(Protocol):
    """Anything that has a key."""

    @property
    def key(self) -> str: ...


KINDS: Final[dict[str, type[Kept]]] = {
    "person": Person,
    "session": Session,
    "invitation": Invitation,
    "ticket": Ticket,
    "terminal": Enrolled,
    "passkey": Passkey,
    APPROVAL: Pending,
    ARCHIVE: Archive,
    CARRIED: CarriedForward,
}
"""The name of each kind in the store."""

FORGETTABLE: Final = frozenset({"session", "invitation", "terminal", APPROVAL})
"""The kinds that expire. People stay, and a ticket is money."""

BY_VERSION: Final = frozenset({"person"})
"""Kinds that change only against the last version: a slow sign-in must not open an account that was closed while its password
was checked."""

_DOCUMENTS_AT_ONCE: Final = 100
"""Documents that one statement asks for; a session may have hundreds of versions."""
_NAMES: Final = {kept: kind for kind, kept in KINDS.items()}
_encode: Final = msgspec.json.Encoder().encode
_MARK: Final = b"podium-document-1\n"
_FIXED: Final = Struct(">QQHHI")

K = TypeVar("K", bound=Kept)


def digest(document: Document) -> str:
    """The digest of a document in the journal: SHA-256 of a mark, version, time, three lengths, and then the three
    texts."""
    kind, key = document.kind.encode(), document.key.encode()
    fixed = _FIXED.pack(document.version, document.time, len(kind), len(key), len(document.body))
    return sha256(b"".join((_MARK, fixed, kind, key, document.body))).hexdigest()


class Shelf:
    """The documents of one house."""

    def __init__(self, stamps: Stamps | None = None) -> None:
        self._stamps: Final = stamps
        self.stamped = False
        """Whether every document that lets somebody in must have a stamp: from the first start with stamps on."""
        self.tickets_since = 0
        """The entry of the house's stream from which every ticket has one; 0 before."""
        self._outdated: set[tuple[str, str]] = set()
        """Documents without a stamp, or with one of an earlier key."""
        self._kept: dict[str, OrderedDict[str, Kept]] = {kind: OrderedDict() for kind in KINDS}
        self._versions: dict[tuple[str, str], int] = {}
        self._changed: list[Document] = []
        self._unsaved: Counter[tuple[str, str]] = Counter()
        """How many versions of a document are not durable yet. Until they are, it must not be forgotten."""

    def load(self, documents: Iterable[Document]) -> None:
        """Takes stored documents; one that the house did not file itself is `Damaged` (SEC-7)."""
        for document in documents:
            kind, key = document.kind, document.key
            self._kept[kind][key] = self._read(document)
            self._versions[kind, key] = document.version
        self._forget_tickets()

    def _read(self, document: Document) -> Kept:
        if document.kind in STAMPED:
            required = self.stamped and document.kind != TICKET  # `papers.find_ticket` knows when a ticket was issued
            if self._stamps is not None and not self._stamps.is_current(document, required=required):
                self._note_outdated(document)
            document = blank(document)
        return msgspec.json.decode(document.body, type=KINDS[document.kind])

    def _note_outdated(self, document: Document) -> None:
        if document.kind != TICKET:  # it needs the earlier key anyway, to be found by its number
            self._outdated.add((document.kind, document.key))

    def stamp_anew(self, now: int) -> None:
        """Files documents again that lack a stamp of the current key, so that earlier keys can be removed."""
        outdated, self._outdated = self._outdated, set()
        for kind, key in sorted(outdated):
            found = self._kept[kind].get(key)
            if found is not None:
                self.put(found, now, before=found)

    def find(self, kept: type[K], key: str) -> K | None:
        """The last version of a document. A ticket that is not here may be in the store."""
        of_kind = self._kept[_NAMES[kept]]
        found = of_kind.get(key)
        if found is not None:
            of_kind.move_to_end(key)
        return found if isinstance(found, kept) else None

    def every(self, kept: type[K]) -> list[K]:
        """The last version of every document of a kind."""
        return [found for found in self._kept[_NAMES[kept]].values() if isinstance(found, kept)]

    def count(self, kept: type[K]) -> int:
        """How many documents of a kind there are."""
        return len(self._kept[_NAMES[kept]])

    def put(self, changed: Kept, now: int, *, before: Kept | None = None) -> None:
        """Puts the first or the next version of a document. For a person `before` is the version that was changed; if
        that is no longer the last one, the change is refused (SEC-1)."""
        kind, key = _NAMES[type(changed)], changed.key
        if kind in BY_VERSION and self._kept[kind].get(key) is not before:
            raise Refused("account-changed")
        version = self._versions.get((kind, key), 0) + 1
        self._kept[kind][key] = changed
        self._versions[kind, key] = version
        self._unsaved[kind, key] += 1
        self._changed.append(self._stamp(Document(kind, key, version, now, _encode(changed))))

    def _stamp(self, document: Document) -> Document:
        if document.kind not in STAMPED:
            return document
        if self._stamps is not None:
            return self._stamps.on(document)
        if self.tickets_since if document.kind == TICKET else self.stamped:
            raise RuntimeError(f"a {document.kind} is filed without the keys of the house")
        return document

    def take(self) -> list[Document]:
        """The documents that were put here since the last call."""
        changed, self._changed = self._changed, []
        return changed

    def saved(self, documents: Iterable[Document]) -> None:
        """Notes that what `take` handed over is durable."""
        for document in documents:
            name = document.kind, document.key
            self._unsaved[name] -= 1
            if self._unsaved[name] <= 0:
                del self._unsaved[name]
        self._forget_tickets()

    def may_forget(self, kept: Kept) -> bool:
        """Whether a document can be forgotten: its kind expires, and it is durable."""
        kind = _NAMES[type(kept)]
        return kind in FORGETTABLE and kept.key in self._kept[kind] and (kind, kept.key) not in self._unsaved

    def forget(self, kind: str, key: str) -> None:
        """Drops a document from memory; the store keeps it."""
        self._kept[kind].pop(key, None)
        self._versions.pop((kind, key), None)

    def _forget_tickets(self) -> None:
        tickets = self._kept[TICKET]
        excess = len(tickets) - limits.MAX_REMEMBERED_TICKETS
        if excess > 0:
            durable = (key for key in tickets if (TICKET, key) not in self._unsaved)
            for key in [key for key, _ in zip(durable, range(excess), strict=False)]:
                self.forget(TICKET, key)


def name_of(kept: Kept) -> tuple[str, str]:
    """The kind and key of a document in the store."""
    return _NAMES[type(kept)], kept.key


def read_filed(book: Reading, filings: Iterable[Filing]) -> Iterator[Document]:
    """The stored documents that the journal records; raises `Damaged` if one is missing."""
    by_kind: dict[str, dict[str, int]] = {}
    for kind, key, version, _ in filings:
        by_kind.setdefault(kind, {})[key] = version
    for kind, wanted in by_kind.items():
        for at in range(0, len(wanted), _DOCUMENTS_AT_ONCE):
            keys = list(wanted)[at : at + _DOCUMENTS_AT_ONCE]
            found = {each.key: each for each in book.versions_of(kind, keys) if each.version == wanted[each.key]}
            for key in keys:
                if key not in found:
                    raise missing(kind, key, wanted[key])
                yield found[key]


def missing(kind: str, key: str, version: int) -> Damaged:
    return Damaged(f"Version {version} of the {kind} {key} is in the journal, but it is not stored any more (EVT-4).")
