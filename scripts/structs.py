"""Structs as TypeScript and as Markdown: what the protocol and the HTTP interface are written with."""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

import msgspec

from podium.basics.words import Phrase
from podium.house.table.phase import Phase

Schema = dict[str, Any]
Schemas = Mapping[str, Schema]
Said = Mapping[tuple[str, str], str]
"""The sentence under a field, by struct and field."""


# --- what the source says of a field ------------------------------------------------------------------------------------


def said_of_fields(kinds: Iterable[Any]) -> Said:
    """The sentences under the fields of all structs within some types; msgspec keeps only the docstring of a struct."""
    said = {}
    for struct in structs_in(kinds):
        for field in msgspec.structs.fields(struct):
            # A field that was inherited is described where it stands.
            for home in (each for each in reversed(struct.__mro__) if each.__module__.startswith("podium.")):
                if sentence := _sentences_in(home.__module__).get((home.__name__, field.name)):
                    said[struct.__name__, field.encode_name] = sentence
    return said


def structs_in(kinds: Iterable[Any]) -> list[type[msgspec.Struct]]:
    """Every struct that some types are made of."""
    found: dict[type[msgspec.Struct], None] = {}
    left: list[Any] = list(msgspec.inspect.multi_type_info(kinds))
    while left:
        kind = left.pop(0)
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls not in found:
                found[kind.cls] = None
                left += [field.type for field in kind.fields]
            continue
        for inside in ("type", "item_type", "key_type", "value_type"):
            left += [getattr(kind, inside)] if hasattr(kind, inside) else []
        for several in ("types", "item_types"):
            left += getattr(kind, several, ())
    return list(found)


@cache
def _sentences_in(module: str) -> Said:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {(struct, field): said for struct, field, said in _sentences(tree)}


def _sentences(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for struct in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for field, after in zip(struct.body, struct.body[1:], strict=False):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                yield struct.name, field.target.id, " ".join(str(after.value.value).split())


# --- TypeScript ---------------------------------------------------------------------------------------------------------


def interface(name: str, schema: Schema, said: Said, *, partial: bool) -> str:
    """A struct as an interface. `partial` leaves fields with a default optional: they are sent, not received."""
    lines = [f"/** {schema['description']} */"] if "description" in schema else []
    lines.append(f"export interface {name} {{")
    for field, kind in schema["properties"].items():
        if sentence := said.get((name, field)) or kind.get("description"):
            lines.append(f"  /** {sentence} */")
        optional = "?" if partial and field not in schema["required"] else ""
        lines.append(f"  {field}{optional}: {type_of(kind)};")
    return "\n".join([*lines, "}\n"])


def type_of(kind: Schema) -> str:
    """The TypeScript type of a JSON Schema."""
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if "enum" in kind:
        return "Phase" if kind["enum"] == sorted(get_args(Phase)) else literals(kind["enum"])
    if "anyOf" in kind:
        return " | ".join(dict.fromkeys(type_of(option) for option in kind["anyOf"]))
    match kind.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case "array" if "prefixItems" in kind:
            return f"[{', '.join(type_of(item) for item in kind['prefixItems'])}]"
        case "array":
            item = type_of(kind.get("items", {}))
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object":
            return f"Record<string, {type_of(kind.get('additionalProperties', {}))}>"
    return "unknown"


def defaults(schema: Schema) -> dict[str, Any]:
    """The fields that may be left out, with what they are then."""
    return {field: kind["default"] for field, kind in schema["properties"].items() if "default" in kind}


def inner(schema: Schema) -> dict[str, tuple[str, int]]:
    """The fields that hold further structs."""
    return {field: found for field, kind in schema["properties"].items() if (found := held(kind))}


def held(kind: Schema) -> tuple[str, int] | None:
    """The struct that a value holds and how many containers are around it; a phrase is said as it was sent."""
    if "$ref" in kind:
        return None if type_of(kind) == Phrase.__name__ else (type_of(kind), 0)
    for option in kind.get("anyOf", ()):
        if found := held(option):
            return found
    inside = kind.get("items") or kind.get("additionalProperties")
    found = held(inside) if isinstance(inside, dict) else None
    return (found[0], found[1] + 1) if found else None


def tables_of_fields(schemas: Schemas) -> list[str]:
    """What a terminal needs to fill in the fields that the house leaves out."""
    left_out = {name: fields for name, schema in schemas.items() if (fields := defaults(schema))}
    # A phrase within the facts of another is left as it was sent: what a fact is shows in its value.
    holds = {name: fields for name, schema in schemas.items() if (fields := inner(schema))}
    return [
        "/** What a field is when the house leaves it out. */\n"
        f"export const DEFAULTS = {as_json(left_out)} as const;\n",
        "/** Which fields hold further structs, and within how many lists or tables. */\n"
        f"export const INNER: Record<string, Record<string, readonly [string, number]>> = {as_json(holds)};\n",
    ]


def left_out_within(schemas: Schemas) -> set[str]:
    """The structs that have a field which may be left out, or hold such a struct."""
    found = {name for name, schema in schemas.items() if defaults(schema)}
    while (
        more := {
            name for name, schema in schemas.items() if any(struct in found for struct, _ in inner(schema).values())
        }
        - found
    ):
        found |= more
    return found


def names_in(types: Iterable[str]) -> set[str]:
    """The names that TypeScript types mention."""
    return {name for each in types for name in re.findall(r'\b[A-Z]\w*\b(?!")', each)}


def literals(values: Any) -> str:
    return " | ".join(json.dumps(value) for value in values)


def as_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# --- Markdown -----------------------------------------------------------------------------------------------------------


def section(name: str, schema: Schema, said: Said, tag: str = "") -> str:
    """A struct with its fields, under its name or under the value of its tag."""
    title = f"`{tag_of(schema, tag)}`" if tag else name
    lines = [f"### {title}", "", schema.get("description", "")]
    fields = {field: kind for field, kind in schema["properties"].items() if field != tag}
    if fields:
        lines += ["", "| field | type | |", "| --- | --- | --- |"]
    for field, kind in fields.items():
        left_out = f" Left out: `{json.dumps(kind['default'])}`." if "default" in kind and is_sent(kind) else ""
        type_ = (literals(kind["enum"]) if "enum" in kind else type_of(kind)).replace("|", r"\|")
        lines.append(f"| `{field}` | `{type_}` | {said.get((name, field)) or kind.get('description', '')}{left_out} |")
    return "\n".join(lines)


def is_sent(kind: Schema) -> bool:
    """Whether a default is ever sent: one outside the values is not, because the struct works the value out itself."""
    return "default" not in kind or "enum" not in kind or kind["default"] in kind["enum"]


def tag_of(schema: Schema, field: str) -> str:
    return str(schema["properties"][field]["enum"][0])
