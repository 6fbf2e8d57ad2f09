"""A report: a title, an interval, and a table of rows. One form for all of them (REP-1)."""

import csv
import io
from typing import Literal

import msgspec

from podium.house.reports.intervals import Interval, moment

Kind = Literal["text", "amount", "count", "share", "time"]
"""What stands in a column. Amounts are whole minor units; a share is a part of 1, or nothing where it has no meaning."""

NO_ACTIVITY = "no activity"


class Column(msgspec.Struct, frozen=True):
    """One column: its name for programs, its title for people."""

    name: str
    title: str
    kind: Kind = "text"


Cell = str | int | float | None
Row = tuple[Cell, ...]


class Report(msgspec.Struct, frozen=True):
    """What a report says."""

    name: str
    title: str
    interval: str
    since: int
    until: int
    made: int
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: Row | None = None
    """One more row below the others, where sums mean something."""
    note: str = ""
    """How a figure is meant, where its name does not say it all."""

    @property
    def says(self) -> str:
        """What stands below the title: nothing, or that there is nothing."""
        return "" if self.rows else NO_ACTIVITY


class Sheet(msgspec.Struct, frozen=True):
    """The part of a report that does not change with the interval."""

    name: str
    title: str
    columns: tuple[Column, ...]
    note: str = ""

    def filled(self, interval: Interval, made: int, rows: list[Row], total: Row | None = None) -> Report:
        return Report(
            name=self.name,
            title=self.title,
            interval=interval.title,
            since=interval.since,
            until=interval.until,
            made=made,
            columns=self.columns,
            rows=tuple(rows),
            total=total if rows else None,
            note=self.note,
        )


def as_csv(report: Report) -> str:
    """A report for a spreadsheet: first what it is, then a row of titles, then the rows."""
    page = io.StringIO()
    write = csv.writer(page, lineterminator="\r\n").writerow
    write(["Report", report.title])
    write(["Interval", report.interval])
    write(["From", moment(report.since)])
    write(["Until", moment(report.until)])
    write(["Made", moment(report.made)])
    if report.note:
        write(["Note", report.note])
    write([])
    write([column.title for column in report.columns])
    for row in report.rows:
        write([_written(column.kind, cell) for column, cell in zip(report.columns, row, strict=True)])
    if report.total is not None:
        write([_written(column.kind, cell) for column, cell in zip(report.columns, report.total, strict=True)])
    if not report.rows:
        write([NO_ACTIVITY])
    return page.getvalue()


def _written(kind: Kind, cell: Cell) -> Cell:
    if cell is None:
        return ""
    if kind == "time" and isinstance(cell, int):
        return moment(cell) if cell else ""
    if kind == "share" and isinstance(cell, float):
        return f"{cell:.6f}"
    # What somebody wrote must not become a formula of the spreadsheet that opens it.
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def share(part: float, whole: int) -> float | None:
    """A part of a whole; nothing when there is no whole."""
    return part / whole if whole else None
