"""The floor connects terminals with tables. Whatever happens at a table is done in the table's turn, by its podium."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Set
from contextlib import AsyncExitStack
from functools import partial
from itertools import chain
from typing import Final, Protocol, TypeVar
from weakref import WeakValueDictionary

import msgspec

from podium import __version__
from podium.basics.refusal import Later, Refused, shortened
from podium.basics.words import english
from podium.house import House
from podium.house.events import Noted
from podium.house.house import no_such_table
from podium.house.limits import MAX_TABLES_PER_PLAYER
from podium.house.papers import find_ticket
from podium.house.reports.intervals import moment
from podium.house.requests import CarriedOut, find_request
from podium.house.table.pace import Shuffler
from podium.house.tickets import Ticket, Validation
from podium.record.journal import Entry
from podium.record.ledger import Transfer
from podium.record.store.interface import Away, Damaged, Document, Reading, Unavailable
from podium.rules.games import Game
from podium.server import limits
from podium.server.approvals import Act
from podium.server.coach import Asked, Coach, is_asked
from podium.server.gateway import Connection, broadcast
from podium.server.handling import carry_out
from podium.server.log import log
from podium.server.mathematics import Mathematics
from podium.server.metrics import Metrics
from podium.server.podium import Podium, Work
from podium.server.presence import Presence
from podium.server.show import table_card
from podium.server.terminals import Terminal, Who, decode, encode, id_of
from podium.server.theory import Theory
from podium.wire.codes import CloseCode
from podium.wire.commands import AnyCommand, Ping, Unwatch, Watch
from podium.wire.messages import Acknowledged, Goodbye, Notices, Refusal, Standstill, Welcome

T = TypeVar("T")

MINUTE_MS: Final = 60_000
FAULT_INTERVAL_MS: Final = MINUTE_MS
"""The interval in which repeated disconnections of one terminal are noted once."""


class Admission(Protocol):
    """Knows the people of the house."""

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        """The person with this token, if it is valid. `active`: the person did something, so the session is not idle."""

    def approve(self, act: Act, code: str, now: int) -> str:
        """Who approved this very act, which uses the approval up. Refused where nobody has; then a second person sees it."""


class Keeping(Protocol):
    """What the floor needs from a store."""

    async def append(self, entries: Iterable[Entry] = (), *, documents: Iterable[Document] = ()) -> None: ...

    async def find(self, what: Callable[[Reading], T]) -> T: ...


class Floor:
    """All tables with their terminals. The gateway hands it what the terminals send."""

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
        """Terminals by the key that identifies them when they reconnect."""
        self._lines: dict[int, Terminal] = {}
        self._of_person: dict[str, dict[int, Connection]] = {}
        """The open connections of each person, the oldest first; walls do not count."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.failed: asyncio.Future[None] | None = None
        self.away_since: int | None = None
        """Since when the store has not answered; None while it does."""
        self.away_why = ""
        self.theory: Final = theory
        """What the wagers return; None if the mathematics is switched off."""
        self._cards: dict[str, tuple[int, bytes]] = {}
        """The entry of each table in the list of tables, and the number of happenings after which it was made."""
        self._errands: set[asyncio.Task[None]] = set()
        """Background tasks beside the tables: asking the mathematics, writing a note."""
        self._faults: OrderedDict[tuple[str, str], int] = OrderedDict()
        """When a disconnection was last noted, by kind and person."""
        self._one_by_one: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """The requests and tickets that are being handled at the desk."""
        self.mathematics: Final = theory.mathematics if theory is not None else Mathematics()
        self.coach: Final = Coach(self.mathematics)
        self.stored: Final = dict(house.ledger)
        """The durable balance of every account: terminals are shown nothing newer."""
        self.presence: Final = Presence([player for table in house.tables.values() for player in table.seats], clock())
        self.metrics: Final = Metrics(lambda: len(self._lines))

    async def run(self) -> None:
        """Runs every table until one fails; then the process must stop, and on restart it recovers from the journal."""
        failed = self.start()
        try:
            await failed
        finally:
            self.stop()

    def start(self) -> "asyncio.Future[None]":
        """Starts the tables. Nobody may be let in before, or a terminal would find a house without tables."""
        if self.failed is None:
            self.failed = asyncio.get_running_loop().create_future()
            self.open_tables()
        return self.failed

    def stop(self) -> None:
        """Stops the tables and everything that runs beside them."""
        for task in (*self._tasks.values(), *self._errands):
            task.cancel()

    def open_tables(self) -> None:
        """Starts a task for every table that has none yet."""
        for name, table in self.house.tables.items():
            if name not in self.podiums:
                podium = self.podiums[name] = Podium(table, self)
                task = self._tasks[name] = asyncio.create_task(podium.run(), name=f"table {name}")
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.fail(task.exception() or RuntimeError("a table stopped"))

    def fail(self, error: BaseException) -> None:
        """Stops the process because something is broken; on restart it recovers from the journal."""
        if self.failed is not None and not self.failed.done():
            self.failed.set_exception(error)

    def stand_still(self, reason: str | None) -> None:
        """Tells every terminal that the store does not answer, so that play stands still; or, with None, that it goes on.

        Tables wait by themselves until what they did is durable. What terminals send meanwhile is carried out after it.
        """
        now = self.clock()
        if reason is not None:
            self.away_since, self.away_why = now, reason
            log.error("the store does not answer", reason=reason)
        elif self.away_since is not None:
            why, since, self.away_since = self.away_why, self.away_since, None
            self.presence.came_back(since, now)
            for podium in self.podiums.values():
                podium.resume(since)
            log.warning("the store is back", seconds=(now - since) / 1000)
            note = Noted("outage", "store", "", why, moment(since), moment(now))
            self._errand(self.note(note))
        broadcast([each.connection for each in self._lines.values() if each.connection is not None], self._standstill())

    @property
    def stands_still(self) -> bool:
        """Whether the store does not answer, so that no time runs at any table."""
        return self.away_since is not None

    def _standstill(self) -> bytes:
        if self.away_since is None:
            return encode(Standstill())
        why = Later("store-away")
        return encode(Standstill(reason=str(why), why=why.phrase))

    def _errand(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(what)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def returns(
        self, game: Game, learned: Callable[[], None] = lambda: None, *, soon: bool = False
    ) -> dict[str, float]:
        """The returns of a game's wagers, as far as they are known; `learned` is called when more are known."""
        if self.theory is None:
            return {}
        if not self.theory.is_done(game.fingerprint):
            self._errand(self.theory.learn(game, learned, soon=soon))
        return self.theory.returns(game.fingerprint)

    async def at_table(self, name: str, do: Callable[[int], T]) -> T:
        """Does something in the turn of a table, and returns when it is durable."""
        if name not in self.podiums:
            raise no_such_table(name, self.podiums)
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def finish(result: object) -> None:
            if not done.done():  # the caller may be gone
                done.set_result(result)  # type: ignore[arg-type]

        def fail(refusal: Refused) -> None:
            if not done.done():
                done.set_exception(refusal)

        self.podiums[name].put(Work(do, finish, fail))
        return await done

    async def in_house(self, do: Callable[[int], T], player: str | None = None) -> T:
        """Does something at the desk. For a player who sits at a table, it waits for that table's turn."""
        table = self.house.table_of(player) if player is not None else None
        if table is not None:
            return await self.at_table(table.name, do)
        try:
            result = do(self.clock())
        except Refused:
            await self.keep()  # a refusal may have left a note
            raise
        except Exception as error:
            self.fail(error)
            raise
        await self.keep()
        for podium in self.podiums.values():
            if podium.table.news:
                podium.wake()
        return result

    async def once(
        self, key: str, do: Callable[[int], T], player: str | None = None, *, ticket: Validation | None = None
    ) -> T:
        """Carries out a request at the desk under its key; a repeated request does not happen twice (LED-2).

        `ticket` is the number of the ticket, if the request is about one. What is not in memory is first looked up in
        the store. Requests with the same key or ticket wait until this one is durable.
        """
        async with AsyncExitStack() as turns:
            # Always the request before the ticket, to avoid a deadlock.
            for name in (key, *([ticket.number] if ticket is not None else [])):
                await turns.enter_async_context(self._one_by_one.setdefault(name, asyncio.Lock()))
            known, stored = await self._look_up(key, ticket.keys if ticket is not None else ())

            def do_once(now: int) -> T:
                self.house.shelf.load(each for each in stored if self.house.shelf.find(Ticket, each.key) is None)
                with self.house.requests.looked_up(key, known):
                    return do(now)

            return await self.in_house(do_once, player)

    async def _look_up(self, key: str, tickets: tuple[str, ...]) -> tuple[CarriedOut | None, list[Document]]:
        """Looks up the request and its tickets in the store, where the house does not remember them."""
        known, stored = None, []
        if not self.house.requests.knows(key):
            known = await self.find(lambda book: find_request(book, key, tickets))
        issued = known.ticket if known is not None else self.house.requests.remembered_ticket(key)
        for ticket in dict.fromkeys(filter(None, (*tickets, issued))):
            if self.house.shelf.find(Ticket, ticket) is None:
                found = await self.find(partial(find_ticket, key=ticket, stamped_since=self.house.shelf.tickets_since))
                stored += [] if found is None else [found]
        return known, stored

    async def carried_out(self, key: str, tickets: tuple[str, ...] = ()) -> Transfer | None:
        """The request that was ever carried out under a key; `tickets` are the keys that its ticket may have."""
        if self.house.requests.knows(key):
            return self.house.asked(key)
        done = await self.find(lambda book: find_request(book, key, tickets))
        return None if done is None else done.transfer

    async def find(self, what: Callable[[Reading], T]) -> T:
        """Reads something from the store, outside the turn of any table."""
        try:
            return await self.store.find(what)
        except Away:
            raise Later("store-away") from None
        except (Damaged, Unavailable) as error:
            self.fail(error)  # INT-5: without its ledger the house pays nobody
            raise

    async def note(self, note: Noted) -> None:
        """EVT-1: notes a significant event."""
        await self.in_house(lambda now: self.house.note(note, now))

    async def keep(self) -> None:
        """Makes everything that has happened durable, entries and documents together.

        If nothing is new, the facts that somebody is about to be told may still be on their way to the disk; this
        returns after them. If a write fails, the process stops; on restart it recovers from the journal.
        """
        documents = self.house.take_documents()
        entries, touched = self.house.take_entries(), self.house.take_touched()
        try:
            await self.store.append(entries, documents=documents)
        except Exception as error:
            self.fail(error)
            raise
        self.house.shelf.saved(documents)
        for name, amount in touched.items():
            if amount:
                self.stored[name] = amount
            else:
                self.stored.pop(name, None)
        self.metrics.entries.inc(len(entries))

    def show_credit(self, player: str) -> None:
        """Shows a player the credit that the desk has changed."""
        for terminal in self._lines.values():
            if terminal.who.name == player and terminal.tables:
                self.podiums[terminal.tables[0]].show_in_turn(terminal)

    def show_elsewhere(self, player: str, table: str) -> None:
        """Shows a player's credit, which a table has changed, at the terminals that do not watch this table."""
        lines = self._of_person.get(player, ())
        for line in lines:
            terminal = self._lines.get(line)
            if terminal is not None and terminal.tables and table not in terminal.tables:
                self.podiums[terminal.tables[0]].show_in_turn(terminal)

    def show_everywhere(self, player: str, message: Notices) -> None:
        """Sends something to all terminals of a player, whatever they watch."""
        for line in self._of_person.get(player, ()):
            if (terminal := self._lines.get(line)) is not None:
                terminal.send(message)

    # --- the gateway's desk -----------------------------------------------------------------------------------------

    def opened(self, connection: Connection) -> None:
        now = self.clock()
        token, _, key = connection.token.partition("~")
        key = key if len(key) <= limits.MAX_TERMINAL_KEY_CHARS else ""
        who = self.admission.identify(token, now)
        if who is None:
            connection.send(encode(_goodbye(Refused("sign-in-first", clause="SEC-3"))))
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
        self._make_room(who, connection)
        if who.role == "player":
            self.presence.came(who.name)
        idle_minutes = 0 if who.role in ("player", "display", "reader") else self.house.config.idle_minutes
        welcome = Welcome(
            name=who.name,
            role=who.role,
            now=now,
            version=__version__,
            tables=[],
            reads=who.reads,
            idle_minutes=idle_minutes,
        )
        # No name holds these bytes: a quotation mark inside a text is escaped.
        connection.send(encode(welcome).replace(b'"tables":[]', b'"tables":[%b]' % self._list_of_tables(), 1))
        if self.away_since is not None:
            connection.send(self._standstill())
        for table in terminal.tables:
            self.podiums[table].welcome(terminal)
        for podium in self.podiums.values():
            if who.name in podium.table.tellings.unread:
                podium.show_notices(terminal)

    def _list_of_tables(self) -> bytes:
        """The cards of all tables, each encoded again when something has happened there."""
        for name, table in self.house.tables.items():
            known = self._cards.get(name)
            if known is None or known[0] != table.happened:
                self._cards[name] = table.happened, encode(table_card(table))
        return b",".join(self._cards[name][1] for name in self.house.tables)

    def _make_room(self, who: Who, connection: Connection) -> None:
        """Limits the connections per person: opening one too many closes the oldest."""
        if who.role == "display":
            return
        lines = self._of_person.setdefault(who.name, {})
        while len(lines) >= limits.MAX_SOCKETS_PER_PERSON:
            lines.pop(next(iter(lines))).close("you have connected elsewhere")
        lines[id(connection)] = connection

    def closed(self, connection: Connection) -> None:
        terminal = self._lines.pop(id(connection), None)
        self._forget_line(terminal, connection)
        if terminal is not None and terminal.who.role == "player":
            self.presence.went(terminal.who.name, self.clock())
            self._wake_tables_of(terminal.who.name)
        if terminal is not None and terminal.connection is connection:
            terminal.connection = None
            for table in terminal.tables:
                self.podiums[table].leave(terminal)
            self._forget_the_oldest()
            self._note_fault(terminal, connection)

    def _wake_tables_of(self, player: str) -> None:
        """DSC-2: a table that waits for nobody else may go on soon."""
        for table in self.house.tables_of(player):
            if table.name in self.podiums:
                self.podiums[table.name].wake()

    def _forget_line(self, terminal: Terminal | None, connection: Connection) -> None:
        lines = self._of_person.get(terminal.who.name, {}) if terminal is not None else {}
        lines.pop(id(connection), None)
        if terminal is not None and not lines:
            self._of_person.pop(terminal.who.name, None)

    def _note_fault(self, terminal: Terminal, connection: Connection) -> None:
        """EVT-1: notes a disconnection because of what the terminal sent, or because of a bug; in a flood, not every one."""
        ended, who, now = connection.ended, terminal.who, self.clock()
        if ended is None or ended.code in (CloseCode.DONE, CloseCode.GOING_AWAY, CloseCode.LATER):
            return
        kind = "program-error" if ended.code is CloseCode.MISTAKE else "terminal-cut-off"
        if now - self._faults.get((kind, who.name), -FAULT_INTERVAL_MS) < FAULT_INTERVAL_MS:
            return
        self._faults[kind, who.name] = now
        self._faults.move_to_end((kind, who.name))
        while len(self._faults) > limits.MAX_NOTED_FAULTS:
            self._faults.popitem(last=False)
        self._errand(self.note(Noted(kind, who.terminal or connection.peer, who.name, ended.reason)))

    def _forget_the_oldest(self) -> None:
        """Keeps the answers of a terminal with a key, which may reconnect and send its commands again, within a
        limit."""
        if len(self._terminals) > len(self._lines) + limits.MAX_AWAY_TERMINALS:
            oldest = next(key for key, terminal in self._terminals.items() if terminal.connection is None)
            del self._terminals[oldest]

    def free_seats(self, now: int) -> None:
        """DSC-1: a player who has been gone too long loses the seat, once no wager is in play there."""
        for player, since in self.presence.away():
            tables = self.house.tables_of(player)
            if not tables:
                self.presence.forget(player)
            for table in tables:
                podium = self.podiums.get(table.name)
                if podium is not None and now - since >= table.upcoming.seat_kept_minutes * MINUTE_MS:
                    podium.put(self._freeing(table.name, player))

    def _freeing(self, name: str, player: str) -> Work:
        def free(now: int) -> None:
            if self.presence.away_since(player) is not None:
                self.house.at_table(name, lambda table: table.free_seat(player, now))

        return Work(free, lambda _: None, lambda refusal: None)

    def turn_away(self, now: int, people: Set[str] | None = None, *, staff_only: bool = False) -> None:
        """Locks every terminal whose session is over: signed out, account closed, or idle too long (CARD-6). Looks at all
        terminals, or at those of these people."""
        lines = self._lines if people is None else chain.from_iterable(self._of_person.get(name, ()) for name in people)
        for terminal in [self._lines[line] for line in lines if line in self._lines]:
            if staff_only and terminal.who.role == "player":
                continue
            if self.admission.identify(terminal.token, now) != terminal.who:
                self._lock(terminal)

    def _lock(self, terminal: Terminal) -> None:
        """Clears a terminal at which nobody is signed in: it shows nothing and remembers nothing."""
        terminal.send(_goodbye(Refused("sign-in-again", clause="CARD-6")))
        if terminal.connection is not None:
            terminal.connection.close("sign in again")
        self._terminals.pop(terminal.key, None)

    def heard(self, connection: Connection, message: bytes) -> None:
        terminal = self._lines.get(id(connection))
        if terminal is None:
            return
        try:
            command = decode(message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            refusal = Refused("not-a-message", error=shortened(str(error)))
            terminal.send(_refusal(id_of(message), refusal))
            return
        if command.id not in terminal.heard:
            self._carry_out(terminal, command, message)
        elif not terminal.has_heard(command, message):
            terminal.send(_refusal(command.id, Refused("command-id-used", id=command.id, clause="LED-2")))
        elif command.id in terminal.answers:
            connection.send(terminal.answers[command.id])

    def _carry_out(self, terminal: Terminal, command: AnyCommand, message: bytes) -> None:
        now = self.clock()
        if isinstance(command, Ping):
            terminal.send(Acknowledged(id=command.id, now=now))
            return
        if self.admission.identify(terminal.token, now, active=True) != terminal.who:
            self._lock(terminal)
            return
        self.metrics.command(command)
        terminal.remember(command, message)
        if isinstance(command, Watch):
            self._watch(terminal, command, now)
            return
        if isinstance(command, Unwatch):
            self._unwatch(terminal, command.table)
            terminal.answer(Acknowledged(id=command.id, now=now))
            return
        table = command.table or next(iter(terminal.tables), "")
        if table not in terminal.tables:
            terminal.answer(_refusal(command.id, Refused("watch-first")))
            return
        podium = self.podiums[table]
        if (busy := _busy(terminal, podium)) is not None:
            # Not kept as the answer, so that the same command can be sent again and is then carried out.
            del terminal.heard[command.id]
            terminal.send(_refusal(command.id, busy))
            return
        terminal.pending.add(command.id)
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
                self.coach.ask(result.game, result.position, lambda found: self._advise(terminal, result, found))
        except Refused as refusal:
            self._refuse(terminal, command, refusal)
            return
        seat = result if isinstance(result, int) else None
        terminal.answer(Acknowledged(id=command, now=self.clock(), seat=seat))

    def _advise(self, terminal: Terminal, asked: Asked, found: dict[str, float]) -> None:
        """Tells a player what each answer is worth, if the question is still open."""
        table = self.house.table(asked.table)
        if asked.table in terminal.tables and is_asked(table, terminal.who.name, asked.command):
            terminal.send(asked.advice(found))

    def _refuse(self, terminal: Terminal, command: int, refusal: Refused) -> None:
        self.metrics.refusals.inc()
        terminal.answer(_refusal(command, refusal))

    def _watch(self, terminal: Terminal, command: Watch, now: int) -> None:
        if command.table not in self.podiums:
            terminal.answer(_refusal(command.id, no_such_table(command.table, self.podiums)))
            return
        beside = [table for table in terminal.tables if command.beside and table != command.table]
        if len(beside) >= MAX_TABLES_PER_PLAYER:
            terminal.answer(_refusal(command.id, Refused("watching-enough", tables=beside)))
            return
        for table in set(terminal.tables) - set(beside):
            self._unwatch(terminal, table)
        terminal.tables.append(command.table)
        terminal.answer(Acknowledged(id=command.id, now=now))
        self.podiums[command.table].welcome(terminal)

    def _unwatch(self, terminal: Terminal, table: str) -> None:
        """Stops showing a table to a terminal; harmless if it does not watch the table."""
        if table in terminal.tables:
            terminal.tables.remove(table)
            self.podiums[table].leave(terminal)


def _busy(terminal: Terminal, podium: Podium) -> Later | None:
    """Why a command cannot be queued; None if it can."""
    if len(terminal.pending) >= limits.MAX_WAITING_COMMANDS_PER_TERMINAL:
        return Later("terminal-busy", commands=limits.MAX_WAITING_COMMANDS_PER_TERMINAL)
    if podium.waiting >= limits.MAX_WAITING_COMMANDS_PER_TABLE:
        return Later("table-busy")
    return None


def _refusal(command: int, refusal: Refused) -> Refusal:
    return Refusal(id=command, reason=str(refusal), why=refusal.phrase, later=isinstance(refusal, Later))


def _goodbye(refusal: Refused) -> Goodbye:
    return Goodbye(reason=str(refusal), why=refusal.phrase)


english(
    "refused",
    {
        "command-id-used": "The id {id} was used for another command: each new command needs a number of its own.",
        "terminal-busy": "{commands} commands of this terminal wait for an answer: wait for the answers, then send it again.",
        "table-busy": "The table has too many commands to carry out: send it again in a moment.",
        "sign-in-first": "Sign in first: this terminal is not known here.",
        "sign-in-again": "Sign in again: nobody is signed in at this terminal.",
        "not-a-message": "That is not a message of this house: {error}.",
        "store-away": "The house waits for its store: play goes on as soon as it is back.",
        "watch-first": "Watch the table first.",
        "watching-enough": "This terminal watches {tables}: stop watching one of them first.",
    },
)
