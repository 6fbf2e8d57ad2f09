"""A clock that moves only when nobody has anything left to do: hours pass in seconds, always in the same order."""

import asyncio
import selectors
from collections.abc import Mapping
from typing import Any

from podium.server.clock import HouseClock

BEGINNING = 1_700_000_000_000
"""The house's clock when a simulation begins, in milliseconds since 1970."""


class Stuck(Exception):
    """Nobody will ever do anything again."""


class _Stillness(selectors.BaseSelector):
    """In place of waiting for sockets, which do not exist here, time passes at once."""

    def __init__(self) -> None:
        self.passed = 0.0
        self._keys: dict[Any, selectors.SelectorKey] = {}

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck("Nobody will ever do anything again.")
        self.passed += max(0, timeout)
        return []

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """The loop's own pipe, by which threads would wake it; there are none."""
        key = self._keys[fileobj] = selectors.SelectorKey(fileobj, 0, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return self._keys


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop in simulated time."""

    def __init__(self) -> None:
        self._still = _Stillness()
        super().__init__(self._still)

        self.set_by = 0
        """Milliseconds by which somebody has set the system's clock."""
        self.clock = HouseClock(self.system, self.elapsed)
        """The clock of the house that runs."""

    def time(self) -> float:
        return self._still.passed

    def elapsed(self) -> int:
        return int(self._still.passed * 1000)

    def system(self) -> int:
        """The system's clock, which anybody may set."""
        return BEGINNING + self.elapsed() + self.set_by

    def now(self) -> int:
        """The house's time."""
        return self.clock()

    def start_house(self, last_written: int) -> HouseClock:
        """The clock of a house that starts now, with a journal that ends at a time."""
        self.clock = HouseClock(self.system, self.elapsed)
        self.clock.never_before(last_written)
        return self.clock

    def pause(self, seconds: float) -> None:
        """Lets time pass while nobody gets to do anything, as if the machine were busy elsewhere."""
        self._still.passed += seconds
