"""Who sits where at a table, and who leaves when the round is over."""

from collections.abc import Mapping
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english


class Seats:
    """The seats of one table."""

    def __init__(self) -> None:
        self.players: Final[dict[int, str]] = {}
        """Who sits where."""
        self.numbers: Final[dict[str, int]] = {}
        """The seat of each player."""
        self.leaving: Final[set[int]] = set()
        """Seats that become free when the round is over."""
        self._lowest_free = 1
        """No seat below this one is free."""

    def choose(self, wanted: int | None, limit: int | None) -> int:
        """The seat for a new player: the one that is wanted, or the first that is free."""
        if wanted is not None and (wanted < 1 or (limit is not None and wanted > limit)):
            raise Refused("seat-unknown", seat=wanted, seats=limit) if limit else Refused("seat-below-one", seat=wanted)
        if wanted is not None and wanted in self.players:
            raise Refused("seat-taken", seat=wanted)
        if limit is not None and len(self.players) >= limit:
            raise Refused("seats-taken", seats=limit)
        return wanted or self._first_free()

    def _first_free(self) -> int:
        while self._lowest_free in self.players:
            self._lowest_free += 1
        return self._lowest_free

    def take(self, seat: int, player: str) -> None:
        self.players[seat], self.numbers[player] = player, seat
        self.leaving.discard(seat)

    def take_all(self, players: Mapping[int, str]) -> None:
        """Restores who sits where, for a table that is loaded from its journal."""
        for seat, player in players.items():
            self.take(seat, player)

    def give_back(self, seat: int, *, in_play: bool) -> None:
        """A player gets up; a seat with a wager in play is kept until the round is over."""
        if in_play:
            self.leaving.add(seat)
        elif seat in self.players:
            self._free(seat)

    def give_back_all(self) -> None:
        """Frees the seats of players who asked to leave, now that the round is over."""
        for seat in self.leaving:
            self._free(seat)
        self.leaving.clear()

    def _free(self, seat: int) -> None:
        del self.numbers[self.players.pop(seat)]
        self._lowest_free = min(self._lowest_free, seat)


english(
    "refused",
    {
        "seat-taken": "Seat {seat} is taken.",
        "seat-unknown": "There is no seat {seat} at this table: the seats are 1 to {seats}.",
        "seat-below-one": "There is no seat {seat} at this table: the seats are counted from 1.",
        "seats-taken": "All {seats} seats of this table are taken.",
    },
)
