"""Who has a line to the house, by the lines themselves: for whom a table need not wait (DSC-2)."""

from collections import defaultdict
from typing import NamedTuple


class Absence(NamedTuple):
    """A time without a line. `expected`: the house itself was away, and the player has yet to reconnect."""

    since: int
    expected: bool
    until: int | None = None


class Absences:
    """When each player had no line."""

    def __init__(self) -> None:
        self._began = 0
        self._lines: defaultdict[str, set[int]] = defaultdict(set)
        self._away: dict[str, Absence] = {}
        self._past: defaultdict[str, list[Absence]] = defaultdict(list)
        self.excused = 0
        """How often a table has not waited for somebody."""

    def house_begins(self, at: int) -> None:
        """Another process serves, and knows of no line."""
        self._began = at
        for known in (self._lines, self._away, self._past):
            known.clear()

    def comes(self, player: str, line: int, at: int) -> None:
        if not self._lines[player]:
            away = self._away.pop(player, Absence(self._began, expected=True))
            self._past[player].append(away._replace(until=at))
        self._lines[player].add(line)

    def goes(self, player: str, line: int, at: int) -> None:
        if line in self._lines[player]:
            self._lines[player].discard(line)
            if not self._lines[player]:
                self._away[player] = Absence(at, expected=False)

    def excuses(self, player: str, at: int, absent: int, patience: int) -> bool:
        """Whether a table may go on without a player who has been away for `absent` milliseconds; after a start of the house it
        has patience first."""
        now = [] if self._lines[player] else [self._away.get(player, Absence(self._began, expected=True))]
        self.excused += 1
        return any(
            away.since + (patience if away.expected else 0) + absent <= at <= (away.until or at)
            for away in (*self._past[player], *now)
        )
