"""Cash by player and gaming day: what the cage took and paid, and the amounts at which somebody must look at it.

It covers whatever is moved for a player by name. A ticket that is sold or cashed names nobody: only its own amount counts.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from podium.house.calendar import DayRule, Today
from podium.record.ledger import Transfer, account, kind_of, names_of

CASH: Final = account("cage", "main")
_OWN: Final = frozenset({"credit", "attendant", "debt"})
"""The accounts of a player that cash goes to and comes from."""


class CashDay(msgspec.Struct, frozen=True):
    """A player's cash in one gaming day."""

    until: int
    """When the gaming day ends."""
    taken: int = 0
    paid: int = 0
    buy_ins: int = 0
    largest: int = 0
    """The largest amount that was taken at once."""

    def with_one(self, *, taken: int = 0, paid: int = 0) -> "CashDay":
        return CashDay(
            self.until, self.taken + taken, self.paid + paid, self.buy_ins + bool(taken), max(self.largest, taken)
        )


class CashAlarm(NamedTuple):
    """Cash that must be looked at."""

    kind: str
    """`cash-large` or `cash-many`."""
    reason: str
    before: int
    after: int


class CashDays:
    """The cash of all players in the present gaming day."""

    def __init__(self) -> None:
        self._days: dict[str, CashDay] = {}
        self._first_end = 0
        self._today: Final = Today()

    def moved(self, transfers: Iterable[Transfer], at: int, rule: DayRule) -> None:
        """Counts money that the desk moved."""
        for transfer in transfers:
            player, taken, paid = _cash_of(transfer)
            if player and (taken or paid):
                day = self._day_of(player, at, rule)
                self._days[player] = day.with_one(taken=taken, paid=paid)

    def _day_of(self, player: str, at: int, rule: DayRule) -> CashDay:
        if at >= self._first_end:
            self._days = {name: day for name, day in self._days.items() if at < day.until}
            self._first_end = min((day.until for day in self._days.values()), default=2**63)
        known = self._days.get(player)
        if known is None:
            known = CashDay(self._today.ends(at, rule))
            self._first_end = min(self._first_end, known.until)
        return known

    def of(self, player: str, at: int) -> CashDay:
        """A player's cash in the gaming day of this moment."""
        day = self._days.get(player)
        return day if day is not None and at < day.until else CashDay(0)

    def whole(self) -> dict[str, CashDay]:
        """Everything, for a snapshot."""
        return dict(self._days)

    def restore(self, days: dict[str, CashDay]) -> None:
        self._days = dict(days)
        self._first_end = min((day.until for day in days.values()), default=0)


def alarms(transfer: Transfer, before: CashDay, after: CashDay, *, large: int, many: int) -> Iterator[CashAlarm]:
    """The alarms that a transfer raises: a day's sum that reaches `large`, and the `many`-th buy-in of a day if all of
    them are below that. Each is raised once a day."""
    player, taken, paid = _cash_of(transfer)
    if large and not player and max(taken, paid) >= large:
        yield CashAlarm("cash-large", f"{transfer.kind} without a name", 0, max(taken, paid))
    if not player:
        return
    for way, was, now in (("taken", before.taken, after.taken), ("paid", before.paid, after.paid)):
        if large and was < large <= now:
            yield CashAlarm("cash-large", f"{way} in this gaming day", was, now)
    if many and taken and after.buy_ins == many and (not large or after.largest < large):
        yield CashAlarm("cash-many", f"{many} buy-ins in this gaming day", before.taken, after.taken)


def _cash_of(transfer: Transfer) -> tuple[str, int, int]:
    """Whose cash a transfer moved, what the cage took, and what it paid; nobody's name for a ticket."""
    if CASH not in (transfer.debit, transfer.credit):
        return "", 0, 0
    into = transfer.debit == CASH  # the cage's account goes down when it takes cash
    other = transfer.credit if into else transfer.debit
    player = names_of(other)[0] if kind_of(other) in _OWN else ""
    if kind_of(other) == "tips":
        return "", 0, 0  # a dealer's tips
    return (player, transfer.amount, 0) if into else (player, 0, transfer.amount)
