"""Which players are connected, and how long the others have been away (DSC-1, DSC-2)."""

from collections import Counter
from collections.abc import Iterable


class Presence:
    """Open connections per player; a player without one is away."""

    def __init__(self, expected: Iterable[str], now: int) -> None:
        """`expected` players sat at a table when the house opened, and have yet to reconnect."""
        self._lines: Counter[str] = Counter()
        self._away: dict[str, int] = dict.fromkeys(expected, now)
        self._expected: dict[str, int] = dict(self._away)
        """Players who are away through the house's own outage, and since when they could reconnect."""

    def came(self, player: str) -> None:
        self._lines[player] += 1
        self.forget(player)

    def went(self, player: str, now: int) -> None:
        self._lines[player] -= 1
        if self._lines[player] <= 0:
            del self._lines[player]
            self._away[player] = now

    def away(self) -> list[tuple[str, int]]:
        """Everybody who is away, with the time since when."""
        return list(self._away.items())

    def away_since(self, player: str) -> int | None:
        return self._away.get(player)

    def lost_since(self, player: str, patience: int) -> int | None:
        """From when on a table need not wait for a player; None for one who is there. DSC-2: an outage of the house
        costs no player time, so players who have yet to reconnect count as there for `patience` milliseconds."""
        back = self._expected.get(player)
        return self._away.get(player) if back is None else back + patience

    def came_back(self, since: int, now: int) -> None:
        """Notes that the house itself was away: it now expects everybody who was lost meanwhile."""
        self._expected |= {player: now for player, lost in self._away.items() if lost >= since}

    def forget(self, player: str) -> None:
        """Forgets a player."""
        self._away.pop(player, None)
        self._expected.pop(player, None)
