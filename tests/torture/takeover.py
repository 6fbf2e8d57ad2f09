"""Two processes for one house on two database servers: whichever serves is killed, paused or cut off, and so is its database.
Half of the bots come through gateways, which are killed too, as is the bus.

Bots play all the while. After each fault another process must own the house, everything that any bot was told must be in the
journal, no money may be made or lost, and every table must go on.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import IO, NamedTuple

from podium.house import HouseConfig, write_config
from podium.record.ledger import account
from podium.record.store import Away, Lease, open_book, watch_lease
from podium.record.store.keys import default_folder
from tests.torture.bots import Bot, check_acknowledged, come_in, still_running
from tests.torture.cable import Cable
from tests.torture.cluster import Cluster
from tests.torture.front import Front
from tests.torture.house import TABLES, Proof, free_port
from tests.torture.torture import CREDIT, settle

FAULTS = ("kill", "pause", "partition", "failover", "gateway", "bus", "bus-pause")
BACK_SECONDS = 60.0
"""Seconds within which every table must go on after a fault."""
BUS_SECONDS = 4.0
"""Seconds for which the bus is away: longer than a link may be silent."""


class Standby:
    """One of the two processes."""

    def __init__(self, data: Path, name: str, port: int, config: HouseConfig) -> None:
        self.data = data / name
        self.data.mkdir(parents=True)
        self.port = port
        self.keys = default_folder(data / "one")
        self._config = self.data / "podium.toml"
        self._config.write_text(write_config(config))
        self.cables: list[Cable] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None

    @property
    def pages(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def said(self) -> str:
        return (self.data / "log").read_text()

    def connect(self, cluster: Cluster) -> None:
        """Lays cables of its own to both servers."""
        self.cables = [Cable(server.port) for server in (cluster.primary, cluster.standby)]
        for cable in self.cables:
            cable.lay()

    def start(self, bus: str) -> None:
        hosts = ",".join(f"127.0.0.1:{cable.port}" for cable in self.cables)
        url = f"postgresql://postgres@{hosts}/postgres?target_session_attrs=read-write"
        self._log = (self.data / "log").open("ab")
        command = [sys.executable, "-m", "podium", "serve", "--standby", "--data", str(self.data), "--database", url]
        command += ["--config", str(self._config), "--port", str(self.port), "--keys", str(self.keys)]
        command += ["--bus", bus]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(command, stdout=self._log, stderr=self._log, env=environment)

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        assert self._process.poll() is None, f"The process has ended: {self.said[-3_000:]}"
        self._process.send_signal(number)

    def kill(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._log is not None:
            self._log.close()


class Withstood(NamedTuple):
    """The faults that the house withstood."""

    faults: Counter[str]
    acknowledged: int
    rounds: int
    epochs: int
    """How often a process took the house."""
    slowest: float
    """The longest time from a fault until every bot was told something new, in seconds."""


class TwoProcesses:
    """The house, its two processes, and the bots that play there."""

    def __init__(self, data: Path, cluster: Cluster, seed: int) -> None:
        self.chance = Random(f"takeover {seed}")
        self.cluster = cluster
        config = HouseConfig(guests=True, guest_credit=CREDIT, tables=TABLES)
        self.both = [Standby(data, name, free_port(self.chance), config) for name in ("one", "two")]
        self.front = Front(data, (free_port(self.chance), free_port(self.chance)))
        self.bots: list[Bot] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.proof: Proof | None = None
        self.slowest = 0.0

    async def begin(self, bots: int) -> None:
        self.front.start()
        for process in self.both:
            process.connect(self.cluster)
            process.start(self.front.nats.url)
            async with asyncio.timeout(BACK_SECONDS):
                # The first makes the keys, and the other one waits.
                while not any(word in process.said for word in ("Ctrl-C", "This process waits")):
                    await asyncio.sleep(0.05)
        seats = await come_in(self.both[0].pages, bots)
        everywhere = [f"{process.pages.replace('http', 'ws')}/ws" for process in self.both]
        tables = list(TABLES)
        ways = [everywhere, self.front.sockets]
        self.bots = [
            Bot(seat._replace(url=ways[number // len(tables) % 2]), tables[number % len(tables)], f"takeover {number}")
            for number, seat in enumerate(seats)
        ]
        self.tasks = [asyncio.create_task(bot.run()) for bot in self.bots]
        await self.all_told(0)

    async def lease(self) -> Lease | None:
        """The lease, if it can be read."""

        def look() -> Lease | None:
            with closing(watch_lease(self.cluster.url)) as watch:
                return watch.lease()

        try:
            return await asyncio.to_thread(look)
        except Away:
            return None

    async def _owner(self, other_than: int = 0) -> Standby:
        """The process that owns the house, once its epoch is above another one."""
        async with asyncio.timeout(BACK_SECONDS):
            while True:
                lease = await self.lease()
                if lease is not None and lease.epoch > other_than and not lease.is_over:
                    pid = int(lease.process.rpartition(":")[2])
                    return next(process for process in self.both if process.pid == pid)
                await asyncio.sleep(0.05)

    async def all_told(self, more: int = 1) -> None:
        """Waits until every bot was told of something new: so every table goes on."""
        wanted = {bot: len(bot.acknowledged) + max(1, more) for bot in self.bots}
        try:
            async with asyncio.timeout(BACK_SECONDS):
                while any(len(bot.acknowledged) < wanted[bot] for bot in self.bots):
                    await still_running(self.tasks)
                    await asyncio.sleep(0.02)
        except TimeoutError:
            stuck = Counter(bot.table for bot in self.bots if len(bot.acknowledged) < wanted[bot])
            said = "\n".join(said[-1_500:] for said in [*(process.said for process in self.both), self.front.said])
            raise AssertionError(f"tables that stay away: {stuck}\n{said}") from None

    async def suffer(self, fault: str) -> None:
        """Causes one fault, and checks everything that must hold after it."""
        owner = await self._owner()
        lease = await self.lease()
        assert lease is not None
        await asyncio.sleep(self.chance.uniform(0, 1.0))
        began = asyncio.get_running_loop().time()
        match fault:
            case "kill":
                owner.kill()
                await self._owner(lease.epoch)
                await self._all_go_on(began)
                owner.start(self.front.nats.url)
            case "pause":
                owner.signal(signal.SIGSTOP)
                await self._owner(lease.epoch)
                await self._all_go_on(began)
                owner.signal(signal.SIGCONT)
            case "partition":
                for cable in owner.cables:
                    cable.cut()
                await self._owner(lease.epoch)
                await self._all_go_on(began)
                for cable in owner.cables:
                    cable.mend()
            case "failover":
                await asyncio.to_thread(self.cluster.fail_over)
                await self._all_go_on(began)
                await asyncio.to_thread(self.cluster.mend)
            case "gateway":
                port = self.front.kill_gateway(self.chance.randrange(2))
                await self.all_told()
                self.front.start_gateway(port)
                await self._all_go_on(began)
            case "bus":
                self.front.nats.kill()
                await asyncio.sleep(BUS_SECONDS)
                self.front.nats.start()
                await self._all_go_on(began)
            case "bus-pause":
                self.front.nats.signal(signal.SIGSTOP)
                await asyncio.sleep(BUS_SECONDS)
                self.front.nats.signal(signal.SIGCONT)
                await self._all_go_on(began)
        await self._waits()
        self.prove()

    async def _all_go_on(self, began: float) -> None:
        await self.all_told()
        self.slowest = max(self.slowest, asyncio.get_running_loop().time() - began)

    async def _waits(self) -> None:
        """The process that does not own the house waits again."""

        def look() -> int:
            with closing(watch_lease(self.cluster.url)) as watch:
                return len(watch.waiting())

        async with asyncio.timeout(BACK_SECONDS):
            while await asyncio.to_thread(look) != 1:
                await asyncio.sleep(0.1)

    def prove(self) -> None:
        """The store as it is now, while the house goes on."""
        self.proof = self.proof or Proof(self.both[0].keys)
        with closing(open_book(self.cluster.url, writable=False)) as book, book.at_one_moment() as still:
            self.proof.look(still)
        check_acknowledged(self.bots, self.proof.witness.facts)

    async def finish(self) -> None:
        """Every round comes to its end, and every player sees the credit that is stored."""
        await settle(self.bots, self.tasks)
        self.prove()
        assert self.proof is not None
        for bot in self.bots:
            stands = self.proof.witness.balances[account("credit", bot.seat.name)]
            assert bot.credit == stands, f"{bot.seat.name} sees {bot.credit}, stored is {stands}"

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.front.end()
        for process in self.both:
            with contextlib.suppress(AssertionError):
                process.signal(signal.SIGCONT)
            process.kill()
            for cable in process.cables:
                cable.take_away()


async def withstand(data: Path, cluster: Cluster, faults: Sequence[str], *, bots: int, seed: int = 0) -> Withstood:
    """These faults, one after another, under bots at all five games."""
    house = TwoProcesses(data, cluster, seed)
    try:
        await house.begin(bots)
        for number, fault in enumerate(faults, 1):
            try:
                await house.suffer(fault)
            except BaseException as error:
                error.add_note(f"at fault {number}: {fault}")
                raise
        await house.finish()
        lease = await house.lease()
        assert lease is not None
        assert house.proof is not None
        told = check_acknowledged(house.bots, house.proof.witness.facts)
        return Withstood(Counter(faults), told, house.proof.witness.rounds, lease.epoch, house.slowest)
    finally:
        await house.end()
