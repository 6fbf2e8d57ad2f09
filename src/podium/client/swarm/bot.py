"""One bot: it plays a seat, and checks everything that the house says."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.client.shown import Turn, own_view
from podium.client.swarm.lies import a_lie
from podium.client.swarm.slip import BetSlip
from podium.client.swarm.strategies import Stakes, Strategy
from podium.client.swarm.tally import Finding, Tally
from podium.client.swarm.wall import Wall
from podium.client.terminal import Client
from podium.play.views import SeatView
from podium.wire.commands import Command, Decide, PlaceBet
from podium.wire.messages import Acknowledged, AnyMessage, Counts, Refusal, RulesInForce, Seated, TableView, Welcome

ANSWER_SECONDS: Final = 20.0
"""Seconds without an answer before a command is sent again."""


class Settled(NamedTuple):
    """A finished round of one bot, to be played again."""

    bot: "Bot"
    slip: BetSlip
    table: TableView
    seat: Seated


Place = tuple[str, int]
"""A box at a table."""


@dataclass(slots=True)
class Purse:
    """The credit of a bot when it had nothing in play, and what the bets since have won or lost."""

    credit: int
    earned: int = 0


class Bot:
    """A simulated player. Every message of the house goes to `heard` first; `play` bets and answers."""

    def __init__(
        self,
        name: str,
        tables: tuple[str, ...],
        strategy: Strategy,
        dice: Random,
        *,
        boxes: int,
        think: float,
        tally: Tally,
        wall: Wall,
        check: Callable[[Settled], None],
    ) -> None:
        self.name: Final = name
        self.tables: Final = tables
        self.strategy: Final = strategy
        self.house: Client | None = None
        self.slips: Final[dict[Place, BetSlip]] = {}
        """The newest bet of each box."""
        self.settled = 0
        """The rounds of its first boxes that are over."""
        self.wanted = True
        """Whether it goes on betting; if not, it leaves after the round."""
        self.plays = self.watches = False
        """Whether it has a seat, or watches because it was refused one; both False before it has asked."""
        self.doing = ""
        """Its pending request to the house."""
        self._boxes: Final = boxes
        self._dice: Final = dice
        self._think: Final = think
        self._tally: Final = tally
        self._wall: Final = wall
        self._check: Final = check
        self._woken: Final = asyncio.Event()
        self._taken: set[object] = set()
        self._purse: Purse | None = None
        self._welcomes = 0
        self._said_at = 0
        """The number of welcomes when it last sent a command: after a lost connection, an answer may come late or twice."""
        self._asked_at = 0.0
        self._last_view: Final[dict[str, int]] = {}
        self._last_seat: Final[dict[str, int]] = {}
        self._answers: dict[int, Acknowledged | Refusal] = {}

    # --- playing ----------------------------------------------------------------------------------------------------

    async def play(self, house: Client) -> None:
        """Bets and answers until it is no longer wanted and its last round is over."""
        self.house = house
        for table in self.tables:
            await self._sit_down(house, table)
        if not self.plays:
            self._tally.watched += 1
            self.watches = True
        while self.wanted or self.in_play:
            turn = self._next_turn()
            if turn is None:
                self._woken.clear()
                await self._woken.wait()
                continue
            self._taken.add(turn.key)
            if self._think:
                await asyncio.sleep(self._dice.uniform(0, self._think))
            await (self._bet(turn) if turn.question is None else self._answer(turn))
        for table in self.tables if self.plays else ():
            await self._do("leave", house.leave(table=table))

    async def _sit_down(self, house: Client, table: str) -> None:
        """Takes as many boxes as it wants, if it gets them."""
        for box in range(1, self._boxes + 1):
            rules = house.known[table].rules
            if box > 1 and (rules is None or box > rules.boxes):
                return
            try:
                await house.join(table=table, box=box if box > 1 else None)
                self.plays = True
            except Refused as refusal:
                self._tally.refuse(refusal)
                return

    def _next_turn(self) -> Turn | None:
        """The next turn that it has not taken yet."""
        if self.house is None or not self.plays:
            return None
        turns = {turn.key: turn for turn in self.house.open_turns()}
        self._taken &= turns.keys()
        return next((turn for key, turn in turns.items() if key not in self._taken), None)

    @property
    def unsettled(self) -> int:
        """The bets in rounds that it has not seen the end of."""
        return sum(not slip.settled for slip in self.slips.values())

    @property
    def in_play(self) -> bool:
        return any(not slip.settled for slip in self.slips.values())

    def wake(self) -> None:
        self._woken.set()

    def leave(self) -> None:
        """Leaves after the round."""
        self.wanted = False
        self.wake()

    async def _bet(self, turn: Turn) -> None:
        rules, place = self._rules(turn.table.table), (turn.table.table, turn.box)
        known = self.slips.get(place)
        if not self.wanted or rules is None or (known is not None and not known.settled):
            return
        credit = turn.seat.credit
        if not self.in_play:
            # Results that are still shown are already in the credit.
            self._purse = Purse(credit - sum(slip.net for slip in self.slips.values()))
        stakes = self.strategy.bets(rules, credit, self._dice)
        if stakes is None:
            if not self.in_play:
                self._tally.broke += 1
                self.leave()
            return
        await self._stake(turn, stakes)
        if place in self.slips and self._dice.random() < self.strategy.fickle:
            other = self.strategy.bets(rules, credit, self._dice)
            await self._stake(turn, other if other is not None and self._dice.random() < 0.7 else Stakes({}, {}))
        if self.strategy.lies:
            await self._lie(turn, rules)

    async def _stake(self, turn: Turn, stakes: Stakes) -> None:
        command = {"wagers": stakes.wagers, "for_dealer": stakes.for_dealer, "spots": stakes.spots}
        if await self._ask("bet", PlaceBet, round=turn.table.round, **command, **self._at(turn)):
            self._tally.bets += 1

    def _at(self, turn: Turn) -> dict[str, Any]:
        """The table and box of a command, where the bot has several."""
        table = {"table": turn.table.table} if len(self.tables) > 1 else {}
        return {**table, "box": turn.box} if self._boxes > 1 else table

    async def _answer(self, turn: Turn) -> None:
        answer = self.strategy.answers(turn, self._dice)
        own = turn.view
        if answer is None or own is None:
            return
        if await self._ask("decision", Decide, round=turn.seat.round, step=own.step, decision=answer, **self._at(turn)):
            self._tally.decisions += 1
        rules = self._rules(turn.table.table)
        if self.strategy.lies and rules is not None and self._dice.random() < 0.2:
            await self._lie(turn, rules)

    async def _lie(self, turn: Turn, rules: RulesInForce) -> None:
        lie = a_lie(turn, rules, self._dice)
        self._tally.lies += 1
        if await self._ask("lie", lie.kind, **{**self._at(turn), **lie.fields} if lie.at_table else lie.fields):
            self.find(turn.table.table, f"The house acknowledged what it must refuse: {lie}.")

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

    def _rules(self, table: str) -> RulesInForce | None:
        return self.house.known[table].rules if self.house is not None else None

    # --- hearing ----------------------------------------------------------------------------------------------------

    def heard(self, message: AnyMessage) -> None:
        """Checks a message as it comes, in the order in which the house sent them."""
        self._tally.messages += 1
        match message:
            case TableView():
                self._wall.saw(message, perf_counter())
                self._saw_table(message)
            case Counts():
                self._wall.counted(message)
            case Seated():
                self._saw_seat(message)
            case Acknowledged() | Refusal():
                self._was_answered(message)
            case RulesInForce():
                self._wall.rules(message)
            case Welcome():
                self._welcomes += 1
                self._tally.returns += self._welcomes > 1
                self._last_view.clear()
                self._last_seat.clear()
        if self.plays and not self._woken.is_set() and self._has_something_to_do():
            self._woken.set()

    def _has_something_to_do(self) -> bool:
        return self._next_turn() is not None or (not self.wanted and not self.in_play)

    def _saw_table(self, view: TableView) -> None:
        last = self._last_view.get(view.table, -1)
        if view.number <= last:
            self.find(view.table, f"State {view.number} of the table came after state {last}.")
        self._last_view[view.table] = view.number
        for (table, box), slip in list(self.slips.items()):
            if table != view.table:
                continue
            if view.corrected is not None and view.corrected.round == slip.round:
                slip.corrected = True
            if view.round > slip.round:
                if not slip.settled:
                    self._tally.missed += 1
                    self._purse = None
                self._put_away(table, box)

    def _put_away(self, table: str, box: int) -> None:
        slip = self.slips.pop((table, box))
        if self._purse is not None:
            self._purse.earned += slip.net

    def _was_answered(self, answer: Acknowledged | Refusal) -> None:
        """Checks that every command is answered once; again only if it was sent again, and then with the same answer."""
        if isinstance(answer, Refusal) and answer.later:
            return  # sent again under the same id, and then carried out or refused for good
        known = self._answers.get(answer.id)
        asked_again = self._welcomes != self._said_at or perf_counter() - self._asked_at > ANSWER_SECONDS
        if known is not None and (known != answer or not asked_again):
            self.find(self.tables[0], f"Command {answer.id} was answered twice: {known} and {answer}.")
        self._answers[answer.id] = answer
        while len(self._answers) > 64:
            del self._answers[next(iter(self._answers))]
        if known is not None or not isinstance(answer, Acknowledged):
            return
        self._tally.acknowledged += 1
        command = self.house.asked.get(answer.id) if self.house is not None else None
        if isinstance(command, PlaceBet) and self.doing == "bet":
            self._took_bet(command)
        elif isinstance(command, Decide):
            slip = self.slips.get(self._place(command))
            if slip is not None and slip.round == command.round:
                slip.decided[command.step] = command.decision

    def _place(self, command: PlaceBet | Decide) -> Place:
        return command.table or self.tables[0], command.box or 1

    def _took_bet(self, command: PlaceBet) -> None:
        table, box = place = self._place(command)
        if not command.wagers and not command.for_dealer:
            self.slips.pop(place, None)
            return
        stakes = Stakes(command.wagers, command.for_dealer, command.spots)
        seat = self.house.known[table].seat if self.house is not None else None
        number = _seat_of(seat, box) if seat is not None else None
        self.slips[place] = BetSlip(command.round, number or 0, stakes)

    # --- the seat ---------------------------------------------------------------------------------------------------

    def _saw_seat(self, seat: Seated) -> None:
        last = self._last_seat.get(seat.table, -1)
        if seat.number < last:
            self.find(seat.table, f"State {seat.number} of the seat came after state {last}.")
        self._last_seat[seat.table] = seat.number
        if seat.credit < 0 or seat.locked < 0:
            self.find(
                seat.table, f"The credit is {seat.credit}, {seat.locked} held for an attendant: less than nothing."
            )
        shown = [(box, own_view(seat, box)) for box in (seat.box, *(each.box for each in seat.further))]
        agreed = [self._saw_box(seat, box, view) for box, view in shown]
        if all(agreed):
            self._saw_credit(seat)
        for box, view in shown:
            slip = self.slips.get((seat.table, box))
            if slip is not None and slip.round == seat.round and view is not None and not slip.settled:
                self._may_be_over(slip, box, msgspec.structs.replace(seat, box=box, view=view))
        if seat.locked and not self.in_play and self.wanted:
            self._tally.locked += 1
            self.leave()

    def _saw_box(self, seat: Seated, box: int, view: SeatView | None) -> bool:
        """Compares what a box shows with what was acknowledged; returns whether it is the same."""
        slip = self.slips.get((seat.table, box))
        if slip is None or slip.round != seat.round:
            if view is not None and not self._may_be_unanswered(view.wagers):
                self.find(
                    seat.table, f"{view.wagers} is shown as bet in round {seat.round}, and nothing was acknowledged."
                )
            return view is None
        if slip.settled:
            return True
        if view is None:
            if not self._may_be_unanswered({}):
                self.find(seat.table, "An acknowledged bet is not shown.")
            return False
        stakes = slip.stakes
        if (view.wagers, view.for_dealer) != (stakes.wagers, stakes.for_dealer):
            if not self._may_be_unanswered(view.wagers):
                self.find(seat.table, f"{view.wagers} {view.for_dealer} is shown as bet; acknowledged was {stakes}.")
            return False
        slip.net = view.returned - view.staked
        if view.question is not None:
            slip.asked[view.step] = view.question.allowed
        return True

    def _saw_credit(self, seat: Seated) -> None:
        """Checks that the credit is what it was, less what was staked, plus what was returned since. Wagers at another
        table may have moved it meanwhile, so it is checked only while there are none."""
        elsewhere = any(table != seat.table and not slip.settled for (table, _), slip in self.slips.items())
        if self._purse is None or elsewhere:
            return
        due = self._purse.credit + self._purse.earned + sum(slip.net for slip in self.slips.values())
        if seat.credit + seat.locked != due:
            self.find(
                seat.table,
                f"By what was staked and returned the credit is {due}, and the house says {seat.credit} and {seat.locked} held.",
            )

    def _may_be_unanswered(self, shown: dict[str, int]) -> bool:
        """Whether this may be shown before the answer: after a reconnection everything is shown again."""
        if self.house is None or self._welcomes == 1:
            return False
        return any(isinstance(command, PlaceBet) and command.wagers == shown for command in self.house.asked.values())

    def _may_be_over(self, slip: BetSlip, box: int, seat: Seated) -> None:
        known = self.house.known.get(seat.table) if self.house is not None else None
        table = known.view if known is not None else None
        if table is None or known is None or known.rules is None:
            return
        if table.round == slip.round and table.phase in ("result", "void") and seat.number >= table.number:
            slip.settled = True
            self.settled += box == 1
            self._check(Settled(self, slip, table, seat))

    def find(self, table: str, what: str, notation: str = "", number: int | None = None) -> None:
        known = self.house.known.get(table) if self.house is not None else None
        shown = known.view.round if known is not None and known.view is not None else 0
        self._tally.find(Finding(self.name, table, shown if number is None else number, what, notation))


def _seat_of(seat: Seated, box: int) -> int | None:
    return seat.seat if box == seat.box else next((each.seat for each in seat.further if each.box == box), None)
