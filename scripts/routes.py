"""The routes of the server, with what each takes and answers as JSON Schema."""

import asyncio
import inspect
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import structlog
from structs import Said, Schema, Schemas, said_of_fields, structs_in

from podium.house import HouseConfig
from podium.server.serve import Address, close_house, open_house
from podium.server.web import AnyRoute, RouteTypes, every_route, types_of
from podium.server.web.cards import RefusalCard


class TypedRoute(NamedTuple):
    """A route. A schema is None where the route takes no body or no query, or answers a page."""

    name: str
    """Method and path: `POST /api/redeem`."""
    who: str
    says: str
    answers: Schema | None
    body: Schema | None
    query: Schema | None
    keyed: bool
    """Whether it moves money, and happens once for its Idempotency-Key."""


class Interface(NamedTuple):
    """Everything that can be asked over HTTP."""

    subjects: dict[str, list[TypedRoute]]
    schemas: Schemas
    """Every struct in an answer, a body or a query, by name."""
    sent: frozenset[str]
    """The structs in bodies and queries."""
    said: Said

    @property
    def routes(self) -> list[TypedRoute]:
        return [route for listed in self.subjects.values() for route in listed]


@cache
def interface_of_the_house() -> Interface:
    """The interface of every house."""
    subjects = asyncio.run(_subjects())
    types = {id(route): types_of(route.handler) for listed in subjects.values() for route in listed}
    answers = [RefusalCard, *(each.answers for each in types.values() if each.answers is not None)]
    sent = [kind for each in types.values() for kind in (each.body, each.query) if kind is not None]
    _, schemas = msgspec.json.schema_components([*answers, *sent], ref_template="#/$defs/{name}")
    typed = {subject: [_typed(route, types[id(route)]) for route in listed] for subject, listed in subjects.items()}
    names = frozenset(struct.__name__ for struct in structs_in(sent))
    return Interface(typed, schemas, names, said_of_fields([*answers, *sent]))


def _typed(route: AnyRoute, types: RouteTypes) -> TypedRoute:
    says = " ".join((inspect.getdoc(route.handler) or "").partition("\n\n")[0].split())
    keyed = "_reception.key(" in inspect.getsource(route.handler)
    answers, body, query = (_schema(kind) for kind in types)
    return TypedRoute(f"{route.method} {route.path}", route.who, says, answers, body, query, keyed)


def _schema(kind: object) -> Schema | None:
    if kind is None:
        return None
    [schema], _ = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    return schema


async def _subjects() -> dict[str, list[AnyRoute]]:
    """The routes by subject: an empty house is opened for a moment to list them, without a word in the log."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    with TemporaryDirectory() as data:
        opened = await open_house(Path(data) / "data", Address(port=0), config=HouseConfig(name="nowhere"))
        try:
            return every_route(opened.reception)
        finally:
            await close_house(opened)
