"""What the house remembers: rounds, significant events, reports."""

from typing import Annotated, Final, Literal

import msgspec
from aiohttp import web

from podium.basics.cards import cards
from podium.basics.words import Phrase
from podium.house.calendar import MAX_SHIFTS
from podium.house.limits import MAX_AMOUNT
from podium.house.reports import REPORTS, AskedInterval
from podium.house.reports.records import RoundsWanted
from podium.house.reports.rounds import mask_of
from podium.server.clerks.questions import (
    CalendarCard,
    EventCard,
    FindEvents,
    FindRounds,
    FoundRound,
    MakeReport,
    ReadCalendar,
    RecallPlayer,
    RecallRound,
    ReportCard,
)
from podium.server.replaying import RecordedRound
from podium.server.terminals import Who
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player's rounds at one table, or at all of them."""

    table: str = ""


class RoundQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One round of a table."""

    table: str = ""
    round: str = ""
    """Its number at the table."""
    player: str = ""
    """Whose boxes are replayed; empty for the first seat."""


class SearchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """The rounds to look for. An empty field matches every round."""

    first: str = ""
    """The first gaming day, or the moment from which on rounds opened, as in `2026-05-28T14:00` in the house's time zone."""
    last: str = ""
    """The last day, included, or the moment up to which rounds opened."""
    table: str = ""
    player: str = ""
    cards: str = ""
    """Cards that were shown in the round, as in `As Td`."""
    staked: Annotated[int, msgspec.Meta(ge=0, le=MAX_AMOUNT)] = 0
    """The least that one player staked in it."""
    won: Annotated[int, msgspec.Meta(ge=0, le=MAX_AMOUNT)] = 0
    """The least that one player won in it, without the stakes."""


class SpanQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """A period in gaming days, or a span from one day or moment to another; all time if nothing is given."""

    period: Literal["", "day", "month", "year", "shift"] = ""
    """A month and a year are to date: up to the end of the day."""
    day: str = ""
    """The gaming day of the period, as in `2026-05-28`; empty for today."""
    shift: Annotated[int, msgspec.Meta(ge=0, le=MAX_SHIFTS)] = 0
    """The number of the shift; 0 for the current one, or the first one of another day."""
    first: str = ""
    """The first day of a span, or the moment at which it begins, as in `2026-05-28T14:00` in the house's time zone; empty for
    everything up to the last."""
    last: str = ""
    """The last day, included, or the moment at which the span ends."""

    @property
    def asked(self) -> AskedInterval:
        return AskedInterval(self.period, self.day, self.shift, self.first, self.last)


class EventsQuery(SpanQuery, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """The events to look for. An empty field matches everything."""

    kind: str = ""
    source: str = ""
    who: str = ""
    text: str = ""
    """Words that the event contains."""


class ReportQuery(SpanQuery, frozen=True, forbid_unknown_fields=True, rename={"first": "from", "last": "to"}):
    """The interval of a report, and its format."""

    format: Literal["json", "csv"] = "json"


class ReportName(msgspec.Struct, frozen=True):
    """A report that can be asked for."""

    name: str
    title: Phrase


class Recall:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor

    # --- rounds -----------------------------------------------------------------------------------------------------

    async def rounds(self, request: web.Request, who: Who, query: RoundsQuery) -> Answer[list[RecordedRound]]:
        """The last fifty rounds of the player who asks, at one table or at all, the newest first (REC-1)."""
        return await self._reception.read(RecallPlayer(who.name, query.table or None), who.name)

    async def recall(self, request: web.Request, who: Who, query: RoundQuery) -> Answer[list[RecordedRound]]:
        """Any round of a table in full: its record with every player, and the states as one player saw them (REC-2)."""
        return await self._reception.read(RecallRound(query.table, query.round, query.player), who.name)

    async def search(self, request: web.Request, who: Who, query: SearchQuery) -> Answer[list[FoundRound]]:
        """The last fifty rounds that match, the newest first: by player, table, time, amount and card (REC-1)."""
        asked = AskedInterval(first=query.first, last=query.last)
        wanted = RoundsWanted(query.table, query.player, mask_of(cards(query.cards)), query.staked, query.won)
        return await self._reception.read(FindRounds(asked, self._floor.clock(), wanted), who.name)

    # --- events and reports -----------------------------------------------------------------------------------------

    async def events(self, request: web.Request, who: Who, query: EventsQuery) -> Answer[list[EventCard]]:
        """Significant events (EVT-1, EVT-4), the newest first."""
        question = FindEvents(
            query.asked, self._floor.clock(), kind=query.kind, source=query.source, who=query.who, text=query.text
        )
        return await self._reception.read(question, who.name)

    async def calendar(self, request: web.Request, who: Who) -> Answer[CalendarCard]:
        """The current gaming day and shift (REP-1)."""
        return await self._reception.read(ReadCalendar(self._floor.clock()), who.name)

    async def names(self, request: web.Request, _: Who) -> Answer[list[ReportName]]:
        """The reports by name and title (REP-2)."""
        return answer([ReportName(name, title) for name, title in REPORTS.items()])

    async def report(self, request: web.Request, who: Who, query: ReportQuery) -> Answer[ReportCard] | web.Response:
        """A report of an interval, as JSON or with `format=csv` as a file (REP-1)."""
        name = request.match_info["name"]
        question = MakeReport(name, query.asked, self._floor.clock(), query.format, self._edges())
        if query.format == "json":
            return await self._reception.read(question, who.name)
        made = await self._reception.read(question, who.name, "text/csv")
        made.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
        return made

    def _edges(self) -> dict[str, dict[str, float]]:
        """By the fingerprint of a game: the house edge of each wager, where the mathematics has worked it out."""
        theory = self._floor.theory
        if theory is None:
            return {}
        return {
            rules: {wager: 1 - returned for wager, returned in theory.returns(rules).items()}
            for rules in list(theory.known)
        }


def routes(reception: Reception) -> list[AnyRoute]:
    recall = Recall(reception)
    return [
        DutyRoute("GET", "/api/rounds", recall.rounds, ("bet",)),
        DutyRoute("GET", "/api/recall", recall.recall, ("report", "audit")),
        DutyRoute("GET", "/api/recall/search", recall.search, ("report", "audit")),
        DutyRoute("GET", "/api/events", recall.events, ("report", "audit")),
        DutyRoute("GET", "/api/calendar", recall.calendar, ("report", "audit")),
        DutyRoute("GET", "/api/reports", recall.names, ("report",)),
        DutyRoute("GET", "/api/reports/{name}", recall.report, ("report",)),
    ]
