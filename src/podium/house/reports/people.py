"""Reports about players and significant events (REP-2, EVT-1)."""

from typing import Final

from podium.house.reports.intervals import Interval
from podium.house.reports.postings import posted_in
from podium.house.reports.records import Records
from podium.house.reports.report import Report, Row, column, sheet
from podium.house.reports.stays import Stay
from podium.record.ledger import Transfer, kind_of, names_of
from podium.record.store import Reading

SESSIONS: Final = sheet(
    "player-sessions",
    "Player sessions",
    (
        column("player", "Player"),
        column("table", "Table"),
        column("seat", "Seat", "count"),
        column("since", "From", "time"),
        column("until", "Until", "time"),
        column("rounds", "Rounds", "count"),
        column("bought_in", "Bought in", "amount"),
        column("staked", "Staked", "amount"),
        column("returned", "Returned", "amount"),
        column("net", "Net", "amount"),
        column("cashed_out", "Cashed out", "amount"),
        column("adjusted", "Adjusted", "amount"),
    ),
    note="A session is a stay at one table. Stakes and returns are those that moved in the interval, less what was taken "
    "back; a stake that came back from a void round counts as both.",
)
EVENTS: Final = sheet(
    "significant-events",
    "Significant events",
    (
        column("time", "Time", "time"),
        column("kind", "Kind", "event"),
        column("source", "Source"),
        column("who", "Who"),
        column("reason", "Reason"),
        column("before", "Before"),
        column("after", "After"),
        column("entry", "Entry", "count"),
    ),
)


class _Session:
    """The totals of a stay within an interval."""

    def __init__(self) -> None:
        self.rounds = 0
        self.last_round = 0
        self.bought_in = self.staked = self.returned = self.cashed_out = self.adjusted = 0


def player_sessions(book: Reading, records: Records, interval: Interval, made: int, player: str = "") -> Report:
    """Every stay that overlaps the interval, of all players or of one. One that began at a training table is included only if
    it has rounds that were not for training."""
    records = records.reaching(book, interval, "stays")
    play_money = records.play_money
    sessions: dict[Stay, _Session] = {
        stay: _Session()
        for stays in records.stays.of.values()
        for stay in stays
        if stay.since < interval.until and (stay.until is None or stay.until >= interval.since)
    }
    for posted in posted_in(book, interval):
        whose = _whose(posted.transfer)
        lent = posted.transfer.kind == "debt"  # money lent by the house is not part of the game
        if whose is not None and not lent and not play_money.moved(posted.transfer):
            _count(sessions, _stay(records, whose, posted.transfer, posted.time), posted.transfer)
    kept = {
        stay: session
        for stay, session in sessions.items()
        if stay.player not in play_money.guests and (session.rounds or not play_money.at(stay.table, stay.since))
    }
    ordered = sorted(kept.items(), key=lambda item: (item[0].since, item[0].player))
    return SESSIONS.filled(interval, made, [_session_row(stay, session) for stay, session in ordered])


def _whose(transfer: Transfer) -> str | None:
    for name in (transfer.debit, transfer.credit):
        if kind_of(name) in ("credit", "attendant"):
            return names_of(name)[0]
    return None


def _stay(records: Records, player: str, transfer: Transfer, time: int) -> Stay | None:
    if transfer.table:
        return records.stays.at(player, time, transfer.table)
    into = kind_of(transfer.credit) == "credit"
    return records.stays.for_money(player, time) if into else records.stays.at(player, time)


def _count(sessions: dict[Stay, _Session], stay: Stay | None, transfer: Transfer) -> None:
    if stay is None:
        return
    session = sessions.setdefault(stay, _Session())
    source, target = kind_of(transfer.debit), kind_of(transfer.credit)
    if transfer.table:
        # A table plays one round at a time; money that moves later for an earlier round is not another round.
        session.rounds += int(transfer.round) > session.last_round
        session.last_round = max(session.last_round, int(transfer.round))
        if transfer.flow == "stake" or (not transfer.flow and source == "credit" and target == "in-play"):
            session.staked += transfer.amount if source == "credit" else -transfer.amount
        elif target in ("credit", "attendant"):
            session.returned += transfer.amount
        else:
            session.returned -= transfer.amount
    elif transfer.kind == "adjustment":
        session.adjusted += transfer.amount if target == "credit" else -transfer.amount
    elif target == "credit":
        session.bought_in += transfer.amount
    else:
        session.cashed_out += transfer.amount


def _session_row(stay: Stay, session: _Session) -> Row:
    return (
        stay.player,
        stay.table,
        stay.seat,
        stay.since,
        stay.until,
        session.rounds,
        session.bought_in,
        session.staked,
        session.returned,
        session.returned - session.staked,
        session.cashed_out,
        session.adjusted,
    )


def significant_events(
    book: Reading, records: Records, interval: Interval, made: int, *, kind: str = "", who: str = ""
) -> Report:
    """Every significant event."""
    records = records.reaching(book, interval, "events")
    rows: list[Row] = [
        (event.at, event.kind, event.source, event.who, event.reason, event.before, event.after, event.entry)
        for event in records.significant.search(interval)
    ]
    return EVENTS.filled(interval, made, rows)
