"""What a table does on its own, and when: deadlines expire, and the automated dealer deals.

Time comes in as a value; the owner of the clock asks `due` when to come back, then calls `act`.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from podium.house.table.config import milliseconds
from podium.house.table.events import ShoeShuffled
from podium.house.table.state import AUTOMATED
from podium.house.table.table import Table
from podium.record.generator import GeneratorFailed
from podium.rules.asking import Confirmation, Decisions, NextCard, Wagers

Lost = Callable[[str], int | None]
"""When a player's terminal was lost; None for a player who is there. With a moment in the future the player still
counts as there."""


def nobody(player: str) -> None:
    """No terminal is lost."""


class Shuffler(Protocol):
    """Makes shuffled shoes; it has the random numbers and the seal."""

    def shuffle(self, table: str, shoe: int, decks: int) -> ShoeShuffled:
        """A new shoe for a table, in an order that nobody chose, with the commitment to it."""


def due(table: Table, lost: Lost = nobody) -> int | None:
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
        times = (table.deadline, _early(table, lost))
        return min([time for time in times if time is not None], default=None)
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


def act(table: Table, now: int, shuffler: Shuffler, lost: Lost = nobody) -> bool:
    """Does one thing that is due, if any; call it until it returns False."""
    when = due(table, lost)
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
        table.close(now, by=AUTOMATED, why=failure.key, paused=True)
    else:
        table.take_shoe(shuffled, now)


def _early(table: Table, lost: Lost) -> int | None:
    """When the table goes on before the time is over, because everybody present has answered."""
    config, played = table.configured, table.in_play
    if isinstance(played.awaits, Wagers):
        if not config.close_betting_early or not played.seats:
            return None
        left = [seat for seat in table.players if seat not in played.seats]
        return _without(table, left, lost) if left else table.last_at
    insuring, asked = played.dealing.insuring, played.awaits
    if not isinstance(asked, Decisions) or not (config.close_early or insuring or played.dealing.acts_in_turn):
        return None  # the next card waits for the whole time, whoever has answered
    return _without(table, insuring or asked, lost)


def _without(table: Table, seats: Iterable[int], lost: Lost) -> int | None:
    """DSC-2: when the table goes on without the answers of these seats; None as long as one of them belongs to a player who is
    there. The time of the absent begins with the question or with the loss of the terminal, whichever is later."""
    since = table.last_at if table.deadline is None else table.deadline - table.window
    for seat in seats:
        away = lost(table.players[seat])
        left = table.leaving.get(seat)
        if away is None and left is None:
            return None
        since = max(since, away or 0, left or 0)
    return since + milliseconds(table.configured.absent_seconds)
