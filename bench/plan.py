"""What a hundred venues with a million terminals need, by measured figures: processors, disk, waiting times, and failures in a year.

Nothing is measured here. `MEASURED` has the figures of the other benchmarks, `ASSUMED` what nobody can measure beforehand; with
these two simulations run. One sends the commands of a venue's rounds through a house that carries out, commits and shows like the real
one. The other lets parts of all venues fail for a year. The same seed gives the same page: docs/planning.md.

    python -m bench.plan [--venues 100] [--terminals 10000] [--tables 10] [--seed 1]
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate
from math import ceil
from random import Random
from typing import Final, NamedTuple


class Figures(NamedTuple):
    """What the simulations calculate with."""

    house_ms: float
    """Milliseconds of the house's processor for a seat and round, behind gateways."""
    gateway_ms: float
    """The same of all gateways together."""
    bus_ms: float
    """The same of NATS."""
    commands: float
    """Commands of a seat in a round: a bet, and some decisions."""
    command_ms: float
    """Milliseconds of the house's processor until a command is carried out, of those above."""
    book_bytes: float
    """Bytes by which the book grows for a seat and round."""
    joining_ms: float
    """Milliseconds of the house's processor for a terminal that connects."""
    commit_ms: float
    """Milliseconds until a batch of a few entries is durable on two machines."""
    row_ms: float
    """Milliseconds that each further command adds to a batch."""


MEASURED: Final = Figures(
    house_ms=1.16,
    gateway_ms=0.80,
    bus_ms=0.22,
    commands=2.2,
    command_ms=0.083,
    book_bytes=1_850,
    joining_ms=0.54,
    commit_ms=7.0,
    row_ms=0.02,
)
"""From runs of `bench.gateways --seats 1000`, `bench.soak --seats 500`, `bench.hall` and `bench.durable`; docs/planning.md says under which
conditions. Put your own here."""
TURN_MS: Final = 20.0
"""The least time between two commits of a table's turns (`server/podium.py`)."""
SLICE_MESSAGES: Final = 500
"""Messages that are shown before the next commands are carried out."""
THINK_MS: Final = 3_000.0
"""Players act within so many milliseconds of being asked, as in `bench.sockets`."""
ROUND_MS: Final = 40_000.0
QUESTION_MS: Final = 18_000.0
"""When players are asked, after the opening of the round."""
SHOWN_MS: Final = (0.0, 16_000.0, 17_000.0, QUESTION_MS, 35_000.0)
"""When every player's own view changes at once: opening, cards, question, result. It also changes after each command."""
BUSY: Final = 0.6
"""How busy a processor may be on average, so that there is room for the moments when everybody acts."""


# --- a venue's commands, through its house -----------------------------------------------------------------------------------


class Waits(NamedTuple):
    """How long players waited for an acknowledgement, in milliseconds, and how busy the house was."""

    median: float
    most: float
    """The 99th percentile."""
    longest: float
    busy: float


def waits(terminals: int, tables: int, figures: Figures, random: Random, rounds: int = 3) -> Waits:
    """Simulates some rounds at all tables of a venue, which begin independently of each other."""
    seats = ceil(terminals / tables)
    arrivals: list[float] = []
    shows: list[tuple[float, int]] = []
    for _ in range(tables):
        first = random.uniform(0, ROUND_MS)
        for opening in (first + number * ROUND_MS for number in range(rounds)):
            arrivals += _acts(opening, seats, figures.commands, random)
            shows += [(opening + at, seats) for at in SHOWN_MS]
    views = figures.commands + len(SHOWN_MS)
    view_ms = max(0.0, figures.house_ms - figures.commands * figures.command_ms) / views
    done = carried_out(arrivals, figures.command_ms, shows, view_ms)
    durable = committed([at for _, at in done], figures.commit_ms, figures.row_ms)
    waited = sorted(end - begin for (begin, _), end in zip(done, durable, strict=True))
    busy = tables * seats * figures.house_ms / ROUND_MS
    return Waits(waited[len(waited) // 2], waited[int(len(waited) * 0.99)], waited[-1], busy)


def _acts(opening: float, seats: int, commands: float, random: Random) -> Iterator[float]:
    """When the players of a table send their commands in one round."""
    for _ in range(seats):
        yield opening + random.uniform(0, THINK_MS)
        asked, left = opening + QUESTION_MS, commands - 1
        while left > 0 and random.random() < left:
            asked += random.uniform(0, THINK_MS)
            yield asked
            left -= 1


def carried_out(
    arrivals: Sequence[float], command_ms: float, shows: Sequence[tuple[float, int]], view_ms: float
) -> list[tuple[float, float]]:
    """One processor takes commands, and slices of what is shown, in the order in which they are ready. After a command its
    player's own view is shown. Returns for each command when it came and when it was carried out, in the order of the latter."""
    ready: list[tuple[float, int]] = [(at, 0) for at in arrivals] + list(shows)
    heapify(ready)
    now, done = 0.0, []
    while ready:
        at, views = heappop(ready)
        now = max(now, at)
        if not views:
            done.append((at, now + command_ms))
            now += command_ms + view_ms
            continue
        now += min(views, SLICE_MESSAGES) * view_ms
        if views > SLICE_MESSAGES:
            heappush(ready, (now, views - SLICE_MESSAGES))  # behind everybody who came meanwhile
    return done


def committed(carried: Sequence[float], commit_ms: float, row_ms: float) -> list[float]:
    """A batch is everything that came while the last one was written. Returns when each command is durable."""
    durable: list[float] = []
    free = 0.0
    at = 0
    while at < len(carried):
        begin = max(free, carried[at])
        until = at + 1
        while until < len(carried) and carried[until] <= begin:
            until += 1
        end = begin + commit_ms + (until - at) * row_ms
        durable += [end] * (until - at)
        free, at = max(end, begin + TURN_MS), until
    return durable


# --- a year of failures ----------------------------------------------------------------------------------------------------------


class Failure(NamedTuple):
    """A part of a venue that fails."""

    what: str
    in_a_year: float
    """How often in one venue; assumed."""
    seconds: tuple[float, float]
    """How long players wait, at least and at most."""
    share: float = 1.0
    """The share of the venue's terminals that notice."""


ASSUMED: Final = (
    Failure("the process that owns the house is killed", 12, (5, 8)),
    Failure("its machine is lost", 0.5, (5, 8)),
    Failure("it hangs or is cut off", 2, (5, 8)),
    Failure("the database fails over", 1, (10, 40)),
    Failure("NATS is started again", 4, (1, 4)),
    Failure("a gateway is lost", 6, (1, 5), share=1 / 3),
    Failure("an upgrade", 12, (1, 2)),
    Failure("the venue's network or power", 0.5, (300, 7_200)),
)
YEAR_SECONDS: Final = 365 * 86_400.0


class Year(NamedTuple):
    """How long the terminals of each venue waited, in seconds, and how many venues stood still at once."""

    waited: list[float]
    """By venue, averaged over its terminals, from the least to the most."""
    times: float
    """How often a venue's players noticed something, on average."""
    at_once: int


def year(venues: int, failures: Sequence[Failure], random: Random) -> Year:
    """Lets the parts of all venues fail, each for itself."""
    waited, moments, times = [], [], 0
    for _ in range(venues):
        total = 0.0
        for failure in failures:
            for begin in _moments(failure.in_a_year, random):
                seconds = random.uniform(*failure.seconds)
                total += seconds * failure.share
                moments += [(begin, 1), (begin + seconds, -1)]
                times += 1
        waited.append(total)
    return Year(sorted(waited), times / venues, max(accumulate(step for _, step in sorted(moments)), default=0))


def _moments(in_a_year: float, random: Random) -> Iterator[float]:
    at = random.expovariate(in_a_year)
    while at < 1:
        yield at * YEAR_SECONDS
        at += random.expovariate(in_a_year)


# --- the plan ----------------------------------------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """What one venue needs."""

    house: float
    """Processors that its house keeps busy, on average."""
    gateways: float
    bus: float
    gateway_processes: int
    """One more than are needed, so that one may fail."""
    commits: float
    """Commands a second, on average, each durable before it is answered."""
    gigabytes: float
    """By which its book grows in a day of play."""
    back_seconds: float
    """Of the house's processor, after a gateway is lost, to take its terminals back."""


def parts(terminals: int, figures: Figures, hours: float = 16) -> Parts:
    """What a venue needs when every terminal plays every round."""
    rounds = terminals / (ROUND_MS / 1_000)
    house, gateways, bus = (each * rounds / 1_000 for each in (figures.house_ms, figures.gateway_ms, figures.bus_ms))
    processes = max(1, ceil(gateways / BUSY)) + 1
    return Parts(
        house,
        gateways,
        bus,
        processes,
        rounds * figures.commands,
        rounds * hours * 3_600 * figures.book_bytes / 1e9,
        terminals / processes * figures.joining_ms / 1_000,
    )


SIZES: Final = (1_000, 5_000, 10_000, 20_000, 40_000)
SHARED: Final = ((20_000, 10, 2), (40_000, 20, 4), (40_000, 20, 10))
"""Terminals, tables and processes that own them, of venues that one process cannot serve."""


def lines(venues: int, terminals: int, tables: int, seed: int, figures: Figures = MEASURED) -> Iterator[str]:
    """The plan, as it is printed."""
    random, need = Random(seed), parts(terminals, figures)
    yield f"{venues} venues with {terminals:,} terminals each at {tables} tables, everybody playing every round of {ROUND_MS / 1_000:.0f} s"
    yield ""
    yield f"{'':34}{'a venue':>12}{'all venues':>14}"
    for what, value, form in (
        ("processors busy: houses", need.house, ",.2f"),
        ("processors busy: gateways", need.gateways, ",.2f"),
        ("processors busy: NATS", need.bus, ",.2f"),
        ("gateway processes", need.gateway_processes, ",.0f"),
        ("durable commands a second", need.commits, ",.0f"),
        ("GB of record in 16 hours of play", need.gigabytes, ",.1f"),
    ):
        yield f"{what:34}{value:>12{form}}{value * venues:>14{form}}"
    yield f"After a gateway is lost, its house takes the terminals back in {need.back_seconds:.1f} s of its processor."
    yield ""
    yield f"{'terminals':>10}{'tables':>8}{'owners':>8}{'busy':>8}{'p50':>10}{'p99':>10}{'longest':>10}   to acknowledgement, in ms"
    for count, at, owners in (*((each, 1, 1) for each in SIZES), *((each, tables, 1) for each in SIZES), *SHARED):
        saw = waits(ceil(count / owners), ceil(at / owners), figures, random)
        yield (
            f"{count:>10,}{at:>8}{owners:>8}{saw.busy:>8.0%}{saw.median:>10.0f}{saw.most:>10.0f}{saw.longest:>10.0f}"
        )
    yield ""
    own = [failure for failure in ASSUMED if failure.seconds[1] < 60]
    for name, failures in (("all failures", ASSUMED), ("without the venue's network and power", own)):
        saw_year = year(venues, failures, random)
        middle, worst = saw_year.waited[len(saw_year.waited) // 2], saw_year.waited[-1]
        yield (
            f"A year, {name}: a venue's players notice {saw_year.times:.0f} and wait {middle / 60:.1f} minutes in all"
            f" (worst venue {worst / 60:.0f}); at most {saw_year.at_once} venues at once."
        )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.plan")
    parser.add_argument("--venues", type=int, default=100)
    parser.add_argument("--terminals", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--house-ms", type=float, default=MEASURED.house_ms)
    parser.add_argument("--commit-ms", type=float, default=MEASURED.commit_ms)
    options = parser.parse_args(arguments or [])
    if min(options.venues, options.terminals, options.tables) < 1 or min(options.house_ms, options.commit_ms) <= 0:
        parser.error("venues, terminals, tables and milliseconds are numbers above 0")
    figures = MEASURED._replace(house_ms=options.house_ms, commit_ms=options.commit_ms)
    for line in lines(options.venues, options.terminals, options.tables, options.seed, figures):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
