"""Stamps: how the house recognises the documents that it filed itself (SEC-7).

Whoever can write the book can write a document and its digest in the journal. The stamp of a document is made with a key
that is not in the book, over its kind, key, version, time and content: nobody else makes one, and none fits another
document or another version.
"""

from hmac import compare_digest, digest
from typing import Final

import msgspec

from podium.record.store.interface import Damaged, Document
from podium.record.store.keys import Ring

STAMPED: Final = frozenset({"person", "session", "invitation", "terminal", "passkey"})
"""The kinds that let somebody in. A ticket is money, and must agree with the ledger."""

_BLANK: Final = b'"stamp":""'
"""How a document without a stamp has the field; inside a text the quotation marks would be escaped."""


class _Stamp(msgspec.Struct):
    stamp: str = ""


class Stamps:
    """Makes and checks stamps with the keys of a ring; the current key makes them."""

    def __init__(self, ring: Ring) -> None:
        self._keys: Final = ring.derived("podium-stamp-1").keys

    def on(self, document: Document) -> Document:
        """A document with its stamp."""
        filled = b'"stamp":"%s"' % _made(self._keys[0], document).encode()
        return document._replace(body=document.body.replace(_BLANK, filled, 1))

    def is_current(self, document: Document, *, required: bool) -> bool:
        """Whether a stored document has the stamp of the current key; False where it should be stamped anew.

        A wrong stamp is `Damaged`; so is a missing one where stamps are required.
        """
        stamp = stamp_of(document)
        if not stamp and not required:
            return False
        plain = blank(document)
        for key in self._keys:
            if compare_digest(_made(key, plain), stamp):
                return key is self._keys[0]
        raise Damaged(
            f"Version {document.version} of the {document.kind} {document.key} was not filed by this house: its stamp is not "
            "one of its keys for sessions (SEC-7)."
        )


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
