"""Recall and reports: what happened, from the record alone.

records = Records()
made = report("table-win", book, records, day("2026-05-28"), now)
as_csv(made)
"""

from collections.abc import Callable
from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english
from podium.house.reports import accounts, cash, electronic, people, performance, practice, protected, tips
from podium.house.reports.intervals import AskedInterval, Interval, between, day, interval_of
from podium.house.reports.recall import RoundRecord, for_player
from podium.house.reports.records import Records, Theory
from podium.house.reports.report import Report, as_csv
from podium.house.reports.rounds import RoundLine
from podium.house.reports.significant import Significant
from podium.record.store import Reading

__all__ = [
    "REPORTS",
    "AskedInterval",
    "Interval",
    "Records",
    "Report",
    "RoundLine",
    "RoundRecord",
    "Significant",
    "Theory",
    "as_csv",
    "between",
    "check_name",
    "day",
    "for_player",
    "interval_of",
    "report",
]

_Make = Callable[[Reading, Records, Interval, int, Theory | None], Report]

_MAKERS: Final[dict[str, tuple[Phrase, _Make]]] = {
    sheet.name: (sheet.title, make)
    for sheet, make in [
        (performance.GAMES, performance.game_performance),
        (
            performance.TABLES,
            lambda book, records, interval, now, _: performance.table_win(book, records, interval, now),
        ),
        (
            accounts.LIABILITY,
            lambda book, records, interval, now, _: accounts.operator_liability(book, records, interval, now),
        ),
        (
            accounts.LARGE,
            lambda book, records, interval, now, _: accounts.large_wins(book, records, interval, now),
        ),
        (
            people.EVENTS,
            lambda book, records, interval, now, _: people.significant_events(book, records, interval, now),
        ),
        (
            practice.PRACTICE,
            lambda book, records, interval, now, _: practice.dealer_practice(book, records, interval, now),
        ),
        (tips.TIPS, lambda book, _, interval, now, __: tips.tips(book, interval, now)),
        (tips.SHARES, lambda book, records, interval, now, _: tips.tip_shares(book, records, interval, now)),
        (accounts.TICKETS, lambda book, _, interval, now, __: accounts.tickets(book, interval, now)),
        (
            electronic.ELECTRONIC,
            lambda book, _, interval, now, __: electronic.electronic_transfers(book, interval, now),
        ),
        (
            accounts.METERS,
            lambda book, records, interval, now, _: accounts.meter_comparison(book, records, interval, now),
        ),
        (
            cash.CASH_BY_PLAYER,
            lambda book, _, interval, now, __: cash.cash_by_player(book, interval, now),
        ),
        (
            protected.PROTECTION,
            lambda book, _, interval, now, __: protected.player_protection(book, interval, now),
        ),
        (people.SESSIONS, lambda book, records, interval, now, _: people.player_sessions(book, records, interval, now)),
    ]
}

REPORTS: Final = {name: title for name, (title, _) in _MAKERS.items()}
"""Every report by its name, with its title."""


def check_name(name: str) -> None:
    """Refuses a report that does not exist."""
    if name not in _MAKERS:
        raise Refused("report-unknown", report=shortened(name), reports=REPORTS)


def report(
    name: str, book: Reading, records: Records, interval: Interval, now: int, *, theory: Theory | None = None
) -> Report:
    """Makes a report from everything recorded up to now."""
    check_name(name)
    records.catch_up(book)
    return _MAKERS[name][1](book, records, interval, now, theory)


english("refused", {"report-unknown": "There is no report {report:quoted}: the reports are {reports}."})
