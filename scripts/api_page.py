"""Writes docs/api.md from the routes of the server: python scripts/api_page.py > docs/api.md"""

import sys
from collections.abc import Mapping

from protocol import schemas
from routes import TypedRoute, interface_of_the_house
from structs import Schema, held, section, tag_of, type_of

HEAD = """# The house over HTTP

Written by `make docs` from the routes of the server. Bodies and answers are JSON; amounts are whole minor units, times are
milliseconds since 1970.

- Signing in sets a cookie, which the browser sends with every further request. The second column names the roles that may make a
  request and the duty that it needs; other roles are refused (SEC-2).
- A refusal is a [RefusalCard](#refusalcard) with one of these statuses: 401 sign in first, 403 not your duty or another site, 422 not
  possible, 503 the house has stopped.
- A request that moves money takes an `Idempotency-Key` header. Sent again by the same person under the same key, it does not happen
  again and gets the same answer, also after a restart. Without the header, every request is a new one.
- A body with an unknown field is refused, and so is an unknown parameter after the question mark.
- The tables are played over the WebSocket at `/ws`, with the same cookie; see [the protocol](protocol.md).
- The types of the terminals, `web/src/generated/api.ts`, come from the same definitions.
"""


def page() -> str:
    """The whole page."""
    http, known = interface_of_the_house(), schemas()
    own = {name: schema for name, schema in http.schemas.items() if name not in known}
    places = {name: f"protocol.md#{_heading(name, schema)}" for name, schema in known.items()}
    places |= {name: f"#{name.lower()}" for name in own}
    parts = [HEAD]
    for subject, routes in http.subjects.items():
        lines = [f"## {subject}\n", "| request | who | takes | answers | what |", "| --- | --- | --- | --- | --- |"]
        lines += [_row(route, places) for route in routes]
        parts.append("\n".join(lines) + "\n")
    parts.append("## Bodies and parameters\n")
    parts += [section(name, own[name], http.said) + "\n" for name in own if name in http.sent]
    parts.append("## Answers\n")
    parts.append("The structs that messages hold as well are in [the protocol](protocol.md).\n")
    parts += [section(name, own[name], http.said) + "\n" for name in own if name not in http.sent]
    return "\n".join(parts).rstrip() + "\n"


def _row(route: TypedRoute, places: Mapping[str, str]) -> str:
    takes = [_link(route.body, places) if route.body else "", f"?{_link(route.query, places)}" if route.query else ""]
    answers = _link(route.answers, places) if route.answers else ""
    return f"| `{route.name}` | {route.who} | {' '.join(filter(None, takes))} | {answers} | {route.says} |"


def _heading(name: str, schema: Schema) -> str:
    """The heading of a struct on the protocol's page: messages stand there by their `is`."""
    return (tag_of(schema, "is") if "is" in schema["properties"] else name).lower()


def _link(kind: Schema, places: Mapping[str, str]) -> str:
    """A type with a link to the section of its struct."""
    named = held(kind)
    text = f"`{type_of(kind)}`".replace("|", r"\|")
    return f"[{text}]({places[named[0]]})" if named else text


if __name__ == "__main__":
    sys.stdout.write(page())
