"""Stamps: how the house recognizes the documents that it filed itself (SEC-7).

Whoever can write the book can write a document and its digest in the journal. The stamp of a document is made with a key that
is not in the book, over its kind, key, version, time and content: nobody else can make one, and none fits another document or
version.
"""

from hmac import compare_digest, digest
from pathlib import Path
from typing import Final

import msgspec

from podium.record.store.interface import Damaged, Document
from podium.record.store.keys import KeySource, Ring

TICKET: Final = "ticket"
APPROVAL: Final = "approval"
LETS_IN: Final = frozenset({"person", "session", "invitation", "terminal", "passkey", APPROVAL})
"""The kinds that let somebody in, or do something that needs a second person."""
STAMPED: Final = LETS_IN | {TICKET}
"""All kinds with a stamp. A ticket is money, and must also agree with the ledger."""

_BLANK: Final = b'"stamp":""'
"""How the field is written in a document without a stamp; inside a text the quotation marks would be escaped."""


class _Stamp(msgspec.Struct):
    stamp: str = ""


class Stamps:
    """Makes and checks stamps with the keys of a house; the current key makes them."""

    def __init__(self, sessions: Ring, tickets: Ring, *, since: frozenset[int] = frozenset()) -> None:
        self._keys: Final = {kind: sessions.derived("podium-stamp-1").keys for kind in LETS_IN}
        self._keys[TICKET] = tickets.derived("podium-stamp-1").keys
        self._since: Final = since

    def check_since(self, since: int) -> None:
        """Refuses a book whose stamps begin at another entry than the one noted beside the keys: somebody who rewrites
        the book cannot make it look as if the house had never stamped anything."""
        if self._since and since not in self._since:
            found = f"since entry {since}" if since else "nowhere"
            noted = " or ".join(map(str, sorted(self._since)))
            raise Damaged(
                f"By the note beside its keys this house stamps its documents since entry {noted} of its stream, and the book"
                f" has stamps {found}: it was rewritten, or it is not the book of these keys (SEC-7)."
            )

    def on(self, document: Document) -> Document:
        """A document with its stamp."""
        filled = b'"stamp":"%s"' % _made(self._keys[document.kind][0], document).encode()
        return document._replace(body=document.body.replace(_BLANK, filled, 1))

    def is_current(self, document: Document, *, required: bool) -> bool:
        """Whether a stored document has the stamp of the current key; False where it needs a new stamp.

        A wrong stamp is `Damaged`; so is a missing one where stamps are required.
        """
        stamp = stamp_of(document)
        if not stamp and not required:
            return False
        plain = blank(document)
        keys = self._keys[document.kind]
        for key in keys:
            if compare_digest(_made(key, plain), stamp):
                return key is keys[0]
        raise Damaged(
            f"Version {document.version} of the {document.kind} {document.key} was not filed by this house: its stamp is not "
            f"one of its keys for {'tickets' if document.kind == TICKET else 'sessions'} (SEC-7)."
        )


STAMPED_SINCE: Final = ".stamped-since"


def since_note(data: Path) -> str:
    """The name of the note beside the keys that says from which entry on the house of that directory stamps its
    documents."""
    return f"{data.absolute().name}{STAMPED_SINCE}"


def noted_since(source: KeySource, data: Path | None) -> frozenset[int]:
    """The entry from which the house stamps, as noted beside the keys; empty without a note. A house whose directory is not known must
    agree with one of the notes there."""
    texts = [source.noted(since_note(data))] if data is not None else source.all_noted(STAMPED_SINCE)
    return frozenset(int(text) for text in texts if text.isascii() and text.isdecimal())


def stamp_of(document: Document) -> str:
    return msgspec.json.decode(document.body, type=_Stamp).stamp


def blank(document: Document) -> Document:
    """A document without its stamp."""
    filled = b'"stamp":"%s"' % stamp_of(document).encode()
    return document._replace(body=document.body.replace(filled, _BLANK, 1))


def _made(key: bytes, document: Document) -> str:
    fixed = b"podium-stamp-1\n%d\n%d\n%d\n%d\n" % (
        document.version,
        document.time,
        len(document.kind.encode()),
        len(document.key.encode()),
    )
    content = b"".join((fixed, document.kind.encode(), document.key.encode(), document.body))
    return digest(key, content, "sha256").hex()
