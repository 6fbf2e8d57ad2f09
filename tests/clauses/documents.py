"""The clauses that stand in the five documents, found by their numbers and headings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
DOCUMENTS: Final = ROOT / "docs" / "rules" / "documents"

_NUMBER: Final = re.compile(r"\s*(?:- )?(\d+)[.)] ")
_LETTER: Final = re.compile(r"\s*- ([a-z]+)\. ")
_HEADING: Final = re.compile(r"(?:- )?([A-Z][A-Za-z ]{3,45}:|[A-Z][\w ]+ Paytables?|[\w ]+ Bonus)")

_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")

TITLES: Final = {"Rules of Play", "Rules of Play:", "Game Rules:", "PAYOUT TABLES:"}
"""Headings over several clauses."""

NO_CLAUSES: Final = TITLES | {"System Paytable", "Ante Bonus"}
"""Headings that open no clause of their own."""


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


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, a row of a paytable, or a remark in brackets, with its clause."""

    clause: str
    text: str

    @property
    def is_row(self) -> bool:
        return " | " in self.text


def sentences(short: str, document: str, unnumbered: Mapping[str, str]) -> Iterator[Sentence]:
    """Every sentence of a document, in order. `unnumbered` has the first words of each clause without a number, by its
    id.

    A line that opens no clause belongs to the clause before it; a heading over several clauses belongs to none.
    """
    numbers = numbered(document)
    clause = f"{short} title"
    for line in filter(None, (line.strip() for line in document.splitlines())):
        words = line.removeprefix("- ").lstrip("# ")
        opened = [id for id, begins in unnumbered.items() if words.startswith(begins)]
        if opened:
            clause = opened[0]
        elif words in TITLES:
            clause = f"{short} title"
        elif _NUMBER.match(line) or _LETTER.match(line):
            clause = f"{short} {next(numbers)}"
            words = words.partition(" ")[2]
        for text in _divided(words):
            yield Sentence(clause, text)


_ENDS: Final = re.compile(r"(?<=[a-z0-9)\"'][.?!]) +(?=[A-Z(])")
_BRACKETS: Final = re.compile(r" *(\((?:Configurable [^()]+|select[^()]*)\)\.?) *")


def _divided(line: str) -> Iterator[str]:
    """The sentences of a line, and the remarks in brackets that say more than 'Configurable'."""
    if "\t" in line:
        yield " | ".join(filter(None, map(str.strip, line.split("\t"))))
        return
    for sentence in _ENDS.split(line):
        whole, *remarks = _BRACKETS.split(sentence)[0::2], *_BRACKETS.split(sentence)[1::2]
        yield from filter(None, [" ".join(filter(None, map(str.strip, whole))), *remarks])
