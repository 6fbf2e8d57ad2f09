"""Writes what is generated from the Python protocol: JSON Schema, TypeScript types, the array of nine, docs/protocol.md.

python scripts/protocol.py            write the files
python scripts/protocol.py --check    say which are not current, and fail
"""

import argparse
import ast
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

import msgspec

from podium.basics import words
from podium.basics.words import Phrase
from podium.house.table.phase import Phase
from podium.play import views
from podium.rules import results
from podium.rules.dealing import layout
from podium.rules.rulebook import book
from podium.rules.three_card import LINES, PROPOSED_SPOTS
from podium.wire import messages as wire

ROOT = Path(__file__).resolve().parent.parent
Schema = dict[str, Any]

COMMANDS = get_args(wire.AnyCommand)
MESSAGES = get_args(wire.AnyMessage)


def schemas() -> dict[str, Schema]:
    """Every struct of the protocol by name, as JSON Schema."""
    _, found = msgspec.json.schema_components([wire.AnyCommand, wire.AnyMessage], ref_template="#/$defs/{name}")
    return found


# --- what the source says of a field ------------------------------------------------------------------------------------


def said_of_fields() -> dict[tuple[str, str], str]:
    """The sentence under a field, by struct and field; msgspec keeps that of a struct, but not that of a field."""
    return {
        (struct, field): said
        for module in (wire, views, results, layout, book, words)
        for struct, field, said in _sentences(ast.parse(inspect.getsource(module)))
    }


def _sentences(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for struct in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for field, after in zip(struct.body, struct.body[1:], strict=False):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                yield struct.name, _sent_name(field.target.id, field.value), " ".join(str(after.value.value).split())


def _sent_name(field: str, value: ast.expr | None) -> str:
    """The name of a field on the wire: its own, unless `msgspec.field(name=...)` gives another."""
    for keyword in value.keywords if isinstance(value, ast.Call) else ():
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return field


# --- TypeScript ---------------------------------------------------------------------------------------------------------

HEAD = "// Written by scripts/protocol.py from the Python protocol; change that, not this.\n"


def typescript() -> str:
    found, said = schemas(), said_of_fields()
    as_sent = {struct.__name__ for struct in (*COMMANDS, Phrase)}
    parts = [HEAD, f"export type Phase = {_literals(get_args(Phase))};\n"]
    for name, schema in found.items():
        parts.append(_interface(name, schema, said, partial=name in as_sent))
    parts.append(f"export type AnyCommand =\n  | {_names(COMMANDS)};\n")
    parts.append(f"export type AnyMessage =\n  | {_names(MESSAGES)};\n")
    defaults = {name: fields for name, schema in found.items() if name not in as_sent and (fields := _defaults(schema))}
    parts.append(
        f"/** What a field is when the house leaves it out. */\nexport const DEFAULTS = {_json(defaults)} as const;\n"
    )
    # A phrase within the facts of another is left as it was sent: its value shows what it is.
    inner = {name: fields for name, schema in found.items() if name not in as_sent and (fields := _inner(schema))}
    parts.append(
        "/** Which fields hold further structs, and within how many lists or tables. */\n"
        f"export const INNER: Record<string, Record<string, readonly [string, number]>> = {_json(inner)};\n"
    )
    structs = {_tag(found[struct.__name__], "is"): struct.__name__ for struct in MESSAGES}
    parts.append(
        f"/** The struct of a message by its `is`. */\nexport const MESSAGES: Record<string, string> = {_json(structs)};\n"
    )
    return "\n".join(parts)


def _interface(name: str, schema: Schema, said: dict[tuple[str, str], str], *, partial: bool) -> str:
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    lines.append(f"export interface {name} {{")
    for field, kind in schema["properties"].items():
        if sentence := said.get((name, field)):
            lines.append(f"  /** {sentence} */")
        optional = "?" if partial and field not in schema["required"] else ""
        type_ = "Phase" if kind.get("enum") == sorted(get_args(Phase)) else _type(kind)
        lines.append(f"  {field}{optional}: {type_};")
    return "\n".join([*lines, "}\n"])


def _type(kind: Schema) -> str:
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if "enum" in kind:
        return _literals(kind["enum"])
    if "anyOf" in kind:
        return " | ".join(_type(option) for option in kind["anyOf"])
    match kind.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case "array" if "prefixItems" in kind:
            return f"[{', '.join(_type(item) for item in kind['prefixItems'])}]"
        case "array":
            item = _type(kind["items"])
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object":
            return f"Record<string, {_type(kind.get('additionalProperties', {}))}>"
    return "unknown"


def _defaults(schema: Schema) -> dict[str, Any]:
    return {field: kind["default"] for field, kind in schema["properties"].items() if "default" in kind}


def _inner(schema: Schema) -> dict[str, tuple[str, int]]:
    return {field: held for field, kind in schema["properties"].items() if (held := _held(kind))}


def _held(kind: Schema) -> tuple[str, int] | None:
    """The struct that a field holds and how many containers are around it; a phrase is said as it was sent."""
    if "$ref" in kind:
        return None if _type(kind) == Phrase.__name__ else (_type(kind), 0)
    for option in kind.get("anyOf", ()):
        if held := _held(option):
            return held
    inside = kind.get("items") or kind.get("additionalProperties")
    held = _held(inside) if isinstance(inside, dict) else None
    return (held[0], held[1] + 1) if held else None


def _tag(schema: Schema, field: str) -> str:
    return str(schema["properties"][field]["enum"][0])


def _literals(values: Any) -> str:
    return " | ".join(json.dumps(value) for value in values)


def _names(structs: tuple[type, ...]) -> str:
    return "\n  | ".join(struct.__name__ for struct in structs)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# --- the array of nine cards ----------------------------------------------------------------------------------------------


def nine_cards() -> str:
    """The locations of the lines and of the proposed hand; the house's layout has only the cards."""
    lines = f"/** The locations of each row and column. */\nexport const LINES = {json.dumps(LINES)} as const;\n"
    spots = (
        "/** The locations of a player's own hand, until others are chosen. */\n"
        f"export const PROPOSED_SPOTS = {json.dumps(PROPOSED_SPOTS)} as const;\n"
    )
    return "\n".join([HEAD, lines, spots])


# --- the page -----------------------------------------------------------------------------------------------------------


def page() -> str:
    found, said = schemas(), said_of_fields()
    intro = dedent(wire.__doc__ or "").partition("\n")[2].strip()
    parts = [
        "# The protocol",
        "Written by `scripts/protocol.py` from `src/podium/wire/messages.py`; the JSON Schema is in `protocol.schema.json`.",
        intro,
        "## Commands, from a terminal",
        *(_section(struct.__name__, found, said, tag="do") for struct in COMMANDS),
        "## Messages, from the house",
        *(_section(struct.__name__, found, said, tag="is") for struct in MESSAGES),
        "## Parts of messages",
    ]
    rest = set(found) - {struct.__name__ for struct in (*COMMANDS, *MESSAGES)}
    parts += [_section(name, found, said) for name in found if name in rest]
    return "\n\n".join(parts) + "\n"


def _section(name: str, found: dict[str, Schema], said: dict[tuple[str, str], str], tag: str = "") -> str:
    schema = found[name]
    title = f"`{_tag(schema, tag)}`" if tag else name
    lines = [f"### {title}", "", schema.get("description", "")]
    fields = {field: kind for field, kind in schema["properties"].items() if field != tag}
    if fields:
        lines += ["", "| field | type | |", "| --- | --- | --- |"]
    for field, kind in fields.items():
        left_out = f" Left out: `{json.dumps(kind['default'])}`." if "default" in kind else ""
        type_ = _type(kind).replace("|", r"\|")
        lines.append(f"| `{field}` | `{type_}` | {said.get((name, field), '')}{left_out} |")
    return "\n".join(lines)


# --- the files ----------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol between a terminal and the house",
        "anyOf": [{"$ref": f"#/$defs/{struct.__name__}"} for struct in (*COMMANDS, *MESSAGES)],
        "$defs": schemas(),
    }
    return {
        ROOT / "docs" / "protocol.schema.json": _json(schema) + "\n",
        ROOT / "docs" / "protocol.md": page(),
        ROOT / "web" / "src" / "generated" / "protocol.ts": typescript(),
        ROOT / "web" / "src" / "generated" / "nineCards.ts": nine_cards(),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--check", action="store_true", help="write nothing; fail when a file is not current")
    check = options.parse_args().check
    stale = [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is not current: run scripts/protocol.py.", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files()[path], encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
