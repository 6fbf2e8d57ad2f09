"""Keeps the record safe and the book small while the house is open: makes backups and archives when they are due, and
has the operator's command copy each elsewhere."""

import asyncio
import os
import shlex
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.archiving import DAY_MS, MadeArchive, file_archive, make_archive, next_pruning
from podium.house.events import Noted
from podium.house.growth import Growth, growth
from podium.record.store import Damaged, GroupCommit, open_book
from podium.record.store.archive import Archive
from podium.record.store.archived import FOLDER
from podium.server.floor import Floor
from podium.server.log import log
from podium.server.vigil import Vigil

LOOK_SECONDS: Final = 60
"""Seconds between two looks at what is due."""
HOUR_SECONDS: Final = 3_600
COPY_SECONDS: Final = 3_600
"""Seconds that the command may take for one file; then it is killed."""
RETRY_SECONDS: Final = 900
"""Seconds after which a copy that failed is tried again."""
PRUNING_PAUSE_SECONDS: Final = 0.05
"""Seconds left to the tables between two deletions."""
NICENESS: Final = 10
MAX_SAID_CHARS: Final = 200
"""How much of a failed command's output is noted."""


class Keeper:
    """Makes backups, archives and copies when they are due."""

    def __init__(
        self,
        floor: Floor,
        vigil: Vigil,
        store: GroupCommit,
        data: Path,
        place: str | Path,
        *,
        copy_command: str = "",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._floor: Final = floor
        self._vigil: Final = vigil
        self._store: Final = store
        self._data: Final = data
        self._place: Final = place
        self._copying: Final = _words(copy_command)
        self._monotonic: Final = monotonic
        self._failed_at: float | None = None
        """When a copy failed last, and none was made since."""
        self._measured_at: float | None = None
        self._archived_at: float | None = None

    async def run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Refused as refusal:  # the record is being proved: next time
                log.info("what is due waits", why=str(refusal))
            except Exception:  # one failure must not stop what is due next
                log.exception("what was due could not be done")

    async def look(self) -> None:
        """Does everything that is due."""
        if self._floor.away_since is not None:
            return
        if self._due(self._measured_at):
            self._measured_at = self._monotonic()
            await self.measure()
        config, now = self._floor.house.config, self._floor.clock()
        every = config.backup_every_hours
        if every and now - (self._vigil.backed_up or 0) >= every * HOUR_SECONDS * 1_000:
            await self._vigil.back_up("house")
            await asyncio.to_thread(self._remove_old_backups, config.backups_kept)
        if config.archive_days and self._due(self._archived_at):
            self._archived_at = self._monotonic()
            await self.archive("house", config.archive_days)
        await self.copy()

    def _due(self, last: float | None) -> bool:
        return last is None or self._monotonic() - last >= HOUR_SECONDS

    async def measure(self) -> Growth:
        """Measures how fast the book grows, for the forecast of the disk."""
        self._vigil.growth = await asyncio.to_thread(_growth, self._place, self._floor.clock())
        return self._vigil.growth

    # --- archives ---------------------------------------------------------------------------------------------------

    async def archive(self, by: str, days: int) -> list[Archive]:
        """Moves everything that tables recorded more than this many days ago into archives. Play goes on meanwhile."""
        before, folder = self._floor.clock() - days * DAY_MS, self._data / FOLDER
        made: list[Archive] = []
        async with self._vigil.alone():
            await self._prune()  # finishes what an earlier run was interrupted in
            while (found := await _in_a_process(self._place, folder.absolute(), before)) is not None:
                await self._file(found, by)
                made.append(found.archive)
                await self._prune()
        return made

    async def _file(self, found: MadeArchive, by: str) -> None:
        await self._floor.in_house(lambda now: file_archive(self._floor.house, found, now, by=by))

    async def _prune(self) -> None:
        """Deletes from the book what archives have, a little at a time."""
        while (part := await self._store.find(next_pruning)) is not None:
            await self._store.prune([part])
            await asyncio.sleep(PRUNING_PAUSE_SECONDS)

    # --- copies -----------------------------------------------------------------------------------------------------

    async def copy(self) -> None:
        """Copies every backup and archive that was not copied yet; a failure is a significant event, and the copy is
        tried again (BAK-1)."""
        waits = self._failed_at is not None and self._monotonic() - self._failed_at < RETRY_SECONDS
        if not self._copying or waits:
            return
        for file in await asyncio.to_thread(self._not_copied):
            why = await copied(self._copying, file)
            if why:
                if self._failed_at is None:
                    await self._floor.note(Noted("copy-failed", "house", "", f"{file.name}: {why}"))
                self._failed_at = self._monotonic()
                self._vigil.copy_failed = file.name
                return
            _marker(file).touch()
            self._failed_at, self._vigil.copy_failed = None, ""
            self._vigil.copied_at = self._floor.clock()

    def _not_copied(self) -> list[Path]:
        files = [*(self._data / "backups").glob("*.backup"), *(self._data / FOLDER).glob("*.archive")]
        return sorted((file for file in files if not _marker(file).exists()), key=lambda file: file.stat().st_mtime_ns)

    def _remove_old_backups(self, kept: int) -> None:
        """Removes the oldest backups beyond those that are kept, but none that is still to be copied."""
        files = sorted((self._data / "backups").glob("*.backup"))
        for file in files[:-kept]:
            if not self._copying or _marker(file).exists():
                file.unlink()
                _marker(file).unlink(missing_ok=True)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        raise Refused("copy-command", command=shortened(command)) from None


def _marker(file: Path) -> Path:
    """The empty file that says that this one was copied."""
    return file.with_name(f"{file.name}.copied")


async def copied(command: list[str], file: Path) -> str:
    """Runs a command with a file as its last argument, without a shell and for a limited time; returns why it failed,
    if it did."""
    try:
        running = await asyncio.create_subprocess_exec(
            *command,
            str(file),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return f"{command[0]} cannot be run: {error.strerror}"
    assert running.stderr is not None
    try:
        said = await asyncio.wait_for(_beginning(running.stderr), COPY_SECONDS)
        code = await asyncio.wait_for(running.wait(), COPY_SECONDS)
    except TimeoutError:
        return f"{command[0]} took more than {COPY_SECONDS} s"
    finally:
        if running.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            await running.wait()
    return f"{command[0]} ended with the code {code}. {said}".strip() if code else ""


async def _beginning(stream: asyncio.StreamReader) -> str:
    """The first line of what a program writes until it ends."""
    first = await stream.read(MAX_SAID_CHARS)
    while await stream.read(65_536):
        pass
    return first.decode(errors="replace").partition("\n")[0]


# --- on other threads and in other processes ------------------------------------------------------------------------------


def _growth(place: str | Path, now: int) -> Growth:
    book = open_book(place, writable=False, checked=True)
    try:
        return growth(book, now)
    finally:
        book.close()


async def _in_a_process(place: str | Path, folder: Path, before: int) -> MadeArchive | None:
    """Writes an archive in a process of its own, with a lower priority than the house."""
    where = place.absolute() if isinstance(place, Path) else place
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_give_way) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, _make_archive, where, folder, before)


def _give_way() -> None:
    with suppress(PermissionError):  # where the service may not change priorities
        os.nice(NICENESS)


def _make_archive(place: str | Path, folder: Path, before: int) -> MadeArchive | None:
    book = open_book(place, writable=False, checked=True)
    try:
        with book.at_one_moment() as still:
            return make_archive(still, folder, before)
    except OSError as error:
        raise Damaged(f"No archive could be written to {folder}: {error.strerror}.") from None
    finally:
        book.close()


english("refused", {"copy-command": "{command:quoted} is not a command: write PROGRAM ARGUMENTS."})
