"""The cookies that identify a browser. Scripts cannot read them, and their values are never part of an address."""

from collections.abc import Iterator
from typing import Final

from multidict import MultiMapping

SESSION: Final = "podium"
"""Who is signed in at a browser."""
TERMINAL: Final = "podium-terminal"
"""The cookie of a browser that the operator enrolled as a terminal (SEC-3)."""
DISPLAY: Final = "display"
"""The token of a wall without a cookie, and its role: in a house that allows guests anybody may watch."""
SECURE_PREFIX: Final = "__Host-"
"""Browsers accept a cookie with this prefix only over TLS, from the host itself and for the whole site."""


def cookie_name(name: str, *, secure: bool) -> str:
    """The name of a cookie, with or without TLS."""
    return f"{SECURE_PREFIX}{name}" if secure else name


def shown_token(headers: MultiMapping[str], name: str, *, secure: bool) -> str:
    """The token in a cookie; empty when there is none, or it is not a token."""
    wanted = cookie_name(name, secure=secure)
    shown = next((value for found, value in _pairs(headers) if found == wanted), "")
    return shown if shown.isascii() else ""


def _pairs(headers: MultiMapping[str]) -> Iterator[tuple[str, str]]:
    for header in headers.getall("Cookie", []):
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            yield name, value.strip('"')
