"""What every request needs: who asks, what was sent with it, and the key under which it happens once."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.people import ROLES, Duty, Role, require
from podium.house.tickets import Validation
from podium.record.fair import Entropy
from podium.record.ledger import Transfer, kind_of, names_of
from podium.server.arrivals import Arrival, Arrivals, Evidence
from podium.server.clerks import Reads
from podium.server.clerks.questions import Question
from podium.server.cookies import SESSION, TERMINAL, cookie_name, shown_token
from podium.server.doors import CameIn, Doors
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.gateway.entrance import certificate_of
from podium.server.known import PROOF, KnownTerminals, Where, about_request
from podium.server.numbers import TicketNumbers
from podium.server.passkeys import Passkeys
from podium.server.terminals import Who
from podium.server.tries import AtNoCost
from podium.server.vigil import Vigil
from podium.server.web.cards import PersonCard
from podium.server.web.routes import Answer, AnyRoute, Handler, Route, answer, types_of

ARRIVAL: Final = web.RequestKey("arrival", Arrival)
"""How a request came, for its handler."""
WHERE: Final = web.RequestKey("where", Where)
"""At which terminal it was made."""
MONTH_SECONDS: Final = 30 * 24 * 3600
SEEN_BY_ITSELF: Final = (
    "/api/me",
    "/api/terminal",
    "/api/floor/tables",
    "/api/approvals",
    "/api/approvals/mine",
    "/api/protection",
)
"""Paths that a screen requests by itself; they do not keep a session alive (CARD-6)."""

_KEY: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


class NotWho(Exception):
    """The caller must sign in first."""


class NotAllowed(Exception):
    """The caller does not have this duty (SEC-2)."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal)
        self.refusal: Final = refusal


class Reception:
    """Where every request comes in."""

    def __init__(
        self,
        floor: Floor,
        doors: Doors,
        enrolment: Enrolment,
        known_terminals: KnownTerminals,
        passkeys: Passkeys,
        clerks: Reads,
        vigil: Vigil,
        arrivals: Arrivals,
        *,
        entropy: Entropy,
        numbers: TicketNumbers,
    ) -> None:
        self.floor: Final = floor
        self.doors: Final = doors
        self.enrolment: Final = enrolment
        self.known_terminals: Final = known_terminals
        self.passkeys: Final = passkeys
        self.vigil: Final = vigil
        self.arrivals: Final = arrivals
        self._clerks: Final = clerks
        self._entropy: Final = entropy
        self.numbers: Final = numbers

    # --- who asks ---------------------------------------------------------------------------------------------------

    def found(self, request: web.Request) -> Who | None:
        """The person who is signed in at this browser, if any; an enrolled terminal is not a person."""
        active = request.path not in SEEN_BY_ITSELF
        found = self.doors.arrives(self.token(request), request[WHERE], self.floor.clock(), active=active)
        return found if found is not None and found.role in ROLES else None

    def token(self, request: web.Request) -> str:
        """The token in the cookie of the person who is signed in at this browser."""
        return shown_token(request.headers, SESSION, secure=request[ARRIVAL].secure)

    def terminal_token(self, request: web.Request) -> str:
        """The token in the cookie of the terminal that this browser is."""
        return shown_token(request.headers, TERMINAL, secure=request[ARRIVAL].secure)

    def _who(self, request: web.Request) -> Who:
        found = self.found(request)
        if found is None:
            raise NotWho
        return found

    async def where(self, request: web.Request) -> Where:
        """The terminal that this browser is, as far as it is proved; people who sign in count for it (MTR-1)."""
        shown = Evidence(
            self.terminal_token(request), certificate_of(request.transport), request.headers.get(PROOF, "")
        )
        body = await request.read() if shown.proof else b""
        return self.known_terminals.where(shown, about_request(request.method, request.raw_path, body))

    def enforced(self, route: AnyRoute) -> Handler:
        """The handler of a route behind its duties (SEC-2), which is given what was sent with the request, decoded."""
        types = types_of(route.handler)

        async def carry_out(request: web.Request) -> web.StreamResponse:
            who = [] if isinstance(route, Route) else [self._require(request, route.duties)]
            return await route.handler(request, *who, **await types.read(request))

        return carry_out

    def _require(self, request: web.Request, duties: tuple[Duty, ...]) -> Who:
        """The caller, who must have one of these duties."""
        who = self._who(request)
        refusals = []
        for duty in duties:
            try:
                require(role_of(who), duty)
                return who
            except Refused as refusal:
                refusals.append(refusal)
        raise NotAllowed(refusals[0])

    def came_in(self, request: web.Request, came_in: CameIn) -> Answer[PersonCard]:
        """Answers somebody who signed in: the browser keeps the token, and no script can read it."""
        who, token = came_in
        response = answer(PersonCard(who.name, role_of(who), active=True))
        if token:
            keep(request, response, SESSION, token, MONTH_SECONDS)
        return response

    # --- what is stored, and what was asked for before ------------------------------------------------------------------

    async def read(self, question: Question, by: str, content_type: str = "application/json") -> Answer[Any]:
        """Lets a clerk answer a question about the record; `by` is the person who asks, or the address."""
        return Answer(body=await self._clerks.ask(question, by), content_type=content_type)

    async def key(self, request: web.Request, who: Who, *, ticket: Validation | None = None) -> str:
        """The key of a request: sent again under the same key by the same person, it does not happen again (LED-2).

        `ticket` is the number of the ticket that the request is about, unless it issues one.
        """
        given = request.headers.get("Idempotency-Key")
        if given is not None and not _KEY.fullmatch(given):
            raise Refused("idempotency-key", clause="LED-2")
        own = given or self._entropy(16).hex()
        plain = f"desk.{who.name}.{own}"
        if "." not in who.name and "." not in own:
            return plain
        # `ann` with the key `b.1` and `ann.b` with the key `1` have the same plain form. Earlier versions stored it all the
        # same: such a request is recognized under it if the same person made it, and everything new has a form of its own.
        if given is not None:
            done = await self.floor.carried_out(
                plain, ticket.keys if ticket is not None else self.numbers.before(plain)
            )
            if done is not None and asked_by(done) == who.name:
                return plain
        return f"desk/{who.name}/{own}"

    @asynccontextmanager
    async def ticket_tried(self, request: web.Request, who: Who) -> AsyncIterator[None]:
        """Wraps the redemption of a ticket: a refusal is a significant event, and the number of failures is limited."""
        address = request[ARRIVAL].address
        with self.doors.tickets_tried.one(address, self.floor.clock()):
            try:
                yield
            except AtNoCost:
                raise
            except Refused as refusal:
                await self.doors.note_failure("ticket-refused", who.name, address, str(refusal))
                raise


def role_of(who: Who) -> Role:
    """The role of a person; a display has none."""
    role: Role = next(role for role in ROLES if role == who.role)
    return role


def asked_by(done: Transfer) -> str:
    """Who made the request for a transfer: a cashier whom it names, or else the player whose credit it is."""
    owners = [names_of(each)[0] for each in (done.debit, done.credit) if kind_of(each) == "credit"]
    return done.who or next(iter(owners), "")


def keep(request: web.Request, response: web.StreamResponse, name: str, token: str, seconds: int) -> None:
    """Has the browser keep a token where no script can read it, and send it over TLS alone if it came over TLS."""
    secure = request[ARRIVAL].secure
    response.set_cookie(
        cookie_name(name, secure=secure),
        token,
        httponly=True,
        samesite="Strict",
        secure=secure,
        max_age=seconds,
        path="/",
    )


def let_go(request: web.Request, response: web.StreamResponse, name: str) -> None:
    """Has the browser forget a token."""
    keep(request, response, name, "", 0)


english(
    "refused",
    {
        "idempotency-key": "An Idempotency-Key has up to 64 letters, digits, dots, dashes and underscores.",
    },
)
