"""One process of a simulated house, from its start to its end, and who is let into it."""

import asyncio
from collections.abc import Callable, Coroutine
from io import TextIOBase
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from podium.basics.refusal import Refused
from podium.house import House, HouseConfig
from podium.house.table import Table
from podium.server.approvals import Act
from podium.server.known import Where
from podium.server.terminals import Who
from tests.entropy import repeatable
from tests.simulator.desk import Desk
from tests.simulator.disk import SimulatedStore, Temper
from tests.simulator.durable import Caught
from tests.simulator.network import Line
from tests.simulator.state import written
from tests.simulator.witness import Witness

if TYPE_CHECKING:
    from tests.simulator.world import World

T = TypeVar("T")

STANDS_EVERY = 40
HOUSE_STANDS_EVERY = 8
"""Tables and the house are written down far more often than in a real house, so that many a start begins in the middle."""


class Gone(Exception):
    """The process that was asked has died; nobody knows what it did."""


class Admission:
    """Everybody is who the token says; `sue` approves."""

    def __init__(self, roles: dict[str, str]) -> None:
        self.roles = roles

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        if token not in self.roles:
            return None
        reads = token.removeprefix("shoe-") if self.roles[token] == "reader" else ""
        return Who(token, self.roles[token], f"at-{token}", reads=reads)

    def arrives(self, token: str, where: Where, now: int, *, active: bool = False) -> Who | None:
        return self.identify(token, now, active=active)

    def approve(self, act: Act, code: str, now: int) -> str:
        if code != "sue" or act.asker == code:
            raise Refused("approval-unknown")
        return code


class WatchedHouse(House):
    """The house itself; it is checked that whatever it refuses leaves no trace."""

    def at_table(self, name: str, act: Callable[[Table], None]) -> None:
        table = self.tables.get(name)
        before = table and written(table)
        try:
            super().at_table(name, act)
        except Refused as refusal:
            if table and before != written(table):
                raise Caught(f"What was refused ({refusal}) has left a trace at {name}") from refusal
            raise


class HeardLog(TextIOBase):
    """Where the house's log goes: the witness reads every line."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def write(self, text: str) -> int:
        for line in filter(None, text.splitlines()):
            self._witness.reads_log(line)
        return len(text)


class Life:
    """One process of the house, from its start to its end."""

    def __init__(self, world: "World", temper: Temper, chance: Random) -> None:
        self.world = world
        self.over = False
        self.ended: asyncio.Future[None] = world.loop.create_future()
        self.store = SimulatedStore(world.disk, temper, chance, self.crash)
        self.house = WatchedHouse(world.shuffler, snapshot_every=STANDS_EVERY, house_snapshot_every=HOUSE_STANDS_EVERY)
        self._configuring = 0
        self.lines: list[Line] = []

    async def run(self) -> None:
        """Comes back from the journal, opens the tables, and goes on until something ends it."""
        world = self.world
        self.house.come_back(world.disk)
        clock = world.loop.start_house(world.disk.last_written)
        world.witness.compare(self.house.tables, dict(self.house.ledger), "after a start")
        self.house.resume(world.disk.last_written, clock())
        if not self.house.config.tables:
            self.house.configure(world.config, world.loop.now())
        self.house.started("simulated", world.loop.now())
        await self.store.append(self.house.take_entries())
        self.floor = world.floor_kind(self.house, self.store, world.shuffler, world.admission, clock)
        world.witness.absences.house_begins(clock())
        self.desk = Desk(self.floor, world.admission, self.store, repeatable(f"desk {world.seed}"), clock)
        if self.over:
            return  # it crashed at the very moment at which it would have served
        world.life = self
        await self.floor.run()

    def crash(self) -> None:
        """The process is gone, at once."""
        if not self.over:
            self.world.tell("the house crashes")
            self.over = self.store.dead = True
            self.world.life = None
            for line in self.lines:
                line.snap()
            if not self.ended.done():
                self.ended.set_result(None)

    async def ask(self, question: Coroutine[Any, Any, T]) -> T:
        """Lets the process do something, as a request over HTTP would; Gone when it died meanwhile."""
        task: asyncio.Future[Any] = asyncio.ensure_future(question)
        await asyncio.wait([task, self.ended], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            raise Gone
        result: T = task.result()
        return result

    async def configure(self, config: HouseConfig) -> None:
        self._configuring += 1
        try:
            await self.ask(self.floor.in_house(lambda now: self.house.configure(config, now, by="olga")))
            self.floor.open_tables()
        finally:
            self._configuring -= 1

    @property
    def configuring(self) -> bool:
        return self._configuring > 0
