"""The folder of evidence says what was run and what came of it, and nothing else; every id leads to its lines and tests."""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from podium.rules.games import GAMES
from podium.server.program import fingerprint
from tests.evidence.covering import cover
from tests.evidence.folder import MODES, Evidence, gather, missing, write
from tests.evidence.generator import Tried, try_generator
from tests.evidence.results import Findings, Result, keep, kept, recorded
from tests.evidence.returns import Beside, Compared, compare
from tests.mutants.listed import ROOT
from tests.standards.finding import standards

MADE = datetime(2026, 11, 19, 12, 0, tzinfo=UTC)
HP_1 = "tests/test_live_rounds.py::test_hp_1_a_win_of_exactly_the_limit_is_paid_by_an_attendant"


def result(mode: str, details: dict[str, str], program: str = "") -> Result:
    made = MADE.isoformat(timespec="seconds")
    return Result(mode, f"make {mode}", made, 1.5, program or fingerprint(), "passed", {"rounds": 1_000}, details)


@pytest.fixture(scope="module")
def games() -> list[Compared]:
    return [compare(game, 30) for game in GAMES.values()]


@pytest.fixture(scope="module")
def battery() -> list[Tried]:
    return try_generator(0.1)


@pytest.fixture(scope="module")
def written(games: list[Compared], battery: list[Tried], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder, written when the tests, the faults and the fuzz were run: the last one on another program."""
    kept_there = tmp_path_factory.mktemp("results")
    keep(result("tests", {HP_1: "failed"}), kept_there)
    keep(result("mutants", {"HP-1: a win of exactly the limit is not paid by an attendant": "survived"}), kept_there)
    keep(result("fuzz", {}, program="another"), kept_there)
    folder = tmp_path_factory.mktemp("evidence") / "podium"
    write(gather(MADE, games, battery, kept_there), folder)
    return folder


class Page(HTMLParser):
    """The links, anchors and texts of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.said = ""
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "href" and value:
                self.links.add(value)
            if name == "id" and value:
                self.anchors.add(value)

    def handle_data(self, data: str) -> None:
        self.said += data


def test_every_link_of_the_folder_leads_somewhere(written: Path) -> None:
    pages = {file: Page(file) for file in written.rglob("*.html")}
    assert len(pages) > 100
    for file, page in pages.items():
        for link in page.links:
            name, _, anchor = link.partition("#")
            target = (file.parent / name).resolve() if name else file
            assert target.is_file(), (file.name, link)
            assert not anchor or anchor in pages[target].anchors, (file.name, link)


def test_an_id_leads_in_one_step_to_the_line_and_to_the_test(written: Path) -> None:
    said = (written / "standards.html").read_text(encoding="utf-8")
    [standard] = re.findall(r'<section id="HP-1">.*?</section>', said, re.DOTALL)
    for says in ("win of exactly the limit", "test_hp_1_a_win_of_exactly_the_limit_is_paid_by_an_attendant"):
        [(file, line)] = re.findall(rf'href="([^"#]*)#L(\d+)">[^<]*{says}', standard)
        numbered = (written / file).read_text(encoding="utf-8")
        [shown] = re.findall(rf'<span id="L{line}">.*', numbered)
        assert "attendant_pays_from and won" in shown or "def test_hp_1" in shown


def test_the_first_page_says_what_failed_what_was_not_run_and_what_is_open(written: Path) -> None:
    page = Page(written / "index.html")
    for each in standards():
        assert all(f"standards.html#{id}" in page.links for id in each.ids)
    assert "HP-1: a test failed." in page.said
    assert "HP-1: a fault survived." in page.said
    assert "A real house that is killed: not run; make torture." in page.said
    assert "Hostile messages: not run on this program; make fuzz." in page.said
    assert "no test carries the id" in page.said
    assert "Tests of the program:" not in page.said


def test_every_file_has_its_digest_and_the_facts_are_there_as_json(written: Path) -> None:
    sums = (written / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    files = {file.relative_to(written).as_posix() for file in written.rglob("*") if file.is_file()}
    assert {line.partition("  ")[2] for line in sums} == files - {"SHA256SUMS"}
    for line in sums:
        digest, _, name = line.partition("  ")
        assert sha256((written / name).read_bytes()).hexdigest() == digest
    said = msgspec.json.decode((written / "evidence.json").read_bytes())
    assert said["about"]["program"] == fingerprint()
    assert said["modes"] == dict.fromkeys(MODES, "not run") | {
        "tests": "passed",
        "mutants": "passed",
        "fuzz": "not run on this program",
    }
    assert said["about"]["program"] == sha256((written / "podium.manifest").read_bytes()).hexdigest()


def test_the_second_engine_settles_every_game_as_the_first(games: list[Compared]) -> None:
    assert [each.game for each in games] == list(GAMES)
    for each in games:
        assert each.different == ()
        assert {beside.wager for beside in each.wagers} == set(GAMES[each.game].offers)
        assert all(-10 < beside.found < 1.01 for beside in each.wagers if beside.standard_error < 0.5)


def test_figures_that_are_far_apart_and_shoes_that_look_odd_are_named() -> None:
    game = Compared("mega-blackjack", 100, ("seat 1",), (Beside("blackjack", 0.01, 0.06, 0.01),))
    odd = Tried(6, "shuffled", 100, {"runs 0": 1e-9, "positions 0": 0.5})
    said = missing(Evidence(MADE, {}, [], [game], [odd]))
    assert said == [
        "mega-blackjack: 1 rounds were settled differently.",
        "mega-blackjack: the figures of blackjack are far apart.",
        "6 decks, shuffled: runs 0 below 99 %.",
    ]


def test_the_battery_is_tried_on_every_number_of_decks_with_the_cut_and_without(battery: list[Tried]) -> None:
    assert {(each.decks, each.how) for each in battery} == {
        (decks, how) for decks in (1, 4, 6, 8) for how in ("shuffled", "shuffled and cut")
    }
    assert all(0 <= chance <= 1 for each in battery for chance in each.chances.values())


# --- what the long modes keep ---------------------------------------------------------------------------------------------


def test_a_run_that_fails_or_is_stopped_is_kept_as_such(tmp_path: Path) -> None:
    assert kept("torture", tmp_path) is None
    with recorded("torture", tmp_path) as findings:
        findings.figures["kills"] = 50
    found = kept("torture", tmp_path)
    assert found is not None
    assert (found.ended, found.figures, found.program) == ("passed", {"kills": 50}, fingerprint())
    with pytest.raises(AssertionError), recorded("torture", tmp_path):
        raise AssertionError("a bet is gone")
    found = kept("torture", tmp_path)
    assert found is not None
    assert (found.ended, found.figures) == ("failed", {"error": "AssertionError: a bet is gone"})
    with pytest.raises(KeyboardInterrupt), recorded("torture", tmp_path):
        raise KeyboardInterrupt
    found = kept("torture", tmp_path)
    assert found is not None
    assert found.ended == "stopped"


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_test_passed_if_it_passed_with_every_parameter(tmp_path: Path, workers: list[str]) -> None:
    file = tmp_path / "test_odd.py"
    file.write_text(
        "import pytest\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_odd(n):\n    assert n % 2\n\ndef test_well():\n    pass\n",
        encoding="utf-8",
    )
    own = {**os.environ, "PODIUM_RESULTS": str(tmp_path / "results")}
    command = [sys.executable, "-m", "pytest", "-p", "tests.evidence.recording", "-p", "no:cacheprovider", *workers]
    done = subprocess.run([*command, str(file)], cwd=ROOT, env=own, check=False, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    found = kept("tests", tmp_path / "results")
    assert found is not None
    outcomes = {name.rpartition("::")[2]: outcome for name, outcome in found.details.items()}
    assert (found.ended, outcomes) == ("failed", {"test_odd": "failed", "test_well": "passed"})
    assert found.figures == {"passed": 1, "skipped": 0, "failed": 1}


def test_a_line_and_a_branch_that_no_test_reaches_are_named(tmp_path: Path) -> None:
    module, tests = tmp_path / "sign.py", tmp_path / "test_sign.py"
    module.write_text("def sign(n):\n    if n < 0:\n        return -1\n    return 1\n", encoding="utf-8")
    tests.write_text("from sign import sign\n\ndef test_sign():\n    assert sign(2) == 1\n", encoding="utf-8")
    findings = Findings()
    cover(findings, (str(module),), (str(tests),))
    assert findings.failed
    [described] = findings.details.values()
    assert described == "4 statements, 2 branches; missed 3, 2 to 3"
    tests.write_text(tests.read_text(encoding="utf-8") + "    assert sign(-2) == -1\n", encoding="utf-8")
    findings = Findings()
    cover(findings, (str(module),), (str(tests),))
    assert not findings.failed
    assert (findings.figures["percent"], list(findings.details.values())) == (
        100.0,
        ["4 statements, 2 branches: all reached"],
    )
