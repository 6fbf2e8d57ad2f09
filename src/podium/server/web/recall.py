"""What the house remembers: significant events."""

from typing import Final

import msgspec
from aiohttp import web

from podium.server.web.reception import Reception, Route, answer


class Recall:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception

    async def events(self, request: web.Request) -> web.Response:
        """Significant events (EVT-1), the newest first."""
        self._reception.require(request, "report", "audit")
        notes = reversed(self._reception.floor.house.notes)
        return answer([{"time": at, **msgspec.structs.asdict(note)} for at, note in notes])


def routes(reception: Reception) -> list[Route]:
    recall = Recall(reception)
    return [
        Route("GET", "/api/events", recall.events, "supervisor, operator, auditor"),
    ]
