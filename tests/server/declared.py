"""What the routes of a house declare that they answer, and whether an answer is that."""

import re
from typing import Any

import msgspec

from podium.server.web import Reception, RouteTypes, every_route, types_of
from podium.server.web.cards import RefusalCard

SICK = ("/api/health", 503)
"""The one answer of a route with an error status that is not a refusal."""


def declared(reception: Reception) -> dict[str, RouteTypes]:
    """The types of every route, by method and path."""
    routes = (route for listed in every_route(reception).values() for route in listed)
    return {f"{route.method} {route.path}": types_of(route.handler) for route in routes}


class DeclaredAnswers:
    """The declared answers of a house, against which every JSON answer that a test gets is held."""

    def __init__(self, reception: Reception) -> None:
        self._patterns = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", route)), types.answers)
            for route, types in declared(reception).items()
        ]

    def check(self, method: str, path: str, status: int, body: bytes) -> None:
        """Fails unless the JSON body decodes into the declared type and encodes from it to the same bytes: a field that is
        missing, unknown or of another type makes a difference."""
        path = path.partition("?")[0]
        kind: Any = RefusalCard
        if status < 400 or (path, status) == SICK:
            [kind] = [answers for pattern, answers in self._patterns if pattern.fullmatch(f"{method} {path}")]
        assert msgspec.json.encode(msgspec.json.decode(body, type=kind)) == body, (method, path, kind, body)
