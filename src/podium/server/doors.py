"""The doors of the house: who comes in, and as what.

Everybody who comes in gets a session (SEC-1): a token that only the terminal knows, and a record of it among the documents
of the house, so that a session survives a restart, expires, and ends at once when the person signs out.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import House, ticketing
from podium.house.events import Noted
from podium.house.people import (
    Enrolled,
    Passwords,
    Person,
    Session,
    begin_nameless,
    begin_session,
    check_session,
    draw_token,
    token_hash,
)
from podium.house.tickets import Ticket, read_number, ticket_key
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.approvals import Approval, Approvals
from podium.server.cookies import DISPLAY
from podium.server.floor import Floor
from podium.server.rates import Rate
from podium.server.sessions import Sessions
from podium.server.terminals import Who

T = TypeVar("T")

UNENROLLED: Final = "unenrolled"
"""The name in the meters for all terminals that are not enrolled, such as a guest's phone."""
SESSION_DIGITS: Final = 16
"""Digits of a session's stored hash that name a device which is not enrolled."""
MINUTE_MS: Final = 60_000


class CameIn(NamedTuple):
    """A person who came in, and the token for the terminal."""

    who: Who
    token: str


class Doors:
    """Lets people in. The floor asks it who is at a terminal."""

    def __init__(self, house: House, passwords: Passwords, entropy: Entropy) -> None:
        self._house: Final = house
        self._entropy: Final = entropy
        self.passwords: Final = passwords
        self._approvals: Final = Approvals(entropy)
        self.sessions: Final = Sessions(house)
        self._one_by_one: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._failures: OrderedDict[str, deque[int]] = OrderedDict()
        """When somebody last failed, by address."""
        self._guests_from: Final = Rate()
        self._to_hash = 0
        """Passwords that wait to be checked."""
        # Argon2 needs time and memory by design: one at a time, and never on the event loop.
        self._hashing: Final = ThreadPoolExecutor(1, thread_name_prefix="podium-argon2")
        self.floor: Floor | None = None

    def close(self) -> None:
        self._hashing.shutdown(wait=False, cancel_futures=True)

    # --- what the floor asks ----------------------------------------------------------------------------------------

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        if token == DISPLAY and self._house.config.guests:
            return Who(DISPLAY, DISPLAY)
        key = token_hash(token)
        session = self.sessions.find(key)
        if session is None:
            enrolled = self._house.shelf.find(Enrolled, key)
            return Who(enrolled.name, DISPLAY) if enrolled is not None and enrolled.active else None
        try:
            goes_on = check_session(session, token, now, dealer_idle=self._house.config.idle_minutes * MINUTE_MS)
        except Refused:
            return None
        if active:
            self.sessions.touch(goes_on, now)
        terminal = session.terminal or UNENROLLED
        device = f"session {session.key[:SESSION_DIGITS]}" if terminal == UNENROLLED else ""
        return Who(session.person, session.role, terminal, device)

    def terminal(self, token: str) -> str:
        """The name of the enrolled terminal that shows this token (SEC-3)."""
        enrolled = self._house.shelf.find(Enrolled, token_hash(token)) if token else None
        return enrolled.name if enrolled is not None and enrolled.active else UNENROLLED

    def approve(self, code: str, now: int) -> str:
        """The supervisor who issued this code; a wrong code is a significant event."""
        try:
            return self._approvals.use(code, now)
        except Refused as refusal:
            self._house.note(Noted("approval-failed", "floor", reason=str(refusal)), now)
            raise

    def give_approval(self, by: str, now: int) -> tuple[str, Approval]:
        return self._approvals.give(by, now)

    # --- coming in --------------------------------------------------------------------------------------------------

    async def guest(self, address: str, terminal: str) -> CameIn:
        """A guest with play money, where the house receives guests; not too many from one address, nor in all."""
        config = self._house.config
        if not config.guests:
            raise Refused("no-guests")
        if not self._guests_from.allows(address, config.guests_per_minute, self._at_desk.clock()):
            raise Refused("guests-quick", guests=config.guests_per_minute)
        name = self._new_name("guest")
        key = f"welcome.{name}"

        def admit(now: int) -> CameIn:
            if (
                self._house.asked(key) is not None
            ):  # taken by a player who was forgotten long ago (one in a million): draw again
                raise Refused("name-drawn")
            self._turn_away(self.sessions.make_room_for_guest(now, config.guests_at_once))
            came_in = self._admit_nameless(name, "guest", terminal, now)
            if config.guest_credit:
                self._house.pay_in(name, config.guest_credit, now, key=key, by="house", terminal=terminal)
            return came_in

        return await self._at_desk.once(key, admit)

    def _new_name(self, how: str) -> str:
        """A name for a player without an account."""
        name = f"{how}-{self._entropy(5).hex()}"
        while name in self._house.players:
            name = f"{how}-{self._entropy(5).hex()}"
        return name

    async def by_ticket(self, number: str, address: str, terminal: str) -> CameIn:
        """Lets the holder of a ticket in with its credit, which redeems the ticket."""
        self.check_patience(address)
        try:
            ticket = ticket_key(read_number(number))
            key = f"ticket-in.{self._entropy(16).hex()}"

            def admit(now: int) -> CameIn:
                # The ticket is checked before anything is recorded, so that a refusal leaves nothing behind.
                ticketing.check_redeemable(self._house, number, now)
                found = self._house.shelf.find(Ticket, ticket)
                how = "guest" if found is not None and found.site == ticketing.PLAY_MONEY else "ticket"
                name = self._new_name(how)
                came_in = self._admit_nameless(name, how, terminal, now)
                ticketing.redeem(self._house, name, number, now, key=key, terminal=terminal)
                return came_in

            return await self._at_desk.once(key, admit, ticket=ticket)
        except Refused as refusal:
            await self.note_failure("ticket-refused", "", address, str(refusal))
            raise

    def _admit_nameless(self, name: str, how: str, terminal: str, now: int) -> CameIn:
        token = draw_token(self._entropy)
        gave_way = self.sessions.make_room(now)
        self._house.admit(name, how, now)
        self._turn_away(gave_way + self.sessions.begin(begin_nameless(name, token, terminal, now), now))
        return CameIn(Who(name, "player", terminal), token)

    def _turn_away(self, ended: list[Session]) -> None:
        if ended:
            self._at_desk.turn_away(self._at_desk.clock())

    async def sign_in(self, name: str, password: str, address: str, terminal: str) -> CameIn:
        """Signs a person in by name and password, or by card number and PIN (SEC-1)."""
        self.check_patience(address)
        key = name.strip().lower()
        # One attempt at a time for each name, so that a hundred at once do not count as one.
        async with self._one_by_one.setdefault(key, asyncio.Lock()):
            person = self._house.shelf.find(Person, key)
            now = self._at_desk.clock()
            tried = await self.hashed(lambda: self.passwords.sign_in(person, password, now))
            if tried.person is not None and tried.person != person:
                self._house.shelf.put(tried.person, now)
            if tried.refused is not None or tried.person is None:
                refusal = tried.refused or Refused("sign-in-wrong")
                await self.note_failure("sign-in-failed", key, address, str(refusal))
                if tried.person is not None and person is not None and tried.person.locked_until > person.locked_until:
                    await self.note_failure("locked-out", key, address, "too many wrong passwords")
                raise refusal
            return await self.begin(tried.person, terminal)

    async def hashed(self, work: Callable[[], T]) -> T:
        """Hashes or checks a password on its own thread."""
        if self._to_hash >= limits.MAX_WAITING_PASSWORDS:
            raise Refused("doors-busy", clause="SEC-1")
        self._to_hash += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._hashing, work)
        finally:
            self._to_hash -= 1

    async def begin(self, person: Person, terminal: str) -> CameIn:
        """Opens a session for a person who has proved their identity."""
        token = draw_token(self._entropy)

        def admit(now: int) -> CameIn:
            if person.role == "player":
                self._house.admit(person.key, "card", now)
            self._turn_away(self.sessions.begin(begin_session(person, token, terminal, now), now))
            return CameIn(Who(person.key, person.role, terminal), token)

        return await self._at_desk.in_house(admit)

    # --- failing ----------------------------------------------------------------------------------------------------

    def check_patience(self, address: str) -> None:
        """Refuses an address that has failed too often in the last minute."""
        now = self._at_desk.clock()
        recent = [at for at in self._failures.get(address, ()) if now - at < MINUTE_MS]
        if len(recent) >= limits.MAX_FAILURES_PER_MINUTE:
            raise Refused("too-many-tries", clause="SEC-1")
        if not recent:
            self._failures.pop(address, None)

    async def note_failure(self, kind: str, name: str, address: str, reason: str) -> None:
        """EVT-1: notes a failed attempt from that address."""
        failed = self._failures.setdefault(address, deque(maxlen=limits.MAX_FAILURES_PER_MINUTE))
        failed.append(self._at_desk.clock())
        self._failures.move_to_end(address)
        while len(self._failures) > limits.MAX_WATCHED_ADDRESSES:
            self._failures.popitem(last=False)
        note = Noted(kind, address, shortened(name), reason)
        await self._at_desk.in_house(lambda now: self._house.note(note, now))

    # --- leaving ----------------------------------------------------------------------------------------------------

    async def sign_out(self, token: str) -> None:
        """Ends the session, on every connection that uses its token."""
        await self._at_desk.in_house(lambda now: self.sessions.end([token_hash(token)], now))
        self._at_desk.turn_away(self._at_desk.clock())

    async def end(self, which: Callable[[Session], bool]) -> None:
        """End every session that matches."""
        await self._at_desk.in_house(lambda now: self.sessions.end(self.sessions.matching(which), now))
        self._at_desk.turn_away(self._at_desk.clock())

    async def forget(self) -> None:
        """Forgets ended sessions and players who left without money, some at a time."""
        players, documents = self.sessions.over(self._at_desk.clock())
        if players or documents:
            await self._at_desk.in_house(lambda now: self.sessions.let_go(players, documents, now))

    @property
    def _at_desk(self) -> Floor:
        if self.floor is None:
            raise Refused("house-not-open")
        return self.floor


english(
    "refused",
    {
        "name-drawn": "This name is taken: come in again.",
        "doors-busy": "Too many people are signing in: try again in a moment.",
        "guests-quick": "More than {guests:count} guests have come from here within a minute: wait a moment.",
        "no-guests": "This house receives no guests: sign in with your card or a ticket.",
        "too-many-tries": "Too many failed tries came from here: wait a minute.",
        "house-not-open": "The house is not open yet.",
    },
)
