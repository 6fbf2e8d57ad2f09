"""Electronic transfers, each with the reference that the other system gave it (MTR-1, REP-2)."""

from typing import Final

from podium.house.events import MoneyMoved, decode
from podium.house.reports.intervals import Interval
from podium.house.reports.postings import entries_in
from podium.house.reports.report import TOTAL, Report, Row, check_rows, column, sheet
from podium.house.state import HOUSE
from podium.record.store import Reading

ELECTRONIC: Final = sheet(
    "electronic-transfers",
    "Electronic transfers",
    (
        column("time", "Time", "time"),
        column("player", "Player"),
        column("by", "By"),
        column("reference", "Reference elsewhere"),
        column("in", "In", "amount", key="electronic-in"),
        column("out", "Out", "amount", key="electronic-out"),
    ),
)


def electronic_transfers(book: Reading, interval: Interval, made: int) -> Report:
    """Every transfer from and to accounts elsewhere."""
    rows: list[Row] = []
    came = went = 0
    for entry in entries_in(book, HOUSE, interval):
        moved = decode(entry.payload) if entry.kind == "money-moved" else None
        if not isinstance(moved, MoneyMoved) or moved.what not in ("electronic-in", "electronic-out"):
            continue
        into = moved.what == "electronic-in"
        came, went = came + moved.amount * into, went + moved.amount * (not into)
        amounts = (moved.amount, None) if into else (None, moved.amount)
        rows.append((entry.time, moved.player, moved.by, moved.reason, *amounts))
        check_rows(len(rows))
    return ELECTRONIC.filled(interval, made, rows, (None, TOTAL, "", "", came, went))
