"""A helper process of the house: it starts with its first question, has a lower priority, and ends with the house."""

import asyncio
import ctypes
import os
import signal
import sys
from functools import partial
from typing import Final

DIE_WITH_PARENT: Final = 1
"""Linux, prctl(2): PR_SET_PDEATHSIG."""


class Beside:
    """Runs one module as a process that reads questions from its standard input and writes answers to its standard output."""

    def __init__(self, module: str, nice: int, most_buffered: int) -> None:
        self._module: Final = module
        self._nice: Final = nice
        self._most_buffered: Final = most_buffered
        """Bytes of an answer that are kept before the process must wait until they are read; also the longest line."""
        self._process: asyncio.subprocess.Process | None = None
        self._ending: set[asyncio.Task[int]] = set()

    @property
    def process_id(self) -> int | None:
        """The running process; None while there is none."""
        return None if self._process is None else self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def lines(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        """Where the process takes questions and gives answers; starts it if it does not run."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._module,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=self._most_buffered,
                start_new_session=True,  # Ctrl-C is for the house, which then ends this process
                preexec_fn=partial(_step_back, self._nice) if sys.platform != "win32" else None,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def end(self) -> None:
        """Ends the process, even in the middle of a question; the next question starts another one."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        ending = asyncio.create_task(process.wait())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """Ends the process, and returns when it is gone."""
        self.end()
        await asyncio.gather(*self._ending, return_exceptions=True)


def _step_back(nice: int) -> None:
    """Runs in the new process: lowers its priority, and makes it end with the house, however that ends."""
    os.nice(nice)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
