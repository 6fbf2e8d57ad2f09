"""What every request needs: who asks, what was sent with it, and the key under which it happens once."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from hmac import new
from itertools import count
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.people import DUTIES, ROLES, Duty, require
from podium.house.tickets import draw_number
from podium.record.fair import Entropy
from podium.record.store import GroupCommit, Reading
from podium.server import limits
from podium.server.doors import CameIn, Doors
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.terminals import Who
from podium.server.tries import AtNoCost
from podium.server.vigil import Vigil

COOKIE: Final = "podium"
TERMINAL_COOKIE: Final = "podium-terminal"
"""What a browser keeps that the operator enrolled as a terminal (SEC-3)."""
MONTH: Final = 30 * 24 * 3600
SEEN_BY_ITSELF: Final = ("/api/me", "/api/terminal", "/api/floor/tables", "/api/approvals", "/api/approvals/mine")
"""What a screen asks without anybody touching it: that keeps no session awake (CARD-6)."""

_KEY: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_encode: Final = msgspec.json.Encoder().encode

T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
DutyHandler = Callable[[web.Request, Who], Awaitable[web.StreamResponse]]


class Route(NamedTuple):
    """One thing that anybody can ask. The first line of the handler's docstring says what it is."""

    method: str
    path: str
    handler: Handler
    who: str = "anybody"
    """In words, where the request itself must show who asks."""


class DutyRoute(NamedTuple):
    """One thing that belongs to somebody's duties: whoever asks has one of them, and the handler is given the person."""

    method: str
    path: str
    handler: DutyHandler
    duties: tuple[Duty, ...]

    @property
    def who(self) -> str:
        """The roles that have one of the duties, and the duties."""
        roles = [role for role in ROLES if DUTIES[role].intersection(self.duties)]
        return f"{', '.join(roles)} ({' or '.join(f'`{duty}`' for duty in self.duties)})"


AnyRoute = Route | DutyRoute


class NotWho(Exception):
    """The caller must sign in first."""


class NotAllowed(Exception):
    """The caller does not have this duty (SEC-2)."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal)
        self.refusal: Final = refusal


def answer(value: Any, status: int = 200) -> web.Response:
    return web.Response(body=_encode(value), status=status, content_type="application/json")


class Reception:
    """Where every request comes in."""

    def __init__(
        self,
        floor: Floor,
        doors: Doors,
        enrolment: Enrolment,
        store: GroupCommit,
        vigil: Vigil,
        *,
        entropy: Entropy,
        secret: bytes,
    ) -> None:
        self.floor: Final = floor
        self.doors: Final = doors
        self.enrolment: Final = enrolment
        self.vigil: Final = vigil
        self._store: Final = store
        self.socket_port = 0
        self._reading = 0
        """How many wait for the record to be read."""
        self._entropy: Final = entropy
        self._secret: Final = sha256(b"podium-tickets-1\n" + secret).digest()

    # --- who asks ---------------------------------------------------------------------------------------------------

    def found(self, request: web.Request) -> Who | None:
        """The person who is signed in at this browser, if any."""
        active = request.path not in SEEN_BY_ITSELF
        return self.doors.identify(request.cookies.get(COOKIE, ""), self.floor.clock(), active=active)

    def _who(self, request: web.Request) -> Who:
        found = self.found(request)
        if found is None:
            raise NotWho
        return found

    def terminal(self, request: web.Request) -> str:
        """The name of the terminal that this browser is, for whoever signs in at it (MTR-1)."""
        return self.doors.terminal(request.cookies.get(TERMINAL_COOKIE, ""))

    def enforced(self, route: AnyRoute) -> Handler:
        """The handler of a route behind its duties: nobody without one of them comes to it (SEC-2)."""
        if isinstance(route, Route):
            return route.handler

        async def asked(request: web.Request) -> web.StreamResponse:
            return await route.handler(request, self._require(request, route.duties))

        return asked

    def _require(self, request: web.Request, duties: tuple[Duty, ...]) -> Who:
        """The caller, who must have one of these duties."""
        who = self._who(request)
        role = next(role for role in ROLES if role == who.role)
        refusals = []
        for duty in duties:
            try:
                require(role, duty)
                return who
            except Refused as refusal:
                refusals.append(refusal)
        raise NotAllowed(refusals[0])

    def came_in(self, request: web.Request, came_in: CameIn) -> web.Response:
        """Somebody signed in: the browser keeps the token, and no script can read it."""
        who, token = came_in
        response = answer({"name": who.name, "role": who.role, "active": True})
        response.set_cookie(COOKIE, token, httponly=True, samesite="Strict", secure=request.secure, max_age=MONTH)
        return response

    # --- what is stored, and what was sent ----------------------------------------------------------------------------------------------

    async def reading(self, what: Callable[[Reading], T]) -> T:
        """Read from the store, on its thread, one after another."""
        if self._reading >= limits.MAX_WAITING_READS:
            raise Refused("readers-waiting")
        self._reading += 1
        try:
            return await self._store.read(what)
        finally:
            self._reading -= 1

    async def read(self, request: web.Request, kind: type[T]) -> T:
        """What was sent with a request, checked."""
        try:
            return msgspec.json.decode(await request.read() or b"{}", type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refused("request-not-understood", error=shortened(str(error))) from None

    def key(self, request: web.Request, who: Who) -> str:
        """Under which key it happens: the same key of the same person again does not happen again (LED-2)."""
        given = request.headers.get("Idempotency-Key")
        if given is not None and not _KEY.fullmatch(given):
            raise Refused("idempotency-key", clause="LED-2")
        own = given or self._entropy(16).hex()
        # Where a name or a key has a dot, a stroke, which neither can have, keeps the keys of two people apart.
        mark = "/" if "." in who.name or "." in own else "."
        return f"desk{mark}{who.name}{mark}{own}"

    @asynccontextmanager
    async def ticket_tried(self, request: web.Request, who: Who) -> AsyncIterator[None]:
        """Around the redemption of a ticket: a refusal is a significant event, and not many are allowed in a row."""
        address = request.remote or "unknown"
        with self.doors.tickets_tried.one(address, self.floor.clock()):
            try:
                yield
            except AtNoCost:
                raise
            except Refused as refusal:
                await self.doors.note_failure("ticket-refused", who.name, address, str(refusal))
                raise

    def ticket_number(self, key: str) -> str:
        """The validation number for a request: unguessable without the key of the house, the same when it is asked for
        again. The house keeps no numbers, so it could not repeat one that it had drawn."""
        counter = count()
        return draw_number(lambda size: new(self._secret, f"{key}\n{next(counter)}\n".encode(), sha256).digest()[:size])


english(
    "refused",
    {
        "readers-waiting": "The record is being read for others: ask again in a moment.",
        "request-not-understood": "The request is not understood: {error}.",
        "idempotency-key": "An Idempotency-Key has up to 64 letters, digits, dots, dashes and underscores.",
    },
)
