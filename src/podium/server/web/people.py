"""Signing in and out, the people of the house, its displays."""

from typing import Any, Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.people import Person, Role
from podium.server.terminals import Who
from podium.server.web.reception import COOKIE, TERMINAL_COOKIE, AnyRoute, DutyRoute, Reception, Route, answer

YEAR: Final = 365 * 24 * 3600


class SignInForm(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    password: str


class ByTicket(msgspec.Struct, forbid_unknown_fields=True):
    number: str


class Accepting(msgspec.Struct, forbid_unknown_fields=True):
    token: str
    password: str


class PersonCard(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    role: Role
    active: bool = True
    approval: str = ""


class Approved(msgspec.Struct, forbid_unknown_fields=True):
    approval: str = ""


class TerminalName(msgspec.Struct, forbid_unknown_fields=True):
    name: str


class Token(msgspec.Struct, forbid_unknown_fields=True):
    token: str


class People:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._doors: Final = reception.doors
        self._enrolment: Final = reception.enrolment

    # --- coming and going -------------------------------------------------------------------------------------------

    async def me(self, request: web.Request) -> web.Response:
        """Who is signed in at this browser; null when nobody is."""
        found = self._reception.found(request)
        return answer(found and {"name": found.name, "role": found.role, "active": True})

    async def guest(self, request: web.Request) -> web.Response:
        """Come in as a guest of the demonstration house, with play money."""
        return self._reception.came_in(request, await self._doors.guest(self._reception.terminal(request)))

    async def sign_in(self, request: web.Request) -> web.Response:
        """Sign in by `name` and `password`: for a player the number of the card and the PIN."""
        asked = await self._reception.read(request, SignInForm)
        where = request.remote or "unknown", self._reception.terminal(request)
        came_in = await self._doors.sign_in(asked.name, asked.password, *where)
        return self._reception.came_in(request, came_in)

    async def by_ticket(self, request: web.Request) -> web.Response:
        """Sign in as a player with the `number` of a ticket, which is redeemed with that."""
        asked = await self._reception.read(request, ByTicket)
        where = request.remote or "unknown", self._reception.terminal(request)
        came_in = await self._doors.by_ticket(asked.number, *where)
        return self._reception.came_in(request, came_in)

    async def sign_out(self, request: web.Request) -> web.Response:
        """End the session, on every line that it has open."""
        await self._doors.sign_out(request.cookies.get(COOKIE, ""))
        response = answer({})
        response.del_cookie(COOKIE)
        return response

    async def accept(self, request: web.Request) -> web.Response:
        """Choose a `password` with the `token` of an invitation, once; this signs in."""
        asked = await self._reception.read(request, Accepting)
        terminal = self._reception.terminal(request)
        came_in = await self._enrolment.accept(self._floor, asked.token, asked.password, terminal)
        return self._reception.came_in(request, came_in)

    # --- people -----------------------------------------------------------------------------------------------------

    async def people(self, request: web.Request, _: Who) -> web.Response:
        """Everybody who has an account."""
        return answer([card(person) for person in self._enrolment.people()])

    async def set_person(self, request: web.Request, who: Who) -> web.Response:
        """Enrol somebody, or change a role, or close an account. A new person comes with the `invitation` to hand over."""
        asked = await self._reception.read(request, PersonCard)
        known = {person.key for person in self._enrolment.people()}
        if asked.name in known:
            changed = await self._enrolment.change(
                self._floor, asked.name, asked.role, active=asked.active, by=who.name, approval=asked.approval
            )
            return answer(card(changed))
        if not asked.active:
            raise Refused("person-unknown", name=shortened(asked.name))
        token = await self._enrolment.enrol(self._floor, asked.name, asked.role, by=who.name, approval=asked.approval)
        return answer({"name": asked.name, "role": asked.role, "active": True, "invitation": invitation(token)})

    async def invite_again(self, request: web.Request, who: Who) -> web.Response:
        """Another `invitation` for somebody who lost the link or forgot the password."""
        asked = await self._reception.read(request, Approved)
        name = request.match_info["name"]
        token = await self._enrolment.invite_again(self._floor, name, by=who.name, approval=asked.approval)
        return answer({"invitation": invitation(token)})

    # --- terminals (SEC-3) ------------------------------------------------------------------------------------------

    async def terminals(self, request: web.Request, _: Who) -> web.Response:
        """The terminals that are enrolled."""
        listed = self._enrolment.terminals()
        return answer([{"name": each.name, "by": each.by, "time": each.time, "active": each.active} for each in listed])

    async def enrol_terminal(self, request: web.Request, who: Who) -> web.Response:
        """Enrol a terminal by `name`: its `token` is shown once, with the `address` to open at that terminal."""
        asked = await self._reception.read(request, TerminalName)
        token = await self._enrolment.enrol_terminal(self._floor, asked.name, by=who.name)
        return answer({"token": token, "address": f"/terminal#{token}"})

    async def dismiss_terminal(self, request: web.Request, who: Who) -> web.Response:
        """A terminal is nothing any more."""
        await self._enrolment.dismiss_terminal(self._floor, request.match_info["name"], by=who.name)
        return answer({})

    async def here(self, request: web.Request) -> web.Response:
        """This browser is the terminal of that `token`, and keeps it: a wall shows tables, a player or cashier signs in."""
        asked = await self._reception.read(request, Token)
        found = self._doors.identify(asked.token, self._floor.clock())
        if found is None or found.role != "display":
            raise Refused("terminal-not-enrolled", clause="SEC-3")
        response = answer({"name": found.name})
        response.set_cookie(
            TERMINAL_COOKIE, asked.token, httponly=True, samesite="Strict", secure=request.secure, max_age=YEAR
        )
        return response


def card(person: Person) -> dict[str, Any]:
    return {"name": person.key, "role": person.role, "active": person.active}


def invitation(token: str) -> str:
    """The address of an invitation. What follows the # is never sent, so no log of any server on the way has it."""
    return f"/welcome#{token}"


def routes(reception: Reception) -> list[AnyRoute]:
    people = People(reception)
    return [
        Route("GET", "/api/me", people.me),
        Route("POST", "/api/guest", people.guest),
        Route("POST", "/api/sign-in", people.sign_in),
        Route("POST", "/api/sign-in/ticket", people.by_ticket),
        Route("POST", "/api/sign-out", people.sign_out),
        Route("POST", "/api/invitations", people.accept, "whoever has the link"),
        DutyRoute("GET", "/api/people", people.people, ("enrol", "audit")),
        DutyRoute("POST", "/api/people", people.set_person, ("enrol",)),
        DutyRoute("POST", "/api/people/{name}/invitation", people.invite_again, ("enrol",)),
        DutyRoute("GET", "/api/terminals", people.terminals, ("enrol", "audit")),
        DutyRoute("POST", "/api/terminals", people.enrol_terminal, ("enrol",)),
        DutyRoute("DELETE", "/api/terminals/{name}", people.dismiss_terminal, ("enrol",)),
        Route("POST", "/api/terminals/here", people.here, "the terminal"),
    ]


english("refused", {"terminal-not-enrolled": "No terminal was enrolled with that token."})
