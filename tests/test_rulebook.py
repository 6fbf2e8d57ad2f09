"""The rules of play say what is in force, all of it, and nothing else."""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.rules import options
from podium.rules.games import GAMES, Game, game
from podium.rules.games.mega_blackjack import MegaRules
from podium.rules.options import Option
from podium.rules.rulebook import RuleTable, Sentence, rulebook
from tests.configurations import values_of

EVERY_VALUE = [
    pytest.param(game, option, value, id=f"{game.name}-{option.name}-{value}")
    for game in GAMES.values()
    for option in game.options.values()
    if not option.fixed
    for value in values_of(game, option)
]


def body(game: Game) -> str:
    """The rules in words, without the list of settings at the end."""
    book = rulebook(game)
    assert book.sections[-1].title == "The settings of this table"
    return replace(book, sections=book.sections[:-1]).text()


@pytest.mark.parametrize(("game", "option", "value"), EVERY_VALUE)
def test_every_value_of_every_option_is_said(game: Game, option: Option, value: Any) -> None:
    # Dynasty offers no insurance by default, and then an insured tie means nothing.
    base = {"insurance": True} if option.name == "keep_standoff_bet" else {}
    chosen = game.having({**base, option.name: value})
    now = getattr(chosen.rules, option.name)
    said = body(chosen)
    assert option.says(now)
    if not (option.name == "split" and now == "off"):
        assert option.says(now) in said
    if now != option.default:
        assert said != body(game.having(base))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_rule_that_the_document_fixes_has_words(game: Game) -> None:
    said = body(game)
    silent = {"insurance_least"} if not getattr(game.rules, "insurance", True) else set()
    for option in game.options.values():
        if option.fixed and option.name not in silent:
            assert option.says(option.default) in said


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_settings_are_listed_as_they_are_entered(game: Game) -> None:
    listed = next(part for part in rulebook(game).sections[-1].parts if isinstance(part, RuleTable))
    assert [row[0] for row in listed.rows] == [name for name, option in game.options.items() if not option.fixed]
    assert game.fingerprint in rulebook(game).text()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_paytable_in_force_is_printed_with_its_odds(game: Game) -> None:
    said = body(game)
    for offer in game.offers.values():
        if not offer.main:
            for outcome, odds in offer.paytable.items():
                assert f"{outcome.capitalize()}: {odds}" in said


def test_a_paytable_that_the_operator_entered_is_printed() -> None:
    entered = {"trilux": {"HOUSE": {"flush": "7:2", "straight": 11}}}
    said = body(game("stadium-blackjack", {"paytables": entered, "side_bets": {"trilux": "HOUSE"}}))
    assert "TriLux, paytable HOUSE" in said
    assert "Flush: 7 to 2" in said
    assert "Straight: 11 to 1" in said
    assert "Royal Match" not in said


def test_dlb_5_c_the_reading_of_the_double_is_named() -> None:
    assert "usual reading" in body(game("dynasty-blackjack"))
    assert "twice the original wager" in body(game("dynasty-blackjack"))
    literal = body(game("dynasty-blackjack", {"double_adds": 2}))
    assert "literal reading" in literal
    assert "three times the original wager" in literal
    assert "usual reading" not in literal


# --- what is switched off ---------------------------------------------------------------------------------------------

OFF = {
    "insur": ("insurance", False, ["Insurance is not offered.", "Insurance and even money"]),
    "even money": ("even_money", False, ["Even money is not offered.", "Insurance and even money"]),
    "surrender": ("surrender", "off", ["Surrender is not offered."]),
    "doubl": ("double", "off", ["Doubling is not offered."]),
    "split": ("split", "off", ["Splitting is not offered."]),
    "for the dealer": ("dealer_wagers", False, ["Wagers for the dealer are not taken."]),
    "side bet": ("side_bets", {}, ["There are no side bets."]),
}


def still_described(chosen: Game) -> list[str]:
    """The sentences that speak of something as if it were there, although it is switched off."""
    found = []
    for word, (name, off, accepted) in OFF.items():
        is_off = getattr(chosen.rules, name, None) == off
        if is_off or (word == "split" and getattr(chosen.rules, "max_splits", None) == 0):
            lines = [line for line in body(chosen).splitlines() if not any(said in line for said in accepted)]
            found += [line for line in lines if word in line.lower()]
    return found


@pytest.mark.parametrize(("game", "option", "value"), EVERY_VALUE)
def test_what_is_switched_off_is_not_described(game: Game, option: Option, value: Any) -> None:
    assert still_described(game.having({option.name: value})) == []


@given(st.data())
def test_no_configuration_describes_what_is_switched_off(data: st.DataObject) -> None:
    chosen = data.draw(st.sampled_from(list(GAMES.values())))
    drawn = {
        option.name: data.draw(st.sampled_from(values_of(chosen, option)), label=option.name)
        for option in chosen.options.values()
        if not option.fixed and option.name not in ("paytables", "limits")
    }
    assert still_described(chosen.having(drawn)) == []


# --- the words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "option", "value"), EVERY_VALUE)
def test_the_words_are_whole_sentences_with_clauses(game: Game, option: Option, value: Any) -> None:
    for section in rulebook(game.having({option.name: value})).sections:
        assert section.parts
        for part in section.parts:
            if isinstance(part, Sentence):
                assert re.fullmatch(r"[A-Z].*\.", part.text), part.text
                assert "  " not in part.text
                assert "the player's" not in part.text, "players are spoken to"
                assert re.fullmatch(r"((SBJ|DLB|TCP|MUB|MGB)\b.*|placard)?", part.clause), part.clause


@dataclass(frozen=True, kw_only=True)
class MoonRules(MegaRules):
    """Mega Blackjack with a rule that no chapter knows."""

    moonlight: Literal["on", "off"] = options.option(
        "on", clause="MGB 99", says={"on": "The lamps are lit.", "off": "It is dark."}
    )


def test_an_option_that_no_chapter_knows_is_said_all_the_same() -> None:
    book = rulebook(replace(GAMES["mega-blackjack"], rules=MoonRules()))
    assert "Further rules" in [section.title for section in book.sections]
    assert "The lamps are lit. [MGB 99]" in book.text()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_of_the_five_games_has_its_chapter(game: Game) -> None:
    assert "Further rules" not in [section.title for section in rulebook(game).sections]
