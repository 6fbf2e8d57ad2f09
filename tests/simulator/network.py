"""Lines between terminals and the house: in order as long as they hold, late, and cut without a word."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Protocol

from podium.server.gateway import Ended
from podium.wire.codes import CloseCode

if TYPE_CHECKING:
    from tests.simulator.life import Life
    from tests.simulator.world import World

TICK = 1e-6
"""Two messages on a line never arrive at the same moment: the loop would not say which comes first."""


class Caller(Protocol):
    """A terminal, as its line sees it."""

    token: str

    def heard(self, line: "Line", message: bytes) -> None: ...

    def cut_off(self, line: "Line", code: CloseCode | None) -> None: ...


class Line:
    """One connection. To the house it is a gateway's `Connection`, to the terminal what it speaks into."""

    def __init__(self, world: "World", life: "Life", caller: Caller, chance: Random) -> None:
        self.token = caller.token
        self.peer = caller.token
        self.ended: Ended | None = None
        self._world = world
        self._life = life
        self._caller = caller
        self._chance = chance
        self._up = self._down = 0.0
        """When the last message in each direction arrives: none overtakes another."""
        self._open_to_house = True
        self._open_to_caller = True
        self._cut = False
        life.lines.append(self)
        self._up = self._after(self._up, self._reach)

    # --- the house's end --------------------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        if self._open_to_house and not self._life.over:
            self._world.witness.hears(self.token, message)
            self._down = self._after(self._down, lambda: self._hear(message))

    def close(self, reason: str, code: CloseCode = CloseCode.DONE) -> None:
        """The house ends it: what was said before arrives, and nothing more is heard."""
        if self._open_to_house:
            self._open_to_house = False
            self._down = self._after(self._down, lambda: self._drop(code))
            self._after(0, self._tell_house)

    # --- the terminal's end -----------------------------------------------------------------------------------------

    def say(self, message: bytes) -> None:
        if self._open_to_caller:
            self._up = self._after(self._up, lambda: self._reach_house(message))
            if self._chance.random() < self._world.weather.breaks:
                self._world.loop.call_later(self._chance.uniform(0, 0.3), self.snap)

    def hang_up(self) -> None:
        """The terminal ends it: what was said before arrives, and the house knows."""
        self._drop(None)
        self._up = self._after(self._up, self._end)

    def snap(self) -> None:
        """The line is cut: what is on its way is lost, and each end notices when it notices."""
        if self._open_to_house or self._open_to_caller:
            self._open_to_house, self._cut = False, True
            self._world.loop.call_later(self._chance.uniform(0, 3), self._tell_house)
            self._world.loop.call_later(self._chance.uniform(0, 1), self._drop, None)

    # --- on the way -------------------------------------------------------------------------------------------------

    def _hear(self, message: bytes) -> None:
        if self._open_to_caller and not self._cut:
            self._caller.heard(self, message)

    def _reach_house(self, message: bytes) -> None:
        if self._open_to_house and not self._life.over:
            self._life.floor.heard(self, message)

    def _reach(self) -> None:
        self._world.witness.absences.comes(self._player, id(self), self._world.loop.now())
        self._life.floor.opened(self)

    def _end(self) -> None:
        if self._open_to_house:
            self._open_to_house = False
            self._tell_house()

    def _tell_house(self) -> None:
        if not self._life.over:
            self._world.witness.absences.goes(self._player, id(self), self._world.loop.now())
            self._life.floor.closed(self)

    @property
    def _player(self) -> str:
        return self.token.partition("~")[0]

    def _drop(self, code: CloseCode | None) -> None:
        if self._open_to_caller:
            self._open_to_caller = False
            self._caller.cut_off(self, code)

    def _after(self, last: float, do: Callable[[], None]) -> float:
        """Does it after a delay, and not before what was sent earlier."""
        loop = self._world.loop
        at = max(last + TICK, loop.time() + self._chance.expovariate(1 / self._world.weather.delay))
        loop.call_at(at, self._guarded, do)
        return at

    def _guarded(self, do: Callable[[], None]) -> None:
        if not self._life.over or self._open_to_caller:
            do()
