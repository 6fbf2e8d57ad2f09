"""A house that is open goes through all of its memory when no table waits for its players."""

import asyncio
import gc
from pathlib import Path
from typing import Any, cast

import pytest

from podium.house.table import Table
from podium.server import garbage
from tests.terminal import on_a_loop

MEBIBYTE = 2**20


class Phased:
    def __init__(self, phase: str) -> None:
        self.now = phase

    def phase(self) -> str:
        return self.now


@on_a_loop
async def test_all_of_the_memory_is_looked_through_between_rounds_and_never_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[int] = []
    monkeypatch.setattr(garbage, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(garbage, "CALM_SECONDS", 0.01)
    monkeypatch.setattr(gc, "collect", lambda: looks.append(1))
    before, table = gc.get_threshold(), Phased("betting")
    looking = asyncio.create_task(garbage.collect_when_calm([cast(Table, cast(Any, table))]))
    await asyncio.sleep(0.1)
    assert gc.get_threshold()[2] == garbage.NEVER
    assert len(looks) == 1, "one before the house serves, and none while players are asked"
    table.now = "result"
    while len(looks) < 2:
        await asyncio.sleep(0.01)
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert gc.get_threshold() == before


def test_memory_that_was_freed_in_pieces_goes_back_to_the_system() -> None:
    """The C library keeps it for the next who ask, whose pieces may not fit: under a million hostile messages it held 35 MB so."""
    pieces = [bytes(2_000) for _ in range(60_000)]
    kept = pieces[::500]  # without these the whole would be given back when the last piece goes
    del pieces
    before = _held()
    garbage.give_back_memory()
    assert before - _held() > 50 * MEBIBYTE
    assert len(kept) == 120


def _held() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024
