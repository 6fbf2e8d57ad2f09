"""The transparency logs of the house, for its witnesses (EVT-5)."""

import base64
from collections.abc import Callable
from typing import Annotated, Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.store import Reading, StoredLog
from podium.server.web.reception import ARRIVAL, Reception
from podium.server.web.routes import Answer, AnyRoute, Route, answer

MAX_ENTRIES: Final = 10**15

Size = Annotated[int, msgspec.Meta(ge=0, le=MAX_ENTRIES)]


class ConsistencyQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"old": "from", "size": "to"}):
    """Two sizes of one log."""

    stream: str
    old: Size
    """The earlier number of entries."""
    size: Size
    """The later one, which must be signed."""


class InclusionQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"size": "to"}):
    """An entry of a log, and a size of it."""

    stream: str
    entry: Annotated[int, msgspec.Meta(ge=1, le=MAX_ENTRIES)]
    """Its number in the stream."""
    size: Size
    """A number of entries that is signed."""


class LogProof(msgspec.Struct, frozen=True):
    """A proof of RFC 6962."""

    proof: list[str]
    """Its hashes in base64."""


class Logs:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception

    async def checkpoints(self, request: web.Request) -> web.Response:
        """The last signed checkpoint of every stream: C2SP signed notes as plain text, each followed by an empty line."""
        stored = await self._reception.reading(lambda book: book.checkpoints(), request[ARRIVAL].counted_as)
        self._reception.vigil.fetched_at = self._reception.floor.clock()
        return web.Response(text="".join(f"{each.note}\n" for each in stored))

    async def consistency(self, request: web.Request, query: ConsistencyQuery) -> Answer[LogProof]:
        """The proof that the log of a stream begins with the log that it was earlier."""
        old, size = query.old, query.size
        return await self._proof(request, query.stream, old, size, lambda log: log.consistency(old, size))

    async def inclusion(self, request: web.Request, query: InclusionQuery) -> Answer[LogProof]:
        """The proof that the log of a stream has an entry."""
        entry, size = query.entry, query.size
        return await self._proof(request, query.stream, entry, size, lambda log: log.inclusion(entry, size))

    async def _proof(
        self, request: web.Request, stream: str, first: int, size: int, make: Callable[[StoredLog], list[bytes]]
    ) -> Answer[LogProof]:
        def read(book: Reading) -> list[bytes]:
            signed = {each.stream: each.size for each in book.checkpoints()}.get(stream, 0)
            if not first <= size <= signed:
                raise Refused("log-unsigned", stream=shortened(stream), size=size, signed=signed)
            return make(StoredLog(book, stream))

        proof = await self._reception.reading(read, request[ARRIVAL].counted_as)
        return answer(LogProof([base64.b64encode(each).decode() for each in proof]))


def routes(reception: Reception) -> list[AnyRoute]:
    logs = Logs(reception)
    return [
        Route("GET", "/api/checkpoints", logs.checkpoints),
        Route("GET", "/api/log/consistency", logs.consistency),
        Route("GET", "/api/log/inclusion", logs.inclusion),
    ]


english("refused", {"log-unsigned": "There is no proof about {size} entries of {stream}: {signed} are signed."})
