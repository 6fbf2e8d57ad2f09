"""The transparency logs of the house, for whoever wants to be its witness (EVT-5)."""

import base64
from collections.abc import Callable
from typing import Final, NamedTuple

from aiohttp import web

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.store import Reading, StoredLog
from podium.server.web.reception import AnyRoute, Reception, Route, answer


class _Asked(NamedTuple):
    stream: str
    first: int
    """The earlier size, or the entry."""
    size: int


class Logs:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception

    async def checkpoints(self, request: web.Request) -> web.Response:
        """The last signed checkpoint of every stream: C2SP signed notes as plain text, each followed by an empty line."""
        stored = await self._reception.reading(lambda book: book.checkpoints())
        return web.Response(text="".join(f"{each.note}\n" for each in stored))

    async def consistency(self, request: web.Request) -> web.Response:
        """The proof that the log of a `stream` of the size `to` begins with the one of the size `from`, as base64 hashes."""
        asked = _asked(request, "from", "to")
        return answer({"proof": await self._proof(asked, lambda log: log.consistency(asked.first, asked.size))})

    async def inclusion(self, request: web.Request) -> web.Response:
        """The proof that the log of a `stream` of the size `to` has the entry of the number `entry`, as base64 hashes."""
        asked = _asked(request, "entry", "to")
        if not asked.first:
            raise Refused("log-size", stream=asked.stream, name="entry")
        return answer({"proof": await self._proof(asked, lambda log: log.inclusion(asked.first, asked.size))})

    async def _proof(self, asked: _Asked, make: Callable[[StoredLog], list[bytes]]) -> list[str]:
        def read(book: Reading) -> list[bytes]:
            signed = {each.stream: each.size for each in book.checkpoints()}.get(asked.stream, 0)
            if not asked.first <= asked.size <= signed:
                raise Refused("log-unsigned", stream=asked.stream, size=asked.size, signed=signed)
            return make(StoredLog(book, asked.stream))

        return [base64.b64encode(each).decode() for each in await self._reception.reading(read)]


def _asked(request: web.Request, first: str, size: str) -> _Asked:
    stream = shortened(request.query.get("stream", ""))
    return _Asked(stream, _number(request, stream, first), _number(request, stream, size))


def _number(request: web.Request, stream: str, name: str) -> int:
    text = request.query.get(name, "")
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise Refused("log-size", stream=stream, name=name)
    return int(text)


def routes(reception: Reception) -> list[AnyRoute]:
    logs = Logs(reception)
    return [
        Route("GET", "/api/checkpoints", logs.checkpoints),
        Route("GET", "/api/log/consistency", logs.consistency),
        Route("GET", "/api/log/inclusion", logs.inclusion),
    ]


english(
    "refused",
    {
        "log-size": "A proof about the log of {stream} needs a number of entries as {name}.",
        "log-unsigned": "There is no proof about {size} entries of {stream}: {signed} are signed.",
    },
)
