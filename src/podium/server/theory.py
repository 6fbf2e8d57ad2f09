"""What the wagers of a table return in the long run and what they can cost the house, from the mathematics (DISP-7).

The mathematics runs in a process of its own, one configuration after another and out of the way, so that no terminal
waits for it; what it found is kept by the fingerprint of the rules.
"""

import asyncio
import ctypes
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from podium.maths import kept
from podium.rules.games import Game
from podium.rules.options import written
from podium.server import limits
from podium.server.program import fingerprint

NAME: Final = "returns"
WAGER: Final = 1000
"""Or a little more: the main wager whose largest payout is asked for, large enough that no payment is rounded."""
DIE_WITH_PARENT: Final = 1
"""Linux, prctl(2): PR_SET_PDEATHSIG."""
POLITE: Final = 15
SOON: Final = 5
"""How much the mathematics steps back when the machine has something else to do: where nobody waits for it, and where
somebody does."""


T = TypeVar("T")


class Line(msgspec.Struct):
    """An outcome of a wager that is paid by a paytable."""

    pays: float


class Wager(msgspec.Struct):
    """As much of a PAR sheet as a table needs."""

    house_edge: float
    returns: float = msgspec.field(name="return")
    hit_frequency: float | None = None
    method: str = "exact"
    standard_error: float | None = None
    standard_deviation: float = 0.0
    outcomes: list[Line] = []


class Sheet(msgspec.Struct):
    wagers: dict[str, Wager]
    largest: float | None = None
    """The most that one unit of the main wager can win, whatever the cards and the player do; known a little later."""

    def at_risk(self, main: str, stakes: Mapping[str, int]) -> tuple[int, int]:
        """For stakes that lie on a table: how far the house's result spreads at most, and what it can lose at most.

        At most, because results on the same cards add up, and nobody's can add up to more: that is what everybody on the
        same cards comes to who plays alike. Each wager is taken by itself.
        """
        spread = loss = 0.0
        for name, staked in stakes.items():
            wager = self.wagers.get(name) or self.wagers[name.partition("@")[0]]
            spread += staked * wager.standard_deviation
            loss += staked * ((self.largest or 0.0) if name == main else max(line.pays for line in wager.outcomes))
        return round(spread), round(loss)


class Payout(msgspec.Struct):
    amount: int


class Exposed(msgspec.Struct):
    """As much of the exposure of one player as a table needs."""

    staked: int
    largest_payout: Payout


class Theory:
    """Knows the returns of the configurations that it was asked for, once they are worked out."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, Sheet] = OrderedDict()
        """By the fingerprint of the rules; those that were asked for least recently first."""
        self._asked: set[str] = set()
        self._turn: Final = asyncio.Lock()
        self._turn_soon: Final = asyncio.Lock()
        """Somebody waits for a preview; the tables of a house that was just opened do not hold it up."""

    def returns(self, rules: str) -> dict[str, float]:
        """The return of each wager, as far as it is known; wagers on a line return what they do on the own cards."""
        sheet = self.known.get(rules)
        if sheet is not None:
            self.known.move_to_end(rules)
        return {} if sheet is None else {name: wager.returns for name, wager in sheet.wagers.items()}

    def working_on(self, rules: str) -> bool:
        """Whether the mathematics is still at work on it."""
        return rules in self._asked and rules not in self.known

    async def learn(self, rules: Game, learned: Callable[[], None], *, soon: bool = False) -> None:
        """Work out a configuration that was not asked for before, and say when it is known."""
        if rules.fingerprint in self._asked or len(self._asked) - len(self.known) >= limits.MAX_WAITING_RULES:
            return
        self._asked.add(rules.fingerprint)
        async with self._turn_soon if soon else self._turn:
            sheet = await work_out(rules, SOON if soon else POLITE)
        if sheet is None:
            self._asked.discard(rules.fingerprint)
            return
        self.known[rules.fingerprint] = sheet
        while len(self.known) > limits.MAX_KNOWN_RULES:
            self._asked.discard(self.known.popitem(last=False)[0])
        learned()
        async with self._turn:
            await weigh(rules, sheet)


async def work_out(rules: Game, politeness: int = POLITE) -> Sheet | None:
    """The PAR sheet of a configuration, by the same command that a person would use; kept for the next start."""
    known = kept.find(NAME, _key(rules), Sheet)
    if known is None:
        known = await _run("par", rules, Sheet, politeness=politeness)
        if known is not None:
            kept.keep(NAME, _key(rules), known)
    return known


async def weigh(rules: Game, sheet: Sheet) -> None:
    """Add to a sheet the most that one unit of the main wager can win."""
    if sheet.largest is not None:
        return
    main = rules.offers[rules.rules.main.name]
    wager = max(main.amounts) if main.amounts else min(main.least * -(-WAGER // main.least), main.most or WAGER * WAGER)
    one = ("--players=1", "--rounds=1", "--rounds-per-hour=1", "--hours=1", f"--wager={main.wager}={wager}")
    exposed = await _run("exposure", rules, Exposed, *one)
    if exposed is not None:
        sheet.largest = exposed.largest_payout.amount / exposed.staked
        kept.keep(NAME, _key(rules), sheet)


def _key(rules: Game) -> bytes:
    """The same rules in the same program return the same."""
    return f"{rules.fingerprint} {fingerprint()}".encode()


async def _run(command: str, rules: Game, form: type[T], *more: str, politeness: int = POLITE) -> T | None:
    options = [f"--option={name}={written(value)}" for name, value in rules.changed().items()]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "podium",
        command,
        rules.name,
        "--json",
        *more,
        *options,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        preexec_fn=partial(step_back, politeness) if sys.platform != "win32" else None,
    )
    try:
        told, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    if process.returncode != 0:
        return None
    try:
        return msgspec.json.decode(told, type=form)
    except msgspec.MsgspecError:
        return None


def step_back(politeness: int) -> None:
    """In the new process: be polite, and end when the house does, however it ends."""
    os.nice(politeness)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def of_line(returns: dict[str, float], wager: str) -> float | None:
    """What a wager returns; one that lies on a row or column returns what it does on any three cards."""
    known: Any = returns.get(wager, returns.get(wager.partition("@")[0]))
    return None if known is None else float(known)
