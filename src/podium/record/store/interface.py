"""What a store keeps, and what it promises: the same for every database behind it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from podium.record.journal import Entry, Head
from podium.record.ledger import Account, Transfer


class Document(NamedTuple):
    """One version of something that changes as a whole: a person, a ticket, a configuration. Old versions stay."""

    kind: str
    key: str
    version: int
    """From 1 on; writing a version that is not the next one is refused, so two people cannot overwrite each other."""
    time: int
    body: bytes


FIRST: Final = ("", "", 0)
"""Before every version of every document."""


class Posted(NamedTuple):
    """A transfer as it stands in the ledger, with the entry that brought it."""

    position: int
    """The order of posting in the whole house."""
    stream: str
    sequence: int
    time: int
    transfer: Transfer


class Append(NamedTuple):
    """What one caller writes: all of it becomes durable, or none."""

    entries: Sequence[Entry] = ()
    documents: Sequence[Document] = ()


class Fenced(Exception):
    """Another process has written to this stream: the supposed owner must stop and read it again."""


class Stale(Exception):
    """Somebody else has changed this document meanwhile: read it again."""


class Unsound(Exception):
    """Something in this append cannot be stored at all: a number that is too large, text where bytes belong."""


class Unavailable(Exception):
    """The store could not write, or could not say whether it did: stop, and read the stream again when it is back."""


class Damaged(Exception):
    """What is stored is not what was written. Nothing was changed; the bytes are as they were found (INT-5)."""


class Missing(Damaged):
    """Nothing was ever stored there."""


class Reading(Protocol):
    """Everything that is stored, as plain values."""

    def heads(self) -> dict[str, Head]:
        """Every stream with its end."""

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        """The entries of a stream that follow a sequence number, in order."""

    def last(self, stream: str, kind: str, before: int | None = None) -> Entry | None:
        """The last entry of that kind in a stream, or the last one before a sequence number."""

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        """The transfers that follow a position, in the order of posting."""

    def transfer(self, transfer_id: str) -> Posted | None:
        """The transfer of that id."""

    def balances(self) -> dict[Account, int]:
        """Every account that is not at zero."""

    def sums(self) -> dict[Account, int]:
        """What all transfers of each account come to, added up by the database, where that is not zero."""

    def document(self, kind: str, key: str) -> Document | None:
        """The last version of a document."""

    def documents(self, kind: str) -> list[Document]:
        """The last version of every document of a kind, by key."""

    def versions_of(self, kind: str, keys: Sequence[str]) -> list[Document]:
        """Every version of these documents, by key and version."""

    def versions(self, after: tuple[str, str, int] = FIRST, limit: int = 10_000) -> list[Document]:
        """Every version of every document that follows one, by kind, key and version."""


class Book(Reading, Protocol):
    """One database, used directly. `write` is called from one thread at a time; reading, one statement after another, from
    any."""

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        """Write for several callers in one transaction; what came of each: None, or why nothing of it was written."""

    def at_one_moment(self) -> AbstractContextManager[Reading]:
        """Everything as it is now, for as long as it is read, while others write."""

    def back_up(self, to: Path) -> str:
        """Write all of it into one file, as it is at one moment, while others write; returns the file's checksum."""

    def checksum(self, schema: int | None = None) -> str:
        """The checksum that a backup would have at this moment; equal stores have equal ones (BAK-2). A backup that was
        made of an older store is compared in its own schema."""

    def restore(self, tables: Iterable[tuple[str, Sequence[Sequence[Any]]]]) -> None:
        """Take the rows of a backup into a book that is empty, all of them or none."""

    def close(self) -> None:
        """Let go of the database."""
