"""The part that both gateways share: admission, limits and disconnection."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from http import HTTPStatus
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from multidict import MultiMapping

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import HouseConfig
from podium.server.arrivals import Arrivals, Evidence
from podium.server.cookies import DISPLAY, SESSION, TERMINAL, shown_token
from podium.server.gateway import Desk, Ended, Limits, LineCheck
from podium.server.gateway.entrance import certificate_of, peer_address
from podium.server.log import log, place_of
from podium.wire.codes import CloseCode

PATH: Final = "/ws"
ASKED: Final = ("tab", "as", "proof")
"""What the query of its address may hold: the terminal's own key, `as=display` for a wall, and the proof of a known
terminal."""
REASON_BYTES: Final = 123
"""RFC 6455 5.5: a closing frame carries 125 bytes, two of which are the code."""


class NotAdmitted(Exception):
    """A request that opens no line: the answer's HTTP status, and why."""

    def __init__(self, status: HTTPStatus, refusal: Refused) -> None:
        super().__init__(refusal)
        self.status: Final = status
        self.refusal: Final = refusal


class Admitted(NamedTuple):
    """A request that opens a line."""

    token: str
    peer: str


class Switchboard:
    """All lines of one gateway."""

    def __init__(
        self, desk: Desk, limits: Limits, arrivals: Arrivals | None = None, known: LineCheck | None = None
    ) -> None:
        self.desk: Final = desk
        self._known: Final = known
        self.limits: Final = limits
        self.lines: Final[set[Line]] = set()
        """Every open socket, also those that are being told goodbye."""
        self.at_desk: Final[set[Line]] = set()
        """Those that the desk knows."""
        self._unsent = 0
        """How many bytes wait to be sent on all lines, as far as they were counted."""
        self.arrivals: Final = arrivals or Arrivals(HouseConfig)
        self._all_gone: Final = asyncio.Event()
        self._closing = False
        self._sweeper: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """Starts to check the lines periodically."""
        self._sweeper = asyncio.create_task(self._sweep())

    def admit(self, target: str, headers: MultiMapping[str], transport: asyncio.BaseTransport) -> Admitted:
        """Admits a request for a line, or says why not."""
        asked = _asked(target)
        here = peer_address(transport)
        arrival = self.arrivals.read(here, headers, tls=transport.get_extra_info("sslcontext") is not None)
        try:
            self.arrivals.check_host(arrival)
        except Refused as refusal:
            raise NotAdmitted(HTTPStatus.MISDIRECTED_REQUEST, refusal) from None
        try:
            # Another page in the player's browser must not open a line in the player's name.
            self.arrivals.check_origin(arrival, headers)
        except Refused as refusal:
            raise NotAdmitted(HTTPStatus.FORBIDDEN, refusal) from None
        if asked.get("as") == DISPLAY:
            token = shown_token(headers, TERMINAL, secure=arrival.secure) or DISPLAY
        else:
            token = shown_token(headers, SESSION, secure=arrival.secure)
        # What follows a `~` is the terminal's own key, and no token contains one: the desk must not see a different
        # token than this check does.
        token = token.partition("~")[0]
        # Also where a display is asked for: somebody could present a session's token as a display's.
        self._check_terminal(token, asked, headers, transport, secure=arrival.secure)
        key = f"~{asked['tab']}" if asked.get("tab") else ""
        same = arrival.address == here
        return Admitted(token + key, peer(transport.get_extra_info("peername")) if same else arrival.address)

    def _check_terminal(
        self,
        token: str,
        asked: dict[str, str],
        headers: MultiMapping[str],
        transport: asyncio.BaseTransport,
        *,
        secure: bool,
    ) -> None:
        """SEC-3: a session that began at a known terminal opens lines from there alone."""
        if self._known is None:
            return
        shown = Evidence(
            shown_token(headers, TERMINAL, secure=secure), certificate_of(transport), asked.get("proof", "")
        )
        try:
            self._known(token, shown, asked.get("tab", ""))
        except Refused as refusal:
            raise NotAdmitted(HTTPStatus.UNAUTHORIZED, refusal) from None

    def opened(self, line: "Line") -> None:
        """Takes an open socket, which comes to the desk if there is a place."""
        self.lines.add(line)
        if self._closing:
            line.end(CloseCode.GOING_AWAY, "The house is closing.")
        elif len(self.at_desk) >= self.limits.connections:
            line.end(
                CloseCode.LATER, f"The house is full: all {self.limits.connections:,} lines are taken. Try again later."
            )
        else:
            self.at_desk.add(line)
            line.ask(lambda: self.desk.opened(line))

    def gone(self, line: "Line") -> None:
        """Forgets a socket that was closed."""
        line.forget()
        self.count_unsent(line, 0)
        self.lines.discard(line)
        if line in self.at_desk:
            self.at_desk.discard(line)
            try:
                self.desk.closed(line)
            except Exception:
                log.exception("the desk failed when a terminal was gone", peer=line.peer)
        if not self.lines:
            self._all_gone.set()

    def count_unsent(self, line: "Line", waiting: int) -> bool:
        """Notes how much waits to be sent on a line. If all lines together have too much, the slowest terminal is
        disconnected. Returns whether that was another terminal."""
        self._unsent += waiting - line.behind
        line.behind = waiting
        if self._unsent > self.limits.unsent_bytes_in_all:
            self._count_all()
        while self._unsent > self.limits.unsent_bytes_in_all:
            self._cut_the_slowest()
        return not line.ending

    def _count_all(self) -> None:
        """Counts all lines again, because terminals have read since."""
        for line in self.lines:
            line.behind = line.unsent()
        self._unsent = sum(line.behind for line in self.lines)

    def _cut_the_slowest(self) -> None:
        slowest = max(self.lines, key=lambda line: line.behind)
        slowest.end(CloseCode.LATER, "Too much waits to be read by all terminals, and this one is furthest behind.")
        # At once, not after the usual farewell: the bytes that wait for it are the problem.
        slowest.cut()
        self._unsent -= slowest.behind
        slowest.behind = 0

    async def goodbye(self) -> None:
        """Tells every terminal that the house closes, and waits until all of them are gone."""
        self._closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        for line in list(self.lines):
            line.end(CloseCode.GOING_AWAY, "The house is closing. Come back in a moment.")
        while self.lines:
            self._all_gone.clear()
            await self._all_gone.wait()

    async def _sweep(self) -> None:
        """Checks all lines periodically, instead of a timer for each."""
        idle = self.limits.idle_seconds
        while True:
            await asyncio.sleep(idle / 4)
            now = monotonic()
            for line in list(self.lines):
                if now - line.heard_at > idle:
                    line.end(CloseCode.LATER, f"Nothing was heard from this terminal for {idle:g} seconds.")
                elif now - line.heard_at > idle / 2:
                    line.ping()


class Line(ABC):
    """One terminal's connection, kept within the limits. An implementation adds how bytes come and go."""

    write: Callable[[bytes], object]
    """Send a text message, even if others are queued."""
    unsent: Callable[[], int]
    """How many bytes wait to be sent."""

    def __init__(self, board: Switchboard, admitted: Admitted) -> None:
        self.board: Final = board
        self.token, self.peer = admitted
        self.heard_at = monotonic()
        self.ending = False
        self.ended: Ended | None = None
        self.behind = 0
        """How many bytes waited to be sent when they were last counted."""
        self._most_unsent: Final = board.limits.unsent_bytes
        self._per_message: Final = 1 / board.limits.messages_per_second
        self._burst: Final = board.limits.burst / board.limits.messages_per_second
        self._paid_until = 0.0
        """A token bucket as a time: each message moves it on, and it may be ahead by at most the burst."""
        self._cut: asyncio.TimerHandle | None = None

    # --- what the desk does -----------------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Sends one message, or disconnects a terminal that did not read those before."""
        if self.ending:
            return
        waiting = self.unsent()
        if waiting > self._most_unsent:
            limit = self._most_unsent
            self.end(CloseCode.LATER, f"This terminal does not keep up: more than {limit:,} bytes wait to be read.")
        elif not (waiting or self.behind) or self.board.count_unsent(self, waiting):
            self.write(message)

    def close(self, reason: str, code: CloseCode = CloseCode.DONE) -> None:
        """Ends the connection, telling the terminal why."""
        self.end(code, reason)

    # --- what an implementation calls -------------------------------------------------------------------------------

    def counts(self) -> bool:
        """Counts a frame of any kind. Returns whether it is within the rate and should be handled."""
        if self.ending:
            return False
        now = self.heard_at = monotonic()
        paid_until = max(self._paid_until, now) + self._per_message
        if paid_until - now > self._burst:
            limits = self.board.limits
            most = f"{limits.messages_per_second:g} a second, {limits.burst:,} at once"
            self.end(CloseCode.NOT_ALLOWED, f"Too many messages: a terminal may send {most}.")
            # Stop reading from a client that floods; the goodbye is on its way, then the connection is closed.
            self.stop_reading()
            return False
        self._paid_until = paid_until
        return True

    def text(self, message: bytes) -> None:
        """Takes a whole text message."""
        if len(message) > self.board.limits.message_bytes:
            self.end(CloseCode.TOO_BIG, self.too_big)
        elif not (message.isascii() or _is_utf8(message)):
            self.end(CloseCode.NOT_UTF8, "This message is not text in UTF-8.")
        else:
            self.ask(lambda: self.board.desk.heard(self, message))

    def binary(self) -> None:
        """Takes a binary message, which ends the line."""
        self.end(CloseCode.NOT_TEXT, "A message must be text, not binary.")

    @property
    def too_big(self) -> str:
        return f"A message may be {self.board.limits.message_bytes:,} bytes long at most."

    def ask(self, question: Callable[[], None]) -> None:
        """Calls the desk. A bug there costs one terminal its line, and affects nobody else."""
        try:
            question()
        except Exception as error:
            log.exception("the desk failed", peer=self.peer)
            self.end(CloseCode.MISTAKE, "The house made an error; its log has the details. Please connect again.")
            self.ended = Ended(CloseCode.MISTAKE, place_of(error))

    def end(self, code: CloseCode, reason: str) -> None:
        """Sends the closing frame once, and cuts the line if the terminal does not answer it."""
        if self.ending:
            return
        self.ending = True
        self.ended = Ended(code, reason)
        if code not in {CloseCode.DONE, CloseCode.GOING_AWAY}:
            log.info("a terminal is disconnected", peer=self.peer, close_code=int(code), reason=reason)
        # Closing at once could lose the closing frame: unread bytes make the kernel reset the connection.
        self._cut = asyncio.get_running_loop().call_later(self.board.limits.farewell_seconds, self.cut)
        self.farewell(code, reason.encode()[:REASON_BYTES].decode(errors="ignore"))

    def forget(self) -> None:
        """Forgets the line, because its socket is closed."""
        self.ending = True
        if self._cut is not None:
            self._cut.cancel()

    # --- what an implementation adds --------------------------------------------------------------------------------

    @abstractmethod
    def ping(self) -> None:
        """Pings the terminal."""

    @abstractmethod
    def farewell(self, code: CloseCode, reason: str) -> None:
        """Sends the closing frame."""

    @abstractmethod
    def stop_reading(self) -> None:
        """Stops reading from the terminal."""

    @abstractmethod
    def cut(self) -> None:
        """Closes the socket at once and drops what is queued."""


def peer(address: object) -> str:
    """An address as people write it."""
    return f"{address[0]}:{address[1]}" if isinstance(address, tuple) else "unknown"


def _asked(target: str) -> dict[str, str]:
    """The query in the address of a line. A token has no place there: addresses are written to logs."""
    try:
        found = parse_qs(urlsplit(target).query, keep_blank_values=True, errors="strict")
    except ValueError:
        raise NotAdmitted(HTTPStatus.BAD_REQUEST, Refused("address-unreadable")) from None
    if "token" in found:
        raise NotAdmitted(HTTPStatus.BAD_REQUEST, Refused("token-in-address"))
    if any(name not in ASKED for name in found):
        raise NotAdmitted(HTTPStatus.BAD_REQUEST, Refused("line-address", known=ASKED))
    return {name: values[0] for name, values in found.items()}


def _is_utf8(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True


english(
    "refused",
    {
        "address-unreadable": "This address cannot be read.",
        "line-address": "The address of a connection takes only these parameters: {known}.",
        "token-in-address": "A session token has no place in an address, which is written to logs: sign in, and send the cookie.",
    },
)
