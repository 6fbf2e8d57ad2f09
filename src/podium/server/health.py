"""Health: whether every part of the house works, and if not, why (EVT-1, INT-5).

A part is `well`, `warning` (play goes on, and somebody should look at it) or `failing` (play has stopped).
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from podium.basics.words import Phrase, english, phrase
from podium.house.growth import Growth
from podium.house.table import Table
from podium.house.table.config import milliseconds
from podium.house.table.pace import Lost, due, nobody
from podium.house.table.phase import Phase

State = Literal["well", "warning", "failing"]
STATES: Final[tuple[State, ...]] = ("well", "warning", "failing")
"""From the best to the worst."""
LATE_MS: Final = 10_000
"""Milliseconds by which a table may be late with what it does by itself."""
AHEAD_MS: Final = 2_000
"""Milliseconds by which a deadline may be further away than its whole time. If it is more, the clock was set back."""
LEAST_DAYS: Final = 7
"""Days for which the disk must last."""
MEGABYTE: Final = 1_000_000
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS


class TableHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a table makes progress."""

    table: str
    state: State
    phase: Phase
    why: Phrase | None = None
    """Why it does not go on by itself: it waits for somebody, is closed, or has a problem."""
    last_at: int = 0
    """When something last happened there."""
    due: int | None = None
    """When it does something by itself; null while it waits for somebody."""


class DiskHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The disk with the data of the house."""

    state: State
    free_bytes: int
    why: Phrase | None = None
    bytes_per_day: int = 0
    """What a day of play adds to the book, if the house has measured it."""
    days: int | None = None
    """How many days the disk lasts at this rate."""


class StoreHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The store of the record."""

    state: State
    kind: Literal["sqlite", "postgresql"]
    why: Phrase | None = None


class WitnessHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The signing of the record, and the witnesses that fetch what was signed (EVT-5)."""

    state: State
    fetched_at: int | None = None
    """When the checkpoints were last fetched, since this start."""
    why: Phrase | None = None


class BackupHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The backups of the record (BAK-1)."""

    state: State
    made_at: int | None = None
    """When the last backup that the house knows of was made."""
    why: Phrase | None = None
    copied_at: int | None = None
    """When a backup or an archive was last copied elsewhere, since this start."""


class ClockHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clock of the house (TIME-1)."""

    state: State
    now: int
    why: Phrase | None = None


class HealthCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """The health of the house and of each of its parts."""

    state: State
    """The worst of all parts."""
    well: bool
    """Whether nothing is failing."""
    tables: list[TableHealth]
    disk: DiskHealth
    store: StoreHealth
    witness: WitnessHealth
    backups: BackupHealth
    clock: ClockHealth
    why: Phrase | None = None
    """Why the whole house has stopped, if it has."""

    def parts(self) -> dict[str, tuple[State, Phrase | None]]:
        """Every part by name, with its state and the reason."""
        return {
            "disk": (self.disk.state, self.disk.why),
            "store": (self.store.state, self.store.why),
            "witness": (self.witness.state, self.witness.why),
            "backups": (self.backups.state, self.backups.why),
            "clock": (self.clock.state, self.clock.why),
            **{f"table {table.table}": (table.state, table.why) for table in self.tables},
        }


def worst(states: Iterable[State]) -> State:
    return max(states, key=STATES.index, default="well")


def table_health(table: Table, now: int, *, away: Phrase | None = None, lost: Lost = nobody) -> TableHealth:
    """Whether a table makes progress, and why not. `away` is the reason if the store takes no writes."""
    phase, when = table.phase(), due(table, lost)
    state, why = _progress(table, phase, when, now)
    if away is not None and when is not None:
        state, why = "failing", away
    return TableHealth(table.name, state, phase, why, table.last_at, when)


def _progress(table: Table, phase: Phase, when: int | None, now: int) -> tuple[State, Phrase | None]:
    if when is None:
        return "well", Phrase(f"health.{_awaited(table, phase)}")
    if when - now > _longest(table) + AHEAD_MS:
        return "failing", phrase("health.table-clock", seconds=(when - now) // 1000)
    if now - when > LATE_MS:
        return "failing", phrase("health.table-late", seconds=(now - when) // 1000)
    return "well", None


def _awaited(table: Table, phase: Phase) -> str:
    """What a table is waiting for when it does nothing by itself."""
    if phase in ("closed", "paused"):
        return f"table-{phase}"
    if phase == "betting" and not table.players:
        return "table-empty"
    return "table-dealer" if table.dealer else "table-without-dealer"


def _longest(table: Table) -> int:
    """The longest time that this table may now take until it does something by itself."""
    config = table.upcoming
    paces = (config.card_seconds, config.result_seconds, config.shuffle_seconds)
    return max(table.window, *map(milliseconds, paces), milliseconds(config.shuffle_seconds + config.result_seconds))


def away_since(since: int | None, now: int) -> Phrase | None:
    """The phrase that says why nothing is stored; `since` is when the store last answered."""
    return None if since is None else phrase("health.store-away", seconds=(now - since) // 1000)


def disk_health(free_bytes: int, rest_mb: int, grows: Growth | None = None) -> DiskHealth:
    """`grows`: what a day adds to the book, once that was measured."""
    rate, days = (grows.bytes, grows.days(free_bytes)) if grows is not None else (0, None)
    if free_bytes < rest_mb * MEGABYTE:
        low = phrase("health.disk-low", free=free_bytes // MEGABYTE, rest=rest_mb)
        return DiskHealth("warning", free_bytes, low, rate, days)
    if grows is not None and grows.whole_day and days is not None and days < LEAST_DAYS:
        fills = phrase("health.disk-fills", grows=rate // MEGABYTE, days=days)
        return DiskHealth("warning", free_bytes, fills, rate, days)
    return DiskHealth("well", free_bytes, None, rate, days)


def backup_health(
    made_at: int | None, hours: int, now: int, copied_at: int | None = None, copy_failed: str = ""
) -> BackupHealth:
    """`copy_failed`: the file that could not be copied elsewhere."""
    if hours and made_at is None:
        return BackupHealth("warning", made_at, phrase("health.backup-none", hours=hours), copied_at)
    if hours and made_at is not None and now - made_at > hours * HOUR_MS:
        age = (now - made_at) // HOUR_MS
        old = phrase("health.backup-old", age=age, hours=hours, clause="BAK-1")
        return BackupHealth("warning", made_at, old, copied_at)
    if copy_failed:
        return BackupHealth("warning", made_at, phrase("health.copy-failed", file=copy_failed), copied_at)
    return BackupHealth("well", made_at, None, copied_at)


def witness_health(
    fetched_at: int | None, minutes: int, *, since: int, now: int, unsigned_since: int | None
) -> WitnessHealth:
    """`since` is when the house began to serve: the minutes of a witness count from then on."""
    if unsigned_since is not None:
        seconds = max(0, now - unsigned_since) // 1000
        return WitnessHealth("warning", fetched_at, phrase("health.not-signed", seconds=seconds, clause="EVT-5"))
    silent = now - (fetched_at or since)
    if minutes and silent > minutes * MINUTE_MS:
        why = phrase("health.no-witness", silent=silent // MINUTE_MS, minutes=minutes, clause="EVT-5")
        return WitnessHealth("warning", fetched_at, why)
    return WitnessHealth("well", fetched_at)


def clock_health(now: int, last_written: int, behind_system: int = 0) -> ClockHealth:
    """TIME-1, TIME-2: whether the house's time is that of the system, and not before the last entry of the journal."""
    behind = last_written - now
    if behind > AHEAD_MS:
        return ClockHealth("warning", now, phrase("health.clock-behind", seconds=behind // 1000, clause="TIME-1"))
    seconds = abs(behind_system) // 1000
    if behind_system > AHEAD_MS:
        return ClockHealth("warning", now, phrase("health.system-clock-ahead", seconds=seconds, clause="TIME-2"))
    if behind_system < -AHEAD_MS:
        return ClockHealth("warning", now, phrase("health.system-clock-behind", seconds=seconds, clause="TIME-2"))
    return ClockHealth("well", now)


english(
    "health",
    {
        "table-clock": "The clock was set back: the table would go on by itself in {seconds} seconds, which is longer than any of its timers.",
        "table-late": "The table should have gone on by itself {seconds} seconds ago.",
        "table-closed": "The table is closed.",
        "table-paused": "The table is paused.",
        "table-empty": "Nobody sits at the table.",
        "table-dealer": "The table waits for its dealer.",
        "table-without-dealer": "The table waits for a dealer to sign in at it.",
        "disk-low": "{free} MB are free on the disk with the data of the house, less than the required {rest} MB.",
        "disk-fills": "At {grows} MB a day, the disk with the data of the house lasts {days} more days.",
        "copy-failed": "{file} could not be copied elsewhere; the events say why.",
        "backup-none": "No backup is known; one is due every {hours} hours.",
        "backup-old": "The last backup is {age} hours old; one is due every {hours} hours.",
        "not-signed": "The record has not been signed for {seconds} seconds.",
        "no-witness": "No witness has fetched the checkpoints for {silent} minutes; one is due every {minutes} minutes.",
        "clock-behind": "The clock is {seconds} seconds behind the last entry of the journal: it was set back.",
        "system-clock-ahead": "The system's clock is {seconds} seconds ahead of the house's own clock, which runs on unchanged. The next start of the house adopts the system's time.",
        "system-clock-behind": "The system's clock is {seconds} seconds behind the house's own clock, which runs on unchanged and never goes back.",
        "store-away": "The store has not answered for {seconds} seconds; play goes on when it is back.",
        "house-stopped": "The house has stopped; its log has the reason.",
    },
)
