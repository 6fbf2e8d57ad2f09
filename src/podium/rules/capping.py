"""The most that one player is paid in one round, where a table cuts off what is above it instead of refusing the wagers.

All boxes of a player share it. What was paid once stays paid, so the wagers take what is left in the order in which they are
decided; those that are decided together, in the order of the boxes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from podium.basics.words import english
from podium.rules.results import WagerResult, because, together
from podium.rules.seat import Seat

AtOnce = Callable[[Seat], Mapping[int, Sequence[WagerResult]]]
"""The main wagers of a seat that are decided already, by hand."""


class Cap:
    """What each player can still be paid in one round."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._boxes: Final[dict[int, list[Seat]]] = {}
        """The seats that share it, in their order."""
        self._left: Final[dict[int, int]] = {}
        """By the boxes that share it."""
        self._looked: Final[dict[int, int]] = {}
        """How many of each seat's settled wagers have been cut."""
        self._paid: Final[dict[int, dict[int, list[WagerResult]]]] = {}
        """By seat and hand: the main wagers that were paid before the end."""

    def look(self, seats: Mapping[int, Seat], at_once: AtOnce, only: int | None = None) -> None:
        """Cuts what has been decided since the last look, at all seats or at that one only. The first look is when betting has
        closed."""
        if not self._boxes:
            for _, seat in sorted(seats.items()):
                self._boxes.setdefault(seat.shares, []).append(seat)
        for seat in chain.from_iterable(self._boxes.values()) if only is None else (seats[only],):
            number = seat.number
            known = self._looked.get(number, 0)
            if len(seat.settled) > known:
                left, cut = self._cut(seat.settled[known:], self._of(seat))
                seat.settled[known:] = cut
                self._left[seat.shares], self._looked[number] = left, len(seat.settled)
            paid = self._paid.setdefault(number, {})
            for hand, decided in at_once(seat).items():
                if hand not in paid:
                    self._left[seat.shares], paid[hand] = self._cut(decided, self._of(seat))

    def paid(self, seat: Seat) -> Mapping[int, Sequence[WagerResult]]:
        """The main wagers of a seat that are paid already, by hand."""
        return self._paid.get(seat.number, {})

    def result(self, seat: Seat, wagers: Callable[[Seat], Sequence[WagerResult]]) -> tuple[WagerResult, ...]:
        """The wagers of a seat at the end of the round, cut to what its player can still be paid."""
        left = self._of(seat)
        for box in self._boxes[seat.shares]:
            before = (*box.settled, *together(chain.from_iterable(self.paid(box).values())))
            decided = wagers(box)
            # A wager that is paid in part has only lost so far, and took nothing of what is left.
            staked = {(each.wager, each.whose): each.staked for each in decided}
            known = {(each.wager, each.whose): each for each in before if each.staked == staked[each.wager, each.whose]}
            left, cut = self._cut([each for each in decided if (each.wager, each.whose) not in known], left)
            if box is seat:
                late = iter(cut)
                return tuple(known.get((each.wager, each.whose)) or next(late) for each in decided)
        raise AssertionError(seat)

    def _of(self, seat: Seat) -> int:
        return self._left.get(seat.shares, self._most)

    def _cut(self, wagers: Iterable[WagerResult], left: int) -> tuple[int, list[WagerResult]]:
        """Cuts the winnings of these wagers to what is left; returns the wagers and what is left after them."""
        cut = []
        for wager in wagers:
            over = max(_won(wager) - left, 0)
            cut.append(self._without(wager, over) if over else wager)
            left -= _won(cut[-1])
        return left, cut

    def _without(self, wager: WagerResult, over: int) -> WagerResult:
        returned, tips = wager.returned - over, max(wager.tips - over, 0)
        why = (*wager.why, because("capped", most=self._most))
        return WagerResult(wager.wager, wager.whose, wager.staked, returned, tips, why, wager.breakage)


def _won(wager: WagerResult) -> int:
    return max(wager.returned - wager.staked, 0)


english("why", {"capped": "Paid up to {most:money}, the most that one player is paid in one round (placard)."})
