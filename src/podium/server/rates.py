"""How often something may happen, by address."""

from collections import OrderedDict
from typing import Final

from podium.server import limits

MINUTE_MS: Final = 60_000


class Rate:
    """Limits what happens from each address: a minute's worth at once, and evenly after that."""

    def __init__(self) -> None:
        self._paid_until: Final[OrderedDict[str, float]] = OrderedDict()
        """A token bucket as a time: each event moves it on, and it may be at most a minute ahead."""

    def allows(self, address: str, per_minute: int, now: int) -> bool:
        """Counts one more event; False if it exceeds the limit."""
        paid_until = max(self._paid_until.pop(address, now), now) + MINUTE_MS / per_minute
        allowed = paid_until - now <= MINUTE_MS
        self._paid_until[address] = paid_until if allowed else paid_until - MINUTE_MS / per_minute
        while len(self._paid_until) > limits.MAX_WATCHED_ADDRESSES:
            self._paid_until.popitem(last=False)
        return allowed
