"""SQLite: one file, written by one connection on one thread, and read by another."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, Final

from podium.record.ledger import Account
from podium.record.store.archived import FOLDER, ArchivedReading
from podium.record.store.backup import checksum_of, write_backup
from podium.record.store.disk import SYSTEM_FILES, Files
from podium.record.store.interface import Append, Damaged, Past, Unavailable
from podium.record.store.last import LastCommit, Note, is_stored, last_commit_file
from podium.record.store.past import PastFile, is_of, is_recent
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
_IN_THE_WAY: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    )
)
"""SQLite's codes for a file that cannot be used now, whatever it holds."""
sqlite3.register_adapter(bytes, bytes)
"""Bytes are stored as they are. Without this line the module looks for a way to adapt each value, which fails and takes longer
than to store it."""

_CHUNKS: Final = (512, 64, 8, 1)
"""Rows in one statement. Few statements matter more than few rows: each gives other threads a turn."""


def connect(path: Path, mode: str, vfs: str = "") -> sqlite3.Connection:
    """Opens a file, which must exist unless `mode` is `rwc`."""
    address = f"{path.absolute().as_uri()}?mode={mode}{f'&vfs={vfs}' if vfs else ''}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=30)


class SqliteReading(ArchivedReading):
    """Reads a SQLite file, and knows which objects a file of a house has."""

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

    def __init__(
        self, path: Path, *, writable: bool = True, checked: bool = False, files: Files = SYSTEM_FILES
    ) -> None:
        self._path: Final = path
        self._files: Final = files
        self._reading: Final = Lock()
        self._writer: SqliteWriter | None = None
        with ExitStack() as opened, _readable(path):
            if writable:
                opened.callback(files.lock(path))
                if not files.exists(path):
                    _create(files, path)
            if not checked:
                check_file(path, running=not writable and files.is_locked(path), files=files)
            if writable:
                connection = opened.enter_context(closing(connect(path, "rw", files.vfs)))
                _empty_log(connection)
                _migrate(connection)
                self._writer = SqliteWriter(connection)
            self._reader = opened.enter_context(closing(connect(path, "ro", files.vfs)))
            self._last: Final = LastCommit(files, path)
            self._past: Final = PastFile(files, path)
            self._opened: Final = opened.pop_all()
        super().__init__(self._read, _schema(self._reader), path.parent / FOLDER)

    def _read(self, sql: str, *values: Any) -> list[Any]:
        with self._reading:
            try:
                return self._reader.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                if _is_damage(error):
                    raise Damaged(f"{self._path} is damaged: {error}. Its bytes are kept as they are.") from error
                raise Unavailable(f"{self._path} could not be read: {error}.") from error

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        writer = self._writing()
        try:
            outcomes = writer.batches.write(appends)
        except sqlite3.Error as error:
            # A commit that failed may be in the log all the same: only the book that is opened again can tell.
            kept = "It is not known whether this was kept" if writer.committing else "Nothing of this was kept"
            return [Unavailable(f"{self._path} could not be written: {error}. {kept}.")] * len(appends)
        try:
            self._last.write(append for append, why in zip(appends, outcomes, strict=True) if why is None)
        except OSError as error:
            return [Unavailable(f"{self._last.path} could not be written: {error}. This was kept.")] * len(appends)
        return outcomes

    def rest(self) -> None:
        self._last.sync()

    def past(self) -> Past | None:
        past = self._past.read()
        return past if past is not None and is_of(past, self) else None

    def note_past(self, past: Past) -> None:
        """Notes what was proved, for the next start."""
        self._past.write(past)

    def read_through(self) -> None:
        """Lets the database read every page and check its structure; raises `Damaged` at the first fault."""
        with _readable(self._path), closing(connect(self._path, "ro", self._files.vfs)) as connection:
            try:
                problem = _quick_check(connection)
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                problem = str(error)
        if problem is not None:
            raise Damaged(f"{self._path} is damaged: {problem}. Its bytes are kept as they are.")

    def reconnect(self) -> None:
        """No-op: a file is never away."""

    @property
    def epoch(self) -> int:
        return 0

    def renew(self) -> None:
        """No-op: a file is locked for as long as it is open."""

    def restore(self, tables: Iterable[tuple[str, Sequence[Row]]]) -> None:
        self._writing().batches.restore(tables)

    def _writing(self) -> "SqliteWriter":
        if self._writer is None:
            raise Unavailable(f"{self._path} was opened for reading only.")
        return self._writer

    def size(self) -> int:
        pages, free, bytes = (
            self._read(f"PRAGMA {name}")[0][0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * bytes)

    def back_up(self, to: Path) -> str:
        with self._one_moment() as connection:
            return write_backup(to, connection.execute, self.schema)

    def checksum(self, schema: int | None = None) -> str:
        with self._one_moment() as connection:
            return checksum_of(connection.execute, schema or self.schema)

    @contextmanager
    def at_one_moment(self) -> Iterator[SqlReading]:
        with self._one_moment() as connection:
            yield SqliteReading(
                lambda sql, *values: connection.execute(sql, values).fetchall(), self.schema, self.folder
            )

    @contextmanager
    def _one_moment(self) -> Iterator[sqlite3.Connection]:
        with closing(connect(self._path, "ro", self._files.vfs)) as connection:
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
        self.committing = False
        """Whether the last commit was begun and not reported as done."""
        connection.execute("PRAGMA synchronous = FULL")
        # A checkpoint writes the log back into the file; fewer of them are faster, and a restart stays short.
        connection.execute("PRAGMA wal_autocheckpoint = 4000")
        # KiB: the ends of the indexes, where a night writes, fit many times over; a larger cache would only go on
        # growing for an hour.
        connection.execute("PRAGMA cache_size = -16384")
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
            self.committing = not inner
            for statement in commit:
                self.connection.execute(statement)
            self.committing = False
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


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Tells an error of the disk from damage: a disk that refuses to be read or written does not make the book
    damaged."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise Unavailable(f"{path} could not be opened: {error}.") from error


def _create(files: Files, path: Path) -> None:
    """Creates a new file under another name first, so that a file of this name is always complete."""
    for left in (path.with_name(f"{path.name}-wal"), last_commit_file(path)):
        if files.exists(left):
            raise Damaged(f"{path} is missing, but {left.name} is there. Put the file back, or restore a backup.")
    made = path.with_name(f"{path.name}.new")
    for unfinished in ("", "-wal", "-shm", "-journal"):
        files.remove(path.with_name(f"{made.name}{unfinished}"))
    with closing(connect(made, "rwc", files.vfs)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _migrate(connection)
    files.publish(made, path)


def _empty_log(connection: sqlite3.Connection) -> None:
    """Begins with an empty log: the remains of a write that a power failure tore would look like damage after the next one.
    If somebody reads the book at this moment, the log stays."""
    connection.execute("PRAGMA busy_timeout = 0")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.execute("PRAGMA busy_timeout = 30000")


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


def check_file(path: Path, *, running: bool, files: Files = SYSTEM_FILES) -> None:
    """Checks a file without changing a byte of it; `Damaged` says what is wrong (INT-5)."""
    if not files.exists(path):
        raise Damaged(f"{path} is not there.")
    if not files.size(path):
        raise Damaged(f"{path} is empty: what a house had written is gone. Restore a backup.")
    # While a house runs, its log keeps changing; the house checked it before it started.
    lost = None if running else first_lost_commit(files.read(path.with_name(f"{path.name}-wal")))
    if lost is not None:
        raise Damaged(
            f"{path.name}-wal is damaged at byte {lost}, with committed writes after it. Its bytes are kept as they are."
        )
    # Read before the book: a running house goes on writing, so the book can only be further than this.
    noted, past = LastCommit(files, path).read(), PastFile(files, path).read()
    try:
        with closing(connect(path, "ro", files.vfs)) as connection:
            problem = _problem(connection, past) or _lost(connection, noted)
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        problem = str(error)
    if problem is not None:
        raise Damaged(
            f"{path} is damaged: {problem}. Its bytes are kept as they are; restore a backup to another place."
        )


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the stored bytes are wrong, and not only the disk or another process in the way."""
    return (getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF) not in _IN_THE_WAY


def _problem(connection: sqlite3.Connection, past: Past | None) -> str | None:
    """The fault of a file. All pages are read unless a house that had it open did so not long ago."""

    def pragma(name: str) -> Any:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    if pragma("application_id") != APPLICATION_ID:
        return "it is not a house's file"
    check_schema(pragma("user_version"))
    book = _reading(connection)
    if past is not None and is_of(past, book) and is_recent(past, book):
        return _quick_check(connection, "balances")
    return _quick_check(connection)


def _quick_check(connection: sqlite3.Connection, table: str = "1") -> str | None:
    """The first fault in the structure of a table, or of everything."""
    [found] = connection.execute(f"PRAGMA quick_check({table})").fetchone()
    return None if found == "ok" else str(found)


def _reading(connection: sqlite3.Connection) -> SqlReading:
    return SqlReading(lambda sql, *values: connection.execute(sql, values).fetchall(), _schema(connection))


def _lost(connection: sqlite3.Connection, noted: Note | None) -> str | None:
    """What was acknowledged and is missing from the file."""
    book = _reading(connection)
    for trace in noted.traces() if noted is not None else ():
        if not is_stored(book, trace):
            return f"it had acknowledged {trace}, which is not in it"
    return None
