"""Reading a store: the same statements for every database."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from podium.record.journal import Entry, Head
from podium.record.ledger import Account, Transfer, with_flow
from podium.record.store.interface import FIRST, Document, Past, Posted, StoredCheckpoint
from podium.record.store.schema import TABLES, schema_version, tables_at
from podium.record.tlog import Node

Row = Sequence[Any]
Query = Callable[..., list[Any]]
"""Runs one statement, written with `?` for each value, and returns its rows."""

_LAST = "SELECT max(version) FROM documents AS later WHERE later.kind = documents.kind AND later.key = documents.key"


def _posted(row: Row) -> Posted:
    position, transfer_id, stream, sequence, time, *rest = row
    return Posted(position, stream, sequence, time, with_flow(Transfer(transfer_id, *rest)))


class SqlReading:
    """Implements `Reading` for any database, given a way to run a statement on a store of some schema."""

    def __init__(self, query: Query, schema: int | None = None, folder: Path | None = None) -> None:
        self._query = query
        self._folder: Final = folder
        self.schema: Final = schema_version() if schema is None else schema
        self._transfers: Final = ", ".join(TABLES["transfers"].at(self.schema))

    @property
    def folder(self) -> Path | None:
        return self._folder

    def streams(self) -> Iterator[str]:
        """The name of every stream, found in the index without scanning the journal."""
        stream = ""
        while stream is not None:
            [[stream]] = self._query("SELECT min(stream) FROM journal WHERE stream > ?", stream)
            if stream is not None:
                yield stream

    def heads(self) -> dict[str, Head]:
        return {stream: self.head(stream) for stream in self.streams()}

    def head(self, stream: str) -> Head:
        rows = self._query("SELECT sequence, hash FROM journal WHERE stream = ? ORDER BY sequence DESC LIMIT 1", stream)
        return Head(*rows[0]) if rows else Head()

    def first(self, stream: str) -> int:
        [[first]] = self._query("SELECT min(sequence) FROM journal WHERE stream = ?", stream)
        return first or 1

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        names = TABLES["journal"].names
        return [
            Entry(*row)
            for row in self._query(
                f"SELECT {names} FROM journal WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                stream,
                after,
                limit,
            )
        ]

    def hashes(self, stream: str, after: int = 0, limit: int = 10_000) -> list[bytes]:
        rows = self._query(
            "SELECT hash FROM journal WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?", stream, after, limit
        )
        return [row[0] for row in rows]

    def checkpoints(self) -> list[StoredCheckpoint]:
        columns = TABLES["checkpoints"]
        if self.schema < columns.added_by:
            return []
        rows = self._query(f"SELECT {columns.names} FROM checkpoints ORDER BY stream")
        return [StoredCheckpoint(*row) for row in rows]

    def nodes(self, stream: str, level: int, first: int = 0, limit: int = 10_000) -> list[Node]:
        if self.schema < TABLES["nodes"].added_by:
            return []
        rows = self._query(
            "SELECT level, number, hash FROM nodes WHERE stream = ? AND level = ? AND number >= ?"
            " ORDER BY number LIMIT ?",
            stream,
            level,
            first,
            limit,
        )
        return [Node(*row) for row in rows]

    def node_counts(self) -> dict[tuple[str, int], int]:
        if self.schema < TABLES["nodes"].added_by:
            return {}
        rows = self._query("SELECT stream, level, count(*) FROM nodes GROUP BY stream, level ORDER BY stream, level")
        return {(stream, level): count for stream, level, count in rows}

    def last(self, stream: str, kind: str, before: int | None = None) -> Entry | None:
        names = TABLES["journal"].names
        earlier = "" if before is None else " AND sequence < ?"
        rows = self._query(
            f"SELECT {names} FROM journal WHERE stream = ? AND kind = ?{earlier} ORDER BY sequence DESC LIMIT 1",
            stream,
            kind,
            *(() if before is None else (before,)),
        )
        return Entry(*rows[0]) if rows else None

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        rows = self._query(
            f"SELECT {self._transfers} FROM transfers WHERE position > ? ORDER BY position LIMIT ?", after, limit
        )
        return [_posted(row) for row in rows]

    def transfer(self, transfer_id: str) -> Posted | None:
        rows = self._query(f"SELECT {self._transfers} FROM transfers WHERE id = ?", transfer_id)
        return _posted(rows[0]) if rows else None

    def balances(self) -> dict[Account, int]:
        rows = self._query("SELECT account, amount FROM balances WHERE amount <> 0 ORDER BY account")
        return {Account(account): amount for account, amount in rows}

    def guards(self) -> dict[Account, bool]:
        rows = self._query("SELECT account, guarded FROM balances ORDER BY account")
        return {Account(account): bool(guarded) for account, guarded in rows}

    def strangers(self) -> list[str]:
        """Each database lists its objects in a way of its own."""
        raise NotImplementedError

    def sums(self, after: int = 0) -> dict[Account, int]:
        rows = self._query(
            "SELECT account, sum(moved) FROM (SELECT credit AS account, amount AS moved FROM transfers WHERE position > ?"
            " UNION ALL SELECT debit, -amount FROM transfers WHERE position > ?) AS each_side"
            " GROUP BY account HAVING sum(moved) <> 0",
            after,
            after,
        )
        return {Account(account): int(moved) for account, moved in rows}

    def last_position(self) -> int:
        [[position]] = self._query("SELECT max(position) FROM transfers")
        return int(position or 0)

    def past(self) -> Past | None:
        """None: there is no note beside a database on a server."""
        return None

    def document(self, kind: str, key: str) -> Document | None:
        rows = self._query(
            f"SELECT {TABLES['documents'].names} FROM documents WHERE kind = ? AND key = ? ORDER BY version DESC LIMIT 1",
            kind,
            key,
        )
        return Document(*rows[0]) if rows else None

    def documents(self, kind: str) -> list[Document]:
        names = TABLES["documents"].names
        rows = self._query(f"SELECT {names} FROM documents WHERE kind = ? AND version = ({_LAST}) ORDER BY key", kind)
        return [Document(*row) for row in rows]

    def versions_of(self, kind: str, keys: Sequence[str]) -> list[Document]:
        if not keys:
            return []
        names, marks = TABLES["documents"].names, ", ".join("?" * len(keys))
        statement = f"SELECT {names} FROM documents WHERE kind = ? AND key IN ({marks}) ORDER BY key, version"
        return [Document(*row) for row in self._query(statement, kind, *keys)]

    def versions(self, after: tuple[str, str, int] = FIRST, limit: int = 10_000) -> list[Document]:
        rows = self._query(
            f"SELECT {TABLES['documents'].names} FROM documents WHERE (kind, key, version) > (?, ?, ?)"
            " ORDER BY kind, key, version LIMIT ?",
            *after,
            limit,
        )
        return [Document(*row) for row in rows]

    def empty(self) -> bool:
        """Whether nothing at all is stored."""
        return not any(self._query(f"SELECT 1 FROM {table} LIMIT 1") for table in tables_at(self.schema))
