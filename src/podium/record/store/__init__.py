"""Where journal, ledger and documents are kept: SQLite by default, PostgreSQL by its address."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

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
    Past,
    Posted,
    Pruned,
    Reading,
    Signed,
    Stale,
    StoredCheckpoint,
    Unavailable,
    Unsound,
)
from podium.record.store.lease import NOBODY, Lease, Owner, Superseded, Waits, this_process
from podium.record.store.logs import (
    StoredLog,
    grow,
    prove_checkpoint_ends,
    prove_checkpoints,
    read_checkpoint,
    roots_at,
)
from podium.record.store.past import proved_past
from podium.record.store.proof import Proved, prove, prove_end, read_documents, read_posted, read_stream
from podium.record.store.sqlite import SqliteBook

if TYPE_CHECKING:
    from podium.record.store.postgres import LeaseWatch

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
    "Lease",
    "Missing",
    "Owner",
    "Past",
    "Posted",
    "Proved",
    "Pruned",
    "Reading",
    "Signed",
    "Stale",
    "StoredCheckpoint",
    "StoredLog",
    "Superseded",
    "Unavailable",
    "Unsound",
    "Waits",
    "check_backup",
    "grow",
    "open_book",
    "prove",
    "prove_checkpoint_ends",
    "prove_checkpoints",
    "prove_end",
    "proved_past",
    "read_checkpoint",
    "read_documents",
    "read_posted",
    "read_stream",
    "restore",
    "roots_at",
    "this_process",
    "watch_lease",
]

BOOK: Final = "podium.db"
"""The name of the SQLite file in the directory of a house."""


def open_book(
    where: str | Path,
    *,
    writable: bool = True,
    alone: bool = False,
    checked: bool = False,
    owner: Owner = NOBODY,
) -> Book:
    """Opens the book at a path or a `postgresql://` address; creates it if it does not exist.

    `alone`: no other house may have it open for writing; `owner` describes the process that has it to the others. A
    file is never open for writing twice; a database may be, unless `alone` is given. `checked`: a running house has
    already checked the file, so it is not read through again.
    """
    if isinstance(where, str) and is_address(where):
        book: Book = _postgres().PostgresBook(where, writable=writable, alone=alone, owner=owner)
        return book
    if isinstance(where, str) and "://" in where:
        raise Refused("database-address", address=shortened(masked(where, where)))
    return SqliteBook(Path(where), writable=writable, checked=checked)


def watch_lease(where: str, *, waits: bool = False) -> "LeaseWatch":
    """Looks who owns the house in a PostgreSQL database. `waits`: others see that this process waits to take it over."""
    if not is_address(where):
        raise Refused("lease-address")
    watch: LeaseWatch = _postgres().LeaseWatch(where, waits=waits)
    return watch


def _postgres() -> ModuleType:
    """The module for PostgreSQL: only a house that uses it needs its library."""
    try:
        return import_module("podium.record.store.postgres")
    except ImportError:
        raise Refused("postgres-driver") from None


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
        "lease-address": (
            "Several processes share a house only in PostgreSQL: give --database or --database-file. A file has one house."
        ),
        "database-address": "{address:quoted} is not the address of a database: it is like postgresql://podium@db.example/house.",
    },
)
