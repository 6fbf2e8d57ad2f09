"""SQLite: one file, written by one connection on one thread, and read by another."""

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Final

from podium.record.ledger import Account
from podium.record.store.backup import checksum_of, write_backup
from podium.record.store.disk import sync_directory
from podium.record.store.interface import Append, Damaged, Unavailable
from podium.record.store.reading import Row, SqlReading
from podium.record.store.schema import (
    TABLES,
    Dialect,
    check_schema,
    differences,
    migrations_from,
    schema_version,
)
from podium.record.store.wal import first_lost_commit
from podium.record.store.writing import BatchWriter, Conflict

APPLICATION_ID: Final = 0x504F4449
"""Written into the file to identify it: PODI."""

DIALECT: Final = Dialect(
    types={"text": "TEXT", "int": "INTEGER", "bytes": "BLOB", "position": "INTEGER"},
    clustered="WITHOUT ROWID, STRICT",
    more=("CREATE INDEX overdrawn ON balances (account) WHERE amount < 0 AND guarded = 1",),
)
_CHUNKS: Final = (512, 64, 8, 1)
"""Rows in one statement. Few statements matter more than few rows: each gives other threads a turn."""


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Opens a file, which must exist unless `mode` is rwc."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False, timeout=30
    )


class SqliteReading(SqlReading):
    """Reads a SQLite file, and knows what a file of a house holds."""

    def strangers(self) -> list[str]:
        with closing(sqlite3.connect(":memory:")) as made:
            for statement in migrations_from(0, DIALECT, self.schema):
                made.execute(statement)
            defined = _objects(made.execute(_OBJECTS).fetchall())
        damaged = [str(row[0]) for row in self._query("PRAGMA integrity_check(1)") if row[0] != "ok"]
        return [*differences(_objects(self._query(_OBJECTS)), defined), *damaged]


_OBJECTS: Final = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"


def _objects(rows: Iterable[Row]) -> dict[str, str]:
    """Tables, indexes, views and triggers by name, and how each was made."""
    return {f"the {kind} {name}": f"{table} {made}" for kind, name, table, made in rows}


class SqliteBook(SqliteReading):
    """A book in one SQLite file. `writable=False` reads a house that is running, and never changes it."""

    def __init__(self, path: Path, *, writable: bool = True) -> None:
        self._path: Final = path
        self._writer: SqliteWriter | None = None
        with ExitStack() as opened:
            if writable:
                opened.callback(os.close, _lock(path))
                if not path.exists():
                    _create(path)
            check_file(path, running=not writable and _is_running(path))
            if writable:
                connection = opened.enter_context(closing(connect(path, "rw")))
                _migrate(connection)
                self._writer = SqliteWriter(connection)
            self._reader = opened.enter_context(closing(connect(path, "ro")))
            self._opened: Final = opened.pop_all()
        self._reading: Final = Lock()
        super().__init__(self._read, _schema(self._reader))

    def _read(self, sql: str, *values: Any) -> list[Any]:
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        writer = self._writing()
        try:
            return writer.batches.write(appends)
        except sqlite3.Error as error:
            failed = Unavailable(f"{self._path} could not be written: {error}. Nothing of this was kept.")
            return [failed] * len(appends)

    def reconnect(self) -> None:
        """Nothing: a file is never away."""

    def restore(self, tables: Iterable[tuple[str, Sequence[Row]]]) -> None:
        self._writing().batches.restore(tables)

    def _writing(self) -> "SqliteWriter":
        if self._writer is None:
            raise Unavailable(f"{self._path} was opened for reading only.")
        return self._writer

    def back_up(self, to: Path) -> str:
        with self._one_moment() as connection:
            return write_backup(to, connection.execute, self.schema)

    def checksum(self, schema: int | None = None) -> str:
        with self._one_moment() as connection:
            return checksum_of(connection.execute, schema or self.schema)

    @contextmanager
    def at_one_moment(self) -> Iterator[SqlReading]:
        with self._one_moment() as connection:
            yield SqliteReading(lambda sql, *values: connection.execute(sql, values).fetchall(), self.schema)

    @contextmanager
    def _one_moment(self) -> Iterator[sqlite3.Connection]:
        with closing(connect(self._path, "ro")) as connection:
            connection.execute("BEGIN")
            yield connection

    def close(self) -> None:
        self._opened.close()


class SqliteWriter:
    """The one connection that writes."""

    malformed: tuple[type[Exception], ...] = (
        sqlite3.IntegrityError,
        sqlite3.DataError,
        sqlite3.InterfaceError,
        sqlite3.ProgrammingError,
    )

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection: Final = connection
        connection.execute("PRAGMA synchronous = FULL")
        # A checkpoint writes the log back into the file; fewer of them are faster, and a restart stays short.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        connection.execute("PRAGMA cache_size = -65536")  # KiB: the indexes of a busy night stay in memory
        self.reading: SqlReading = SqlReading(lambda sql, *values: connection.execute(sql, values).fetchall())
        self.batches: Final = BatchWriter(self)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        inner = self.connection.in_transaction
        begin, commit, undo = (
            ("SAVEPOINT one", ["RELEASE one"], ["ROLLBACK TO one", "RELEASE one"])
            if inner
            else ("BEGIN IMMEDIATE", ["COMMIT"], ["ROLLBACK"])
        )
        self.connection.execute(begin)
        try:
            yield
            for statement in commit:
                self.connection.execute(statement)
        except BaseException:
            # A full disk may have ended the transaction already.
            with suppress(sqlite3.OperationalError):
                for statement in undo:
                    self.connection.execute(statement)
            raise

    def insert(self, table: str, rows: Sequence[Row]) -> None:
        self._insert(table, TABLES[table].names.removeprefix("position, "), rows)

    def insert_listed(self, table: str, rows: Sequence[Row]) -> None:
        self._insert(table, TABLES[table].names, rows)

    def _insert(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        try:
            self._in_chunks(f"INSERT INTO {table} ({columns}) VALUES", rows)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode not in (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE):
                raise
            raise Conflict(str(error)) from None

    def add_to_balances(self, rows: Sequence[tuple[Account, int, int]]) -> Account | None:
        self._in_chunks(
            "INSERT INTO balances (account, amount, guarded) VALUES",
            rows,
            " ON CONFLICT (account) DO UPDATE SET amount = amount + excluded.amount",
        )
        # The index `overdrawn` holds nothing in a sound house, so this costs nothing.
        found = self.connection.execute(
            "SELECT account FROM balances WHERE amount < 0 AND guarded = 1 LIMIT 1"
        ).fetchall()
        return Account(found[0][0]) if found else None

    def run(self, statement: str, *values: Any) -> None:
        self.connection.execute(statement, values)

    def _in_chunks(self, insert: str, rows: Sequence[Row], more: str = "") -> None:
        at = 0
        for size in _CHUNKS:
            while len(rows) - at >= size:
                one = f"({', '.join('?' * len(rows[at]))})"
                values = list(chain.from_iterable(rows[at : at + size]))
                self.connection.execute(f"{insert} {', '.join([one] * size)}{more}", values)
                at += size


# --- opening ------------------------------------------------------------------------------------------------------------


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _lock(path: Path) -> int:
    """Lets one house write to a file; the lock is released when the process ends, for any reason."""
    lock = os.open(_lock_file(path), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise Unavailable(f"{path} is in use by another house on this machine.") from None
    return lock


def _create(path: Path) -> None:
    """Creates a new file under another name first, so that a file of this name is always complete."""
    if path.with_name(f"{path.name}-wal").exists():
        raise Damaged(
            f"{path} is missing, but its log {path.name}-wal is there. Put the file back, or restore a backup."
        )
    made = path.with_name(f"{path.name}.new")
    for unfinished in ("", "-wal", "-shm"):
        path.with_name(f"{made.name}{unfinished}").unlink(missing_ok=True)
    with closing(connect(made, "rwc")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _migrate(connection)
    made.chmod(0o600)
    made.rename(path)
    sync_directory(path.parent)


def _schema(connection: sqlite3.Connection) -> int:
    """The schema of the store."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    statements = migrations_from(_schema(connection), DIALECT)
    if statements:
        connection.execute("BEGIN IMMEDIATE")
        for statement in statements:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {schema_version()}")
        connection.execute("COMMIT")


def _is_running(path: Path) -> bool:
    """Whether a house is writing to that file now."""
    with suppress(FileNotFoundError), _lock_file(path).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def check_file(path: Path, *, running: bool) -> None:
    """Checks a file without changing a byte of it; `Damaged` says what is wrong (INT-5)."""
    if not path.exists():
        raise Damaged(f"{path} is not there.")
    if not path.stat().st_size:
        raise Damaged(f"{path} is empty: what a house had written is gone. Restore a backup.")
    lost = first_lost_commit(path.with_name(f"{path.name}-wal"))
    # While a house runs its log keeps changing, and the house has checked it before it began.
    if lost is not None and not running:
        raise Damaged(
            f"{path.name}-wal is damaged at byte {lost}, with committed writes after it. Its bytes are kept as they are."
        )
    try:
        with closing(connect(path, "ro")) as connection:
            problem = _problem(connection)
    except sqlite3.DatabaseError as error:
        problem = str(error)
    if problem is not None:
        raise Damaged(
            f"{path} is damaged: {problem}. Its bytes are kept as they are; restore a backup to another place."
        )


def _problem(connection: sqlite3.Connection) -> str | None:
    def pragma(name: str) -> Any:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    if pragma("application_id") != APPLICATION_ID:
        return "it is not a house's file"
    check_schema(pragma("user_version"))
    found = pragma("quick_check(1)")
    return None if found == "ok" else str(found)
