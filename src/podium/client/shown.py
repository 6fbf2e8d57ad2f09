"""What the house has shown a terminal of one table, and whether it is the player's turn there."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from podium.play.views import QuestionView, SeatView
from podium.wire.messages import (
    Advice,
    Counts,
    HeldCard,
    History,
    Notices,
    RulesInForce,
    Seated,
    TableMap,
    TableView,
)


class Turn(NamedTuple):
    """The player's turn: to bet, or to answer a question."""

    table: TableView
    seat: Seated
    question: QuestionView | None
    """What the box is asked, and what each answer costs; None while the table takes bets."""
    box: int = 1
    """The player's box whose turn it is."""

    @property
    def view(self) -> SeatView | None:
        """What the box shows; None before a bet."""
        return own_view(self.seat, self.box)

    @property
    def key(self) -> tuple[str, int, int, int, int | None]:
        """Identifies the turn, because the same one is shown many times while others act. Betting that is extended because
        nobody has bet is a new turn."""
        view = self.view
        if self.question is None or view is None:
            return self.table.table, self.table.round, self.box, -1, self.table.deadline
        return self.table.table, self.table.round, self.box, view.step, None


def own_view(seat: Seated, box: int | None = None) -> SeatView | None:
    """The view of one of the player's boxes, or of the first one."""
    if box is None or box == seat.box:
        return seat.view
    return next((further.view for further in seat.further if further.box == box), None)


def with_counts(view: TableView, counts: Counts) -> TableView:
    """A table with the counts that came after it."""
    return msgspec.structs.replace(
        view,
        number=counts.number,
        now=counts.now,
        players=counts.players,
        betting=counts.betting,
        deciding=counts.deciding,
        total_bets=counts.total_bets,
    )


STALE: Final = -1
"""The number given to a state from before a reconnection: there is no turn until the house has shown the new one."""


class Known:
    """What the house has shown of one table."""

    def __init__(self) -> None:
        self.view: TableView | None = None
        self.seat: Seated | None = None
        self.rules: RulesInForce | None = None
        self.history: History | None = None
        self.advice: Advice | None = None
        self.held: HeldCard | None = None
        self.map: TableMap | None = None
        self.notices: Notices | None = None

    def turns(self) -> Iterator[Turn]:
        """The turns of the player's boxes at this table, the first box first."""
        table, seat = self.view, self.seat
        if table is None or seat is None or seat.seat is None or min(table.number, seat.number) == STALE:
            return
        for box in (seat.box, *(further.box for further in seat.further)):
            view = own_view(seat, box)
            in_round = view is not None and seat.round == table.round
            if in_round and view is not None and view.question is not None:
                yield Turn(table, seat, view.question, box)
            elif table.phase == "betting" and not in_round and not seat.locked:
                yield Turn(table, seat, None, box)

    def take(
        self,
        message: TableView | Counts | Seated | RulesInForce | History | Advice | HeldCard | TableMap | Notices,
    ) -> bool:
        """Keeps a message if it is new; returns whether it was."""
        match message:
            case TableView() if self.view is None or message.number > self.view.number:
                self.view = message
            case Counts() if self.view is not None and message.number > self.view.number:
                self.view = with_counts(self.view, message)
            case Seated() if self.seat is None or (message != self.seat and message.number >= self.seat.number):
                self.seat = message
            case RulesInForce() if message != self.rules:
                self.rules = message
            case History() if message != self.history:
                self.history = message
            case Advice():
                self.advice = message
            case HeldCard():
                self.held = message
            case TableMap():
                self.map = message
            case Notices():
                self.notices = message
            case _:
                return False
        return True
