"""`podium report`, `podium events` and `podium recall`, on the book of a house."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from podium.cli import run
from podium.house.reports import REPORTS
from tests.houses import all_games, busy_day, playing_house

Podium = Callable[..., tuple[int, str, str]]


@pytest.fixture
def podium(capsys: pytest.CaptureFixture[str]) -> Podium:
    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        sys.stdout.flush()
        written = capsys.readouterr()
        return code, written.out, written.err

    return call


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("house")
    config = msgspec.structs.replace(all_games(), time_zone="Asia/Tokyo", day_begins="06:00", shifts=("14:00", "22:00"))
    with playing_house(directory / "podium.db", config) as playing:
        busy_day(playing)
    return directory


def test_the_reports_are_listed(podium: Podium) -> None:
    code, said, _ = podium("report")
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()] == list(REPORTS)
    assert [each["name"] for each in json.loads(podium("report", "--json")[1])] == list(REPORTS)


def test_rep_1_a_report_as_text_json_and_csv(podium: Podium, data: Path) -> None:
    day = ("--period", "day", "--day", "2026-05-28", "--data", data)
    code, said, _ = podium("report", "table-win", *day)
    assert code == 0
    assert "Table win, drop and hold" in said
    assert "2026-05-28 (Asia/Tokyo)" in said
    made = json.loads(podium("report", "table-win", *day, "--json")[1])
    assert made["zone"] == "Asia/Tokyo"
    assert [row["table"] for row in made["rows"]] == sorted(all_games().tables)
    listed = list(csv.reader(io.StringIO(podium("report", "table-win", *day, "--csv")[1])))
    assert ["From", "2026-05-28T06:00:00.000+09:00"] in listed
    assert [row[0] for row in listed if row and row[0] in all_games().tables] == sorted(all_games().tables)
    # It is half past nine in the evening there: the second shift has all of it, the third nothing.
    for shift, rows in ((2, 5), (3, 0)):
        asked = ("--period", "shift", "--day", "2026-05-28", "--shift", str(shift), "--data", data, "--json")
        assert len(json.loads(podium("report", "table-win", *asked)[1])["rows"]) == rows


def test_bad_input_is_one_sentence(podium: Podium, data: Path, tmp_path: Path) -> None:
    for arguments, sentence in (
        (("report", "gossip", "--data", data), "There is no report 'gossip': the reports are game-performance, "),
        (("report", "tips", "--period", "week", "--data", data), "'week' is not a period: the periods are "),
        (("report", "tips", "--data", tmp_path), "There is no house in "),
        (("report", "tips", "--json", "--csv", "--data", data), "Give --json or --csv, not both."),
        (("recall", "dynasty-blackjack-1", "99", "--data", data), "There is no round '99' at 'dynasty-blackjack-1'."),
        (("recall", "dynasty-blackjack-1", "1", "--player", "eve", "--data", data), "eve did not bet in round 1 at "),
        (("events", "--from", "soon", "--data", data), "'soon' is not a day: write it like 2026-05-28."),
    ):
        code, said, complaint = podium(*arguments)
        assert (code, said) == (2, "")
        assert complaint.startswith(sentence), complaint
        assert complaint.count("\n") == 1


def test_evt_1_events_are_found_from_the_command_line(podium: Podium, data: Path) -> None:
    code, said, _ = podium("events", "--kind", "adjustment", "--data", data)
    assert code == 0
    assert "=misprinted ticket" in said
    [found] = json.loads(podium("events", "--kind", "adjustment", "--data", data, "--json")[1])
    assert (found["who"], found["reason"]) == ("sam and olga", "=misprinted ticket")
    listed = list(csv.DictReader(io.StringIO(podium("events", "--kind", "adjustment", "--data", data, "--csv")[1])))
    assert listed[0]["reason"] == "'=misprinted ticket"  # not a formula
    assert listed[0]["time"].endswith("+09:00")
    assert podium("events", "--kind", "outage", "--data", data)[1] == "No such event.\n"


def test_rec_2_a_round_is_recalled_from_the_command_line(podium: Podium, data: Path) -> None:
    code, said, _ = podium("recall", "dynasty-blackjack-1", "3", "--data", data)
    assert code == 0
    assert "What was paid is what the rules pay for these cards." in said
    record = json.loads(podium("recall", "dynasty-blackjack-1", "3", "--data", data, "--json")[1])
    assert (record["round"], len(record["players"]), record["difference"]) == (3, 3, "")
    own = json.loads(
        podium("recall", "dynasty-blackjack-1", "3", "--player", "dynasty-blackjack-1.bot2", "--data", data, "--json")[
            1
        ]
    )
    assert [part["player"] for part in own["players"]] == ["dynasty-blackjack-1.bot2"]
    listed = list(csv.DictReader(io.StringIO(podium("recall", "dynasty-blackjack-1", "3", "--data", data, "--csv")[1])))
    assert [row["player"] for row in listed] == [part["player"] for part in record["players"]]


def test_rec_1_rounds_are_found_by_player_time_amount_and_card(podium: Podium, data: Path) -> None:
    def found(*asked: str) -> list[tuple[str, int]]:
        code, said, _ = podium("recall", *asked, "--data", data, "--json")
        assert code == 0
        return [(each["table"], each["round"]) for each in json.loads(said)]

    bot = "dynasty-blackjack-1.bot2"
    own = found("--player", bot)
    assert own
    assert {table for table, _ in own} == {"dynasty-blackjack-1"}
    for table, number in own[:3]:
        record = json.loads(podium("recall", table, str(number), "--data", data, "--json")[1])
        first = record["cards"].split()[0]
        most = max(part["staked"] for part in record["players"])
        won = max(
            sum(max(0, line["returned"] - line["staked"]) for line in part["settled"]) for part in record["players"]
        )
        if record["status"] == "settled":
            assert (table, number) in found("--player", bot, "--card", first, "--staked", str(most))
            assert (table, number) not in found("--player", bot, "--staked", str(most + 1))
            assert (table, number) in found("--player", bot, "--won", str(won))
    assert found("--from", "2026-05-28", "--to", "2026-05-28")
    assert found("--from", "2020-01-01", "--to", "2020-01-02") == []
    assert podium("recall", "--player", "eve", "--data", data)[1] == "No such round.\n"
    code, _, complaint = podium("recall", "--card", "Zz", "--data", data)
    assert (code, complaint.count("\n")) == (2, 1)
    listed = list(csv.DictReader(io.StringIO(podium("recall", "--player", bot, "--data", data, "--csv")[1])))
    assert [(row["table"], int(row["round"])) for row in listed] == own
