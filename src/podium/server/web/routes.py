"""What can be asked over HTTP. The signature of a handler is the one definition of what its route takes and answers.

async def buy_in(self, request: web.Request, who: Who, asked: BuyIn) -> Answer[AccountCard]: ...

`asked` is the body and `query` the part of the address after the question mark, both decoded before the handler is called.
The types of the terminals (web/src/generated/api.ts) and docs/api.md are written from these signatures.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.people import DUTIES, ROLES, Duty

T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
RouteHandler = Callable[..., Awaitable[web.StreamResponse]]
"""Takes the request, the person for a route with duties, and `asked` and `query` where it declares them."""

_encode: Final = msgspec.json.Encoder().encode


class Answer(web.Response, Generic[T]):
    """A JSON answer that holds a `T`."""


def answer(value: T, status: int = 200) -> Answer[T]:
    """Encodes a value as a JSON answer."""
    return Answer(body=_encode(value), status=status, content_type="application/json")


class Route(NamedTuple):
    """A request that anybody may make. The first line of the handler's docstring describes it."""

    method: str
    path: str
    handler: RouteHandler
    who: str = "anybody"
    """Who may ask, in words, where the request itself must prove it."""


class DutyRoute(NamedTuple):
    """A request that needs one of these duties (SEC-2). The handler is given the person who asks."""

    method: str
    path: str
    handler: RouteHandler
    duties: tuple[Duty, ...]

    @property
    def who(self) -> str:
        """The roles that have one of the duties, and the duties."""
        roles = [role for role in ROLES if DUTIES[role].intersection(self.duties)]
        return f"{', '.join(roles)} ({' or '.join(f'`{duty}`' for duty in self.duties)})"


AnyRoute = Route | DutyRoute


class NoFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body or query of a route that declares none: it must be empty."""


class RouteTypes(NamedTuple):
    """What a route takes and answers."""

    answers: Any = None
    """The type of the JSON answer; None for a page, text or a file."""
    body: Any = None
    query: Any = None

    async def read(self, request: web.Request) -> dict[str, Any]:
        """What was sent with a request, decoded, as the handler's arguments."""
        if self.answers is None:  # a page or a file: its address may have any query
            return {}
        try:
            query = msgspec.convert(dict(request.query), self.query or NoFields, strict=False)
            asked = msgspec.json.decode(await request.read() or b"{}", type=self.body or NoFields)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refused("request-not-understood", error=shortened(str(error))) from None
        return {
            name: value
            for name, kind, value in (("asked", self.body, asked), ("query", self.query, query))
            if kind is not None
        }


def types_of(handler: RouteHandler) -> RouteTypes:
    """The types that the annotations of a handler declare."""
    hints = get_type_hints(handler)
    returned = hints["return"]
    answers = [each for each in (returned, *get_args(returned)) if get_origin(each) is Answer]
    return RouteTypes(get_args(answers[0])[0] if answers else None, hints.get("asked"), hints.get("query"))


english("refused", {"request-not-understood": "The request is not understood: {error}."})
