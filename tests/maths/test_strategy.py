"""The best play as a table: the entries every player knows, and what the table costs."""

import json

import pytest

from podium.cli import run
from podium.maths.families.blackjack import best_table
from podium.maths.strategy import NAMES, UP_CARDS, StrategyTable
from podium.rules.games import game

PLACE = {NAMES[up]: place for place, up in enumerate(UP_CARDS)}


@pytest.fixture(scope="module")
def match_up() -> StrategyTable:
    return best_table(game("match-up-blackjack"))


@pytest.mark.parametrize(
    ("row", "dealer", "entry"),
    [
        ("16", "10", "H"),
        ("12", "4", "S"),
        ("12", "3", "H"),
        ("11", "A", "Dh"),
        ("10", "10", "H"),
        ("9", "2", "H"),
        ("A-7", "2", "Ds"),
        ("A-7", "9", "H"),
        ("A-8", "6", "Ds"),
        ("8-8", "A", "P"),
        ("9-9", "7", "S"),
        ("5-5", "9", "Dh"),
        ("4-4", "5", "P"),
    ],
)
def test_six_decks_with_a_hole_card_are_played_as_every_book_says(
    match_up: StrategyTable, row: str, dealer: str, entry: str
) -> None:
    rows = dict((*match_up.hard, *match_up.soft, *match_up.pairs))
    assert rows[row][PLACE[dealer]] == entry


def test_the_table_costs_a_little(match_up: StrategyTable) -> None:
    assert 0 < match_up.cost < 0.0005


def test_without_a_hole_card_little_is_risked_against_an_ace() -> None:
    table = best_table(game("stadium-blackjack", {"dealer_blackjack_takes": "all", "surrender": "off"}))
    rows = dict((*table.hard, *table.pairs))
    assert rows["11"][PLACE["10"]] == "H"
    assert rows["8-8"][PLACE["A"]] == "H"


def test_insurance_is_taken_where_a_tie_brings_it_back() -> None:
    table = best_table(game("stadium-blackjack", {"keep_standoff_bet": "always-and-push-insurance"}))
    assert "10-10" in table.insurance
    assert best_table(game("stadium-blackjack")).insurance == ()


def test_the_commands_write_json_alone(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["strategy", "match-up-blackjack", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["hard"]["16"][PLACE["10"]] == "H"
    assert run(["simulate", "dynasty-blackjack", "--rounds", "20000", "--strategy", "timeout", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["rounds"] == 20000
    assert set(said["wagers"]["blackjack"]) >= {"house_edge", "standard_error", "standard_deviation"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulate", "dynasty-blackjack", "--rounds", "0"], "rounds is 0"),
        (["simulate", "dynasty-blackjack", "--rounds", "9", "--wager", "trilux"], "is not NAME=AMOUNT"),
        (["simulate", "dynasty-blackjack", "--rounds", "9", "--strategy", "luck"], "the strategies are"),
    ],
)
def test_bad_input_ends_with_a_sentence(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert sentence in capfd.readouterr().err
