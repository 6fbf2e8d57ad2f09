"""The coach tells a player who asks what each answer is worth, if the operator allows it.

Equal positions are worked out once for all players and cached under the game's fingerprint. Few positions wait at
a time, and an answer that comes after the question is closed is dropped.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.house.table import Table
from podium.maths.sight import Position, position
from podium.play.views import SeatView, layout, seat_view
from podium.rules.asking import Decisions
from podium.rules.games import Game
from podium.server import limits
from podium.server.log import log
from podium.server.mathematics import Configuration, FindWorths, Mathematics, MathsFailed, Prepare
from podium.wire.commands import Advise
from podium.wire.messages import Advice

Worths = dict[str, float]


class Asked(NamedTuple):
    """A question that a player wants advice on."""

    table: str
    game: Game
    position: Position
    view: SeatView
    command: Advise

    def advice(self, found: Worths) -> Advice:
        """The advice for this player's wager and credit."""
        wager, credit = self.view.wagers[self.game.rules.main.name], self.view.credit
        costs = self.view.question.allowed if self.view.question else {}
        covered = [choice for choice in found if credit is None or costs[choice][0] <= credit]
        return Advice(
            table=self.table,
            round=self.command.round,
            step=self.command.step,
            worth=found,
            amounts={choice: round(worth * wager) for choice, worth in found.items()},
            best=max(covered, key=found.__getitem__),
            box=self.command.box,
        )


def asked(table: Table, player: str, credit: int, command: Advise) -> Asked:
    """The position of a player with that credit who asks for advice; refused where there is none."""
    if not table.configured.coach:
        raise Refused("no-advice")
    if not is_asked(table, player, command):
        raise Refused("no-advice-now")
    played = table.in_play
    view = seat_view(played, _seat_of(table, player, command), credit)
    assert view.question is not None
    return Asked(table.name, played.game, position(layout(played), view, view.question), view, command)


def is_asked(table: Table, player: str, command: Advise) -> bool:
    """Whether the player is being asked this question now."""
    seat = _seat_of(table, player, command)
    if command.round != table.round_number or table.bettors.get(seat) != player or table.between_rounds:
        return False
    awaits = table.in_play.awaits
    return isinstance(awaits, Decisions) and seat in awaits and len(table.in_play.decisions_of(seat)) == command.step


def _seat_of(table: Table, player: str, command: Advise) -> int:
    """The seat of the box that a player asks about; 0 if there is none."""
    return table.seats.get(player, 0) if command.box is None else table.boxes.get(player, {}).get(command.box, 0)


class Coach:
    """Caches what positions are worth, and has new ones worked out."""

    def __init__(self, mathematics: Mathematics) -> None:
        self._worker: Final = mathematics.advice
        self._begun: OrderedDict[str, None] = OrderedDict()
        self._refused: dict[str, Phrase] = {}
        """By fingerprint: why the mathematics gives no advice for this game."""
        self._known: OrderedDict[tuple[str, Position], Worths] = OrderedDict()
        self._asking: dict[tuple[str, Position], list[Callable[[Worths], None]]] = {}
        self._errands: set[asyncio.Task[None]] = set()
        self._waiting = 0
        """How many players wait for advice."""

    def begin(self, game: Game) -> None:
        """Prepares for questions about a game, because starting the mathematics takes longer than any position."""
        if game.fingerprint not in self._begun:
            self._begun[game.fingerprint] = None
            while len(self._begun) > limits.MAX_KNOWN_RULES:
                self._refused.pop(self._begun.popitem(last=False)[0], None)
            self._run(self._prepare(game))

    def ask(self, game: Game, seen: Position, tell: Callable[[Worths], None]) -> None:
        """Calls `tell` with what each answer is worth, now or soon."""
        key = game.fingerprint, seen
        if game.fingerprint in self._refused:
            raise Refused.saying(self._refused[game.fingerprint])
        if key in self._known:
            self._known.move_to_end(key)
            tell(self._known[key])
        elif self._is_busy(key):
            raise Refused("coach-busy")
        elif key in self._asking:
            self._asking[key].append(tell)
            self._waiting += 1
        else:
            self._asking[key] = [tell]
            self._waiting += 1
            self._run(self._work_out(game, seen))

    def _is_busy(self, key: tuple[str, Position]) -> bool:
        if self._waiting >= limits.MAX_WAITING_FOR_ADVICE:
            return True
        return key not in self._asking and len(self._asking) >= limits.MAX_WAITING_POSITIONS

    def _run(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _prepare(self, game: Game) -> None:
        try:
            await self._worker.ask(Prepare(Configuration.of(game)), type(None))
        except Refused as refusal:
            log.warning("no advice", game=game.name, rules=game.fingerprint, reason=str(refusal))
            self._refused[game.fingerprint] = refusal.phrase
        except MathsFailed as error:
            log.warning("no advice", game=game.name, rules=game.fingerprint, error=repr(error))

    async def _work_out(self, game: Game, seen: Position) -> None:
        key = game.fingerprint, seen
        try:
            found = await self._worker.ask(FindWorths(Configuration.of(game), seen), Worths)
        except (Refused, MathsFailed, msgspec.MsgspecError) as error:
            log.warning("no advice", game=game.name, rules=game.fingerprint, error=repr(error))
            return
        finally:
            waiting = self._asking.pop(key)
            self._waiting -= len(waiting)
        self._known[key] = found
        while len(self._known) > limits.MAX_KNOWN_POSITIONS:
            self._known.popitem(last=False)
        for tell in waiting:
            tell(found)

    def close(self) -> None:
        """Stops everything and drops all waiting questions."""
        for errand in self._errands:
            errand.cancel()


english(
    "refused",
    {
        "no-advice": "There is no advice at this table: the operator has not allowed it (coach).",
        "no-advice-now": "There is no advice: that question is not open now.",
        "coach-busy": "The coach has too many questions just now: decide without advice, or ask again.",
    },
)
