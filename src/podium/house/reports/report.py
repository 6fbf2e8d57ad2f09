"""A report: a title, an interval, and a table of rows. One form for all of them (REP-1)."""

import csv
import io
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH, Phrase, english
from podium.house import limits
from podium.house.reports.intervals import Interval, moment

Kind = Literal["text", "amount", "count", "share", "time", "game", "wager", "event", "meter"]
"""The type of a column. Amounts are whole minor units; a share is a fraction of 1, or None where it has no meaning.
Games, wagers, kinds of events and meters are given by name, which each language translates."""

NO_ACTIVITY = Phrase("report.no-activity")
TOTAL = Phrase("report.total")
english("report", {"no-activity": "no activity", "total": "total"})


class Column(msgspec.Struct, frozen=True):
    """One column: its name for programs, its title for people."""

    name: str
    title: Phrase
    kind: Kind = "text"


def column(name: str, title: str, kind: Kind = "text", *, key: str = "") -> Column:
    """A column with its title in English, under its name or under a key of its own where two titles share a name."""
    key = f"column.{key or name}"
    english("report", {key: title})
    return Column(name, Phrase(f"report.{key}"), kind)


Cell = str | int | float | Phrase | None
Row = tuple[Cell, ...]


class Report(msgspec.Struct, frozen=True):
    """The content of a report."""

    name: str
    title: Phrase
    interval: Phrase
    since: int
    until: int
    made: int
    zone: str
    """The time zone in which its times are read."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: Row | None = None
    """A last row with the sums, where they are meaningful."""
    note: Phrase | None = None
    """Explains a figure where its name is not enough."""

    @property
    def says(self) -> Phrase | None:
        """The line below the title: empty, unless the report has no rows."""
        return None if self.rows else NO_ACTIVITY


class Sheet(msgspec.Struct, frozen=True):
    """The part of a report that does not change with the interval."""

    name: str
    title: Phrase
    columns: tuple[Column, ...]
    note: Phrase | None = None

    def filled(self, interval: Interval, made: int, rows: list[Row], total: Row | None = None) -> Report:
        check_rows(len(rows))
        return Report(
            name=self.name,
            title=self.title,
            interval=interval.title,
            since=interval.since,
            until=interval.until,
            made=made,
            zone=interval.zone,
            columns=self.columns,
            rows=tuple(rows),
            total=total if rows else None,
            note=self.note,
        )


def sheet(name: str, title: str, columns: tuple[Column, ...], note: str = "") -> Sheet:
    """A sheet with its title and its note in English."""
    english("report", {name: title, **({f"{name}.note": note} if note else {})})
    return Sheet(name, Phrase(f"report.{name}"), columns, Phrase(f"report.{name}.note") if note else None)


def check_rows(count: int) -> None:
    """Refuses a report that would be too long."""
    if count > limits.MAX_REPORT_ROWS:
        raise Refused("report-too-long", rows=limits.MAX_REPORT_ROWS, clause="REP-1")


english("refused", {"report-too-long": "The report has more than {rows:count} rows: ask for a shorter interval."})


def as_csv(report: Report) -> str:
    """A report for a spreadsheet, in English: a heading, a row of titles, then the rows."""
    page = io.StringIO()
    write = csv.writer(page, lineterminator="\r\n").writerow
    write(["Report", ENGLISH.say(report.title)])
    write(["Interval", ENGLISH.say(report.interval)])
    write(["Time zone", report.zone])
    write(["From", moment(report.since, report.zone)])
    write(["Until", moment(report.until, report.zone)])
    write(["Made", moment(report.made, report.zone)])
    if report.note:
        write(["Note", ENGLISH.say(report.note)])
    write([])
    write([ENGLISH.say(column.title) for column in report.columns])
    for row in report.rows:
        write([_written(column.kind, cell, report.zone) for column, cell in zip(report.columns, row, strict=True)])
    if report.total is not None:
        write(
            [
                _written(column.kind, cell, report.zone)
                for column, cell in zip(report.columns, report.total, strict=True)
            ]
        )
    if not report.rows:
        write([ENGLISH.say(NO_ACTIVITY)])
    return page.getvalue()


def _written(kind: Kind, cell: Cell, zone: str) -> Any:
    if cell is None:
        return ""
    if kind == "time" and isinstance(cell, int):
        return moment(cell, zone) if cell else ""
    if kind == "share" and isinstance(cell, float):
        return f"{cell:.6f}"
    return not_a_formula(ENGLISH.say(cell) if isinstance(cell, Phrase) else cell)


_FORMULAS: Final = tuple(
    "=+-@\t\r\n\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


def not_a_formula(cell: Any) -> Any:
    """A cell for a spreadsheet: text from people must not become a formula in the program that opens it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell


def share(part: float, whole: int) -> float | None:
    """A part of a whole; None if the whole is zero."""
    return part / whole if whole else None
