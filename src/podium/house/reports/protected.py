"""Exclusions, players' own limits and reminders (PROT-1)."""

from typing import Final

from podium.house.events import (
    AgeConfirmed,
    ExclusionLifted,
    HouseEvent,
    LimitsChosen,
    PlayerExcluded,
    ReminderRead,
    decode,
)
from podium.house.reports.intervals import Interval
from podium.house.reports.postings import entries_in
from podium.house.reports.report import Cell, Report, Row, check_rows, column, sheet
from podium.house.state import HOUSE
from podium.record.store import Reading

PROTECTION: Final = sheet(
    "player-protection",
    "Player protection",
    (
        column("time", "Time", "time"),
        column("player", "Player"),
        column("kind", "Kind", "event"),
        column("until", "Until", "time"),
        column("loss", "Limit of loss", "amount"),
        column("stake", "Limit at stake", "amount"),
        column("minutes", "Minutes", "count", key="minutes-of-play"),
        column("lost", "Lost", "amount", key="lost-that-day"),
        column("by", "By"),
        column("reason", "Reason"),
    ),
    note="An exclusion without an end time is indefinite. A lower limit applies at once, a higher one a day after it was chosen.",
)
_TOLD: Final = frozenset(
    str(event.__struct_config__.tag)
    for event in (PlayerExcluded, ExclusionLifted, LimitsChosen, AgeConfirmed, ReminderRead)
)


def player_protection(book: Reading, interval: Interval, made: int) -> Report:
    """Everything that happened for the protection of players."""
    rows: list[Row] = []
    for entry in entries_in(book, HOUSE, interval):
        if entry.kind in _TOLD:
            event = decode(entry.payload)
            rows.append((entry.time, *_row(entry.kind, event)))
            check_rows(len(rows))
    return PROTECTION.filled(interval, made, rows)


def _row(kind: str, event: HouseEvent) -> tuple[Cell, ...]:
    match event:
        case PlayerExcluded(player, _, why, until, by, reason):
            return player, f"excluded-{why}", until or None, None, None, None, None, by, reason
        case ExclusionLifted(player, _, by, second, reason):
            return player, kind, None, None, None, None, None, f"{by}, {second}", reason
        case LimitsChosen(player, _, chosen):
            return (
                player,
                kind,
                None,
                chosen.loss or None,
                chosen.stake or None,
                chosen.minutes or None,
                None,
                player,
                "",
            )
        case AgeConfirmed(player, by):
            return player, kind, None, None, None, None, None, by, ""
        case ReminderRead(player, _, minutes, lost):
            return player, kind, None, None, None, minutes, lost, player, ""
    raise TypeError(event)
