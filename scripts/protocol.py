"""Writes what is generated from the Python protocol and from the routes of the server: JSON Schema, AsyncAPI, OpenAPI, TypeScript
types, the array of nine, a recorded round, docs/protocol.md.

python scripts/protocol.py            write the files
python scripts/protocol.py --check    say which are not current, and fail
"""

import argparse
import json
import sys
from pathlib import Path
from typing import get_args

import conversation
import msgspec
import protocol_page
from descriptions import asyncapi, openapi
from protocol_page import COMMANDS, MESSAGES
from routes import TypedRoute, interface_of_the_house
from structs import (
    Said,
    Schema,
    as_json,
    held,
    interface,
    left_out_within,
    literals,
    names_in,
    said_of_fields,
    tables_of_fields,
    tag_of,
    type_of,
)

from podium.basics.words import Phrase
from podium.house.table.phase import Phase
from podium.rules.three_card import LINES, PROPOSED_SPOTS
from podium.wire import commands, messages

ROOT = Path(__file__).resolve().parent.parent


def schemas() -> dict[str, Schema]:
    """Every struct of the protocol by name, as JSON Schema."""
    _, found = msgspec.json.schema_components([commands.AnyCommand, messages.AnyMessage], ref_template="#/$defs/{name}")
    return found


def said_of_messages() -> Said:
    return said_of_fields([commands.AnyCommand, messages.AnyMessage])


# --- TypeScript ---------------------------------------------------------------------------------------------------------

HEAD = "// Written by scripts/protocol.py from the Python protocol; change that, not this.\n"
ROUTES_HEAD = "// Written by scripts/protocol.py from the routes of the server; change those, not this.\n"


def typescript() -> str:
    """The types of the protocol."""
    found, said = schemas(), said_of_messages()
    as_sent = {struct.__name__ for struct in (*COMMANDS, Phrase)}
    parts = [HEAD, f"export type Phase = {literals(get_args(Phase))};\n"]
    for name, schema in found.items():
        parts.append(interface(name, schema, said, partial=name in as_sent))
    parts.append(f"export type AnyCommand =\n  | {_names(COMMANDS)};\n")
    parts.append(f"export type AnyMessage =\n  | {_names(MESSAGES)};\n")
    parts += tables_of_fields({name: schema for name, schema in found.items() if name not in as_sent})
    structs = {tag_of(found[struct.__name__], "is"): struct.__name__ for struct in MESSAGES}
    parts.append(
        f"/** The struct of a message by its `is`. */\nexport const MESSAGES: Record<string, string> = {as_json(structs)};\n"
    )
    return "\n".join(parts)


def _names(structs: tuple[type, ...]) -> str:
    return "\n  | ".join(struct.__name__ for struct in structs)


def http_typescript() -> str:
    """The types of the HTTP interface: every struct that the protocol does not have, and three maps by route."""
    http, known = interface_of_the_house(), schemas()
    own = {name: schema for name, schema in http.schemas.items() if name not in known}
    mentioned = [type_of(kind) for schema in own.values() for kind in schema["properties"].values()]
    mentioned += [type_of(route.answers) for route in http.routes if route.answers]
    used = sorted(names_in(mentioned) & {"Phase", *known})
    filled_in = left_out_within({name: schema for name, schema in http.schemas.items() if name not in http.sent})
    answered = {
        route.name: found
        for route in http.routes
        if route.answers and (found := held(route.answers)) and found[0] in filled_in
    }
    return "\n".join(
        [
            ROUTES_HEAD,
            f'import type {{ {", ".join(used)} }} from "./protocol";\n',
            *(interface(name, schema, http.said, partial=name in http.sent) for name, schema in own.items()),
            _map("Answers", "What each route answers.", [(route, route.answers) for route in http.routes]),
            _map("Bodies", "What a route takes as its body.", [(route, route.body) for route in http.routes]),
            _map(
                "Queries",
                "What a route takes after the question mark.",
                [(route, route.query) for route in http.routes],
            ),
            *tables_of_fields({name: schema for name, schema in own.items() if name in filled_in}),
            "/** Which struct an answer holds, and within how many lists or tables, where fields of it may be left out. */\n"
            f"export const ANSWERED: Record<string, readonly [string, number]> = {as_json(answered)};\n",
        ]
    )


def _map(name: str, says: str, listed: list[tuple[TypedRoute, Schema | None]]) -> str:
    lines = [f'  "{route.name}": {type_of(schema)};' for route, schema in listed if schema is not None]
    return "\n".join([f"/** {says} */", f"export interface {name} {{", *lines, "}\n"])


# --- the array of nine cards ----------------------------------------------------------------------------------------------


def nine_cards() -> str:
    """The locations of the lines and of the proposed hand; the house's layout has only the cards."""
    lines = f"/** The locations of each row and column. */\nexport const LINES = {json.dumps(LINES)} as const;\n"
    spots = (
        "/** The locations of a player's own hand, until others are chosen. */\n"
        f"export const PROPOSED_SPOTS = {json.dumps(PROPOSED_SPOTS)} as const;\n"
    )
    return "\n".join([HEAD, lines, spots])


# --- the files ----------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol between a terminal and the house",
        "anyOf": [{"$ref": f"#/$defs/{struct.__name__}"} for struct in (*COMMANDS, *MESSAGES)],
        "$defs": schemas(),
    }
    played = conversation.text()
    return {
        conversation.FILE: played,
        ROOT / "docs" / "asyncapi.json": as_json(asyncapi()) + "\n",
        ROOT / "docs" / "openapi.json": as_json(openapi()) + "\n",
        ROOT / "docs" / "protocol.schema.json": as_json(schema) + "\n",
        ROOT / "docs" / "protocol.md": protocol_page.page(schemas(), played),
        ROOT / "web" / "src" / "generated" / "protocol.ts": typescript(),
        ROOT / "web" / "src" / "generated" / "nineCards.ts": nine_cards(),
        ROOT / "web" / "src" / "generated" / "api.ts": http_typescript(),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--check", action="store_true", help="write nothing; fail when a file is not current")
    check = options.parse_args().check
    written = files()
    stale = [path for path, text in written.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is not current: run scripts/protocol.py.", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written[path], encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
