"""What stands around every request: sentences instead of errors, headers, other sites kept out, the log."""

from contextlib import suppress
from http import HTTPStatus
from time import perf_counter
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Middleware

from podium.basics.reasons import Reason
from podium.basics.refusal import Refused
from podium.house.events import Noted
from podium.record.store import Fenced, Stale, Unavailable
from podium.server.floor import Floor
from podium.server.gateway import place_of
from podium.server.log import log
from podium.server.metrics import Metrics
from podium.server.web.reception import Handler, NotAllowed, NotWho, answer

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}


def refused(reason: str, status: int, why: Reason | None = None) -> web.Response:
    return answer({"reason": reason} if why is None else {"reason": reason, "why": why}, status)


def in_sentences(floor: Floor) -> Middleware:
    """Whatever is refused is refused with one sentence; a mistake of the house is a significant event (EVT-1)."""

    @web.middleware
    async def in_sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refused as refusal:
            return refused(str(refusal), HTTPStatus.UNPROCESSABLE_ENTITY, refusal.why)
        except NotWho:
            return refused("Sign in first.", HTTPStatus.UNAUTHORIZED)
        except NotAllowed as error:
            return refused(str(error), HTTPStatus.FORBIDDEN)
        except web.HTTPNotFound:
            return refused(f"There is nothing at {request.path}.", HTTPStatus.NOT_FOUND)
        except web.HTTPMethodNotAllowed as error:
            listed = ", ".join(sorted(error.allowed_methods))
            return refused(
                f"{request.path} does not take {request.method}, but {listed}.", HTTPStatus.METHOD_NOT_ALLOWED
            )
        except web.HTTPRequestEntityTooLarge as error:
            return refused(f"The request is too long: {error.text}.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except web.HTTPException:
            raise
        except (Fenced, Stale, Unavailable):
            log.exception("the house cannot store", path=request.path)
            return refused("The house has stopped: it could not store what it did.", HTTPStatus.SERVICE_UNAVAILABLE)
        except Exception as error:
            log.exception("a request failed", path=request.path)
            with suppress(Exception):  # the answer is given, whether or not this can be noted
                await floor.note(Noted("program-error", request.path, "", place_of(error)))
            return refused("The house made a mistake; it is in its log.", HTTPStatus.INTERNAL_SERVER_ERROR)

    return in_sentences


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Browsers keep these pages to themselves, and other sites cannot post to the house in somebody's name."""
    origin = request.headers.get("Origin")
    if request.method not in ("GET", "HEAD") and origin and origin.partition("://")[2] != request.host:
        return refused("This request comes from another site.", HTTPStatus.FORBIDDEN)
    response = await handler(request)
    response.headers.update(HEADERS)
    return response


def logged(metrics: Metrics) -> Middleware:
    """A line for every request: never its query nor its body, which may hold secrets."""

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
