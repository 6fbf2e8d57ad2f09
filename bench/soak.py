"""A long evening, from socket to socket: do memory, files and waiting times stay as they were after the first minutes?

The same house and the same terminals as in `bench.sockets` play round after round. Each row is a few rounds; at the end stands by
how much each figure rises in an hour, by the line through the rows after the first third.

    python -m bench.soak [--seats 1000] [--tables 1] [--minutes 30]
"""

import argparse
import os
import sys
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final, NamedTuple

from bench._plain_c import compiled_program
from bench.sockets import Terminals, full_hall, play_rounds, resident_mb
from podium.record.store import BOOK

ROUNDS_PER_ROW: Final = 4


class Row(NamedTuple):
    """What was seen in a few rounds."""

    minutes: float
    memory_mb: float
    open_files: int
    book_mb: float
    log_mb: float
    processor_ms: float
    """For a seat and round."""
    bet_ms: float
    """From a bet to its acknowledgement, 99th percentile."""
    decision_ms: float
    late_ms: float

    def __str__(self) -> str:
        return " ".join(f"{value:12.1f}" for value in self)


def row(server: int, terminals: Terminals, data: Path, began: float) -> Row:
    seconds, saw = play_rounds(server, terminals, ROUNDS_PER_ROW)
    book = data / BOOK
    return Row(
        minutes=(monotonic() - began) / 60,
        memory_mb=resident_mb(server),
        open_files=sum(1 for _ in Path(f"/proc/{server}/fd").iterdir()),
        book_mb=book.stat().st_size / 1e6,
        log_mb=book.with_name(f"{BOOK}-wal").stat().st_size / 1e6,
        processor_ms=seconds / saw["bets"] * 1e3,
        bet_ms=saw["bet_ms"][1],
        decision_ms=saw["decision_ms"][1],
        late_ms=saw["late_ms"],
    )


def rise_in_an_hour(rows: list[Row], name: str) -> float:
    """How much a figure rises in an hour, from the rows after the first third of the time."""
    settled = rows[len(rows) // 3 :]
    return linear_regression([each.minutes for each in settled], [getattr(each, name) for each in settled]).slope * 60


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak")
    parser.add_argument("--seats", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--think", type=float, default=3)
    options = parser.parse_args(arguments, argparse.Namespace(watching=0))
    rows: list[Row] = []
    with TemporaryDirectory(prefix="podium-bench-", dir=os.environ.get("PODIUM_BENCH_DIR")) as directory:
        program = compiled_program("sockets.c", Path(directory) / "sockets")
        data = Path(directory) / "house"
        print(f"{options.seats:,} seats at {options.tables} table{'s' * (options.tables > 1)}")
        with full_hall(program, data, options, options.seats) as (server, terminals):
            print(" ".join(f"{name:>12}" for name in Row._fields))
            began = monotonic()
            while monotonic() < began + options.minutes * 60:
                rows.append(row(server, terminals, data, began))
                print(rows[-1], flush=True)
    for name in ("memory_mb", "open_files", "book_mb", "log_mb", "bet_ms", "decision_ms"):
        print(f"  {name}: {rise_in_an_hour(rows, name):+.1f} an hour")


if __name__ == "__main__":
    main(sys.argv[1:])
