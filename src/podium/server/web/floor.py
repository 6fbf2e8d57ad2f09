"""The floor: tables live, opened and closed, and their rules changed for the next round."""

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
from podium.house.table.config import settings_of
from podium.record.ledger import account
from podium.rules.games import Game
from podium.rules.options import Option
from podium.rules.rulebook import Chapter, rulebook
from podium.server.show import table_card
from podium.server.terminals import Who
from podium.server.theory import Theory, WagerReturns, of_line
from podium.server.web.reception import AnyRoute, DutyRoute, Reception, answer
from podium.wire.messages import TableCard

PREVIEW_WAIT_SECONDS: Final = 20
"""Seconds that a preview waits for the mathematics."""
PREVIEW_POLL_SECONDS: Final = 0.1

english(
    "alert",
    {
        "notice": "{notice}",
        "correcting": "a card is being corrected: {reason}",
        "no-dealer": "there is no dealer at the podium",
        "pay": "an attendant must pay {win:money} to {player}",
    },
)


class FloorTable(TableCard, frozen=True, kw_only=True):
    """A table as the floor sees it. Shares are of the handle; null before there is any."""

    handle: int
    win: int
    hold: float | None
    theory: float | None
    exposure: int
    """What is staked in the round in play."""
    spread: int | None
    """How far the house's result of the round spreads at most: a standard deviation, everybody playing alike."""
    largest: int | None
    """What the house can lose at most in the round; null where the mathematics does not know these rules yet."""
    alerts: list[Phrase]


class State(msgspec.Struct, forbid_unknown_fields=True):
    state: Literal["open", "paused", "closed"]
    reason: str = ""


class Change(msgspec.Struct, forbid_unknown_fields=True):
    """Options of the rules, and settings of the table (timers, dealer, places); what is left out stays."""

    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    config: TableConfig


class OptionCard(msgspec.Struct, frozen=True):
    name: str
    clause: str
    type: str
    value: Any
    default: Any
    values: tuple[Any, ...]
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
    """What a change would come to, before it is made. There are no wagers as long as the mathematics is at work."""

    chapters: tuple[Chapter, ...]
    """The rules of play."""
    wagers: list[ParLine]
    working: bool
    """Whether the mathematics is still at work: ask again."""
    fingerprint: str
    changed: dict[str, Any]


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

    async def tables(self, request: web.Request, _: Who) -> web.Response:
        """The tables live: handle, win, hold against theory, bets in play, and what wants attention."""
        return answer([self._table(table) for table in self._house.tables.values()])

    def _table(self, table: Table) -> FloorTable:
        spread, largest = self._at_risk(table)
        handle, win = table.handle, self._house.ledger[account("bank", table.name)]
        return FloorTable(
            **msgspec.structs.asdict(table_card(table)),
            handle=handle,
            win=win,
            hold=win / handle if handle else None,
            theory=self._theory(table.current_game),
            exposure=0 if table.between_rounds else sum(seat.staked for seat in table.in_play.seats.values()),
            spread=spread,
            largest=largest,
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
        """What somebody on the floor should look after."""
        alerts = []
        if table.notice:
            alerts.append(phrase("alert.notice", notice=table.notice))
        if table.correcting:
            alerts.append(phrase("alert.correcting", reason=table.correcting))
        if table.is_open and table.upcoming.dealer == "live" and not table.dealer:
            alerts.append(phrase("alert.no-dealer"))
        held = {player: self._house.held(player) for player in table.seats}
        alerts += [phrase("alert.pay", win=win, player=player, clause="HP-1") for player, win in held.items() if win]
        return alerts

    async def set_state(self, request: web.Request, who: Who) -> web.Response:
        """Open, pause or close a table (`state`, `reason`); the round in play is finished (VOID-3)."""
        asked = await self._reception.read(request, State)
        table = self._house.table(request.match_info["table"])

        def change(now: int) -> None:
            if asked.state == "open":
                if not table.is_open:
                    table.open(now, by=who.name)
                return
            reason, paused = asked.reason.strip(), asked.state == "paused"
            if table.is_open or (table.notice, table.paused) != (reason, paused):
                table.close(now, by=who.name, reason=reason, paused=paused)

        await self._floor.at_table(table.name, change)
        return answer(self._table(table))

    async def add(self, request: web.Request, who: Who) -> web.Response:
        """A new table: `name`, and its `config` as in podium.toml."""
        asked = await self._reception.read(request, NewTable)

        def enter(now: int) -> None:
            if asked.name in self._house.tables:
                raise Refused("table-taken", table=shortened(asked.name))
            self._house.configure_table(asked.name, asked.config, now, by=who.name)

        await self._floor.in_house(enter)
        self._floor.open_tables()
        return answer(self._table(self._house.table(asked.name)))

    # --- rules ------------------------------------------------------------------------------------------------------

    async def options(self, request: web.Request, _: Who) -> web.Response:
        """The options of a table as its next round has them, with clause, values and words."""
        game = self._house.table(request.match_info["table"]).upcoming.to_game()
        return answer([option_card(option, game) for option in game.options.values()])

    async def settings(self, request: web.Request, _: Who) -> web.Response:
        """The other settings of a table as its next round has them: who deals, and how long things take."""
        return answer(settings_of(self._house.table(request.match_info["table"]).upcoming))

    async def preview(self, request: web.Request, _: Who) -> web.Response:
        """What changed `options` and `settings` would come to: rules of play, returns, fingerprint, and what differs from now."""
        table = self._house.table(request.match_info["table"])
        wanted = await self._wanted(request, table)
        game, now = wanted.check(), table.current_game
        theory = self._floor.theory
        wagers = await self._worked_out(game, theory) if theory else []
        working = theory is not None and theory.working_on(game.fingerprint)
        return answer(Preview(rulebook(game).chapters, wagers, working, game.fingerprint, changed(now, game)))

    async def _worked_out(self, game: Game, theory: Theory) -> list[ParLine]:
        """What the wagers return, if the mathematics knows it soon; it goes on in any case, for who asks again."""
        self._floor.returns(game, soon=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(PREVIEW_WAIT_SECONDS):
                await asyncio.sleep(0)  # so that it is asked for
                while theory.working_on(game.fingerprint):
                    await asyncio.sleep(PREVIEW_POLL_SECONDS)
        sheet = theory.known.get(game.fingerprint)
        return [
            ParLine(name, titles(game).get(name, name), each.house_edge, each.returns, *more(each))
            for name, each in (sheet.wagers if sheet else {}).items()
        ]

    async def schedule(self, request: web.Request, who: Who) -> web.Response:
        """Changed `options` and `settings` for the next round: the rules in force settle the round in play (GAME-5)."""
        table = self._house.table(request.match_info["table"])
        wanted = await self._wanted(request, table)
        await self._floor.at_table(
            table.name, lambda now: self._house.configure_table(table.name, wanted, now, by=who.name)
        )
        return answer({"version": table.version, "rules": wanted.to_game().fingerprint})

    async def _wanted(self, request: web.Request, table: Table) -> TableConfig:
        """The configuration of a table with a change, checked."""
        asked = await self._reception.read(request, Change)
        now = msgspec.to_builtins(table.upcoming)
        options = {**now.get("options", {}), **asked.options}
        try:
            wanted = msgspec.convert({**now, **asked.settings, "options": options}, TableConfig)
        except msgspec.ValidationError as error:
            raise Refused("settings-not-understood", error=shortened(str(error))) from None
        wanted.check()
        return wanted


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
    """The options that differ from those in force; all of them when the game itself is another."""
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
        DutyRoute("GET", f"{table}/options", desk.options, ("configure", "report")),
        DutyRoute("GET", f"{table}/settings", desk.settings, ("configure", "report")),
        DutyRoute("POST", f"{table}/preview", desk.preview, ("configure",)),
        DutyRoute("POST", f"{table}/schedule", desk.schedule, ("configure",)),
    ]


english(
    "refused",
    {
        "table-taken": "There is a table {table:quoted} already.",
        "settings-not-understood": "The settings are not understood: {error}.",
    },
)
