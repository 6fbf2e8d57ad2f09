"""The clauses that stand in the five documents, found by their numbers and headings."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
DOCUMENTS: Final = ROOT / "docs" / "rules" / "documents"

_NUMBER: Final = re.compile(r"\s*(?:- )?(\d+)[.)] ")
_LETTER: Final = re.compile(r"\s*- ([a-z]+)\. ")
_HEADING: Final = re.compile(r"(?:- )?([A-Z][A-Za-z ]{3,45}:|[A-Z][\w ]+ Paytables?|[\w ]+ Bonus)")

_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

NO_CLAUSES: Final = {"Rules of Play:", "Game Rules:", "PAYOUT TABLES:", "System Paytable", "Ante Bonus"}
"""Headings over clauses that have numbers or names of their own."""


def text_of(game: str) -> str:
    return (DOCUMENTS / f"{game}.txt").read_text(encoding="utf-8")


def numbered(document: str) -> Iterator[str]:
    """The numbers of a document's clauses in order: 1, 2, 2.a, ..., 5.c.iv."""
    number = letter = roman = ""
    for line in document.splitlines():
        if found := _NUMBER.match(line):
            number, letter, roman = found[1], "", ""
            yield number
        elif found := _LETTER.match(line):
            # An `i` after a letter begins a list below it: no document has so many letters that it could be the next.
            if letter and found[1] == _ROMAN[_ROMAN.index(roman) + 1 if roman else 0]:
                roman = found[1]
                yield f"{number}.{letter}.{roman}"
            else:
                letter, roman = found[1], ""
                yield f"{number}.{letter}"


def headings(document: str) -> Iterator[str]:
    """The headings of paragraphs and paytables without a number."""
    for line in document.splitlines():
        found = _HEADING.match(line.strip().lstrip("#").strip())
        if found and not _NUMBER.match(line) and found[1] not in NO_CLAUSES:
            whole = line.strip()
            if found[1].endswith(":") or whole == found[1]:
                yield found[1]


def stands_in(begins: str, document: str) -> bool:
    """Whether a line of the document begins with these words."""
    return any(line.strip().removeprefix("- ").startswith(begins) for line in document.splitlines())
