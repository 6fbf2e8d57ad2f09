"""The task of one table: it takes what has arrived, lets the table carry it out, stores what happened, and only then
answers and shows. No other task touches the table, so there are no locks.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain
from time import perf_counter
from typing import Final, NamedTuple, Protocol

from podium.basics.refusal import Refused
from podium.house.table import Table, TableConfig
from podium.house.table.config import milliseconds
from podium.house.table.events import CutCommitted, CutOpened, Happening, RoundOpened, SeatLeft, SeatTaken
from podium.house.table.pace import Shuffler, act, due
from podium.house.table.printed import table_rulebook
from podium.play.events import BettingClosed, CardDealt, CreditAdded, Decided, WagersPlaced
from podium.play.views import changed_by_card
from podium.record.ledger import Account, account
from podium.rules.games import Game
from podium.server.coach import Coach
from podium.server.gateway import Connection, broadcast
from podium.server.metrics import Metrics
from podium.server.presence import Presence
from podium.server.show import Window, rules_in_force
from podium.server.terminals import Terminal, encode
from podium.wire.messages import RulesInForce

QUIET: Final = (WagersPlaced, SeatTaken, SeatLeft, CreditAdded, CutCommitted, CutOpened)
"""Happenings of one seat that change little for the others, who see them a few times a second instead of each time."""
SEATS: Final = (WagersPlaced, Decided, CreditAdded, SeatTaken)
"""Happenings that change the view of the seat that they name."""
DEALER: Final = "dealer"
SHOW_INTERVAL_MS: Final = 250
COMMANDS_PER_BATCH: Final = 1_000
"""Commands carried out before they are stored and answered, so that nobody waits for thousands of others."""


class Surroundings(Protocol):
    """What a podium needs from the floor."""

    @property
    def shuffler(self) -> Shuffler: ...
    @property
    def clock(self) -> Callable[[], int]: ...
    @property
    def stored(self) -> dict[Account, int]: ...
    @property
    def metrics(self) -> Metrics: ...
    @property
    def coach(self) -> Coach: ...
    @property
    def presence(self) -> Presence: ...

    async def keep(self) -> None: ...

    def returns(self, game: Game, learned: Callable[[], None]) -> dict[str, float]: ...

    def show_elsewhere(self, player: str, table: str) -> None: ...


class Work(NamedTuple):
    """Something to be done at a table: a terminal's command, or a call from elsewhere in the house."""

    do: Callable[[int], object]
    done: "Callable[[object], None]"
    failed: Callable[[Refused], None]


class Podium:
    """One table's task, and the terminals that watch it."""

    def __init__(self, table: Table, floor: Surroundings) -> None:
        self.table: Final = table
        self.window: Final = Window(table)
        self._watching: dict[str, set[Terminal]] = {}
        """The terminals that watch the table, by the names of the people who sit at them."""
        self._floor: Final = floor
        self._inbox: deque[Work] = deque()
        self._wake: Final = asyncio.Event()
        self._show_at: int | None = None
        self._stale: set[str] = set()
        """Players whose own view has changed since they were shown it."""
        self._in_force: tuple[str, TableConfig] | None = None
        """What everybody was last told: the fingerprint of the game in force, and the table's settings."""
        self._held_shown = self.window.for_dealer()
        """What dealers were last shown of a card that was read."""
        self._encoded_rules: tuple[tuple[str, TableConfig, dict[str, float]], bytes] | None = None
        """The message with the rules in force, and what it was made from."""

    def put(self, work: Work) -> None:
        self._inbox.append(work)
        self._wake.set()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for the table's turn."""
        return len(self._inbox)

    def wake(self) -> None:
        """Wakes the task, because something may have happened to the table elsewhere."""
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wait()
            await self.turn(self._floor.clock())

    async def turn(self, now: int) -> None:
        """Runs one turn: carries out what has arrived and what is due, stores it, then answers and shows."""
        self._wake.clear()
        began = perf_counter()
        arrived = self._take_inbox()
        while len(arrived) > COMMANDS_PER_BATCH:
            await self._settle([self._try(work, now) for work in arrived[:COMMANDS_PER_BATCH]], now)
            del arrived[:COMMANDS_PER_BATCH]
        finished = [self._try(work, now) for work in arrived]
        while act(self.table, now, self._floor.shuffler, self.lost) and self.table.phase() != "dealing":
            pass  # no card is drawn before the close of betting is durable (CARD-4)
        await self._settle(finished, now)
        self._floor.metrics.turn(perf_counter() - began)

    async def _settle(self, finished: list[Callable[[], None]], now: int) -> None:
        """Stores what has happened; then answers the commands and shows the table."""
        happened, self.table.news = self.table.news, []
        if finished or happened:
            await self._floor.keep()
        for finish in finished:
            finish()
        self._note(happened, now)
        self._show(now)

    async def _wait(self) -> None:
        """Waits until something arrives or is due."""
        times = [time for time in (due(self.table, self.lost), self._show_at) if time is not None]
        if not times:
            await self._wake.wait()
            return
        seconds = max(0, min(times) - self._floor.clock()) / 1000
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return

    def lost(self, player: str) -> int | None:
        """Since when a player's terminal is lost; None for a player who is there (DSC-2)."""
        config = self.table.configured
        patience = milliseconds(max(config.insurance_seconds, config.decision_seconds))
        return self._floor.presence.lost_since(player, patience)

    def _take_inbox(self) -> list[Work]:
        taken, self._inbox = list(self._inbox), deque()
        return taken

    def _try(self, work: Work, now: int) -> Callable[[], None]:
        """Carries out a piece of work; its answer is sent when the outcome is durable."""
        try:
            result = work.do(now)
        except Refused as refusal:
            refused = refusal
            return lambda: work.failed(refused)
        return lambda: work.done(result)

    # --- showing ----------------------------------------------------------------------------------------------------

    def _note(self, happened: list[Happening], now: int) -> None:
        """Works out whose view has changed, and how soon everybody must see it."""
        if not happened:
            return
        for happening in happened:
            if isinstance(happening, RoundOpened):
                self._floor.metrics.rounds.labels(self.table.name).inc()
        # Where players take turns, one player's decision is the next one's question.
        in_turns = self.table.round is not None and self.table.round.game.dealing.acts_in_turn
        quiet = QUIET if in_turns else (*QUIET, Decided)
        loud = [happening for happening in happened if not isinstance(happening, quiet)]
        if loud:
            self._stale |= self._changed_by(loud)
            self._show_at = now
        else:
            self._show_at = min(self._show_at or now + SHOW_INTERVAL_MS, now + SHOW_INTERVAL_MS)
        self._stale |= self._at(happening.seat for happening in happened if isinstance(happening, SEATS))

    def _changed_by(self, loud: list[Happening]) -> set[str]:
        """The players whose own view has changed. A card changes nothing for most of those who watch it."""
        match loud:
            case [BettingClosed()]:
                return set()
            case [CardDealt()] if self.table.round is not None:
                return self._at(changed_by_card(self.table.round))
        # A player who asked to leave has no seat any more when the round is over, but a result.
        return {*self.table.seats, *self.table.bettors.values()}

    def _at(self, seats: Iterable[int]) -> set[str]:
        return {self.table.players[seat] for seat in seats if seat in self.table.players}

    def _show(self, now: int) -> None:
        everybody = self._show_at is not None and now >= self._show_at
        if everybody:
            self._show_at = None
            self._show_everybody(now)
        for name in self._stale:
            for terminal in self._watching.get(name, ()):
                self.show_seat(terminal)
            self._floor.show_elsewhere(name, self.table.name)
        self._stale.clear()

    def _show_everybody(self, now: int) -> None:
        watching = chain.from_iterable(self._watching.values())
        lines = [terminal.connection for terminal in watching if terminal.connection is not None]
        in_force = self.table.current_game.fingerprint, self.table.upcoming
        if self._in_force != in_force:
            self._in_force = in_force
            broadcast(lines, self._rules_in_force())
        broadcast(lines, encode(self.window.for_everybody(now)))
        self._show_dealers()
        if self.table.between_rounds:
            broadcast(lines, encode(self.window.history()))

    def _show_dealers(self) -> None:
        """CARD-11: shows a card that was read to the dealers, before it counts."""
        held = self.window.for_dealer()
        if held != self._held_shown:
            self._held_shown = held
            for terminal in chain.from_iterable(self._watching.values()):
                if terminal.who.role == DEALER:
                    terminal.send(held)

    def show_seat(self, terminal: Terminal) -> None:
        name = terminal.who.name
        if terminal.who.role == "player":
            stored = self._floor.stored
            credit, held = stored.get(account("credit", name), 0), stored.get(account("attendant", name), 0)
            terminal.send(self.window.for_player(name, credit, locked=held))

    def show_in_turn(self, terminal: Terminal) -> None:
        """Shows a player's credit that changed elsewhere; in the table's turn, when all that is shown of it is durable."""
        self.put(Work(lambda now: None, lambda _: self.show_seat(terminal), lambda refusal: None))

    def welcome(self, terminal: Terminal) -> None:
        """Shows a terminal that begins to watch everything that it must know; in the table's turn, when all of it is durable."""
        connection = terminal.connection
        self.put(Work(lambda now: None, lambda _: self._welcome(terminal, connection), lambda refusal: None))

    def _welcome(self, terminal: Terminal, connection: Connection | None) -> None:
        if connection is None or terminal.connection is not connection or self.table.name not in terminal.tables:
            return
        now = self._floor.clock()
        self._watching.setdefault(terminal.who.name, set()).add(terminal)
        connection.send(self._rules_in_force())
        terminal.send(self.window.for_everybody(now))
        terminal.send(self.window.history())
        if terminal.who.role == DEALER:
            terminal.send(self.window.for_dealer())
        self.show_seat(terminal)

    def leave(self, terminal: Terminal) -> None:
        """Shows a terminal nothing more; harmless for one that does not watch."""
        watching = self._watching.get(terminal.who.name, set())
        watching.discard(terminal)
        if not watching:
            self._watching.pop(terminal.who.name, None)

    def rules_in_force(self) -> RulesInForce:
        """The rules in force, for somebody who only reads (DISP-3)."""
        game = self.table.current_game
        book = table_rulebook(game, self.table.upcoming)
        return rules_in_force(self.table, book, self._floor.returns(game, self._learned))

    def _rules_in_force(self) -> bytes:
        """The message with the rules in force, encoded once for everybody who comes."""
        game, config = self.table.current_game, self.table.upcoming
        returns = self._floor.returns(game, self._learned)
        made_from = game.fingerprint, config, returns
        if self._encoded_rules is None or self._encoded_rules[0] != made_from:
            if config.coach:
                self._floor.coach.begin(game)
            book = table_rulebook(game, config)
            self._encoded_rules = made_from, encode(rules_in_force(self.table, book, returns))
        return self._encoded_rules[1]

    def _learned(self) -> None:
        """Sends the rules again, now with the returns, because the mathematics has worked them out."""
        self._in_force = None
        self._show_at = self._floor.clock()
        self._wake.set()
