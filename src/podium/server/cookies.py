"""The cookies by which a browser shows who it is. No script reads them, and no address holds what is in them."""

from collections.abc import Iterator
from typing import Final

from multidict import MultiMapping

SESSION: Final = "podium"
"""Who is signed in at a browser."""
TERMINAL: Final = "podium-terminal"
"""What a browser keeps that the operator enrolled as a terminal (SEC-3)."""
DISPLAY: Final = "display"
"""What a wall shows that has no cookie, and its role: in a house that receives guests anybody may look."""
SECURE_PREFIX: Final = "__Host-"
"""Browsers take a cookie with this name only over TLS, from the host itself and for all of it."""


def cookie_name(name: str, *, secure: bool) -> str:
    """The name that a cookie has where the browser came by TLS, or did not."""
    return f"{SECURE_PREFIX}{name}" if secure else name


def shown_token(headers: MultiMapping[str], name: str, *, secure: bool) -> str:
    """The token in a cookie; empty when there is none, or something that is no token."""
    wanted = cookie_name(name, secure=secure)
    shown = next((value for found, value in _pairs(headers) if found == wanted), "")
    return shown if shown.isascii() else ""


def _pairs(headers: MultiMapping[str]) -> Iterator[tuple[str, str]]:
    for header in headers.getall("Cookie", []):
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            yield name, value.strip('"')
