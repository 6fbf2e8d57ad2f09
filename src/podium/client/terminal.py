"""A terminal in Python: watch a table, bet, decide.

docs/bots.md has a bot in ten lines. The client keeps what the house shows, newest first. After a lost connection it sends
commands again until the house has answered them; each counts once. Thousands of clients fit into one process.
"""

import asyncio
import logging
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import uniform
from types import TracebackType
from typing import Any, Final

import msgspec
from picows import WSCloseCode, WSError, WSFrame, WSHandshakeError, WSListener, WSMsgType, WSTransport, ws_connect

from podium.basics.refusal import Later, Refused
from podium.basics.words import Phrase, english
from podium.client.shown import STALE, Known, Turn, own_view
from podium.wire.codes import CloseCode
from podium.wire.commands import Advise, Command, Decide, Join, Leave, Ping, PlaceBet, Unwatch, Watch
from podium.wire.messages import (
    Acknowledged,
    AnyMessage,
    Goodbye,
    History,
    Refusal,
    RulesInForce,
    Seated,
    Standstill,
    TableCard,
    TableView,
    Welcome,
)

log: Final = logging.getLogger("podium.client")

SILENCE_SECONDS: Final = 20
"""Seconds of silence before the client pings the house."""
IMPATIENT_SECONDS: Final = 4
"""The same if another process may have taken the house over, and the longest wait for its welcome."""
MAX_RECONNECT_SECONDS: Final = 5.0
"""Longest wait between two reconnection attempts, in seconds."""
FIRST_AGAIN_SECONDS: Final = 0.1
MAX_AGAIN_SECONDS: Final = 2.0
"""Seconds before a command that was refused for the moment is sent again: the first time, and at most."""

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(AnyMessage).decode
# Thousands of bots in one process receive the same bytes: they are decoded once.
_decode_shared: Final = lru_cache(maxsize=64)(_decode)
_SHARED: Final = (b'{"is":"table"', b'{"is":"counts"', b'{"is":"history"', b'{"is":"rules"')


class Disconnected(ConnectionError):
    """The house ended the connection for good, or was away for too long. The message is a sentence."""


class _TurnedAway(msgspec.Struct):
    """The answer to a terminal that is not let in."""

    reason: str


class _Unanswered:
    """A command that the house has not answered yet."""

    def __init__(self, command: Command) -> None:
        self.command: Final = command
        self.answer: Final[asyncio.Future[Acknowledged]] = asyncio.get_running_loop().create_future()
        self.again = FIRST_AGAIN_SECONDS
        """Seconds before it is sent again, if it is refused for the moment."""
        self.put_off: float | None = None
        """When the house first refused it for the moment."""


class Client:
    """The house as one terminal sees it; `connect` opens it."""

    def __init__(
        self,
        url: str | Sequence[str],
        token: str,
        *,
        patience: float,
        answer_seconds: float,
        heard: Callable[[AnyMessage], None] | None = None,
        tls: ssl.SSLContext | None = None,
        prove: Callable[[str], Awaitable[str]] | None = None,
    ) -> None:
        # The house recognizes a terminal by its own key, and remembers its answers to it.
        self._tab: Final = secrets.token_hex(8)
        self._urls: Final = [f"{each}?tab={self._tab}" for each in ([url] if isinstance(url, str) else url)]
        """Where the house may be; the first is tried next."""
        self._prove: Final = prove
        self._token: Final = token
        self._tls: Final = tls
        self._patience: Final = patience
        self._answer_seconds: Final = answer_seconds
        self._tell: Final = heard
        self._asked: Final[dict[int, _Unanswered]] = {}
        self._last_id = 0
        self._watch_again: list[int] = []
        """The ids of the last commands by which the tables were watched again after a reconnection."""
        self._line: _ClientLine | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._ended: str | None = None
        """Why the connection is over, if it is."""
        self._changed: Final = asyncio.Event()
        self.welcome: Welcome | None = None
        """The house's last welcome."""
        self.known: Final[dict[str, Known]] = {}
        """What was shown of each table."""
        self.watched: list[str] = []
        """The tables that are watched; commands without a table are for the first."""
        self.standstill: Phrase | None = None
        """Why play stands still in the whole house; None while it does not."""
        self.changes = 0
        """Counts everything new."""

    # --- what is known ----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name by which the house knows this terminal."""
        return self.welcome.name if self.welcome else ""

    @property
    def asked(self) -> Mapping[int, Command]:
        """Commands that have not been answered, by id; while `heard` gets an answer, also the command that it answers."""
        return {number: asked.command for number, asked in self._asked.items()}

    @property
    def tables(self) -> Sequence[TableCard]:
        """The tables of the house when this terminal was let in."""
        return self.welcome.tables if self.welcome else ()

    @property
    def watching(self) -> str | None:
        """The table that is watched; the first one, where there are several."""
        return self.watched[0] if self.watched else None

    @property
    def table(self) -> Known:
        """Everything known about the table that is watched; the first one, where there are several."""
        if self.watching is None:
            raise Refused("no-table-watched")
        return self.known.setdefault(self.watching, Known())

    @property
    def view(self) -> TableView:
        """The table as everybody sees it."""
        if self.table.view is None:
            raise Refused("nothing-shown", table=self.watching)
        return self.table.view

    @property
    def seat(self) -> Seated | None:
        """What only this player sees: the credit, the hands, the question."""
        return self.table.seat

    @property
    def rules(self) -> RulesInForce | None:
        """The rules of the table, its wagers and their limits."""
        return self.table.rules

    @property
    def history(self) -> History | None:
        """The last rounds of the table."""
        return self.table.history

    def turn(self) -> Turn | None:
        """The player's turn now, if it is one: at any box of the tables that are watched."""
        return next(self.open_turns(), None)

    def open_turns(self) -> Iterator[Turn]:
        """All turns of the player now: one for each box that may bet or is asked, table by table."""
        for name in self.watched:
            yield from self.known.setdefault(name, Known()).turns()

    async def turns(self) -> AsyncIterator[Turn]:
        """Yields each turn of the player, once. Raises Disconnected when the house ends the connection."""
        taken: set[tuple[str, int, int, int, int | None]] = set()
        while True:
            seen = self.changes
            turns = {turn.key: turn for turn in self.open_turns()}
            taken &= turns.keys()  # a correction may ask the same question again
            turn = next((turn for key, turn in turns.items() if key not in taken), None)
            if turn is not None:
                taken.add(turn.key)
                yield turn
                continue
            await self.changed(since=seen)

    async def changed(self, since: int | None = None) -> int:
        """Waits for something new, from now on or since `changes` had that value. Returns its new value."""
        seen = self.changes if since is None else since
        while self.changes <= seen:
            self._check()
            await self._changed.wait()
        return self.changes

    # --- what is asked for ------------------------------------------------------------------------------------------

    async def watch(self, table: str, *, beside: bool = False) -> TableView:
        """Watches a table, instead of those that were watched or beside them; returns when it is shown."""
        await self.do(Watch, table=table, beside=beside)
        self.watched = [*(name for name in self.watched if name != table), table] if beside else [table]
        while (view := self.known.setdefault(table, Known()).view) is None:
            await self.changed()
        return view

    async def unwatch(self, table: str) -> None:
        """Stops watching a table; a seat there is kept."""
        await self.do(Unwatch, table=table)
        self.watched = [name for name in self.watched if name != table]

    async def join(
        self, seat: int | None = None, *, box: int | None = None, without_seat: bool = False, table: str = ""
    ) -> int | None:
        """Takes part at a table; in games with seats, at the wanted one. `box` is a further one of the player's boxes. Returns
        the seat."""
        return (await self.do(Join, seat=seat, box=box, without_seat=without_seat, table=table)).seat

    async def leave(self, *, box: int | None = None, table: str = "") -> None:
        """Gives up a box, or all of them."""
        await self.do(Leave, box=box, table=table)

    async def bet(
        self,
        wagers: Mapping[str, int],
        *,
        for_dealer: Mapping[str, int] | None = None,
        spots: Sequence[int] = (),
        box: int | None = None,
        table: str = "",
    ) -> None:
        """Places wagers in the round that takes bets, in minor units; they replace what was staked on the box before."""
        known = self._known(table)
        if known.view is None:
            raise Refused("nothing-shown", table=table or self.watching)
        fields = {"wagers": dict(wagers), "for_dealer": dict(for_dealer or {}), "spots": tuple(spots)}
        await self.do(PlaceBet, round=known.view.round, box=box, table=table, **fields)

    async def decide(self, decision: str, *, box: int | None = None, table: str = "") -> None:
        """Answers the question that a box is asked: `hit`, `double+dealer`, `insure:150`."""
        await self._answer(Decide, box, table, decision=decision)

    async def advise(self, *, box: int | None = None, table: str = "") -> None:
        """Asks what each answer to the question is worth; `known[table].advice` has it when the house has found it."""
        await self._answer(Advise, box, table)

    async def _answer(self, kind: type[Command], box: int | None, table: str, **fields: Any) -> None:
        """Sends a command about the question that a box is asked."""
        seat = self._known(table).seat
        own = own_view(seat, box) if seat is not None else None
        if seat is None or own is None or own.question is None:
            raise Refused("seat-not-asked")
        await self.do(kind, round=seat.round, step=own.step, box=box, table=table, **fields)

    def _known(self, table: str) -> Known:
        return self.known.setdefault(table, Known()) if table else self.table

    async def ping(self) -> int:
        """Checks that the house is there; returns its clock."""
        return (await self.do(Ping)).now

    async def do(self, kind: type[Command], **fields: Any) -> Acknowledged:
        """Sends any command of `podium.wire.commands`, and waits until it is done. Raises Refused with the reason.

        If the connection is lost meanwhile, or the house refuses it for the moment only, the command is sent again under its
        id, so that it happens once.
        """
        self._check()
        self._last_id += 1
        command = kind(id=self._last_id, **fields)
        asked = self._asked[command.id] = _Unanswered(command)
        try:
            while not asked.answer.done():
                self._say(command)
                await asyncio.wait([asked.answer], timeout=self._answer_seconds)
            return asked.answer.result()
        finally:
            del self._asked[command.id]

    # --- the connection ---------------------------------------------------------------------------------------------

    def drop(self) -> None:
        """Drops the connection at once, as if a cable were pulled, to test what happens. It is opened again."""
        if self._line is not None:
            self._line.cut()

    async def __aenter__(self) -> "Client":
        try:
            line = await self._connect()
        except (OSError, WSError) as error:
            raise Disconnected(_words(error)) from error
        self._keeper = asyncio.create_task(self._keep(line))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end("This terminal has closed its connection.")
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
        if self._line is not None:
            await self._line.leave()

    async def _keep(self, line: "_ClientLine") -> None:
        """Reconnects whenever the connection is lost, until the house ends it for good."""
        try:
            while True:
                await line.gone.wait()
                if line.farewell is not None and not line.come_back:
                    self._end(line.farewell)
                    return
                line = await self._come_back(line.farewell)
        except (OSError, WSError) as error:
            self._end(_words(error))
        except Exception:
            log.exception("The connection could not be kept")
            self._end("This client has failed; the reason is in its log.")

    async def _come_back(self, farewell: str | None) -> "_ClientLine":
        """Reconnects with exponential backoff and jitter, the first time at once."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience
        wait = 0.05
        while True:
            await asyncio.sleep(uniform(0, wait))
            try:
                return await self._connect()
            except Disconnected:
                raise
            except WSHandshakeError as error:
                if error.response is not None and 400 <= error.response.status < 500:
                    raise
                reason = _words(error)
            except (OSError, WSError) as error:
                reason = _words(error)
            wait = min(2 * wait, MAX_RECONNECT_SECONDS / len(self._urls))
            if loop.time() + wait > until:
                said = f" It had said: {farewell}" if farewell else ""
                raise Disconnected(f"The house has been away for {self._patience:g} seconds: {reason}{said}")

    async def _connect(self) -> "_ClientLine":
        """Makes one attempt, which succeeds when the house has said welcome. If it fails, the next address is tried."""
        line = _ClientLine(self)
        try:
            async with asyncio.timeout(self._answer_seconds if len(self._urls) == 1 else IMPATIENT_SECONDS):
                await self._dial(line)
                await line.met.wait()
        except BaseException:
            self._urls.append(self._urls.pop(0))
            await line.leave()
            raise
        if not line.welcomed:
            self._urls.append(self._urls.pop(0))
            reason = line.farewell or "The house closed the line without a welcome."
            raise ConnectionResetError(reason) if line.come_back else Disconnected(reason)
        return line

    async def _dial(self, line: "_ClientLine") -> None:
        url = self._urls[0]
        if self._prove is not None:
            url = f"{url}&proof={await self._prove(self._tab)}"
        # Over TLS the cookie has the name that browsers take over TLS alone.
        cookie = f"{'__Host-' if url.startswith('wss:') else ''}podium={self._token}"
        silence = SILENCE_SECONDS if len(self._urls) == 1 else IMPATIENT_SECONDS
        await ws_connect(
            lambda: line,
            url,
            ssl_context=self._tls,
            extra_headers={"Cookie": cookie},
            enable_auto_ping=True,
            auto_ping_idle_timeout=silence,
            auto_ping_reply_timeout=silence / 2,
            read_buffer_init_size=4_096,
        )

    def _let_in(self, line: "_ClientLine", welcome: Welcome) -> None:
        """Sends again what the house may have missed, after its welcome."""
        self._line = line
        self.welcome = welcome
        for known in self.known.values():
            # A restarted house counts its states from the beginning; what comes now is the newest.
            known.view = known.view and msgspec.structs.replace(known.view, number=STALE)
            known.seat = known.seat and msgspec.structs.replace(known.seat, number=STALE)
        while self._watch_again:
            self._asked.pop(self._watch_again.pop(), None)
        for place, table in enumerate(self.watched):
            self._last_id += 1
            self._watch_again.append(self._last_id)
            asked = self._asked[self._last_id] = _Unanswered(Watch(id=self._last_id, table=table, beside=place > 0))
            asked.answer.add_done_callback(partial(self._watched_again, self._last_id))
        # The table first: a restarted house does not know which one the other commands are for.
        for asked in sorted(self._asked.values(), key=lambda asked: not isinstance(asked.command, Watch)):
            self._say(asked.command)

    def _watched_again(self, number: int, answer: "asyncio.Future[Acknowledged]") -> None:
        """Ends a terminal whose table the house no longer has: it would wait forever."""
        self._asked.pop(number, None)
        if not answer.cancelled() and (error := answer.exception()) is not None and self._ended is None:
            self._end(str(error))

    def _say(self, command: Command) -> None:
        """Sends a command if there is a connection; otherwise it is sent on the next one."""
        if self._line is not None and not self._line.gone.is_set():
            self._line.say(_encode(command))

    def _heard(self, line: "_ClientLine", payload: bytes) -> None:
        try:
            message = _decode_shared(payload) if payload.startswith(_SHARED) else _decode(payload)
        except msgspec.MsgspecError as error:
            log.warning("The house said something that this client does not understand: %s", error)
            return
        self._take(line, message)
        if self._tell is not None:
            self._tell(message)

    def _take(self, line: "_ClientLine", message: AnyMessage) -> None:
        match message:
            case Acknowledged() | Refusal():
                self._answered(message)
                return
            case Welcome():
                line.welcomed = True
                line.met.set()
                self.standstill = None
                self._let_in(line, message)
            case Goodbye():
                line.farewell = message.reason
            case Standstill():
                self.standstill = message.why
            case _:
                if not self.known.setdefault(message.table, Known()).take(message):
                    return
        self._tell_of_a_change()

    def _answered(self, answer: Acknowledged | Refusal) -> None:
        asked = self._asked.get(answer.id)
        if asked is None or asked.answer.done():
            return
        if isinstance(answer, Acknowledged):
            asked.answer.set_result(answer)
        elif not (answer.later and self._put_off(asked)):
            asked.answer.set_exception((Later if answer.later else Refused).saying(answer.why))

    def _put_off(self, asked: _Unanswered) -> bool:
        """Sends a command again in a moment; False if the time for it is over."""
        loop = asyncio.get_running_loop()
        asked.put_off = asked.put_off or loop.time()
        if loop.time() + asked.again > asked.put_off + self._patience:
            return False
        loop.call_later(uniform(asked.again / 2, asked.again), self._say_again, asked)
        asked.again = min(2 * asked.again, MAX_AGAIN_SECONDS)
        return True

    def _say_again(self, asked: _Unanswered) -> None:
        if self._asked.get(asked.command.id) is asked and not asked.answer.done():
            self._say(asked.command)

    def _tell_of_a_change(self) -> None:
        self.changes += 1
        self._changed.set()
        self._changed.clear()

    def _end(self, reason: str) -> None:
        """Fails everything that is still waiting, with the reason."""
        if self._ended is None:
            self._ended = reason
            for asked in self._asked.values():
                if not asked.answer.done():
                    asked.answer.set_exception(Disconnected(reason))
            self._changed.set()

    def _check(self) -> None:
        if self._ended is not None:
            raise Disconnected(self._ended)


class _ClientLine(WSListener):
    """One connection of a terminal."""

    def __init__(self, house: Client) -> None:
        self._house: Final = house
        self._transport: WSTransport | None = None
        self.met: Final = asyncio.Event()
        """Done when the house has said welcome or the connection is gone."""
        self.gone: Final = asyncio.Event()
        self.welcomed = False
        self.farewell: str | None = None
        """The reason that the house gave for closing the connection."""
        self.come_back = True
        self._left = False
        """Whether nobody waits for it any more: a house that answers late is not listened to."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        if self._left:
            self.cut()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            if not self._left:
                self._house._heard(self, frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            code = int.from_bytes(frame.get_payload_as_bytes()[:2])
            self.farewell = self.farewell or frame.get_close_reason() or f"The house closed the line ({code})."
            self.come_back = code not in set(CloseCode) or CloseCode(code).come_back
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.gone.set()
        self.met.set()

    def pause_writing(self) -> None:
        """No-op: a terminal sends little, and waits for the answer."""

    def resume_writing(self) -> None:
        """No-op."""

    def say(self, message: bytes) -> None:
        if self._transport is not None:
            self._transport.send(WSMsgType.TEXT, message)

    def cut(self) -> None:
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    async def leave(self) -> None:
        """Closes the connection with a handshake; does not wait for a house that does not answer."""
        self._left = True
        if self._transport is None or self.gone.is_set():
            return
        self._transport.send_close(WSCloseCode.OK, "Goodbye.")
        try:
            async with asyncio.timeout(1):
                await self.gone.wait()
        except TimeoutError:
            self._transport.disconnect(graceful=False)


def _words(error: Exception) -> str:
    """What went wrong, in the house's words if it sent some."""
    if isinstance(error, WSHandshakeError) and error.raw_body:
        try:
            return msgspec.json.decode(error.raw_body, type=_TurnedAway).reason
        except msgspec.MsgspecError:
            return error.raw_body.decode(errors="replace").strip()
    if isinstance(error, OSError) and not isinstance(error, Disconnected | ConnectionResetError):
        return f"The house does not answer ({error.strerror or 'in time'})."
    return str(error)


def connect(
    url: str | Sequence[str],
    token: str = "",
    *,
    patience: float = 60,
    answer_seconds: float = 10,
    heard: Callable[[AnyMessage], None] | None = None,
    tls: ssl.SSLContext | None = None,
    prove: Callable[[str], Awaitable[str]] | None = None,
) -> Client:
    """Connects a terminal to the house at `url` (`ws://localhost:8000/ws`), for `async with`. `Door` gives the url and the token.

    A lost connection is opened again for up to `patience` seconds; a command that is not answered within `answer_seconds` is
    sent again. A house that another process may take over has several addresses, which are tried in turn. `heard` is called with
    every message of the house, after the client's state is up to date with it; it must not block. `tls` is for a certificate that
    this machine does not trust by itself; `prove` gives the proof of a known terminal for each connection, by the terminal's own
    key for its commands.
    """
    return Client(url, token, patience=patience, answer_seconds=answer_seconds, heard=heard, tls=tls, prove=prove)


english(
    "refused",
    {
        "no-table-watched": "No table is watched: watch one first.",
        "nothing-shown": "Nothing has been shown of table {table} yet.",
        "seat-not-asked": "No question is open for this seat.",
    },
)
