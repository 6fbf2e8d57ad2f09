"""Proves a long record on all cores: the store by itself in one process, and each section of a table in another."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from ctypes import c_longlong
from multiprocessing import get_context
from typing import Any, Final

from podium.cli.data import opened, seal_of, stamps_of
from podium.house.sections import Section, sections
from podium.house.state import HOUSE
from podium.house.verify import (
    Replayed,
    StoreProof,
    Verified,
    conclude,
    prove_store,
    replay_house,
    replay_section,
    verify,
)
from podium.record.store import Reading

APART_FROM_ENTRIES: Final = 20_000
"""The least number of entries for which starting other processes pays."""
TOLD_SECONDS: Final = 0.5

_done: Any = None
"""In a process of the pool: the number of entries that all of them have replayed."""


def proved(book: Reading, where: str, keys: str = "") -> Verified:
    """Proves a record, of which `book` is a snapshot. While the house runs, other processes see later snapshots: tables
    are replayed up to where they are in this one, and the store is proved as it is then."""
    heads = book.heads()
    entries = sum(head.sequence for head in heads.values())
    if entries < APART_FROM_ENTRIES or (os.cpu_count() or 1) < 2:
        return verify(book, seal_of(where, keys), stamps_of(where, keys))
    tables = [stream for stream in heads if stream != HOUSE]
    parts = [part for stream in tables for part in sections(book, stream, heads[stream].sequence)]
    parts.sort(key=lambda part: -part.entries)
    apart = get_context("spawn")
    done = apart.Value(c_longlong, 0)
    with ProcessPoolExecutor(mp_context=apart, initializer=_begin, initargs=(done,)) as pool:
        store = pool.submit(_prove_store, where)
        replays = [pool.submit(_replay, where, keys, part) for part in parts]
        try:
            house = replay_house(book, stamps_of(where, keys))
            _wait([store, *replays], lambda: done.value, sum(heads[stream].sequence for stream in tables))
            return conclude(store.result(), [house, *(each.result() for each in replays)], heads, book.balances())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _wait(parts: "list[Future[Any]]", done: Callable[[], int], entries: int) -> None:
    """Waits for all parts, and shows the progress if somebody watches."""
    watched = sys.stderr.isatty()
    while wait(parts, TOLD_SECONDS).not_done:
        if any(part.done() and part.exception() is not None for part in parts):
            break
        if watched:
            print(f"\r{done():,} of {entries:,} entries played again", end="", file=sys.stderr, flush=True)
    if watched:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    for part in parts:  # the first difference in the order in which one process would find it
        if part.done():
            part.result()


# --- in a process of its own --------------------------------------------------------------------------------------------


def _begin(done: Any) -> None:
    global _done  # noqa: PLW0603  # a pool hands a shared number to its processes in no other way
    _done = done


def _prove_store(where: str) -> StoreProof:
    with opened(where, may_be_empty=True) as book, book.at_one_moment() as still:
        return prove_store(still)


def _replay(where: str, keys: str, section: Section) -> Replayed:
    def told(entries: int) -> None:
        with _done.get_lock():
            _done.value += entries

    with opened(where, may_be_empty=True) as book, book.at_one_moment() as still:
        return replay_section(still, section, seal_of(where, keys), told)
