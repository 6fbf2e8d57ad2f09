"""One bot: it plays a seat, and checks everything that the house says."""

import asyncio
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

from podium.basics.refusal import Refused
from podium.client.swarm.lies import a_lie
from podium.client.swarm.slip import BetSlip
from podium.client.swarm.strategies import Stakes, Strategy
from podium.client.swarm.tally import Finding, Tally
from podium.client.swarm.wall import Wall
from podium.client.terminal import Client, Turn
from podium.wire.messages import (
    Acknowledged,
    AnyMessage,
    Command,
    Decide,
    PlaceBet,
    Refusal,
    RulesInForce,
    Seated,
    TableView,
    Welcome,
)

ANSWER_SECONDS: Final = 20.0
"""Seconds without an answer before a command is sent again."""


class Settled(NamedTuple):
    """A finished round of one bot, to be played again."""

    bot: "Bot"
    slip: BetSlip
    table: TableView
    seat: Seated


class Bot:
    """A player that is a program. Every message of the house goes to `heard` first; `play` bets and answers."""

    def __init__(
        self,
        name: str,
        table: str,
        strategy: Strategy,
        dice: Random,
        *,
        think: float,
        tally: Tally,
        wall: Wall,
        check: Callable[[Settled], None],
    ) -> None:
        self.name: Final = name
        self.table: Final = table
        self.strategy: Final = strategy
        self.house: Client | None = None
        self.slip: BetSlip | None = None
        self.settled = 0
        self.wanted = True
        """Whether it goes on betting; if not, it leaves after the round."""
        self.plays = self.watches = False
        """Whether it has a seat, or watches because it was refused one; both False before it has asked."""
        self.doing = ""
        """What it has asked the house for, while it waits for the answer."""
        self._dice: Final = dice
        self._think: Final = think
        self._tally: Final = tally
        self._wall: Final = wall
        self._check: Final = check
        self._woken: Final = asyncio.Event()
        self._taken: tuple[object, ...] | None = None
        self._bet_with = 0
        """The credit when the bot last had nothing staked."""
        self._welcomes = 0
        self._said_at = 0
        """The number of welcomes when it last sent a command: after a lost connection, an answer may come late or twice."""
        self._asked_at = 0.0
        self._last_view = self._last_seat = -1
        self._answers: dict[int, Acknowledged | Refusal] = {}

    # --- playing ----------------------------------------------------------------------------------------------------

    async def play(self, house: Client) -> None:
        """Bets and answers until it is no longer wanted and its last round is over."""
        self.house = house
        try:
            await house.join()
            self.plays = True
        except Refused as refusal:
            self._tally.refuse(refusal)
            self._tally.watched += 1
            self.watches = True
        while self.wanted or self.in_play:
            turn = house.turn() if self.plays else None
            if turn is None or turn.key == self._taken:
                self._taken = None if turn is None else self._taken
                self._woken.clear()
                await self._woken.wait()
                continue
            self._taken = turn.key
            if self._think:
                await asyncio.sleep(self._dice.uniform(0, self._think))
            await (self._bet(turn) if turn.question is None else self._answer(turn))
        if self.plays:
            await self._do("leave", house.leave())

    @property
    def in_play(self) -> bool:
        """Whether it has a bet in a round that it has not seen the end of."""
        return self.slip is not None and not self.slip.settled

    def wake(self) -> None:
        self._woken.set()

    def leave(self) -> None:
        """Leaves after the round."""
        self.wanted = False
        self.wake()

    async def _bet(self, turn: Turn) -> None:
        rules = self._rules
        if not self.wanted or rules is None or self.in_play:
            return
        self._bet_with = turn.seat.credit
        stakes = self.strategy.bets(rules, turn.seat.credit, self._dice)
        if stakes is None:
            self._tally.broke += 1
            self.leave()
            return
        await self._stake(turn, stakes)
        if self.slip is not None and self._dice.random() < self.strategy.fickle:
            other = self.strategy.bets(rules, self._bet_with, self._dice)
            await self._stake(turn, other if other is not None and self._dice.random() < 0.7 else Stakes({}, {}))
        if self.strategy.lies:
            await self._lie(turn, rules)

    async def _stake(self, turn: Turn, stakes: Stakes) -> None:
        command = {"wagers": stakes.wagers, "for_dealer": stakes.for_dealer, "spots": stakes.spots}
        if await self._ask("bet", PlaceBet, round=turn.table.round, **command):
            self._tally.bets += 1

    async def _answer(self, turn: Turn) -> None:
        answer = self.strategy.answers(turn, self._dice)
        own = turn.seat.view
        if answer is None or own is None:
            return
        if await self._ask("decision", Decide, round=turn.seat.round, step=own.step, decision=answer):
            self._tally.decisions += 1
        if self.strategy.lies and self._rules is not None and self._dice.random() < 0.2:
            await self._lie(turn, self._rules)

    async def _lie(self, turn: Turn, rules: RulesInForce) -> None:
        lie = a_lie(turn, rules, self._dice)
        self._tally.lies += 1
        if await self._ask("lie", lie.kind, **lie.fields):
            self.find(f"The house acknowledged what it must refuse: {lie}.")

    async def _ask(self, what: str, kind: type[Command], **fields: Any) -> bool:
        """Sends a command; returns whether it was done. The time it took is recorded, except for lies."""
        assert self.house is not None
        self._said_at = self._welcomes
        self._asked_at = perf_counter()
        done = await self._do(what, self.house.do(kind, **fields))
        if what != "lie":
            self._tally.took(what, perf_counter() - self._asked_at)
        return done

    async def _do(self, what: str, asked: Any) -> bool:
        self.doing = what
        try:
            await asked
        except Refused as refusal:
            self._tally.refuse(refusal)
            return False
        finally:
            self.doing = ""
        return True

    @property
    def _rules(self) -> RulesInForce | None:
        return self.house.rules if self.house is not None else None

    # --- hearing ----------------------------------------------------------------------------------------------------

    def heard(self, message: AnyMessage) -> None:
        """Checks a message as it comes, in the order in which the house sent them."""
        self._tally.messages += 1
        match message:
            case TableView():
                self._wall.saw(message, perf_counter())
                self._saw_table(message)
            case Seated():
                self._saw_seat(message)
            case Acknowledged() | Refusal():
                self._was_answered(message)
            case RulesInForce():
                self._wall.rules(message)
            case Welcome():
                self._welcomes += 1
                self._tally.returns += self._welcomes > 1
                self._last_view = self._last_seat = -1
        if self.plays and not self._woken.is_set() and self._has_something_to_do():
            self._woken.set()

    def _has_something_to_do(self) -> bool:
        turn = self.house.turn() if self.house is not None else None
        if turn is None:
            self._taken = None
            return not self.wanted and not self.in_play
        return turn.key != self._taken

    def _saw_table(self, view: TableView) -> None:
        if view.number <= self._last_view:
            self.find(f"State {view.number} of the table came after state {self._last_view}.")
        self._last_view = view.number
        slip = self.slip
        if slip is not None and view.corrected is not None and view.corrected.round == slip.round:
            slip.corrected = True
        if slip is not None and view.round > slip.round:
            if not slip.settled:
                self._tally.missed += 1
            self.slip = None

    def _was_answered(self, answer: Acknowledged | Refusal) -> None:
        """Checks that every command is answered once; again only if it was sent again, and then with the same answer."""
        if isinstance(answer, Refusal) and answer.later:
            return  # sent again under the same id, and then carried out or refused for good
        known = self._answers.get(answer.id)
        asked_again = self._welcomes != self._said_at or perf_counter() - self._asked_at > ANSWER_SECONDS
        if known is not None and (known != answer or not asked_again):
            self.find(f"Command {answer.id} was answered twice: {known} and {answer}.")
        self._answers[answer.id] = answer
        while len(self._answers) > 64:
            del self._answers[next(iter(self._answers))]
        if known is not None or not isinstance(answer, Acknowledged):
            return
        self._tally.acknowledged += 1
        command = self.house.asked.get(answer.id) if self.house is not None else None
        if isinstance(command, PlaceBet) and self.doing == "bet":
            self._took_bet(command)
        elif isinstance(command, Decide) and self.slip is not None and self.slip.round == command.round:
            self.slip.decided[command.step] = command.decision

    def _took_bet(self, command: PlaceBet) -> None:
        if not command.wagers and not command.for_dealer:
            self.slip = None
            return
        stakes = Stakes(command.wagers, command.for_dealer, command.spots)
        seat = self.house.seat if self.house is not None else None
        number = seat.seat if seat is not None and seat.seat is not None else 0
        self.slip = BetSlip(command.round, number, self._bet_with, stakes)

    # --- the seat ---------------------------------------------------------------------------------------------------

    def _saw_seat(self, seat: Seated) -> None:
        if seat.number < self._last_seat:
            self.find(f"State {seat.number} of the seat came after state {self._last_seat}.")
        self._last_seat = seat.number
        if seat.credit < 0 or seat.locked < 0:
            self.find(f"The credit is {seat.credit}, {seat.locked} held for an attendant: less than nothing.")
        slip = self.slip
        if slip is not None and slip.round == seat.round:
            if not slip.settled:
                self._saw_bet(slip, seat)
        elif seat.view is not None and not self._may_be_unanswered(seat.view.wagers):
            self.find(f"{seat.view.wagers} is shown as bet in round {seat.round}, and nothing was acknowledged.")
        if seat.locked and not self.in_play and self.wanted:
            self._tally.locked += 1
            self.leave()

    def _may_be_unanswered(self, shown: dict[str, int]) -> bool:
        """Whether this may be shown before the answer: after a reconnection everything is shown again."""
        if self.house is None or self._welcomes == 1:
            return False
        return any(isinstance(command, PlaceBet) and command.wagers == shown for command in self.house.asked.values())

    def _saw_bet(self, slip: BetSlip, seat: Seated) -> None:
        view = seat.view
        if view is None:
            if not self._may_be_unanswered({}):
                self.find("An acknowledged bet is not shown.")
            return
        stakes = slip.stakes
        if (view.wagers, view.for_dealer) != (stakes.wagers, stakes.for_dealer):
            if not self._may_be_unanswered(view.wagers):
                self.find(f"{view.wagers} {view.for_dealer} is shown as bet; acknowledged was {stakes}.")
            return
        if seat.credit + seat.locked != slip.credit - view.staked + view.returned:
            self.find(
                f"The credit was {slip.credit}, {view.staked} staked, {view.returned} returned, "
                f"and the house says {seat.credit} and {seat.locked} held."
            )
        if view.question is not None:
            slip.asked[view.step] = view.question.allowed
        self._may_be_over(slip, seat)

    def _may_be_over(self, slip: BetSlip, seat: Seated) -> None:
        known = self.house.known.get(self.table) if self.house is not None else None
        table = known.view if known is not None else None
        if table is None or known is None or known.rules is None:
            return
        if table.round == slip.round and table.phase in ("result", "void") and seat.number >= table.number:
            slip.settled = True
            self.settled += 1
            self._check(Settled(self, slip, table, seat))

    def find(self, what: str, notation: str = "", number: int | None = None) -> None:
        known = self.house.known.get(self.table) if self.house is not None else None
        shown = known.view.round if known is not None and known.view is not None else 0
        self._tally.find(Finding(self.name, self.table, shown if number is None else number, what, notation))
