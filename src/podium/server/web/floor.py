"""The floor: tables as they run, opened and closed, and their rules changed for the next round."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english, phrase
from podium.house.table import Table, TableConfig
from podium.house.table.config import Setting, settings_of, with_tokes_settled
from podium.house.table.printed import table_rulebook
from podium.play.reasons import Reason, ReasonKey
from podium.play.views import layout
from podium.record.ledger import account
from podium.rules.games import Game
from podium.rules.options import Option
from podium.rules.rulebook import Chapter
from podium.server.handling import AnyRuling, overrule
from podium.server.show import cards_shown, table_card
from podium.server.terminals import Who
from podium.server.theory import Theory, WagerReturns, of_line
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer
from podium.wire.commands import AbandonCorrection, BeginCorrection, Correct, Fixes, Void, Whole, Words
from podium.wire.messages import TableCard

PREVIEW_WAIT_SECONDS: Final = 20
"""How long a preview waits for the mathematics."""
PREVIEW_POLL_SECONDS: Final = 0.1

english(
    "alert",
    {
        "notice": "{notice}",
        "correcting": "{by} corrects the cards: the table waits",
        "no-dealer": "there is no dealer at the podium",
        "shoe-miscounted": "the count of shoe {shoe} was wrong",
        "pay": "an attendant must pay {win:money} to {player}",
    },
)


class FloorTable(TableCard, frozen=True, kw_only=True):
    """A table as the floor sees it."""

    handle: int
    win: int
    hold: float | None
    """The win as a share of the handle; null while the handle is 0."""
    theory: float | None
    """The share of the main wager that the house keeps in the long run; null until the mathematics knows it."""
    exposure: int
    """The stakes in the round in play."""
    spread: int | None
    """The standard deviation of the house's result of the round at most, which is when all players play alike."""
    largest: int | None
    """The most that the house can lose in the round; null until the mathematics knows these rules."""
    round: int
    """The round in play, which the floor can void or correct; 0 between rounds."""
    correction: int
    """The number of the correction that is open; 0 where none is."""
    alerts: list[Phrase]
    """What needs somebody's attention on the floor."""


class StateForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state that a table is to have and, unless it is open, why."""

    state: Literal["open", "paused", "closed"]
    reason: str = ""
    why: ReasonKey = ""
    """A reason from the list; `reason` is text written in addition, or instead."""


class ShoeForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why the floor wants another shoe or deck."""

    reason: str


class VoidForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The round that the floor voids, and why."""

    round: Whole
    reason: Words = ""
    why: ReasonKey = ""
    """A reason from the list; `reason` is text written in addition, or instead."""


class BeginForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The round whose cards the floor begins to correct."""

    round: Whole


class BegunCorrection(msgspec.Struct, frozen=True):
    """A correction that the floor has begun: the table waits."""

    table: str
    round: int
    correction: int
    """Its number in the round."""
    cards: list[str]
    """The cards in the order of dealing; one that lies face down is `?`."""
    hole: bool
    """Whether a card lies face down, so that the dealer may have looked at it."""


class AbandonForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The correction that is abandoned: the cards stay as they are."""

    round: Whole
    correction: Whole = 0
    """Its number; 0 for whichever is open."""


class CorrectForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the floor corrects of a round's cards, all in one act, and why."""

    round: Whole
    fixes: Fixes
    reason: Words = ""
    why: ReasonKey = ""
    correction: Whole = 0
    """The open correction that is done with this, which asked again is done once; 0 where none was opened and cards are only
    replaced."""


class TableChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of the rules, and settings of the table (timers, dealer, places). Those left out stay as they are."""

    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to add."""

    name: str
    config: TableConfig
    """As in podium.toml."""


class OptionCard(msgspec.Struct, frozen=True):
    """An option of a table's rules."""

    name: str
    clause: str
    type: str
    """`true or false`, `whole number`, `text`, `list` or `table`."""
    value: Any
    default: Any
    values: tuple[Any, ...]
    """The values to choose from; empty where they cannot be listed."""
    allowed: Phrase
    fixed: bool
    says: Phrase


class ParLine(msgspec.Struct, frozen=True):
    """What the mathematics says of one wager."""

    wager: str
    title: str
    house_edge: float
    returns: float = msgspec.field(name="return")
    hit_frequency: float | None
    method: str
    standard_error: float | None


class Preview(msgspec.Struct, frozen=True):
    """What a change would mean, before it is made. There are no wagers while the mathematics is at work."""

    chapters: tuple[Chapter, ...]
    """The rules of play."""
    wagers: list[ParLine]
    working: bool
    """Whether the mathematics is still at work: ask again."""
    fingerprint: str
    changed: dict[str, Any]
    """The options that differ from those in force."""


class ScheduledRules(msgspec.Struct, frozen=True):
    """The rules of a table from its next round on."""

    version: int
    rules: str
    """Their fingerprint."""


TYPES: Final = {
    "boolean": "true or false",
    "integer": "whole number",
    "string": "text",
    "array": "list",
    "object": "table",
}


class FloorDesk:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._house: Final = reception.floor.house

    async def tables(self, request: web.Request, _: Who) -> Answer[list[FloorTable]]:
        """The tables as they run: handle, win, hold against theory, bets in play, and alerts."""
        return answer([self._table(table) for table in self._house.tables.values()])

    def _table(self, table: Table) -> FloorTable:
        trains = table.upcoming.training  # its play money is no figure of the floor
        spread, largest = (None, None) if trains else self._at_risk(table)
        handle, win = (0, 0) if trains else (table.handle, self._house.ledger[account("bank", table.name)])
        return FloorTable(
            **msgspec.structs.asdict(table_card(table)),
            handle=handle,
            win=win,
            hold=win / handle if handle else None,
            theory=self._theory(table.current_game),
            exposure=0 if trains or table.between_rounds else sum(seat.staked for seat in table.in_play.seats.values()),
            spread=spread,
            largest=largest,
            round=0 if table.between_rounds else table.round_number,
            correction=0 if table.correction is None else table.correction.number,
            alerts=self._alerts(table),
        )

    def _at_risk(self, table: Table) -> tuple[int, int] | tuple[None, None]:
        """What the wagers in play can cost, players' and dealers' together."""
        game = table.current_game
        sheet = self._floor.theory.known.get(game.fingerprint) if self._floor.theory else None
        if sheet is None or sheet.largest is None:
            return None, None
        stakes: Counter[str] = Counter()
        for seat in () if table.between_rounds else table.in_play.seats.values():
            stakes.update(seat.amounts)
            stakes.update(seat.for_dealer)
        return sheet.at_risk(game.rules.main.name, stakes)

    def _theory(self, game: Game) -> float | None:
        """The share of the main wager that the house keeps in the long run, where the mathematics gave it."""
        known = self._floor.theory.returns(game.fingerprint) if self._floor.theory else {}
        returned = of_line(known, game.rules.main.name)
        return None if returned is None else 1 - returned

    def _alerts(self, table: Table) -> list[Phrase]:
        """What somebody on the floor should look after, as phrases."""
        alerts = []
        if table.notice:
            alerts.append(phrase("alert.notice", notice=table.notice.said))
        if table.correction is not None:
            alerts.append(phrase("alert.correcting", by=table.correction.by))
        if table.is_open and table.upcoming.dealer == "live" and not table.dealer:
            alerts.append(phrase("alert.no-dealer"))
        if table.shoe is not None and table.shoe.miscounted:
            alerts.append(phrase("alert.shoe-miscounted", shoe=table.shoe.number, clause="CARD-8"))
        held = {player: self._house.held(player) for player in table.seats}
        alerts += [phrase("alert.pay", win=win, player=player, clause="HP-1") for player, win in held.items() if win]
        return alerts

    async def set_state(self, request: web.Request, who: Who, asked: StateForm) -> Answer[FloorTable]:
        """Open, pause or close a table; the round in play is finished (VOID-3)."""
        table = self._house.table(request.match_info["table"])

        def change(now: int) -> None:
            if asked.state == "open":
                if not table.is_open:
                    table.open(now, by=who.name)
                return
            reason, paused = Reason.read(asked.why, asked.reason), asked.state == "paused"
            if not reason:
                raise Refused("state-reason")
            if table.is_open or (table.notice, table.paused) != (reason, paused):
                table.close(now, by=who.name, reason=reason.text, why=reason.key, paused=paused)

        await self._floor.at_table(table.name, change)
        return answer(self._table(table))

    async def void(self, request: web.Request, who: Who, asked: VoidForm) -> Answer[FloorTable]:
        """Void the round in play of any table, automated ones too; asked again, it is void once (VOID-4)."""
        name = request.match_info["table"]
        return await self._overrule(who, Void(id=0, table=name, round=asked.round, reason=asked.reason, why=asked.why))

    async def begin_correction(self, request: web.Request, who: Who, asked: BeginForm) -> Answer[BegunCorrection]:
        """Begin to correct the cards of a live table, which waits meanwhile (VOID-4, CARD-3)."""
        table = self._house.table(request.match_info["table"])
        command = BeginCorrection(id=0, table=table.name, round=asked.round)

        def begin(now: int) -> BegunCorrection:
            """The cards as they lie in the table's turn: what is answered is durable then (CARD-4)."""
            overrule(self._house, who, table.name, command, now)
            number = table.correction.number if table.correction is not None else 0
            cards, hole = cards_shown(table.in_play), layout(table.in_play).hole
            return BegunCorrection(table.name, asked.round, number, cards, hole)

        return answer(await self._floor.at_table(table.name, begin))

    async def abandon_correction(self, request: web.Request, who: Who, asked: AbandonForm) -> Answer[FloorTable]:
        """Leave the cards of a live table as they are: it goes on."""
        name = request.match_info["table"]
        return await self._overrule(
            who, AbandonCorrection(id=0, table=name, round=asked.round, correction=asked.correction)
        )

    async def correct(self, request: web.Request, who: Who, asked: CorrectForm) -> Answer[FloorTable]:
        """Correct the cards of a live table's round; an open correction is done with it (VOID-4, CARD-2)."""
        said = msgspec.structs.asdict(asked)
        return await self._overrule(who, Correct(id=0, table=request.match_info["table"], **said))

    async def _overrule(self, who: Who, command: AnyRuling) -> Answer[FloorTable]:
        table = self._house.table(command.table)
        await self._floor.at_table(table.name, lambda now: overrule(self._house, who, table.name, command, now))
        return answer(self._table(table))

    async def ask_for_shoe(self, request: web.Request, who: Who, asked: ShoeForm) -> Answer[FloorTable]:
        """Ask for another shoe or deck, which comes before the next round of the table (CARD-10)."""
        table = self._house.table(request.match_info["table"])
        reason = asked.reason.strip()
        await self._floor.at_table(table.name, lambda now: table.ask_for_shoe(now, by=who.name, reason=reason))
        return answer(self._table(table))

    async def add(self, request: web.Request, who: Who, asked: NewTable) -> Answer[FloorTable]:
        """Add a table."""

        def enter(now: int) -> None:
            if asked.name in self._house.tables:
                raise Refused("table-taken", table=shortened(asked.name))
            self._house.configure_table(asked.name, asked.config, now, by=who.name)

        await self._floor.in_house(enter)
        self._floor.open_tables()
        return answer(self._table(self._house.table(asked.name)))

    # --- rules ------------------------------------------------------------------------------------------------------

    async def options(self, request: web.Request, _: Who) -> Answer[list[OptionCard]]:
        """The options of a table as its next round has them, with clause, values and words."""
        game = self._house.table(request.match_info["table"]).upcoming.to_game()
        return answer([option_card(option, game) for option in game.options.values()])

    async def settings(self, request: web.Request, _: Who) -> Answer[list[Setting]]:
        """The other settings of a table as its next round has them: who deals, and how long things take."""
        return answer(settings_of(self._house.table(request.match_info["table"]).upcoming))

    async def preview(self, request: web.Request, _: Who, asked: TableChange) -> Answer[Preview]:
        """What a change would mean: rules of play, returns, fingerprint, and the options that differ from those in force."""
        table = self._house.table(request.match_info["table"])
        wanted = _wanted(table, asked)
        game, now = wanted.check(), table.current_game
        theory = self._floor.theory
        wagers = await self._worked_out(game, theory) if theory else []
        working = theory is not None and theory.working_on(game.fingerprint)
        return answer(
            Preview(table_rulebook(game, wanted).chapters, wagers, working, game.fingerprint, changed(now, game))
        )

    async def _worked_out(self, game: Game, theory: Theory) -> list[ParLine]:
        """What the wagers return, if the mathematics finishes soon; if not, it goes on for the next request."""
        self._floor.returns(game, soon=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(PREVIEW_WAIT_SECONDS):
                await asyncio.sleep(0)  # lets the mathematics start
                while theory.working_on(game.fingerprint):
                    await asyncio.sleep(PREVIEW_POLL_SECONDS)
        sheet = theory.known.get(game.fingerprint)
        return [
            ParLine(name, titles(game).get(name, name), each.house_edge, each.returns, *more(each))
            for name, each in (sheet.wagers if sheet else {}).items()
        ]

    async def schedule(self, request: web.Request, who: Who, asked: TableChange) -> Answer[ScheduledRules]:
        """Change options and settings from the next round on; the round in play keeps its rules (GAME-5)."""
        table = self._house.table(request.match_info["table"])
        wanted = _wanted(table, asked)
        await self._floor.at_table(
            table.name, lambda now: self._house.configure_table(table.name, wanted, now, by=who.name)
        )
        return answer(ScheduledRules(table.version, wanted.to_game().fingerprint))


def _wanted(table: Table, change: TableChange) -> TableConfig:
    """The configuration of a table with a change, checked."""
    now = msgspec.to_builtins(table.upcoming)
    options = {**now.get("options", {}), **change.options}
    try:
        wanted = msgspec.convert({**now, **change.settings, "options": options}, TableConfig)
    except msgspec.ValidationError as error:
        raise Refused("settings-not-understood", error=shortened(str(error))) from None
    wanted.check()
    return with_tokes_settled(wanted, table.upcoming)


def titles(game: Game) -> dict[str, str]:
    return {offer.wager: offer.bet.title for offer in game.offers.values()}


def more(wager: WagerReturns) -> tuple[float | None, str, float | None]:
    return wager.hit_frequency, wager.method, wager.standard_error


def option_card(option: Option, game: Game) -> OptionCard:
    value = getattr(game.rules, option.name)
    return OptionCard(
        option.name,
        option.clause,
        TYPES[option.type],
        value,
        option.default,
        option.values,
        option.takes,
        option.fixed,
        option.says(value),
    )


def changed(now: Game, then: Game) -> dict[str, Any]:
    """The options that differ from those in force; all of them if the game itself changes."""
    before: Mapping[str, Any] = (
        {name: getattr(now.rules, name) for name in now.options} if now.name == then.name else {}
    )
    after = {name: getattr(then.rules, name) for name in then.options}
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def routes(reception: Reception) -> list[AnyRoute]:
    desk = FloorDesk(reception)
    table = "/api/floor/tables/{table}"
    return [
        DutyRoute("GET", "/api/floor/tables", desk.tables, ("report", "configure")),
        DutyRoute("POST", "/api/floor/tables", desk.add, ("configure",)),
        DutyRoute("POST", table, desk.set_state, ("configure", "void")),
        DutyRoute("POST", f"{table}/shoe", desk.ask_for_shoe, ("configure", "void")),
        DutyRoute("POST", f"{table}/void", desk.void, ("void",)),
        DutyRoute("POST", f"{table}/correction/begin", desk.begin_correction, ("void",)),
        DutyRoute("POST", f"{table}/correction/abandon", desk.abandon_correction, ("void",)),
        DutyRoute("POST", f"{table}/correction", desk.correct, ("void",)),
        DutyRoute("GET", f"{table}/options", desk.options, ("configure", "report")),
        DutyRoute("GET", f"{table}/settings", desk.settings, ("configure", "report")),
        DutyRoute("POST", f"{table}/preview", desk.preview, ("configure",)),
        DutyRoute("POST", f"{table}/schedule", desk.schedule, ("configure",)),
    ]


english(
    "refused",
    {
        "state-reason": "To pause or close a table, give a reason.",
        "table-taken": "The table name {table:quoted} is already taken.",
        "settings-not-understood": "The settings are not understood: {error}.",
    },
)
