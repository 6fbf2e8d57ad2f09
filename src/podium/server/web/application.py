"""All routes together."""

from http import HTTPStatus
from typing import Final

from aiohttp import web

from podium.basics.refusal import Refused
from podium.server import limits
from podium.server.web import (
    account,
    approving,
    cashier,
    floor,
    log,
    pages,
    people,
    player,
    protection,
    recall,
    record,
    reopening,
    tips,
)
from podium.server.web.files import ASSETS, StaticFiles
from podium.server.web.guards import arrived, guarded, in_sentences, located, logged, one_by_one, refused, with_headers
from podium.server.web.reception import Reception
from podium.server.web.routes import AnyRoute

SUBJECTS: Final = {
    "Pages and the house": pages.routes,
    "People": people.routes,
    "Your account": account.routes,
    "Approvals": approving.routes,
    "Players": player.routes,
    "Player protection": protection.routes,
    "Cashier": cashier.routes,
    "Floor": lambda reception: [*floor.routes(reception), *tips.routes(reception)],
    "Reopened rounds": reopening.routes,
    "Recall": recall.routes,
    "Record": record.routes,
    "Transparency logs": log.routes,
}


def every_route(reception: Reception) -> dict[str, list[AnyRoute]]:
    """Every route, by subject."""
    return {subject: routes(reception) for subject, routes in SUBJECTS.items()}


def application(reception: Reception) -> web.Application:
    """The application that serves a house."""
    app = web.Application(
        middlewares=[
            one_by_one(),
            arrived(reception.arrivals),
            logged(reception.floor.metrics),
            in_sentences(reception.floor),
            guarded(reception.arrivals),
            located(reception),
        ],
        client_max_size=limits.MAX_REQUEST_BYTES,
    )
    for listed in every_route(reception).values():
        for route in listed:
            app.router.add_route(route.method, route.path, reception.enforced(route), expect_handler=_expected)
    app.router.add_get(ASSETS, StaticFiles().asset)
    app.on_response_prepare.append(with_headers)
    return app


async def _expected(request: web.Request) -> web.StreamResponse | None:
    """Lets a body come that was announced, which is all that a request may expect."""
    if request.headers.get("Expect", "").lower() != "100-continue":
        return refused(Refused("request-unreadable"), HTTPStatus.EXPECTATION_FAILED)
    assert request.transport is not None
    request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return None
