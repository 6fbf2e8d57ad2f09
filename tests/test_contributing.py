"""CONTRIBUTING.md is true: its examples are carried out, as they are printed, in a copy of the package, and work; and with a piece
left out, something says which.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from textwrap import indent
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GUARDS = ("tests/test_words.py", "tests/test_bets.py")
NEEDED = (
    "scripts/words.py",
    "web/src/words/en.json",
    "web/src/generated/words.ts",
    "tests/__init__.py",
    "tests/conftest.py",
    "tests/postgres.py",
    *GUARDS,
)
"""What the guards read, besides the package."""


class Example(NamedTuple):
    """A section of the page: what it tells people to write where, and to type."""

    files: dict[str, str]
    commands: list[str]


def read_example(title: str) -> Example:
    section = re.search(rf"^## {title}\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)
    assert section is not None
    files = re.findall(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```", section[1], re.DOTALL | re.MULTILINE)
    typed = re.findall(r"^\$ (.+)$", section[1], re.MULTILINE)
    assert files
    assert typed
    return Example(dict(files), typed)


BET, OPTION, GAME = (read_example(title) for title in ("Adding a side bet", "Adding an option", "Adding a game"))
EXAMPLES = (BET, OPTION, GAME)


class Copy:
    """A copy of the package in which somebody carries an example out."""

    def __init__(self, place: Path) -> None:
        self.place = place
        built = shutil.ignore_patterns("static")
        shutil.copytree(ROOT / "src" / "podium", place / "src" / "podium", ignore=built)
        for file in NEEDED:
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, place / file)

    def write(self, files: dict[str, str]) -> None:
        """Does what the page says: a new file, a field of a class, or entries of a language."""
        for name, text in files.items():
            file = self.place / name
            if file.suffix == ".json":
                words = {**json.loads(file.read_text(encoding="utf-8")), **json.loads(f"{{{text}}}")}
                file.write_text(json.dumps(words, ensure_ascii=False, indent=2), encoding="utf-8")
            elif file.exists():
                before, knows, after = file.read_text(encoding="utf-8").partition("    knows:")
                kept, _, rest = after.partition("    @property\n    def stands_at")
                field = indent(text, "    ")
                file.write_text(f"{before}{field}\n{knows}{kept}{rest.partition('return 0, 0')[2]}", encoding="utf-8")
            else:
                file.write_text(text, encoding="utf-8")

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": f"{self.place / 'src'}{os.pathsep}{self.place}"}
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.place,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def type(self, line: str) -> subprocess.CompletedProcess[str]:
        """A command of the page."""
        first, *rest = shlex.split(line)
        return self.run("scripts/words.py") if (first, rest) == ("make", ["words"]) else self.run("-m", "podium", *rest)

    def guard(self, *tests: str) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)

    def settled(self, script: Mapping[str, object]) -> dict[str, int]:
        """What each wager of the one player returned."""
        done = self.run("-m", "podium", "settle", "-", given=json.dumps(script))
        assert done.stderr == ""
        return {line["wager"]: line["returned"] for line in json.loads(done.stdout)["players"][0]["wagers"]}


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


# --- the examples work ------------------------------------------------------------------------------------------------


def test_the_examples_work_as_they_are_printed(copy: Copy) -> None:
    for example in EXAMPLES:
        copy.write(example.files)
    for line in dict.fromkeys(line for example in EXAMPLES for line in example.commands):
        done = copy.type(line)
        assert (done.returncode, done.stderr) == (0, ""), line
    guarded = copy.guard(*GUARDS)
    assert guarded.returncode == 0, guarded.stdout


def test_the_bet_of_the_page_is_printed_and_paid(copy: Copy) -> None:
    copy.write(BET.files)
    offered = ("--option", 'side_bets={"lucky-twenty": "A"}')
    for code, said in (
        ("en", "Suited twenty  10 to 1"),
        ("es", "Veinte del mismo palo  10 a 1"),
        ("zh", "同花二十点  10 比 1"),
    ):
        assert said in copy.run("-m", "podium", "rules", "stadium-blackjack", *offered, "--language", code).stdout
    for game, cards in (("stadium-blackjack", "Ks 6h Ts 9d Kd"), ("mega-blackjack", "Ks 6h Ts Td 9d")):
        returned = copy.settled(
            {
                "game": game,
                "options": {"side_bets": {"lucky-twenty": "A"}},
                "cards": cards,
                "players": [{"name": "p1", "wagers": {"blackjack": 1000, "lucky-twenty": 100}, "decisions": ["stand"]}],
            }
        )
        assert returned["lucky-twenty"] == 1100


def test_the_option_of_the_page_is_printed_and_obeyed(copy: Copy) -> None:
    copy.write(OPTION.files)
    printed = copy.run("-m", "podium", "rules", "mega-blackjack", "--option", "on_time_out=hit-below-12").stdout
    assert "hits on 11 or less. [MGB Dealing]" in " ".join(printed.split())
    script = {
        "game": "mega-blackjack",
        "cards": "5s 6h 6s Td Kd 9d",
        "players": [{"name": "p1", "wagers": {"blackjack": 1000}}],
    }
    assert copy.settled({**script, "options": {"on_time_out": "hit-below-12"}})["blackjack"] == 2500
    assert copy.settled({**script, "cards": "5s 6h 6s Td 5d"})["blackjack"] == 0


def test_the_game_of_the_page_is_printed_and_dealt(copy: Copy) -> None:
    copy.write(GAME.files)
    printed = " ".join(copy.run("-m", "podium", "rules", "night-blackjack").stdout.split())
    assert "Night Blackjack: rules of play" in printed
    assert "Surrender is not offered. [NBJ 2]" in printed
    assert "Hit: you take another card. [NBJ 3]" in printed
    players = [{"name": "p1", "wagers": {"blackjack": 1000}, "decisions": ["stand"]}]
    script = {"game": "night-blackjack", "cards": "Ks 6h 9s 9d Kd", "players": players}
    assert copy.settled(script)["blackjack"] == 2000


# --- a piece that is left out -----------------------------------------------------------------------------------------

BET_FILE = "src/podium/rules/bets/lucky_twenty.py"
OPTION_FILE = "src/podium/rules/games/mega_blackjack.py"


def without(example: Example, file: str, piece: str, instead: str = "") -> dict[str, str]:
    """The files of an example, with a piece of one of them left out or changed."""
    changed, times = re.subn(piece, instead, example.files[file], flags=re.DOTALL | re.MULTILINE)
    assert times == 1
    return {**example.files, file: changed}


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        pytest.param(
            without(BET, BET_FILE, r"^@LUCKY_TWENTY.outcome\n"),
            "The bet lucky-twenty has no outcome function",
            id="outcome function",
        ),
        pytest.param(
            without(BET, BET_FILE, r"^    says=.*?\n"), "The bet lucky-twenty has no words", id="words of a bet"
        ),
        pytest.param(
            without(BET, BET_FILE, '"mega-blackjack"', '"mega-poker"'),
            "The bet lucky-twenty names ['mega-poker'] in games=...",
            id="game of a bet",
        ),
        pytest.param(
            without(OPTION, OPTION_FILE, r'^        "hit-below-12": .*?\n'),
            'The option on_time_out has no words for "hit-below-12"',
            id="words of an option",
        ),
    ],
)
def test_the_program_does_not_start_without_it(copy: Copy, files: dict[str, str], complaint: str) -> None:
    copy.write(files)
    done = copy.run("-m", "podium", "games")
    assert done.returncode == 1
    assert complaint in done.stderr


SPANISH = "src/podium/languages/es.json"


def test_words_that_are_missing_are_named(copy: Copy) -> None:
    """In Spanish, with the English to translate; and in the collected English, with the command that collects it."""
    for example in EXAMPLES:
        copy.write({file: text for file, text in example.files.items() if file != SPANISH})
    said = copy.guard("tests/test_words.py")
    assert said.returncode == 1
    assert "Run: make words" in said.stdout
    for example in EXAMPLES:
        for key in json.loads(f"{{{example.files[SPANISH]}}}"):
            assert f"{key} has no words in es.json; in English: " in said.stdout


def test_an_outcome_that_no_hand_fills_is_named(copy: Copy) -> None:
    copy.write(without(BET, BET_FILE, r'outcomes=\("suited twenty"', 'outcomes=("royal twenty", "suited twenty"'))
    said = copy.guard("tests/test_bets.py", "-k", "lucky-twenty")
    assert said.returncode == 1
    assert "no hand fills ['royal twenty'] of lucky-twenty" in said.stdout
