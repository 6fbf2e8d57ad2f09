"""The pages that are written from the program are current, and what the others tell people to type works."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from podium import __version__
from podium.cli.app import app
from podium.house import read_config

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_page_of_the_command_line_is_current() -> None:
    written = subprocess.run(
        [sys.executable, ROOT / "scripts" / "cli_page.py"], capture_output=True, text=True, check=True
    ).stdout
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == written, "run `make docs`"


def test_the_page_of_the_http_interface_is_current() -> None:
    script = ROOT / "scripts" / "api_page.py"
    written = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == written, "run `make docs`"


def test_the_page_of_the_command_line_has_every_command() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    named = typer.main.get_group(app).commands
    assert "settle" in named
    assert "serve" in named
    for name in named:
        assert f"## podium {name}\n" in page


def commands(page: str) -> list[str]:
    """The command lines of the `console` blocks of a page."""
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ ")]


PODIUM = [line for line in commands(README) if line.startswith(".venv/bin/podium")]
MAKE = [line for line in commands(README) if line.startswith("make")]


def test_a_newcomer_needs_two_commands() -> None:
    assert MAKE == ["make run", "make test"]
    assert set(commands(README)) == {*PODIUM, *MAKE}


@pytest.mark.parametrize("line", PODIUM)
def test_the_commands_of_the_readme_work(line: str) -> None:
    words = shlex.split(line)[1:]
    done = subprocess.run([sys.executable, "-m", "podium", *words], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_python_of_the_readme_works() -> None:
    program = re.search(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert program is not None
    names: dict[str, Any] = {}
    value: Any = None
    for line in filter(None, program[1].splitlines()):
        if line.startswith("# "):
            assert repr(value) == line.removeprefix("# ")
        elif "=" in line.partition("(")[0] or line.startswith("import "):
            exec(line, names)
        else:
            value = eval(line, names)
    assert names["round"].over


def test_every_link_of_a_page_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_every_room_has_its_sentence() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = re.search(r"^```rooms\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert rooms is not None
    listed = re.findall(r"^(\w+)", rooms[1], re.MULTILINE)
    assert listed == re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", page[rooms.end() :], re.MULTILINE)


def test_the_changelog_begins_with_this_version() -> None:
    first = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first is not None
    assert first[1].startswith((__version__, "Unreleased"))


def test_the_page_of_limits_is_current_and_says_what_happens_at_each() -> None:
    """SEC-8: everything that a stranger can make grow has a stated bound."""
    ran = subprocess.run(
        [sys.executable, "scripts/limits_page.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == (ROOT / "docs" / "limits.md").read_text(encoding="utf-8"), "run: make docs"
    rows = re.findall(r"^\| `\w+` \| (.+?) \| (.+?) \| (.*?) \|$", ran.stdout, re.MULTILINE)
    assert len(rows) > 30
    assert all(value and what and happens for value, what, happens in rows)


PROMISES = [
    (cells[0], re.findall(r"`(test_\w+)`", cells[1]))
    for line in (ROOT / "docs" / "security.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and len(cells := line.strip("| ").split(" | ")) == 2 and cells != ["promise", "tests"]
    if set(cells[0]) != {"-"}
]


def test_every_promise_of_the_security_page_names_tests_that_exist() -> None:
    written = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(PROMISES) > 20
    for promise, tests in PROMISES:
        assert tests, promise
        assert set(tests) <= written, promise


def test_the_configuration_of_the_guide_opens_a_house() -> None:
    [written] = re.findall(
        r"^```toml\n(.*?)^```", (ROOT / "docs/guide/index.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert set(read_config(written).tables) == {"blackjack-1", "poker-1"}


def test_the_guide_names_commands_and_files_that_exist() -> None:
    known = set(re.findall(r"^## podium (\S+)", (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"), re.MULTILINE))
    for page in (ROOT / "docs" / "guide").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert (
            set(
                re.findall(
                    r"(?:^|[`/ ])podium ([a-z]+)(?= |`)",
                    "\n".join(re.findall(r"`[^`\n]+`|^.*bin/podium.*$", text, re.MULTILINE)),
                )
            )
            <= known
        )
        for file in re.findall(r"\bdeploy/[\w./-]+\w", text):
            assert (ROOT / file).exists(), f"{page.name}: {file}"


def test_every_page_of_the_guide_is_in_the_site() -> None:
    site = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    for page in (ROOT / "docs" / "guide").glob("*.md"):
        assert f'"{page.relative_to(ROOT / "docs")}"' in site, page.name


def test_the_page_of_the_configuration_is_current() -> None:
    ran = subprocess.run(
        [sys.executable, "scripts/configuration_page.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8"), "run: make docs"
