"""Recall and reports, from the record of a house that has really played."""

from typing import Any

from podium.basics.words import ENGLISH, Phrase
from podium.house.reports import Records, Report
from podium.house.reports.recall import RoundRecord
from podium.record.store import Book


def rows(made: Report) -> list[dict[str, Any]]:
    """Each row by the names of the columns, with what it says in English."""
    names = [column.name for column in made.columns]
    return [dict(zip(names, (_in_english(cell) for cell in row), strict=True)) for row in made.rows]


def _in_english(cell: Any) -> Any:
    return ENGLISH.say(cell) if isinstance(cell, Phrase) else cell


def all_rounds(book: Book, records: Records) -> list[RoundRecord]:
    return [records.recall(book, line.table, line.round) for line in records.rounds.newest_first()]
