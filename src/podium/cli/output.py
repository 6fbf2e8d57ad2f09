"""JSON and CSV output, the same for every command."""

import csv
import sys
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english

Written = Literal["text", "json", "csv"]
"""How a command writes what it found."""


def written(*, json: bool, csv: bool) -> Written:
    """How to write, by the options `--json` and `--csv`, of which one at most is given."""
    if json and csv:
        raise Refused("json-or-csv")
    return "json" if json else "csv" if csv else "text"


def print_json(value: Any) -> None:
    """Prints a value as indented JSON in UTF-8, with a newline at the end."""
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Prints rows as CSV, the names of the columns first. Unknown values are empty; booleans are true and false as in JSON."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_cell(row.get(name)) for name in columns] for row in rows])


def _cell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


english("refused", {"json-or-csv": "Give --json or --csv, not both."})
