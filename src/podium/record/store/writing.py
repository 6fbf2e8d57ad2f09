"""Writes batches: all callers in one transaction, where one caller's mistake does not affect the others.

The whole batch is tried first, because nearly always everything in it is sound. If anything is not, the batch is done
again caller by caller, each behind a savepoint, still in one transaction.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.record.journal import Entry, Head
from podium.record.ledger import Account, LedgerFault, Transfer, changes, never_negative
from podium.record.store.interface import Append, Fenced, Pruned, Signed, Stale, Unsound
from podium.record.store.reading import Row, SqlReading

EXPECTED = (Fenced, Stale, Refused, LedgerFault, Unsound)
"""Errors that concern one caller only."""

MALFORMED = (TypeError, ValueError, OverflowError, AttributeError, msgspec.MsgspecError)
"""Errors that malformed values raise, with any database."""


class Conflict(Exception):
    """A row with this key already exists."""


class Database(Protocol):
    """The few statements that differ between databases."""

    malformed: tuple[type[Exception], ...]
    """Errors for a row that the database cannot take, where the rest of the transaction is sound."""

    reading: SqlReading
    """Reads within the transaction that is being written."""

    def transaction(self) -> AbstractContextManager[Any]:
        """All or nothing; a savepoint inside another transaction."""

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        """Adds rows, or raises `Conflict`. Transfers are given without their position."""

    def insert_listed(self, table: str, rows: Sequence[Row]) -> None:
        """Adds rows with all columns, as a backup lists them."""

    def add_to_balances(self, rows: Sequence[tuple[Account, int, int]]) -> Account | None:
        """Adds each amount to its account; returns an account that is now overdrawn and must not be, if there is one."""

    def run(self, statement: str, *values: Any) -> None:
        """Runs one statement, written with `?` for each value."""


class BatchWriter:
    """Writes batches to one database. It knows the end of every stream that it has written to."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._malformed: tuple[type[Exception], ...] = MALFORMED + database.malformed
        self._somebody_s_mistake: tuple[type[Exception], ...] = (Conflict, *EXPECTED, *self._malformed)
        self._heads: dict[str, Head] = {}

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        try:
            with self._database.transaction():
                heads = self._put_all(appends)
        except self._somebody_s_mistake:
            return self._write_one_by_one(appends)
        except BaseException:
            self._heads.clear()
            raise
        self._heads |= heads
        return [None] * len(appends)

    def _write_one_by_one(self, appends: Sequence[Append]) -> list[Exception | None]:
        # The failure may mean that another process has written: trust only what is stored.
        self._heads.clear()
        outcomes: list[Exception | None] = []
        try:
            with self._database.transaction():
                for append in appends:
                    try:
                        self._heads |= self._put_one(append)
                        outcomes.append(None)
                    except EXPECTED as refusal:
                        outcomes.append(refusal)
        except BaseException:
            self._heads.clear()
            raise
        return outcomes

    def restore(self, tables: Iterable[tuple[str, Sequence[Row]]]) -> None:
        """Takes the rows of a backup into an empty book."""
        with self._database.transaction():
            if not self._database.reading.empty():
                raise Refused("store-not-empty")
            for table, rows in tables:
                self._database.insert_listed(table, rows)

    # --- the whole batch ------------------------------------------------------------------------------------------------

    def _put_all(self, appends: Sequence[Append]) -> dict[str, Head]:
        entries = [entry for append in appends for entry in append.entries]
        heads = self._follow(entries)
        self._database.insert("journal", entries)
        self._post([(entry, transfer) for entry in entries if entry.money for transfer in entry.transfers])
        for append in appends:
            if append.documents or append.checkpoints or append.pruned:  # few: no call for the others
                self._put_rest(append)
        return heads

    def _follow(self, entries: Iterable[Entry]) -> dict[str, Head]:
        """The heads after these entries, each of which must follow the end of its stream."""
        heads: dict[str, Head] = {}
        for entry in entries:
            stream = entry.stream
            head = heads.get(stream) or self._heads.get(stream) or self._database.reading.head(stream)
            if entry.sequence != head.sequence + 1 or entry.previous != head.hash:
                raise Fenced(
                    f"Entry {entry.sequence} of {stream} cannot be written: the stream stands at entry {head.sequence}"
                    " with another history, so somebody else has written to it. Read it again."
                )
            heads[stream] = Head(entry.sequence, entry.hash)
        return heads

    def _post(self, moved: Sequence[tuple[Entry, Transfer]]) -> None:
        if not moved:
            return
        rows = [
            (
                t.id,
                e.stream,
                e.sequence,
                e.time,
                t.debit,
                t.credit,
                t.amount,
                t.kind,
                t.table,
                t.round,
                t.terminal,
                t.who,
                t.flow,
            )
            for e, t in moved
        ]
        self._database.insert("transfers", rows)
        # Sorted by name, so that two writers cannot deadlock.
        sums = sorted(changes([transfer for _, transfer in moved]).items())
        overdrawn = self._database.add_to_balances([(name, sum, int(never_negative(name))) for name, sum in sums])
        if overdrawn is not None:
            raise Refused("store-overdrawn", account=overdrawn, clause="GAME-1")

    def _put_rest(self, append: Append) -> None:
        for document in append.documents:
            known = self._database.reading.document(document.kind, document.key)
            version = known.version if known else 0
            if document.version != version + 1:
                raise Stale(
                    f"{document.kind} {document.key} stands at version {version}, so version {document.version} cannot be"
                    " written: somebody else has changed it. Read it again."
                )
            self._database.insert("documents", [document])
        for signed in append.checkpoints:
            self._put_checkpoint(signed)
        for pruned in append.pruned:
            self._prune(pruned)

    def _put_checkpoint(self, signed: Signed) -> None:
        """Replaces the one before: a checkpoint covers everything that an earlier one did."""
        stream, size, _, _ = signed.checkpoint
        self._database.insert("nodes", [(stream, *node) for node in signed.nodes])
        if self._database.reading.head(stream).sequence < size:
            raise Fenced(f"A checkpoint of {size} entries of {stream} was signed, and the stream is shorter.")
        self._database.run(
            "INSERT INTO checkpoints (stream, size, time, note) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE"
            " SET size = excluded.size, time = excluded.time, note = excluded.note",
            *signed.checkpoint,
        )

    def _prune(self, pruned: Pruned) -> None:
        """Deletes archived entries. The last entry of a stream stays: it is the one that the next must follow."""
        stream, until, positions = pruned
        if until >= self._database.reading.head(stream).sequence:
            raise Fenced(f"The last entry of {stream} cannot be deleted.")
        marks = ", ".join("?" * len(positions))
        if positions:
            self._database.run(f"DELETE FROM transfers WHERE position IN ({marks})", *positions)
        self._database.run("DELETE FROM journal WHERE stream = ? AND sequence <= ?", stream, until)

    # --- one caller by itself -------------------------------------------------------------------------------------------

    def _put_one(self, append: Append) -> dict[str, Head]:
        try:
            with self._database.transaction():
                heads = self._follow(append.entries)
                self._database.insert("journal", append.entries)
                self._post(self._not_posted_yet(append.entries))
                self._put_rest(append)
                return heads
        except Conflict:
            # Another writer was faster.
            streams = ", ".join(sorted({entry.stream for entry in append.entries}))
            raise Fenced(
                f"Somebody else has written to {streams or 'these documents'} at this moment. Read again."
            ) from None
        except self._malformed as error:
            raise Unsound(f"This cannot be stored: {error}") from error

    def _not_posted_yet(self, entries: Iterable[Entry]) -> list[tuple[Entry, Transfer]]:
        """LED-2: a transfer that is posted already is harmless; another one under its id is a fault."""
        new: dict[str, tuple[Entry, Transfer]] = {}
        for entry in entries:
            for transfer in entry.transfers:
                posted = self._database.reading.transfer(transfer.id)
                known = posted.transfer if posted else new[transfer.id][1] if transfer.id in new else None
                if known is None:
                    new[transfer.id] = (entry, transfer)
                elif known != transfer:
                    raise LedgerFault(f"{transfer.id} was {known}, now {transfer} (LED-2).")
        return list(new.values())


english(
    "refused",
    {
        "store-not-empty": "The store is not empty: a backup is restored into a new one.",
        "store-overdrawn": "{account} holds too little for this.",
    },
)
