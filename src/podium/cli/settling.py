"""`podium settle`: scripts in, settlements out."""

import os
import select
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterator
from concurrent import futures
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.files import unreadable
from podium.play.script import settle

ALL_SETTLED, SOME_REFUSED = 0, 2

REFUSED = b'{"error":'
"""The beginning of a refused script's result."""


def settle_file(file: str) -> int:
    """Writes the settlement of one script."""
    with _opened(file) as source:
        script = source.read()
    _out().write(msgspec.json.format(settle(script), indent=2) + b"\n")
    return ALL_SETTLED


def settle_lines(file: str) -> int:
    """Writes a settlement or a refusal for each line. Memory does not grow with the input."""
    refused = False
    with _opened(file) as source:
        for results in settled(batches(source.fileno())):
            refused = refused or any(result.startswith(REFUSED) for result in results)
            _out().writelines(result + b"\n" for result in results)
            _out().flush()
    return SOME_REFUSED if refused else ALL_SETTLED


# --- lines ------------------------------------------------------------------------------------------------------------

Lines = list[bytes]

MAX_READ_BYTES = 1 << 20
"""The most bytes that are read at a time."""


def batches(source: int) -> Iterator[Lines]:
    """The lines of a file or a pipe in batches, as many as are there; blank lines are skipped.

    An empty batch means that no more lines are there yet: the writer at the other end of the pipe may be waiting for an
    answer.
    """
    rest = b""
    while piece := os.read(source, MAX_READ_BYTES):
        *lines, rest = (rest + piece).split(b"\n")
        yield [line for line in lines if line.strip()]
        if not _has_more(source):
            yield []
    if rest.strip():
        yield [rest]


def _has_more(source: int) -> bool:
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError):  # a system where `select` works on sockets only
        return False


# --- settling them ----------------------------------------------------------------------------------------------------

MIN_LINES_FOR_PROCESSES = 64
"""Lines in one batch that make further processes worth starting."""

SCRIPTS_PER_TASK = 32
"""Scripts that a process gets at a time."""


def settled(arriving: Iterator[Lines]) -> Iterator[Lines]:
    """The results of all lines, in order."""
    workers = _cores()
    for batch in arriving:
        if len(batch) >= MIN_LINES_FOR_PROCESSES and workers > 1:
            yield from settled_by(workers, chain([batch], arriving))
            return
        yield _settle_all(batch)


def settled_by(workers: int, arriving: Iterator[Lines]) -> Generator[Lines, None, None]:
    """The same with several processes. Only as much is under way as keeps all of them busy."""
    with futures.ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        under_way: deque[futures.Future[Lines]] = deque()
        for batch in arriving:
            for start in range(0, len(batch), SCRIPTS_PER_TASK):
                under_way.append(pool.submit(_settle_all, batch[start : start + SCRIPTS_PER_TASK]))
                if len(under_way) > 2 * workers:
                    yield under_way.popleft().result()
            while under_way and not batch:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _settle_all(lines: Lines) -> Lines:
    return [_settle_line(line) for line in lines]


def _settle_line(line: bytes) -> bytes:
    try:
        return settle(line)
    except Refused as refusal:
        return msgspec.json.encode({"error": str(refusal)})


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- files ------------------------------------------------------------------------------------------------------------


def _out() -> BinaryIO:
    return sys.stdout.buffer


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    """Opens the script file, or standard input; refused if it cannot be read."""
    try:
        if file == "-":
            if sys.stdin is None:
                raise Refused("no-standard-input")
            yield sys.stdin.buffer
        else:
            with Path(file).open("rb") as source:
                yield source
    except BrokenPipeError:
        raise
    except FileNotFoundError:
        raise Refused("file-missing", file=file) from None
    except IsADirectoryError:
        raise Refused("file-is-directory", file=file) from None
    except OSError as error:
        raise unreadable(file, error) from None


english(
    "refused",
    {
        "no-standard-input": "Standard input is closed: name a file, or send a script to standard input.",
        "file-missing": "There is no file {file}.",
        "file-is-directory": "{file} is a directory: name the file of a script, or - for standard input.",
    },
)
