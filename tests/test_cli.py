"""The command line keeps the promises of its contract: output, sentences, exit codes."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from podium import __version__
from podium.basics.words import codes, language
from podium.cli import demonstration, run, settling
from podium.rules.games import GAMES
from podium.rules.rulebook import rulebook

ROOT = Path(__file__).parent.parent
PODIUM = [sys.executable, "-m", "podium"]
SCRIPTS = [
    json.dumps(json.loads(line)["script"])
    for line in (ROOT / "tests" / "data" / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
]
DOUBLE = {
    "game": "stadium-blackjack",
    "cards": "9s 6h 2c Td 5d 8h",
    "players": [{"name": "p1", "wagers": {"blackjack": 1000}, "decisions": ["double"]}],
}


class Said:
    """What a command wrote and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def podium(capfdbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Runs a command in this process."""

    def call(*arguments: str) -> Said:
        code = run(list(arguments))
        sys.stdout.flush()
        written = capfdbinary.readouterr()
        return Said(code, written.out.decode(), written.err.decode())

    return call


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "round.json"
    path.write_text(json.dumps(DOUBLE), encoding="utf-8")
    return path


def in_a_shell(command: str, **more: Any) -> Said:
    """Runs a command line in a process of its own; `podium` in it is this very program."""
    line = command.replace("podium", " ".join(PODIUM))
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, **more)
    return Said(done.returncode, done.stdout, done.stderr)


# --- podium -----------------------------------------------------------------------------------------------------------


def test_the_version(podium: Any) -> None:
    assert podium("--version").out == f"podium {__version__}\n"


@pytest.mark.parametrize("command", ["", "games", "rules", "settle", "demo"])
def test_help_goes_to_standard_output(podium: Any, command: str) -> None:
    said = podium(*command.split(), "--help")
    assert (said.code, said.err) == (0, "")
    assert f"Usage: podium {command}".strip() in said.out


@pytest.mark.parametrize("command", ["games", "rules", "settle", "demo"])
def test_help_has_examples(podium: Any, command: str) -> None:
    assert re.search(rf"Examples?:\n\n    podium {command}", podium(command, "--help").out)


def test_no_command_at_all_shows_the_help(podium: Any) -> None:
    said = podium()
    assert (said.code, said.out) == (2, "")
    assert "Commands:" in said.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("nonsense", "No such command 'nonsense'. Try: podium --help"),
        ("games --jason", "No such option: --jason"),
        ("games extra", "Got unexpected extra argument(s) (extra). Try: podium games --help"),
        ("settle", "Missing argument 'FILE'. Try: podium settle --help"),
        ("rules", "Missing argument 'GAME'. Try: podium rules --help"),
        ("rules baccarat", "There is no game 'baccarat'. Games: stadium-blackjack, "),
        ("demo baccarat", "There is no game 'baccarat'. Games: stadium-blackjack, "),
        ("rules mega-blackjack --option", "Option '--option' requires an argument."),
        (
            "rules mega-blackjack --option decks",
            "--option decks is not KEY=VALUE: write it like --option decks=8.",
        ),
        ("rules mega-blackjack --option =8", "--option =8 is not KEY=VALUE: write it like --option decks=8."),
        (
            "rules mega-blackjack --option decks=8 --option decks=6",
            "--option decks is given twice: give it once.",
        ),
        ("rules mega-blackjack --option decks=7", "decks = 7 is not allowed (MGB Introduction). Allowed values: 6, 8."),
        (
            "rules mega-blackjack --option colour=red",
            "mega-blackjack has no option 'colour': its options are decks, ",
        ),
        ("rules mega-blackjack --option dealer=live", "dealer is an option of the table, not of the rules"),
    ],
)
def test_bad_usage_is_a_sentence_and_exit_code_2(podium: Any, arguments: str, sentence: str) -> None:
    said = podium(*arguments.split())
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1


def test_what_is_repeated_in_a_sentence_does_not_steer_the_terminal(podium: Any) -> None:
    assert "\x1b" not in podium("rules", "\x1b[31mred").err


# --- podium games -----------------------------------------------------------------------------------------------------


def test_games_as_json(podium: Any) -> None:
    games = {game["name"]: game for game in podium("games", "--json").json["games"]}
    assert list(games) == list(GAMES)
    assert {name: game["dealing"] for name, game in games.items()}.items() >= {
        ("stadium-blackjack", "community"),
        ("dynasty-blackjack", "community"),
        ("stadium-three-card-poker", "nine-cards"),
        ("match-up-blackjack", "own-hands"),
        ("mega-blackjack", "own-hands"),
    }
    trilux = next(wager for wager in games["stadium-blackjack"]["wagers"] if wager["name"] == "trilux")
    assert trilux["clause"] == "SBJ 2.d"
    assert trilux["paytables"]["TRI-02"]["mini royal"] == "100:1"
    surrender = next(option for option in games["stadium-blackjack"]["options"] if option["name"] == "surrender")
    assert surrender == {
        "name": "surrender",
        "type": "string",
        "default": "on",
        "allowed": ["on", "off", "not-against-blackjack"],
        "accepts": '"on", "off" or "not-against-blackjack"',
        "clause": "SBJ 5.f",
        "says": "Surrender: you may give up your first two cards and keep half of your wager.",
    }


def test_games_as_json_are_complete(podium: Any) -> None:
    for listed in podium("games", "--json").json["games"]:
        game = GAMES[listed["name"]]
        assert listed["title"] == game.title
        assert {option["name"] for option in listed["options"] + listed["fixed"]} == set(game.options)
        wagers = {wager["name"] for wager in listed["wagers"]} | {
            on for wager in listed["wagers"] for on in wager["also_on"]
        }
        assert set(game.offers) <= wagers
        for wager in listed["wagers"]:
            assert wager["clause"]
            assert all(wager["paytables"].values())
        for option in listed["options"]:
            assert option["accepts"]
            assert option["clause"]
            assert option["says"]
            game.having({option["name"]: option["default"]})


def test_games_as_tables(podium: Any) -> None:
    said = podium("games").out
    for game in GAMES.values():
        assert game.name in said
        for option in game.options.values():
            assert option.fixed or option.name in said
    assert not re.search(r" $", said, re.MULTILINE)


# --- podium rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("name", GAMES)
def test_rules_print_the_whole_rulebook_in_every_language(podium: Any, name: str, code: str) -> None:
    said = language(code)
    printed = podium("rules", name, "--language", code).out
    without_blanks = "".join(printed.split())
    for chapter in rulebook(GAMES[name]).chapters:
        assert f"{chapter.number}. {said.heading(chapter.title)}" in printed
        for rule in chapter.parts:
            assert "".join(f"{rule.number}{said.sentence(rule.said)}".split()) in without_blanks
            assert rule.table is None or all(said.heading(row[0]) in printed for row in rule.table.rows)
    assert max(cell_len(line) for line in printed.splitlines()) <= 80
    assert not re.search(r" $", printed, re.MULTILINE)


def test_rules_are_english_unless_told_otherwise(podium: Any) -> None:
    assert podium("rules", "mega-blackjack").out == podium("rules", "mega-blackjack", "--language", "en").out


def test_a_language_that_there_is_not_is_refused_with_those_that_there_are(podium: Any) -> None:
    said = podium("rules", "mega-blackjack", "--language", "tlh")
    assert (said.code, said.out, said.err) == (2, "", "There is no language 'tlh'. Languages: en, es, zh.\n")


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("decks=8", "a shoe of 8 standard"),
        ("surrender=off", "Surrender is not offered."),
        ("insurance=false", "Insurance is not offered."),
        ("blackjack_pays=6:5", "A winning blackjack pays 6 to 5."),
        ("double_totals=[10, 11]", "You may double on totals of 10 to 11."),
        ('side_bets={"trilux": "TRI-02"}', "Mini royal"),
    ],
)
def test_rules_follow_the_options(podium: Any, option: str, sentence: str) -> None:
    assert sentence in podium("rules", "stadium-blackjack", "--option", option).out
    assert sentence not in podium("rules", "stadium-blackjack").out


def test_the_rules_of_a_table_follow_its_settings(podium: Any) -> None:
    boxes = "You may have up to 2 boxes"
    assert boxes in podium("rules", "stadium-blackjack", "--setting", "boxes=2").out
    assert boxes not in podium("rules", "stadium-blackjack").out


@pytest.mark.parametrize(
    ("setting", "refused"),
    [
        ("boxes", "--setting boxes is not KEY=VALUE: write it like --setting boxes=2."),
        ("boxes=9", "boxes = 9 is not allowed: it must be 1 to 7."),
        ("boxes=many", "boxes = many is not allowed"),
        ("box=2", "A table has no setting 'box'. Settings: dealer, "),
    ],
)
def test_a_setting_that_a_table_cannot_have_is_refused(podium: Any, setting: str, refused: str) -> None:
    said = podium("rules", "stadium-blackjack", "--setting", setting)
    assert (said.out, said.code) == ("", 2)
    assert said.err.startswith(refused)


# --- podium settle ----------------------------------------------------------------------------------------------------


def test_settle_writes_json_alone(podium: Any, script: Path) -> None:
    said = podium("settle", str(script))
    assert (said.code, said.err) == (0, "")
    assert said.json["players"][0]["net"] == 2000


def test_settle_reads_standard_input(script: Path) -> None:
    assert in_a_shell(f"podium settle - < {script}").json["cards_dealt"] == 6


def test_a_refused_script_is_a_sentence_and_exit_code_2(podium: Any, script: Path) -> None:
    script.write_text(json.dumps({**DOUBLE, "cards": "9s"}), encoding="utf-8")
    said = podium("settle", str(script))
    assert (said.code, said.out) == (2, "")
    assert said.err == "Too few cards: card 2 is missing, the dealer's card 1.\n"


FILES = {
    "empty": (b"", "The script is empty"),
    "bom": (b"\xef\xbb\xbf{}", "byte order mark"),
    "utf-16": (json.dumps(DOUBLE).encode("utf-16"), "UTF-16"),
    "latin-1": (b'{"game": "\xe9"}', "not UTF-8"),
    "nulls": (b"\0\0\0", "not JSON"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_script_is_a_sentence(podium: Any, tmp_path: Path, name: str) -> None:
    content, sentence = FILES[name]
    (tmp_path / name).write_bytes(content)
    said = podium("settle", str(tmp_path / name))
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("lines", [[], ["--lines"]])
def test_a_file_that_cannot_be_read_is_a_sentence(podium: Any, tmp_path: Path, lines: list[str]) -> None:
    missing, looped = tmp_path / "missing", tmp_path / "loop"
    looped.symlink_to(looped)
    assert podium("settle", *lines, str(missing)).err == f"There is no file {missing}.\n"
    assert podium("settle", *lines, str(tmp_path)).err.startswith(f"{tmp_path} is a directory: ")
    said = podium("settle", *lines, str(looped))
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"{looped} cannot be read: ")


def test_standard_input_that_is_closed_is_a_sentence() -> None:
    said = in_a_shell("podium settle - <&-")
    assert said.code == 2
    assert said.err.startswith("Standard input is closed")


# --- podium settle --lines --------------------------------------------------------------------------------------------


def test_lines_are_settled_in_order(podium: Any, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("\n".join(SCRIPTS), encoding="utf-8")
    said = podium("settle", "--lines", str(path))
    results = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, said.err) == (0, "")
    assert [result["game"] for result in results] == [json.loads(script)["game"] for script in SCRIPTS]


def test_a_refused_line_says_why_in_its_place(podium: Any, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(f"{SCRIPTS[0]}\n{{\n{SCRIPTS[1]}\r\n\n  \n\xff\n".encode("latin-1"))
    said = podium("settle", "--lines", str(path))
    results = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, said.err) == (2, "")
    assert [next(iter(result)) for result in results] == ["game", "error", "game", "error"]
    assert results[1]["error"].startswith("The script is not JSON: it ends too early")


def test_no_lines_at_all_are_all_settled(podium: Any, tmp_path: Path) -> None:
    (tmp_path / "none").write_text("\n \n", encoding="utf-8")
    said = podium("settle", "--lines", str(tmp_path / "none"))
    assert (said.code, said.out, said.err) == (0, "", "")


def test_many_lines_are_settled_by_several_processes_as_by_one(
    podium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("\n".join([*SCRIPTS * 10, "{"]), encoding="utf-8")
    monkeypatch.setattr(settling, "_cores", lambda: 2)
    shared = podium("settle", "--lines", str(path))
    monkeypatch.setattr(settling, "_cores", lambda: 1)
    alone = podium("settle", "--lines", str(path))
    assert shared.out == alone.out
    assert shared.out.count("\n") == 10 * len(SCRIPTS) + 1
    assert shared.code == alone.code == 2


def test_lines_are_read_only_as_they_are_settled() -> None:
    """The input never ends, so a run that read ahead of itself without bound would not either."""
    read = 0

    def endless() -> Iterator[list[bytes]]:
        nonlocal read
        while True:
            read += 1
            yield [SCRIPTS[0].encode()] * settling.SCRIPTS_PER_TASK

    results = settling.settled_by(2, endless())
    assert [len(lines) for lines in islice(results, 10)] == [settling.SCRIPTS_PER_TASK] * 10
    assert read <= 10 + 2 * 2 + 1
    results.close()


def test_whoever_waits_for_answers_gets_them_from_several_processes_too() -> None:
    """After plenty of lines nothing more comes, until every one of them has been answered."""
    answered = 0

    def waiting() -> Iterator[list[bytes]]:
        for _ in range(3):
            yield [SCRIPTS[0].encode()] * settling.MIN_LINES_FOR_PROCESSES
        yield []
        assert answered == 3 * settling.MIN_LINES_FOR_PROCESSES
        yield [SCRIPTS[0].encode()]

    for lines in settling.settled_by(2, waiting()):
        answered += len(lines)
    assert answered == 3 * settling.MIN_LINES_FOR_PROCESSES + 1


def test_a_line_without_an_end_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "MAX_READ_BYTES", 7)
    (tmp_path / "lines").write_bytes(b"first line\n\n  \nsecond\nthird, without an end")
    with (tmp_path / "lines").open("rb") as source:
        lines = [line for batch in settling.batches(source.fileno()) for line in batch]
    assert lines == [b"first line", b"second", b"third, without an end"]


def test_each_line_of_a_pipe_is_answered_at_once() -> None:
    with subprocess.Popen(
        [*PODIUM, "settle", "--lines", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for script in SCRIPTS[:3]:
            process.stdin.write(script.encode() + b"\n")
            process.stdin.flush()
            assert b'"cards_dealt"' in process.stdout.readline()
        process.stdin.close()
    assert process.returncode == 0


# --- ends that nobody planned -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["games", "games --json", "rules stadium-blackjack", "demo"])
def test_a_reader_that_goes_away_is_no_fault(command: str) -> None:
    said = in_a_shell(f"podium {command} | head -1")
    assert said.out
    assert said.err == ""


@pytest.mark.parametrize("times", [1, 20])
def test_a_reader_of_lines_that_goes_away_is_no_fault(tmp_path: Path, times: int) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("\n".join(SCRIPTS * times), encoding="utf-8")
    said = in_a_shell(f"podium settle --lines {path} | head -1")
    assert said.out.count("\n") == 1
    assert said.err == ""


@pytest.mark.parametrize("command", ["games", "games --json"])
def test_a_full_disk_is_said_in_a_sentence(command: str) -> None:
    said = in_a_shell(f"podium {command} > /dev/full")
    assert (said.code, said.out) == (1, "")
    assert said.err == "Not everything could be written: no space left on device.\n"


def test_without_standard_output_nothing_is_done() -> None:
    said = in_a_shell("podium games --json >&-")
    assert (said.code, said.err) == (1, "There is no standard output to write to.\n")


def test_ctrl_c_ends_quietly_with_130() -> None:
    # Where the tests run in the background, Ctrl-C is ignored by them and by all that they start.
    listening = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "runpy.run_module('podium', run_name='__main__')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", listening, "settle", "--lines", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(SCRIPTS[0].encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130


def test_settling_loads_neither_numba_nor_rich() -> None:
    program = (
        "import sys; from podium.cli import run; run(['settle', '-']);"
        "print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(DOUBLE), capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


# --- podium demo ------------------------------------------------------------------------------------------------------


def test_the_demonstration_plays_a_round_of_each_game(podium: Any) -> None:
    said = podium("demo").out
    for game in GAMES.values():
        assert game.title in said
    assert "Dealer 21 beats your 16." in said
    assert "Pushed: dealer busted with 4 cards (MGB 6)." in " ".join(said.split())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_a_demonstration_of_its_own_plays_a_plain_round(
    podium: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(demonstration, "DEMONSTRATIONS", ())
    assert "One player, whose time runs out." in podium("demo", name).out


@pytest.mark.parametrize("name", GAMES)
def test_a_demonstration_fits_on_a_screen(podium: Any, name: str) -> None:
    lines = podium("demo", name).out.splitlines()
    assert len(lines) <= 24
    assert max(len(line) for line in lines) <= 80


def test_a_terminal_without_suits_gets_letters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    said = in_a_shell("podium demo mega-blackjack", env=environment).out
    assert "6d 5s 5c Kc = 26" in said
    assert "-> 40.00" in said


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment = {**plain, "TERM": "xterm-256color", **environment}
    with subprocess.Popen([*PODIUM, *arguments], stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 4096):
                written += piece
        except OSError:  # how Linux says that nobody holds the other end any more
            pass
    os.close(ours)
    return written.decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]m")


def test_colours_only_on_a_terminal() -> None:
    assert "\x1b" not in in_a_shell("podium demo").out
    assert COLOUR.search(on_a_terminal("demo"))


def test_no_colours_where_they_are_not_wanted() -> None:
    assert not COLOUR.search(on_a_terminal("demo", NO_COLOR="1"))
