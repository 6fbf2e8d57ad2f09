"""The people of a house that is being recorded, and how they play.

They act only through the house's HTTP requests and WebSockets, as in production. The house in memory is read to know
what comes next, and never changed.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import Any, Final

import msgspec

from podium.basics.cards import DECK
from podium.basics.refusal import Refused
from podium.client import Client, Turn
from podium.house.table import Table
from podium.record.fair import cut_commitment
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Peek, Wagers
from podium.wire.commands import (
    AnswerPeek,
    BurnCard,
    CloseBets,
    Command,
    CommitCut,
    Confirm,
    EnterCard,
    LoadShoe,
    NewGame,
    OpenCut,
    TakePlace,
    TurnHole,
)
from podium.wire.messages import WagerCard
from tests.kept_houses.device import passkey_made
from tests.server.served import CHECKING, PASSWORD, PIN, Browser, Served

SECOND_PERSON: Final = "supervisor-1"
"""The second person of the house, whom the operator may let in alone."""

PATIENCE_SECONDS: Final = 20
SECOND: Final = 1_000
UNKNOWN: Final = "unknown"
"""How a live dealer enters a hole card that lies face down."""
LAST_CHOICES: Final = ("decline", "stand", "play", "fold")
"""What a player answers when the plan names no decision."""


class Stakes(msgspec.Struct, frozen=True):
    """What a player bets in a round."""

    own: dict[str, int]
    for_dealer: dict[str, int] = {}
    spots: tuple[int, ...] = ()


class Plan(msgspec.Struct, frozen=True):
    """How a round should go. Cards that it does not name are random; players that it does not name decide for themselves."""

    cards: str = ""
    """The first cards of a live dealer, in order; `?` is a hole card entered as unknown."""
    decisions: dict[str, list[str]] = {}
    """By player, in order; `time-out` lets the time run out. When the list is used up, the player stands."""
    stakes: dict[str, Stakes] = {}
    blackjack: bool = False
    """What the dealer answers when peeking."""


class Recording:
    """A house, its people and their terminals."""

    def __init__(self, served: Served) -> None:
        self.served: Final = served
        self.chance: Final = Random("kept house")
        self.passwords: Final[dict[str, str]] = {}
        """The password or PIN of every account."""
        self.dealers: Final[dict[str, str]] = {}
        """Who deals at each live table."""
        self.seated: Final[dict[str, list[str]]] = {}
        """Who plays at each table."""
        self.keep_back: Final[set[tuple[str, int]]] = set()
        """The shoes (table, number) for which one terminal commits to a number for the cut and never opens it."""
        self.time_outs = 0.1
        """The share of unplanned decisions for which the time runs out."""
        self._browsers: Final[dict[str, Browser]] = {}
        self._lines: Final[dict[str, tuple[Client, AsyncExitStack]]] = {}
        self._chosen: Final[Counter[tuple[str, str]]] = Counter()
        self._numbers: Final[dict[tuple[str, int, str], str]] = {}

    def table(self, name: str) -> Table:
        found: Table = self.served.house.table(name)
        return found

    # --- people -----------------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """The first operator comes in by the link that the house prints."""
        self._browsers["operator"] = await self.served.operator()
        self.passwords["operator"] = PASSWORD

    async def enrol(self, name: str, role: str, terminal: str = "") -> None:
        """The operator enrols somebody, who chooses a password at a terminal."""
        operator = await self.person("operator")
        enrolled = await self.granted(operator, name, role)
        browser = self._browsers[name] = await self.served.browser()
        if terminal:
            await browser.done("/api/terminals/here", token=terminal)
        self.passwords[name] = PIN if role == "player" else PASSWORD
        token = enrolled["invitation"].partition("#")[2]
        await browser.done("/api/invitations", token=token, password=self.passwords[name])

    async def add_passkey(self, name: str, device: str) -> None:
        """Somebody of the staff adds a passkey."""
        browser = await self.person(name)
        options = (await browser.done("/api/me/passkeys/begin"))["options"]
        await browser.done("/api/me/passkeys", name=device, credential=passkey_made(options, browser.base))

    async def come_in(self, path: str, **shown: str) -> str:
        """Somebody comes in without an account, as a guest or with a ticket. Returns the name that the house gave."""
        browser = await self.served.browser()
        name = str((await browser.done(path, **shown))["name"])
        self._browsers[name] = browser
        return name

    async def person(self, name: str) -> Browser:
        """Somebody's browser, signed in again if the session has timed out."""
        browser = self._browsers[name]
        if (await browser.get("/api/me")).body is None:
            await self.hang_up(name)
            await browser.done("/api/sign-in", name=name, password=self.passwords[name])
        return browser

    async def granted(self, operator: Browser, name: str, role: str) -> Any:
        """The operator gives somebody a role; one that checks with the first supervisor, who was let in alone."""
        if role not in CHECKING or SECOND_PERSON not in self._browsers:
            return await operator.done("/api/people", name=name, role=role)
        return await operator.done_with(await self.person(SECOND_PERSON), "/api/people", name=name, role=role)

    async def accepted(self, supervisor: str) -> None:
        """A supervisor accepts what was asked for last."""
        await (await self.person(supervisor)).accept()

    async def terminal(self, name: str, table: str) -> Client:
        """Somebody's terminal, connected and watching a table."""
        browser = await self.person(name)
        if name not in self._lines:
            stack = AsyncExitStack()
            self._lines[name] = await stack.enter_async_context(await browser.terminal()), stack
        line = self._lines[name][0]
        if table not in line.watched:
            await line.watch(table, beside=self._plays_elsewhere(name, line.watched))
        return line

    def _plays_elsewhere(self, name: str, tables: list[str]) -> bool:
        return any(name in self.seated.get(table, ()) for table in tables)

    async def hang_up(self, name: str) -> None:
        if name in self._lines:
            await self._lines.pop(name)[1].aclose()

    async def sit_down(self, table: str, *players: str) -> None:
        for player in players:
            line = await self.terminal(player, table)
            await line.join(table=table)
            self.seated.setdefault(table, []).append(player)

    async def take_box(self, table: str, player: str, box: int) -> None:
        """A player takes a further box at a table."""
        await (await self.terminal(player, table)).join(box=box, table=table)

    async def restart(self) -> None:
        """The house ends, and comes back from its journal; everybody comes back to it."""
        await self.leave()
        await self.served.restart()
        for name, browser in self._browsers.items():
            self._browsers[name] = self.served.moved(browser)
        for table, players in self.seated.items():
            for player in players:
                await self.terminal(player, table)

    async def leave(self) -> None:
        for name in list(self._lines):
            await self.hang_up(name)

    # --- time -------------------------------------------------------------------------------------------------------

    async def until(self, so: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not so():
                await asyncio.sleep(0.002)

    async def pass_time(self, seconds: float) -> None:
        """Moves the clock of the house on, and gives every table a turn."""
        self.served.pass_time(round(seconds * SECOND))
        await asyncio.sleep(0.02)

    # --- rounds -----------------------------------------------------------------------------------------------------

    async def play(
        self, name: str, *plans: Plan, rounds: int = 0, stop: Callable[[Table], object] = lambda table: False
    ) -> None:
        """Plays one round per plan, then `rounds` without a plan. Returns early when `stop` says so."""
        for plan in [*plans, *[Plan()] * rounds]:
            if await self._play(self.table(name), plan, stop):
                return

    async def play_until(self, name: str, stop: Callable[[Table], object]) -> None:
        """Plays rounds without a plan until `stop` says so."""
        while not await self._play(self.table(name), Plan(), stop):
            pass

    async def _play(self, table: Table, plan: Plan, stop: Callable[[Table], object]) -> bool:
        """Plays one round to its end. Returns whether `stop` ended it."""
        number = table.round_number + table.between_rounds
        cards = plan.cards.split()
        decisions = {player: list(listed) for player, listed in plan.decisions.items()}
        while not (table.round_number == number and table.between_rounds):
            if stop(table):
                return True
            if table.between_rounds:
                await self._begin(table)
                continue
            match table.in_play.awaits:
                case Wagers():
                    await self._bet(table, plan)
                case Decisions() as asked:
                    await self._answer(table, next(iter(asked)), decisions)
                case other:
                    await self._deal(table, other, cards, blackjack=plan.blackjack)
        return bool(stop(table))

    async def _begin(self, table: Table) -> None:
        if table.upcoming.dealer == "automated":
            await self.cut(table)
            await self.pass_time(1)
            return
        if table.shoe_wanted is not None:
            await self.deal(table.name, LoadShoe, cards=52 * table.upcoming.to_game().rules.decks)
        while (shoe := table.shoe) is not None and shoe.to_burn:
            seen = "2c" if shoe.burned else "unknown"
            await self.deal(table.name, BurnCard, shoe=shoe.number, number=shoe.burned + 1, card=seen)
        await self.deal(table.name, NewGame, round=table.round_number + 1)

    # --- players ----------------------------------------------------------------------------------------------------

    async def _bet(self, table: Table, plan: Plan) -> None:
        for place, player in enumerate(self.seated[table.name]):
            line = await self.terminal(player, table.name)
            await self.sees_round(line, table)
            known = line.known[table.name]
            assert known.rules is not None
            assert known.seat is not None
            if known.seat.locked or known.seat.seat is None:
                continue
            stakes = plan.stakes.get(player) or _stakes(known.rules.wagers, place)
            if table.configured.training:
                stakes = msgspec.structs.replace(stakes, for_dealer={})
            for box in table.boxes[player]:
                await line.bet(stakes.own, for_dealer=stakes.for_dealer, spots=stakes.spots, box=box, table=table.name)
        if table.configured.dealer == "live":
            await self.deal(table.name, CloseBets, round=table.round_number)
        elif any(player not in table.bettors.values() for player in table.seats):
            await self.pass_time(table.configured.betting_seconds)
        await self.until(lambda: not isinstance(table.in_play.awaits, Wagers))

    async def sees_round(self, line: Client, table: Table) -> None:
        """Until a terminal has been shown the round in play."""
        known = line.known[table.name]
        await self.until(lambda: known.view and known.view.round == table.round_number and known.rules and known.seat)

    async def _answer(self, table: Table, seat: int, planned: dict[str, list[str]]) -> None:
        """One seat decides: by plan, or else whatever was chosen least at this table so far."""
        player, step, number = table.players[seat], len(table.in_play.decisions_of(seat)), table.round_number
        line = await self.terminal(player, table.name)
        box = next(box for box, own in table.boxes[player].items() if own == seat)
        await self.until(lambda: _asked(line, table.name, (number, box, step)))
        turn = _asked(line, table.name, (number, box, step))
        assert turn is not None
        assert turn.question is not None
        allowed = {choice: cost[0] for choice, cost in turn.question.allowed.items() if cost[0] <= turn.seat.credit}
        if player in planned:
            choice = (
                planned[player].pop(0) if planned[player] else next(each for each in LAST_CHOICES if each in allowed)
            )
        elif self.chance.random() < self.time_outs:
            choice = "time-out"
        else:
            choice = min(allowed, key=lambda each: self._chosen[table.name, each])
            self._chosen[table.name, choice] += 1
        if choice == "time-out":
            before = table.happened
            await self.pass_time(max(table.configured.decision_seconds, table.configured.insurance_seconds))
            await self.until(lambda: table.happened > before)
            return
        await line.decide(choice.replace("AMOUNT", str(allowed.get(choice))), box=box, table=table.name)

    async def cut(self, table: Table) -> None:
        """The first two terminals commit to a number for the cut, or open it once the list is closed."""
        shoe = table.shoe
        if shoe is None or shoe.cut is None or shoe.order is not None:
            return
        for place, player in enumerate(self.seated[table.name][:2]):
            if player not in table.seats:
                continue
            line = await self.terminal(player, table.name)
            terminal = f"seat-{table.seats[player]}"
            number = self._numbers.setdefault((table.name, shoe.number, player), self.chance.randbytes(32).hex())
            if not shoe.cut.closed:
                if terminal not in (*shoe.cut.committed, *table.barred):
                    commitment = cut_commitment(shoe.cut.shoe, terminal, number)
                    await line.do(CommitCut, shoe=shoe.number, commitment=commitment, table=table.name)
            elif terminal in shoe.cut.missing and not (place == 0 and (table.name, shoe.number) in self.keep_back):
                await line.do(OpenCut, shoe=shoe.number, number=number, table=table.name)

    # --- dealers ----------------------------------------------------------------------------------------------------

    async def deal(self, name: str, kind: type[Command], **fields: Any) -> None:
        """The dealer of a live table does something."""
        dealer = self.dealers[name]
        line = await self.terminal(dealer, name)
        if self.table(name).dealer != dealer:
            await line.do(TakePlace)
        await line.do(kind, **fields)

    async def _deal(self, table: Table, awaits: object, cards: list[str], *, blackjack: bool) -> None:
        """The next step of the dealer; the automated dealer needs no help."""
        if table.configured.dealer == "automated":
            before = table.happened
            await self.until(lambda: table.happened > before)
            return
        name, number = table.name, table.round_number
        match awaits:
            case NextCard(place):
                hidden = str(place) == "hole card"
                await self._enter(table, cards.pop(0) if cards else "?" if hidden else "")
            case Peek():
                await self.deal(name, AnswerPeek, round=number, blackjack=blackjack)
            case HoleCard():
                await self._turn(table, cards.pop(0) if cards else "")
            case Confirmation():
                await self.deal(name, Confirm, round=number)

    async def _enter(self, table: Table, card: str) -> None:
        """Enters the named card, or any that the shoe still holds."""
        fields = {"round": table.round_number, "number": len(table.in_play.cards) + 1}
        if card:
            await self.deal(table.name, EnterCard, card=UNKNOWN if card == "?" else card, **fields)
            return
        await self._any_card(lambda drawn: self.deal(table.name, EnterCard, card=drawn, **fields))

    async def _turn(self, table: Table, card: str) -> None:
        turn = {"round": table.round_number}
        if card:
            await self.deal(table.name, TurnHole, card=card, **turn)
            return
        await self._any_card(lambda drawn: self.deal(table.name, TurnHole, card=drawn, **turn))

    async def _any_card(self, enter: Callable[[str], Any]) -> None:
        """Tries random cards until one is accepted: it must still be in the shoe and must not contradict the peek."""
        while True:
            try:
                await enter(self.chance.choice(DECK).code)
            except Refused:
                continue
            return


def _asked(line: Client, table: str, key: tuple[int, int, int]) -> Turn | None:
    """The turn of a box, by round, box and step, once its terminal shows it."""
    return next((turn for turn in line.known[table].turns() if turn.question and turn.key[1:4] == key), None)


def _stakes(wagers: list[WagerCard], place: int) -> Stakes:
    """The first player places every wager, the second the main wager and all wagers for the dealer, others the main wager."""
    amounts = {card.wager: card.amounts[-1] if card.amounts else max(card.least, card.chip) for card in wagers}
    main = next(card.wager for card in wagers if card.main)
    if place == 0:
        return Stakes(amounts, spots=())
    if place == 1:
        return Stakes({main: amounts[main]}, {card.wager: amounts[card.wager] for card in wagers if card.for_dealer})
    return Stakes({main: amounts[main]})
