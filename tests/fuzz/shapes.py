"""Hostile messages, made from the types that the house declares: nearly right, wrong in one place, or no message at all."""

import json
import string
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from podium.basics.cards import DECK
from podium.wire import commands

Pools = Mapping[str, Sequence[Any]]
"""By the name of a field: values that mean something to the house."""

KINDS: list[type[commands.Command]] = list(commands.AnyCommand.__args__)
HUGE = [2**31, -(2**31), 2**53, 2**53 - 1, 2**63, -(2**63), 2**63 - 1, 2**64, 10**40, -1, 0]
TEXTS = [
    "",
    " ",
    "\x00",
    "\u202e\u2066right to left",
    "é\u2603\U0001f0cf",
    "\u0130stanbul \u017f \ufdfa",
    "half a letter \ud83d",
    "../../etc/passwd",
    "%2e%2e%2f%00",
    "'; DROP TABLE entries; --",
    "{amount:money}",
    "<script>alert(1)</script>",
    "-1",
    "1e9",
    "\uff19\uff19",
    "NaN",
    "null",
    "x" * 500,
    "9" * 5_000,
]
WRONG: Pools = {
    "round": [0, 1, 2, 10**9],
    "table": ["nowhere", "", "t2"],
    "seat": [None, 1, 2, 99],
    "wagers": [{wager: amount} for wager in ("blackjack", "match-up", "nothing") for amount in (0, 1, 50, 10**12)],
    "for_dealer": [{}, {"blackjack": 500}],
    "spots": [(), (1, 2, 3)],
    "step": [0, 1, 99],
    "decision": ["hit", "stand", "split+dealer", "insure:1", "", "win"],
    "shoe": [0, 1, 2],
    "commitment": ["", "00" * 32, "zz" * 32],
    "open-cut.number": ["ff" * 32],
    "number": [1, 2, 50],
    "card": ["unknown", "1z", "", *[card.code for card in DECK[:4]]],
    "reason": ["", "because"],
    "approval": ["", "sue"],
    "session": ["s1", "s2"],
    "reading": [1, 2, 10**9],
    "answer": ["stop", "count", "drop"],
    "cards": [0, 52, 311],
}
"""Values with the right types that no table with a live dealer takes while bets are open."""


def anything(chance: Random, depth: int = 0) -> Any:
    """Any JSON value."""
    simple: list[Callable[[], Any]] = [
        lambda: None,
        lambda: chance.choice([True, False]),
        lambda: chance.choice([1, 7, *HUGE]),
        lambda: chance.choice([0.5, -1e300, 1e-9, 1e308]),
        lambda: "".join(chance.choices(string.printable + "é\u2603\U0001f0cf\x00", k=chance.randint(0, 30))),
        lambda: chance.choice(["hit", "t1", "As", "blackjack", "unknown", "double:5", "x" * 3_000]),
        lambda: chance.choice(TEXTS),
    ]
    if depth < 3 and chance.random() < 0.3:
        if chance.random() < 0.5:
            return [anything(chance, depth + 1) for _ in range(chance.randint(0, 4))]
        return {str(anything(chance, 9)): anything(chance, depth + 1) for _ in range(chance.randint(0, 4))}
    return chance.choice(simple)()


# --- from declared types ------------------------------------------------------------------------------------------------


def some(chance: Random, kind: Any, pools: Pools, name: str = "") -> Any:
    """A value of a declared type; a field that the pools know has one of the values there."""
    return _some(chance, inspect.type_info(kind), pools, name)


def _some(chance: Random, kind: inspect.Type, pools: Pools, name: str) -> Any:
    if name in pools:
        return chance.choice(pools[name])
    match kind:
        case inspect.StructType():
            return _struct(chance, kind, pools)
        case inspect.UnionType():
            return _some(chance, chance.choice(kind.types), pools, "")
        case inspect.LiteralType():
            return chance.choice(kind.values)
        case inspect.BoolType():
            return chance.choice([True, False])
        case inspect.IntType() | inspect.FloatType():
            return chance.choice([each for each in (0, 1, 2, 500, 10_000) if kind.ge is None or each >= kind.ge])
        case inspect.StrType():
            return chance.choice(["a", "because", *TEXTS[:5]])
        case inspect.DictType():
            return {
                str(_some(chance, kind.key_type, pools, "")): _some(chance, kind.value_type, pools, "")
                for _ in range(chance.randint(0, 2))
            }
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [_some(chance, kind.item_type, pools, "") for _ in range(chance.randint(0, 3))]
        case inspect.NoneType():
            return None
    return anything(chance)


def _struct(chance: Random, kind: inspect.StructType, pools: Pools) -> dict[str, Any]:
    tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
    found: dict[str, Any] = {}
    for field in kind.fields:
        if field.required or chance.random() < 0.8:
            own = f"{kind.tag}.{field.name}"
            found[field.encode_name] = _some(chance, field.type, pools, own if own in pools else field.name)
    return tag | found


def some_command(chance: Random, kind: type[commands.Command], number: int, pools: Pools = WRONG) -> dict[str, Any]:
    """A command of a kind with fields that have the right types, and values that mean something or nothing."""
    command: dict[str, Any] = some(chance, kind, pools)
    return command | {"id": number}


def mistyped(chance: Random, kind: type[commands.Command], number: int, pools: Pools = WRONG) -> dict[str, Any]:
    """The same, with one field of another type."""
    command = some_command(chance, kind, number, pools)
    field = chance.choice([name for name in command if name != "do"])
    return command | {field: anything(chance)}


# --- wrong on purpose ---------------------------------------------------------------------------------------------------


def garbage(chance: Random) -> bytes:
    """Not a command: letters, JSON of any shape, a command that is cut off or has unknown fields."""
    command = json.dumps(some_command(chance, chance.choice(KINDS), 5)).encode()
    ways: list[Callable[[], bytes]] = [
        lambda: "".join(chance.choices(string.printable, k=chance.randint(0, 200))).encode(),
        lambda: json.dumps(anything(chance)).encode(),
        lambda: command[: chance.randint(0, len(command) - 1)],
        lambda: command.replace(b'"do"', b'"does"'),
        lambda: command[:-1] + b',"more":1}',
        lambda: b"[" * chance.randint(1, 10_000),
        lambda: b'{"do":"ping","id":' + b"9" * chance.randint(17, 5_000) + b"}",
    ]
    return chance.choice(ways)()


def spoiled(chance: Random, value: Any) -> Any:
    """The value with one part, at any depth, changed, removed or added."""
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        way = chance.random()
        if way < 0.1:
            return {name: each for name, each in value.items() if name != key}
        if way < 0.2:
            return value | {str(anything(chance, 9)): anything(chance)}
        return value | {key: spoiled(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], spoiled(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, bool) or value is None:
        return anything(chance)
    if isinstance(value, int) and chance.random() < 0.6:
        return chance.choice([value + 1, value - 1, -value, value * 10**6, float(value), str(value), *HUGE])
    if isinstance(value, str) and chance.random() < 0.6:
        return chance.choice([value + " ", value.upper(), value[:-1], value * 50, value + "\x00", *TEXTS])
    return anything(chance)


def written(chance: Random, value: Any) -> bytes:
    """The JSON of a value written wrongly: keys twice, cut off, nested too deep, with bytes that are not text."""
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
    way = chance.random()
    if way < 0.75:
        return text
    if way < 0.82 and isinstance(value, dict) and value:
        key = chance.choice(list(value))
        again = json.dumps({key: spoiled(chance, value[key])}).encode()[1:]
        return (text[:-1] + b"," + again) if chance.random() < 0.5 else (b"{" + again[:-1] + b"," + text[1:])
    if way < 0.87:
        return text[: chance.randint(0, len(text))]
    if way < 0.90:
        deep = chance.choice([10, 200, 2_000])
        return text[:-1] + b',"deep":' + b"[" * deep + b"]" * deep + b"}"
    if way < 0.95 and text:
        at = chance.randrange(len(text))
        return text[:at] + bytes([chance.randrange(256 if chance.random() < 0.2 else 128)]) + text[at + 1 :]
    return garbage(chance)


def hostile(chance: Random, value: Any) -> bytes:
    """A correct message, left as it is or made wrong in some way."""
    return written(chance, value if chance.random() < 0.5 else spoiled(chance, value))


def understood(message: bytes, kind: Any) -> Any:
    """What a message asks for; None if it is none of that type."""
    try:
        return msgspec.json.decode(message, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
