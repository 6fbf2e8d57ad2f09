"""The clock of the house: it begins with the system's time and then follows a monotonic clock (TIME-1, TIME-2). Setting the
system's clock changes nobody's time to act. The house's time never goes back either, not even over a restart, so the deadlines
in its journal keep the time that was left. A step of the system's clock is noted and health shows the difference; the next
start uses the system's time again if it is ahead of the journal.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from typing import Final

Milliseconds = Callable[[], int]

_TIME_ERROR: Final = 5
"""adjtimex(2) returns this when the clock is not synchronized."""


def system_clock() -> int:
    """The system's time, which can be set: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def elapsed() -> int:
    """Milliseconds since some fixed moment, including sleep if the system counts it."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if boot is None else time.clock_gettime_ns(boot)) // 1_000_000


class HouseClock:
    """Returns the house's time when it is called."""

    def __init__(self, system: Milliseconds = system_clock, elapsed: Milliseconds = elapsed) -> None:
        self.system: Final = system
        self._elapsed: Final = elapsed
        self._offset = system() - elapsed()

    def __call__(self) -> int:
        return self._elapsed() + self._offset

    def never_before(self, last: int) -> None:
        """Begins at the last entry of the journal if the system's clock is behind it: deadlines keep the time that was
        left."""
        self._offset += max(0, last - self())

    @property
    def behind_system(self) -> int:
        """Milliseconds by which the system's clock is ahead of the house's; always the same unless somebody sets it."""
        return self.system() - self()


def is_kept_right() -> bool | None:
    """Whether the system's clock is synchronized; None if that cannot be determined."""
    if sys.platform != "linux":
        return None
    # struct timex is about 200 bytes; with no modes set, adjtimex only reads.
    state = int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)))
    return None if state < 0 else state != _TIME_ERROR
