"""Rounds that were settled and are reopened by two people, from the dealer's screen or the floor's (VOID-4)."""

from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english, phrase
from podium.house.reports import RoundLine
from podium.house.reports.recall import settled, told_again
from podium.house.reports.rounds import round_of_number, rounds_from
from podium.house.table import Table
from podium.house.table.events import RoundReopened
from podium.house.table.reopening import MAX_REOPENED_ROUNDS_BACK, MINUTE_MS, Reopening, SettledRound, reopen
from podium.play.reasons import Reason, ReasonKey
from podium.record.store import Reading
from podium.server.approvals import Act
from podium.server.handling import read_fix
from podium.server.show import cards_shown
from podium.server.terminals import Who
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer
from podium.wire.commands import Counted, Fixes, Whole, Words


class ReopenableQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The round to look at; 0 for the list of all that can be reopened."""

    round: Whole = 0


class ReopenableRound(msgspec.Struct, frozen=True):
    """A settled round that can still be reopened."""

    round: int
    ended: int
    until: int
    """The end of the time in which it can be reopened."""
    telling: int
    """The number that the next settlement would have: 2 for a round that was never reopened."""
    dealer: str
    corrects: bool
    """Whether its cards can be corrected; the automated dealer's are proved, so its rounds can only be voided."""
    cards: list[str]
    """The cards in the order of dealing, for the one round that was asked for; `?` lies face down."""


class ReopenForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round to reopen: to be settled again with its cards corrected, or as void."""

    round: Counted
    telling: Counted
    """The number of this settlement: a request that is sent again is carried out once."""
    fixes: Fixes = ()
    void: bool = False
    reason: Words = ""
    why: ReasonKey = ""
    """A reason from the list; `reason` is text written in addition, or instead."""
    approval: str = ""


class ReopenedRound(msgspec.Struct, frozen=True):
    """What reopening a round has changed."""

    table: str
    round: int
    telling: int
    void: bool
    paid: int
    """The total of what players got in addition."""
    taken: int
    """The total of what was taken back from players."""
    owed: int
    """The part of it that accounts no longer held: debts."""


class ReopeningDesk:
    def __init__(self, reception: Reception) -> None:
        self._floor: Final = reception.floor

    async def reopenable(self, request: web.Request, who: Who, query: ReopenableQuery) -> Answer[list[ReopenableRound]]:
        """The settled rounds of a table that can still be reopened, the newest first; or one of them with its cards."""
        table, now = self._floor.house.table(request.match_info["table"]), self._floor.clock()
        self._check_place(table, who)

        def found(book: Reading) -> list[ReopenableRound]:
            lines = [line for line in _last_rounds(book, table) if _in_time(table, line, now)]
            if not query.round:
                return [_reopenable(line) for line in reversed(lines)]
            return [_reopenable(line, settled(book, line)) for line in lines if line.round == query.round]

        return answer(await self._floor.find(found))

    async def reopen(self, request: web.Request, who: Who, asked: ReopenForm) -> Answer[ReopenedRound]:
        """Reopen a settled round, once a second person has approved it, and settle it again: corrected, or as void."""
        table = self._floor.house.table(request.match_info["table"])
        self._check_place(table, who)
        reason = Reason(asked.why, asked.reason)
        fixes = [read_fix(fix) for fix in asked.fixes]

        def told(book: Reading) -> Reopening | RoundReopened:
            line = round_of_number(book, table.name, asked.round)
            if line is None or line.status == "in play":
                raise Refused("reopen-unknown", round=asked.round, table=shortened(table.name), clause="VOID-4")
            for event in told_again(book, line):
                if event.telling == asked.telling and (event.by, event.void, event.told) == (
                    who.name,
                    asked.void,
                    reason,
                ):
                    return event  # sent again: it is already done
            return reopen(settled(book, line), fixes, reason, void=asked.void)

        found = await self._floor.find(told)
        if isinstance(found, RoundReopened):
            return answer(_reopened(table.name, found))
        done = await self._floor.at_table(table.name, lambda now: self._reopen(table, who, asked, found, now))
        return answer(_reopened(table.name, done))

    def _reopen(self, table: Table, who: Who, asked: ReopenForm, found: Reopening, now: int) -> RoundReopened:
        """Reopens the round in the table's turn: a second person approves exactly this, with its amounts."""
        self._check_place(table, who)
        if asked.telling != found.settled.telling + 1:
            raise Refused("reopened-meanwhile", round=asked.round, clause="VOID-4")
        checked = table.check_reopening(found, now)
        act = Act(
            who.name,
            table.name,
            _said(table, asked, found, sum(checked.owed.values())),
            ("void",),
            amount=found.paid + found.taken,
            about=f"round {asked.round}, telling {asked.telling}: {found.reason} {asked.fixes}",
            concerns=found.settled.dealer,
        )
        approved = self._floor.admission.approve(act, asked.approval, now)
        done: list[RoundReopened] = []
        self._floor.house.at_table(
            table.name, lambda table: done.append(table.reopen(found, now, by=who.name, approved_by=approved))
        )
        return done[0]

    def _check_place(self, table: Table, who: Who) -> None:
        """Refuses a dealer at another table: a dealer reopens rounds of the own table only, a supervisor those of any
        table."""
        if who.role == "dealer" and table.dealer != who.name:
            raise (
                Refused("podium-taken", dealer=table.dealer, clause="CARD-6")
                if table.dealer
                else Refused("podium-empty", clause="CARD-6")
            )


def _last_rounds(book: Reading, table: Table) -> list[RoundLine]:
    """The rounds that are not too far back to be reopened, the oldest first."""
    first = round_of_number(book, table.name, max(1, table.round_number - MAX_REOPENED_ROUNDS_BACK))
    if first is None:
        return []
    return [line for line in rounds_from(book, table.name, first.first - 1) if line.round >= first.round]


def _in_time(table: Table, line: RoundLine, now: int) -> bool:
    recent = table.round_number - line.round <= MAX_REOPENED_ROUNDS_BACK
    return line.status == "settled" and recent and now <= _until(line) and bool(line.config.reopen_minutes)


def _until(line: RoundLine) -> int:
    return line.ended + round(line.config.reopen_minutes * MINUTE_MS)


def _reopenable(line: RoundLine, found: SettledRound | None = None) -> ReopenableRound:
    return ReopenableRound(
        line.round,
        line.ended,
        _until(line),
        len(line.reopened) + 2,
        line.dealer,
        line.config.dealer == "live",
        cards_shown(found.played) if found is not None else [],
    )


def _said(table: Table, asked: ReopenForm, found: Reopening, owed: int) -> Phrase:
    """The act as the second person reads it."""
    why = found.reason.fact if found.reason.key else shortened(found.reason.text)
    name, number, paid, taken = table.name, asked.round, found.paid, found.taken
    if asked.void:
        return phrase("act.reopen-void", table=name, round=number, reason=why, paid=paid, taken=taken, owed=owed)
    fixes = [read_fix(fix).said for fix in asked.fixes]
    return phrase(
        "act.reopen-correct", table=name, round=number, reason=why, paid=paid, taken=taken, owed=owed, fixes=fixes
    )


def _reopened(table: str, event: RoundReopened) -> ReopenedRound:
    paid = sum(max(0, seat.net_now - seat.net_was) for seat in event.seats)
    taken = sum(max(0, seat.net_was - seat.net_now) for seat in event.seats)
    return ReopenedRound(table, event.round, event.telling, event.void, paid, taken, sum(event.owed.values()))


def routes(reception: Reception) -> list[AnyRoute]:
    desk = ReopeningDesk(reception)
    path = "/api/floor/tables/{table}/reopening"
    return [
        DutyRoute("GET", path, desk.reopenable, ("deal", "void")),
        DutyRoute("POST", path, desk.reopen, ("deal", "void")),
    ]


english(
    "act",
    {
        "reopen-correct": (
            "settle round {round} at {table} again, which was confirmed: {fixes}. Players get {paid:money} and give back"
            " {taken:money}, of which {owed:money} has been spent already. {reason}"
        ),
        "reopen-void": (
            "void round {round} at {table}, which was confirmed. Players get {paid:money} and give back {taken:money}, of which"
            " {owed:money} has been spent already. {reason}"
        ),
    },
)
english("refused", {"reopen-unknown": "Round {round} at {table:quoted} was never settled: there is nothing to reopen."})
