"""The doors of the house: signing in, and the role that comes with it.

Everybody who comes in gets a session (SEC-1): a token that only the terminal knows, and a record of it among the documents
of the house, so that a session survives a restart, expires, and ends at once when the person signs out.
"""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple, TypeVar

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house import House, ticketing
from podium.house.events import Noted
from podium.house.pending import Pending
from podium.house.people import (
    DUTIES,
    Enrolled,
    Passwords,
    Person,
    Role,
    Session,
    Strikes,
    begin_nameless,
    begin_session,
    check_password,
    check_session,
    struck,
)
from podium.record.fair import Entropy
from podium.server import limits
from podium.server.approvals import Act, Approvals, WrongCode
from podium.server.arrivals import Evidence
from podium.server.cookies import DISPLAY
from podium.server.floor import Floor
from podium.server.known import UNENROLLED, KnownTerminals, NotProved, Where, about_line
from podium.server.numbers import TicketNumbers
from podium.server.rates import Rate
from podium.server.sessions import Sessions
from podium.server.terminals import Who
from podium.server.tokens import Tokens
from podium.server.tries import AtNoCost, TriesByAddress, TriesByName

T = TypeVar("T")

READER: Final = "reader"
"""The role of an enrolled card reader; no person has it (CARD-11)."""

SESSION_DIGITS: Final = 16
"""Digits of a session's stored hash that name a device which is not enrolled."""
MINUTE_MS: Final = 60_000
HASHING_THREADS: Final = 2
HASHING_NICENESS: Final = 10


class CameIn(NamedTuple):
    """A person who signed in, and the token for the terminal."""

    who: Who
    token: str


class _Tried(NamedTuple):
    """A password that was checked for a name: against which account, and where."""

    name: str
    seen: Person | None
    matches: bool
    lane: str
    """The enrolled terminal at which it was tried; all others together are ""."""
    address: str


class Doors:
    """Lets people in. The floor asks it who is at a terminal."""

    def __init__(
        self, house: House, passwords: Passwords, entropy: Entropy, numbers: TicketNumbers, tokens: Tokens
    ) -> None:
        self._house: Final = house
        self.tokens: Final = tokens
        self._entropy: Final = entropy
        self._numbers: Final = numbers
        self.passwords: Final = passwords
        self._approvals: Final = Approvals(entropy, house.shelf, tokens.acts)
        self.sessions: Final = Sessions(house)
        self.passwords_tried: Final = TriesByAddress()
        self.tickets_tried: Final = TriesByAddress()
        """Counted separately: after mistyped tickets one can still sign in, and the other way round."""
        self._names_tried: Final = TriesByName()
        self._guests_from: Final = Rate()
        self._to_hash: Counter[str] = Counter()
        """Passwords that wait to be checked: from enrolled terminals, from all others, and from each address of these."""
        # Argon2 takes its time and its memory by design: a few at a time, and never on the event loop.
        self._hashing: Final = ThreadPoolExecutor(
            HASHING_THREADS, thread_name_prefix="podium-argon2", initializer=_give_way
        )
        self.floor: Floor | None = None

    def close(self) -> None:
        self._hashing.shutdown(wait=False, cancel_futures=True)

    # --- what the floor asks ----------------------------------------------------------------------------------------

    def arrives(self, token: str, where: Where, now: int, *, active: bool = False) -> Who | None:
        """The person behind the token of a request or a line. A session that began at a known terminal works only there."""
        session = self._session(token)
        if session is not None and session.device and session.device != where.known:
            return None
        return self.identify(token, now, active=active)

    def check_line(self, terminals: KnownTerminals, token: str, shown: Evidence, tab: str) -> None:
        """Refuses a line of a session that began at another terminal, and of a card reader that does not prove itself (SEC-3)."""
        session, reader = self._session(token), self._reader(token)
        if session is None and reader is not None:
            self._check_reader(reader)
            device, shown = reader.key if reader.is_known else "", shown._replace(token=token)
        else:
            device = session.device if session is not None else ""
        if not device:
            return
        try:
            where = terminals.where(shown, about_line(tab))
        except NotProved as error:
            raise error.refusal from None
        if where.known != device:
            raise Refused("proof-missing" if session is not None else "reader-proof-missing", clause="SEC-3")

    def _reader(self, token: str) -> Enrolled | None:
        """The enrolled card reader with this token."""
        found = self.tokens.find(self._house, Enrolled, token)
        return found if found is not None and found.reads else None

    def _check_reader(self, reader: Enrolled) -> None:
        """Refuses a reader without a key where staff work at known terminals only: somebody who copied its token could
        enter cards."""
        if not reader.is_known and self._house.config.known_terminals != "none":
            raise Refused("reader-without-key", clause="SEC-3")

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        if token == DISPLAY and self._house.config.guests:
            return Who(DISPLAY, DISPLAY)
        session = self._session(token)
        if session is None:
            enrolled = self.tokens.find(self._house, Enrolled, token)
            if enrolled is None or not enrolled.is_valid(now):
                return None
            if enrolled.reads and not enrolled.is_known and self._house.config.known_terminals != "none":
                return None
            if enrolled.reads:
                return Who(enrolled.name, READER, enrolled.name, reads=enrolled.reads)
            return Who(enrolled.name, DISPLAY)
        try:
            goes_on = check_session(session, now, dealer_idle=self._house.config.idle_minutes * MINUTE_MS)
            self._check_known(session.role, session.device, is_guest=self._is_guest(session))
        except Refused:
            return None
        if active:
            self.sessions.touch(goes_on, now)
        terminal = session.terminal or UNENROLLED
        device = f"session {session.key[:SESSION_DIGITS]}" if terminal == UNENROLLED else ""
        return Who(session.person, session.role, terminal, device)

    def _session(self, token: str) -> Session | None:
        found = (self.sessions.find(key) for key in self.tokens.keys(Session, token))
        return next((each for each in found if each is not None), None)

    def _is_guest(self, session: Session) -> bool:
        return session.nameless and self._house.is_guest(session.person)

    def _check_known(self, role: Role, device: str, *, is_guest: bool = False) -> None:
        """SEC-3: refuses people who need a known terminal and are not at one."""
        wanted = self._house.config.known_terminals
        if device or wanted == "none":
            return
        if role != "player":
            raise AtNoCost("staff-terminal", clause="SEC-3")
        if wanted == "all" and not is_guest:
            raise AtNoCost("money-terminal", clause="SEC-3")

    # --- second persons (SEC-6) --------------------------------------------------------------------------------------

    def approve(self, act: Act, code: str, now: int, *, clause: str = "SEC-6") -> str:
        """Uses up the approval of this act and returns who gave it; a wrong code is a significant event."""
        try:
            return self._approvals.take(act, code, now, self._may_approve, clause=clause)
        except WrongCode as refusal:
            self._house.note(Noted("approval-failed", act.place, act.asker, f"{refusal} {act.said}"), now)
            raise

    def asked_by(self, person: str) -> list[Pending]:
        """The acts that somebody has asked a second person to approve."""
        return self._approvals.asked_by(person, self._at_desk.clock())

    def waiting_for(self, person: str) -> list[Pending]:
        """The acts that this person may approve."""
        return self._approvals.waiting_for(person, self._at_desk.clock(), self._may_approve)

    async def decide_approval(self, key: str, by: str, *, accept: bool) -> Pending:
        """A second person accepts or refuses an act. A refusal is a significant event; an approved act records who approved it."""

        def decide(now: int) -> Pending:
            decided = self._approvals.decide(key, by, now, self._may_approve, accept=accept)
            if not accept:
                self._house.note(Noted("approval-refused", decided.place, by, _asked(decided)), now)
            return decided

        return await self._at_desk.in_house(decide)

    async def give_code(self, key: str, by: str) -> tuple[str, int]:
        """A code for one act, to be typed where it was asked for, and until when it holds."""
        return await self._at_desk.in_house(lambda now: self._approvals.give_code(key, by, now, self._may_approve))

    def void_approvals(self, person: str, now: int) -> None:
        """Drops everything that this person asked for or approved."""
        self._approvals.void(person, now)

    def _may_approve(self, name: str, act: Pending) -> bool:
        """Whether somebody can approve an act now: the account is open, signed in, and has the duty."""
        person = self._house.shelf.find(Person, name)
        if person is None or not person.active or not self.sessions.has(name) or name == act.concerns:
            return False
        return bool(DUTIES[person.role].intersection(act.duties))

    # --- coming in --------------------------------------------------------------------------------------------------

    async def guest(self, address: str, where: Where) -> CameIn:
        """Lets in a guest with play money, if the house allows guests; limited per address and in all."""
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
            came_in = self._admit_nameless(name, "guest", where, now)
            if config.guest_credit:
                self._house.pay_in(name, config.guest_credit, now, key=key, by="house", terminal=where.terminal)
            return came_in

        return await self._at_desk.once(key, admit)

    def _new_name(self, how: str) -> str:
        """A name for a player without an account."""
        name = f"{how}-{self._entropy(5).hex()}"
        while name in self._house.players:
            name = f"{how}-{self._entropy(5).hex()}"
        return name

    async def by_ticket(self, number: str, address: str, where: Where) -> CameIn:
        """The holder of a ticket comes in with its credit, which redeems the ticket; not in a house where only players with an
        account play (PROT-1)."""
        if not self._house.config.tickets_play:
            raise Refused("account-needed", clause="PROT-1")
        if not self._house.config.guests:  # where guests come in, the ticket may be one for play money
            self._check_known("player", where.known)
        with self.tickets_tried.one(address, self._at_desk.clock()):
            try:
                return await self._redeemed(number, where)
            except AtNoCost:
                raise
            except Refused as refusal:
                await self.note_failure("ticket-refused", "", address, str(refusal))
                raise

    async def _redeemed(self, number: str, where: Where) -> CameIn:
        shown = self._numbers.shown(number)
        key = f"ticket-in.{self._entropy(16).hex()}"

        def admit(now: int) -> CameIn:
            # The ticket is checked before anything is recorded, so that a refusal leaves nothing behind.
            ticketing.check_redeemable(self._house, shown, now)
            found = ticketing.find(self._house, shown)
            how = "guest" if found is not None and found.site == ticketing.PLAY_MONEY else "ticket"
            self._check_known("player", where.known, is_guest=how == "guest")
            name = self._new_name(how)
            came_in = self._admit_nameless(name, how, where, now)
            ticketing.redeem(self._house, name, shown, now, key=key, terminal=where.terminal)
            return came_in

        return await self._at_desk.once(key, admit, ticket=shown)

    def _admit_nameless(self, name: str, how: str, where: Where, now: int) -> CameIn:
        token = self.tokens.draw()
        gave_way = self.sessions.make_room(now)
        self._house.admit(name, how, now)
        session = begin_nameless(name, self.tokens.key(Session, token), where.terminal, now, where.known)
        self._turn_away(gave_way + self.sessions.begin(session, now))
        return CameIn(Who(name, "player", where.terminal), token)

    def _turn_away(self, ended: list[Session]) -> None:
        if ended:
            self._at_desk.turn_away(self._at_desk.clock(), {session.person for session in ended})

    async def sign_in(self, name: str, password: str, address: str, where: Where) -> CameIn:
        """Signs a person in by name and password, or by card number and PIN (SEC-1)."""
        key = name.strip().lower()
        await self._check_terminal(key, address, where)
        return await self._prove(
            key, password, address, where.terminal, lambda person, now: self.admit(person, where, now)
        )

    async def _check_terminal(self, name: str, address: str, where: Where) -> None:
        """SEC-3: at an unknown terminal, the passwords of people who need a known one are not checked at all."""
        known = self._house.shelf.find(Person, name)
        try:
            self._check_known(known.role if known is not None else "player", where.known)
        except Refused as refusal:
            await self.note_failure("sign-in-failed", name, address, str(refusal))
            raise

    async def change_password(self, token: str, old: str, new: str, address: str) -> None:
        """Changes the password of the person who is signed in, who must give the old one. The person's other sessions
        end."""
        session = self._session(token)
        if session is None or session.nameless:
            raise Refused("no-password-here")
        known = self._house.shelf.find(Person, session.person)
        if known is not None:
            check_password(known, new)  # an unacceptable password does not count as an attempt
        proved = await self._prove(session.person, old, address, session.terminal, lambda person, now: person)
        fresh = await self.hashed(lambda: self.passwords.set(proved, new), enrolled=_is_enrolled(session.terminal))

        def change(now: int) -> None:
            known = self._house.shelf.find(Person, proved.key)
            if known is None or not known.active or known.password != proved.password:
                raise Refused("account-changed")
            self.set_password(known, fresh.password, now, keep=session.key)
            self._house.note(Noted("person-changed", known.key, known.key, "changed the password"), now)

        await self._at_desk.in_house(change)

    def set_password(self, person: Person, hashed: str, now: int, *, keep: str = "") -> Person:
        """Gives a person another password. Sessions that were begun with the old one end, except the one to `keep`."""
        changed = msgspec.structs.replace(person, password=hashed, failures=0, locked_until=0)
        self._house.shelf.put(changed, now, before=person)
        self.end(lambda session: session.person == person.key and session.key != keep, now)
        return changed

    async def _prove(
        self, name: str, password: str, address: str, terminal: str, then: Callable[[Person, int], T]
    ) -> T:
        """Checks a password and acts as its owner in one step. The attempt counts from its beginning; the account as it is
        after the hash was computed decides."""
        lane = terminal if _is_enrolled(terminal) else ""
        with self.passwords_tried.one(address, self._at_desk.clock()):
            seen = self._house.shelf.find(Person, name)
            try:
                strikes = self._strikes(seen, name, lane)
                with self._names_tried.one(name, lane, strikes, self._at_desk.clock()) as decided:
                    check = partial(self.passwords.matches, seen, password)
                    matches = await self.hashed(check, enrolled=bool(lane), address=address)
                    tried = _Tried(name, seen, matches, lane, address)

                    def decide(now: int) -> T:
                        decided()
                        return then(self._decide(tried, now), now)

                    return await self._at_desk.in_house(decide)
            except AtNoCost:
                raise
            except Refused as refusal:
                await self.note_failure("sign-in-failed", name, address, str(refusal))
                raise

    def _decide(self, tried: "_Tried", now: int) -> Person:
        """The person whose password was right; anything else is refused and counted."""
        name, seen, matches, lane, address = tried
        person = self._house.shelf.find(Person, name)
        if person is not None and (seen is None or seen.password != person.password):
            raise Refused("account-changed")
        strikes = self._strikes(person, name, lane)
        strikes.check(now)
        if person is None or not matches:
            strikes = strikes.after_one_more(now)
            self._strike(person, name, lane, strikes, now)
            if person is not None and strikes.locked_until:
                self._house.note(Noted("locked-out", address, shortened(name), "too many wrong passwords"), now)
            raise Refused("sign-in-wrong")
        if not person.active:
            raise Refused("sign-in-closed")
        return self._strike(person, name, lane, Strikes(), now) or person

    def _strikes(self, person: Person | None, name: str, lane: str) -> Strikes:
        """Wrong passwords in a row: those at an enrolled terminal are counted there, apart from those of strangers."""
        return self._names_tried.strikes(name, lane) if lane or person is None else person.strikes

    def _strike(self, person: Person | None, name: str, lane: str, strikes: Strikes, now: int) -> Person | None:
        if lane or person is None:
            self._names_tried.strike(name, lane, strikes)
            return person
        if strikes == person.strikes:
            return person
        changed = struck(person, strikes)
        self._house.shelf.put(changed, now, before=person)
        return changed

    async def hashed(self, work: Callable[[], T], *, enrolled: bool = False, address: str = "") -> T:
        """Hashes or checks a password on a thread. The queue is short, shorter still for one address, and has places
        that only enrolled terminals can take."""
        lanes = {"enrolled": limits.MAX_WAITING_PASSWORDS} if enrolled else {"others": limits.MAX_WAITING_PASSWORDS}
        if address and not enrolled:
            lanes[f"from {address}"] = limits.MAX_WAITING_PASSWORDS_PER_ADDRESS
        if any(self._to_hash[lane] >= most for lane, most in lanes.items()):
            raise AtNoCost("doors-busy", clause="SEC-1")
        self._to_hash.update(lanes.keys())
        try:
            return await asyncio.get_running_loop().run_in_executor(self._hashing, work)
        finally:
            self._to_hash.subtract(lanes.keys())
            self._to_hash = +self._to_hash

    def admit(self, person: Person, where: Where, now: int) -> CameIn:
        """Begins the session of a person, by the current state of the account."""
        if self._house.shelf.find(Person, person.key) is not person:
            raise Refused("account-changed")
        if not person.active:
            raise Refused("sign-in-closed")
        self._check_known(person.role, where.known)
        if person.role == "player":
            self._house.check_admitted(person.key, now)  # PROT-1
        token = self.tokens.draw()
        if person.role == "player":
            self._house.admit(person.key, "card", now)
        session = begin_session(person, self.tokens.key(Session, token), where.terminal, now, where.known)
        self._turn_away(self.sessions.begin(session, now))
        return CameIn(Who(person.key, person.role, where.terminal), token)

    def admit_or_not(self, person: Person, where: Where, now: int) -> CameIn:
        """The same for somebody who has just chosen a password, but without a token for people who need a known
        terminal and must sign in there."""
        try:
            self._check_known(person.role, where.known)
        except Refused:
            return CameIn(Who(person.key, person.role, where.terminal), "")
        return self.admit(person, where, now)

    # --- failing ----------------------------------------------------------------------------------------------------

    async def note_failure(self, kind: str, name: str, address: str, reason: str) -> None:
        """EVT-1: notes a failed attempt from that address."""
        note = Noted(kind, address, shortened(name), reason)
        await self._at_desk.in_house(lambda now: self._house.note(note, now))

    # --- leaving ----------------------------------------------------------------------------------------------------

    async def sign_out(self, token: str) -> None:
        """Ends a session and every line that uses its token, and drops the acts that the person asked for or approved."""

        def end(now: int) -> list[Session]:
            ended = self.sessions.end(self.tokens.keys(Session, token), now)
            for session in ended:
                self.void_approvals(session.person, now)
            return ended

        self._turn_away(await self._at_desk.in_house(end))

    def end(self, which: Callable[[Session], bool], now: int) -> None:
        """Ends every session that matches, in the same step as the reason for it: no crash comes between the two."""
        ended = self.sessions.end(self.sessions.matching(which), now)
        for session in ended:
            self.void_approvals(session.person, now)
        self._turn_away(ended)

    async def forget(self) -> None:
        """Forgets ended sessions, approvals that are over and players who left without money, some at a time."""
        players, documents = self.sessions.over(self._at_desk.clock())
        documents += self._approvals.over(self._at_desk.clock())
        most = limits.MAX_LET_GO_AT_ONCE
        for at in range(0, max(len(players), len(documents)), most):
            gone, over = players[at : at + most], documents[at : at + most]
            await self._at_desk.in_house(partial(self.sessions.let_go, gone, over))

    @property
    def _at_desk(self) -> Floor:
        if self.floor is None:
            raise Refused("house-not-open")
        return self.floor


def _give_way() -> None:
    """Lowers the priority of this thread, where the system has one for each: players come before passwords."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), HASHING_NICENESS)


def _asked(act: Pending) -> str:
    return f"{act.said} Asked for by {act.asker}."


def _is_enrolled(terminal: str) -> bool:
    return terminal not in ("", UNENROLLED)


english(
    "refused",
    {
        "name-drawn": "This name is taken: come in again.",
        "account-needed": "Players of this house have an account: sign in with your card, and redeem the ticket then.",
        "doors-busy": "Too many people are signing in: try again in a moment.",
        "guests-quick": "More than {guests:count} guests have come from here within a minute: wait a moment.",
        "no-guests": "This house does not allow guests: sign in with your card or a ticket.",
        "sign-in-wrong": "The name or the password is wrong.",
        "sign-in-closed": "This account is closed; ask the operator.",
        "no-password-here": "There is no password to change: you came in without an account.",
        "proof-missing": "This session works at the terminal where it began, and this line does not prove that it comes from there.",
        "reader-proof-missing": "This card reader keeps a key, and this line does not prove that it comes from there.",
        "reader-without-key": (
            "Card readers of this house prove themselves by a key: start `podium device` with --key-file, and enrol the reader again"
            " if its token may have been copied."
        ),
        "staff-terminal": (
            "Staff of this house work at its known terminals only: ask the operator to enrol this browser, open the link here over "
            "https, and sign in again."
        ),
        "money-terminal": "Real money is played at the house's own terminals only: go to one of them, or ask an attendant.",
        "house-not-open": "The house is not open yet.",
    },
)
