"""What a table does by itself, and when: deadlines run out, and the automated dealer deals.

Time comes in as a value; whoever owns the clock asks `due` when to come back, and then lets `act` do what is due.
"""

from typing import Protocol

from podium.asking import Confirmation, Decisions, NextCard, Wagers
from podium.events import BettingClosed, CardDealt, Confirmed, TimeExpired
from podium.table.config import milliseconds
from podium.table.events import BettingExtended, ShoeCut, ShoeEnded, ShoeShuffled
from podium.table.table import Table


class Shuffler(Protocol):
    """Whoever may draw random numbers and holds the seal."""

    def shuffle(self, shoe: int, decks: int) -> ShoeShuffled:
        """A new shoe in an order that nobody chose, with the commitment to it."""

    def reveal(self, shuffled: ShoeShuffled) -> str:
        """What proves a shuffle, when its shoe has ended."""


def due(table: Table) -> int | None:
    """When the table next does something by itself; None when it waits for somebody."""
    if table.config is None and table.pending is None:
        return None
    if table.between_rounds:
        return _due_between_rounds(table)
    config, awaits = table.configured, table.in_play.awaits
    if isinstance(awaits, Wagers | Decisions):
        return table.last_at if _everybody_has_bet(table) else table.deadline
    if config.dealer == "live":
        return None
    if isinstance(awaits, NextCard | Confirmation):
        paced = table.last_at + milliseconds(config.card_seconds)
        return max(paced, table.deadline or 0)
    return None


def _due_between_rounds(table: Table) -> int | None:
    if not table.is_open or table.configured.dealer == "live":
        return None
    shown = table.deadline or table.last_at
    if table.needs_shoe:
        return shown
    assert table.shoe is not None
    if table.shoe.order is None:
        return max(shown, table.shuffled_at + milliseconds(table.configured.shuffle_seconds))
    return shown


def act(table: Table, now: int, shuffler: Shuffler) -> bool:
    """Do one thing that is due, if there is one; call it until it says no."""
    when = due(table)
    if when is None or now < when:
        return False
    if table.between_rounds:
        _between_rounds(table, now, shuffler)
        return True
    match table.in_play.awaits:
        case Wagers() if table.in_play.seats:
            table.record(BettingClosed(), now)
        case Wagers():
            table.record(BettingExtended(now + milliseconds(table.configured.betting_seconds)), now)
        case Decisions():
            table.record(TimeExpired(), now)
        case NextCard():
            table.record(CardDealt(table.next_card()), now)
        case Confirmation():
            table.record(Confirmed(), now)
    return True


def _between_rounds(table: Table, now: int, shuffler: Shuffler) -> None:
    """Shuffle when the cut card is out, let the terminals cut, and open the next round."""
    if table.needs_shoe:
        if table.shoe is not None:
            shuffled = table.shoe.shuffled
            table.record(ShoeEnded(table.shoe.number, shuffler.reveal(shuffled) if shuffled else ""), now)
        table.record(shuffler.shuffle(table.shoe_number + 1, table.upcoming.rules().rules.decks), now)
    elif table.shoe is not None and table.shoe.order is None:
        table.record(ShoeCut(tuple(table.numbers)), now)
    else:
        table.open_round(now)


def _everybody_has_bet(table: Table) -> bool:
    """Whether betting can close before its time, where the table is configured so."""
    return (
        table.configured.close_betting_early
        and isinstance(table.in_play.awaits, Wagers)
        and bool(table.players)
        and all(seat in table.in_play.seats for seat in table.players)
    )
