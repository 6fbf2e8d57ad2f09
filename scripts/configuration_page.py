"""Writes docs/configuration.md: every key of the configuration, from the types that read it."""

import ast
import sys
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import inspect

from podium.house.config import AMOUNTS, RANGES, TEXTS, HouseConfig
from podium.house.limits import MAX_AMOUNT
from podium.house.table.config import ABOVE, FROM, TableConfig
from podium.rules.games import GAMES

SOURCE: Final = Path(__file__).resolve().parent.parent / "src" / "podium" / "house" / "config.py"
UNITS: Final = {"seconds": "seconds", "minutes": "minutes", "hours": "hours", "days": "days", "mb": "megabytes"}
EXAMPLES: Final[dict[str, Any]] = {
    "name": "Casino Example",
    "time_zone": "Europe/Paris",
    "day_begins": "06:00",
    "shifts": ["14:00", "22:00"],
    "address": "https://play.example",
    "hosts": ["podium.lan"],
    "proxies": ["127.0.0.1"],
    "manifest": "podium.manifest.signed",
    "manifest_signer": "casino.example+1f2e3d4c+AQ...",
    "backup_hours": 24,
    "witness_minutes": 60,
    "game": "stadium-blackjack",
    "options": {"decks": 6, "limits": {"blackjack": [500, 50_000]}, "chip": 100},
    "places": 7,
    "approvals": ["correct", "void"],
}
ACCEPTED: Final = {
    "address": "a scheme and a host, like the example; empty for none",
    "time_zone": "a name of the IANA database, like the example",
    "day_begins": "a time of day, 00:00 to 23:59",
    "shifts": "times of day, each another one and none of them that of `day_begins`",
    "hosts": "names without a scheme, a port or a path",
    "proxies": "addresses or networks",
    "game": ", ".join(f"`{name}`" for name in GAMES),
    "options": "the options of the game: `podium games` lists them with their values",
    "penetration": "0.1 to 0.9",
    "places": "1 or more; absent for as many as the game takes",
    "attendant_pays_from": f"0 to {MAX_AMOUNT:,}",
    "manifest": "the name of a file; empty for none",
    "manifest_signer": "a public key; empty for none",
}
WORDS: Final = {
    "tables": "The tables, each under its name: small letters, digits and dashes, up to 40 of them.",
    "guest_credit": "The play money with which a guest begins.",
    "name": "The name of the house, on its screens.",
    "ticket_days": "How long a ticket can be redeemed.",
    "game": "The game of the table.",
    "options": "The options of the game that differ from its defaults.",
}
INTRODUCTION: Final = """# The configuration of a house

Written by `make docs` from the types that read it. The file is TOML; `podium config` prints one to start from, and `podium config --check FILE`
names the first mistake with its place and what would be accepted.

The file is the seed of an empty house: `podium serve --config FILE` reads it when the house is made. From then on the house keeps its own
configuration, which the floor changes too, and a file changes nothing by itself:

| command | what it does |
| --- | --- |
| `podium config show --data DIR` | prints the configuration that the house has |
| `podium config diff FILE --data DIR` | prints where the file differs from it; exit code 1 if it does |
| `podium config apply FILE --data DIR` | gives the house the configuration in the file; the journal has what changed, and who did it |

They ask the running house through the socket `console.sock` in its directory, which only the user who runs the house may use, or work on the book
of a house that is closed. Tables use a change from their next round on; a table that is not in the file is closed. Money is in whole minor units.
"""


def page() -> str:
    parts = [INTRODUCTION.strip(), "## The house", _rows(HouseConfig, _said_in_source()), "## Each table"]
    parts += [
        "Under `[tables.NAME]`. A new table is opened; one that the floor has closed or paused stays so.",
        _rows(TableConfig, _said_in_types()),
    ]
    return "\n\n".join(parts) + "\n"


def _rows(kind: type[Any], said: dict[str, str]) -> str:
    head = (
        "| key | type | default | unit | accepted | example | what it is |\n| --- | --- | --- | --- | --- | --- | --- |"
    )
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return "\n".join([head, *(_row(field, said.get(field.name) or WORDS[field.name]) for field in info.fields)])


def _row(field: inspect.Field, said: str) -> str:
    kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    default = "required" if field.required else f"`{_toml(_default(field))}`"
    name = field.name
    example = "" if name == "tables" else f"`{name} = {_toml(EXAMPLES.get(name, _default(field)))}`"
    cells = [f"`{name}`", _type(kind), default, _unit(name), _accepted(name, kind), example, said]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(field: inspect.Field) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return None if field.default is msgspec.NODEFAULT else field.default


def _toml(value: Any) -> str:
    match value:
        case None:
            return "absent"
        case dict():
            return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode()


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "whole number"
        case inspect.FloatType():
            return "number"
        case inspect.StrType() | inspect.LiteralType():
            return "text"
        case inspect.VarTupleType() | inspect.ListType():
            return "list of texts"
        case inspect.UnionType(types):
            return " or ".join(_type(each) for each in types if not isinstance(each, inspect.NoneType))
    return "table"


def _unit(name: str) -> str:
    if name in (*AMOUNTS, "attendant_pays_from"):
        return "minor units"
    return UNITS.get(name.rpartition("_")[2], "")


def _accepted(name: str, kind: inspect.Type) -> str:
    if name in ACCEPTED:
        return ACCEPTED[name]
    if name in RANGES or name in FROM:
        least, most = RANGES[name] if name in RANGES else FROM[name]
        return f"{least:,} to {most:,}"
    if name in ABOVE:
        return f"above {ABOVE[name][0]}, up to {ABOVE[name][1]:,}"
    if name in TEXTS:
        return f"1 to {TEXTS[name]} characters"
    return ", ".join(f"`{value}`" for value in _choices(kind))


def _choices(kind: inspect.Type) -> tuple[Any, ...]:
    match kind:
        case inspect.LiteralType(values):
            return tuple(values)
        case inspect.BoolType():
            return "true", "false"
        case inspect.VarTupleType(item):
            return _choices(item)
    return ()


def _said_in_source() -> dict[str, str]:
    """The words after each field of the house's configuration."""
    [made] = [
        node
        for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == "HouseConfig"
    ]
    said: dict[str, str] = {}
    for field, after in zip(made.body, made.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
            said[ast.unparse(field.target)] = " ".join(str(ast.literal_eval(after.value)).split())
    return said


def _said_in_types() -> dict[str, str]:
    info = inspect.type_info(TableConfig)
    assert isinstance(info, inspect.StructType)
    return {
        field.name: (field.type.extra_json_schema or {})["description"]
        for field in info.fields
        if isinstance(field.type, inspect.Metadata)
    }


if __name__ == "__main__":
    sys.stdout.write(page())
