"""What the wagers of a table return in the long run, from the mathematics (DISP-7).

The mathematics runs in a process of its own, one configuration after another and out of the way, so that no terminal
waits for it; what it found is kept by the fingerprint of the rules.
"""

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

import msgspec

from podium.games import Game
from podium.maths import kept
from podium.options import written
from podium.server.program import fingerprint

NAME: Final = "returns"
DIE_WITH_PARENT: Final = 1
"""Linux, prctl(2): PR_SET_PDEATHSIG."""
POLITE: Final = 15
"""How much the mathematics steps back when the machine has something else to do."""


class Wager(msgspec.Struct):
    """As much of a PAR sheet as a table needs."""

    house_edge: float
    returns: float = msgspec.field(name="return")
    hit_frequency: float | None = None
    method: str = "exact"
    standard_error: float | None = None


class Sheet(msgspec.Struct):
    wagers: dict[str, Wager]


class Theory:
    """Knows the returns of the configurations that it was asked for, once they are worked out."""

    def __init__(self) -> None:
        self.known: dict[str, Sheet] = {}
        self._asked: set[str] = set()
        self._turn: Final = asyncio.Lock()

    def returns(self, rules: str) -> dict[str, float]:
        """The return of each wager, as far as it is known; wagers on a line return what they do on the own cards."""
        sheet = self.known.get(rules)
        return {} if sheet is None else {name: wager.returns for name, wager in sheet.wagers.items()}

    async def learn(self, rules: Game, learned: Callable[[], None]) -> None:
        """Work out a configuration that was not asked for before, and say when it is known."""
        if rules.fingerprint in self._asked:
            return
        self._asked.add(rules.fingerprint)
        async with self._turn:
            sheet = await work_out(rules)
        if sheet is not None:
            self.known[rules.fingerprint] = sheet
            learned()


async def work_out(rules: Game) -> Sheet | None:
    """The PAR sheet of a configuration, by the same command that a person would use; kept for the next start."""
    known = kept.find(NAME, _key(rules), Sheet)
    if known is None:
        known = await _ask(rules)
        if known is not None:
            kept.keep(NAME, _key(rules), known)
    return known


def _key(rules: Game) -> bytes:
    """The same rules in the same program return the same."""
    return f"{rules.fingerprint} {fingerprint()}".encode()


async def _ask(rules: Game) -> Sheet | None:
    options = [f"--option={name}={written(value)}" for name, value in rules.changed().items()]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "podium",
        "par",
        rules.name,
        "--json",
        *options,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        preexec_fn=step_back if sys.platform != "win32" else None,
    )
    try:
        told, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode != 0:
        return None
    try:
        return msgspec.json.decode(told, type=Sheet)
    except msgspec.MsgspecError:
        return None


def step_back(politeness: int = POLITE) -> None:
    """In the new process: be polite, and end when the house does, however it ends."""
    os.nice(politeness)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def of_line(returns: dict[str, float], wager: str) -> float | None:
    """What a wager returns; one that lies on a row or column returns what it does on any three cards."""
    known: Any = returns.get(wager, returns.get(wager.partition("@")[0]))
    return None if known is None else float(known)
