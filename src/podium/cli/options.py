"""`--option KEY=VALUE`, as several commands take it."""

from typing import Any

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english


def read_options(written: list[str]) -> dict[str, Any]:
    """The options by name. A value is JSON where it parses as JSON, otherwise text."""
    options: dict[str, Any] = {}
    for entry in written:
        name, equals, value = entry.partition("=")
        name = name.strip()
        if not name or not equals:
            raise Refused("option-argument", argument=shortened(entry))
        if name in options:
            raise Refused("argument-twice", argument=f"--option {shortened(name)}")
        options[name] = _value(value)
    return options


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


LONGEST_NUMBER = 18
"""The most digits of a number on the command line."""


def read_number(written: str) -> int | None:
    """A whole number of 0 or more; None if the text is not one, or is absurdly long."""
    return int(written) if written.isascii() and written.isdecimal() and len(written) <= LONGEST_NUMBER else None


english(
    "refused",
    {
        "option-argument": "--option {argument} is not KEY=VALUE: write it like --option decks=8.",
        "argument-twice": "{argument} is given twice: give it once.",
    },
)
