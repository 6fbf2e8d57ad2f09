"""Writes docs/cli.md from the program's own help: python scripts/cli_page.py > docs/cli.md"""

import os
import subprocess
import sys
from collections.abc import Iterator

import typer

from podium.cli.app import app

HEAD = """# The command line

Written by `make docs` from the program's own help. JSON stands alone on standard output; errors are plain sentences on
standard error. Exit codes: 0 done, 1 a check found a difference or a run failed, 2 bad input or usage; 130 after Ctrl-C.
"""


def page() -> str:
    """The whole page."""
    commands = list(_names(typer.main.get_command(app)))
    parts = [HEAD]
    for command in ["", *commands]:
        program = [sys.executable, "-m", "podium", *command.split(), "--help"]
        ran = subprocess.run(program, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
        parts.append(f"## {f'podium {command}'.strip()}\n\n```text\n{ran.stdout.strip()}\n```\n")
    return "\n".join(parts)


def _names(command: object, path: str = "") -> Iterator[str]:
    """The commands below this one, as they are typed."""
    for name, each in getattr(command, "commands", {}).items():
        yield f"{path} {name}".strip()
        yield from _names(each, f"{path} {name}")


if __name__ == "__main__":
    sys.stdout.write(page())
