"""The seats of a table: who sits where, and who leaves when the round is over."""

from collections.abc import Collection, Mapping
from itertools import count
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english

SEATLESS_FROM: Final = 101
"""In games with seats, places from this number on have none: whoever takes one gets no cards (MGB Toke Bets)."""


class Seats:
    """The seats of one table."""

    def __init__(self) -> None:
        self.players: Final[dict[int, str]] = {}
        """Who sits where."""
        self.boxes: Final[dict[str, dict[int, int]]] = {}
        """The seats of each player by the numbers of the player's boxes, the lowest first."""
        self.numbers: Final[dict[str, int]] = {}
        """The seat of each player's first box."""
        self.leaving: Final[dict[int, int]] = {}
        """Seats that become free when the round is over, and since when."""
        self._lowest_free = 1
        """No seat below this one is free."""

    def choose(self, wanted: int | None, limit: int | None, seatless: int = 0) -> int:
        """The seat for a new player: the one that is wanted, or the first that is free. `seatless` players take none."""
        if wanted is not None and (wanted < 1 or (limit is not None and wanted > limit)):
            raise Refused("seat-unknown", seat=wanted, seats=limit) if limit else Refused("seat-below-one", seat=wanted)
        if wanted is not None and wanted in self.players:
            raise Refused("seat-taken", seat=wanted)
        if limit is not None and len(self.players) - seatless >= limit:
            raise Refused("seats-taken", seats=limit)
        return wanted or self._first_free()

    def choose_seatless(self) -> int:
        """The place for a player who takes part without a seat."""
        return next(number for number in count(SEATLESS_FROM) if number not in self.players)

    def _first_free(self) -> int:
        while self._lowest_free in self.players:
            self._lowest_free += 1
        return self._lowest_free

    def take(self, seat: int, player: str, box: int = 1) -> None:
        """Gives a seat to a player, as the box of that number."""
        self.players[seat] = player
        self.leaving.pop(seat, None)
        boxes = self.boxes.setdefault(player, {})
        boxes[box] = seat
        if len(boxes) > 1:
            self.boxes[player] = boxes = dict(sorted(boxes.items()))
        self.numbers[player] = next(iter(boxes.values()))

    def take_all(self, players: Mapping[int, str], boxes: Mapping[int, int]) -> None:
        """Restores who sits where, for a table that is loaded from its journal. `boxes` numbers seats that are not a first box."""
        for seat, player in players.items():
            self.take(seat, player, boxes.get(seat, 1))

    def further(self) -> dict[int, int]:
        """The seats that are not a player's box 1, with the numbers of their boxes."""
        return {seat: box for boxes in self.boxes.values() for box, seat in boxes.items() if box != 1}

    def box_for(self, player: str, seat: int | None, box: int | None) -> int:
        """The box of a player who sits down: the one that is named, that of the seat, or the first; the next one if another
        seat is wanted."""
        boxes = self.boxes.get(player, {})
        if box is not None:
            return box
        if seat is None or not boxes:
            return next(iter(boxes), 1)
        return next((number for number, known in boxes.items() if known == seat), _lowest_free(boxes))

    def give_back(self, seat: int, at: int, *, in_play: bool) -> None:
        """Frees the seat of a player who gets up; one with a wager in play is kept until the round is over."""
        if in_play:
            self.leaving[seat] = at
            return
        self.leaving.pop(seat, None)  # whoever asked to leave may have taken the wager back since
        if seat in self.players:
            self._free(seat)

    def give_back_all(self) -> None:
        """Frees the seats of players who asked to leave, now that the round is over."""
        for seat, since in tuple(self.leaving.items()):
            self.give_back(seat, since, in_play=False)

    def _free(self, seat: int) -> None:
        player = self.players.pop(seat)
        boxes = {box: known for box, known in self.boxes.pop(player).items() if known != seat}
        del self.numbers[player]
        if boxes:
            self.boxes[player], self.numbers[player] = boxes, next(iter(boxes.values()))
        self._lowest_free = min(self._lowest_free, seat)


def _lowest_free(taken: Collection[int]) -> int:
    return next(number for number in count(1) if number not in taken)


english(
    "refused",
    {
        "seat-taken": "Seat {seat} is taken.",
        "seat-unknown": "There is no seat {seat} at this table: the seats are 1 to {seats}.",
        "seat-below-one": "There is no seat {seat} at this table: seats are numbered from 1.",
        "seats-taken": "All {seats} seats of this table are taken.",
    },
)
