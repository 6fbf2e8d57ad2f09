"""Presence: which players are connected, and since when the others are away (DSC-1)."""

from collections import Counter
from collections.abc import Iterable


class Presence:
    """Open connections per player; a player without one is away."""

    def __init__(self, expected: Iterable[str], now: int) -> None:
        """`expected` players sat at a table when the house opened, and have yet to reconnect."""
        self._lines: Counter[str] = Counter()
        self._away: dict[str, int] = dict.fromkeys(expected, now)

    def came(self, player: str) -> None:
        self._lines[player] += 1
        self._away.pop(player, None)

    def went(self, player: str, now: int) -> None:
        self._lines[player] -= 1
        if self._lines[player] <= 0:
            del self._lines[player]
            self._away[player] = now

    def away(self) -> list[tuple[str, int]]:
        """Everybody who is away, and since when."""
        return list(self._away.items())

    def away_since(self, player: str) -> int | None:
        return self._away.get(player)

    def forget(self, player: str) -> None:
        """Forgets a player."""
        self._away.pop(player, None)
