"""What the house remembers: rounds, significant events, reports."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeVar

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase
from podium.house.reports import REPORTS, Interval, Records, Report, Significant, as_csv, between, day, report
from podium.house.reports.records import ROUNDS_RECALLED_PER_PLAYER
from podium.house.reports.report import Kind, Row
from podium.record.store import Reading
from podium.rules.games import Game
from podium.server.replaying import RecordedRound, replay
from podium.server.terminals import Who
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer

T = TypeVar("T")
END_OF_TIME_MS: Final = 253_402_300_799_000
"""The last second of the year 9999."""
PLOTTED: Final = ("amount", "share")


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player's rounds at one table, or at all of them."""

    table: str = ""


class RoundQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round of a table."""

    table: str = ""
    round: str = ""
    """Its number at the table."""


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """The events to look for. An empty field matches everything."""

    first: str = ""
    """The first day, as in `2026-05-28`; empty for all days up to the last."""
    last: str = ""
    """The last day, included."""
    kind: str = ""
    source: str = ""
    who: str = ""
    text: str = ""
    """Words that the event contains."""


class ReportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """The days of a report, and its format."""

    first: str = ""
    """The first day, as in `2026-05-28`; empty for all days up to the last."""
    last: str = ""
    """The last day, included."""
    format: Literal["json", "csv"] = "json"


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


class ReportName(msgspec.Struct, frozen=True):
    """A report that can be asked for."""

    name: str
    title: Phrase


class ReportCard(msgspec.Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """A report as the floor's screen draws it: titles, notes and some cells are phrases (REP-1)."""

    name: str
    title: Phrase
    interval: Phrase
    """The days, in words."""
    since: int
    until: int
    made: int
    columns: tuple[Phrase, ...]
    kinds: tuple[Kind, ...]
    """What the cells of each column hold. Games, wagers, events and meters stand there by name."""
    rows: tuple[Row, ...]
    total: Row | None
    """One more row below the others, where sums mean something."""
    says: Phrase | None
    """That there was no activity, where there was none."""
    note: Phrase | None
    """How a figure is meant, where its name does not say it all."""
    plots: list[int]
    """The columns to plot against the first."""


class Recall:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._records: Final = Records()
        """Follows the journal on the reading thread, and on no other."""

    async def _recalled(self, what: Callable[[Reading, Records], T], who: Who) -> T:
        """Reads the record up to what is stored now, for the person who asks."""

        def look(book: Reading) -> T:
            self._records.catch_up(book)
            return what(book, self._records)

        return await self._reception.reading(look, who.name)

    # --- rounds -----------------------------------------------------------------------------------------------------

    async def rounds(self, request: web.Request, who: Who, query: RoundsQuery) -> Answer[list[RecordedRound]]:
        """The last fifty rounds of the player who asks, at one table or at all, the newest first (REC-1)."""
        table = query.table or None

        def found(book: Reading, records: Records) -> list[RecordedRound]:
            lines = records.search(book, table=table, player=who.name, limit=ROUNDS_RECALLED_PER_PLAYER)
            return [each for line in lines for each in replay(book, records, line, who.name)]

        return answer(await self._recalled(found, who))

    async def recall(self, request: web.Request, who: Who, query: RoundQuery) -> Answer[list[RecordedRound]]:
        """Any round of a table in full, once for each player who bet in it (REC-2)."""
        table, number = query.table, query.round

        def found(book: Reading, records: Records) -> list[RecordedRound]:
            line = records.find(book, table, int(number)) if number.isdecimal() and len(number) < 16 else None
            if line is None:
                raise Refused("round-unknown", round=shortened(number), table=shortened(table))
            return replay(book, records, line)

        return answer(await self._recalled(found, who))

    # --- events and reports -----------------------------------------------------------------------------------------

    async def events(self, request: web.Request, who: Who, query: EventsQuery) -> Answer[list[EventCard]]:
        """Significant events (EVT-1, EVT-4), the newest first."""
        interval = interval_of(query)
        found = await self._recalled(
            lambda book, records: records.reaching(book, interval, "events").significant.search(
                interval, kind=query.kind, source=query.source, who=query.who, text=query.text
            ),
            who,
        )
        return answer([event_card(event) for event in reversed(found)])

    async def names(self, request: web.Request, _: Who) -> Answer[list[ReportName]]:
        """The reports by name and title (REP-2)."""
        return answer([ReportName(name, title) for name, title in REPORTS.items()])

    async def report(self, request: web.Request, who: Who, query: ReportQuery) -> Answer[ReportCard] | web.Response:
        """A report of some days, as JSON or with `format=csv` as a file (REP-1)."""
        name, interval = request.match_info["name"], interval_of(query)
        made = await self._recalled(
            lambda book, records: report(name, book, records, interval, self._floor.clock(), theory=self._theory),
            who,
        )
        if query.format == "csv":
            disposition = f'attachment; filename="{name}.csv"'
            return web.Response(
                text=as_csv(made), content_type="text/csv", headers={"Content-Disposition": disposition}
            )
        return answer(report_card(made))

    def _theory(self, game: Game) -> Mapping[str, float]:
        """The house edge of each wager, where the mathematics has worked it out."""
        known = self._floor.theory.returns(game.fingerprint) if self._floor.theory else {}
        return {wager: 1 - returned for wager, returned in known.items()}


def interval_of(query: EventsQuery | ReportQuery) -> Interval:
    """The days that are asked for, both included; all time if none is named."""
    return between(
        day(query.first).since if query.first else 0, day(query.last).until if query.last else END_OF_TIME_MS
    )


def event_card(event: Significant) -> EventCard:
    fields = msgspec.structs.asdict(event)
    return EventCard(time=fields.pop("at"), **fields)


def report_card(made: Report) -> ReportCard:
    return ReportCard(
        name=made.name,
        title=made.title,
        interval=made.interval,
        since=made.since,
        until=made.until,
        made=made.made,
        columns=tuple(column.title for column in made.columns),
        kinds=tuple(column.kind for column in made.columns),
        rows=made.rows,
        total=made.total,
        says=made.says,
        note=made.note,
        plots=[place for place, column in enumerate(made.columns) if place and column.kind in PLOTTED],
    )


def routes(reception: Reception) -> list[AnyRoute]:
    recall = Recall(reception)
    return [
        DutyRoute("GET", "/api/rounds", recall.rounds, ("bet",)),
        DutyRoute("GET", "/api/recall", recall.recall, ("report", "audit")),
        DutyRoute("GET", "/api/events", recall.events, ("report", "audit")),
        DutyRoute("GET", "/api/reports", recall.names, ("report",)),
        DutyRoute("GET", "/api/reports/{name}", recall.report, ("report",)),
    ]
