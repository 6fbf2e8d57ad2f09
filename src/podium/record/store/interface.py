"""What a store keeps, and what it promises: the same for every database behind it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from podium.record.journal import Entry, Head
from podium.record.ledger import Account, Transfer
from podium.record.tlog import Node


class Document(NamedTuple):
    """One version of something that changes as a whole: a person, a ticket, a configuration. Old versions stay."""

    kind: str
    key: str
    version: int
    """Starts at 1; writing a version that is not the next one is refused, so two people cannot overwrite each other."""
    time: int
    body: bytes


FIRST: Final = ("", "", 0)
"""The position before every version of every document."""


class Posted(NamedTuple):
    """A transfer in the ledger, with the entry that caused it."""

    position: int
    """The order of posting in the whole house."""
    stream: str
    sequence: int
    time: int
    transfer: Transfer


class StoredCheckpoint(NamedTuple):
    """The last checkpoint that was signed of a stream."""

    stream: str
    size: int
    """How many entries of the stream it covers."""
    time: int
    note: str
    """The signed note, as it is published."""


class Signed(NamedTuple):
    """A new checkpoint, and the nodes of the stream's tree that were completed since the one before."""

    checkpoint: StoredCheckpoint
    nodes: Sequence[Node] = ()


class Past(msgspec.Struct, frozen=True):
    """What was proved of a book, and up to where."""

    ends: dict[str, tuple[int, str]]
    """The last entry of every stream, and its hash."""
    position: int
    """The last transfer."""
    sums: dict[Account, int]
    """The sums of all transfers up to that one, where they are not zero."""
    read_at: int
    """When every page had been read through, by the house's clock."""


class Pruned(NamedTuple):
    """Entries at the beginning of a stream, with their transfers, that an archive has and the book no longer needs."""

    stream: str
    until: int
    """The sequence number of the last of them."""
    positions: Sequence[int]
    """Where the ledger has their transfers."""


class Append(NamedTuple):
    """What one caller writes: all of it becomes durable, or none of it."""

    entries: Sequence[Entry] = ()
    documents: Sequence[Document] = ()
    checkpoints: Sequence[Signed] = ()
    pruned: Sequence[Pruned] = ()


class Fenced(Exception):
    """Another process has written to this stream: the previous owner must stop and read it again."""


class Stale(Exception):
    """Somebody else has changed this document meanwhile: read it again."""


class Unsound(Exception):
    """Something in this append can never be stored: a number that is too large, text where bytes belong."""


class Unavailable(Exception):
    """The store could not write, or does not know whether it did: stop, and read the stream again when it is back."""


class Away(Unavailable):
    """The connection to the store was lost, or it does not answer: it may be back in a moment."""


class Damaged(Exception):
    """The stored bytes are not those that were written. They are left as they were found (INT-5)."""


class Missing(Damaged):
    """Nothing was ever stored there."""


class Reading(Protocol):
    """Everything that is stored, as plain values."""

    @property
    def folder(self) -> Path | None:
        """Where the archives of the book are, unless they are elsewhere."""

    def heads(self) -> dict[str, Head]:
        """Every stream with its end."""

    def first(self, stream: str) -> int:
        """The first entry of a stream that is in the book itself and not only in an archive."""

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        """The entries of a stream that follow a sequence number, in order."""

    def hashes(self, stream: str, after: int = 0, limit: int = 10_000) -> list[bytes]:
        """The hashes of the entries of a stream that follow a sequence number, in order."""

    def checkpoints(self) -> list[StoredCheckpoint]:
        """The last checkpoint of every stream that has one, by stream."""

    def nodes(self, stream: str, level: int, first: int = 0, limit: int = 10_000) -> list[Node]:
        """The nodes of a level of a stream's tree that are stored, from a number on, in order."""

    def node_counts(self) -> dict[tuple[str, int], int]:
        """How many nodes are stored, by stream and level."""

    def last(self, stream: str, kind: str, before: int | None = None) -> Entry | None:
        """The last entry of that kind in a stream, or the last one before a sequence number."""

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        """The transfers that follow a position, in the order of posting."""

    def transfer(self, transfer_id: str) -> Posted | None:
        """The transfer of that id, unless it is archived: a table's transfers are found by the entry that their id names."""

    def balances(self) -> dict[Account, int]:
        """Every account that is not at zero."""

    def guards(self) -> dict[Account, bool]:
        """Every account that has a row, and whether the store keeps it from being overdrawn."""

    def strangers(self) -> list[str]:
        """What the database holds that its schema does not define, and what it lacks or defines differently: a sentence
        each."""

    def sums(self, after: int = 0) -> dict[Account, int]:
        """The sum of the transfers of each account that follow a position, computed by the database, where it is not zero."""

    def last_position(self) -> int:
        """The position of the last transfer; 0 if there is none."""

    def past(self) -> Past | None:
        """The part of this book that was proved before; None if that is not known."""

    def document(self, kind: str, key: str) -> Document | None:
        """The last version of a document."""

    def documents(self, kind: str) -> list[Document]:
        """The last version of every document of a kind, by key."""

    def versions_of(self, kind: str, keys: Sequence[str]) -> list[Document]:
        """Every version of these documents, by key and version."""

    def versions(self, after: tuple[str, str, int] = FIRST, limit: int = 10_000) -> list[Document]:
        """Every version of every document that follows one, by kind, key and version."""


class Book(Reading, Protocol):
    """One database, used directly. Only one thread at a time may call `write`; any thread may read."""

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        """Writes for several callers in one transaction. For each caller: None, or why nothing of it was written."""

    def rest(self) -> None:
        """Does work that no caller waits for. The writing thread calls it when nothing has come for a moment, and about
        once a second."""

    def reconnect(self) -> None:
        """After `Away`: returns when the store can be written to again, and no earlier write is still on its way.
        Raises `Away` if it still does not answer, `Fenced` if another house has opened it meanwhile."""

    @property
    def epoch(self) -> int:
        """The number of this owner, one more with each; 0 where only one process can ever own the house."""

    def renew(self) -> None:
        """Keeps the lease of a house that owns it; called every second or so, on any thread. Raises `Fenced` if another process
        has taken the house over."""

    def at_one_moment(self) -> AbstractContextManager[Reading]:
        """A consistent snapshot to read from, while others go on writing."""

    def size(self) -> int:
        """The bytes that everything takes in the database, without space that is free to be used again."""

    def back_up(self, to: Path) -> str:
        """Writes a consistent snapshot of everything into one file, while others go on writing; returns its checksum."""

    def checksum(self, schema: int | None = None) -> str:
        """The checksum that a backup made now would have. Equal stores have equal checksums (BAK-2). A backup of an older
        store is compared in its own schema."""

    def restore(self, tables: Iterable[tuple[str, Sequence[Sequence[Any]]]]) -> None:
        """Takes the rows of a backup into an empty book, all of them or none."""

    def close(self) -> None:
        """Closes the database."""
