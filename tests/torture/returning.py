"""Terminals that watch while the house is killed and started again: every one must come back by itself."""

import asyncio
from pathlib import Path
from random import Random
from typing import NamedTuple

from podium.client import connect
from podium.house import HouseConfig
from podium.house.table import TableConfig
from tests.torture.bots import PATIENCE, Seat, come_in, still_running
from tests.torture.house import TABLES, ServedHouse, free_port

BACK_SECONDS = 60
"""Seconds after a start within which every terminal must have been shown its table again."""


class Onlooker:
    """A terminal that watches a table, and counts how often it was shown one after a welcome."""

    def __init__(self, seat: Seat, table: str) -> None:
        self._seat = seat
        self._table = table
        self.welcomes = 0
        self.shown = 0
        """The welcome after which it was last shown its table."""

    async def run(self) -> None:
        def heard(message: object) -> None:
            match type(message).__name__:
                case "Welcome":
                    self.welcomes += 1
                case "TableView":
                    self.shown = self.welcomes

        async with connect(self._seat.url, self._seat.token, patience=PATIENCE, heard=heard) as house:
            await house.watch(self._table)
            while True:
                await house.changed()


class Returned(NamedTuple):
    restarts: int
    terminals: int
    slowest: float
    """Seconds from the start of the process until the last terminal was shown its table again."""


async def restart_under_terminals(data: Path, database: str, *, restarts: int, terminals: int) -> Returned:
    """Kills and starts a house under terminals that never do anything about it."""
    quiet: dict[str, TableConfig] = {name: TABLES[name] for name in ("stadium-1", "mega-1", "three-1")}
    house = ServedHouse(data, database, free_port(Random("returning")), HouseConfig(guests=True, tables=quiet))
    house.start()
    onlookers = [
        Onlooker(seat, list(quiet)[number % len(quiet)])
        for number, seat in enumerate(await come_in(house.pages, terminals))
    ]
    tasks = [asyncio.create_task(onlooker.run()) for onlooker in onlookers]
    slowest = 0.0
    try:
        await _all_back(onlookers, tasks, 1)
        for _ in range(restarts):
            known = {onlooker: onlooker.welcomes for onlooker in onlookers}
            house.kill()
            began = asyncio.get_running_loop().time()
            await asyncio.to_thread(house.start)
            await _all_back(onlookers, tasks, 1, known)
            slowest = max(slowest, asyncio.get_running_loop().time() - began)
        return Returned(restarts, terminals, slowest)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if house.running:
            house.kill()


async def _all_back(
    onlookers: list[Onlooker],
    tasks: list["asyncio.Task[None]"],
    more: int,
    known: dict[Onlooker, int] | None = None,
) -> None:
    """Waits until every terminal was welcomed again and shown its table after that."""
    before = known or {}

    def missing() -> int:
        return sum(each.shown < before.get(each, 0) + more or each.shown < each.welcomes for each in onlookers)

    try:
        async with asyncio.timeout(BACK_SECONDS):
            while missing():
                await still_running(tasks)
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"{missing()} of {len(onlookers)} terminals did not come back") from None
