"""The task of one table: it takes what has arrived, lets the table carry it out, stores what happened, and only then
answers and shows. No other task touches the table, so there are no locks.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Final, NamedTuple, Protocol

from podium.basics.refusal import Refused
from podium.house.table import Table, TableConfig
from podium.house.table.config import milliseconds
from podium.house.table.events import (
    BettingExtended,
    CardBurned,
    CardRead,
    CutCardOut,
    CutClosed,
    CutCommitted,
    CutOpened,
    DealerArrived,
    DealerLeft,
    Happening,
    NoticeRead,
    ReadingAnswered,
    RoundOpened,
    RoundReopened,
    SeatLeft,
    SeatTaken,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeLoaded,
    ShoeShuffled,
    TableClosed,
    TableConfigured,
    TableOpened,
    TableSnapshot,
    TimeGivenBack,
)
from podium.house.table.pace import Shuffler, act, due
from podium.house.table.printed import table_rulebook
from podium.play.events import BettingClosed, CardDealt, Confirmed, CreditAdded, Decided, Voided, WagersPlaced
from podium.play.views import changed_by_card
from podium.record.ledger import Account, account
from podium.rules.games import Game
from podium.server.coach import Coach
from podium.server.gateway import Connection
from podium.server.metrics import Metrics
from podium.server.outgoing import CHANGES, COMPLETE, Outgoing
from podium.server.presence import Presence
from podium.server.show import Window, rules_in_force
from podium.server.terminals import Terminal, encode
from podium.wire.messages import Counts, Notices, RulesInForce, Seated, TableMap

QUIET: Final = (WagersPlaced, SeatTaken, SeatLeft, CreditAdded, CutCommitted, CutOpened)
"""Happenings of one seat that change little for the others, to whom they are shown together a few times a second."""
COUNTED: Final = (WagersPlaced, CreditAdded, Decided)
"""Those that change only how many have bet or decided; shown to the others about once a second."""
SEATS: Final = (WagersPlaced, Decided, CreditAdded, SeatTaken)
"""Happenings that change the view of the seat that they name."""
NOBODYS: Final = (
    NoticeRead,
    BettingClosed,
    BettingExtended,
    CardBurned,
    CardRead,
    CutCardOut,
    CutClosed,
    DealerArrived,
    DealerLeft,
    ReadingAnswered,
    ShoeChangeAsked,
    ShoeCounted,
    ShoeLoaded,
    ShoeShuffled,
    TableClosed,
    TableConfigured,
    TableOpened,
    TableSnapshot,
    TimeGivenBack,
)
"""Happenings that change nobody's own view."""
DEALER: Final = "dealer"
SHOW_INTERVAL_MS: Final = 250
COUNTS_INTERVAL_MS: Final = 1_000
COMMANDS_PER_BATCH: Final = 1_000
"""Commands carried out before they are stored and answered, so that nobody waits for thousands of others."""
TURN_SECONDS: Final = 0.02
"""The least time between two turns that store something, so that what a few players do meanwhile costs one write to the
disk."""
STANDSTILL_SECONDS: Final = 0.25
"""If the store takes longer than this, it has held the table up: the time of those who are asked does not run
meanwhile."""
MESSAGES_PER_TURN: Final = 500
"""Messages that show the table, sent before the next commands are carried out, for the same reason."""


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
    @property
    def stands_still(self) -> bool: ...

    async def keep(self) -> None: ...

    def returns(self, game: Game, learned: Callable[[], None]) -> dict[str, float]: ...

    def show_elsewhere(self, player: str, table: str) -> None: ...

    def show_everywhere(self, player: str, message: Notices) -> None: ...


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
        self._counts_at = 0
        """When the counts may be shown again."""
        self._outgoing: Final = Outgoing()
        self._stale: dict[str, None] = {}
        """Players whose own view has changed since they were shown it."""
        self._told: set[str] = set()
        """Players whose notices have changed since they were shown them."""
        self._own: dict[Terminal, bytes] = {}
        """The own view that each terminal was last sent, without the number of its state."""
        self._stored_at = 0.0
        """When the last turn began that stored something, by the clock of the event loop."""
        self._clock_shown: tuple[object, ...] = ()
        """The phase and the deadline that everybody was last shown."""
        self._in_force: tuple[str, TableConfig] | None = None
        """What everybody was last told: the fingerprint of the game in force, and the table's settings."""
        self._held_shown = self.window.for_dealer()
        """What dealers were last shown of a card that was read."""
        self._dealers: Final[dict[Terminal, TableMap]] = {}
        """The dealers' terminals that watch, each with the map of the table that it was last sent."""
        self._encoded_rules: tuple[tuple[str, TableConfig, dict[str, float]], bytes] | None = None
        """The message with the rules in force, and what it was made from."""

    def put(self, work: Work) -> None:
        self._inbox.append(work)
        self._wake.set()

    @property
    def waiting(self) -> int:
        """The number of pieces of work that wait for the table's turn."""
        return len(self._inbox)

    def resume(self, since: int) -> None:
        """DSC-2: gives everybody who is asked the time back, before anything else is done, because the store stood
        still."""
        self._inbox.appendleft(Work(lambda now: self.table.resume(since, now), lambda _: None, lambda _: None))
        self._wake.set()

    def wake(self) -> None:
        """Wakes the task, because something may have happened to the table elsewhere."""
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wait()
            await self._until_back()
            await self.turn(self._floor.clock())

    async def turn(self, now: int) -> None:
        """Runs one turn: carries out some of what has arrived and what is due, stores it, then answers, and shows some of it."""
        self._wake.clear()
        began = perf_counter()
        finished = [self._try(self._inbox.popleft(), now) for _ in range(min(len(self._inbox), COMMANDS_PER_BATCH))]
        while act(self.table, now, self._floor.shuffler, self.lost) and self.table.phase() != "dealing":
            pass  # no card is drawn before the close of betting is durable (CARD-4)
        await self._settle(finished, now)
        self._floor.metrics.turn(perf_counter() - began)

    async def _settle(self, finished: list[Callable[[], None]], now: int) -> None:
        """Stores what has happened; then answers the commands and shows the table."""
        happened, self.table.news = self.table.news, []
        if finished or happened:
            loop, since = asyncio.get_running_loop(), self._floor.clock()
            self._stored_at = loop.time()
            await self._floor.keep()
            if loop.time() - self._stored_at > STANDSTILL_SECONDS:
                self.resume(since)
        for finish in finished:
            finish()
        self._note(happened, now)
        self._show(now)

    async def _wait(self) -> None:
        """Waits until something arrives or is due; if there is more to do, only lets others have their turn."""
        if self._outgoing or self._stale or len(self._inbox) >= COMMANDS_PER_BATCH:
            await asyncio.sleep(0)
            return
        await self._until_due()
        if self._inbox:
            await asyncio.sleep(self._stored_at + TURN_SECONDS - asyncio.get_running_loop().time())

    async def _until_back(self) -> None:
        """Waits until the store answers again; meanwhile nothing is due, and what arrives waits."""
        while self._floor.stands_still:
            self._wake.clear()
            await self._wake.wait()

    async def _until_due(self) -> None:
        if self._inbox:
            return
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
        """When a player's terminal was lost; None for a player who is there (DSC-2)."""
        config = self.table.configured
        patience = milliseconds(max(config.insurance_seconds, config.decision_seconds))
        return self._floor.presence.lost_since(player, patience)

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
            match happening:
                case RoundOpened():
                    self._floor.metrics.rounds.labels(self.table.name).inc()
                case RoundReopened(seats=seats):
                    self._told.update(told.player for told in seats)
                case NoticeRead(player):
                    self._told.add(player)
        # Where players take turns, one player's decision is the next one's question.
        in_turns = self.table.round is not None and self.table.round.game.dealing.acts_in_turn
        quiet = QUIET if in_turns else (*QUIET, Decided)
        loud = [happening for happening in happened if not isinstance(happening, quiet)]
        if loud:
            self._stale |= dict.fromkeys(self._changed_by(loud))
            self._show_at = now
        else:
            self._show_by(self._due_of(happened, now))
        self._stale |= dict.fromkeys(self._at(happening.seat for happening in happened if isinstance(happening, SEATS)))

    def _show_by(self, time: int) -> None:
        self._show_at = time if self._show_at is None else min(self._show_at, time)

    def _due_of(self, quiet: list[Happening], now: int) -> int:
        """When everybody must be shown a small change."""
        counted = COUNTED if self.table.upcoming.seats is not None else (*COUNTED, SeatTaken, SeatLeft)
        alone = all(isinstance(happening, counted) for happening in quiet)
        # The last answer may have closed the time for answering, which everybody counts down.
        if alone and self._clock() == self._clock_shown:
            return max(now + SHOW_INTERVAL_MS, self._counts_at)
        return now + SHOW_INTERVAL_MS

    def _clock(self) -> tuple[object, ...]:
        return self.table.phase(), self.table.deadline, self.table.round_number

    def _changed_by(self, loud: list[Happening]) -> Iterable[str]:
        """The players whose own view may have changed. A card changes nothing for most of those who watch it."""
        loud = [happening for happening in loud if not isinstance(happening, NOBODYS)]
        match loud:
            case []:
                return ()
            case [CardDealt()] if self.table.round is not None:
                return self._at(changed_by_card(self.table.round))
        if any(isinstance(happening, Confirmed | Voided | RoundReopened) for happening in loud):
            self._own.clear()  # a result is shown to everybody who bet, even if it was known before
        # A player who asked to leave no longer has a seat when the round is over, but still has a result; and one whose
        # round is reopened may be anywhere.
        return (*self.table.seats, *self.table.bettors.values(), *self._told)

    def _at(self, seats: Iterable[int]) -> list[str]:
        return [self.table.players[seat] for seat in seats if seat in self.table.players]

    def _show(self, now: int) -> None:
        """Shows what has changed: first to everybody, then to each player who has more to see. Others have their turn before all
        of it is sent; what is shown then is what is durable then."""
        if self._show_at is not None and now >= self._show_at:
            self._show_at = None
            self._show_everybody(now)
        left = MESSAGES_PER_TURN - self._outgoing.send(MESSAGES_PER_TURN)
        while self._stale and left > 0:
            name = next(iter(self._stale))
            del self._stale[name]
            for terminal in self._watching.get(name, ()):
                self.show_seat(terminal)
                left -= 1
            self._floor.show_elsewhere(name, self.table.name)
        for name in self._told:
            self._floor.show_everywhere(name, self.window.notices(name))
        self._told.clear()

    def show_notices(self, terminal: Terminal) -> None:
        """Shows a player who has connected the notices to read; in the table's turn, when all of it is durable."""

        def show(_: object) -> None:
            terminal.send(self.window.notices(terminal.who.name))

        self.put(Work(lambda now: None, show, lambda refusal: None))

    def _show_everybody(self, now: int) -> None:
        in_force = self.table.current_game.fingerprint, self.table.upcoming
        if self._in_force != in_force:
            self._in_force = in_force
            self._outgoing.put("rules", self._rules_in_force())
        news = self.window.news(now)
        self._outgoing.put(CHANGES if isinstance(news, Counts) else COMPLETE, encode(news))
        self._clock_shown, self._counts_at = self._clock(), now + COUNTS_INTERVAL_MS
        self._show_dealers()
        if self.table.between_rounds:
            self._outgoing.put("history", encode(self.window.history()))

    def _show_dealers(self) -> None:
        """Shows dealers a card that was read, before it counts (CARD-11), and the map of the table."""
        held = self.window.for_dealer()
        if held != self._held_shown:
            self._held_shown = held
            for terminal in self._dealers:
                terminal.send(held)
        if not self._dealers:
            return
        now = self.window.map()
        for terminal, shown in self._dealers.items():
            if now != shown:
                self._dealers[terminal] = now
                terminal.send(now)

    def show_seat(self, terminal: Terminal) -> None:
        name = terminal.who.name
        if terminal.who.role == "player":
            stored = self._floor.stored
            credit, held = stored.get(account("credit", name), 0), stored.get(account("attendant", name), 0)
            self._send_own(terminal, self.window.for_player(name, credit, locked=held))

    def _send_own(self, terminal: Terminal, seated: Seated) -> None:
        """Sends a player's own view, unless the terminal has it."""
        whole = encode(seated)
        rest = whole[whole.index(b'"round":') :]  # what comes before it is the table and the number of its state
        if terminal.connection is not None and self._own.get(terminal) != rest:
            self._own[terminal] = rest
            terminal.connection.send(whole)

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
        self._outgoing.add(terminal, connection)
        self._own.pop(terminal, None)
        connection.send(self._rules_in_force())
        connection.send(self.window.for_newcomer(now))
        terminal.send(self.window.history())
        if terminal.who.role == DEALER:
            terminal.send(self.window.for_dealer())
            self._dealers[terminal] = self.window.map()
            terminal.send(self._dealers[terminal])
        self.show_seat(terminal)

    def leave(self, terminal: Terminal) -> None:
        """Stops showing the table to a terminal; harmless for one that does not watch."""
        self._outgoing.remove(terminal)
        self._own.pop(terminal, None)
        self._dealers.pop(terminal, None)
        watching = self._watching.get(terminal.who.name, set())
        watching.discard(terminal)
        if not watching:
            self._watching.pop(terminal.who.name, None)

    def rules_in_force(self) -> RulesInForce:
        """The rules in force, for somebody who only wants to read them (DISP-3)."""
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
