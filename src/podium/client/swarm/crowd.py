"""All the bots of one process: how they come, where they sit, how they lose connections and how they leave."""

import asyncio
import resource
import signal
import sys
from collections import Counter, deque
from collections.abc import Coroutine
from contextlib import suppress
from random import Random
from time import monotonic, perf_counter, process_time
from typing import Any, Final

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.client.door import SIGN_INS_AT_ONCE, Door
from podium.client.swarm.bot import ANSWER_SECONDS, Bot, Settled
from podium.client.swarm.slip import BetSlip, TooFewCards, differences, money, play
from podium.client.swarm.strategies import STRATEGIES, USUAL_MIX
from podium.client.swarm.tally import Tally
from podium.client.swarm.wall import Wall
from podium.client.terminal import Disconnected, connect
from podium.play import notation
from podium.play.round import Round
from podium.wire.messages import TableCard

REPLAY_SLICE_SECONDS: Final = 0.005
"""Seconds of replaying rounds at a time, so that no bot waits long."""
PULSE_SECONDS: Final = 0.1
SPARE_FILES: Final = 100


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a swarm does. It always ends: after `seconds`, or when every bot has played `rounds`."""

    host: str = "127.0.0.1"
    port: int = 8000
    bots: int = 20
    tables: tuple[str, ...] = ()
    """The tables to play at; every table of the house if none is named."""
    boxes: int = 1
    """The boxes that each bot takes at a table, as far as the table allows them."""
    tables_each: int = 1
    """The tables at which each bot plays at the same time."""
    mix: dict[str, int] = msgspec.field(default_factory=lambda: dict(USUAL_MIX))
    seconds: float = 30
    rounds: int | None = None
    arrivals: float = 0
    """Bots that come per second; 0 for as fast as possible."""
    drops: float = 0
    """Connections that each bot loses per minute."""
    departures: float = 0
    """How often each bot leaves per minute; a new one takes its place."""
    think: float = 0
    """The longest time that a bot takes to act."""
    grace: float = 60
    """How long the bots may take to finish their last round."""
    seed: int = 1
    first: int = 1
    """The number of the first bot, so that those of several processes differ."""

    @property
    def address(self) -> str:
        """The address of the house; `host` may already be a complete one."""
        if "://" in self.host:
            return self.host
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class Crowd:
    """The bots of one process."""

    def __init__(self, plan: Plan, door: Door, tables: list[TableCard]) -> None:
        self.tally: Final = Tally()
        self.stop: Final = asyncio.Event()
        """Stop betting: every bot finishes the round in play and leaves."""
        self.hurry: Final = asyncio.Event()
        """Stop at once, without finishing the round."""
        self._plan: Final = plan
        self._door: Final = door
        self._dice: Final = Random(plan.seed * 1_000_003 + plan.first)
        self._wall: Final = Wall(self.tally)
        self._strategies: Final = [name for name, share in plan.mix.items() for _ in range(share)]
        self._free: Final = {card.table: _places(card) for card in tables}
        self._at: Final = Counter[str]()
        self._bots: Final[set[Bot]] = set()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._to_check: Final[deque[Settled]] = deque()
        self._something_to_check: Final = asyncio.Event()
        self._coming_in: Final = asyncio.Semaphore(SIGN_INS_AT_ONCE)
        self._number = plan.first - 1

    async def run(self) -> None:
        """Runs the bots; returns when the last one is gone."""
        checking = asyncio.create_task(self._keep_checking())
        moving = asyncio.create_task(self._keep_moving())
        coming = asyncio.create_task(self._arrive())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._plan.seconds):
                    await self.stop.wait()
        finally:
            self.stop.set()
            coming.cancel()
            moving.cancel()
            await self._all_leave()
            self._check_all()
            checking.cancel()
            await asyncio.wait([checking, moving, coming])
            self._raise_from(checking, moving, coming)

    def _raise_from(self, *tasks: asyncio.Task[None]) -> None:
        for task in tasks:
            if not task.cancelled() and task.exception() is not None:
                task.result()

    async def _all_leave(self) -> None:
        """Lets every bot finish the round in play; one that cannot is cut off, which is a finding."""
        for bot in self._bots:
            bot.leave()
        hurry = asyncio.create_task(self.hurry.wait())
        gone = asyncio.create_task(self._all_gone())
        await asyncio.wait([hurry, gone], timeout=self._plan.grace, return_when=asyncio.FIRST_COMPLETED)
        for waiting in (hurry, gone):
            waiting.cancel()
        for bot in list(self._bots):
            if self.hurry.is_set():
                self.tally.missed += bot.unsettled
            elif bot.doing:
                bot.find(bot.tables[0], f"A {bot.doing} was never answered.")
            elif bot.in_play:
                bot.find(bot.tables[0], f"A round did not end within {self._plan.grace:g} seconds.")
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _all_gone(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)

    def interrupt(self) -> None:
        """Handles Ctrl-C: once to finish the round, twice to stop at once."""
        (self.hurry if self.stop.is_set() else self.stop).set()

    # --- coming and going -------------------------------------------------------------------------------------------

    async def _arrive(self) -> None:
        started = monotonic()
        for count in range(self._plan.bots):
            if self._plan.arrivals:
                await asyncio.sleep(max(0, started + count / self._plan.arrivals - monotonic()))
            self._send_in()
        if self._plan.rounds is not None:
            await self._all_gone()
            self.stop.set()

    def _send_in(self) -> None:
        self._number += 1
        task = asyncio.create_task(self._live(self._number))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _live(self, number: int) -> None:
        """Runs one bot, from coming in to leaving."""
        tables = self._places()
        strategy = STRATEGIES[self._strategies[number % len(self._strategies)]]
        bot = Bot(
            f"{strategy.name} {number}",
            tables,
            strategy,
            Random(self._plan.seed * 1_000_003 + number),
            boxes=self._plan.boxes,
            think=self._plan.think,
            tally=self.tally,
            wall=self._wall,
            check=self._keep,
        )
        try:
            await self._visit(bot)
        except Disconnected as error:
            self.tally.lost[str(error)] += 1
        except Refused as refusal:
            self.tally.lost[str(refusal)] += 1
        finally:
            self._bots.discard(bot)
            self._at.subtract(dict.fromkeys(tables, self._plan.boxes))
        if not self.stop.is_set() and self._plan.rounds is None:
            self.tally.left += 1
            self._send_in()

    async def _visit(self, bot: Bot) -> None:
        async with self._coming_in:
            admitted = await self._door.guest()
            started = perf_counter()
            house = connect(
                admitted.url, admitted.token, answer_seconds=ANSWER_SECONDS, patience=self._plan.grace, heard=bot.heard
            )
            await house.__aenter__()
            self.tally.took("connect", perf_counter() - started)
        try:
            for place, table in enumerate(bot.tables):
                await house.watch(table, beside=place > 0)
            self._bots.add(bot)
            self.tally.arrived += 1
            self.tally.most_at_once = max(self.tally.most_at_once, len(self._bots))
            if not self.stop.is_set():
                await bot.play(house)
        finally:
            await house.__aexit__(None, None, None)

    def _places(self) -> tuple[str, ...]:
        """The tables with the fewest bots and a free seat; if there is none, the bot watches."""
        tables = list(self._free)
        self._dice.shuffle(tables)
        with_seats = [table for table in tables if self._has_room(table)]
        chosen = sorted(with_seats or tables, key=lambda table: self._at[table])[: self._plan.tables_each]
        self._at.update(dict.fromkeys(chosen, self._plan.boxes))
        return tuple(chosen)

    def _has_room(self, table: str) -> bool:
        places = self._free[table]
        return places is None or self._at[table] < places

    async def _keep_moving(self) -> None:
        """Drops connections and makes bots leave, each at its rate; a bot that has played its rounds leaves too."""
        while True:
            await asyncio.sleep(PULSE_SECONDS)
            for bot in list(self._bots):
                if self._happens(self._plan.drops) and bot.house is not None:
                    self.tally.drops += 1
                    bot.house.drop()
                if self._happens(self._plan.departures):
                    bot.leave()
                if self._plan.rounds is not None and (bot.settled >= self._plan.rounds or bot.watches):
                    bot.leave()

    def _happens(self, per_minute: float) -> bool:
        return per_minute > 0 and self._dice.random() < per_minute * PULSE_SECONDS / 60

    # --- checking ---------------------------------------------------------------------------------------------------

    def _keep(self, settled: Settled) -> None:
        self._to_check.append(settled)
        self._something_to_check.set()

    async def _keep_checking(self) -> None:
        while True:
            await self._something_to_check.wait()
            until = perf_counter() + REPLAY_SLICE_SECONDS
            while self._to_check and perf_counter() < until:
                self._check(self._to_check.popleft())
            if not self._to_check:
                self._something_to_check.clear()
            await asyncio.sleep(0)

    def _check_all(self) -> None:
        while self._to_check:
            self._check(self._to_check.popleft())

    def _check(self, settled: Settled) -> None:
        bot, slip, table, seat = settled
        if slip.corrected:
            self.tally.corrected += 1
            return
        self.tally.checked += 1
        dealt: tuple[str, ...] = ()
        if table.phase == "void":
            found = list(money(seat.view, seat.view.staked, seat.view.staked)) if seat.view is not None else []
        else:
            own = self._wall.game(table.fingerprint)
            if own is None:
                bot.find(table.table, f"The rules {table.fingerprint} were never shown.", number=slip.round)
                return
            dealt = tuple(own.dealing.alone(table.layout, table.cards, slip.seat))
            found = list(differences(own, slip, dealt, seat))
        for what in found:
            bot.find(table.table, what, self._written(table.fingerprint, slip, dealt), slip.round)

    def _written(self, fingerprint: str, slip: BetSlip, dealt: tuple[str, ...]) -> str:
        """The round in notation, as far as the bot's own rules can follow it."""
        game = self._wall.game(fingerprint)
        if game is None:
            return ""
        alone = Round(game)
        with suppress(Refused, TooFewCards):
            play(alone, slip, dealt)
        return notation.write(alone)


def _places(card: TableCard) -> int | None:
    return None if card.seats is None else max(0, card.seats - card.players)


def _chosen(plan: Plan, tables: list[TableCard]) -> list[TableCard]:
    if not tables:
        raise Refused("no-tables")
    known = {card.table: card for card in tables}
    for table in plan.tables:
        if table not in known:
            raise Refused("swarm-table", table=table, tables=known)
    return [known[table] for table in plan.tables] if plan.tables else tables


def _enough_files(bots: int) -> None:
    """Raises the limit of open files: each bot needs a socket."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = bots + SPARE_FILES
    if soft < needed <= hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    elif hard < needed:
        raise Refused("too-few-files", bots=bots, needed=needed, allowed=hard)


def _memory() -> int:
    """The peak memory of this process so far."""
    kilo = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilo


async def swarm(plan: Plan) -> Tally:
    """Plays as planned, until the end or until SIGINT or SIGTERM."""
    async with Door(plan.address) as door:
        crowd = Crowd(plan, door, _chosen(plan, await door.tables()))
        loop = asyncio.get_running_loop()
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        for number in before:
            loop.add_signal_handler(number, crowd.interrupt)
        started, worked, memory = perf_counter(), process_time(), _memory()
        try:
            await crowd.run()
        finally:
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)
        tally = crowd.tally
        tally.seconds = perf_counter() - started
        tally.cpu_seconds = process_time() - worked
        tally.memory = _memory() - memory
        return tally


def run(plan: Plan) -> Tally:
    """One process of bots."""
    _enough_files(plan.bots)
    return _on_a_loop(swarm(plan))


def _on_a_loop(story: Coroutine[Any, Any, Tally]) -> Tally:
    if sys.platform == "win32":
        return asyncio.run(story)
    import uvloop  # noqa: PLC0415  # not made for Windows

    return uvloop.run(story)


english(
    "refused",
    {
        "swarm-table": "--table {table}: there is no such table. The tables are {tables}.",
        "too-few-files": "{bots} bots need {needed} open files and this system allows {allowed}: use fewer bots or --processes.",
    },
)
