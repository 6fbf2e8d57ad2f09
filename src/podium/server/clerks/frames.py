"""How the house and a clerk talk: the first line says where the book is, each further line is a question, and an answer
comes in parts."""

from pathlib import Path
from struct import Struct
from typing import Final

import msgspec

from podium.record.store import Book, open_book

PART_BYTES: Final = 65_536
HEAD: Final = Struct(">cI")
"""The header of each part of an answer: its kind, and its length in bytes."""
PART: Final = b"p"
END: Final = b"e"
REFUSED: Final = b"r"
AWAY: Final = b"a"
FAILED: Final = b"f"
"""An answer is any number of parts, and one of the others to end it: done, a refusal, a store that is away, or a bug of the
program with its place."""


class Opening(msgspec.Struct, frozen=True):
    """Where the book is."""

    file: str = ""
    database: str = ""

    @classmethod
    def of(cls, place: str | Path) -> "Opening":
        return cls(file=str(place.absolute())) if isinstance(place, Path) else cls(database=place)

    def book(self) -> Book:
        """The book of a running house, which has checked it."""
        return open_book(self.database or Path(self.file), writable=False, checked=True)
