"""Recall and reports, from the record of a house that has really played."""

from typing import Any

from podium.house.reports import Records, Report
from podium.house.reports.recall import RoundRecord
from podium.record.store import Book


def rows(made: Report) -> list[dict[str, Any]]:
    """Each row by the names of the columns."""
    return [dict(zip([column.name for column in made.columns], row, strict=True)) for row in made.rows]


def all_rounds(book: Book, records: Records) -> list[RoundRecord]:
    return [records.recall(book, line.table, line.round) for line in records.rounds.newest_first()]
