"""The commands for a house's data: verify, backup, restore, config."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from podium.cli import run
from podium.house import DEMONSTRATION, read_config
from podium.house.events import NOTED
from podium.record.store import open_book
from tests.houses import KEY, playing_house

Said = tuple[int, str, str]
Podium = Callable[..., Said]


@pytest.fixture
def podium(capsys: pytest.CaptureFixture[str]) -> Podium:
    """Runs a command in this process: its exit code, its output, its complaints."""

    def call(*arguments: str | Path) -> Said:
        code = run([str(argument) for argument in arguments])
        sys.stdout.flush()
        written = capsys.readouterr()
        return code, written.out, written.err

    return call


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The directory of a house that has played a few rounds."""
    directory = tmp_path / "data"
    directory.mkdir()
    with playing_house(directory / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play("dynasty-blackjack-1", 4)
    return directory


def put_key(directory: Path, mode: int = 0o600) -> None:
    (directory / "podium.key").write_text(KEY.hex(), encoding="ascii")
    (directory / "podium.key").chmod(mode)


def alter(data: Path, statement: str) -> None:
    file = sqlite3.connect(data / "podium.db")
    with file:
        file.execute(statement)
    file.close()


# --- verify ---------------------------------------------------------------------------------------------------------------


def test_verify_prints_what_was_checked(podium: Podium, data: Path) -> None:
    code, out, err = podium("verify", data)
    assert (code, err) == (0, "")
    assert "Rounds: 4 rounds at 5 tables" in out
    assert "In use: 1 shoe not checked, for want of the seal's key" in out
    assert out.endswith("No difference was found.\n")


def test_verify_with_the_key_checks_the_shoe_in_use(podium: Podium, data: Path) -> None:
    put_key(data)
    assert "In use: 1 shoe checked under the seal" in podium("verify", data)[1]


def test_verify_with_another_key_says_so(podium: Podium, data: Path) -> None:
    (data / "podium.key").write_text("11" * 32, encoding="ascii")
    (data / "podium.key").chmod(0o600)
    code, _, err = podium("verify", data)
    assert code == 1
    assert "does not open" in err


def test_verify_changes_no_byte(podium: Podium, data: Path) -> None:
    before = (data / "podium.db").read_bytes()
    podium("verify", data)
    assert (data / "podium.db").read_bytes() == before
    assert not (data / "podium.key").exists()


def test_verify_ends_with_1_and_the_first_difference(podium: Podium, data: Path) -> None:
    alter(data, "UPDATE balances SET amount = amount + 1 WHERE account = 'cage/main'")
    code, out, err = podium("verify", data)
    assert (code, out) == (1, "")
    assert err.startswith("cage/main stands at ")


def test_verify_without_a_house_ends_with_2(podium: Podium, tmp_path: Path) -> None:
    code, _, err = podium("verify", tmp_path)
    assert (code, err) == (2, f"There is no house in {tmp_path}: it has no podium.db.\n")
    assert list(tmp_path.iterdir()) == []


def test_evt_4_verify_of_an_empty_book_finds_a_difference(podium: Podium, tmp_path: Path) -> None:
    open_book(tmp_path / "podium.db").close()
    code, _, err = podium("verify", tmp_path)
    assert (code, "holds no entry at all" in err) == (1, True)


def test_verify_of_a_file_that_is_damaged_ends_with_1(podium: Podium, data: Path) -> None:
    (data / "podium.db").write_bytes(b"not a house" * 1000)
    code, _, err = podium("verify", data)
    assert (code, "is damaged" in err) == (1, True)


def test_verify_of_a_postgresql_house(podium: Podium, postgres_url: str) -> None:
    assert podium("verify", postgres_url)[0] == 2
    with playing_house(postgres_url) as playing:
        playing.seat_bots("mega-blackjack-1")
        playing.play("mega-blackjack-1", 1)
    code, out, _ = podium("verify", postgres_url)
    assert (code, "Rounds: 1 round at 5 tables" in out) == (0, True)


# --- backup and restore -----------------------------------------------------------------------------------------------------


def test_bak_1_bak_2_a_backup_is_restored_equal(podium: Podium, data: Path, tmp_path: Path) -> None:
    code, out, _ = podium("backup", data, tmp_path / "backup")
    assert (code, "are not in it" in out) == (0, True)
    code, out, _ = podium("restore", tmp_path / "backup", tmp_path / "deep" / "restored")
    assert (code, "byte for byte" in out) == (0, True)
    assert podium("verify", tmp_path / "deep" / "restored")[1] == podium("verify", data)[1]
    podium("backup", tmp_path / "deep" / "restored", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "backup").read_bytes()


def test_bak_1_a_backup_is_made_while_the_house_runs(podium: Podium, tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play("dynasty-blackjack-1", 1)
        assert podium("backup", tmp_path, tmp_path / "backup")[0] == 0
        playing.play("dynasty-blackjack-1", 1)
    assert podium("restore", tmp_path / "backup", tmp_path / "restored")[0] == 0
    assert "Rounds: 1 round " in podium("verify", tmp_path / "restored")[1]


def test_bak_2_the_other_kind_of_store(podium: Podium, data: Path, tmp_path: Path, postgres_url: str) -> None:
    podium("backup", data, tmp_path / "backup")
    assert podium("restore", tmp_path / "backup", postgres_url)[0] == 0
    code, _, err = podium("restore", tmp_path / "backup", postgres_url)
    assert (code, "not empty" in err) == (2, True)


def test_bak_2_nothing_is_overwritten(podium: Podium, data: Path, tmp_path: Path) -> None:
    podium("backup", data, tmp_path / "backup")
    before = (tmp_path / "backup").read_bytes()
    assert podium("backup", data, tmp_path / "backup")[0] == 2
    assert podium("restore", tmp_path / "backup", data)[0] == 2
    assert (tmp_path / "backup").read_bytes() == before


def test_bak_2_a_damaged_backup_leaves_nothing_behind(podium: Podium, data: Path, tmp_path: Path) -> None:
    podium("backup", data, tmp_path / "backup")
    whole = (tmp_path / "backup").read_bytes()
    (tmp_path / "backup").write_bytes(whole.replace(b"dynasty", b"Dynasty", 1))
    code, _, err = podium("restore", tmp_path / "backup", tmp_path / "restored")
    assert (code, "is not a whole backup" in err) == (1, True)
    assert list((tmp_path / "restored").iterdir()) == []


def test_a_backup_of_no_house_writes_no_file(podium: Podium, tmp_path: Path) -> None:
    assert podium("backup", tmp_path, tmp_path / "backup")[0] == 2
    assert podium("restore", tmp_path / "backup", tmp_path / "new")[0] == 2
    assert list(tmp_path.iterdir()) == []


# --- config -----------------------------------------------------------------------------------------------------------------


def test_config_prints_a_configuration_to_begin_with(podium: Podium) -> None:
    code, out, _ = podium("config")
    assert code == 0
    assert read_config(out) == DEMONSTRATION


def test_config_check_says_what_would_open(podium: Podium, tmp_path: Path) -> None:
    (tmp_path / "podium.toml").write_text('[tables.bj-1]\ngame = "stadium-blackjack"\noptions = {decks = 8}\n', "utf-8")
    code, out, _ = podium("config", "--check", tmp_path / "podium.toml")
    assert code == 0
    assert "bj-1: Stadium Blackjack, automated dealer, any number of players, 8 decks" in out


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("tables = 3", "wrong at tables"),
        ("[tables.t]\ngame = 'stadium-blackjack'\npace = 3", "unknown field `pace`. The keys here are game, options"),
        ("[tables.t]\ngame = 'bingo'", "tables.t: There is no game 'bingo'"),
        ("[tables.T]\ngame = 'stadium-blackjack'", "a table is named with small letters"),
        ("name = ", "is not TOML"),
        ("address = 'play.example'", "it must be like https://play.example"),
    ],
)
def test_config_check_explains_a_mistake(podium: Podium, tmp_path: Path, written: str, said: str) -> None:
    (tmp_path / "podium.toml").write_text(written, encoding="utf-8")
    code, out, err = podium("config", "--check", tmp_path / "podium.toml")
    assert (code, out) == (2, "")
    assert said in err


def test_config_check_of_no_file(podium: Podium, tmp_path: Path) -> None:
    assert podium("config", "--check", tmp_path / "none.toml")[0] == 2


# --- the page for operators --------------------------------------------------------------------------------------------------


def test_the_commands_of_the_page_for_operators_work(data: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "operating.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    commands = [
        line.removeprefix("$ ") for block in blocks for line in block.splitlines() if line.startswith("$ podium")
    ]
    assert len(commands) == 10
    for command in commands:
        line = command.replace("podium", f"{sys.executable} -m podium", 1)
        done = subprocess.run(line, shell=True, cwd=data.parent, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command


def test_evt_1_the_page_for_operators_lists_what_is_noted() -> None:
    page = (Path(__file__).parent.parent / "docs" / "operating.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", page.partition("## Significant")[2], re.MULTILINE)) == NOTED
