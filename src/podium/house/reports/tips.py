"""Tips by dealer, and how they are shared by the time at the podium (REP-2)."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from podium.house.people import GUEST
from podium.house.reports.intervals import Interval, between
from podium.house.reports.postings import posted_in
from podium.house.reports.records import Records
from podium.house.reports.report import TOTAL, Report, Row, column, sheet
from podium.house.state import HOUSE, table_of_stream
from podium.house.table.events import SNAPSHOT, DealerArrived, DealerLeft, TableSnapshot, decode
from podium.house.tipping import divided
from podium.record.ledger import Transfer, kind_of, names_of
from podium.record.store import Reading, read_stream
from podium.record.store.times import sequence_before

TIPS: Final = sheet(
    "tips",
    "Tips by dealer",
    (
        column("dealer", "Dealer"),
        column("given", "Given", "amount"),
        column("taken_back", "Taken back by corrections and voids", "amount"),
        column("tips", "Tips", "amount"),
        column("shared", "Received by sharing, less given away", "amount"),
        column("paid", "Paid out", "amount"),
    ),
)
SHARES: Final = sheet(
    "tip-shares",
    "Tips shared by time at the podium",
    (
        column("dealer", "Dealer"),
        column("minutes", "Minutes at the podium", "count"),
        column("tips", "Tips", "amount"),
        column("share", "Share", "amount"),
        column("difference", "Share less tips", "amount", key="share-less-tips"),
    ),
    note="The tips of the interval as one pool, in proportion to the time at the podium of ordinary live tables. Tips that "
    "were paid out before they are shared stay with the dealers who received them.",
)
_MINUTE_MS: Final = 60_000


def tips(book: Reading, interval: Interval, made: int) -> Report:
    """The tips of every dealer."""
    given, back, shared, paid = (Counter[str]() for _ in range(4))
    for transfer in _tips_in(book, interval):
        if transfer.kind == "debt":  # what was taken back after it had been paid out: nobody gave it
            continue
        if kind_of(transfer.credit) == "tips":
            (shared if transfer.kind == "tip-shared" else given)[names_of(transfer.credit)[0]] += transfer.amount
        if kind_of(transfer.debit) == "tips":
            dealer = names_of(transfer.debit)[0]
            if transfer.kind == "tip-shared":
                shared[dealer] -= transfer.amount
            else:
                (paid if transfer.kind == "tip-paid" else back)[dealer] += transfer.amount
    rows: list[Row] = [
        (dealer, given[dealer], back[dealer], given[dealer] - back[dealer], shared[dealer], paid[dealer])
        for dealer in sorted(given.keys() | back.keys() | shared.keys() | paid.keys())
    ]
    sums = given.total(), back.total(), given.total() - back.total(), shared.total(), paid.total()
    return TIPS.filled(interval, made, rows, (TOTAL, *sums))


def tip_shares(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """Everybody's share if the tips of the interval are one pool, and what each of them has."""
    given, worked = given_in(book, interval), podium_time(book, records.play_money.at, interval, made)
    parts = divided(given.total(), worked)
    rows: list[Row] = [
        (
            dealer,
            worked[dealer] // _MINUTE_MS,
            given[dealer],
            parts.get(dealer, 0),
            parts.get(dealer, 0) - given[dealer],
        )
        for dealer in sorted(given.keys() | worked.keys())
    ]
    total = (
        TOTAL,
        worked.total() // _MINUTE_MS,
        given.total(),
        sum(parts.values()),
        sum(parts.values()) - given.total(),
    )
    return SHARES.filled(interval, made, rows, total)


def given_in(book: Reading, interval: Interval) -> Counter[str]:
    """By dealer: what was given in an interval, less what was taken back."""
    given: Counter[str] = Counter()
    for transfer in _tips_in(book, interval):
        if transfer.kind in ("tip-paid", "tip-shared", "debt"):
            continue
        if kind_of(transfer.credit) == "tips":
            given[names_of(transfer.credit)[0]] += transfer.amount
        elif kind_of(transfer.debit) == "tips":
            given[names_of(transfer.debit)[0]] -= transfer.amount
    return given


def _tips_in(book: Reading, interval: Interval) -> Iterator[Transfer]:
    """The transfers of an interval from and to dealers' tips, without what guests gave, which is play money."""
    for posted in posted_in(book, interval):
        owners = [
            names_of(name)[0] for name in (posted.transfer.debit, posted.transfer.credit) if kind_of(name) == "tips"
        ]
        if owners and not owners[0].startswith(GUEST):
            yield posted.transfer


def podium_time(book: Reading, trains: Callable[[str, int], bool], interval: Interval, now: int) -> Counter[str]:
    """By dealer: the milliseconds at the podium of tables where nobody practises."""
    until = min(interval.until, now)
    worked: Counter[str] = Counter()
    for stream in book.heads():
        if stream == HOUSE:
            continue
        stands, since = "", interval.since
        for at, dealer in [*_dealers(book, stream, interval.since, until), (until, "")]:
            begins, ends = max(since, interval.since), min(at, until)
            if stands and ends > begins and not trains(table_of_stream(stream), begins):
                worked[stands] += ends - begins
            stands, since = dealer, at
    return worked


def _dealers(book: Reading, stream: str, since: int, until: int) -> Iterator[tuple[int, str]]:
    """Who came to the podium of a table and when; an empty name if the podium was left."""
    snapshot = book.last(stream, SNAPSHOT, sequence_before(book, stream, since) + 1)
    stood = decode(snapshot.payload) if snapshot is not None else None
    if snapshot is not None and isinstance(stood, TableSnapshot):
        yield snapshot.time, stood.dealer
    for entry in read_stream(book, stream, snapshot.sequence if snapshot is not None else 0):
        if entry.time >= until:
            return
        if entry.kind in ("dealer-arrived", "dealer-left"):
            match decode(entry.payload):
                case DealerArrived(dealer):
                    yield entry.time, dealer
                case DealerLeft():
                    yield entry.time, ""


def shared_before(book: Reading, since: int, until: int, now: int) -> int:
    """The end of an earlier sharing that includes tips of this span; 0 if there is none."""
    spans = {
        tuple(int(each) for each in posted.transfer.id.split(".")[1:3])
        for posted in posted_in(book, between(since, now + 1))
        if posted.transfer.kind == "tip-shared"
    }
    return max((ends for begins, ends in spans - {(since, until)} if begins < until and ends > since), default=0)
