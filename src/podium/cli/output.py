"""How every command prints JSON."""

import sys
from typing import Any

import msgspec


def print_json(value: Any) -> None:
    """In UTF-8, indented, with an end of the line."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
