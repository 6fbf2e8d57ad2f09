"""Signing in and out, the people of the house and its terminals."""

from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.house.people import Enrolled, Person, Role
from podium.server.cookies import SESSION, TERMINAL
from podium.server.gateway.entrance import certificate_of
from podium.server.terminals import Who
from podium.server.web.cards import Done, PersonCard, TicketNumber
from podium.server.web.reception import ARRIVAL, WHERE, Reception, keep, let_go, role_of
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, Route, answer

YEAR_SECONDS: Final = 365 * 24 * 3600


class SignInForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a password: for a player the number of the card and the PIN."""

    name: str
    password: str


class InvitationForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of an invitation, and the password that the person chose."""

    token: str
    password: str


class PersonForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person to enrol, or to change."""

    name: str
    role: Role
    active: bool = True
    """False closes the account."""
    approval: str = ""
    """A second person's code, where a role that checks others is given."""


class InviteAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another link for a person."""

    approval: str = ""
    """A second person's code, where the person's role checks others."""


class TerminalForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A terminal to enrol; or a card reader, with the table at which it `reads` (docs/devices.md)."""

    name: str
    reads: str = ""


class TerminalToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The token of an enrolled terminal, and the key by which its browser proves from now on to be it."""

    token: str
    public_key: str = ""
    """The public half of a key on P-256 that the browser keeps, as SubjectPublicKeyInfo in hexadecimal digits; empty where the
    browser can keep none, because the page did not come over https."""
    proof: str = ""
    """`podium-terminal-1`, a newline, the token and a newline, signed with the key, in hexadecimal digits."""


class InvitationCard(msgspec.Struct, frozen=True):
    """An invitation to hand over."""

    invitation: str
    """The link with which a password is chosen."""


class TerminalCard(msgspec.Struct, frozen=True):
    """A terminal that the operator enrolled (SEC-3)."""

    name: str
    by: str
    """Who enrolled it."""
    time: int
    active: bool
    reads: str
    """The table at which it reads cards; empty for a terminal."""
    proves: bool
    """Whether it proves to be this terminal, by its key or its certificate."""
    expires: int
    """When its link ends; 0 once it was opened."""


class NewTerminal(msgspec.Struct, frozen=True):
    """A terminal that was just enrolled. The token is shown this once."""

    token: str
    address: str
    """The address to open at that terminal."""


class TerminalHere(msgspec.Struct, frozen=True):
    """The terminal that this browser is."""

    name: str
    proves: bool
    """Whether it proves from now on to be this terminal, by its key or its certificate."""


class ChallengeCard(msgspec.Struct, frozen=True):
    """What a terminal with a key signs in its next proof."""

    challenge: str


class People:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._doors: Final = reception.doors
        self._enrolment: Final = reception.enrolment

    # --- coming and going -------------------------------------------------------------------------------------------

    async def me(self, request: web.Request) -> Answer[PersonCard | None]:
        """The person who is signed in at this browser; null if nobody is."""
        found = self._reception.found(request)
        return answer(PersonCard(found.name, role_of(found), active=True) if found else None)

    async def guest(self, request: web.Request) -> Answer[PersonCard]:
        """Sign in as a guest with play money, where the house allows guests."""
        return self._reception.came_in(request, await self._doors.guest(request[ARRIVAL].counted_as, request[WHERE]))

    async def sign_in(self, request: web.Request, asked: SignInForm) -> Answer[PersonCard]:
        """Sign in."""
        where = request[ARRIVAL].address, request[WHERE]
        came_in = await self._doors.sign_in(asked.name, asked.password, *where)
        return self._reception.came_in(request, came_in)

    async def by_ticket(self, request: web.Request, asked: TicketNumber) -> Answer[PersonCard]:
        """Sign in as a player with a ticket, which this redeems."""
        where = request[ARRIVAL].address, request[WHERE]
        came_in = await self._doors.by_ticket(asked.number, *where)
        return self._reception.came_in(request, came_in)

    async def sign_out(self, request: web.Request) -> Answer[Done]:
        """End the session, and every connection that it has open."""
        if self._reception.found(request) is not None:
            await self._doors.sign_out(self._reception.token(request))
        response = answer(Done())
        let_go(request, response, SESSION)
        return response

    async def accept(self, request: web.Request, asked: InvitationForm) -> Answer[PersonCard]:
        """Choose a password with the token of an invitation, once; this signs in, unless a known terminal is needed for that."""
        came_in = await self._enrolment.accept(self._floor, asked.token, asked.password, request[WHERE])
        return self._reception.came_in(request, came_in)

    # --- people -----------------------------------------------------------------------------------------------------

    async def people(self, request: web.Request, _: Who) -> Answer[list[PersonCard]]:
        """Everybody who has an account."""
        return answer([card(person) for person in self._enrolment.people()])

    async def set_person(self, request: web.Request, who: Who, asked: PersonForm) -> Answer[PersonCard]:
        """Enrol a person, change a role, or close an account. The answer for a new person holds the invitation to hand over."""
        known = {person.key for person in self._enrolment.people()}
        if asked.name in known:
            changed = await self._enrolment.change(
                self._floor, asked.name, asked.role, active=asked.active, by=who.name, approval=asked.approval
            )
            return answer(card(changed))
        if not asked.active:
            raise Refused("person-unknown", name=shortened(asked.name))
        token = await self._enrolment.enrol(self._floor, asked.name, asked.role, by=who.name, approval=asked.approval)
        return answer(PersonCard(asked.name, asked.role, active=True, invitation=invitation(token)))

    async def invite_again(self, request: web.Request, who: Who, asked: InviteAgain) -> Answer[InvitationCard]:
        """Invite a person again who lost the link or forgot the password."""
        name = request.match_info["name"]
        token = await self._enrolment.invite_again(self._floor, name, by=who.name, approval=asked.approval)
        return answer(InvitationCard(invitation(token)))

    # --- terminals (SEC-3) ------------------------------------------------------------------------------------------

    async def terminals(self, request: web.Request, _: Who) -> Answer[list[TerminalCard]]:
        """The terminals that are enrolled."""
        return answer([terminal_card(each) for each in self._enrolment.terminals()])

    async def enrol_terminal(self, request: web.Request, who: Who, asked: TerminalForm) -> Answer[NewTerminal]:
        """Enrol a terminal. Its token is shown once, with the address to open at that terminal."""
        token = await self._enrolment.enrol_terminal(self._floor, asked.name, by=who.name, reads=asked.reads)
        return answer(NewTerminal(token, f"/terminal#{token}"))

    async def dismiss_terminal(self, request: web.Request, who: Who) -> Answer[Done]:
        """End the enrolment of a terminal."""
        await self._enrolment.dismiss_terminal(self._floor, request.match_info["name"], by=who.name)
        return answer(Done())

    async def here(self, request: web.Request, asked: TerminalToken) -> Answer[TerminalHere]:
        """Make this browser the terminal of a token, which it keeps: a display shows tables, players and cashiers sign in."""
        certificate = certificate_of(request.transport)
        found = await self._enrolment.become(self._floor, asked.token, asked.public_key, asked.proof, certificate)
        response = answer(TerminalHere(found.name, found.is_known))
        keep(request, response, TERMINAL, asked.token, YEAR_SECONDS)
        return response

    async def challenge(self, request: web.Request) -> Answer[ChallengeCard]:
        """The challenge for the first proof of a terminal with a key; each answer to a proof has the next one."""
        return answer(ChallengeCard(self._reception.known_terminals.challenge()))


def card(person: Person) -> PersonCard:
    return PersonCard(person.key, person.role, person.active)


def terminal_card(enrolled: Enrolled) -> TerminalCard:
    return TerminalCard(
        name=enrolled.name,
        by=enrolled.by,
        time=enrolled.time,
        active=enrolled.active,
        reads=enrolled.reads,
        proves=enrolled.is_known,
        expires=enrolled.expires,
    )


def invitation(token: str) -> str:
    """The address of an invitation. Browsers do not send the part after the #, so no server on the way can log it."""
    return f"/welcome#{token}"


def routes(reception: Reception) -> list[AnyRoute]:
    people = People(reception)
    return [
        Route("GET", "/api/me", people.me),
        Route("POST", "/api/guest", people.guest),
        Route("POST", "/api/sign-in", people.sign_in),
        Route("POST", "/api/sign-in/ticket", people.by_ticket),
        Route("POST", "/api/sign-out", people.sign_out),
        Route("POST", "/api/invitations", people.accept, "anybody with the link"),
        DutyRoute("GET", "/api/people", people.people, ("enrol", "audit")),
        DutyRoute("POST", "/api/people", people.set_person, ("enrol",)),
        DutyRoute("POST", "/api/people/{name}/invitation", people.invite_again, ("enrol",)),
        DutyRoute("GET", "/api/terminals", people.terminals, ("enrol", "audit")),
        DutyRoute("POST", "/api/terminals", people.enrol_terminal, ("enrol",)),
        DutyRoute("DELETE", "/api/terminals/{name}", people.dismiss_terminal, ("enrol",)),
        Route("POST", "/api/terminals/here", people.here, "the terminal"),
        Route("GET", "/api/terminals/challenge", people.challenge, "the terminal"),
    ]
