"""The mathematician's desk: CSV, counts as they are usually written, money, narrow tables, and the page of the notebook."""

import csv
import doctest
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import podium.maths
from podium.cli import run

ROOT = Path(__file__).parents[2]
SBJ, TCP = "stadium-blackjack", "stadium-three-card-poker"
SMALL = ["--rounds", "20000"]


def printed(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capfd.readouterr().out


def table(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(printed(capfd, *arguments, "--csv"))))


def test_the_page_of_the_notebook_is_true() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "notebook.md"), module_relative=False)
    assert tried > 15
    assert failed == 0


def test_a_notebook_shows_the_sheet_as_a_table() -> None:
    shown = podium.maths.par(TCP)._repr_html_()
    assert "<table>" in shown
    assert "pair-plus" in shown
    assert "7.28 %" in shown


def test_the_csv_of_a_sheet_has_what_its_json_has(capfd: pytest.CaptureFixture[str]) -> None:
    rows = table(capfd, "par", SBJ)
    wagers: dict[str, Any] = json.loads(printed(capfd, "par", SBJ, "--json"))["wagers"]
    assert {row["wager"]: float(row["house_edge"]) for row in rows if not row["outcome"]} == {
        name: wager["house_edge"] for name, wager in wagers.items()
    }
    for name, wager in wagers.items():
        outcomes = [(row["outcome"], int(row["ways"])) for row in rows if row["wager"] == name and row["outcome"]]
        assert outcomes == [(line["outcome"], line["ways"]) for line in wager.get("outcomes", [])]


def test_the_csv_of_the_best_play_has_a_row_for_each_hand(capfd: pytest.CaptureFixture[str]) -> None:
    rows = table(capfd, "strategy", SBJ)
    found = json.loads(printed(capfd, "strategy", SBJ, "--json"))
    soft = {row["hand"]: [row[up] for up in found["dealer"]] for row in rows if row["table"] == "soft"}
    assert soft == found["soft"]
    poker = table(capfd, "strategy", TCP)
    assert {row["on_own_cards"] for row in poker} == {"true", "false"}


def test_the_csv_of_a_simulation_and_of_an_exposure(capfd: pytest.CaptureFixture[str]) -> None:
    [main, side] = table(capfd, "simulate", SBJ, *SMALL, "--wager", "trilux=500")
    assert (main["wager"], main["amount"], side["wager"], side["amount"]) == ("blackjack", "1000", "trilux", "500")
    assert float(side["exact_house_edge"]) == pytest.approx(0.0323857)
    rows = table(capfd, "exposure", TCP, "--players", "60", *SMALL)
    assert [(row["players"], row["span"]) for row in rows][2:4] == [("table", "day"), ("independent", "round")]
    assert float(rows[0]["quantile_0.01"]) < float(rows[0]["mean"])


def test_json_and_csv_exclude_each_other(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["par", SBJ, "--json", "--csv"]) == 2
    assert capfd.readouterr() == ("", "Give --json or --csv, not both.\n")


@pytest.mark.parametrize("count", ["20000", "2e4", "20_000", "20,000"])
def test_a_count_is_written_as_people_write_it(capfd: pytest.CaptureFixture[str], count: str) -> None:
    assert json.loads(printed(capfd, "simulate", SBJ, "--rounds", count, "--json"))["rounds"] == 20_000


@pytest.mark.parametrize("count", ["1.5", "1e", "many", "1e99", "1_0", ""])
def test_what_is_not_a_count_is_refused(capfd: pytest.CaptureFixture[str], count: str) -> None:
    assert run(["simulate", SBJ, "--rounds", count]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "is not a count: write it like 1000000, 1_000_000 or 1e6." in " ".join(err.split())


def test_amounts_are_money_in_text(capfd: pytest.CaptureFixture[str]) -> None:
    assert " 10.00 " in printed(capfd, "simulate", SBJ, *SMALL)
    text = printed(capfd, "exposure", TCP, "--players", "60", "--wager", "ante=1e5", *SMALL)
    assert "each with ante 1,000.00" in " ".join(text.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["par", SBJ],
        ["par", TCP],
        ["par", "match-up-blackjack"],
        ["strategy", SBJ],
        ["strategy", TCP],
        ["simulate", TCP, *SMALL, "--wager", "six-card-bonus@column-3=100000000"],
        ["exposure", TCP, "--players", "20_000", "--wager", "ante=50_000_000", *SMALL],
    ],
    ids=" ".join,
)
def test_every_table_fits_eighty_columns(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    for line in printed(capfd, *arguments).splitlines():
        assert cell_len(line) <= 80, line
        assert "…" not in line, line
