"""`podium par`: JSON alone on standard output, a page where it is asked for, sentences for what cannot be."""

import json
from pathlib import Path

import pytest

from podium.cli import run

TCP = "stadium-three-card-poker"


def test_json_is_alone_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["par", TCP, "--option", "six_card_bonus=TCP-6B4", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["game"], said["options"]["six_card_bonus"]) == (TCP, "TCP-6B4")
    assert f"{said['wagers']['six-card-bonus']['house_edge']:.2%}" == "8.56%"


def test_a_page_is_written_beside_the_text(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["par", TCP, "--strategy", "timeout", "--html", str(tmp_path / "par.html")]) == 0
    assert "PAR sheet, every decision times out" in capfd.readouterr().out
    assert (tmp_path / "par.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["par", "chess"], "There is no game 'chess'"),
        (["par", TCP, "--strategy", "never-bust"], "it is best or timeout"),
        (["par", TCP, "--option", "pair_plus=Z"], "Pair Plus has no paytable 'Z'"),
        (["par", TCP, "--html", "/"], "The page cannot be written to /"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert said.err.count("\n") == 1
