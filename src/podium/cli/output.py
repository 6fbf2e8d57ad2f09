"""JSON output, the same for every command."""

import sys
from typing import Any

import msgspec


def print_json(value: Any) -> None:
    """Prints a value as indented JSON in UTF-8, with a newline at the end."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
