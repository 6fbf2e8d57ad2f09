"""Stays: who sat at which table, from when to when."""

from bisect import bisect_right
from typing import Final

from podium.house.table.events import SeatLeft, SeatTaken, decode
from podium.record.journal import Entry


class Stay:
    """A player at a table: a session, from sitting down to getting up."""

    __slots__ = ("player", "seat", "since", "table", "until")

    def __init__(self, player: str, table: str, seat: int, since: int) -> None:
        self.player: Final = player
        self.table: Final = table
        self.seat: Final = seat
        self.since: Final = since
        self.until: int | None = None

    def __repr__(self) -> str:
        return f"<{self.player} at {self.table} from {self.since} to {self.until or 'now'}>"


class Stays:
    """Every stay of every player; it follows the journal."""

    def __init__(self, since: int = 0, until: int | None = None) -> None:
        self.of: dict[str, list[Stay]] = {}
        self._seated: dict[tuple[str, int], Stay] = {}
        self._since = since
        """Stays that ended earlier are not kept."""
        self._until = until
        """Stays that began then or later are not kept either."""
        self.count = 0

    def follow(self, table: str, entry: Entry) -> None:
        if entry.kind not in ("seat-taken", "seat-left"):
            return
        match decode(entry.payload):
            case SeatTaken(seat, player) if self._until is None or entry.time < self._until:
                stay = self._seated[table, seat] = Stay(player, table, seat, entry.time)
                stays = self.of.setdefault(player, [])
                # Tables are followed one after another, so a stay elsewhere may have begun later.
                stays.insert(bisect_right(stays, stay.since, key=lambda each: each.since), stay)
                self.count += 1
            case SeatLeft(seat) if (table, seat) in self._seated:
                stay = self._seated.pop((table, seat))
                stay.until = entry.time
                if entry.time < self._since:
                    self._keep(stay.player, [each for each in self.of[stay.player] if each is not stay])

    def ends(self) -> list[int]:
        """When the finished stays ended."""
        return [stay.until for stays in self.of.values() for stay in stays if stay.until is not None]

    def forget(self, since: int) -> None:
        """Drops stays that ended earlier."""
        self._since = since
        for player, stays in list(self.of.items()):
            self._keep(player, [stay for stay in stays if stay.until is None or stay.until >= since])

    def _keep(self, player: str, stays: list[Stay]) -> None:
        self.count -= len(self.of[player]) - len(stays)
        if stays:
            self.of[player] = stays
        else:
            del self.of[player]

    def at(self, player: str, time: int, table: str = "") -> Stay | None:
        """The stay that something at this time belongs to: the last one that had begun (a seat with a wager in play is kept
        until the round is over), or the first if none had."""
        stays = [stay for stay in self.of.get(player, ()) if table in ("", stay.table)]
        begun = bisect_right(stays, time, key=lambda stay: stay.since)
        return stays[begun - 1] if begun else stays[0] if stays else None

    def for_money(self, player: str, time: int) -> Stay | None:
        """The stay that a buy-in is for: the current one; otherwise the next one; otherwise the last one."""
        stays = self.of.get(player, [])
        begun = bisect_right(stays, time, key=lambda stay: stay.since)
        on = stays[begun - 1] if begun else None
        if on is not None and (on.until is None or time < on.until):
            return on
        return stays[begun] if begun < len(stays) else on
