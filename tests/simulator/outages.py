"""What everybody has left of a time when the house itself has stood still (DSC-2)."""

from collections.abc import Mapping

from podium.house.table import Table
from podium.house.table.config import milliseconds
from podium.house.table.events import TimeGivenBack


class Outages:
    """When the house started, and whether the tables then cut somebody short."""

    def __init__(self) -> None:
        self._started = 0
        self._empty: set[str] = set()
        """The tables at which nobody was when the house started: who sits down later has what is left."""
        self.given_back = 0
        """How often a table gave the time of an outage back."""

    def start(self, tables: Mapping[str, Table], at: int) -> None:
        """Notes who waits when the house starts."""
        self._started = at
        self._empty = {
            name for name, table in tables.items() if not table.players and not (table.round and table.round.seats)
        }

    def ran_out(self, table: Table, at: int) -> tuple[bool, str]:
        """Whose time is over has had, since the last start, what the table gives at least."""
        if table.deadline is None or at < table.deadline or table.name in self._empty:
            return True, ""
        least = min(table.window, milliseconds(table.configured.resume_seconds))
        had = at - self._started
        return had >= least, f"DSC-2: time ran out at {table.name} {had} ms after a start of the house, not {least}"

    def gave_back(self, table: Table, event: TimeGivenBack, at: int) -> tuple[bool, str]:
        """At least as much is left as when the house stopped, and never more than there was."""
        if event.left is None:
            return event.since <= at, f"DSC-2: {table.name} stood still from {event.since}, which is after {at}"
        assert table.deadline is not None
        self.given_back += 1
        left = min(table.deadline - event.since, table.window)
        right = event.since <= at and left <= event.left <= table.window
        return right, f"DSC-2: {event.left} ms are left at {table.name}, and not {left}"
