"""The middlewares of every request: refusals in sentences, headers, protection from other sites, the log."""

import asyncio
from contextlib import suppress
from http import HTTPStatus
from time import perf_counter
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Middleware

from podium.basics.refusal import Later, Refused, shortened
from podium.basics.words import english
from podium.house.events import Noted
from podium.record.store import Away, Fenced, Stale, Unavailable
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.clerks import ReadFailed
from podium.server.floor import Floor
from podium.server.gateway.entrance import peer_address
from podium.server.headers import headers_for
from podium.server.known import CHALLENGE, PROOF, NotProved
from podium.server.log import log, place_of
from podium.server.metrics import Metrics
from podium.server.turnstile import Turnstile
from podium.server.web.cards import RefusalCard, refusal_card
from podium.server.web.reception import ARRIVAL, WHERE, NotAllowed, NotWho, Reception
from podium.server.web.routes import Answer, Handler, answer

LATER: Final = frozenset({"guests-quick", "guests-full", "readers-waiting", "reads-waiting"})
"""Refusals of requests that may be repeated later."""
LATER_SECONDS: Final = 10


def refused(refusal: Refused, status: int) -> Answer[RefusalCard]:
    later = refusal.key in LATER
    response = answer(refusal_card(refusal), HTTPStatus.TOO_MANY_REQUESTS if later else status)
    if later or isinstance(refusal, Later):
        response.headers["Retry-After"] = str(LATER_SECONDS)
    return response


def in_sentences(floor: Floor) -> Middleware:
    """Turns every refusal into one sentence; logs a fault of the house as a significant event (EVT-1)."""

    @web.middleware
    async def in_sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except Later as refusal:
            return refused(refusal, HTTPStatus.SERVICE_UNAVAILABLE)
        except Refused as refusal:
            return refused(refusal, HTTPStatus.UNPROCESSABLE_ENTITY)
        except NotWho:
            return refused(Refused("nobody-signed-in"), HTTPStatus.UNAUTHORIZED)
        except NotAllowed as error:
            return refused(error.refusal, HTTPStatus.FORBIDDEN)
        except web.HTTPNotFound:
            return refused(Refused("nothing-there", path=shortened(request.path)), HTTPStatus.NOT_FOUND)
        except web.HTTPMethodNotAllowed as error:
            path, listed = shortened(request.path), sorted(error.allowed_methods)
            not_taken = Refused("method-not-taken", path=path, method=shortened(request.method), methods=listed)
            return refused(not_taken, HTTPStatus.METHOD_NOT_ALLOWED)
        except web.HTTPRequestEntityTooLarge as error:
            return refused(
                Refused("request-too-long", error=str(error.text).rstrip(".")), HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            )
        except web.HTTPException as error:
            if error.status < HTTPStatus.BAD_REQUEST:
                raise
            return refused(
                Refused("request-unreadable"), error.status
            )  # a WebSocket's handshake that is none, for example
        except Away:
            return refused(Later("store-away"), HTTPStatus.SERVICE_UNAVAILABLE)
        except (Fenced, Stale, Unavailable):
            log.exception("the house cannot store", path=request.path)
            return refused(Refused("house-stopped"), HTTPStatus.SERVICE_UNAVAILABLE)
        except Exception as error:
            log.exception("a request failed", path=request.path)
            with suppress(Exception):  # the request is answered even if this cannot be noted
                place = str(error) if isinstance(error, ReadFailed) else place_of(error)
                await floor.note(Noted("program-error", request.path, "", place))
            return refused(Refused("house-mistake"), HTTPStatus.INTERNAL_SERVER_ERROR)

    return in_sentences


def one_by_one() -> Middleware:
    """Begins one request per turn of the event loop, so that a flood of them keeps no player waiting."""
    turnstile = Turnstile()

    @web.middleware
    async def one_by_one(request: web.Request, handler: Handler) -> web.StreamResponse:
        await turnstile.enter()
        return await handler(request)

    return one_by_one


def arrived(arrivals: Arrivals) -> Middleware:
    """Reads how a request came, before anything else looks at it."""

    @web.middleware
    async def arrived(request: web.Request, handler: Handler) -> web.StreamResponse:
        transport = request.transport
        peer = peer_address(transport) if transport is not None else ""
        tls = transport is not None and transport.get_extra_info("sslcontext") is not None
        request[ARRIVAL] = arrivals.read(peer, request.headers, tls=tls)
        return await handler(request)

    return arrived


def guarded(arrivals: Arrivals) -> Middleware:
    """Answers only to the names of the house, not to other sites' pages; refuses a token in an address; limits the wait
    for a body."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        arrival = request[ARRIVAL]
        try:
            arrivals.check_host(arrival)
        except Refused as refusal:
            return refused(refusal, HTTPStatus.MISDIRECTED_REQUEST)
        if request.method not in ("GET", "HEAD"):
            try:
                arrivals.check_origin(arrival, request.headers)
            except Refused as refusal:
                return refused(refusal, HTTPStatus.FORBIDDEN)
        if not request.raw_path.startswith("/"):
            # An absolute address, as sent to a proxy, may name another host than the Host header, and only that was
            # checked.
            return refused(Refused("address-unreadable"), HTTPStatus.BAD_REQUEST)
        if "token" in request.query:
            return refused(Refused("token-in-address"), HTTPStatus.BAD_REQUEST)
        try:
            async with asyncio.timeout(limits.MAX_REQUEST_BODY_SECONDS):
                if request.can_read_body:
                    await request.read()
        except TimeoutError:
            slow = refused(Refused("body-slow", seconds=limits.MAX_REQUEST_BODY_SECONDS), HTTPStatus.REQUEST_TIMEOUT)
            slow.force_close()
            return slow
        except (ConnectionError, web.RequestPayloadError, HttpProcessingError):
            # The browser is gone, or its body is not what its headers say: no mistake of the house.
            unreadable = refused(Refused("request-unreadable"), HTTPStatus.BAD_REQUEST)
            unreadable.force_close()
            return unreadable
        return await handler(request)

    return guarded


def located(reception: Reception) -> Middleware:
    """Finds the terminal of a request, and gives one that proves itself the challenge for its next proof."""

    @web.middleware
    async def located(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            request[WHERE] = await reception.where(request)
            response = await handler(request)
        except NotProved as error:
            response = refused(error.refusal, HTTPStatus.UNAUTHORIZED)
        if PROOF in request.headers and not response.prepared:
            response.headers[CHALLENGE] = reception.known_terminals.challenge()
        return response

    return located


async def with_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Puts the headers of every answer on whatever is sent: pages, answers, redirects and errors."""
    if response.status == HTTPStatus.SWITCHING_PROTOCOLS:
        return
    for name, value in headers_for(request.get(ARRIVAL)).items():
        if name == "Server" or name not in response.headers:
            response.headers[name] = value


def logged(metrics: Metrics) -> Middleware:
    """Logs every request, never its query or its body, which may hold secrets."""

    @web.middleware
    async def logged(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = perf_counter()
        status = HTTPStatus.FOUND.value
        try:
            response = await handler(request)
            status = response.status
            return response
        finally:
            metrics.requests.labels(status).inc()
            log.debug(
                "request",
                method=request.method,
                path=request.path,
                status=status,
                milliseconds=round((perf_counter() - began) * 1000, 1),
            )

    return logged


english(
    "refused",
    {
        "nobody-signed-in": "Sign in first.",
        "nothing-there": "There is nothing at {path}.",
        "method-not-taken": "{path} does not take {method}. It takes: {methods}.",
        "request-too-long": "The request is too long: {error}.",
        "house-stopped": "The house has stopped: it could not store what it did.",
        "house-mistake": "The house made an error; its log has the details.",
        "body-slow": "The body of a request must come within {seconds} seconds.",
    },
)
