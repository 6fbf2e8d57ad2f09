"""The screens, and what is public about the house."""

from pathlib import Path
from typing import Final, Literal

import msgspec
from aiohttp import web

from podium import __version__
from podium.server.cookies import DISPLAY
from podium.server.gateway.line import PATH
from podium.server.health import HealthCard
from podium.server.program import fingerprint
from podium.server.show import table_card
from podium.server.web.files import STATIC, StaticFiles
from podium.server.web.reception import WHERE, NotWho, Reception
from podium.server.web.routes import Answer, AnyRoute, Route, answer
from podium.wire.messages import RulesInForce, TableCard

WELCOME: Final = Path(__file__).parent / "welcome.html"
TERMINAL: Final = Path(__file__).parent / "terminal.html"
SCREENS: Final = ("play", "dealer", "floor")


class HouseCard(msgspec.Struct, frozen=True):
    """The public facts about the house."""

    name: str
    currency: str
    address: str
    """The address that phones open; empty where they are not served."""
    guests: bool
    """Whether guests may play, with play money."""
    help_line: dict[str, str]
    """The words of the help line for players, by language (PROT-1)."""
    version: str
    program: str
    """The fingerprint of the program (VER-1)."""
    now: int


class SocketCard(msgspec.Struct, frozen=True):
    """Where a terminal connects."""

    socket: str
    """The path of the WebSocket at the address of the page; the browser's cookie says who connects."""


class SocketQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"screen": "as"}):
    """The screen that connects."""

    screen: Literal["player", "dealer", "display"] = "player"


class RulesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table."""

    table: str = ""


class Pages:
    def __init__(self, reception: Reception) -> None:
        self._reception: Final = reception
        self._floor: Final = reception.floor
        self._files: Final = StaticFiles()

    async def front_door(self, _: web.Request) -> web.StreamResponse:
        """Redirects to the player terminal."""
        raise web.HTTPFound("/play")

    async def page(self, request: web.Request) -> web.StreamResponse:
        """A screen."""
        page = STATIC / f"{request.path.split('/')[1]}.html"
        if not page.is_file():
            return web.Response(text="The terminals are not built: run `make web`.", status=503)
        return await self._files.page(request, page)

    async def welcome(self, request: web.Request) -> web.StreamResponse:
        """The page on which a person chooses a password with an invitation, whose token follows the # of the address."""
        return await self._files.page(request, WELCOME)

    async def enrolled(self, request: web.Request) -> web.StreamResponse:
        """The page on which a browser becomes the terminal whose token follows the # of the address."""
        return await self._files.page(request, TERMINAL)

    async def house(self, _: web.Request) -> Answer[HouseCard]:
        """The house: name, currency, address for phones, whether guests may play, version and fingerprint of the program (VER-1)."""
        config = self._floor.house.config
        return answer(
            HouseCard(
                name=config.name,
                currency=config.currency,
                address=config.address,
                guests=config.guests,
                help_line=config.help_line,
                version=__version__,
                program=fingerprint(),
                now=self._floor.clock(),
            )
        )

    async def health(self, _: web.Request) -> Answer[HealthCard]:
        """Whether the house and each of its parts is well: 200, or 503 if something fails and play stands still."""
        card = self._reception.vigil.health()
        return answer(card, 200 if card.well else 503)

    async def metrics(self, _: web.Request) -> web.Response:
        """Figures for Prometheus, as text."""
        self._floor.metrics.health(self._reception.vigil.health())
        return web.Response(body=self._floor.metrics.text(), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def tables(self, _: web.Request) -> Answer[list[TableCard]]:
        """The tables, as a player chooses among them."""
        return answer([table_card(table) for table in self._floor.house.tables.values()])

    async def rules(self, request: web.Request, query: RulesQuery) -> Answer[RulesInForce]:
        """The rules, limits, paytables and returns of a table, for anybody in front of a terminal (DISP-3)."""
        token = self._reception.terminal_token(request) or DISPLAY
        known = self._reception.doors.identify(token, self._floor.clock()) or self._reception.found(request)
        if known is None:
            raise NotWho
        self._floor.house.table(query.table)
        return answer(self._floor.podiums[query.table].rules_in_force())

    async def terminal(self, request: web.Request, query: SocketQuery) -> Answer[SocketCard]:
        """The path of the WebSocket for this browser, if the house knows it by its cookie; `as=display` for a display."""
        display = query.screen == DISPLAY
        # SEC-3: a display is enrolled by the operator, except in a house that allows guests.
        token = self._reception.terminal_token(request) or DISPLAY if display else self._reception.token(request)
        if self._reception.doors.arrives(token, request[WHERE], self._floor.clock()) is None:
            raise NotWho
        return answer(SocketCard(f"{PATH}?as={DISPLAY}" if display else PATH))


def routes(reception: Reception) -> list[AnyRoute]:
    pages = Pages(reception)
    return [
        Route("GET", "/", pages.front_door),
        *(Route("GET", f"/{screen}", pages.page) for screen in SCREENS),
        Route("GET", "/display/{table}", pages.page),
        Route("GET", "/welcome", pages.welcome),
        Route("GET", "/terminal", pages.enrolled),
        Route("GET", "/api/house", pages.house),
        Route("GET", "/api/health", pages.health),
        Route("GET", "/metrics", pages.metrics),
        Route("GET", "/api/tables", pages.tables),
        Route(
            "GET",
            "/api/rules",
            pages.rules,
            "anybody at an enrolled terminal, anybody signed in, anybody where guests play",
        ),
        Route("GET", "/api/terminal", pages.terminal, "anybody signed in, displays"),
    ]
