"""What every request passes through: refusals in sentences, headers, protection from other sites, the log."""

from contextlib import suppress
from http import HTTPStatus
from time import perf_counter
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Middleware

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.events import Noted
from podium.record.store import Fenced, Stale, Unavailable
from podium.server.floor import Floor
from podium.server.gateway import place_of
from podium.server.log import log
from podium.server.metrics import Metrics
from podium.server.web.cards import RefusalCard, refusal_card
from podium.server.web.reception import NotAllowed, NotWho
from podium.server.web.routes import Answer, Handler, answer

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def refused(refusal: Refused, status: int) -> Answer[RefusalCard]:
    return answer(refusal_card(refusal), status)


def in_sentences(floor: Floor) -> Middleware:
    """Turn every refusal into one sentence; log a fault of the house as a significant event (EVT-1)."""

    @web.middleware
    async def in_sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
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
            return refused(Refused("request-too-long", error=str(error.text)), HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except web.HTTPException:
            raise
        except (Fenced, Stale, Unavailable):
            log.exception("the house cannot store", path=request.path)
            return refused(Refused("house-stopped"), HTTPStatus.SERVICE_UNAVAILABLE)
        except Exception as error:
            log.exception("a request failed", path=request.path)
            with suppress(Exception):  # the request is answered even if this cannot be noted
                await floor.note(Noted("program-error", request.path, "", place_of(error)))
            return refused(Refused("house-mistake"), HTTPStatus.INTERNAL_SERVER_ERROR)

    return in_sentences


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Set the headers that protect browsers, and refuse what another site posts with the cookies of a person here."""
    origin = request.headers.get("Origin")
    if request.method not in ("GET", "HEAD") and origin and origin.partition("://")[2] != request.host:
        return refused(Refused("other-site"), HTTPStatus.FORBIDDEN)
    response = await handler(request)
    response.headers.update(HEADERS)
    return response


def logged(metrics: Metrics) -> Middleware:
    """Log every request, never its query or its body, which may hold secrets."""

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
        "method-not-taken": "{path} does not take {method}, but {methods}.",
        "request-too-long": "The request is too long: {error}.",
        "house-stopped": "The house has stopped: it could not store what it did.",
        "house-mistake": "The house made a mistake; it is in its log.",
        "other-site": "This request comes from another site.",
    },
)
