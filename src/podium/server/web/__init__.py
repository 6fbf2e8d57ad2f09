"""The house over HTTP: one module for each subject, and the application that serves them."""

from podium.server.web.application import application, every_route
from podium.server.web.reception import AnyRoute, DutyRoute, Reception, Route

__all__ = ["AnyRoute", "DutyRoute", "Reception", "Route", "application", "every_route"]
