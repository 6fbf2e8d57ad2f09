"""The house over HTTP: one module for each subject, and the application that serves them."""

from podium.server.web.application import application, every_route
from podium.server.web.reception import Reception
from podium.server.web.routes import Answer, AnyRoute, DutyRoute, Route, RouteTypes, types_of

__all__ = [
    "Answer",
    "AnyRoute",
    "DutyRoute",
    "Reception",
    "Route",
    "RouteTypes",
    "application",
    "every_route",
    "types_of",
]
