"""Reports from the accounts: liability, tips, tickets, large wins, and the meters against the ledger (REP-2, MTR-2)."""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable
from typing import Final

import msgspec

from podium.basics.words import Phrase, english
from podium.house.reports.intervals import Interval
from podium.house.reports.playmoney import PlayMoney
from podium.house.reports.postings import balances_at, entries_in, posted_in
from podium.house.reports.records import Records
from podium.house.reports.report import TOTAL, Report, Row, check_rows, column, sheet
from podium.record.ledger import Transfer, account, kind_of, names_of
from podium.record.limits import MAX_ROUNDS_IN_A_METER
from podium.record.meters import MeterReader, Meters
from podium.record.store import Posted, Reading

LIABILITY: Final = sheet(
    "operator-liability",
    "Operator liability at the end of the interval",
    (
        column("what", "What is owed", key="owed"),
        column("accounts", "Accounts", "count"),
        column("amount", "Amount", "amount"),
    ),
)
OWED: Final = {
    "credit": "credit of players",
    "in-play": "wagers in play",
    "tickets": "outstanding tickets",
    "attendant": "wins that an attendant must pay",
    "tips": "tips of dealers",
    "debt": "debts to the house (below zero)",
}
english("report", {f"owed.{kind}": words for kind, words in OWED.items()})


def operator_liability(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """What the house owed at the end of the interval, or owes now if the interval is not over; play money is not owed."""
    amounts, count = Counter[str](), Counter[str]()
    for name, amount in balances_at(book, min(interval.until, made + 1)).items():
        if records.play_money.holds(name):
            continue
        amounts[kind_of(name)] += amount
        count[kind_of(name)] += 1
    rows: list[Row] = [(Phrase(f"report.owed.{kind}"), count[kind], amounts[kind]) for kind in OWED if count[kind]]
    total = (TOTAL, sum(count[kind] for kind in OWED), sum(amounts[kind] for kind in OWED))
    return LIABILITY.filled(interval, made, rows, total)


# --- tickets ---------------------------------------------------------------------------------------------------------

TICKETS: Final = sheet(
    "tickets",
    "Tickets issued, redeemed and outstanding",
    (
        column("time", "Time", "time"),
        column("what", "What happened"),
        column("player", "Player"),
        column("by", "By"),
        column("key", "Reference"),
        column("issued", "Issued", "amount"),
        column("redeemed", "Redeemed", "amount"),
        column("outstanding", "Outstanding afterwards", "amount"),
    ),
)
_TICKETS: Final = {
    "ticket-out": "issued from credit",
    "ticket-sold": "sold at the cage",
    "ticket-in": "redeemed into credit",
    "ticket-cashed": "cashed at the cage",
}
english("report", {f"moved.{kind}": words for kind, words in _TICKETS.items()})


def tickets(book: Reading, interval: Interval, made: int) -> Report:
    """Every ticket that was issued or redeemed, and the outstanding total after it."""
    outstanding = balances_at(book, interval.since).get(account("tickets"), 0)
    rows: list[Row] = []
    issued = redeemed = 0
    for posted in posted_in(book, interval):
        transfer = posted.transfer
        into, from_ = kind_of(transfer.credit) == "tickets", kind_of(transfer.debit) == "tickets"
        if not into and not from_:
            continue
        amount = transfer.amount
        issued, redeemed = issued + amount * into, redeemed + amount * from_
        outstanding += amount if into else -amount
        what = Phrase(f"report.moved.{transfer.kind}") if transfer.kind in _TICKETS else transfer.kind
        sums = (amount if into else None, amount if from_ else None, outstanding)
        rows.append((posted.time, what, _player(transfer), transfer.who, transfer.id, *sums))
        check_rows(len(rows))
    return TICKETS.filled(interval, made, rows, (None, TOTAL, "", "", "", issued, redeemed, outstanding))


def _player(transfer: Transfer) -> str:
    for name in (transfer.debit, transfer.credit):
        if kind_of(name) in ("credit", "attendant", "in-play"):
            return names_of(name)[-1]
    return ""


# --- large wins ------------------------------------------------------------------------------------------------------

LARGE: Final = sheet(
    "large-wins",
    "Large wins",
    (
        column("time", "Time", "time"),
        column("table", "Table"),
        column("round", "Round", "count"),
        column("player", "Player"),
        column("won", "Won", "amount"),
        column("attendant", "Of which by an attendant", "amount"),
    ),
    note="What one player won in one round, without the stakes, where it reaches the configured amount.",
)


def large_wins(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """Every win in one round that is large by the present configuration, without those of training tables."""
    win = records.significant.thresholds.win
    rounds: dict[str, OrderedDict[str, _Wins]] = defaultdict(OrderedDict)
    large: list[tuple[int, Row]] = []
    for posted in posted_in(book, interval):
        transfer = posted.transfer
        source, target = kind_of(transfer.debit), kind_of(transfer.credit)
        if "bank" not in (source, target) or not {"credit", "attendant"} & {source, target}:
            continue
        if records.play_money.moved(transfer):
            continue
        of_table = rounds[transfer.table]
        wins = of_table.get(transfer.round)
        if wins is None:
            wins = of_table[transfer.round] = _Wins(transfer.table, transfer.round)
            if len(of_table) > MAX_ROUNDS_IN_A_METER:
                large += of_table.popitem(last=False)[1].from_amount(win)
                check_rows(len(large))
        wins.count(posted, by_hand="attendant" in (source, target), sign=1 if source == "bank" else -1)
    for of_table in rounds.values():
        for wins in of_table.values():
            large += wins.from_amount(win)
    # In the order in which the first part of each was posted.
    return LARGE.filled(interval, made, [row for _, row in sorted(large, key=lambda each: each[0])])


class _Wins:
    """What each player won in one round. The last rounds of each table are kept, because they may be reopened (VOID-4)."""

    def __init__(self, table: str, number: str) -> None:
        self._table: Final = table
        self.round: Final = number
        self._won: dict[str, list[int]] = {}
        """By player: the position of the first part, the time of the last, the amount, and how much of it was paid by hand."""

    def count(self, posted: Posted, *, by_hand: bool, sign: int) -> None:
        won = self._won.setdefault(_player(posted.transfer), [posted.position, 0, 0, 0])
        won[1] = posted.time
        won[2] += sign * posted.transfer.amount
        won[3] += sign * posted.transfer.amount * by_hand

    def from_amount(self, least: int) -> list[tuple[int, Row]]:
        return [
            (position, (time, self._table, int(self.round), player, amount, by_hand))
            for player, (position, time, amount, by_hand) in self._won.items()
            if amount >= least
        ]


# --- meters ----------------------------------------------------------------------------------------------------------

METERS: Final = sheet(
    "meters",
    "Meters, against the ledger",
    (
        column("where", "Where"),
        column("meter", "Meter", "meter"),
        column("shown", "Shown"),
        column("journal", "By the journal", "amount"),
        column("ledger", "By the ledger", "amount"),
        column("difference", "Difference", "amount"),
    ),
    note="Every meter is counted twice: from the entries of the journal, and from the transfers of the ledger.",
)


def meter_comparison(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """MTR-1, MTR-2: the meters of the house, of each table and of each terminal, by journal and by ledger. What was staked
    and won at training tables is on no meter."""
    play_money = records.play_money
    ledger = _by_place((posted.transfer for posted in posted_in(book, interval)), play_money)
    entries = (entry for stream in book.heads() for entry in entries_in(book, stream, interval))
    journal = _by_place((transfer for entry in entries for transfer in entry.transfers), play_money)
    rows: list[Row] = []
    for place in sorted(journal.keys() | ledger.keys()):
        counted, summed = journal.get(place, Meters()), ledger.get(place, Meters())
        shown, sums = counted.shown(), msgspec.structs.asdict(summed)
        for meter, value in msgspec.structs.asdict(counted).items():
            rows.append((_where(place), meter, shown[meter], value, sums[meter], value - sums[meter]))
    return METERS.filled(interval, made, rows)


english(
    "report",
    {
        "where.house": "house",
        "where.table": "table {name}",
        "where.terminal": "terminal {name}",
        "meter.coin_in": "coin in",
        "meter.coin_out": "coin out",
        "meter.drop": "drop",
        "meter.bills_in": "bills in",
        "meter.vouchers_in": "vouchers in",
        "meter.vouchers_out": "vouchers out",
        "meter.attendant_paid_jackpots": "attendant-paid jackpots",
        "meter.attendant_paid_cancelled_credits": "attendant-paid cancelled credits",
        "meter.electronic_transfers_in": "electronic transfers in",
        "meter.electronic_transfers_out": "electronic transfers out",
        "meter.tips": "tips",
        "meter.games_played": "games played",
        "meter.games_won": "games won",
    },
)


def _where(place: tuple[str, str]) -> Phrase:
    kind, name = place
    return Phrase(f"report.where.{kind}", {"name": name} if name else {})


def _by_place(transfers: Iterable[Transfer], play_money: PlayMoney) -> dict[tuple[str, str], Meters]:
    """The meters of the house and of every table and terminal in it."""
    places: dict[tuple[str, str], MeterReader] = defaultdict(MeterReader)
    for transfer in transfers:
        if play_money.moved(transfer):
            continue
        places["house", ""].count(transfer)
        if transfer.table:
            places["table", transfer.table].count(transfer)
        if transfer.terminal:
            places["terminal", transfer.terminal].count(transfer)
    return {place: reader.read() for place, reader in places.items()}
