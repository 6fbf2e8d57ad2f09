"""The headers that every answer carries, also a refusal, a redirect and an error."""

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

    `sockets` is where its WebSocket leads, for browsers that do not count it as the page's own; `scripts` and `styles` are
    the hashes of those that stand in the page itself.
    """
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(["script-src 'self'", *scripts]),
            " ".join(["style-src 'self'", *styles]),
            # A place on the felt is a style attribute; it holds numbers, never what somebody typed.
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
    """A script or a style that stands in a page, as the policy names it."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"


def headers_for(arrival: Arrival | None) -> dict[str, str]:
    """What every answer carries; None for a request that could not be read."""
    sockets = arrival.socket if arrival is not None else ""
    secure = SECURE if arrival is not None and arrival.secure else {}
    return {**ALWAYS, **secure, "Content-Security-Policy": policy(sockets=sockets), "Cache-Control": NO_STORE}
