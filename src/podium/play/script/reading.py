"""Reading a script: what is no script is refused with where it goes wrong and what would be accepted."""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final

import msgspec

from podium.basics.refusal import Refused, shortened

MOST: Final = 10**15
"""The largest amount of a script in minor units: what it can win still fits the 64 bits of any ledger."""

TOO_DEEP: Final = "The script is nested too deeply: no part of a script needs more than five levels."

Amount = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]


class ScriptPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A player of a script."""

    name: str
    credit: Amount | None = None
    wagers: dict[str, Amount] = {}
    for_dealer: dict[str, Amount] = {}
    spots: list[Amount] | None = None
    decisions: list[str] = []


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A whole round as its user writes it."""

    game: str
    cards: str
    players: list[ScriptPlayer]
    options: dict[str, Any] = {}


_scripts = msgspec.json.Decoder(Script)


def read_script(text: bytes | str) -> Script:
    """A script from JSON."""
    try:
        return _read(text)
    except msgspec.DecodeError as error:
        raise Refused(_why_not_json(text, str(error))) from None
    except UnicodeDecodeError:
        raise Refused("The script is not UTF-8 text: save it as UTF-8.") from None
    except RecursionError:
        raise Refused(TOO_DEEP) from None


def _read(text: bytes | str) -> Script:
    try:
        script = _scripts.decode(text)
    except msgspec.ValidationError as error:
        raise Refused(_first_fault(text) or f"The script is malformed: {error}.") from None
    _no_key_twice.decode(text if isinstance(text, str) else text.decode())
    return script


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON lets a key stand twice and leaves open which one counts; where money is at stake, neither does."""
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Refused(f"The script has {_quoted(twice)} twice in the same place: write it once.")
    return read


_no_key_twice = json.JSONDecoder(object_pairs_hook=_once)


def _why_not_json(text: bytes | str, error: str) -> str:
    written = text.encode() if isinstance(text, str) else text
    if not written.strip():
        return "The script is empty: it is a JSON object with game, cards and players."
    if written.startswith(b"\xef\xbb\xbf"):
        return "The script begins with a byte order mark (BOM): save it as UTF-8 without one."
    if written.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "The script is not UTF-8 text but UTF-16: save it as UTF-8."
    if "trailing" in error:
        return "The script is not JSON: something follows its end. One script per line is read with --lines."
    if "truncated" in error:
        return "The script is not JSON: it ends too early, so a bracket or a quotation mark is missing."
    return f"The script is not JSON: {error.removeprefix('JSON is malformed: ')}."


# --- what is wrong with a script that is JSON -------------------------------------------------------------------------

Faults = Iterator[str]
"""Sentences about what is wrong, found one after the other; the first is told."""

_SCRIPT_KEYS: Final = Script.__struct_fields__
_PLAYER_KEYS: Final = ScriptPlayer.__struct_fields__


def _first_fault(text: bytes | str) -> str | None:
    try:
        return next(_faults(msgspec.json.decode(text)), None)
    except msgspec.ValidationError:
        return f"The script holds a number that is out of range: amounts are at most {MOST}."


def _faults(script: Any) -> Faults:
    if not isinstance(script, dict):
        yield f"A script is a JSON object with game, cards and players, not {_kind(script)}."
        return
    yield from _key_faults(script, "The script", _SCRIPT_KEYS, needed=("game", "cards", "players"))
    yield from _kind_faults(script, "game", str, 'the name of a game, like "stadium-blackjack"')
    yield from _kind_faults(script, "cards", str, 'the cards in the order of dealing, like "As Td 9h"')
    yield from _kind_faults(script, "options", dict, 'a table of options, like {"decks": 6}')
    yield from _kind_faults(script, "players", list, "a list of players")
    for number, player in enumerate(script["players"], start=1):
        yield from _player_faults(player, number)


def _player_faults(player: Any, number: int) -> Faults:
    who = f"ScriptPlayer {number}"
    if not isinstance(player, dict):
        yield f'{who} is {_kind(player)}: a player is an object, like {{"name": "p1", "wagers": {{"blackjack": 1000}}}}.'
        return
    yield from _key_faults(player, who, _PLAYER_KEYS, needed=("name",))
    yield from _kind_faults(player, "name", str, 'text, like "p1"', who=who)
    who = shortened(player["name"]) or who
    for key in ("wagers", "for_dealer"):
        yield from _kind_faults(player, key, dict, 'a table of wagers, like {"blackjack": 1000}', who=who)
        for wager, amount in player.get(key, {}).items():
            yield from _amount_faults(amount, f"{who}: the amount of {shortened(wager)}")
    if player.get("credit") is not None:
        yield from _amount_faults(player["credit"], f"{who}: credit")
    if player.get("spots") is not None:
        yield from _list_faults(player, "spots", _is_whole, "three different numbers from 1 to 9, like [1, 5, 9]", who)
    yield from _list_faults(player, "decisions", _is_text, 'a list of texts, like ["hit", "stand"]', who)


def _key_faults(table: dict[str, Any], who: str, keys: tuple[str, ...], needed: tuple[str, ...]) -> Faults:
    for key in table:
        if key not in keys:
            yield f"{who} has an unknown key {_quoted(key)}: its keys are {', '.join(keys)}."
    for key in needed:
        if key not in table:
            yield f"{who} has no {key}: its keys are {', '.join(keys)}, and {' and '.join(needed)} must be there."


def _kind_faults(table: dict[str, Any], key: str, kind: type, accepted: str, *, who: str = "The script") -> Faults:
    if key in table and not isinstance(table[key], kind):
        yield f"{who}: {key} is {accepted}, not {_kind(table[key])}."


def _list_faults(table: dict[str, Any], key: str, fits: Callable[[Any], bool], accepted: str, who: str) -> Faults:
    yield from _kind_faults(table, key, list, accepted, who=who)
    for entry in table.get(key, ()):
        if not fits(entry):
            yield f"{who}: {key} is {accepted}, and {_kind(entry)} is not one of them."


def _amount_faults(amount: Any, what: str) -> Faults:
    if type(amount) is not int:
        yield f"{what} is a whole number of minor units, like 1000, not {_kind(amount)}."
    elif not _is_whole(amount):
        yield f"{what} is {shortened(str(amount))}: amounts are at most {MOST}."


def _is_whole(value: Any) -> bool:
    return type(value) is int and -MOST <= value <= MOST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _quoted(text: str) -> str:
    return shortened(json.dumps(text, ensure_ascii=False))


def _kind(value: Any) -> str:
    """What was written instead, in words."""
    match value:
        case None | bool():
            return json.dumps(value)
        case str():
            return f"the text {_quoted(value)}"
        case float():
            return f"the fraction {value!r}"
        case int():
            return f"the number {shortened(str(value))}"
        case list():
            return "a list"
    return "an object"
