"""The questions about the record, and the answers as they are sent: a clerk makes them, the house only passes them on.

A new question is a struct here, a member of `Question`, and a case of `answered`.
"""

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english
from podium.house.calendar import Calendar
from podium.house.reports import AskedInterval, Records, Report, Significant, as_csv, interval_of, report
from podium.house.reports.records import ROUNDS_RECALLED_PER_PLAYER, RoundsWanted
from podium.house.reports.report import Kind, Row
from podium.house.reports.rounds import RoundLine
from podium.house.state import stream_of
from podium.house.table.events import EndedShoe
from podium.house.table.shoes import proof_of
from podium.record.journal import Entry
from podium.record.store import Reading, StoredLog, read_stream
from podium.rules.games import Game
from podium.server.replaying import RecordedRound, replay

MAX_NUMBER_DIGITS: Final = 16
"""The most digits of a number in an address; no table has a round with more."""
PLOTTED: Final = ("amount", "share")

_encode: Final = msgspec.json.Encoder().encode


# --- questions ------------------------------------------------------------------------------------------------------


class RecallPlayer(msgspec.Struct, frozen=True, tag="player"):
    """The last rounds of a player at one table, or at all tables (REC-1)."""

    player: str
    table: str | None


class RecallRound(msgspec.Struct, frozen=True, tag="round"):
    """A round in full (REC-2)."""

    table: str
    number: str
    player: str = ""
    """Whose boxes are replayed; empty for the first seat."""


class FindRounds(msgspec.Struct, frozen=True, tag="rounds"):
    """Rounds by player, table, time, amount and card (REC-1)."""

    asked: AskedInterval
    now: int
    wanted: RoundsWanted


class FindEvents(msgspec.Struct, frozen=True, tag="events"):
    """Significant events (EVT-1, EVT-4). An empty field matches everything."""

    asked: AskedInterval
    now: int
    kind: str
    source: str
    who: str
    text: str


class MakeReport(msgspec.Struct, frozen=True, tag="report"):
    """A report of an interval (REP-1)."""

    name: str
    asked: AskedInterval
    now: int
    format: Literal["json", "csv"]
    edges: dict[str, dict[str, float]]
    """By the fingerprint of a game: the house edge of each wager, where the mathematics knows it."""


class ReadCalendar(msgspec.Struct, frozen=True, tag="calendar"):
    """The current gaming day and shift (REP-1)."""

    now: int


class ProveShoe(msgspec.Struct, frozen=True, tag="shoe"):
    """Everything that a shoe published, and the cards that were dealt from it (RNG-10)."""

    table: str
    shoe: EndedShoe


class ReadCheckpoints(msgspec.Struct, frozen=True, tag="checkpoints"):
    """The last signed checkpoint of every stream."""


class ProveConsistency(msgspec.Struct, frozen=True, tag="consistency"):
    """The proof that the log of a stream begins with an earlier version of it."""

    stream: str
    old: int
    size: int


class ProveInclusion(msgspec.Struct, frozen=True, tag="inclusion"):
    """The proof that the log of a stream has an entry."""

    stream: str
    entry: int
    size: int


Question = (
    RecallPlayer
    | RecallRound
    | FindRounds
    | FindEvents
    | MakeReport
    | ReadCalendar
    | ProveShoe
    | ReadCheckpoints
    | ProveConsistency
    | ProveInclusion
)


# --- answers --------------------------------------------------------------------------------------------------------


class CalendarCard(msgspec.Struct, frozen=True):
    """The gaming days of the house (REP-1)."""

    time_zone: str
    day_begins: str
    today: str
    """The current gaming day."""
    shift: int
    """The current shift."""
    shifts: list[int]
    """When each shift of today begins, in milliseconds since 1970."""


class FoundRound(msgspec.Struct, frozen=True):
    """A round that was looked for; `GET /api/recall` has all of it."""

    table: str
    round: int
    game: str
    opened: int
    ended: int
    """0 while it is in play."""
    status: Literal["in play", "settled", "void"]
    dealer: str
    staked: int
    """The most that one player staked."""
    won: int
    """The most that one player won."""


class EventCard(msgspec.Struct, frozen=True):
    """A significant event (EVT-1)."""

    time: int
    kind: str
    source: str
    """A table, `house`, or the part that noticed it."""
    who: str
    reason: str
    before: str
    after: str
    entry: int
    """Its number in the journal of its source."""


class ReportCard(msgspec.Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """A report as the floor's screen draws it: titles, notes and some cells are phrases (REP-1)."""

    name: str
    title: Phrase
    interval: Phrase
    """The interval in words."""
    since: int
    until: int
    made: int
    zone: str
    """The time zone in which its times are read."""
    columns: tuple[Phrase, ...]
    kinds: tuple[Kind, ...]
    """What the cells of each column hold. Games, wagers, events and meters stand there by name."""
    rows: tuple[Row, ...]
    total: Row | None
    """One more row below the others, where sums mean something."""
    says: Phrase | None
    """Says so if there was no activity."""
    note: Phrase | None
    """Explains a figure where its name is not enough."""
    plots: list[int]
    """The columns to plot against the first."""


class LogProof(msgspec.Struct, frozen=True):
    """A proof of RFC 6962."""

    proof: list[str]
    """Its hashes in base64."""


def answered(question: Question, book: Reading, records: Records) -> Iterator[bytes]:
    """The answer to a question as it is sent, in one part or in several."""
    match question:
        case RecallPlayer():
            yield _encode(_rounds_of_player(question, book, records))
        case RecallRound():
            yield _encode(_round(question, book, records))
        case FindRounds():
            yield _encode(_found_rounds(question, book, records))
        case FindEvents():
            yield _encode(_events(question, book, records))
        case MakeReport():
            yield _report(question, book, records)
        case ReadCalendar(now):
            records.catch_up(book)
            yield _encode(calendar_card(records.calendar, now))
        case ProveShoe(table, shoe):
            yield _encode(proof_of(shoe, part_of(book, stream_of(table), shoe)))
        case ReadCheckpoints():
            yield "".join(f"{each.note}\n" for each in book.checkpoints()).encode()
        case ProveConsistency(stream, old, size):
            yield _encode(_proof(book, stream, old, size, lambda log: log.consistency(old, size)))
        case ProveInclusion(stream, entry, size):
            yield _encode(_proof(book, stream, entry, size, lambda log: log.inclusion(entry, size)))


def _rounds_of_player(question: RecallPlayer, book: Reading, records: Records) -> list[RecordedRound]:
    records.catch_up(book)
    lines = records.search(book, table=question.table, player=question.player, limit=ROUNDS_RECALLED_PER_PLAYER)
    return [each for line in lines for each in replay(book, records, line, question.player)]


def _round(question: RecallRound, book: Reading, records: Records) -> list[RecordedRound]:
    table, number = question.table, question.number
    records.catch_up(book)
    known = number.isdecimal() and len(number) < MAX_NUMBER_DIGITS
    line = records.find(book, table, int(number)) if known else None
    if line is None:
        raise Refused("round-unknown", round=shortened(number), table=shortened(table))
    return replay(book, records, line, of=question.player)


def _found_rounds(question: FindRounds, book: Reading, records: Records) -> list[FoundRound]:
    records.catch_up(book)
    interval = interval_of(question.asked, records.calendar, question.now)
    return [found_round(line) for line in records.look_for(book, question.wanted, interval)]


def _events(question: FindEvents, book: Reading, records: Records) -> list[EventCard]:
    records.catch_up(book)
    interval = interval_of(question.asked, records.calendar, question.now)
    found = records.reaching(book, interval, "events").significant.search(
        interval, kind=question.kind, source=question.source, who=question.who, text=question.text
    )
    return [event_card(event) for event in reversed(found)]


def _report(question: MakeReport, book: Reading, records: Records) -> bytes:
    def theory(game: Game) -> Mapping[str, float]:
        return question.edges.get(game.fingerprint, {})

    records.catch_up(book)
    interval = interval_of(question.asked, records.calendar, question.now)
    made = report(question.name, book, records, interval, question.now, theory=theory)
    return as_csv(made).encode() if question.format == "csv" else _encode(report_card(made))


def _proof(book: Reading, stream: str, first: int, size: int, make: Callable[[StoredLog], list[bytes]]) -> LogProof:
    signed = {each.stream: each.size for each in book.checkpoints()}.get(stream, 0)
    if not first <= size <= signed:
        raise Refused("log-unsigned", stream=shortened(stream), size=size, signed=signed)
    return LogProof([base64.b64encode(each).decode() for each in make(StoredLog(book, stream))])


def part_of(book: Reading, stream: str, shoe: EndedShoe) -> Iterator[Entry]:
    """The journal of a table from the shuffle of a shoe to its end."""
    for entry in read_stream(book, stream, shoe.first - 1):
        yield entry
        if entry.sequence >= shoe.last:
            break


def calendar_card(calendar: Calendar, now: int) -> CalendarCard:
    today = calendar.day_of(now)
    rule = calendar.rule_of(today)
    shifts = list(calendar.shifts(today))
    return CalendarCard(rule.time_zone, rule.day_begins, str(today), calendar.shift_of(now), shifts)


def found_round(line: RoundLine) -> FoundRound:
    return FoundRound(
        line.table,
        line.round,
        line.config.game,
        line.opened,
        line.ended,
        line.status,
        line.dealer,
        line.most_staked,
        line.most_won,
    )


def event_card(event: Significant) -> EventCard:
    fields: dict[str, Any] = msgspec.structs.asdict(event)
    return EventCard(time=fields.pop("at"), **fields)


def report_card(made: Report) -> ReportCard:
    return ReportCard(
        name=made.name,
        title=made.title,
        interval=made.interval,
        since=made.since,
        until=made.until,
        made=made.made,
        zone=made.zone,
        columns=tuple(column.title for column in made.columns),
        kinds=tuple(column.kind for column in made.columns),
        rows=made.rows,
        total=made.total,
        says=made.says,
        note=made.note,
        plots=[place for place, column in enumerate(made.columns) if place and column.kind in PLOTTED],
    )


english("refused", {"log-unsigned": "There is no proof about {size} entries of {stream}: {signed} are signed."})
