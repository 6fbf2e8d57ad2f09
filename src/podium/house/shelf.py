"""The shelf: what the house keeps as documents, the last version of each in memory.

People, sessions, invitations, tickets and enrolled terminals change as a whole and are found by a key. What was put
here is handed over by `take`, to be made durable in one append with whatever else happened at the same moment.
"""

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from typing import Final, Protocol, TypeVar

import msgspec

from podium.house.people import Enrolled, Invitation, Person, Session
from podium.house.tickets import Ticket
from podium.record.store.interface import Document


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
}
"""Under which name each kind stands in the store."""

_NAMES: Final = {kept: kind for kind, kept in KINDS.items()}
_encode: Final = msgspec.json.Encoder().encode
_MARK: Final = b"podium-document-1\n"
_FIXED: Final = Struct(">QQHHI")

K = TypeVar("K", bound=Kept)


def digest(document: Document) -> str:
    """What the journal keeps of a document: SHA-256 of a mark, version, time, three lengths, and then the three texts."""
    kind, key = document.kind.encode(), document.key.encode()
    fixed = _FIXED.pack(document.version, document.time, len(kind), len(key), len(document.body))
    return sha256(b"".join((_MARK, fixed, kind, key, document.body))).hexdigest()


class Shelf:
    """The documents of one house."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Kept]] = {kind: {} for kind in KINDS}
        self._versions: dict[tuple[str, str], int] = {}
        self._changed: list[Document] = []

    def load(self, documents: Iterable[Document]) -> None:
        """Take documents as they were stored."""
        for kind, key, version, _, body in documents:
            self._kept[kind][key] = msgspec.json.decode(body, type=KINDS[kind])
            self._versions[kind, key] = version

    def find(self, kept: type[K], key: str) -> K | None:
        """The last version of a document."""
        found = self._kept[_NAMES[kept]].get(key)
        return found if isinstance(found, kept) else None

    def every(self, kept: type[K]) -> list[K]:
        """The last version of every document of a kind."""
        return [found for found in self._kept[_NAMES[kept]].values() if isinstance(found, kept)]

    def put(self, changed: Kept, now: int) -> None:
        """The next version of a document, or its first."""
        kind, key = _NAMES[type(changed)], changed.key
        version = self._versions.get((kind, key), 0) + 1
        self._kept[kind][key] = changed
        self._versions[kind, key] = version
        self._changed.append(Document(kind, key, version, now, _encode(changed)))

    def take(self) -> list[Document]:
        """What was put here since this was last called."""
        changed, self._changed = self._changed, []
        return changed
