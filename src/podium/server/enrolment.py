"""Enrolment of people and terminals by the operator.

Nobody is given a password. A new person gets a link and chooses a password with it; so does the first operator, whose link
`podium serve` prints (SEC-1).
"""

from itertools import count
from typing import Final

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Phrase, english, phrase
from podium.house import House, limits
from podium.house.events import Noted
from podium.house.people import (
    CHECKS,
    DUTIES,
    GUEST,
    Enrolled,
    Invitation,
    Person,
    Role,
    accept,
    checks,
    enrol,
    invite,
    new_person,
    with_role,
)
from podium.server.approvals import Act
from podium.server.doors import CameIn, Doors
from podium.server.floor import Floor
from podium.server.known import UNENROLLED, Where, about_enrolment, is_signed, read_public_key

FIRST_TERMINAL: Final = "first-terminal"
"""The name of the first terminal, whose link the house prints if it needs known terminals and has none."""
FIRST: Final = "operator"
"""The name of the first operator."""
TAKEN: Final = (GUEST, "ticket-", "display")
"""The prefixes of the names that the house gives to players without an account."""

HOUR_MS: Final = 3_600_000
CONFIRMS: Final = tuple(sorted(CHECKS))
"""The duties of people who may confirm that somebody gets one of them."""


class Enrolment:
    """Enrols people and terminals."""

    def __init__(self, house: House, doors: Doors) -> None:
        self._house: Final = house
        self._doors: Final = doors

    def first_operator(self, now: int) -> str | None:
        """The token of the link that the house prints when it opens; None where the people of the house need none.

        The first operator gets one as long as there is no operator who can sign in; every start makes a new one, so that losing
        a link locks nobody out. So does a second operator, if only one of several people who checked others is left: the person
        who starts the house then acts as the second person.
        """
        if not any(person.role == "operator" for person in self._able()):
            return self._invite(self._operator(FIRST, now), now)
        if len(self._able()) > 1 or not self._second_was_here(self._able()[0].key):
            return None
        names = (f"{FIRST}-{number}" for number in count(2))
        free = next(name for name in names if self._may_be_operator(self._house.shelf.find(Person, name)))
        return self._invite(self._operator(free, now), now)

    def _operator(self, name: str, now: int) -> Person:
        known = self._house.shelf.find(Person, name)
        if known is None:
            known = new_person(name, name, "operator")
            self._house.shelf.put(known, now)
            self._house.note(Noted("person-changed", name, "", "enrolled at the start", after=_state(known)), now)
        return known

    def _may_be_operator(self, person: Person | None) -> bool:
        return person is None or (person.role == "operator" and person.active and not person.password)

    def _invite(self, person: Person, now: int) -> str:
        """A new link for a person; the links before it are void."""
        self._void_links(person, now)
        token = self._doors.tokens.draw()
        self._house.shelf.put(invite(person, self._doors.tokens.key(Invitation, token), now), now)
        return token

    def _void_links(self, person: Person, now: int) -> None:
        for known in self._house.shelf.every(Invitation):
            if known.person == person.key and not known.used:
                self._house.shelf.put(msgspec.structs.replace(known, used=True), now)

    async def accept(self, floor: Floor, token: str, password: str, where: Where) -> CameIn:
        """Lets the holder of a link choose a password, once, and signs them in, unless they need a known terminal for that."""
        invitation = self._doors.tokens.find(self._house, Invitation, token)
        accept(invitation, floor.clock())
        person = self._person(invitation.person if invitation else "")
        fresh = await self._doors.hashed(lambda: self._doors.passwords.set(person, password))

        def settle(now: int) -> CameIn:
            # Hashing took a while: meanwhile the link may have been used, or the account changed.
            used = accept(self._doors.tokens.find(self._house, Invitation, token), now)
            known = self._person(person.key)
            if not known.active:
                raise Refused("sign-in-closed")
            self._house.shelf.put(used, now)
            changed = self._doors.set_password(known, fresh.password, now)
            self._house.note(Noted("person-changed", person.key, person.key, "chose a password"), now)
            return self._doors.admit_or_not(changed, where, now)

        return await floor.in_house(settle)

    def people(self) -> list[Person]:
        return sorted(self._house.shelf.every(Person), key=lambda person: (person.role, person.key))

    async def enrol(self, floor: Floor, name: str, role: Role, *, by: str, approval: str = "") -> str:
        """A new person, and the token of the link that goes to that person."""

        def enter(now: int) -> str:
            person = self._new(name, role)
            who = self._agreed(person, by, _granting(person), approval, now)
            self._house.shelf.put(person, now)
            self._house.note(Noted("person-changed", name, who, "enrolled", after=_state(person)), now)
            return self._invite(person, now)

        return await floor.in_house(enter)

    def _new(self, name: str, role: Role) -> Person:
        if name.startswith(TAKEN):
            raise Refused("name-of-guests", name=shortened(name))
        if self._house.shelf.find(Person, name) is not None:
            raise Refused("name-taken", name=shortened(name))
        if self._house.shelf.count(Person) >= limits.MAX_PEOPLE:
            raise Refused("people-full", most=limits.MAX_PEOPLE)
        return new_person(name, name, role)

    async def invite_again(self, floor: Floor, name: str, *, by: str, approval: str = "") -> str:
        """Another link, for somebody who lost the first one or forgot the password. The link gives access to the account."""

        def again(now: int) -> str:
            person = self._person(name)
            if name == by:
                raise Refused("invites-self", clause="SEC-2")
            if not person.active:
                raise Refused("invites-closed", name=name)
            who = self._agreed(person, by, phrase("act.invite-again", name=person.key, role=person.role), approval, now)
            self._house.note(Noted("person-changed", name, who, "invited again"), now)
            return self._invite(person, now)

        return await floor.in_house(again)

    async def change(self, floor: Floor, name: str, role: Role, *, active: bool, by: str, approval: str = "") -> Person:
        """Changes a role, or closes or reopens an account. The person must sign in again."""

        def change(now: int) -> Person:
            before = self._person(name)
            if role not in DUTIES:
                raise Refused("not-a-role", role=shortened(role), roles=DUTIES)
            if name == by:
                raise Refused("changes-self", clause="SEC-2")
            if "player" in (role, before.role) and role != before.role:
                raise Refused("player-not-staff", clause="SEC-2")
            after = msgspec.structs.replace(with_role(before, role), active=active)
            who = by
            if role != before.role:
                # Also of an account that stays closed: it could be reopened with the role.
                who = self._agreed(after, by, _granting(after), approval, now)
            elif active and not before.active:
                who = self._agreed(after, by, phrase("act.reopen-account", name=name, role=role), approval, now)
            self._house.shelf.put(after, now, before=before)
            if not active:
                self._void_links(after, now)
            self._house.note(Noted("person-changed", name, who, "changed", _state(before), _state(after)), now)
            self._doors.void_approvals(name, now)
            self._doors.end(lambda session: session.person == name, now)
            return after

        return await floor.in_house(change)

    # --- from the console of the machine ------------------------------------------------------------------------------

    async def invite_from_console(self, floor: Floor, name: str, role: Role, *, by: str) -> str:
        """A new person, added at the machine's console, and the token of the link."""

        def enter(now: int) -> str:
            person = self._new(name, role)
            self._check_nobody_else_can(person)
            self._house.shelf.put(person, now)
            self._house.note(Noted("person-changed", name, by, "invited from the console", after=_state(person)), now)
            return self._invite(person, now)

        return await floor.in_house(enter)

    async def reset_from_console(self, floor: Floor, name: str, *, by: str) -> str:
        """The token of a link for somebody who has lost the password and has nobody to ask: a sole operator."""

        def reset(now: int) -> str:
            person = self._person(name)
            if not person.active:
                raise Refused("invites-closed", name=name)
            self._check_nobody_else_can(person)
            self._house.note(Noted("person-changed", name, by, "reset from the console"), now)
            return self._invite(person, now)

        return await floor.in_house(reset)

    async def close_from_console(self, floor: Floor, name: str, *, by: str) -> None:
        """Closes an account, and ends its sessions."""
        await self.change(floor, name, self._person(name).role, active=False, by=by)

    def _check_nobody_else_can(self, person: Person) -> None:
        """The console may add somebody who checks others only if there are not two people who could approve it (SEC-2)."""
        others = [each.key for each in self._able() if each.key != person.key]
        if checks(person.role) and len(others) > 1:
            raise Refused("console-others", role=person.role, people=others, clause="SEC-2")

    # --- two to grant a role that checks (SEC-2) ----------------------------------------------------------------------

    def _agreed(self, person: Person, by: str, said: Phrase, approval: str, now: int) -> str:
        """The people who agree to a change of an account, for the record. Where its role checks others, that is two people,
        once the house has a second one; the first lets in that second one alone."""
        if not checks(person.role):
            return by
        if not self._second_was_here(by):
            self._check_second_comes_first(person, by)
            return by
        act = Act(by, person.key, said, CONFIRMS, about=person.role, concerns=person.key)
        second = self._doors.approve(act, approval, now, clause="SEC-2")
        return f"{by}, approved by {second}"

    def _second_was_here(self, by: str) -> bool:
        """Whether a second person has ever been able to check others. Closing that account does not undo it: otherwise
        the person who closes it would be alone again, and could let in anybody."""
        return any(
            person.key != by and person.password and any(map(checks, (person.role, *person.held)))
            for person in self._house.shelf.every(Person)
        )

    def _check_second_comes_first(self, person: Person, by: str) -> None:
        """The first operator can add one second person alone, and everybody else with that person's approval."""
        for other in self._house.shelf.every(Person):
            if other.key not in (by, person.key) and other.active and checks(other.role):
                raise Refused("second-person-first", name=other.key, clause="SEC-2")

    def _able(self) -> list[Person]:
        """Everybody who can sign in and checks others."""
        return [person for person in self.people() if person.active and person.password and checks(person.role)]

    def _person(self, name: str) -> Person:
        person = self._house.shelf.find(Person, name)
        if person is None:
            raise Refused("person-unknown", name=shortened(name))
        return person

    # --- terminals --------------------------------------------------------------------------------------------------

    def terminals(self) -> list[Enrolled]:
        return sorted(self._house.shelf.every(Enrolled), key=lambda terminal: terminal.name)

    async def enrol_terminal(self, floor: Floor, name: str, *, by: str, reads: str = "") -> str:
        """SEC-3: enrols a terminal, or a card reader of the table `reads` (CARD-11). The token goes into its address and is not stored."""
        token = self._doors.tokens.draw()

        def enter(now: int) -> str:
            if name == UNENROLLED:
                raise Refused("name-unenrolled", name=name)
            if any(terminal.name == name and terminal.is_valid(now) for terminal in self.terminals()):
                raise Refused("terminal-taken", name=shortened(name))
            self._make_room(now)
            if reads:
                self._house.table(reads)
            self._void_unopened(name, now)
            key = self._doors.tokens.key(Enrolled, token)
            self._house.shelf.put(enrol(name, key, by, now, reads=reads, link_ms=self._link_ms), now)
            what = f"enrolled to read cards at {reads}" if reads else "enrolled"
            self._house.note(Noted("terminal-enrolled", name, by, what), now)
            return token

        return await floor.in_house(enter)

    @property
    def _link_ms(self) -> int:
        return self._house.config.terminal_link_hours * HOUR_MS

    def _void_unopened(self, name: str, now: int) -> None:
        """Frees the name of a terminal whose link was not opened in time."""
        for old in self.terminals():
            if old.name == name and old.active:
                self._house.shelf.put(msgspec.structs.replace(old, active=False), now)

    async def become(self, floor: Floor, token: str, key: str, proof: str, certificate: str) -> Enrolled:
        """A browser becomes the terminal of a token. With a key or a certificate it can prove from now on to be that terminal,
        and no other browser can take its place."""
        public_key = read_public_key(key) if key else ""
        if key and not is_signed(public_key, about_enrolment(token), proof):
            raise Refused("terminal-key-proof", clause="SEC-3")

        def become(now: int) -> Enrolled:
            found = self._doors.tokens.find(self._house, Enrolled, token)
            if found is None or not found.active:
                raise Refused("terminal-not-enrolled", clause="SEC-3")
            if not found.is_valid(now):
                raise Refused("terminal-link-expired", name=found.name, clause="SEC-3")
            if found.is_known:
                if (found.public_key, found.certificate) != (public_key, certificate):
                    raise Refused("terminal-is-another", name=found.name, clause="SEC-3")
                return found
            if not public_key and not certificate:
                if self._house.config.known_terminals != "none":
                    raise Refused("terminal-no-key", clause="SEC-3")
                return self._opened(found, now)
            known = msgspec.structs.replace(found, public_key=public_key, certificate=certificate, expires=0)
            self._house.shelf.put(known, now)
            how = "its browser keeps a key" if public_key else "it has a certificate"
            self._house.note(Noted("terminal-enrolled", found.name, found.by, how), now)
            return known

        return await floor.in_house(become)

    def _opened(self, found: Enrolled, now: int) -> Enrolled:
        """A terminal without a key whose link was opened: it stays without one."""
        if not found.expires:
            return found
        opened = msgspec.structs.replace(found, expires=0)
        self._house.shelf.put(opened, now)
        return opened

    def first_terminal(self, now: int) -> str | None:
        """The token of the link for the first known terminal, which the house prints when it opens; None where none is needed.

        Nobody can sign in to enrol one before there is one, so the link is printed at the start.
        """
        if self._house.config.known_terminals == "none":
            return None
        if any(each.active and each.is_known for each in self.terminals()):
            return None
        self._void_unopened(FIRST_TERMINAL, now)
        token = self._doors.tokens.draw()
        key = self._doors.tokens.key(Enrolled, token)
        self._house.shelf.put(enrol(FIRST_TERMINAL, key, "", now, link_ms=self._link_ms), now)
        self._house.note(Noted("terminal-enrolled", FIRST_TERMINAL, "", "enrolled at the start"), now)
        return token

    def _make_room(self, now: int) -> None:
        """Forgets dismissed terminals when the limit is reached."""
        if self._house.shelf.count(Enrolled) < limits.MAX_TERMINALS:
            return
        self._house.forget((), [terminal for terminal in self.terminals() if not terminal.active], now)
        if self._house.shelf.count(Enrolled) >= limits.MAX_TERMINALS:
            raise Refused("terminals-full", terminals=limits.MAX_TERMINALS)

    async def dismiss_terminal(self, floor: Floor, name: str, *, by: str) -> None:
        """Dismisses a terminal. Anyone signed in there must sign in again."""

        def dismiss(now: int) -> None:
            found = next((terminal for terminal in self.terminals() if terminal.name == name and terminal.active), None)
            if found is None:
                raise Refused("terminal-unknown", name=shortened(name))
            self._house.shelf.put(msgspec.structs.replace(found, active=False), now)
            self._house.note(Noted("terminal-enrolled", name, by, "dismissed"), now)
            self._doors.end(lambda session: session.terminal == name, now)

        await floor.in_house(dismiss)


def _granting(person: Person) -> Phrase:
    return phrase("act.grant-role", name=person.key, role=person.role)


def _state(person: Person) -> str:
    return f"{person.role}, {'open' if person.active else 'closed'}"


english(
    "refused",
    {
        "people-full": "This house has {most:count} accounts, which is the limit.",
        "terminals-full": "{terminals:count} terminals are enrolled: dismiss one before you enrol another.",
        "name-of-guests": "{name:quoted} is reserved for guests: choose another name.",
        "name-taken": "The name {name:quoted} is already taken.",
        "person-unknown": "Nobody is known here by the name {name:quoted}.",
        "second-person-first": (
            "{name} must choose a password first: the second person of a house approves everybody else who gets a role that "
            "checks others."
        ),
        "console-others": (
            "There are people here who check others: {people}. On the floor, two of them can give somebody the role of {role:role} or"
            " a new link."
        ),
        "invites-closed": "The account of {name} is closed: reopen it first.",
        "invites-self": "Another operator must invite you again.",
        "changes-self": "Nobody changes their own account: another operator must.",
        "player-not-staff": "A player's card is not a staff account: enrol the person again.",
        "name-unenrolled": "{name:quoted} is the name of every terminal that is not enrolled: choose another name.",
        "terminal-taken": "The terminal name {name:quoted} is already taken.",
        "terminal-not-enrolled": "No terminal was enrolled with that token.",
        "terminal-link-expired": "The link of the terminal {name} was not opened in time: ask the operator to enrol it again.",
        "terminal-is-another": (
            "Another browser is already the terminal {name}: each link works for one. Dismiss that terminal, and enrol this one again."
        ),
        "terminal-no-key": (
            "This browser can keep no key here, and the house works with known terminals only: open the link over https, or give "
            "the terminal a client certificate."
        ),
        "terminal-key-proof": "The key of this terminal was not proved: the token must be signed with it.",
        "terminal-unknown": "There is no terminal with the name {name:quoted}.",
    },
)
