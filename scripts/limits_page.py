"""Writes docs/limits.md from the limits of the program: python scripts/limits_page.py > docs/limits.md"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "src" / "podium"
ROOMS = ("record", "house", "server")
AT_THE_LIMIT = " At the limit: "

HEAD = """# Limits

Written by `make docs` from `src/podium/record/limits.py`, `src/podium/house/limits.py` and `src/podium/server/limits.py`.

Everything that grows with guests, requests or days has a limit, and something plain happens when it is reached (SEC-8). No limit
breaks a promise: a request for money that is no longer in memory is looked up in the ledger and does not happen twice (LED-2), people
with money are never forgotten, and what is forgotten in memory is in the record.

Not listed is what is bounded by what is listed: the terminals that watch a table are open sockets, wagers in play belong to seats,
approvals that are out belong to one supervisor each. The record itself grows for ever, on the disk. `podium verify`, which proves all
of it, needs memory in proportion to the documents that were ever filed and the accounts that ever had money.
"""


class Limit(NamedTuple):
    """One limit, as the page lists it."""

    name: str
    value: int
    what: str
    happens: str


def limits_of(module: Path) -> Iterator[tuple[str, Limit]]:
    """The limits of a module, each with the title of the section that it stands in."""
    text = module.read_text(encoding="utf-8")
    lines, statements = text.splitlines(), ast.parse(text).body
    for statement, described in zip(statements, statements[1:], strict=False):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)):
            continue
        assert isinstance(statement.value, ast.Constant), f"{statement.target.id} is not a plain number"
        assert isinstance(described, ast.Expr), f"{statement.target.id} is not described"
        assert isinstance(described.value, ast.Constant), f"{statement.target.id} is not described"
        what, separator, happens = str(described.value.value).partition(AT_THE_LIMIT)
        assert separator, f"{statement.target.id} does not say what happens at the limit"
        titles = [line for line in lines[: statement.lineno] if line.startswith("# --- ")]
        title = titles[-1].strip("# -") if titles else ""
        yield title, Limit(statement.target.id, statement.value.value, what.rstrip("."), happens.rstrip("."))


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for room in ROOMS:
        title = None
        parts.append(f"## The {room}\n")
        rows: list[str] = []
        for section, limit in limits_of(PACKAGE / room / "limits.py"):
            if section != title:
                title = section
                rows += ["", *([f"### {section[0].upper()}{section[1:]}", ""] if section else [])]
                rows += ["| what | limit | what happens at the limit | name |", "| --- | --- | --- | --- |"]
            rows.append(f"| {limit.what} | {limit.value:,} | {limit.happens} | `{limit.name}` |")
        parts.append("\n".join(rows).strip() + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
