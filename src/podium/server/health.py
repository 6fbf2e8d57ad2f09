"""Health: whether every part of the house does what it should, and if not, why (EVT-1, INT-5).

A part is `well`, it is `warning` while play goes on and somebody should look at it, or it is `failing` and play stands still.
"""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from podium.basics.words import Phrase, english, phrase
from podium.house.table import Table
from podium.house.table.config import milliseconds
from podium.house.table.pace import Lost, due, nobody
from podium.house.table.phase import Phase

State = Literal["well", "warning", "failing"]
STATES: Final[tuple[State, ...]] = ("well", "warning", "failing")
"""From the best to the worst."""
LATE_MS: Final = 10_000
"""Milliseconds by which a table may be behind what it should have done by itself."""
AHEAD_MS: Final = 2_000
"""Milliseconds by which a deadline may be further away than its whole time: more, and the clock was set back."""
MEGABYTE: Final = 1_000_000
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS


class TableHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether a table makes progress."""

    table: str
    state: State
    phase: Phase
    why: Phrase | None = None
    """Why it does not go on by itself: somebody is awaited, it is closed, or something is wrong."""
    last_at: int = 0
    """When something last happened there."""
    due: int | None = None
    """When it does something by itself; null while it waits for somebody."""


class DiskHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The disk with the data of the house."""

    state: State
    free_bytes: int
    why: Phrase | None = None


class StoreHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The store of the record."""

    state: State
    kind: Literal["sqlite", "postgresql"]
    why: Phrase | None = None


class WitnessHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The signing of the record, and the witnesses that fetch what was signed (EVT-5)."""

    state: State
    fetched_at: int | None = None
    """When anybody last fetched the checkpoints, since this start."""
    why: Phrase | None = None


class BackupHealth(msgspec.Struct, frozen=True, omit_defaults=True):
    """The backups of the record (BAK-1)."""

    state: State
    made_at: int | None = None
    """When the last backup that the house knows of was made."""
    why: Phrase | None = None


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
    """Whether a table makes progress, and why not. `away`: why the store does not take anything, if it does not."""
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
    """What a table waits for that does nothing by itself."""
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
    """Why nothing is stored, if the store has not answered since some time."""
    return None if since is None else phrase("health.store-away", seconds=(now - since) // 1000)


def disk_health(free_bytes: int, rest_mb: int) -> DiskHealth:
    if free_bytes >= rest_mb * MEGABYTE:
        return DiskHealth("well", free_bytes)
    return DiskHealth("warning", free_bytes, phrase("health.disk-low", free=free_bytes // MEGABYTE, rest=rest_mb))


def backup_health(made_at: int | None, hours: int, now: int) -> BackupHealth:
    if not hours or (made_at is not None and now - made_at <= hours * HOUR_MS):
        return BackupHealth("well", made_at)
    if made_at is None:
        return BackupHealth("warning", made_at, phrase("health.backup-none", hours=hours))
    return BackupHealth(
        "warning", made_at, phrase("health.backup-old", age=(now - made_at) // HOUR_MS, hours=hours, clause="BAK-1")
    )


def witness_health(
    fetched_at: int | None, minutes: int, *, since: int, now: int, unsigned_since: int | None
) -> WitnessHealth:
    """`since` is when the house began to serve: a witness has its minutes from then on."""
    if unsigned_since is not None:
        seconds = max(0, now - unsigned_since) // 1000
        return WitnessHealth("warning", fetched_at, phrase("health.not-signed", seconds=seconds, clause="EVT-5"))
    silent = now - (fetched_at or since)
    if minutes and silent > minutes * MINUTE_MS:
        why = phrase("health.no-witness", silent=silent // MINUTE_MS, minutes=minutes, clause="EVT-5")
        return WitnessHealth("warning", fetched_at, why)
    return WitnessHealth("well", fetched_at)


def clock_health(now: int, last_written: int) -> ClockHealth:
    """TIME-1: a clock that stands before the last entry of the journal was set back."""
    behind = last_written - now
    if behind > AHEAD_MS:
        return ClockHealth("warning", now, phrase("health.clock-behind", seconds=behind // 1000, clause="TIME-1"))
    return ClockHealth("well", now)


english(
    "health",
    {
        "table-clock": "The clock was set back: the table would go on by itself in {seconds} seconds, later than any of its times.",
        "table-late": "The table should have gone on by itself {seconds} seconds ago.",
        "table-closed": "The table is closed.",
        "table-paused": "The table is paused.",
        "table-empty": "Nobody sits at the table.",
        "table-dealer": "The table waits for its dealer.",
        "table-without-dealer": "The table waits for a dealer to sign in at it.",
        "disk-low": "{free} MB are left on the disk with the data of the house, less than the rest of {rest} MB.",
        "backup-none": "No backup is known; one is due every {hours} hours.",
        "backup-old": "The last backup is {age} hours old; one is due every {hours} hours.",
        "not-signed": "The record has not been signed for {seconds} seconds.",
        "no-witness": "No witness has fetched the checkpoints for {silent} minutes; one is due every {minutes} minutes.",
        "clock-behind": "The clock stands {seconds} seconds before the last entry of the journal: it was set back.",
        "store-away": "The store has not answered for {seconds} seconds; play goes on when it is back.",
        "house-stopped": "The house has stopped; its log has the reason.",
    },
)
