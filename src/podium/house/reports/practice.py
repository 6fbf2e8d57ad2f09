"""How dealers practise at training tables: speed and mistakes."""

from collections import Counter
from typing import Final

from podium.house.reports.intervals import Interval
from podium.house.reports.recall import entries_of
from podium.house.reports.records import Records
from podium.house.reports.report import Report, Row, column, sheet
from podium.house.reports.rounds import RoundLine
from podium.house.state import HOUSE
from podium.house.table.events import decode
from podium.play.events import CardsCorrected, PeekWithdrawn
from podium.record.journal import Entry
from podium.record.store import Reading, read_stream
from podium.record.store.times import sequence_before

PRACTICE: Final = sheet(
    "dealer-practice",
    "Dealers at training tables",
    (
        column("dealer", "Dealer"),
        column("rounds", "Rounds", "count"),
        column("void", "Void rounds", "count"),
        column("cards", "Cards", "count"),
        column("card_ms", "Milliseconds for a card", "count"),
        column("read", "Cards read by a reader", "count"),
        column("caught", "Misreads caught before they counted", "count"),
        column("corrected", "Cards corrected later", "count"),
        column("unexpected", "Cards drawn that were not awaited", "count"),
    ),
    note="The time for a card begins when it is awaited: with the close of betting, the last decision, or the card before it."
    " Corrections, another shoe and outages of the house do not count.",
)

_AWAITED: Final = frozenset(
    {
        "betting-closed",
        "decided",
        "time-expired",
        "hole-peeked",
        "hole-turned",
        "card-dealt",
        "card-corrected",
        "cards-corrected",
        "correction-abandoned",
        "shoe-followed",
    }
)
"""The entries with which the next card begins to be awaited. A correction is no time for a card, and neither is another shoe."""


def dealer_practice(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """Every dealer's rounds at training tables that ended in the interval."""
    counted: dict[str, Counter[str]] = {}
    for line in records.ended_in(book, interval):
        if line.config.training:
            counted.setdefault(line.dealer, Counter()).update(_round(book, line))
    return PRACTICE.filled(interval, made, [_row(dealer, sums) for dealer, sums in sorted(counted.items())])


def _round(book: Reading, line: RoundLine) -> Counter[str]:
    """The counts of one round."""
    sums = Counter({"void" if line.status == "void" else "rounds": 1})
    awaited_at, starts = line.opened, _starts_in(book, line)
    for entry in entries_of(book, line):
        awaited_at = max([awaited_at, *(start for start in starts if start <= entry.time)])
        match entry.kind:
            case "card-dealt":
                sums["cards"] += 1
                sums["ms"] += entry.time - awaited_at
            case "card-read":
                sums["read" if b'"sealed"' in entry.payload else "unexpected"] += 1
            case "reading-answered" if b'"stopped"' not in entry.payload:
                sums["caught"] += 1
            case "card-corrected":
                sums["corrected"] += 1
            case "cards-corrected":
                sums["corrected"] += _cards_edited(entry)
        if entry.kind in _AWAITED:
            awaited_at = entry.time
    return sums


def _starts_in(book: Reading, line: RoundLine) -> list[int]:
    """When the house started in the middle of a round: while it was away, nobody could deal."""
    times = []
    for entry in read_stream(book, HOUSE, sequence_before(book, HOUSE, line.opened)):
        if entry.time > line.ended:
            break
        if entry.kind == "house-started":
            times.append(entry.time)
    return times


def _cards_edited(entry: Entry) -> int:
    """How many cards a correction changed; a withdrawn peek does not count."""
    corrected = decode(entry.payload)
    assert isinstance(corrected, CardsCorrected)
    return sum(not isinstance(edit, PeekWithdrawn) for edit in corrected.edits)


def _row(dealer: str, sums: Counter[str]) -> Row:
    speed = round(sums["ms"] / sums["cards"]) if sums["cards"] else None
    counts = (sums[name] for name in ("read", "caught", "corrected", "unexpected"))
    return (dealer, sums["rounds"], sums["void"], sums["cards"], speed, *counts)
