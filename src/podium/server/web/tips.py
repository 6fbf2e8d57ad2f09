"""Dealers' tips on the floor: a supervisor shares those of a shift, or of any span of time, as one pool."""

import asyncio
from typing import Final

import msgspec
from aiohttp import web

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import tipping
from podium.house.reports import between
from podium.house.reports.intervals import moment
from podium.house.reports.tips import given_in, podium_time, shared_before
from podium.record.store import Reading
from podium.server.terminals import Who
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, answer

_MINUTE_MS: Final = 60_000


class TipsShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time whose tips are shared, in milliseconds since 1970: a shift, or any other."""

    since: int = 0
    """0 for the beginning."""
    until: int = 0
    """0 for now."""


class ShareCard(msgspec.Struct, frozen=True):
    """A dealer's part of the tips."""

    name: str
    minutes: int
    """Minutes at the podium in that time."""
    share: int


class TipsDesk:
    def __init__(self, reception: Reception) -> None:
        self._floor: Final = reception.floor
        self._one: Final = asyncio.Lock()
        """One sharing at a time, so that no tips are shared twice."""

    async def share(self, request: web.Request, who: Who, asked: TipsShare) -> Answer[list[ShareCard]]:
        """Share the tips of a time among the dealers, in proportion to their time at the podium; the same time is shared once."""
        now = self._floor.clock()
        since, until = asked.since, asked.until or now
        if not 0 <= since < until <= now:
            raise Refused("tips-span")

        def look(book: Reading) -> tuple[dict[str, int], dict[str, int]]:
            if (reaches := shared_before(book, since, until, now)) != 0:
                raise Refused("tips-shared", until=moment(reaches))
            interval = between(since, until)
            return dict(given_in(book, interval)), dict(podium_time(book, self._trains, interval, now))

        async with self._one:
            given, worked = await self._floor.store.find(look)
            parts = await self._floor.in_house(
                lambda now: tipping.share_tips(self._floor.house, given, worked, (since, until), now, by=who.name)
            )
        return answer([ShareCard(name, worked[name] // _MINUTE_MS, share) for name, share in sorted(parts.items())])

    def _trains(self, table: str, _: int) -> bool:
        """Whether dealers practise at a table: nobody is tipped there."""
        known = self._floor.house.tables.get(table)
        return known is not None and known.upcoming.training


def routes(reception: Reception) -> list[AnyRoute]:
    return [DutyRoute("POST", "/api/floor/tips/share", TipsDesk(reception).share, ("adjust",))]


english(
    "refused",
    {
        "tips-span": "Tips are shared for a time that has passed, and its end must come after its beginning.",
        "tips-shared": "Tips of that time were shared already, until {until}: share what came after it.",
    },
)
