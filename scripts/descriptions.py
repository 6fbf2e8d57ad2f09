"""The house's two interfaces for programs: AsyncAPI 3 for the socket, OpenAPI 3.1 for HTTP."""

import re
from typing import Any

import msgspec
from protocol_page import COMMANDS, MESSAGES
from routes import TypedRoute, interface_of_the_house
from structs import Said, Schema, Schemas, is_sent, said_of_fields

from podium import __version__
from podium.server import limits
from podium.server.cookies import DISPLAY, SESSION, cookie_name
from podium.server.gateway.line import PATH
from podium.wire import commands, messages

Description = dict[str, Any]
HOST = "localhost:8000"


def _at_home(value: Any) -> Any:
    """The same with references that lead into `components`."""
    if isinstance(value, dict):
        return {key: _at_home(held) for key, held in value.items()}
    if isinstance(value, list):
        return [_at_home(held) for held in value]
    return value.replace("#/$defs/", "#/components/schemas/") if isinstance(value, str) else value


def _with_sentences(schemas: Schemas, said: Said) -> Description:
    """The schemas with what the source says of each field."""
    found: Description = _at_home(dict(schemas))
    for schema in found.values():
        for kind in schema["properties"].values():
            if not is_sent(kind):
                del kind["default"]
    for (struct, field), sentence in said.items():
        if struct in found and field in found[struct]["properties"]:
            found[struct]["properties"][field] = {**found[struct]["properties"][field], "description": sentence}
    return found


def _undiscriminated(value: Any) -> Any:
    """The same without OpenAPI's discriminators, which AsyncAPI writes in another way; each schema names its own tag."""
    if isinstance(value, dict):
        return {key: _undiscriminated(held) for key, held in value.items() if key != "discriminator"}
    return [_undiscriminated(held) for held in value] if isinstance(value, list) else value


# --- the socket -----------------------------------------------------------------------------------------------------------


def asyncapi() -> Description:
    """What goes over the WebSocket, seen from the house: it receives commands and sends messages."""
    kinds = [commands.AnyCommand, messages.AnyMessage]
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    described = {_tag(struct): _message(struct, schemas) for struct in (*COMMANDS, *MESSAGES)}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Podium: the terminals of a house",
            "version": __version__,
            "description": "The way in, the order of messages and what to do when the connection is lost: docs/protocol.md.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "house": {"host": HOST, "protocol": "ws", "description": "A house on this machine."},
            "tls": {"host": HOST, "protocol": "wss", "description": "The same by TLS."},
        },
        "channels": {
            "terminal": {
                "address": PATH,
                "title": "One terminal",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in described},
                "bindings": {"ws": {"method": "GET", "query": QUERY, "headers": HEADERS}},
            }
        },
        "operations": {
            "commands": {
                "action": "receive",
                "channel": {"$ref": "#/channels/terminal"},
                "summary": "What a terminal asks. Each is answered, after its consequence is durable.",
                "messages": [_of_terminal(struct) for struct in COMMANDS],
                "reply": {
                    "channel": {"$ref": "#/channels/terminal"},
                    "messages": [_of_terminal(struct) for struct in (messages.Acknowledged, messages.Refusal)],
                },
            },
            "shown": {
                "action": "send",
                "channel": {"$ref": "#/channels/terminal"},
                "summary": "What the house shows.",
                "messages": [_of_terminal(struct) for struct in MESSAGES],
            },
        },
        "components": {
            "messages": described,
            "schemas": _undiscriminated(_with_sentences(schemas, said_of_fields(kinds))),
        },
    }


QUERY = {
    "type": "object",
    "properties": {
        "tab": {
            "type": "string",
            "maxLength": limits.MAX_TERMINAL_KEY_CHARS,
            "description": "The terminal's own key, by which the house knows it again.",
        },
        "as": {"type": "string", "enum": [DISPLAY], "description": "For a wall."},
    },
}
HEADERS = {
    "type": "object",
    "properties": {
        "Cookie": {
            "type": "string",
            "description": f"`{SESSION}=TOKEN`, over TLS `{cookie_name(SESSION, secure=True)}=TOKEN`, as `POST /api/guest` or "
            "`POST /api/sign-in` set it.",
        }
    },
}


def _tag(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def _of_terminal(struct: type[msgspec.Struct]) -> Description:
    return {"$ref": f"#/channels/terminal/messages/{_tag(struct)}"}


def _message(struct: type[msgspec.Struct], schemas: Schemas) -> Description:
    says = " ".join(str(schemas[struct.__name__].get("description", "")).split())
    return {
        "name": _tag(struct),
        "title": struct.__name__,
        "summary": says,
        "payload": {"$ref": f"#/components/schemas/{struct.__name__}"},
    }


# --- HTTP -----------------------------------------------------------------------------------------------------------------


def openapi() -> Description:
    """Every route, with what it takes and answers."""
    http = interface_of_the_house()
    paths: dict[str, Description] = {}
    for subject, routes in http.subjects.items():
        for route in routes:
            method, path = route.name.split()
            paths.setdefault(path, {})[method.lower()] = _operation(route, subject, http.schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Podium: a house over HTTP",
            "version": __version__,
            "description": "docs/api.md says who may make which request. The tables are played over the WebSocket: asyncapi.json.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": f"http://{HOST}"}, {"url": f"https://{HOST}"}],
        "tags": [{"name": subject} for subject in http.subjects],
        "paths": paths,
        "components": {
            "schemas": _with_sentences(http.schemas, http.said),
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": SESSION, "description": "Set by signing in."},
                "session-over-tls": {"type": "apiKey", "in": "cookie", "name": cookie_name(SESSION, secure=True)},
            },
        },
    }


def _operation(route: TypedRoute, subject: str, schemas: Schemas) -> Description:
    method, path = route.name.split()
    named = "-".join(re.findall(r"[a-z0-9]+", path)) or "front-door"
    operation: Description = {
        "operationId": f"{method.lower()}-{named}",
        "tags": [subject],
        "summary": route.says,
        "description": f"For {route.who}.",
        "parameters": _parameters(route, schemas),
        "responses": _responses(route),
        "security": [] if route.who.startswith("anybody") and "signed in" not in route.who else SIGNED_IN,
    }
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": _at_home(route.body)}}}
    return operation


SIGNED_IN: list[dict[str, list[str]]] = [{"session": []}, {"session-over-tls": []}]


def _parameters(route: TypedRoute, schemas: Schemas) -> list[Description]:
    parameters: list[Description] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)", route.name)
    ]
    if route.query is not None:
        struct = schemas[str(route.query["$ref"]).rpartition("/")[2]]
        parameters += [
            {"name": field, "in": "query", "required": field in struct["required"], "schema": _at_home(kind)}
            for field, kind in struct["properties"].items()
        ]
    if route.keyed:
        says = "Sent again by the same person under the same key, the request does not happen again and gets the same answer."
        parameters.append(
            {"name": "Idempotency-Key", "in": "header", "required": False, "description": says, "schema": KEY}
        )
    return parameters


KEY = {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}


def _responses(route: TypedRoute) -> Description:
    done: Description = {"description": "Done." if route.answers else "A page, a file or text."}
    if route.answers is not None:
        done["content"] = {"application/json": {"schema": _at_home(route.answers)}}
    card: Schema = {"$ref": "#/components/schemas/RefusalCard"}
    refused = {"description": "Refused, with the reason.", "content": {"application/json": {"schema": card}}}
    return {"200": done, "4XX": refused, "503": refused | {"description": "The house has stopped, or is full."}}
