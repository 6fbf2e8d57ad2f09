"""Reads a script; a mistake is refused, with its place and what would be accepted."""

import json
from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english

MAX_SCRIPT_AMOUNT: Final = 10**15
"""The largest amount in a script, in minor units: what it can win still fits into 64 bits."""

Amount = Annotated[int, msgspec.Meta(ge=-MAX_SCRIPT_AMOUNT, le=MAX_SCRIPT_AMOUNT)]


class ScriptPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A player of a script."""

    name: str
    credit: Amount | None = None
    wagers: dict[str, Amount] = {}
    for_dealer: dict[str, Amount] = {}
    spots: list[Amount] | None = None
    decisions: list[str] = []
    box: Annotated[int, msgspec.Meta(ge=1, le=MAX_SCRIPT_AMOUNT)] | msgspec.UnsetType = msgspec.UNSET
    """A further entry with the same name is another box of the player, with the next number. The result states it if
    the script does."""


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A whole round, as its user writes it."""

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
        raise _not_json(text, str(error)) from None
    except UnicodeDecodeError:
        raise Refused("script-not-utf8") from None
    except RecursionError:
        raise Refused("script-deep") from None


def _read(text: bytes | str) -> Script:
    try:
        script = _scripts.decode(text)
    except msgspec.ValidationError as error:
        raise _first_fault(text) or Refused("script-malformed", error=shortened(str(error))) from None
    _no_key_twice.decode(text if isinstance(text, str) else text.decode())
    return script


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuses a key that occurs twice: JSON leaves open which one counts."""
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Refused("script-key-twice", key=shortened(twice))
    return read


_no_key_twice = json.JSONDecoder(object_pairs_hook=_once)


def _not_json(text: bytes | str, error: str) -> Refused:
    written = text.encode() if isinstance(text, str) else text
    if not written.strip():
        return Refused("script-empty")
    if written.startswith(b"\xef\xbb\xbf"):
        return Refused("script-bom")
    if written.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Refused("script-utf16")
    if "trailing" in error:
        return Refused("script-trailing")
    if "truncated" in error:
        return Refused("script-truncated")
    return Refused("script-not-json", error=shortened(error.removeprefix("JSON is malformed: ")))


# --- what is wrong with a script that is JSON -------------------------------------------------------------------------

Faults = Iterator[Refused]
"""The mistakes, found one after another; the first is reported."""

_SCRIPT_KEYS: Final = Script.__struct_fields__
_PLAYER_KEYS: Final = ScriptPlayer.__struct_fields__


def _first_fault(text: bytes | str) -> Refused | None:
    try:
        return next(_faults(msgspec.json.decode(text)), None)
    except msgspec.ValidationError:
        return Refused("script-range", most=MAX_SCRIPT_AMOUNT)


def _faults(script: Any) -> Faults:
    if not isinstance(script, dict):
        yield Refused("script-form", written=_written(script))
        return
    for key in script:
        if key not in _SCRIPT_KEYS:
            yield Refused("script-key", key=shortened(key), keys=_SCRIPT_KEYS)
    for key in ("game", "cards", "players"):
        if key not in script:
            yield Refused("script-needs", key=key, keys=_SCRIPT_KEYS)
    if not isinstance(script["game"], str):
        yield Refused("script-game", written=_written(script["game"]))
    if not isinstance(script["cards"], str):
        yield Refused("script-cards", written=_written(script["cards"]))
    if not isinstance(script.get("options", {}), dict):
        yield Refused("script-options", written=_written(script["options"]))
    if not isinstance(script["players"], list):
        yield Refused("script-players", written=_written(script["players"]))
    for number, player in enumerate(script["players"], start=1):
        yield from _player_faults(player, number)


def _player_faults(player: Any, number: int) -> Faults:
    if not isinstance(player, dict):
        yield Refused("player-form", number=number, written=_written(player))
        return
    for key in player:
        if key not in _PLAYER_KEYS:
            yield Refused("player-key", number=number, key=shortened(key), keys=_PLAYER_KEYS)
    if not player.get("name", ""):
        yield Refused("player-no-name", number=number)
    if not isinstance(player["name"], str):
        yield Refused("player-name", number=number, written=_written(player["name"]))
    yield from _named_player_faults(player, shortened(player["name"]))


def _named_player_faults(player: dict[str, Any], who: str) -> Faults:
    for key in ("wagers", "for_dealer"):
        yield from _stakes_faults(player.get(key, {}), who, key)
    credit = player.get("credit")
    if credit is not None and type(credit) is not int:
        yield Refused("player-credit-form", who=who, written=_written(credit))
    if credit is not None and not _is_whole(credit):
        yield Refused("player-credit-most", who=who, written=_written(credit), most=MAX_SCRIPT_AMOUNT)
    box = player.get("box", 1)
    if not (_is_whole(box) and box >= 1):
        yield Refused("player-box-form", who=who, written=_written(box))
    spots = player.get("spots")
    if spots is not None and not (isinstance(spots, list) and all(map(_is_whole, spots))):
        yield Refused("player-spots", who=who, written=_written(spots))
    decisions = player.get("decisions", [])
    if not (isinstance(decisions, list) and all(isinstance(decision, str) for decision in decisions)):
        yield Refused("player-decisions", who=who, written=_written(decisions))


def _stakes_faults(stakes: Any, who: str, key: str) -> Faults:
    if not isinstance(stakes, dict):
        yield Refused("player-wagers", who=who, key=key, written=_written(stakes))
    for wager, amount in stakes.items():
        if type(amount) is not int:
            yield Refused("player-amount", who=who, wager=shortened(wager), written=_written(amount))
        elif not _is_whole(amount):
            yield Refused(
                "player-amount-most", who=who, wager=shortened(wager), written=_written(amount), most=MAX_SCRIPT_AMOUNT
            )


def _is_whole(value: Any) -> bool:
    return type(value) is int and -MAX_SCRIPT_AMOUNT <= value <= MAX_SCRIPT_AMOUNT


def _written(value: Any) -> str:
    """What was written instead."""
    return shortened(json.dumps(value, ensure_ascii=False))


english(
    "refused",
    {
        "script-empty": "The script is empty: it is a JSON object with game, cards and players.",
        "script-bom": "The script begins with a byte order mark (BOM): save it as UTF-8 without one.",
        "script-utf16": "The script is not UTF-8 text but UTF-16: save it as UTF-8.",
        "script-not-utf8": "The script is not UTF-8 text: save it as UTF-8.",
        "script-trailing": "The script is not JSON: something follows its end. One script per line is read with --lines.",
        "script-truncated": "The script is not JSON: it ends too early, so a bracket or a quotation mark is missing.",
        "script-not-json": "The script is not JSON: {error}.",
        "script-deep": "The script is nested too deeply: no part of a script needs more than five levels.",
        "script-malformed": "The script is malformed: {error}.",
        "script-range": "The script holds a number that is out of range: amounts are at most {most:money}.",
        "script-key-twice": "The script has {key:quoted} twice in the same place: write it once.",
        "script-form": "A script is a JSON object with game, cards and players, not {written}.",
        "script-key": "The script has an unknown key {key:quoted}: its keys are {keys}.",
        "script-needs": "The script has no {key}: game, cards and players must be there, and its keys are {keys}.",
        "script-game": 'The script: game is the name of a game, like "stadium-blackjack", not {written}.',
        "script-cards": 'The script: cards is the cards in the order of dealing, like "As Td 9h", not {written}.',
        "script-options": 'The script: options is a table of options, like {"decks": 6}, not {written}.',
        "script-players": "The script: players is a list of players, not {written}.",
        "player-form": 'Player {number}: a player is an object, like {"name": "p1", "wagers": {"blackjack": 1000}}, not {written}.',
        "player-key": "Player {number} has an unknown key {key:quoted}: the keys of a player are {keys}.",
        "player-name": 'Player {number}: name is text, like "p1", not {written}.',
        "player-wagers": '{who}: {key} is a table of wagers, like {"blackjack": 1000}, not {written}.',
        "player-amount": "{who}: the amount of {wager} is a whole number of minor units, like 1000, not {written}.",
        "player-amount-most": "{who}: the amount of {wager} is {written}: amounts are at most {most:money}.",
        "player-credit-form": "{who}: credit is a whole number of minor units, like 1000, not {written}.",
        "player-credit-most": "{who}: credit is {written}: amounts are at most {most:money}.",
        "player-box-form": "{who}: box is 1 for the first box of a player, 2 for the second, not {written}.",
        "player-spots": "{who}: spots are three different numbers from 1 to 9, like [1, 5, 9], not {written}.",
        "player-decisions": '{who}: decisions is a list of texts, like ["hit", "stand"], not {written}.',
    },
)
