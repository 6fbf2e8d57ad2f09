"""What a table does by itself, and when: deadlines expire, and the automated dealer deals.

Time comes in as a value; the owner of the clock asks `due` when to come back, then calls `act`.
"""

from typing import Protocol

from podium.house.table.config import milliseconds
from podium.house.table.events import ShoeShuffled
from podium.house.table.state import AUTOMATED
from podium.house.table.table import Table
from podium.record.generator import GeneratorFailed
from podium.rules.asking import Confirmation, Decisions, NextCard, Wagers


class Shuffler(Protocol):
    """Makes shuffled shoes; it has the random numbers and the seal."""

    def shuffle(self, table: str, shoe: int, decks: int) -> ShoeShuffled:
        """A new shoe for a table, in an order that nobody chose, with the commitment to it."""


def due(table: Table) -> int | None:
    """When the table next does something by itself; None while it waits for somebody."""
    if table.config is None and table.pending is None:
        return None
    if table.rests or table.correction is not None:
        return None
    held = table.readings.held
    if held is not None and not held.stopped:
        return held.at + milliseconds(table.upcoming.reading_hold_seconds)
    if table.between_rounds:
        return _due_between_rounds(table)
    config, awaits = table.configured, table.in_play.awaits
    if isinstance(awaits, Wagers) and not table.players and not table.in_play.seats:
        return None  # an empty table waits for somebody to sit down
    if isinstance(awaits, Wagers | Decisions):
        return table.last_at if _everybody_has_bet(table) else table.deadline
    if config.dealer == "live":
        return None
    if isinstance(awaits, NextCard | Confirmation):
        paced = table.last_at + milliseconds(config.card_seconds)
        return max(paced, table.deadline or 0)
    return None


def _due_between_rounds(table: Table) -> int | None:
    """When to shuffle the next shoe: while the result is shown, so that the players can cut it meanwhile."""
    if table.upcoming.dealer == "live":
        return None
    shoe = table.shoe
    if table.needs_shoe or shoe is None or shoe.cut is None:
        return table.last_at
    shown = table.deadline or table.last_at
    cutting = milliseconds(table.upcoming.shuffle_seconds)
    if not shoe.cut.closed:
        wanted = table.players if shoe.entitled is None else shoe.entitled
        return max(shown, shoe.shuffled_at + cutting) if wanted else shown
    return shown if shoe.order else shoe.closed_at + cutting


def act(table: Table, now: int, shuffler: Shuffler) -> bool:
    """Does one thing that is due, if there is one; call it until it returns False."""
    when = due(table)
    if when is None or now < when:
        return False
    held = table.readings.held
    if held is not None and not held.stopped:
        table.count_reading(now)
        return True
    if table.between_rounds:
        _between_rounds(table, now, shuffler)
        return True
    match table.in_play.awaits:
        case Wagers() if table.in_play.seats:
            table.close_bets(now)
        case Wagers():
            table.extend_betting(now)
        case Decisions():
            table.run_out_of_time(now)
        case NextCard():
            table.deal_from_shoe(now)
        case Confirmation():
            table.confirm(now)
    return True


def _between_rounds(table: Table, now: int, shuffler: Shuffler) -> None:
    """Shuffles when the cut card is out, lets the players cut, and opens the next round."""
    shoe = table.shoe
    if table.needs_shoe or shoe is None or shoe.cut is None:
        if shoe is not None:
            table.end_shoe(now)
        _shuffle(table, now, shuffler)
    elif not shoe.cut.closed:
        table.close_cut(now)
    elif shoe.order is None:
        table.end_shoe(now)  # a terminal withheld its number: the shoe is revealed and not dealt
    else:
        table.open_round(now)


def _shuffle(table: Table, now: int, shuffler: Shuffler) -> None:
    """Puts the next shoe on the table, or pauses the table if the generator has failed (RNG-11)."""
    try:
        shuffled = shuffler.shuffle(table.name, table.shoe_number + 1, table.upcoming.to_game().rules.decks)
    except GeneratorFailed as failure:
        table.close(now, by=AUTOMATED, reason=str(failure), paused=True)
    else:
        table.take_shoe(shuffled, now)


def _everybody_has_bet(table: Table) -> bool:
    """Whether betting can close early, if the table is configured so."""
    return (
        table.configured.close_betting_early
        and isinstance(table.in_play.awaits, Wagers)
        and bool(table.players)
        and all(seat in table.in_play.seats for seat in table.players)
    )
