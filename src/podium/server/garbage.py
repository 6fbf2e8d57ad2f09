"""When Python's garbage collector runs, and when freed memory goes back to the system.

Most objects are freed by reference counting. For cycles Python scans everything in memory whenever it has grown by a quarter:
with five thousand players that is a pause of a second in the middle of a round. So an open house scans young objects only, and
all of them once in a while, when no table waits for its players.

The C library keeps freed memory, in pools for each thread. A house that runs for days would hold ever more of it, in fragments.
"""

import asyncio
import gc
from collections.abc import Iterable
from contextlib import suppress
from ctypes import CDLL
from typing import Final

from podium.house.table import Table

YOUNG_OBJECTS: Final = 10_000
"""The number of new objects after which the young generation is scanned."""
YOUNG_ROUNDS: Final = 10
"""The number of such scans after which the survivors are scanned again."""
NEVER: Final = 1_000_000_000
LOOK_SECONDS: Final = 600
"""Seconds after which all objects are scanned at the next calm moment."""
PATIENCE_SECONDS: Final = 300
"""The longest wait for a calm moment, in seconds."""
CALM_SECONDS: Final = 0.25
_ARENA_MAX: Final = -8
"""glibc's parameter for how many pools of memory the threads of a process have."""
BUSY: Final = ("betting", "deciding")


async def collect_when_calm(tables: Iterable[Table]) -> None:
    """Runs the garbage collector of a process while it serves."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()  # the program itself lives as long as the process
    gc.set_threshold(YOUNG_OBJECTS, YOUNG_ROUNDS, NEVER)
    try:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            waited = 0.0
            while waited < PATIENCE_SECONDS and any(table.phase() in BUSY for table in tables):
                await asyncio.sleep(CALM_SECONDS)
                waited += CALM_SECONDS
            gc.collect()
            give_back_memory()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def share_memory() -> None:
    """Lets all threads that begin from now on take memory from one pool: one at a time runs Python anyway. Only glibc has several."""
    with suppress(OSError, AttributeError, TypeError):
        CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back_memory() -> None:
    """Gives the system the memory that was freed but is still held; harmless where the C library has no way to do so."""
    with suppress(OSError, AttributeError, TypeError):
        CDLL(None).malloc_trim(0)
