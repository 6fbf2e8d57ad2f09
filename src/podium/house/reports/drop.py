"""The drop: buy-ins by table. A buy-in counts for the table where the player sat, else sat next, else had sat last."""

from collections import Counter
from collections.abc import Iterator, Set
from heapq import merge
from typing import Final, NamedTuple

from podium.house.reports.intervals import Interval
from podium.house.reports.playmoney import PlayMoney
from podium.house.reports.postings import posted_in
from podium.house.reports.records import Records
from podium.house.state import HOUSE
from podium.house.table.events import SNAPSHOT, SeatLeft, SeatTaken, TableSnapshot, decode
from podium.record.ledger import kind_of, names_of
from podium.record.store import Reading, read_stream
from podium.record.store.times import OUT_OF_ORDER_MS, sequence_before

NO_TABLE: Final = "(no table)"
"""The row for money that was never taken to a table."""


class _BoughtIn(NamedTuple):
    time: int
    player: str
    amount: int


class _Seat(NamedTuple):
    """A player sat down; if no player is named, the seat was left."""

    time: int
    table: str
    seat: int
    player: str = ""


def drop_by_table(book: Reading, records: Records, interval: Interval) -> Counter[str]:
    """What players bought in during an interval, by table. Play money for a training table does not count."""
    if interval.since < records.since:
        return _from_journal(book, interval, records.play_money)
    drop: Counter[str] = Counter()
    late: Counter[str] = Counter()
    for time, player, amount in _bought_in(book, interval, records.play_money):
        stay = records.stays.for_money(player, time)
        if stay is not None:
            drop[stay.table] += 0 if records.play_money.at(stay.table, max(time, stay.since)) else amount
        else:
            late[player] += amount
    # The journal knows what the index has forgotten.
    return +drop + (_by_last_table(book, late) if records.since else _by_table(late, {}))


def _bought_in(book: Reading, interval: Interval, play_money: PlayMoney) -> Iterator[_BoughtIn]:
    """Every buy-in with money. A guest's play money is not drop."""
    for posted in posted_in(book, interval):
        transfer = posted.transfer
        if play_money.moved(transfer):
            continue
        if transfer.kind in ("cash-in", "ticket-in", "electronic-in") and kind_of(transfer.credit) == "credit":
            yield _BoughtIn(posted.time, names_of(transfer.credit)[0], transfer.amount)


# --- a time that is not in memory ---------------------------------------------------------------------------------------


def _from_journal(book: Reading, interval: Interval, play_money: PlayMoney) -> Counter[str]:
    """The same from the journal alone, in one pass over the interval and beyond it until everybody who bought in has sat down.
    Only the seating and the players who have yet to sit down are held in memory."""
    drop: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    sits: dict[tuple[str, int], str] = {}
    at: dict[str, str] = {}
    all_of_it: list[Iterator[_BoughtIn | _Seat]] = [_bought_in(book, interval, play_money)]
    all_of_it += [_seats(book, stream, interval.since) for stream in book.heads() if stream != HOUSE]
    for happened in merge(*all_of_it, key=_order):
        if isinstance(happened, _BoughtIn):
            if happened.player in at:
                table = at[happened.player]
                drop[table] += 0 if play_money.at(table, happened.time) else happened.amount
            else:
                waiting[happened.player] += happened.amount
        elif happened.player:
            sits[happened.table, happened.seat] = happened.player
            at[happened.player] = happened.table
            brought = waiting.pop(happened.player, 0)
            drop[happened.table] += 0 if play_money.at(happened.table, happened.time) else brought
        else:
            at.pop(sits.pop((happened.table, happened.seat), ""), None)
        if happened.time >= interval.until + OUT_OF_ORDER_MS and not waiting:
            break
    return +drop + _by_last_table(book, waiting)


def _order(happened: _BoughtIn | _Seat) -> tuple[int, bool]:
    """Sorts by time; at the same moment, players sit down before money is counted."""
    return happened.time, isinstance(happened, _BoughtIn)


def _seats(book: Reading, stream: str, since: int) -> Iterator[_Seat]:
    """Everybody who sits down and gets up at a table, starting some time before a moment with those who sat there."""
    table = stream.removeprefix("table/")
    snapshot = book.last(stream, SNAPSHOT, sequence_before(book, stream, since - OUT_OF_ORDER_MS) + 1)
    happened = decode(snapshot.payload) if snapshot is not None else None
    if snapshot is not None and isinstance(happened, TableSnapshot):
        yield from (_Seat(snapshot.time, table, seat, player) for seat, player in happened.players.items())
    for entry in read_stream(book, stream, snapshot.sequence if snapshot is not None else 0):
        if entry.kind in ("seat-taken", "seat-left"):
            match decode(entry.payload):
                case SeatTaken(seat, player):
                    yield _Seat(entry.time, table, seat, player)
                case SeatLeft(seat):
                    yield _Seat(entry.time, table, seat)


def _by_last_table(book: Reading, waiting: Counter[str]) -> Counter[str]:
    return _by_table(waiting, _last_tables(book, waiting.keys()))


def _by_table(amounts: Counter[str], tables: dict[str, str]) -> Counter[str]:
    drop: Counter[str] = Counter()
    for player, amount in amounts.items():
        drop[tables.get(player, NO_TABLE)] += amount
    return drop


def _last_tables(book: Reading, players: Set[str]) -> dict[str, str]:
    """Where these players last sat, however long ago."""
    last: dict[str, _Seat] = {}
    for stream in book.heads() if players else ():
        for entry in read_stream(book, stream):
            if entry.kind == "seat-taken":
                taken = decode(entry.payload)
                if isinstance(taken, SeatTaken) and taken.player in players:
                    seat = _Seat(entry.time, stream.removeprefix("table/"), taken.seat, taken.player)
                    last[taken.player] = max(seat, last.get(taken.player, seat))
    return {player: seat.table for player, seat in last.items()}
