"""Where journal, ledger and documents are kept: SQLite by default, PostgreSQL by its address."""

from pathlib import Path
from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.store.address import is_address, masked
from podium.record.store.backup import backup_schema, check_backup, read_backup
from podium.record.store.commit import GroupCommit
from podium.record.store.interface import (
    FIRST,
    Append,
    Away,
    Book,
    Damaged,
    Document,
    Fenced,
    Missing,
    Posted,
    Reading,
    Signed,
    Stale,
    StoredCheckpoint,
    Unavailable,
    Unsound,
)
from podium.record.store.logs import (
    StoredLog,
    grow,
    prove_checkpoint_ends,
    prove_checkpoints,
    read_checkpoint,
    roots_at,
)
from podium.record.store.proof import Proved, prove, prove_end, read_documents, read_posted, read_stream
from podium.record.store.sqlite import SqliteBook

__all__ = [
    "BOOK",
    "FIRST",
    "Append",
    "Away",
    "Book",
    "Damaged",
    "Document",
    "Fenced",
    "GroupCommit",
    "Missing",
    "Posted",
    "Proved",
    "Reading",
    "Signed",
    "Stale",
    "StoredCheckpoint",
    "StoredLog",
    "Unavailable",
    "Unsound",
    "check_backup",
    "grow",
    "open_book",
    "prove",
    "prove_checkpoint_ends",
    "prove_checkpoints",
    "prove_end",
    "read_checkpoint",
    "read_documents",
    "read_posted",
    "read_stream",
    "restore",
    "roots_at",
]

BOOK: Final = "podium.db"
"""The name of the SQLite file in the directory of a house."""


def open_book(where: str | Path, *, writable: bool = True, alone: bool = False) -> Book:
    """Opens the book at a path or a `postgresql://` address; creates it if it does not exist.

    `alone`: no other house may have it open for writing. A file never is open for two; a database is for several processes
    unless this is asked for.
    """
    if isinstance(where, str) and is_address(where):
        try:
            from podium.record.store.postgres import PostgresBook  # noqa: PLC0415  # only a house that uses it needs its library
        except ImportError:
            raise Refused("postgres-driver") from None
        return PostgresBook(where, writable=writable, alone=alone)
    if isinstance(where, str) and "://" in where:
        raise Refused("database-address", address=shortened(masked(where, where)))
    return SqliteBook(Path(where), writable=writable)


def restore(backup: Path, where: str | Path) -> Proved:
    """Fills a new book from a backup, and proves that it is complete and equal to the backup (BAK-2)."""
    checksum = check_backup(backup)
    book = open_book(where)
    try:
        book.restore(read_backup(backup))
        proved = prove(book)
        again = book.checksum(backup_schema(backup))
        if again != checksum:
            raise Damaged(f"What was restored has the checksum {again}, and the backup {checksum}.")
        return proved
    finally:
        book.close()


english(
    "refused",
    {
        "postgres-driver": "A house in PostgreSQL needs the driver, which is not installed: pip install 'podium[postgres]'.",
        "database-address": "{address:quoted} is not the address of a database: it is like postgresql://podium@db.example/house.",
    },
)
