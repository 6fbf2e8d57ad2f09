"""The house over HTTP: pages, sign-in, and what a terminal asks besides its table."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from podium import __version__
from podium.refusal import Refused
from podium.server.doors import Doors
from podium.server.floor import Floor, Who
from podium.server.program import fingerprint
from podium.server.show import table_card

STATIC: Final = Path(__file__).parent / "static"
COOKIE: Final = "podium"
SCREENS: Final = ("play", "dealer", "floor")
BODY: Final = 65_536

T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_encode: Final = msgspec.json.Encoder().encode


class NotWho(Exception):
    """Whoever asks must sign in first."""


class NotAllowed(Exception):
    """Whoever asks has another role (SEC-2)."""


def answer(value: Any, status: int = 200) -> web.Response:
    return web.Response(body=_encode(value), status=status, content_type="application/json")


def refused(reason: str, status: int) -> web.Response:
    return answer({"reason": reason}, status)


@web.middleware
async def in_sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Whatever is refused is refused with one sentence."""
    try:
        return await handler(request)
    except Refused as refusal:
        return refused(str(refusal), HTTPStatus.UNPROCESSABLE_ENTITY)
    except NotWho:
        return refused("Sign in first.", HTTPStatus.UNAUTHORIZED)
    except NotAllowed as error:
        return refused(str(error), HTTPStatus.FORBIDDEN)
    except web.HTTPNotFound:
        return refused(f"There is nothing at {request.path}.", HTTPStatus.NOT_FOUND)
    except web.HTTPMethodNotAllowed as error:
        listed = ", ".join(sorted(error.allowed_methods))
        return refused(f"{request.path} does not take {request.method}, but {listed}.", HTTPStatus.METHOD_NOT_ALLOWED)


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Browsers keep these pages to themselves, and other sites cannot post to the house in somebody's name."""
    origin = request.headers.get("Origin")
    if request.method not in ("GET", "HEAD") and origin and origin.partition("://")[2] != request.host:
        return refused("This request comes from another site.", HTTPStatus.FORBIDDEN)
    response = await handler(request)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Referrer-Policy"] = "same-origin"
    return response


class Web:
    """The routes of one house."""

    def __init__(self, floor: Floor, doors: Doors, socket_port: int) -> None:
        self.floor: Final = floor
        self.doors: Final = doors
        self.socket_port: Final = socket_port

    def app(self) -> web.Application:
        app = web.Application(middlewares=[in_sentences, guarded], client_max_size=BODY)
        for method, path, handler in self.routes():
            app.router.add_route(method, path, handler)
        if STATIC.is_dir():
            app.router.add_static("/assets", STATIC / "assets")
        return app

    def routes(self) -> list[tuple[str, str, Handler]]:
        return [
            ("GET", "/", self.front_door),
            *(("GET", f"/{screen}", self.page) for screen in SCREENS),
            ("GET", "/display/{table}", self.page),
            ("GET", "/api/house", self.house),
            ("GET", "/api/health", self.health),
            ("GET", "/api/tables", self.tables),
            ("GET", "/api/me", self.me),
            ("GET", "/api/terminal", self.terminal),
            ("POST", "/api/guest", self.guest),
            ("POST", "/api/sign-in", self.sign_in),
            ("POST", "/api/sign-out", self.sign_out),
        ]

    # --- who asks ---------------------------------------------------------------------------------------------------

    def who(self, request: web.Request) -> Who:
        """Whoever signed in at this browser."""
        found = self.doors.identify(request.cookies.get(COOKIE, ""), self.floor.clock())
        if found is None:
            raise NotWho
        return found

    def only(self, request: web.Request, *roles: str) -> Who:
        who = self.who(request)
        if who.role not in roles:
            raise NotAllowed(f"A {who.role} cannot do that (SEC-2): it takes a {' or a '.join(roles)}.")
        return who

    async def read(self, request: web.Request, kind: type[T]) -> T:
        """What was sent with a request, checked."""
        try:
            return msgspec.json.decode(await request.read(), type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refused(f"The request is not understood: {error}.") from None

    def _signed_in(self, who: Who, token: str) -> web.Response:
        response = answer({"name": who.name, "role": who.role, "active": True})
        response.set_cookie(COOKIE, token, httponly=True, samesite="Strict", max_age=30 * 24 * 3600)
        return response

    # --- pages ------------------------------------------------------------------------------------------------------

    async def front_door(self, request: web.Request) -> web.StreamResponse:
        raise web.HTTPFound("/play")

    async def page(self, request: web.Request) -> web.StreamResponse:
        screen = request.path.split("/")[1]
        page = STATIC / f"{screen}.html"
        if not page.is_file():
            return web.Response(text="The terminals are not built: run `make web`.", status=503)
        return web.FileResponse(page, headers={"Cache-Control": "no-cache"})

    # --- the house --------------------------------------------------------------------------------------------------

    async def house(self, _: web.Request) -> web.Response:
        config = self.floor.house.config
        return answer(
            {
                "name": config.name,
                "currency": config.currency,
                "guests": config.guests,
                "version": __version__,
                "program": fingerprint(),
                "now": self.floor.clock(),
            }
        )

    async def health(self, _: web.Request) -> web.Response:
        failed = self.floor.failed is not None and self.floor.failed.done()
        return answer({"well": not failed, "tables": len(self.floor.podiums)}, 503 if failed else 200)

    async def tables(self, _: web.Request) -> web.Response:
        return answer([table_card(table) for table in self.floor.house.tables.values()])

    # --- people -----------------------------------------------------------------------------------------------------

    async def me(self, request: web.Request) -> web.Response:
        found = self.doors.identify(request.cookies.get(COOKIE, ""), self.floor.clock())
        return answer(found and {"name": found.name, "role": found.role, "active": True})

    async def guest(self, _: web.Request) -> web.Response:
        """Come in as a guest of the demonstration house, with play money."""
        who, token = await self.doors.guest()
        return self._signed_in(who, token)

    async def sign_in(self, request: web.Request) -> web.Response:
        asked = await self.read(request, _SignIn)
        who, token = await self.doors.sign_in(asked.name, asked.password)
        return self._signed_in(who, token)

    async def sign_out(self, request: web.Request) -> web.Response:
        response = answer({})
        response.del_cookie(COOKIE)
        return response

    async def terminal(self, request: web.Request) -> web.Response:
        """Where this browser opens its WebSocket, and what it shows there."""
        wanted = request.query.get("as", "player")
        token = self.doors.terminal_token(request.cookies.get(COOKIE, ""), wanted, self.floor.clock())
        if token is None:
            raise NotWho
        host = request.host.rsplit(":", 1)[0] if not request.host.endswith("]") else request.host
        scheme = "wss" if request.secure else "ws"
        return answer({"socket": f"{scheme}://{host}:{self.socket_port}/ws?token={token}"})


class _SignIn(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    password: str
