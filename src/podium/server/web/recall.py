"""What the house remembers: rounds, significant events, reports."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.house.reports import REPORTS, Interval, Records, Report, Significant, as_csv, between, day, report
from podium.house.reports.records import ROUNDS_RECALLED_PER_PLAYER
from podium.record.store import Reading
from podium.rules.games import Game
from podium.server.replaying import RecordedRound, replay
from podium.server.terminals import Who
from podium.server.web.reception import AnyRoute, DutyRoute, Reception, answer

T = TypeVar("T")
END_OF_TIME_MS: Final = 253_402_300_799_000
"""The last second of the year 9999."""
PLOTTED: Final = ("amount", "share")


class Recall:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._records: Final = Records()
        """It follows the journal on the reading thread, and nowhere else."""

    async def _recalled(self, what: Callable[[Reading, Records], T]) -> T:
        """Look into the record, up to what is stored now."""

        def look(book: Reading) -> T:
            self._records.catch_up(book)
            return what(book, self._records)

        return await self._reception.reading(look)

    # --- rounds -----------------------------------------------------------------------------------------------------

    async def rounds(self, request: web.Request, who: Who) -> web.Response:
        """The last fifty rounds of the player who asks, or those at one `table`, the newest first (REC-1)."""
        table = request.query.get("table") or None

        def found(book: Reading, records: Records) -> list[RecordedRound]:
            lines = records.search(book, table=table, player=who.name, limit=ROUNDS_RECALLED_PER_PLAYER)
            return [each for line in lines for each in replay(book, records, line, who.name)]

        return answer(await self._recalled(found))

    async def recall(self, request: web.Request, _: Who) -> web.Response:
        """Any `round` of a `table` in full, once for everybody who bet in it (REC-2)."""
        table, number = request.query.get("table", ""), request.query.get("round", "")

        def found(book: Reading, records: Records) -> list[RecordedRound]:
            line = records.find(book, table, int(number)) if number.isdecimal() and len(number) < 16 else None
            if line is None:
                raise Refused("round-unknown", round=shortened(number), table=shortened(table))
            return replay(book, records, line)

        return answer(await self._recalled(found))

    # --- events and reports -----------------------------------------------------------------------------------------

    async def events(self, request: web.Request, _: Who) -> web.Response:
        """Significant events (EVT-1), the newest first: `from`, `to`, `kind`, `source`, `who`, `text` (EVT-4)."""
        kind, source, who, text = (request.query.get(name, "") for name in ("kind", "source", "who", "text"))
        interval = interval_of(request)
        found = await self._recalled(
            lambda book, records: records.reaching(book, interval, "events").significant.search(
                interval, kind=kind, source=source, who=who, text=text
            )
        )
        return answer([event_card(event) for event in reversed(found)])

    async def names(self, request: web.Request, _: Who) -> web.Response:
        """The reports by name and title (REP-2)."""
        return answer([{"name": name, "title": title} for name, title in REPORTS.items()])

    async def report(self, request: web.Request, _: Who) -> web.Response:
        """A report of the days `from` ... `to`, as JSON or with `format=csv` as a file (REP-1)."""
        name, interval = request.match_info["name"], interval_of(request)
        made = await self._recalled(
            lambda book, records: report(name, book, records, interval, self._floor.clock(), theory=self._theory)
        )
        if request.query.get("format") == "csv":
            disposition = f'attachment; filename="{name}.csv"'
            return web.Response(
                text=as_csv(made), content_type="text/csv", headers={"Content-Disposition": disposition}
            )
        return answer(report_card(made))

    def _theory(self, game: Game) -> Mapping[str, float]:
        """The house edge of each wager, where the mathematics has worked it out."""
        known = self._floor.theory.returns(game.fingerprint) if self._floor.theory else {}
        return {wager: 1 - returned for wager, returned in known.items()}


def interval_of(request: web.Request) -> Interval:
    """The days that are asked for, both included; all time where nothing is said."""
    first, last = request.query.get("from", ""), request.query.get("to", "")
    return between(day(first).since if first else 0, day(last).until if last else END_OF_TIME_MS)


def event_card(event: Significant) -> dict[str, Any]:
    fields = msgspec.structs.asdict(event)
    return {"time": fields.pop("at"), **fields}


def report_card(made: Report) -> dict[str, Any]:
    """A report as the floor's screen draws it: titles, notes and some cells are phrases."""
    return {
        "name": made.name,
        "title": made.title,
        "interval": made.interval,
        "from": made.since,
        "to": made.until,
        "made": made.made,
        "columns": [column.title for column in made.columns],
        "kinds": [column.kind for column in made.columns],
        "rows": made.rows,
        "total": made.total,
        "says": made.says,
        "note": made.note,
        "plots": [place for place, column in enumerate(made.columns) if place and column.kind in PLOTTED],
    }


def routes(reception: Reception) -> list[AnyRoute]:
    recall = Recall(reception)
    return [
        DutyRoute("GET", "/api/rounds", recall.rounds, ("bet",)),
        DutyRoute("GET", "/api/recall", recall.recall, ("report", "audit")),
        DutyRoute("GET", "/api/events", recall.events, ("report", "audit")),
        DutyRoute("GET", "/api/reports", recall.names, ("report",)),
        DutyRoute("GET", "/api/reports/{name}", recall.report, ("report",)),
    ]
