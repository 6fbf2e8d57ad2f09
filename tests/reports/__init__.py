"""Recall and reports, from the record of a house that has really played."""

import json
from typing import Any

from podium.house.reports import Records, Report, as_json
from podium.house.reports.recall import RoundRecord
from podium.record.store import Book


def rows(made: Report) -> list[dict[str, Any]]:
    return list(json.loads(as_json(made))["rows"])


def all_rounds(book: Book, records: Records) -> list[RoundRecord]:
    return [records.recall(book, line.table, line.round) for line in records.rounds.newest_first()]
