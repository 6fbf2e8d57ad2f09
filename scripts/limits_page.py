"""Writes docs/limits.md: every limit of the house, from the modules that define them."""

import ast
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("server", "house", "record", "maths")
INTRODUCTION = """# Limits

Written by `make docs` from `limits.py` of each room. Whatever grows with guests, requests or days has a limit, and something happens when it
is reached; nothing that was promised is broken by it.
"""


def limits(room: str) -> list[tuple[str, str, str, str]]:
    """The constants of a room: name, value, what it counts, what happens at the limit."""
    body = ast.parse((ROOT / "src" / "podium" / room / "limits.py").read_text(encoding="utf-8")).body
    rows = []
    for constant, after in pairwise(body):
        if not (isinstance(constant, ast.AnnAssign) and constant.value and isinstance(after, ast.Expr)):
            continue
        said = " ".join(str(ast.literal_eval(after.value)).split())
        what, _, happens = said.partition(" At the limit: ")
        rows.append((ast.unparse(constant.target), _value(constant.value), what, happens))
    return rows


def _value(value: ast.expr) -> str:
    try:
        number = eval(compile(ast.Expression(value), "limits", "eval"), {"__builtins__": {}})
    except NameError:
        return f"`{ast.unparse(value)}`"
    return f"{number:,}" if isinstance(number, int) else str(number)


def page() -> str:
    parts = [INTRODUCTION.strip()]
    for room in ROOMS:
        rows = [f"| `{name}` | {value} | {what} | {happens} |" for name, value, what, happens in limits(room)]
        parts.append(
            "\n".join([f"## {room}", "", "| limit | value | what | at the limit |", "| --- | --- | --- | --- |", *rows])
        )
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
