"""What strangers at the door cost the players who sit at a table.

A real house plays with seated bots in a process of their own. First they play alone; then strangers come from another process: half-open
connections, headers that never end, floods of requests and of guests, as fast as one processor makes them. The figure is
the ratio of the 99th percentiles of bet or decision to acknowledgement, within one run: it should stay below 2.
`SEATS=200 SECONDS=15 python -m bench strangers`; on two cores the strangers' own work is part of what is measured.
"""

import asyncio
import os
import random
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter

import uvloop

from podium.client import Client, Door, Turn, connect
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.server.serve import Address, close_house, open_house

SEATS = int(os.environ.get("SEATS", "100"))
SECONDS = float(os.environ.get("SECONDS", "15"))
HALF_OPEN = int(os.environ.get("HALF_OPEN", "1000"))
SLOW_SECONDS = 0.5
"""Between two headers of a request that never ends."""
PAUSE_SECONDS = 0.01
"""Between two requests of one stranger of a flood."""
FLOODS = int(os.environ.get("FLOODS", "8"))
TABLE = TableConfig(
    game="stadium-blackjack",
    options={"limits": {"blackjack": [100, 100_000]}},
    betting_seconds=2,
    close_betting_early=True,
    insurance_seconds=2,
    decision_seconds=2,
    result_seconds=1,
    card_seconds=0,
    shuffle_seconds=0,
)


# --- those who play ---------------------------------------------------------------------------------------------------


async def play(house: Client, took: list[float]) -> None:
    """Bets and decides at times of one's own, and writes down how long each acknowledgement took."""
    await house.watch("t1")
    await house.join()
    async for turn in house.turns():
        await asyncio.sleep(random.uniform(0, 0.5))
        began = perf_counter()
        with suppress(Exception):  # too late for this turn
            await act(house, turn)
            took.append(perf_counter() - began)


async def act(house: Client, turn: Turn) -> None:
    if turn.question is None:
        await house.bet({"blackjack": 500})
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


async def half_open(port: int, head: bytes = b"") -> None:
    """Connects, sends the beginning of a request, and waits; connects again when it is cut off."""
    while True:
        with suppress(OSError, RuntimeError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(head)
                while head and not reader.at_eof():
                    writer.write(b"X-More: 1\r\n")
                    await asyncio.sleep(SLOW_SECONDS)
                await reader.read()
            finally:
                writer.close()
        await asyncio.sleep(SLOW_SECONDS)


async def flood(port: int, method: str, path: str) -> None:
    """Asks for something again and again, each time on a new connection."""
    request = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
    while True:
        with suppress(OSError, RuntimeError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            await reader.read()
            writer.close()
        await asyncio.sleep(PAUSE_SECONDS)


def strangers(port: int, told: Pipe) -> None:
    """Does all of it, until ended."""

    async def main() -> None:
        slow = [half_open(port, head) for head in (b"", b"GET /ws HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n")]
        tasks = [asyncio.create_task(one) for one in slow]
        begun = [b"", b"GET /ws HTTP/1.1\r\nHost: x\r\n"]
        tasks += [asyncio.create_task(half_open(port, begun[number % 2])) for number in range(HALF_OPEN)]
        floods = [
            ("POST", "/api/guest"),
            ("GET", "/api/house"),
            ("GET", "/play"),
            ("GET", "/api/proof?table=t1&shoe=1"),
        ]
        tasks += [asyncio.create_task(flood(port, *floods[number % len(floods)])) for number in range(FLOODS)]
        told.send("here")
        await asyncio.gather(*tasks)

    uvloop.run(main())


# --- the house --------------------------------------------------------------------------------------------------------


async def measure(data: Path) -> tuple[list[float], list[float]]:
    """Seconds of every acknowledgement: without strangers, and with them."""
    config = HouseConfig(guests=True, guest_credit=10_000_000, tables={"t1": TABLE})
    opened = await open_house(data, Address(port=0), config=config)
    running = asyncio.create_task(opened.floor.run())
    context, loop = get_context("spawn"), asyncio.get_running_loop()
    ours, theirs = context.Pipe()
    seated = context.Process(target=players, args=(opened.port, theirs))
    seated.start()
    await loop.run_in_executor(None, ours.recv)

    async def sample() -> list[float]:
        ours.send(True)
        await loop.run_in_executor(None, ours.recv)
        until = monotonic() + SECONDS
        while monotonic() < until:
            await asyncio.sleep(0.1)
        ours.send(True)
        took: list[float] = await loop.run_in_executor(None, ours.recv)
        return took

    await asyncio.sleep(SECONDS / 3)
    alone = await sample()
    here, there = context.Pipe()
    crowd = context.Process(target=strangers, args=(opened.port, there), daemon=True)
    crowd.start()
    await loop.run_in_executor(None, here.recv)
    await asyncio.sleep(SECONDS / 3)
    crowded = await sample()
    crowd.terminate()
    ours.send(None)
    await loop.run_in_executor(None, crowd.join)
    await loop.run_in_executor(None, seated.join)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await close_house(opened)
    return alone, crowded


def main() -> None:
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        alone, crowded = runner.run(measure(Path(folder)))
    high = [quantiles(took, n=100)[-1] for took in (alone, crowded)]
    print(f"{SEATS} players at one table; {HALF_OPEN:,} half-open connections and {FLOODS} floods beside them")
    for name, took, worst in (("alone", alone, high[0]), ("with strangers", crowded, high[1])):
        print(
            f"  {name:15} {len(took):6,} acknowledgements, median {median(took) * 1e3:6.1f} ms, 99 % within {worst * 1e3:6.1f} ms"
        )
    print(f"  the 99th percentile is {high[1] / high[0]:.2f} times as long with strangers")


if __name__ == "__main__":
    main()
