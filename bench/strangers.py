"""What strangers at the door, and readers of the record, cost the players who sit at a table.

A real house plays with seated bots in a process of their own. For each kind of stranger, quiet phases and phases with strangers take
turns within one run, so that what the machine does meanwhile is seen in both. The figure is the ratio of the 99th percentiles
of bet or decision to acknowledgement, in the median phase with them and the median phase without, so that one phase in which the
machine was busy elsewhere does not decide: it should stay below 2.

The measure is the work that strangers make for the house, not the processor that they take away from it: their process runs at
the lowest priority, and what they send is bounded (`RATES`). On a machine with two processors it still takes some: the
processor time of the house and the lateness of its own turns (the 99th percentile of how much later than planned its event
loop wakes up) are printed beside it, and these do not depend on how quickly the players' process is served. With
`PODIUM_BENCH_DIR` on a disk in memory nobody else's writes are in the figures.
`SEATS=100 SECONDS=6 REPEATS=3 KINDS=guests,sockets python -m bench strangers`
"""

import asyncio
import os
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import chain
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import uvloop

from podium.client import Client, Door, Turn, connect
from podium.house import HouseConfig
from podium.house.reports import REPORTS
from podium.house.table import TableConfig
from podium.server.known import Where
from podium.server.serve import Address, Open, close_house, open_house

SEATS: Final = int(os.environ.get("SEATS", "100"))
SECONDS: Final = float(os.environ.get("SECONDS", "6"))
REPEATS: Final = int(os.environ.get("REPEATS", "3"))
TICK_SECONDS: Final = 0.005
SETTLE_SECONDS: Final = 1.5
"""Seconds before a phase counts, so that the strangers of the last one are gone and those of this one are there."""
HALF_OPEN: Final = 1_000
SLOW_HEADERS: Final = 300
SLOW_SECONDS: Final = 0.5
"""Seconds between two headers of a request that never ends."""
RATES: Final = {"requests": 200, "sign-ins": 100, "guests": 333, "sockets": 200}
"""Requests of each kind per second, from all strangers together: 333 guests a second are 10,000 in half a minute."""
AT_ONCE: Final = 500
READERS: Final = 8
OPERATOR_PASSWORD: Final = "correct horse battery"
TABLE: Final = TableConfig(
    game="stadium-blackjack",
    options={"limits": {"blackjack": [100, 100_000]}},
    betting_seconds=2,
    insurance_seconds=1,
    decision_seconds=1,
    result_seconds=0.5,
    card_seconds=0,
    shuffle_seconds=0,
)
Story = Coroutine[Any, Any, None]


# --- those who play ---------------------------------------------------------------------------------------------------


async def play(house: Client, took: list[float]) -> None:
    """Bets, changes the bet twice and decides at times of one's own, and writes down how long each acknowledgement took."""
    await house.watch("t1")
    await house.join()
    async for turn in house.turns():
        for amount in (500, 600, 700) if turn.question is None else (0,):
            await asyncio.sleep(random.uniform(0, 0.6))
            began = perf_counter()
            with suppress(Exception):  # too late for this turn
                await act(house, turn, amount)
                took.append(perf_counter() - began)


async def act(house: Client, turn: Turn, amount: int) -> None:
    if turn.question is None:
        await house.bet({"blackjack": amount})
    else:
        await house.decide(next(each for each in ("decline", "stand") if each in turn.question.allowed))


def players(port: int, asked: Pipe) -> None:
    """Sits down; then tells what was measured since the last time, whenever the house's process asks."""

    async def main() -> None:
        took: list[float] = []
        async with Door(f"http://127.0.0.1:{port}") as door:
            admitted = [await door.guest() for _ in range(SEATS)]
        houses = [connect(*each) for each in admitted]
        await asyncio.gather(*(house.__aenter__() for house in houses))
        playing = [asyncio.create_task(play(house, took)) for house in houses]
        asked.send("seated")
        while await asyncio.to_thread(asked.recv):
            asked.send(list(took))
            took.clear()
        for task in playing:
            task.cancel()
        await asyncio.gather(*(house.__aexit__(None, None, None) for house in houses), return_exceptions=True)

    uvloop.run(main())


# --- those who do not -------------------------------------------------------------------------------------------------


def from_anywhere() -> tuple[str, int]:
    """An address of this machine that nobody else has: strangers come from many."""
    return f"127.{random.randint(1, 250)}.{random.randint(0, 250)}.{random.randint(1, 250)}", 0


async def half_open(port: int, head: bytes = b"") -> None:
    """Connects, sends the beginning of a request, and waits; connects again when it is cut off."""
    while True:
        with suppress(OSError, RuntimeError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=from_anywhere())
            try:
                writer.write(head)
                while head and not reader.at_eof():
                    writer.write(b"X-More: 1\r\n")
                    await asyncio.sleep(SLOW_SECONDS)
                await reader.read()
            finally:
                writer.close()
        await asyncio.sleep(SLOW_SECONDS)


async def say(port: int, request: bytes) -> None:
    """Asks for something on a connection of its own, and takes the answer."""
    with suppress(OSError, RuntimeError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=from_anywhere())
        writer.write(request)
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), 5)
        writer.close()


def written(method: str, path: str, body: str = "", **headers: str) -> bytes:
    fields = {"Host": "localhost", "Content-Length": str(len(body)), "Connection": "close"} | headers
    return "\r\n".join([f"{method} {path} HTTP/1.1", *(f"{a}: {b}" for a, b in fields.items()), "", body]).encode()


UPGRADE: Final = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
}
FLOODS: Final[dict[str, Callable[[], bytes]]] = {
    "requests": lambda: written("GET", random.choice(["/api/house", "/play", "/api/proof?table=t1&shoe=1", "/x"])),
    "sign-ins": lambda: written("POST", "/api/sign-in", f'{{"name":"n{random.random()}","password":"wrong horse"}}'),
    "guests": lambda: written("POST", "/api/guest"),
    "sockets": lambda: written("GET", "/ws", **UPGRADE),
}


async def flood(port: int, kind: str) -> None:
    """Sends requests of a kind at its rate, each on a new connection, and not more than some at a time."""
    places, began, sent = asyncio.Semaphore(AT_ONCE), perf_counter(), 0
    going: set[asyncio.Task[None]] = set()
    while True:
        await asyncio.sleep(0.005)
        due = int((perf_counter() - began) * RATES[kind])
        for _ in range(min(due - sent, AT_ONCE)):
            await places.acquire()
            task = asyncio.create_task(say(port, FLOODS[kind]()))
            going.add(task)
            task.add_done_callback(going.discard)
            task.add_done_callback(lambda _: places.release())
        sent = due


async def read(port: int, token: str) -> None:
    """Asks for reports, events and rounds without a pause, like an auditor's or an operator's screen."""
    reports = [f"/api/reports/{name}" for name in REPORTS]
    paths = ["/api/events", "/api/recall?table=t1&round=1", *reports]
    while True:
        await say(port, written("GET", random.choice(paths), Cookie=f"podium={token}"))


def stories(kind: str, port: int, token: str) -> list[Story]:
    """What strangers of a kind do at the same time."""
    match kind:
        case "half-open":
            return [half_open(port) for _ in range(HALF_OPEN)]
        case "slow headers":
            return [half_open(port, b"GET /ws HTTP/1.1\r\nHost: x\r\n") for _ in range(SLOW_HEADERS)]
        case "readers":
            return [read(port, token) for _ in range(READERS)]
        case "all strangers":
            return [each for other in KINDS[:-2] for each in stories(other, port, token)]
    return [flood(port, kind)]


KINDS: Final = ["half-open", "slow headers", *FLOODS, "all strangers", "readers"]


def strangers(port: int, token: str, told: Pipe) -> None:
    """Does what it is told to until it is told something else."""
    os.nice(19)

    async def main() -> None:
        going: list[asyncio.Task[None]] = []
        while kind := await asyncio.to_thread(told.recv):
            for task in going:
                task.cancel()
            await asyncio.gather(*going, return_exceptions=True)
            going = [asyncio.create_task(story) for story in (stories(kind, port, token) if kind != "quiet" else [])]

    uvloop.run(main())


# --- the house --------------------------------------------------------------------------------------------------------


class Lateness:
    """How much later than planned the event loop of the house wakes up."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def watch(self) -> None:
        while True:
            began = perf_counter()
            await asyncio.sleep(TICK_SECONDS)
            self.seconds.append(perf_counter() - began - TICK_SECONDS)


class Phases(NamedTuple):
    """What was measured in the phases without strangers and with them."""

    quiet: list[list[float]]
    crowded: list[list[float]]
    quiet_work: float
    """The share of one processor that the house took."""
    crowded_work: float
    quiet_late: list[float]
    crowded_late: list[float]


async def measure(opened: Open, seated: Pipe, crowd: Pipe, kind: str) -> Phases:
    """Seconds of every acknowledgement, in phases that take turns."""
    loop = asyncio.get_running_loop()
    late = {"quiet": Lateness(), kind: Lateness()}

    async def phase(said: str) -> tuple[list[float], float]:
        crowd.send(said)
        await asyncio.sleep(SETTLE_SECONDS)
        seated.send(True)
        await loop.run_in_executor(None, seated.recv)
        began, worked = perf_counter(), process_time()
        watching = asyncio.create_task(late[said].watch())
        await asyncio.sleep(SECONDS)
        watching.cancel()
        share = (process_time() - worked) / (perf_counter() - began)
        seated.send(True)
        took: list[float] = await loop.run_in_executor(None, seated.recv)
        return took, share

    found = [(await phase("quiet"), await phase(kind)) for _ in range(REPEATS)]
    crowd.send("quiet")
    quiet, crowded = zip(*found, strict=True)
    shares = [sum(share for _, share in each) / REPEATS for each in (quiet, crowded)]
    turns = [late[each].seconds for each in ("quiet", kind)]
    return Phases([took for took, _ in quiet], [took for took, _ in crowded], *shares, *turns)


def report(kind: str, phases: Phases) -> None:
    quiet, crowded = ([ninety_nine(took) for took in each] for each in (phases.quiet, phases.crowded))
    every = [list(chain.from_iterable(each)) for each in (phases.quiet, phases.crowded)]
    ratio = median(crowded) / median(quiet)
    print(
        f"  {kind:14} 99 % within {' '.join(f'{q * 1e3:.0f}/{c * 1e3:.0f}' for q, c in zip(quiet, crowded, strict=True))} ms"
        f" quiet/with them, median {median(every[0]) * 1e3:.1f}/{median(every[1]) * 1e3:.1f} ms,"
        f" the house works {phases.quiet_work:.0%}/{phases.crowded_work:.0%},"
        f" its turns are late by {ninety_nine(phases.quiet_late) * 1e3:.1f}/{ninety_nine(phases.crowded_late) * 1e3:.1f} ms:"
        f" ratio {ratio:.2f}",
        flush=True,
    )


def ninety_nine(took: list[float]) -> float:
    return quantiles(took, n=100)[-1]


async def operator_of(opened: Open) -> str:
    """The token of the first operator."""
    assert opened.invitation is not None
    token = opened.invitation.partition("#")[2]
    came_in = await opened.reception.enrolment.accept(opened.floor, token, OPERATOR_PASSWORD, Where())
    return came_in.token


async def run(data: Path, kinds: list[str]) -> None:
    config = HouseConfig(guests=True, guest_credit=10_000_000, tables={"t1": TABLE})
    opened = await open_house(data, Address(port=0), config=config)
    running = asyncio.create_task(opened.floor.run())
    context, loop = get_context("spawn"), asyncio.get_running_loop()
    (seated, players_end), (crowd, strangers_end) = context.Pipe(), context.Pipe()
    token = await operator_of(opened)
    playing = context.Process(target=players, args=(opened.port, players_end))
    coming = context.Process(target=strangers, args=(opened.port, token, strangers_end))
    for process in (playing, coming):
        process.start()
    await loop.run_in_executor(None, seated.recv)
    try:
        for kind in kinds:
            report(kind, await measure(opened, seated, crowd, kind))
    finally:
        for pipe in (seated, crowd):
            pipe.send(None)
        for process in (playing, coming):
            await loop.run_in_executor(None, process.join)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await close_house(opened)


def main() -> None:
    asked = os.environ.get("KINDS", "")
    kinds = asked.split(",") if asked else KINDS
    print(f"{SEATS} players at one table, {REPEATS} times {SECONDS:g} s without strangers and with each kind of them:")
    with (
        TemporaryDirectory(dir=os.environ.get("PODIUM_BENCH_DIR")) as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(run(Path(folder), kinds))


if __name__ == "__main__":
    main()
