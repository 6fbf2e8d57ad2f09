"""Writes docs/cli.md from the program's own help: python scripts/cli_page.py > docs/cli.md"""

import os
import subprocess
import sys

import typer

from podium.cli.app import app

HEAD = """# The command line

Written by `make docs` from the program's own help. JSON stands alone on standard output; errors are plain sentences on
standard error. Exit codes: 0 done, 1 a check found a difference or a run failed, 2 bad input or usage; 130 after Ctrl-C.
"""


def page() -> str:
    """The whole page."""
    commands = _names(app)
    for group in app.registered_groups:
        assert group.typer_instance is not None
        commands += [f"{group.name}", *(f"{group.name} {name}" for name in _names(group.typer_instance))]
    parts = [HEAD]
    for command in ["", *commands]:
        program = [sys.executable, "-m", "podium", *command.split(), "--help"]
        ran = subprocess.run(program, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
        parts.append(f"## {f'podium {command}'.strip()}\n\n```text\n{ran.stdout.strip()}\n```\n")
    return "\n".join(parts)


def _names(commands: typer.Typer) -> list[str]:
    return [each.name or each.callback.__name__ for each in commands.registered_commands if each.callback]


if __name__ == "__main__":
    sys.stdout.write(page())
