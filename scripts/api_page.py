"""Writes docs/api.md from the routes of the server: python scripts/api_page.py > docs/api.md"""

import asyncio
import inspect
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from podium.house import HouseConfig
from podium.server.serve import Address, close_house, open_house
from podium.server.web import AnyRoute, every_route

HEAD = """# The house over HTTP

Written by `make docs` from the routes of the server. Bodies and answers are JSON; amounts are whole minor units, times are
milliseconds since 1970.

- Signing in sets a cookie, which goes with every request; a request that is not among the person's duties is refused (SEC-2). The second
  column names the roles that may make a request, with the duty that it needs.
- A refusal is `{"reason": "...", "why": {...}}`: 401 sign in first, 403 another role's duty or another site, 422 not possible, 503 the
  house has stopped. `reason` is one sentence in English; `why` is the same as a key with facts and the clause, which a terminal says
  in any language.
- Requests that move money take an `Idempotency-Key` header: a request that is repeated by the same person under the same key does not
  happen twice and gets the same answer, also after a restart. Without a key, every request is a new one.
- Tables are played over the WebSocket at the address that `/api/terminal` gives; see [the protocol](protocol.md).
"""


def page(subjects: dict[str, list[AnyRoute]]) -> str:
    """The whole page."""
    parts = [HEAD]
    for subject, routes in subjects.items():
        lines = [f"## {subject}\n", "| request | who | what |", "| --- | --- | --- |"]
        for route in routes:
            says = " ".join((inspect.getdoc(route.handler) or "").partition("\n\n")[0].split())
            lines.append(f"| `{route.method} {route.path}` | {route.who} | {says} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


async def routes_of_a_house() -> dict[str, list[AnyRoute]]:
    """Every route of a house: an empty one is opened for a moment to ask it."""
    with TemporaryDirectory() as data:
        opened = await open_house(Path(data), Address(port=0), config=HouseConfig(name="nowhere"))
        try:
            return every_route(opened.reception)
        finally:
            await close_house(opened)


if __name__ == "__main__":
    sys.stdout.write(page(asyncio.run(routes_of_a_house())))
