"""The headers of every answer, including refusals, redirects and errors."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from podium.server.arrivals import Arrival

NO_STORE: Final = "no-store"
YEAR_SECONDS: Final = 365 * 24 * 3600
ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Server": "Podium",
}
SECURE: Final = {
    "Strict-Transport-Security": f"max-age={YEAR_SECONDS}",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def policy(*, sockets: str = "", scripts: Iterable[str] = (), styles: Iterable[str] = ()) -> str:
    """The Content-Security-Policy of a page: what it may load, and that nobody frames it.

    `sockets` is the address of its WebSocket, for browsers in which 'self' does not cover it; `scripts` and `styles` are the
    hashes of the inline ones.
    """
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(["script-src 'self'", *scripts]),
            " ".join(["style-src 'self'", *styles]),
            # Positions on the felt are style attributes; they hold numbers, never user input.
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "manifest-src 'self'",
            f"connect-src 'self' {sockets}".strip(),
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


def hash_of(inline: str) -> str:
    """The hash of an inline script or style, as the policy names it."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"


def headers_for(arrival: Arrival | None) -> dict[str, str]:
    """The headers of every answer; `None` for a request that could not be read."""
    sockets = arrival.socket if arrival is not None else ""
    secure = SECURE if arrival is not None and arrival.secure else {}
    return {**ALWAYS, **secure, "Content-Security-Policy": policy(sockets=sockets), "Cache-Control": NO_STORE}
