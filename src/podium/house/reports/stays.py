"""Stays: who sat at which table, and when."""

from bisect import bisect_right
from typing import Final

from podium.house.table.events import SeatLeft, SeatTaken, decode
from podium.record.journal import Entry


class Stay:
    """A player at a table: a session, from sitting down at the first box to getting up from the last one."""

    __slots__ = ("boxes", "player", "seat", "since", "table", "until")

    def __init__(self, player: str, table: str, seat: int, since: int) -> None:
        self.player: Final = player
        self.table: Final = table
        self.seat: Final = seat
        self.since: Final = since
        self.until: int | None = None
        self.boxes = 0
        """How many seats the player has there now."""

    def __repr__(self) -> str:
        return f"<{self.player} at {self.table} from {self.since} to {self.until or 'now'}>"


class Stays:
    """Every stay of every player; it follows the journal."""

    def __init__(self, since: int = 0, until: int | None = None) -> None:
        self.of: dict[str, list[Stay]] = {}
        self._seated: dict[tuple[str, int], Stay] = {}
        self._open: dict[tuple[str, str], Stay] = {}
        """By table and player: all boxes of a player at one table are one stay."""
        self._since = since
        """Stays that ended earlier are not kept."""
        self._until = until
        """Stays that began then or later are not kept either."""
        self.count = 0

    def follow(self, table: str, entry: Entry) -> None:
        if entry.kind not in ("seat-taken", "seat-left"):
            return
        match decode(entry.payload):
            case SeatTaken(seat, player):
                self._sit_down(table, seat, player, entry.time)
            case SeatLeft(seat) if (table, seat) in self._seated:
                stay = self._seated.pop((table, seat))
                stay.boxes -= 1
                if stay.boxes:
                    return
                stay.until = entry.time
                del self._open[table, stay.player]
                if entry.time < self._since:
                    self._keep(stay.player, [each for each in self.of[stay.player] if each is not stay])

    def _sit_down(self, table: str, seat: int, player: str, at: int) -> None:
        stay = self._open.get((table, player))
        if stay is None:
            if self._until is not None and at >= self._until:
                return
            stay = self._open[table, player] = Stay(player, table, seat, at)
            stays = self.of.setdefault(player, [])
            # Tables are followed one after another, so a stay elsewhere may have begun later.
            stays.insert(bisect_right(stays, at, key=lambda each: each.since), stay)
            self.count += 1
        if self._seated.get((table, seat)) is not stay:
            self._seated[table, seat] = stay
            stay.boxes += 1

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
