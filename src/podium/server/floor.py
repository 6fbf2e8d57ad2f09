"""The floor: terminals meet tables here.

Each table has one task. It takes whatever has arrived, lets the table carry it out, stores what happened, and only
then answers and shows: durable before visible. Nothing but that task touches the table, so there are no locks.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from podium import __version__
from podium.dealing import OwnHands
from podium.events import BettingClosed, CardDealt, CreditAdded, Decided, WagersPlaced
from podium.games import Game
from podium.house import House
from podium.house.events import Noted
from podium.journal import Entry
from podium.ledger import account
from podium.reasons import because
from podium.refusal import Refused
from podium.rulebook import rulebook
from podium.server.coach import Asked, Coach, is_asked
from podium.server.gateway import Code, Connection, broadcast
from podium.server.handling import carry_out
from podium.server.metrics import Metrics
from podium.server.presence import Presence
from podium.server.show import Window, rules_in_force, table_card
from podium.server.theory import Theory
from podium.server.wire import Acknowledged, AnyCommand, Goodbye, Message, Ping, Refusal, Watch, Welcome
from podium.store.interface import Document
from podium.table import Table, TableConfig
from podium.table.events import CutCommitted, CutOpened, Happening, RoundOpened, SeatLeft, SeatTaken
from podium.table.pace import Shuffler, act, due
from podium.views import changed_by_card

T = TypeVar("T")

QUIET: Final = (WagersPlaced, SeatTaken, SeatLeft, CreditAdded, CutCommitted, CutOpened)
"""What one seat does changes little for the others: they are shown it a few times a second, not each time."""
SEATS: Final = (WagersPlaced, Decided, CreditAdded, SeatTaken)
"""What changes the view of the seat that it names."""
SHOWN_EVERY: Final = 250
AT_ONCE: Final = 1_000
"""When thousands tap at once, so many are carried out before they are stored and answered: nobody waits for all others."""
REMEMBERED: Final = 64
"""So many answers are kept for each terminal, in case it did not get them."""
MINUTE: Final = 60_000
NOTED_ANEW: Final = MINUTE
"""Time in which a terminal whose line is cut again and again is noted once."""
MOST_AWAY: Final = 20_000
"""So many terminals that are gone are remembered with their answers, in case they come back."""

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(AnyCommand).decode


class Who(NamedTuple):
    """Who sits at a terminal."""

    name: str
    role: str
    terminal: str = ""
    """The name of the terminal, by which its meters are counted (MTR-1)."""


class Admission(Protocol):
    """Whoever knows the people of the house."""

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        """Who showed this token, if it is good. `active` when the person did something: then nobody is idle there."""

    def approve(self, code: str, now: int) -> str:
        """The supervisor whose approval this is; anything else is refused."""


class Keeping(Protocol):
    """What the floor needs of a store."""

    async def append(self, entries: Iterable[Entry] = (), *, documents: Iterable[Document] = ()) -> None: ...


class Terminal:
    """One terminal, across the connections that it makes."""

    def __init__(self, key: str, who: Who) -> None:
        self.key: Final = key
        self.who: Final = who
        self.connection: Connection | None = None
        self.table: str | None = None
        self.token: Final = key.partition("~")[0]
        self.pending: set[int] = set()
        self.answers: OrderedDict[int, bytes] = OrderedDict()

    def send(self, message: Message) -> None:
        if self.connection is not None:
            self.connection.send(_encode(message))

    def answer(self, answer: Acknowledged | Refusal) -> None:
        """Answer a command, and keep the answer: the terminal may not get it, and ask again."""
        self.pending.discard(answer.id)
        self.answers[answer.id] = _encode(answer)
        while len(self.answers) > REMEMBERED:
            self.answers.popitem(last=False)
        if self.connection is not None:
            self.connection.send(self.answers[answer.id])


class Work(NamedTuple):
    """Something to be done at a table: a terminal's command, or a call from elsewhere in the house."""

    do: Callable[[int], object]
    done: "Callable[[object], None]"
    failed: Callable[[Refused], None]


class Podium:
    """One table's task, and the terminals that watch it."""

    def __init__(self, table: Table, floor: "Floor") -> None:
        self.table: Final = table
        self.window: Final = Window(table)
        self.terminals: set[Terminal] = set()
        self._floor: Final = floor
        self._inbox: deque[Work] = deque()
        self._wake: Final = asyncio.Event()
        self._show_at: int | None = None
        self._stale: set[str] = set()
        """Players whose own view has changed since they were shown it."""
        self._rules: tuple[str, TableConfig] | None = None
        """What everybody was last told: the fingerprint of the rules in force, and the settings beside them."""
        self._text = "", ""
        """The rules of play in words, with the fingerprint of the rules that they describe."""

    def put(self, work: Work) -> None:
        self._inbox.append(work)
        self._wake.set()

    def wake(self) -> None:
        """Something may have happened to the table elsewhere: look."""
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wait()
            await self.turn(self._floor.clock())

    async def turn(self, now: int) -> None:
        """One turn: carry out what has arrived and what is due, store it, then answer and show."""
        self._wake.clear()
        began = perf_counter()
        arrived = self._take_inbox()
        while len(arrived) > AT_ONCE:
            await self._settle([self._try(work, now) for work in arrived[:AT_ONCE]], now)
            del arrived[:AT_ONCE]
        finished = [self._try(work, now) for work in arrived]
        while act(self.table, now, self._floor.shuffler) and self.table.phase() != "dealing":
            pass  # no card is drawn before the close of betting is durable (CARD-4)
        await self._settle(finished, now)
        self._floor.metrics.turn(perf_counter() - began)

    async def _settle(self, finished: list[Callable[[], None]], now: int) -> None:
        """Store what has happened; then answer those who asked for it, and show it."""
        happened, self.table.news = self.table.news, []
        if finished or happened:
            await self._floor.keep()
        for finish in finished:
            finish()
        self._note(happened, now)
        self._show(now)

    async def _wait(self) -> None:
        """Until something arrives, or something is due."""
        times = [time for time in (due(self.table), self._show_at) if time is not None]
        if not times:
            await self._wake.wait()
            return
        seconds = max(0, min(times) - self._floor.clock()) / 1000
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return

    def _take_inbox(self) -> list[Work]:
        taken, self._inbox = list(self._inbox), deque()
        return taken

    def _try(self, work: Work, now: int) -> Callable[[], None]:
        """Carry out a piece of work; what comes of it is told when it is durable."""
        try:
            result = work.do(now)
        except Refused as refusal:
            refused = refusal
            return lambda: work.failed(refused)
        return lambda: work.done(result)

    # --- showing ----------------------------------------------------------------------------------------------------

    def _note(self, happened: list[Happening], now: int) -> None:
        """Whose view has changed, and how soon everybody must see it."""
        if not happened:
            return
        for happening in happened:
            if isinstance(happening, RoundOpened):
                self._floor.metrics.rounds.labels(self.table.name).inc()
        # Where players take turns, one player's decision is the next one's question.
        in_turns = isinstance(self.table.round and self.table.round.dealt_for and self.table.round.dealing, OwnHands)
        quiet = QUIET if in_turns else (*QUIET, Decided)
        loud = [happening for happening in happened if not isinstance(happening, quiet)]
        if loud:
            self._stale |= self._changed_by(loud)
            self._show_at = now
        else:
            self._show_at = min(self._show_at or now + SHOWN_EVERY, now + SHOWN_EVERY)
        self._stale |= self._at(happening.seat for happening in happened if isinstance(happening, SEATS))

    def _changed_by(self, loud: list[Happening]) -> set[str]:
        """The players whose own view is another one now. A card is the same to most of those who watch it."""
        match loud:
            case [BettingClosed()]:
                return set()
            case [CardDealt()] if self.table.round is not None:
                return self._at(changed_by_card(self.table.round))
        return set(self.table.seats)

    def _at(self, seats: Iterable[int]) -> set[str]:
        return {self.table.players[seat] for seat in seats if seat in self.table.players}

    def _show(self, now: int) -> None:
        everybody = self._show_at is not None and now >= self._show_at
        if everybody:
            self._show_at = None
            self._show_everybody(now)
        for terminal in self.terminals:
            if terminal.who.name in self._stale:
                self.show_seat(terminal)
        self._stale.clear()

    def _show_everybody(self, now: int) -> None:
        lines = [terminal.connection for terminal in self.terminals if terminal.connection is not None]
        rules = (self.table.game or self.table.upcoming.rules()).fingerprint, self.table.upcoming
        if self._rules != rules:
            self._rules = rules
            broadcast(lines, _encode(self._rules_in_force()))
        broadcast(lines, _encode(self.window.for_everybody(now)))
        if self.table.between_rounds:
            broadcast(lines, _encode(self.window.history()))

    def show_seat(self, terminal: Terminal) -> None:
        name = terminal.who.name
        if terminal.who.role == "player":
            stored = self._floor.stored
            credit, held = stored.get(account("credit", name), 0), stored.get(account("attendant", name), 0)
            terminal.send(self.window.for_player(name, credit, locked=held))

    def welcome(self, terminal: Terminal) -> None:
        """Show a terminal that begins to watch all that it must know: in the table's turn, when all of it is durable."""
        connection = terminal.connection
        self.put(Work(lambda now: None, lambda _: self._welcome(terminal, connection), lambda refusal: None))

    def _welcome(self, terminal: Terminal, connection: Connection | None) -> None:
        if terminal.connection is None or terminal.connection is not connection or terminal.table != self.table.name:
            return
        now = self._floor.clock()
        self.terminals.add(terminal)
        terminal.send(self._rules_in_force())
        terminal.send(self.window.for_everybody(now))
        terminal.send(self.window.history())
        self.show_seat(terminal)

    def _rules_in_force(self) -> Message:
        rules = self.table.game or self.table.upcoming.rules()
        if self._text[0] != rules.fingerprint:
            self._text = rules.fingerprint, rulebook(rules).text()
        if self.table.upcoming.coach:
            self._floor.coach.begin(rules)
        return rules_in_force(self.table, self._text[1], self._floor.returns(rules, self._learned))

    def _learned(self) -> None:
        """The mathematics knows the rules in force: everybody is told them again, with the returns."""
        self._rules = None
        self._show_at = self._floor.clock()
        self._wake.set()


class Floor:
    """All tables with their terminals. It is the desk that the gateway talks to."""

    def __init__(
        self,
        house: House,
        store: Keeping,
        shuffler: Shuffler,
        admission: Admission,
        clock: Callable[[], int],
        theory: Theory | None = None,
    ) -> None:
        self.house: Final = house
        self.store: Final = store
        self.shuffler: Final = shuffler
        self.admission: Final = admission
        self.clock: Final = clock
        self.podiums: dict[str, Podium] = {}
        self._terminals: OrderedDict[str, Terminal] = OrderedDict()
        """Those that have a key by which they are known when they come back."""
        self._lines: dict[int, Terminal] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.failed: asyncio.Future[None] | None = None
        self.theory: Final = theory
        """What the wagers return; None where nobody asks the mathematics."""
        self._errands: set[asyncio.Task[None]] = set()
        """What is done beside the tables: the mathematics asked, a note written."""
        self._faults: dict[tuple[str, str], int] = {}
        """When it was last noted that a line was cut, by kind and by who sat there."""
        self.coach: Final = Coach()
        self.stored: Final = dict(house.ledger)
        """What every account stands at, as far as it is durable: nobody is shown more."""
        self.presence: Final = Presence([player for table in house.tables.values() for player in table.seats], clock())
        self.metrics: Final = Metrics(lambda: len(self._lines))

    async def run(self) -> None:
        """Run every table until one of them fails: then the whole house must stop, and come back from its journal."""
        self.failed = asyncio.get_running_loop().create_future()
        self.open_tables()
        try:
            await self.failed
        finally:
            for task in (*self._tasks.values(), *self._errands):
                task.cancel()

    def open_tables(self) -> None:
        """A task for every table that has none yet."""
        for name, table in self.house.tables.items():
            if name not in self.podiums:
                podium = self.podiums[name] = Podium(table, self)
                task = self._tasks[name] = asyncio.create_task(podium.run(), name=f"table {name}")
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.fail(task.exception() or RuntimeError("a table stopped"))

    def fail(self, error: BaseException) -> None:
        """Something is broken: the house must stop, and come back from its journal."""
        if self.failed is not None and not self.failed.done():
            self.failed.set_exception(error)

    def returns(
        self, rules: Game, learned: Callable[[], None] = lambda: None, *, soon: bool = False
    ) -> dict[str, float]:
        """What the wagers of some rules return, as far as it is known; `learned` is called when more is."""
        if self.theory is None:
            return {}
        task = asyncio.create_task(self.theory.learn(rules, learned, soon=soon))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return self.theory.returns(rules.fingerprint)

    async def at_table(self, name: str, do: Callable[[int], T]) -> T:
        """Do something in the turn of a table, and return when it is durable."""
        if name not in self.podiums:
            raise Refused(f"There is no table {name!r}: the tables are {', '.join(self.podiums) or 'none'}.")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def finish(result: object) -> None:
            if not done.done():  # whoever asked may have gone
                done.set_result(result)  # type: ignore[arg-type]

        def fail(refusal: Refused) -> None:
            if not done.done():
                done.set_exception(refusal)

        self.podiums[name].put(Work(do, finish, fail))
        return await done

    async def in_house(self, do: Callable[[int], T], player: str | None = None) -> T:
        """Do something at the desk. For a player who sits at a table it waits for that table's turn."""
        table = self.house.table_of(player) if player is not None else None
        if table is not None:
            return await self.at_table(table.name, do)
        try:
            result = do(self.clock())
        except Refused:
            await self.keep()  # what was refused may be worth a note
            raise
        except Exception as error:
            self.fail(error)
            raise
        await self.keep()
        for podium in self.podiums.values():
            if podium.table.news:
                podium.wake()
        return result

    async def note(self, note: Noted) -> None:
        """EVT-1: something that must be found again."""
        await self.in_house(lambda now: self.house.note(note, now))

    async def keep(self) -> None:
        """Make all that has happened durable, entries and documents together.

        Also when nothing is new: then what somebody is about to be told of may still be on its way to the disk, and
        this returns after it. A house that cannot store what it did must stop, and come back from its journal.
        """
        documents = self.house.take_documents()
        entries, touched = self.house.take_entries(), self.house.take_touched()
        try:
            await self.store.append(entries, documents=documents)
        except Exception as error:
            self.fail(error)
            raise
        self.stored.update(touched)
        self.metrics.entries.inc(len(entries))

    def show_credit(self, player: str) -> None:
        """Show a player the credit that the desk has changed."""
        for terminal in self._lines.values():
            if terminal.who.name == player and terminal.table is not None:
                self.podiums[terminal.table].show_seat(terminal)

    # --- the gateway's desk -----------------------------------------------------------------------------------------

    def opened(self, connection: Connection) -> None:
        now = self.clock()
        token, _, key = connection.token.partition("~")
        who = self.admission.identify(token, now)
        if who is None:
            connection.send(_encode(_goodbye("sign-in-first")))
            connection.close("sign in first")
            return
        terminal = self._terminals.get(connection.token) if key else None
        if terminal is None or terminal.who != who:
            terminal = Terminal(connection.token, who)
        if key:
            self._terminals[connection.token] = terminal
            self._terminals.move_to_end(connection.token)
        if terminal.connection is not None:
            terminal.connection.close("this terminal has connected again")
        terminal.connection = connection
        self._lines[id(connection)] = terminal
        if who.role == "player":
            self.presence.came(who.name)
        tables = [table_card(table) for table in self.house.tables.values()]
        terminal.send(Welcome(name=who.name, role=who.role, now=now, version=__version__, tables=tables))
        if terminal.table is not None:
            self.podiums[terminal.table].welcome(terminal)

    def closed(self, connection: Connection) -> None:
        terminal = self._lines.pop(id(connection), None)
        if terminal is not None and terminal.who.role == "player":
            self.presence.went(terminal.who.name, self.clock())
        if terminal is not None and terminal.connection is connection:
            terminal.connection = None
            if terminal.table is not None:
                self.podiums[terminal.table].terminals.discard(terminal)
            self._forget_the_oldest()
            self._note_fault(terminal, connection)

    def _note_fault(self, terminal: Terminal, connection: Connection) -> None:
        """EVT-1: a line that was cut for what the terminal sent, or for a mistake of the house; not each one of a flood."""
        ended, who, now = connection.ended, terminal.who, self.clock()
        if ended is None or ended.code in (Code.DONE, Code.GOING_AWAY, Code.LATER):
            return
        kind = "program-error" if ended.code is Code.MISTAKE else "terminal-cut-off"
        if now - self._faults.get((kind, who.name), -NOTED_ANEW) < NOTED_ANEW:
            return
        self._faults[kind, who.name] = now
        noting = asyncio.create_task(self.note(Noted(kind, who.terminal or connection.peer, who.name, ended.reason)))
        self._errands.add(noting)
        noting.add_done_callback(self._errands.discard)

    def _forget_the_oldest(self) -> None:
        """What a terminal with a key was answered is kept, because it may come back and ask again; but not for ever."""
        if len(self._terminals) > len(self._lines) + MOST_AWAY:
            oldest = next(key for key, terminal in self._terminals.items() if terminal.connection is None)
            del self._terminals[oldest]

    def free_seats(self, now: int) -> None:
        """DSC-1: whoever has been gone for too long gives the seat back, when no wager is in play there."""
        for player, since in self.presence.away():
            table = self.house.table_of(player)
            podium = self.podiums.get(table.name) if table is not None else None
            if table is None:
                self.presence.forget(player)
            elif podium is not None and now - since >= table.upcoming.seat_kept_minutes * MINUTE:
                podium.put(self._freeing(table.name, player))

    def _freeing(self, name: str, player: str) -> Work:
        def free(now: int) -> None:
            if self.presence.away_since(player) is not None:
                self.house.at_table(name, lambda table: table.free_seat(player, now))

        return Work(free, lambda _: None, lambda refusal: None)

    def turn_away(self, now: int, *, staff_only: bool = False) -> None:
        """Lock every terminal at which nobody is signed in any more: signed out, closed, or idle too long (CARD-6)."""
        for terminal in list(self._lines.values()):
            if staff_only and terminal.who.role == "player":
                continue
            if self.admission.identify(terminal.token, now) != terminal.who:
                self._lock(terminal)

    def _lock(self, terminal: Terminal) -> None:
        """A terminal at which nobody is signed in shows nothing more, and remembers nothing."""
        terminal.send(_goodbye("sign-in-again"))
        if terminal.connection is not None:
            terminal.connection.close("sign in again")
        self._terminals.pop(terminal.key, None)

    def heard(self, connection: Connection, message: bytes) -> None:
        terminal = self._lines.get(id(connection))
        if terminal is None:
            return
        try:
            command = _decode(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            terminal.send(Refusal(id=_id_of(message), reason=f"That is not a message of this house: {error}."))
            return
        if command.id in terminal.answers:
            connection.send(terminal.answers[command.id])
        elif command.id not in terminal.pending:
            self._carry_out(terminal, command)

    def _carry_out(self, terminal: Terminal, command: AnyCommand) -> None:
        now = self.clock()
        if isinstance(command, Ping):
            terminal.send(Acknowledged(id=command.id, now=now))
            return
        if self.admission.identify(terminal.token, now, active=True) != terminal.who:
            self._lock(terminal)
            return
        self.metrics.command(command)
        if isinstance(command, Watch):
            self._watch(terminal, command, now)
            return
        if terminal.table is None:
            terminal.answer(Refusal(id=command.id, reason="Watch a table first."))
            return
        terminal.pending.add(command.id)
        podium, table = self.podiums[terminal.table], terminal.table
        podium.put(
            Work(
                do=lambda now: carry_out(self.house, self.admission, terminal.who, table, command, now),
                done=lambda result: self._done(terminal, command.id, result),
                failed=lambda refusal: self._refuse(terminal, command.id, refusal),
            )
        )

    def _done(self, terminal: Terminal, command: int, result: object) -> None:
        try:
            if isinstance(result, Asked):
                self.coach.ask(result.rules, result.position, lambda found: self._advise(terminal, result, found))
        except Refused as refusal:
            self._refuse(terminal, command, refusal)
            return
        seat = result if isinstance(result, int) else None
        terminal.answer(Acknowledged(id=command, now=self.clock(), seat=seat))

    def _advise(self, terminal: Terminal, asked: Asked, found: dict[str, float]) -> None:
        """Tell a player what each answer is worth, if that is still the question."""
        table = self.house.table(asked.table)
        if terminal.table == asked.table and is_asked(table, terminal.who.name, asked.command):
            terminal.send(asked.advice(found))

    def _refuse(self, terminal: Terminal, command: int, refusal: Refused) -> None:
        self.metrics.refusals.inc()
        terminal.answer(Refusal(id=command, reason=str(refusal), why=refusal.why))

    def _watch(self, terminal: Terminal, command: Watch, now: int) -> None:
        if command.table not in self.podiums:
            known = ", ".join(self.podiums) or "none"
            terminal.answer(
                Refusal(id=command.id, reason=f"There is no table {command.table!r}: the tables are {known}.")
            )
            return
        if terminal.table is not None:
            self.podiums[terminal.table].terminals.discard(terminal)
        terminal.table = command.table
        terminal.answer(Acknowledged(id=command.id, now=now))
        self.podiums[command.table].welcome(terminal)


def _goodbye(why: str) -> Goodbye:
    return Goodbye(reason=str(because(why)), why=because(why))


class _Numbered(msgspec.Struct):
    id: int = 0


def _id_of(message: bytes) -> int:
    """The id of a message that is otherwise not understood."""
    try:
        return msgspec.json.decode(message, type=_Numbered).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0
