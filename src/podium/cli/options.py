"""`--option KEY=VALUE`, as several commands take it."""

import re
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english

Kind = Literal["option", "setting"]
EXAMPLES: Final[dict[Kind, str]] = {"option": "decks=8", "setting": "boxes=2"}
"""What may be given as KEY=VALUE, an option of the game or a setting of the table, with one as it is written."""


def read_options(written: list[str], kind: Kind = "option") -> dict[str, Any]:
    """The options by name. A value is JSON where it parses as JSON, otherwise text."""
    options: dict[str, Any] = {}
    for entry in written:
        name, equals, value = entry.partition("=")
        name = name.strip()
        if not name or not equals:
            raise Refused("option-argument", argument=shortened(entry), kind=kind, example=EXAMPLES[kind])
        if name in options:
            raise Refused("argument-twice", argument=f"--{kind} {shortened(name)}")
        options[name] = _value(value)
    return options


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


MAX_NUMBER_DIGITS = 18
"""The most digits of a number on the command line."""


def read_number(written: str) -> int | None:
    """A whole number of 0 or more, as `read_count` reads it; None if the text is not one, or is absurdly long."""
    number = read_count(written)
    return number if number is not None and number >= 0 else None


_COUNT: Final = re.compile(r"(-?)([0-9]+(?:[_,][0-9]{3})*|[0-9]+)(?:[eE]([0-9]{1,2}))?")


def read_count(written: str) -> int | None:
    """A whole number with the usual abbreviations; None if the text is not one, or is absurdly long.

    >>> read_count("1e6"), read_count("1_000_000"), read_count("1,000,000"), read_count("2.5")
    (1000000, 1000000, 1000000, None)
    """
    found = _COUNT.fullmatch(written)
    if found is None:
        return None
    sign, digits, power = found.groups()
    digits = re.sub("[_,]", "", digits) + "0" * int(power or 0)
    return int(sign + digits) if len(digits) <= MAX_NUMBER_DIGITS else None


english(
    "refused",
    {
        "option-argument": "--{kind} {argument} is not KEY=VALUE: write it like --{kind} {example}.",
        "argument-twice": "{argument} is given twice: give it once.",
    },
)
