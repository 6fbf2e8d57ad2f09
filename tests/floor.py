"""A house for tests: real tables, a real ledger and journal, entropy that repeats, and time that the test moves."""

from collections.abc import Callable
from typing import Any

from podium.house import House, HouseConfig
from podium.house.limits import MAX_ENTRIES_BETWEEN_SNAPSHOTS
from podium.house.shuffling import SealedShuffler
from podium.house.table import Table, TableConfig
from podium.house.table.pace import act, due
from podium.record.journal import Entry
from podium.record.ledger import account
from podium.record.seal import Seal
from tests.entropy import repeatable

OPENING = 100_000


class TestHouse:
    """A house with one table of each configuration, and somebody to move its clock."""

    __test__ = False

    def __init__(self, snapshot_every: int = MAX_ENTRIES_BETWEEN_SNAPSHOTS, /, **tables: TableConfig) -> None:
        entropy = repeatable("house")
        self.shuffler = SealedShuffler(Seal(entropy(32), entropy), entropy)
        self.house = House(self.shuffler, snapshot_every=snapshot_every)
        self.now = 1_000_000
        self.stored: list[Entry] = []
        self.lost: dict[str, int] = {}
        """Since when whose terminal is lost."""
        self.house.configure(HouseConfig(tables=tables), self.now)

    def table(self, name: str = "t1") -> Table:
        return self.house.table(name)

    def player(self, name: str, table: str = "t1", credit: int = OPENING, seat: int | None = None) -> str:
        """A player who bought in and sat down."""
        self.house.admit(name, "card", self.now)
        self.house.pay_in(name, credit, self.now, key=f"buy-in.{name}", by="cashier")
        self.house.sit_down(name, table, seat, self.now)
        return name

    def bet(self, player: str, amount: int, table: str = "t1", **more: int) -> None:
        main = self.rules(table).main.name
        self.house.bet(player, table, {main: amount, **more}, {}, (), self.now)

    def decide(self, player: str, decision: str, table: str = "t1") -> None:
        self.house.decide(player, table, decision, self.now)

    def at(self, table: str, do: Callable[[Table], Any]) -> None:
        self.house.at_table(table, do)

    def rules(self, table: str = "t1") -> Any:
        found = self.house.table(table)
        return found.current_game.rules

    def run_until(self, phase: str, table: str = "t1", *, steps: int = 500) -> None:
        """Lets time pass, one thing after another, until the table does what is wanted."""
        found = self.table(table)
        for _ in range(steps):
            if found.phase() == phase:
                return
            self.step(table)
        raise AssertionError(f"{table} never came to {phase}; it is {found.phase()}")

    def step(self, table: str = "t1") -> None:
        """The next thing that the table does by itself."""
        found = self.table(table)
        when = due(found, self.lost.get)
        assert when is not None, f"{table} waits for somebody: {found.phase()}"
        self.now = max(self.now, when)
        self.at(table, lambda table: act(table, self.now, self.shuffler, self.lost.get))

    def store(self) -> list[Entry]:
        """Everything that must be durable by now."""
        self.stored += self.house.take_entries()
        return self.stored

    def streams(self) -> dict[str, list[Entry]]:
        streams: dict[str, list[Entry]] = {}
        for entry in self.store():
            streams.setdefault(entry.stream, []).append(entry)
        return streams

    def restarted(self) -> House:
        """The house as it comes back from its journal."""
        again = House(self.shuffler)
        again.restore(self.streams())
        return again

    def balances(self) -> dict[str, int]:
        return {str(name): amount for name, amount in self.house.ledger}


def stadium(**changes: Any) -> TableConfig:
    """A table that takes wagers for the dealer, live or automated."""
    takes = {"dealer_wagers": True} if "game" not in changes else {}
    options = {**takes, **changes.pop("options", {})}
    return TableConfig(**{"game": "stadium-blackjack", "options": options, **changes})


def credit(house: House, player: str) -> int:
    return house.ledger[account("credit", player)]
