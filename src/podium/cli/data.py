"""Where a house's data is: a directory with its book and its key, or a PostgreSQL address."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from getpass import getuser
from pathlib import Path
from time import time_ns

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.events import Noted
from podium.house.shuffling import SealedShuffler
from podium.house.table.state import Sealing
from podium.record.seal import Seal
from podium.record.store import BOOK, KEY, Book, Missing, Unavailable, open_book
from podium.record.store.keyfile import read_key
from podium.server.slips import leave


def is_address(where: str) -> bool:
    return where.startswith(("postgresql://", "postgres://"))


def book_at(where: str) -> str | Path:
    """The place of a house's book, whether or not it exists."""
    return where if is_address(where) else Path(where) / BOOK


@contextmanager
def opened(where: str) -> Iterator[Book]:
    """Opens the existing book of a house for reading only, also while the house is running."""
    place = book_at(where)
    if isinstance(place, Path) and not place.exists():
        raise Refused("house-missing", directory=where, book=BOOK)
    try:
        book = open_book(place, writable=False)
    except (Missing, Unavailable) as nothing:
        raise Refused("house-unreadable", error=str(nothing)) from None
    try:
        if not book.heads():
            raise Refused("house-empty")
        yield book
    finally:
        book.close()


def seal_of(where: str) -> Sealing | None:
    """Opens the seals of a house whose key is beside its book."""
    key = Path(where) / KEY
    if is_address(where) or not key.exists():
        return None
    return SealedShuffler(Seal(read_key(key, os.urandom), os.urandom), os.urandom)


def tell_house(where: str, note: Noted) -> None:
    """Leaves a slip for the house, which writes it into its journal; a read-only copy gets none."""
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
        "house-missing": "There is no house in {directory}: it has no {book}.",
        "house-unreadable": "The house cannot be read: {error}",
        "house-empty": "There is no house there: nothing was ever recorded.",
    },
)
