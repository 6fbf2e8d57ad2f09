"""A round from socket to socket: what a seat, a command and a frame cost the server's processor, all told.

The house is real: gateway, sessions, rules, journal, ledger and SQLite, in a process of its own. The terminals are a program in C
that thinks up to three seconds before it acts, and disturbs nothing. Two other servers carry the same load with the same terminals
in the same run: a bare loop in C that writes frames of the same number and size and answers each command, whose cost is added to
that of a bare store for the same entries; and a bare gateway that makes each command durable before it answers.

    python -m bench.sockets [--seats 100,1000] [--tables 1] [--rounds 2] [--think 3]

`--watching 2000` adds terminals that only watch: what a broadcast costs. Each terminal is an open file in both processes.
"""

import argparse
import asyncio
import json
import os
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, time
from typing import Any, Final, NamedTuple

import uvloop

from bench._plain_c import compiled_program
from podium.house import HouseConfig
from podium.house.people import Session, begin_nameless
from podium.house.table import TableConfig
from podium.record.journal import Chain, Entry
from podium.record.ledger import Transfer, account
from podium.record.store import BOOK, GroupCommit, open_book, read_stream
from podium.server.bus.nats import BusAddress
from podium.server.clock import system_clock as clock
from podium.server.garbage import collect_when_calm
from podium.server.gateway import Connection, Limits, broadcast, picows
from podium.server.known import UNENROLLED
from podium.server.serve import Address, Open, close_house, open_house

TABLE: Final = TableConfig(
    "stadium-blackjack",
    betting_seconds=5,
    decision_seconds=5,
    insurance_seconds=5,
    result_seconds=2,
    card_seconds=0.5,
    shuffle_seconds=1,
    attendant_pays_from=0,
    boxes=1,
)
CREDIT: Final = 100_000_00
TALK_MS: Final = 8_000
"""Milliseconds for which the bare servers carry the load of one round."""
SPREAD_MS: Final = 20
"""The longest time, in milliseconds, over which the commands of one turn are assumed to have come."""
MOST_FILES: Final = 19_500


class Costs(NamedTuple):
    """Seconds of a server's processor, and what it did in them."""

    seconds: float
    seat_rounds: int
    commands: int
    frames: int

    def __str__(self) -> str:
        return (
            f"{self.seconds / self.seat_rounds * 1e3:7.3f} ms a seat and round,"
            f" {self.seconds / self.commands * 1e6:7.1f} us a command, {self.seconds / self.frames * 1e6:6.1f} us a frame"
        )


def used_seconds(process: int) -> float:
    """The processor time of all threads of a process."""
    tasks = Path(f"/proc/{process}/task")
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9


def resident_mb(process: int) -> float:
    """The memory of a process."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


# --- the terminals ------------------------------------------------------------------------------------------------------


class Terminals:
    """The program with the terminals: it takes one order after another."""

    def __init__(self, program: Path, port: int, count: int, tables: int, think: float, tokens: Path) -> None:
        arguments = [str(program), "terminals", *map(str, (port, count, tables, round(think * 1000), tokens))]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def order(self, order: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()

    def hears(self) -> str:
        assert self._process.stdout is not None
        line: str = self._process.stdout.readline().strip()
        if not line:
            raise SystemExit("The terminals have failed.")
        return line

    def do(self, order: str) -> None:
        self.order(order)
        self.hears()

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.hears())
        self.hears()
        return told

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# --- the house ----------------------------------------------------------------------------------------------------------


def run_house(data: Path, seats: int, tables: int, tokens: Path, bus: BusAddress | None, pipe: Pipe) -> None:
    """A process with a whole house, where every player is signed in and has credit; `bus`: with gateways elsewhere."""

    async def house() -> None:
        config = HouseConfig(
            connections_per_address=MOST_FILES, tables={f"t{each + 1}": TABLE for each in range(tables)}
        )
        opened = await open_house(data, Address("127.0.0.1", 0), config=config, bus=bus)
        running = asyncio.create_task(opened.floor.run())
        opened.watching.append(asyncio.create_task(collect_when_calm(opened.house.tables.values())))
        tokens.write_text("".join(f"{token}\n" for token in sign_in(opened, seats)))
        await opened.floor.keep()
        pipe.send(opened.port)
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        running.cancel()
        await close_house(opened)

    uvloop.run(house())


def sign_in(opened: Open, seats: int) -> Iterator[str]:
    """Admits players, and returns their tokens."""
    for number in range(seats):
        name, now, token = f"p{number}", clock(), opened.doors.tokens.draw()
        opened.house.admit(name, "card", now)
        opened.house.pay_in(name, CREDIT, now, key=f"in.{number}", by="desk")
        session = begin_nameless(name, opened.doors.tokens.key(Session, token), UNENROLLED, now)
        opened.doors.sessions.begin(session, now)
        yield token


@contextmanager
def process(target: Any, *args: Any) -> Iterator[tuple[int, int]]:
    """Runs a server; yields its process and its port."""
    ours, theirs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=target, args=(*args, theirs))
    server.start()
    theirs.close()  # so that a server that fails ends the measurement
    try:
        yield server.pid or 0, ours.recv()
    finally:
        ours.send(None)
        server.join()


class Played(NamedTuple):
    """What a house did, and what the terminals saw of it."""

    costs: Costs
    saw: dict[str, Any]
    players: int
    watching: int
    since: int
    until: int
    memory: tuple[float, float]

    @property
    def of_everybody(self) -> int:
        return sum(self.saw["frames"][kind][0] for kind in ("table", "counts", "history", "rules", "other"))

    def per_terminal(self, *kinds: str) -> tuple[float, int]:
        """How many frames of these kinds a terminal got in a round, and their bytes on average."""
        frames = [self.saw["frames"][kind] for kind in kinds]
        count, size = sum(each[0] for each in frames), sum(each[1] for each in frames)
        rounds = self.costs.seat_rounds / self.players
        return count / (self.players + self.watching) / rounds, round(size / count) if count else 0


@contextmanager
def full_hall(program: Path, data: Path, options: argparse.Namespace, seats: int) -> Iterator[tuple[int, Terminals]]:
    """Lets terminals come in, and prints what that cost. Yields the process of the house, and its terminals."""
    count, tokens = seats + options.watching, data.with_suffix(".tokens")
    with process(run_house, data, count, options.tables, tokens, None) as (server, port):
        terminals = Terminals(program, port, count, options.tables, options.think, tokens)
        entered = []
        for order, how_many in (("connect", count), ("watch", count), (f"join {seats}", seats)):
            before = used_seconds(server)
            terminals.do(order)
            terminals.do("quiet 300")
            entered.append(f"{order.split()[0]} {(used_seconds(server) - before) / how_many * 1e6:.0f} us")
        print(f"  coming in, of the processor for each terminal: {', '.join(entered)}")
        yield server, terminals
        terminals.end()


def play_rounds(server: int, terminals: Terminals, rounds: int) -> tuple[float, dict[str, Any]]:
    """Waits for the next round and lets that many be played: seconds of the processor, and what the terminals saw."""
    terminals.order(f"play {rounds}")
    if terminals.hears() != "begun":
        raise SystemExit("The terminals have not begun to play.")
    before = used_seconds(server)
    saw = terminals.told()
    return used_seconds(server) - before, saw


def play(program: Path, data: Path, options: argparse.Namespace, seats: int) -> Played:
    """Lets a house play, and prints what it cost to come in."""
    with full_hall(program, data, options, seats) as (server, terminals):
        since, memory = time(), resident_mb(server)
        spent, saw = play_rounds(server, terminals, options.rounds)
        until, grown = time(), resident_mb(server)
    frames = sum(each[0] for each in saw["frames"].values())
    costs = Costs(spent, saw["bets"], saw["commands"], frames)
    return Played(costs, saw, seats, options.watching, int(since * 1e3), int(until * 1e3), (memory, grown))


# --- the bare servers ---------------------------------------------------------------------------------------------------


class Load(NamedTuple):
    """What one round of a house asks of a bare server, for each terminal."""

    terminals: int
    frames: int
    frame_bytes: int
    own: int
    own_bytes: int
    commands: int
    answer_bytes: int

    @property
    def order(self) -> str:
        return f"go {TALK_MS} {self.frames} {self.frame_bytes} {self.own} {self.own_bytes} {self.answer_bytes}"

    def costs(self, seconds: float) -> Costs:
        frames = self.frames + self.own + self.commands
        return Costs(seconds, self.terminals, self.terminals * self.commands, self.terminals * frames)


def load_of(played: Played) -> Load:
    shown, shown_bytes = played.per_terminal("table", "counts", "history", "rules", "other")
    own, own_bytes = played.per_terminal("seat")
    answers = played.saw["frames"]["acknowledged"]
    terminals = played.players + played.watching
    commands = played.costs.commands / played.costs.seat_rounds * played.players / terminals
    return Load(
        terminals, round(shown), shown_bytes, round(own), own_bytes, max(1, round(commands)), answers[1] // answers[0]
    )


def bare_loop(program: Path, tokens: Path, load: Load) -> Costs:
    """The processor time of a loop in C for the same frames and commands."""
    loop = subprocess.Popen(
        [program, "loop", str(load.terminals)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert loop.stdin is not None
    assert loop.stdout is not None
    terminals = Terminals(program, int(loop.stdout.readline()), load.terminals, 1, 0, tokens)
    terminals.do("connect")
    loop.stdin.write(f"{load.order}\n")
    loop.stdin.flush()
    terminals.order(f"talk {load.commands} {TALK_MS}")
    used = json.loads(loop.stdout.readline())["cpu_us"]
    terminals.told()
    terminals.end()
    loop.stdin.close()
    loop.wait()
    return load.costs(used / 1e6)


class DurableEcho:
    """A desk that makes each command durable before it answers: an entry with one transfer."""

    def __init__(self, store: GroupCommit) -> None:
        self.present: list[Connection] = []
        self._store: Final = store
        self._chain: Final = Chain("t1")
        self._waiting: deque[Connection] = deque()
        self._wake: Final = asyncio.Event()

    def opened(self, connection: Connection) -> None:
        self.present.append(connection)

    def heard(self, connection: Connection, message: bytes) -> None:
        self._waiting.append(connection)
        self._wake.set()

    def closed(self, connection: Connection) -> None:
        pass

    async def run(self, answer: bytes) -> None:
        payload = b'{"is":"decided","seat":1234,"decision":"stand","credit":1234500}'
        while True:
            await self._wake.wait()
            self._wake.clear()
            taken, self._waiting = self._waiting, deque()
            await self._store.append([self._chain.add(clock(), "decided", payload, (self._moved(),)) for _ in taken])
            for connection in taken:
                connection.send(answer)

    def _moved(self) -> Transfer:
        number = self._chain.head.sequence
        stake = account("cage", "main"), account("credit", f"p{number % 1_000}")
        return Transfer(f"t1.{number}.1.stake", *stake, 1_500, "cash-in", table="t1", round="17")


def run_gateway(data: Path, load: Load, pipe: Pipe) -> None:
    """A process with a bare gateway and a store."""

    async def gateway() -> None:
        store = GroupCommit(open_book(data))
        desk = DurableEcho(store)
        unlimited = Limits(
            messages_per_second=1e9,
            burst=1_000_000_000,
            connections=load.terminals,
            connections_per_address=load.terminals,
            idle_seconds=3_600,
        )
        listening = await picows.listen(desk, "127.0.0.1", 0, unlimited)
        loop = asyncio.get_running_loop()
        answer = b'{"is":"acknowledged"'.ljust(load.answer_bytes, b"x")
        answering = asyncio.create_task(desk.run(answer))
        pipe.send(listening.port)
        await loop.run_in_executor(None, pipe.recv)
        count, began = load.frames + load.own, loop.time()
        for each in range(count):
            await asyncio.sleep(began + each * TALK_MS / 1e3 / count - loop.time())
            size = load.own_bytes if each * load.own // count != (each + 1) * load.own // count else load.frame_bytes
            broadcast(desk.present, b'{"is":"other"'.ljust(size, b"x"))
        pipe.send("shown")
        await loop.run_in_executor(None, pipe.recv)
        answering.cancel()
        await listening.close()
        await store.close()

    uvloop.run(gateway())


def bare_gateway(program: Path, data: Path, tokens: Path, load: Load) -> Costs:
    """The processor time of a gateway with a store for the same frames and commands."""
    ours, theirs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=run_gateway, args=(data, load, theirs))
    server.start()
    theirs.close()
    terminals = Terminals(program, ours.recv(), load.terminals, 1, 0, tokens)
    terminals.do("connect")
    terminals.do("quiet 300")
    before = used_seconds(server.pid or 0)
    ours.send("go")
    terminals.order(f"talk {load.commands} {TALK_MS}")
    terminals.told()
    ours.recv()
    spent = used_seconds(server.pid or 0) - before
    terminals.end()
    ours.send("end")
    server.join()
    return load.costs(spent)


def bare_store(data: Path, into: Path, played: Played, *, in_turns: bool) -> float:
    """Seconds of the processor to store the entries that the house wrote while it was measured: in the batches of its turns, or
    each as it came, those of one turn spread over the time until the next."""
    book = open_book(data / BOOK, writable=False)
    entries = sorted(
        (entry for stream in book.heads() for entry in read_stream(book, stream)), key=lambda entry: entry.time
    )
    book.close()
    before = [entry for entry in entries if entry.time < played.since]
    turns = groupby((entry for entry in entries if played.since <= entry.time < played.until), lambda each: each.time)
    listed = [list(turn) for _, turn in turns]
    return asyncio.run(_store_turns(into, before, listed) if in_turns else _store_each(into, before, listed))


async def _store_turns(into: Path, before: list[Entry], turns: list[list[Entry]]) -> float:
    kept = GroupCommit(open_book(into))
    await kept.append(before)
    used = process_time()
    for turn in turns:
        await kept.append(turn)
    spent = process_time() - used
    await kept.close()
    return spent


async def _store_each(into: Path, before: list[Entry], turns: list[list[Entry]]) -> float:
    kept = GroupCommit(open_book(into))
    await kept.append(before)
    used, began, first = process_time(), perf_counter(), turns[0][0].time
    waiting: list[asyncio.Task[None]] = []
    for turn, following in pairwise([*turns, turns[-1]]):
        apart = min(max(following[0].time - turn[0].time, 0), SPREAD_MS) / len(turn)
        for number, entry in enumerate(turn):
            await asyncio.sleep((turn[0].time - first + number * apart) / 1e3 - (perf_counter() - began))
            waiting.append(asyncio.create_task(kept.append((entry,))))
    await asyncio.gather(*waiting)
    spent = process_time() - used
    await kept.close()
    return spent


# --- what it comes to ---------------------------------------------------------------------------------------------------


def measure(program: Path, directory: Path, options: argparse.Namespace, seats: int) -> None:
    data = directory / f"house-{seats}"
    watching = f", {options.watching:,} watch" if options.watching else ""
    print(f"{seats:,} seats at {options.tables} table{'s' * (options.tables > 1)}{watching}, {options.rounds} rounds")
    played = play(program, data, options, seats)
    load, tokens = load_of(played), data.with_suffix(".tokens")
    loop = bare_loop(program, tokens, load)
    in_turns = bare_store(data, directory / f"turns-{seats}.db", played, in_turns=True)
    each = bare_store(data, directory / f"each-{seats}.db", played, in_turns=False)
    gateway = bare_gateway(program, directory / f"gateway-{seats}.db", tokens, load)
    costs = played.costs
    # The bare servers carried one round, whose numbers of frames and commands were rounded.
    written = costs.frames * loop.seconds / loop.frames
    through = costs.frames * gateway.seconds / gateway.frames
    rows = {
        "house": costs.seconds,
        "bare gateway, store with each command": through,
        "bare loop in C, store with each command": written + each,
        "bare loop in C, store in the house's batches": written + in_turns,
    }
    for name, seconds in rows.items():
        print(f"  {name:46}{costs._replace(seconds=seconds)}; the house is {costs.seconds / seconds:.2f} times that")
    shown = {kind: played.per_terminal(kind) for kind in ("table", "counts", "seat", "history", "acknowledged")}
    print(
        "  frames for a terminal and round:",
        ", ".join(f"{n:.1f} {kind} of {size} bytes" for kind, (n, size) in shown.items()),
    )
    saw = played.saw
    for what in ("bet", "decision"):
        print(
            f"  {what} to acknowledgement, p50, p99, longest: {', '.join(f'{ms:.0f}' for ms in saw[f'{what}_ms'])} ms"
        )
    print(f"  deadlines late by {saw['late_ms']:.0f} ms at most; refused: {saw['frames']['refused'][0]}")
    print(f"  memory {played.memory[0]:.0f} MB, and {played.memory[1]:.0f} MB after the rounds")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sockets")
    parser.add_argument("--seats", default="100,1000")
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--watching", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--think", type=float, default=3)
    options = parser.parse_args(arguments or [])
    where = os.environ.get("PODIUM_BENCH_DIR")
    with TemporaryDirectory(prefix="podium-bench-", dir=where) as directory:
        program = compiled_program("sockets.c", Path(directory) / "sockets")
        for seats in map(int, options.seats.split(",")):
            measure(program, Path(directory), options, seats)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
