"""The house's checks of itself: its clock, its start and end, its record, its failures (EVT-1)."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.house import House, HouseConfig
from podium.house.events import Noted, decode
from podium.house.growth import Growth
from podium.house.protecting import end_idle_play
from podium.house.reports.intervals import moment
from podium.house.state import HOUSE
from podium.house.verify import Difference, Verified, verify
from podium.record.store import (
    Book,
    Damaged,
    Fenced,
    GroupCommit,
    Reading,
    Stale,
    Unavailable,
    check_backup,
    open_book,
    this_process,
)
from podium.record.store.archived import MissingArchive
from podium.server import limits
from podium.server.clock import HouseClock, is_kept_right
from podium.server.doors import Doors
from podium.server.floor import Floor
from podium.server.health import (
    HealthCard,
    State,
    StoreHealth,
    away_since,
    backup_health,
    clock_health,
    disk_health,
    table_health,
    witness_health,
    worst,
)
from podium.server.log import log, place_of
from podium.server.program import differences, fingerprint, load_manifest, running
from podium.server.signing import Signing
from podium.server.slips import leave, waiting

T = TypeVar("T")

CHECK_SECONDS: Final = 5
"""Seconds between two checks."""
DAY_SECONDS: Final = 24 * 3600
"""Seconds between two comparisons of the program with its manifest: a day."""
CLOCK_JUMP_MS: Final = 2_000
"""Milliseconds by which the clock may differ from the time that has passed since the last check."""
MAX_NOTED_DIFFERENCES: Final = 5
"""Differences of the program that one note lists."""
BACKUP_MADE: Final = "backup-made"
MAX_NOTES_READ: Final = 1_000
"""Notes that are read at a start in search of the last backup."""
OUTAGES: Final = (Fenced, Stale, Unavailable, OSError)
"""Errors that stop a house although the program has no bug."""


class BackedUp(NamedTuple):
    """A backup that was written and read back."""

    file: str
    bytes: int
    sha256: str


class Vigil:
    """Runs the periodic checks."""

    def __init__(
        self,
        doors: Doors,
        floor: Floor,
        data: Path,
        place: str | Path,
        signing: Signing,
        clock: HouseClock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._doors: Final = doors
        self._floor: Final = floor
        self._data: Final = data
        self._place: Final = place
        self._monotonic: Final = monotonic
        self._clock: Final = clock
        self._behind_system = clock.behind_system
        self._kept_right = is_kept_right()
        self._program_checked = monotonic()
        self._long: Final = asyncio.Lock()
        """Held while the record is proved or backed up, which takes longer the longer the record is."""
        self._taken: set[str] = set()
        """Slips that were noted: a slip that cannot be deleted is not noted again."""
        self._signing: Final = signing
        self._began: Final = floor.clock()
        self._latest = 0
        """The latest time of any entry."""
        self._states: dict[str, State] = {}
        """The state of each part that was last noted, where it was not well."""
        self.backed_up: int | None = None
        """When the last backup was made, as far as the house knows."""
        self.copied_at: int | None = None
        """When a backup or an archive was last copied elsewhere, since this start."""
        self.copy_failed = ""
        """The file that could not be copied."""
        self.growth: Growth | None = None
        """What a day adds to the book."""
        self.fetched_at: int | None = None
        """When somebody last fetched the checkpoints."""

    async def run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.look()
            except Exception:  # one failure must not stop terminals from locking next time (CARD-6)
                log.exception("a look around the house failed")

    async def look(self) -> None:
        """Checks everything once."""
        self._floor.turn_away(self._floor.clock(), staff_only=True)
        self._floor.free_seats(self._floor.clock())
        await self._doors.forget()
        if self._floor.house.protection.playing():
            await self._floor.in_house(lambda now: end_idle_play(self._floor.house, now))
        await self._look_at_clock()
        await self._look_at_program()
        await self.take_slips()
        await self._look_at_health()

    async def remember(self, store: GroupCommit) -> None:
        """Reads from the journal what health must know of the time before this start."""
        self._latest = await store.read(last_written)
        self.backed_up = await store.read(last_backup)

    def health(self) -> HealthCard:
        """The current health of the house and of each part."""
        floor, config, now = self._floor, self._floor.house.config, self._floor.clock()
        self._latest = max([self._latest, *(table.last_at for table in floor.house.tables.values())])
        away = away_since(floor.away_since, now)
        tables = [table_health(podium.table, now, away=away, lost=podium.lost) for podium in floor.podiums.values()]
        card = HealthCard(
            state="well",
            well=True,
            tables=tables,
            disk=disk_health(disk_usage(self._data).free, config.disk_rest_mb, self.growth),
            store=StoreHealth(
                "well" if away is None else "failing",
                "sqlite" if isinstance(self._place, Path) else "postgresql",
                away,
            ),
            witness=witness_health(
                self.fetched_at,
                config.witness_minutes,
                since=self._began,
                now=now,
                unsigned_since=self._signing.failing_since,
            ),
            backups=backup_health(self.backed_up, config.backup_hours, now, self.copied_at, self.copy_failed),
            clock=clock_health(now, self._latest, self._clock.behind_system),
        )
        if floor.failed is not None and floor.failed.done():
            return replace(card, state="failing", well=False, why=Phrase("health.house-stopped"))
        state = worst(state for state, _ in card.parts().values())
        return replace(card, state=state, well=state != "failing")

    async def _look_at_health(self) -> None:
        """Notes every part that got worse or better since the last look; while nothing can be stored, it waits."""
        if self._floor.away_since is not None:
            return
        card = self.health()
        self._floor.metrics.health(card)
        for part, (state, why) in card.parts().items():
            before = self._states.get(part, "well")
            if state != before:
                self._states[part] = state
                reason = str(why) if why is not None and state != "well" else "well again"
                await self._floor.note(Noted("health-changed", part, "", reason, before, state))

    async def _look_at_clock(self) -> None:
        """TIME-2: the system's clock is watched; the house's own goes on by the time that passes."""
        before, self._behind_system = self._behind_system, self._clock.behind_system
        moved = self._behind_system - before
        if abs(moved) >= CLOCK_JUMP_MS:
            system = self._clock.system()
            how = f"the clock was set {'on' if moved > 0 else 'back'} by {abs(moved) / 1000:g} s"
            await self._floor.note(Noted("clock-changed", "house", "", how, moment(system - moved), moment(system)))
        knew, self._kept_right = self._kept_right, is_kept_right()
        if knew != self._kept_right:
            how = f"the system {'knows' if self._kept_right else 'does not know'} whether its clock is right"
            await self._floor.note(Noted("clock-changed", "house", "", how))

    async def _look_at_program(self) -> None:
        """VER-2: once a day, the program is compared with its manifest."""
        if self._monotonic() - self._program_checked >= DAY_SECONDS:
            self._program_checked = self._monotonic()
            differs = await asyncio.to_thread(program_differences, self._floor.house.config)
            if differs:
                await self._floor.note(program_note(differs))

    async def take_slips(self) -> None:
        """Notes the slips that were left for the house; a slip is deleted when its note is durable."""
        for file, slip in waiting(self._data, limits.MAX_SLIPS_PER_LOOK):
            if file.name not in self._taken:
                note = slip.note
                reason = f"{note.reason} (at {moment(slip.time)})"
                await self._floor.note(Noted(note.kind, note.source, note.who, reason, note.before, note.after))
                self._taken.add(file.name)
                if note.kind == BACKUP_MADE:
                    self.backed_up = max(self.backed_up or 0, slip.time)
            file.unlink(missing_ok=True)
            if not file.exists():
                self._taken.discard(file.name)

    # --- the record -------------------------------------------------------------------------------------------------

    async def prove(self, by: str) -> Verified:
        """Proves the whole record, on a thread of its own; a record that does not prove itself stops play (INT-5)."""
        self._one_at_a_time()
        try:
            async with self._long:
                verified = await asyncio.to_thread(self._reading, _verify)
        except MissingArchive as missing:  # play needs no archive
            raise Refused("archive-missing", archive=missing.name) from None
        except (Difference, Damaged) as difference:
            await self._floor.note(Noted("integrity-failed", "house", by, str(difference)))
            self._floor.fail(Damaged(str(difference)))
            raise
        proved = f"{verified.store.entries} entries, {verified.rounds} rounds, {verified.documents} documents"
        await self._floor.note(Noted("integrity-checked", "house", by, "no difference was found", after=proved))
        return verified

    async def back_up(self, by: str) -> BackedUp:
        """Writes a backup beside the book (BAK-1)."""
        self._one_at_a_time()
        directory = self._data / "backups"
        directory.mkdir(exist_ok=True)
        if len(list(directory.glob("*.backup"))) >= limits.MAX_BACKUPS:
            raise Refused("backups-full", backups=limits.MAX_BACKUPS, folder=str(directory), clause="BAK-1")
        file = directory / f"{moment(self._floor.clock()).replace(':', '-')}.backup"
        async with self._long:
            checksum = await asyncio.to_thread(self._reading, lambda book: book.back_up(file))
        if await asyncio.to_thread(check_backup, file) != checksum:
            raise Damaged(f"{file} was not read back as it was written.")
        await self._floor.note(Noted(BACKUP_MADE, "house", by, file.name, after=checksum))
        self.backed_up = self._floor.clock()
        return BackedUp(str(file), file.stat().st_size, checksum)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Marks work that takes long and must not run beside other such work."""
        self._one_at_a_time()
        async with self._long:
            yield

    def _one_at_a_time(self) -> None:
        if self._long.locked():
            raise Refused("record-busy")

    def _reading(self, what: Callable[[Book], T]) -> T:
        book = open_book(self._place, writable=False)
        try:
            return what(book)
        finally:
            book.close()


def _verify(book: Book) -> Verified:
    with book.at_one_moment() as still:
        return verify(still)


# --- beginning and ending ------------------------------------------------------------------------------------------------


def last_written(book: Reading) -> int:
    """The time of the very last entry."""
    ends = [entry for stream, head in book.heads().items() for entry in book.entries(stream, head.sequence - 1, 1)]
    return max((entry.time for entry in ends), default=0)


def last_backup(book: Reading) -> int | None:
    """When the last backup was noted, if that is among the last notes."""
    before: int | None = None
    for _ in range(MAX_NOTES_READ):
        entry = book.last(HOUSE, "noted", before)
        if entry is None:
            return None
        noted = decode(entry.payload)
        if isinstance(noted, Noted) and noted.kind == BACKUP_MADE:
            return entry.time
        before = entry.sequence
    return None


def note_return(house: House, last: int, now: int, system: int, taken_from: str = "") -> None:
    """Notes at a start that the house had been interrupted, or that the system's clock is behind the journal. `taken_from`: the
    process that was interrupted, where this is another one."""
    if house.running:
        why = "the program had been interrupted: it did not end as it is told to"
        if taken_from:
            why = f"{this_process()} took the house over from {taken_from}, whose lease had ended"
        house.note(Noted("outage", "house", "", why, moment(last), moment(now)), now)
    if system < last:
        why = "the clock stands before the last entry of the journal"
        house.note(Noted("clock-changed", "house", "", why, moment(last), moment(system)), now)


def program_differences(config: HouseConfig) -> list[str]:
    """How the running program differs from the manifest that the house names (VER-2), one sentence each."""
    if not config.manifest:
        return []
    try:
        return differences(load_manifest(Path(config.manifest), config.manifest_signer), running())
    except Refused as refusal:
        return [str(refusal)]


def program_note(differs: list[str]) -> Noted:
    first = " ".join(differs[:MAX_NOTED_DIFFERENCES])
    more = f" And {len(differs) - MAX_NOTED_DIFFERENCES} more." if len(differs) > MAX_NOTED_DIFFERENCES else ""
    return Noted("program-differs", "house", "", f"{first}{more}", after=fingerprint())


def check_program(house: House, config: HouseConfig, now: int) -> None:
    """VER-2: compares the program with its manifest at the start. A difference is noted, and keeps a strict house closed."""
    if config.program == "strict" and not (config.manifest and config.manifest_signer):
        raise Refused("program-strict-signer", clause="VER-2")
    differs = program_differences(config)
    if differs and config.program == "strict":
        raise UnknownProgram(str(Refused("program-strict", difference=differs[0], clause="VER-2")))
    if differs:
        house.note(program_note(differs), now)


class UnknownProgram(Exception):
    """The program is not the one in the manifest, and the house is configured to stay closed then."""


def note_keys(house: House, ids: dict[str, tuple[str, ...]], now: int) -> None:
    """Notes that the house has different keys than at the last start (SEC-7); keys are named by their ids."""
    if house.version and house.keys != ids:
        why = (
            "the house has other keys than when it last started"
            if house.keys
            else "the house has keys for each purpose now"
        )
        house.note(Noted("keys-changed", "house", "", why, _listed(house.keys), _listed(ids)), now)


def _listed(ids: dict[str, tuple[str, ...]]) -> str:
    return "; ".join(f"{purpose} {' '.join(keys)}" for purpose, keys in ids.items())


async def note_end(floor: Floor) -> None:
    """Notes a regular shutdown. A house that has failed can no longer write."""
    if floor.failed is None or not floor.failed.done() or floor.failed.cancelled():
        with suppress(Exception):
            await floor.note(Noted("house-stopped", "house", "", "the program was told to end"))


def leave_reason(data: Path, error: BaseException, now: int) -> None:
    """Leaves a slip with the reason why the house could not open or had to stop, to be noted when it opens next."""
    kind = (
        "program-differs"
        if isinstance(error, UnknownProgram)
        else "integrity-failed"
        if isinstance(error, Damaged)
        else "outage"
        if isinstance(error, OUTAGES)
        else "program-error"
    )
    reason = str(error) if kind != "program-error" else place_of(error)
    try:
        leave(data, Noted(kind, "podium serve", "", reason), now)
    except OSError:
        log.exception("the reason could not be left", kind=kind)


english(
    "refused",
    {
        "backups-full": "There are {backups} backups in {folder}: move some elsewhere first.",
        "record-busy": "The record is being proved, backed up or archived: ask again when that is done.",
        "archive-missing": "The archive {archive}, which holds what is asked for, is not in its folder: put it back.",
    },
)
