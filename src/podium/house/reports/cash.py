"""Cash by player: what the cage took and paid, how often and how much at once."""

from typing import Final

from podium.house.cash import CASH
from podium.house.reports.intervals import Interval
from podium.house.reports.postings import posted_in
from podium.house.reports.report import TOTAL, Report, Row, column, sheet
from podium.record.ledger import kind_of, names_of
from podium.record.store import Reading

CASH_BY_PLAYER: Final = sheet(
    "cash-by-player",
    "Cash by player",
    (
        column("player", "Player"),
        column("taken", "Taken", "amount", key="cash-taken"),
        column("buy_ins", "Times", "count", key="cash-times"),
        column("largest", "Largest at once", "amount", key="cash-largest"),
        column("paid", "Paid", "amount", key="cash-paid"),
    ),
    note="Tickets that were sold or cashed name no player: they are counted together in the row without a name.",
)


class _Cash:
    """One player's cash in an interval."""

    def __init__(self) -> None:
        self.taken = self.paid = self.times = self.largest = 0


def cash_by_player(book: Reading, interval: Interval, made: int) -> Report:
    """What the cage took from every player and paid them, without dealers' tips."""
    found: dict[str, _Cash] = {}
    for posted in posted_in(book, interval):
        transfer = posted.transfer
        if CASH not in (transfer.debit, transfer.credit) or transfer.kind == "tip-paid":
            continue
        other = transfer.credit if transfer.debit == CASH else transfer.debit
        name = names_of(other)[0] if kind_of(other) in ("credit", "attendant", "debt") else ""
        cash = found.setdefault(name, _Cash())
        if transfer.debit == CASH:
            cash.taken, cash.times = cash.taken + transfer.amount, cash.times + 1
            cash.largest = max(cash.largest, transfer.amount)
        else:
            cash.paid += transfer.amount
    rows: list[Row] = [(name, each.taken, each.times, each.largest, each.paid) for name, each in sorted(found.items())]
    every = found.values()
    sums = sum(each.taken for each in every), sum(each.times for each in every), None, sum(each.paid for each in every)
    return CASH_BY_PLAYER.filled(interval, made, rows, (TOTAL, *sums))
