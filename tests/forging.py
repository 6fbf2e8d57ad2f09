"""An owner who rewrites the record: with the file or the database, and with the key that signs it.

Everything that follows from the journal is made anew: the chain, the ledger's references, the nodes and the signed
checkpoints. The result is a record that proves itself.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from podium.house.checkpoints import Signatory
from podium.record.journal import Chain, Entry, read_transfers
from podium.record.store import Append, open_book
from podium.record.store.last import last_commit_file

Change = Callable[[Entry], Entry | None]
"""What becomes of an entry; None erases it. Only its kind, payload, time and money count."""


class Database(NamedTuple):
    """Plain SQL on the database behind a book."""

    place: str

    def run(self, statement: str, rows: Sequence[Sequence[Any]] = ((),)) -> int:
        """Runs one statement, written with `?`, for every row of values; how many rows it changed."""
        if self.place.startswith("postgresql"):
            with psycopg.connect(self.place) as server:
                marked = statement.replace("?", "%s").encode()
                return sum(server.execute(marked, values or None).rowcount for values in rows)
        last_commit_file(Path(self.place)).unlink(missing_ok=True)  # the owner of the book owns the note beside it
        file = sqlite3.connect(self.place)
        try:
            with file:
                return sum(file.execute(statement, values).rowcount for values in rows)
        finally:
            file.close()


def rewrite(place: str, stream: str, change: Change, secret: bytes) -> None:
    """Alters or erases entries of a stream, and makes anew everything that follows from them."""
    book = open_book(place, writable=False)
    entries = book.entries(stream, limit=1_000_000)
    book.close()
    chain, made, moved = Chain(stream), [], []
    for entry in entries:
        other = change(entry)
        if other is not None:
            made.append(chain.add(other.time, other.kind, other.payload, read_transfers(other.money)))
            moved.append((entry.sequence, made[-1].sequence))
    assert made != entries, "nothing was altered"
    database = Database(place)
    database.run("DELETE FROM journal WHERE stream = ?", [(stream,)])
    database.run(
        "INSERT INTO journal (stream, sequence, time, kind, payload, money, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        made,
    )
    # The numbers of entries only become smaller, so going from the first on no two meet.
    database.run(
        "UPDATE transfers SET sequence = ? WHERE stream = ? AND sequence = ?",
        [(new, stream, old) for old, new in moved if old != new],
    )
    sign_anew(place, secret)


def sign_anew(place: str, secret: bytes) -> None:
    """Signs the record as it is now, as if nothing had ever been signed."""
    database = Database(place)
    database.run("DELETE FROM nodes")
    database.run("DELETE FROM checkpoints")
    book = open_book(place)
    try:
        assert book.write([Append(checkpoints=Signatory(secret).sign(book, 1))]) == [None]
    finally:
        book.close()
