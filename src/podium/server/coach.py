"""The coach: what each answer is worth to a player who asks, where the operator allows it.

The mathematics runs in a process of its own, so that no table waits for it. Whoever sees the same asks the same: a position is
worked out once for all, and kept under the fingerprint of the rules. So many positions wait at most; and an answer that comes
when the question is no longer open is told to nobody.
"""

import asyncio
import multiprocessing
import signal
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from podium.basics.reasons import because
from podium.basics.refusal import Refused
from podium.house.table import Table
from podium.maths.sight import Position, position
from podium.play.views import SeatView, layout, seat_view
from podium.rules.asking import Decisions
from podium.rules.games import Game, game
from podium.server import limits
from podium.server.log import log
from podium.server.theory import SOON, step_back
from podium.wire.messages import Advice, Advise

Worths = dict[str, float]


class Asked(NamedTuple):
    """A question that a player wants advice on."""

    table: str
    rules: Game
    position: Position
    view: SeatView
    command: Advise

    def advice(self, found: Worths) -> Advice:
        """What was found, for this player's wager and credit."""
        wager, credit = self.view.wagers[self.rules.rules.main.name], self.view.credit
        costs = self.view.question.allowed if self.view.question else {}
        covered = [choice for choice in found if credit is None or costs[choice][0] <= credit]
        return Advice(
            table=self.table,
            round=self.command.round,
            step=self.command.step,
            worth=found,
            amounts={choice: round(worth * wager) for choice, worth in found.items()},
            best=max(covered, key=found.__getitem__),
        )


def asked(table: Table, player: str, command: Advise) -> Asked:
    """What a player sees who asks for advice, or why there is none."""
    if not table.configured.coach:
        raise Refused(because("no-advice"))
    if not is_asked(table, player, command):
        raise Refused(because("no-advice-now"))
    played = table.in_play
    view = seat_view(played, table.seats[player])
    assert view.question is not None
    return Asked(table.name, played.game, position(layout(played), view, view.question), view, command)


def is_asked(table: Table, player: str, command: Advise) -> bool:
    """Whether that is what the player is asked now."""
    seat = table.seats.get(player, 0)
    if command.round != table.round_number or table.bettors.get(seat) != player or table.between_rounds:
        return False
    awaits = table.in_play.awaits
    return isinstance(awaits, Decisions) and seat in awaits and len(table.in_play.decisions_of(seat)) == command.step


class Coach:
    """Knows what positions are worth that it was asked for, once they are worked out."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._begun: OrderedDict[str, None] = OrderedDict()
        self._known: OrderedDict[tuple[str, Position], Worths] = OrderedDict()
        self._asking: dict[tuple[str, Position], list[Callable[[Worths], None]]] = {}
        self._waiting = 0
        """How many wait to be told."""

    def begin(self, rules: Game) -> None:
        """Somebody may ask soon: starting the mathematics takes longer than any position."""
        if rules.fingerprint not in self._begun:
            self._begun[rules.fingerprint] = None
            while len(self._begun) > limits.MAX_KNOWN_RULES:
                self._begun.popitem(last=False)
            begun = self._submit(_begin, rules.name, rules.changed())
            begun.add_done_callback(lambda begun: begun.cancelled() or begun.exception())

    def ask(self, rules: Game, seen: Position, tell: Callable[[Worths], None]) -> None:
        """Have `tell` called with what each answer is worth, at once or soon."""
        key = rules.fingerprint, seen
        if key in self._known:
            self._known.move_to_end(key)
            tell(self._known[key])
        elif self._is_busy(key):
            raise Refused(because("coach-busy"))
        elif key in self._asking:
            self._asking[key].append(tell)
            self._waiting += 1
        else:
            self._asking[key] = [tell]
            self._waiting += 1
            found = self._submit(_work_out, rules.name, rules.changed(), seen)
            found.add_done_callback(lambda found: self._tell(key, found))

    def _is_busy(self, key: tuple[str, Position]) -> bool:
        if self._waiting >= limits.MAX_WAITING_FOR_ADVICE:
            return True
        return key not in self._asking and len(self._asking) >= limits.MAX_WAITING_POSITIONS

    def _submit(self, work: Callable[..., Any], *facts: Any) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        self._pool = self._pool or _open()
        try:
            return loop.run_in_executor(self._pool, work, *facts)
        except BrokenProcessPool:  # somebody ended the process: begin another
            self._pool = _open()
            return loop.run_in_executor(self._pool, work, *facts)

    def _tell(self, key: tuple[str, Position], found: asyncio.Future[Worths]) -> None:
        waiting = self._asking.pop(key)
        self._waiting -= len(waiting)
        if found.cancelled():
            return
        if (error := found.exception()) is not None:
            log.warning("no advice", rules=key[0], error=repr(error))
            return
        self._known[key] = found.result()
        while len(self._known) > limits.MAX_KNOWN_POSITIONS:
            self._known.popitem(last=False)
        for tell in waiting:
            tell(found.result())

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _open() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _step_back)


# --- in the other process -------------------------------------------------------------------------------------------


def _step_back() -> None:
    step_back(SOON)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the house, which ends this with it


def _begin(name: str, options: dict[str, Any]) -> None:
    """The house itself stays without the mathematics, so it is loaded here."""
    from podium.maths.advice import begin

    begin(game(name, options))


def _work_out(name: str, options: dict[str, Any], seen: Position) -> Worths:
    from podium.maths.advice import worths

    return worths(game(name, options), seen)
