"""Where the data of a house is: a directory with its book, or a PostgreSQL address."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from getpass import getuser
from pathlib import Path
from time import time_ns

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.files import not_allowed, unreadable
from podium.house.events import Noted
from podium.house.shuffling import SealedShuffler
from podium.house.stamps import Stamps, noted_since
from podium.house.table.face_down import Sealing
from podium.record.store import BOOK, Book, Missing, Unavailable, open_book
from podium.record.store.address import has_password, is_address
from podium.record.store.keys import Purpose, Ring, check_private, find_ring, source_of
from podium.server.slips import leave


def check_address(where: str) -> None:
    """Refuses a PostgreSQL address with a password on the command line, where everybody on the machine can read it (SEC-7)."""
    if is_address(where) and has_password(where):
        raise Refused("password-on-command-line", clause="SEC-7")


def database_of(address: str, file: Path | None, environment: Mapping[str, str] = os.environ) -> str:
    """The PostgreSQL address of a house: from the command line without a password, or with one from a file that only its
    owner can read, or from PODIUM_DATABASE. Empty for a house in SQLite."""
    check_address(address)
    if address and file is not None:
        raise Refused("database-twice")
    if file is None:
        return address or environment.get("PODIUM_DATABASE", "")
    try:
        check_private(file, 0o600)
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from None


def house_at(data: Path | None, address: str, file: Path | None) -> str:
    """Where the data of a house is: the PostgreSQL address, or the directory, by default that of `podium serve`."""
    return database_of(address, file) or str(data or default_data())


def default_data() -> Path:
    """Where the house of this machine's user keeps its data."""
    root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(root) / "podium"


def book_at(where: str) -> str | Path:
    """The place of a house's book, whether or not it exists."""
    return where if "://" in where else Path(where) / BOOK


@contextmanager
def opened(where: str, *, may_be_empty: bool = False) -> Iterator[Book]:
    """Opens the existing book of a house for reading only, also while the house is running."""
    check_address(where)
    place = book_at(where)
    if isinstance(place, Path):
        if forbidden := not_allowed(place, writing=False):
            raise Refused("house-unreadable", error=forbidden)
        if not place.exists():
            raise Refused("house-missing", directory=where, book=BOOK)
    try:
        book = open_book(place, writable=False)
    except (Missing, Unavailable) as nothing:
        raise Refused("house-unreadable", error=str(nothing)) from None
    try:
        if not may_be_empty and not book.heads():
            raise Refused("house-empty")
        yield book
    finally:
        book.close()


def seal_of(where: str, keys: str = "") -> Sealing | None:
    """Opens the seals of a house whose keys can be found; a house in PostgreSQL must be told where they are."""
    ring = _ring_of(where, keys, "seal")
    return None if ring is None else SealedShuffler(ring.seal(os.urandom), os.urandom)


def stamps_of(where: str, keys: str = "") -> Stamps | None:
    """Checks the stamps of a house whose keys can be found."""
    sessions, tickets = _ring_of(where, keys, "sessions"), _ring_of(where, keys, "tickets")
    if sessions is None or tickets is None:
        return None
    data = None if is_address(where) else Path(where)
    return Stamps(sessions, tickets, since=noted_since(source_of(keys, data, os.urandom), data))


def _ring_of(where: str, keys: str, purpose: Purpose) -> Ring | None:
    data = None if is_address(where) else Path(where)
    if data is None and not keys:
        return None
    return find_ring(source_of(keys, data, os.urandom), purpose, data)


def tell_house(where: str, note: Noted) -> None:
    """Leaves a slip for the house to write into its journal; a read-only copy gets none."""
    with suppress(OSError):
        leave(Path(where), msgspec.structs.replace(note, who=_user()), time_ns() // 1_000_000)


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):  # a user without a name
        return ""


def complain(sentence: str) -> int:
    """Prints the difference that a check found on standard error; returns the exit code for it."""
    print(sentence, file=sys.stderr)
    return 1


english(
    "refused",
    {
        "password-on-command-line": (
            "A password on a command line can be read by everybody on this machine: leave it out of the address and put it "
            "into a passfile (PGPASSFILE, ~/.pgpass), or give the whole address in PODIUM_DATABASE or with --database-file."
        ),
        "database-twice": "Give the address with --database or with --database-file, not both.",
        "house-missing": "There is no house in {directory}: it has no {book}.",
        "house-unreadable": "The house cannot be read: {error}",
        "house-empty": "There is no house there: nothing has been recorded.",
    },
)
