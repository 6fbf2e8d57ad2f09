"""The patrol proves the book while the house is open, so that a start need not: every hour it adds up what is new, and
once a day it lets the database read every page. A fault stops the house, as it would have kept it from opening
(INT-5)."""

import asyncio
from pathlib import Path
from typing import Final

from podium.house.events import Noted
from podium.record.store import Damaged, proved_past
from podium.record.store.sqlite import SqliteBook
from podium.server.floor import Floor
from podium.server.log import log

FIRST_SECONDS: Final = 60
"""Seconds from the opening to the first patrol; the start has just checked everything, or what is younger than the last
patrol."""
HOUR_SECONDS: Final = 3600
DAY_MS: Final = 24 * HOUR_SECONDS * 1000


class Patrol:
    """Proves the past of one book periodically."""

    def __init__(self, floor: Floor, place: Path) -> None:
        self._floor: Final = floor
        self._place: Final = place

    async def run(self) -> None:
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            await self.look()
            await asyncio.sleep(HOUR_SECONDS)

    async def look(self) -> None:
        """Makes one patrol."""
        try:
            await asyncio.to_thread(go_through, self._place, self._floor.clock())
        except Damaged as damaged:
            await self._floor.note(Noted("integrity-failed", "house", "", str(damaged)))
            self._floor.fail(damaged)
        except Exception:  # a file that cannot be read now is tried again in an hour
            log.exception("the book could not be gone through")


def go_through(place: Path, now: int) -> None:
    """Proves what is younger than the past of a book, and notes how far it came; once a day it reads every page."""
    book = SqliteBook(place, writable=False, checked=True)
    try:
        past, read_at = book.past(), now
        if past is None or now - past.read_at >= DAY_MS:
            book.read_through()
        else:
            read_at = past.read_at
        with book.at_one_moment() as still:
            proved = proved_past(still, past, read_at)
        book.note_past(proved)
    finally:
        book.close()
