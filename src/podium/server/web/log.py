"""The transparency logs of the house, for its witnesses (EVT-5)."""

from typing import Annotated, Final

import msgspec
from aiohttp import web

from podium.server.clerks.questions import LogProof, ProveConsistency, ProveInclusion, ReadCheckpoints
from podium.server.web.reception import ARRIVAL, Reception
from podium.server.web.routes import Answer, AnyRoute, Route

MAX_ENTRIES: Final = 10**15

Size = Annotated[int, msgspec.Meta(ge=0, le=MAX_ENTRIES)]


class ConsistencyQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"old": "from", "size": "to"}):
    """Two sizes of one log."""

    stream: str
    old: Size
    """The earlier number of entries."""
    size: Size
    """The later number of entries, which must be signed."""


class InclusionQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"size": "to"}):
    """An entry of a log, and a size of it."""

    stream: str
    entry: Annotated[int, msgspec.Meta(ge=1, le=MAX_ENTRIES)]
    """Its number in the stream."""
    size: Size
    """A number of entries that is signed."""


class Logs:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception

    async def checkpoints(self, request: web.Request) -> web.Response:
        """The last signed checkpoint of every stream: C2SP signed notes as plain text, each followed by an empty line."""
        stored = await self._reception.read(ReadCheckpoints(), request[ARRIVAL].counted_as, "text/plain")
        stored.charset = "utf-8"
        self._reception.vigil.fetched_at = self._reception.floor.clock()
        return stored

    async def consistency(self, request: web.Request, query: ConsistencyQuery) -> Answer[LogProof]:
        """The proof that the log of a stream begins with an earlier version of it."""
        question = ProveConsistency(query.stream, query.old, query.size)
        return await self._reception.read(question, request[ARRIVAL].counted_as)

    async def inclusion(self, request: web.Request, query: InclusionQuery) -> Answer[LogProof]:
        """The proof that the log of a stream has an entry."""
        question = ProveInclusion(query.stream, query.entry, query.size)
        return await self._reception.read(question, request[ARRIVAL].counted_as)


def routes(reception: Reception) -> list[AnyRoute]:
    logs = Logs(reception)
    return [
        Route("GET", "/api/checkpoints", logs.checkpoints),
        Route("GET", "/api/log/consistency", logs.consistency),
        Route("GET", "/api/log/inclusion", logs.inclusion),
    ]
