"""The rules of play say what is in force, all of it, and nothing else, in every language."""

import json
import re
from collections.abc import Iterator
from dataclasses import make_dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.words import ENGLISH, Fact, Phrase, codes, declared, facts_in, language
from podium.house.table import TableConfig
from podium.house.table.config import settings_of
from podium.house.table.printed import table_rulebook
from podium.rules.bets import BETS
from podium.rules.games import GAMES, Game, game
from podium.rules.games.mega_blackjack import MegaRules
from podium.rules.options import Option
from podium.rules.options import option as an_option
from podium.rules.rulebook import Chapter, Rule, Rulebook, rulebook
from tests.configurations import configurations, values_of

COLLECTED = Path(__file__).parent.parent / "src" / "podium" / "languages" / "en.json"

EVERY_VALUE = [
    pytest.param(game, option, value, id=f"{game.name}-{option.name}-{value}")
    for game in GAMES.values()
    for option in game.options.values()
    if not option.fixed
    for value in values_of(game, option)
]


def chapters(game: Game) -> list[Chapter]:
    """The rules without the list of settings at the end."""
    *before, last = rulebook(game).chapters
    assert last.title == Phrase("rules.settings.title")
    return before


def rules_of(game: Game) -> list[Rule]:
    return [rule for chapter in chapters(game) for rule in chapter.parts]


def body(game: Game) -> str:
    """The same in words."""
    return Rulebook(rulebook(game).title, tuple(chapters(game))).text()


@pytest.mark.parametrize(("game", "option", "value"), EVERY_VALUE)
def test_every_value_of_every_option_is_said(game: Game, option: Option, value: Any) -> None:
    # Dynasty offers no insurance by default, and then an insured tie means nothing.
    needs: dict[str, dict[str, Any]] = {
        "keep_standoff_bet": {"insurance": True},
        "over_payable": {"most_payable": 100_000},
        "toke_least": {"dealer_wagers": True} if game.rules.takes_tokes or game.name == "dynasty-blackjack" else {},
    }
    base = needs.get(option.name, {})
    if option.name == "toke_least" and not base:
        return  # nothing is taken for the dealer
    chosen = game.having({**base, option.name: value})
    now = getattr(chosen.rules, option.name)
    silent = (option.name == "split" and now == "off") or (option.name == "most_together" and not now)
    if not silent:
        assert (option.says(now), option.clause) in [(rule.said, rule.clause) for rule in rules_of(chosen)]
    if now != option.default:
        assert body(chosen) != body(game.having(base))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_rule_that_the_document_fixes_has_words(game: Game) -> None:
    said = [rule.said for rule in rules_of(game)]
    silent = {"insurance_least"} if not getattr(game.rules, "insurance", True) else set()
    for option in game.options.values():
        if option.fixed and option.name not in silent:
            assert option.says(option.default) in said


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_settings_are_listed_as_they_are_entered(game: Game) -> None:
    listed, fingerprint = rulebook(game).chapters[-1].parts
    assert listed.table is not None
    names = [ENGLISH.say(row[0]) for row in listed.table.rows]
    assert names == [name for name, option in game.options.items() if not option.fixed]
    assert fingerprint.said.facts == {"fingerprint": game.fingerprint}


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


def test_rules_are_numbered_by_chapter_and_place() -> None:
    for number, chapter in enumerate(rulebook(game("mega-blackjack")).chapters, start=1):
        assert chapter.number == number
        assert [rule.number for rule in chapter.parts] == [f"{number}.{at + 1}" for at in range(len(chapter.parts))]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_clause_that_a_game_gives_is_that_of_a_sentence(game: Game) -> None:
    said = {
        said.key for of in configurations(game.name, random=50) for rule in rules_of(of) for said in within(rule.said)
    }
    assert [key for key in game.clauses if f"rules.{key}" not in said] == []


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
    documents = "|".join(each.short for each in GAMES.values())
    for chapter in rulebook(game.having({option.name: value})).chapters:
        assert chapter.parts
        for rule in chapter.parts:
            text = ENGLISH.sentence(rule.said)
            assert re.fullmatch(r"[A-Z].*\.", text), text
            assert "  " not in text
            assert "the player's" not in text, "players are spoken to"
            assert re.fullmatch(rf"(({documents})\b.*|placard)?", rule.clause), rule.clause


@pytest.mark.parametrize(("chapter", "title"), [("", "Further rules"), ("dealer", "The dealer's hand")])
@pytest.mark.usefixtures("made_up_words")
def test_an_option_is_said_in_its_chapter_or_else_under_further_rules(chapter: str, title: str) -> None:
    says = {"on": "The lamps are lit.", "off": "It is dark."}
    moonlight = ("moonlight", Literal["on", "off"], an_option("on", clause="MGB 99", says=says, chapter=chapter))
    rules = make_dataclass("MoonlitRules", [moonlight], bases=(MegaRules,), frozen=True, kw_only=True)
    book = rulebook(replace(GAMES["mega-blackjack"], rules=rules()))
    [found] = [each for each in book.chapters if ENGLISH.heading(each.title) == title]
    assert (str(found.parts[-1].said), found.parts[-1].clause) == ("The lamps are lit.", "MGB 99")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_option_of_a_game_has_its_chapter(game: Game) -> None:
    further = [chapter for chapter in rulebook(game).chapters if chapter.title == Phrase("rules.further.title")]
    assert [rule.said.key for chapter in further for rule in chapter.parts] == [], "give it chapter=..."


# --- in every language ------------------------------------------------------------------------------------------------


def within(said: Phrase) -> Iterator[Phrase]:
    """A phrase and those in its facts."""
    yield said
    for fact in said.facts.values():
        inside: list[Fact] = list(fact) if isinstance(fact, list) else [fact]
        for each in inside:
            if isinstance(each, Phrase):
                yield from within(each)


def phrases(book: Rulebook) -> Iterator[Phrase]:
    """Everything that a rulebook says."""
    yield book.title
    for chapter in book.chapters:
        yield chapter.title
        for rule in chapter.parts:
            yield from within(rule.said)
            if rule.table is not None:
                yield rule.table.title
                yield from (cell for row in rule.table.rows for cell in row)


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize(("game", "option", "value"), EVERY_VALUE)
def test_every_configuration_is_printed_in_every_language(game: Game, option: Option, value: Any, code: str) -> None:
    """With the same numbers and clauses, whatever the language."""
    book = rulebook(game.having({option.name: value}))
    lines = book.text(language(code)).splitlines()
    assert len(lines) == len(book.text().splitlines())
    numbered = [line for line in lines if re.match(r"\d+\.\d", line)]
    rules = [rule for chapter in book.chapters for rule in chapter.parts]
    for line, rule in zip(numbered, rules, strict=True):
        assert line.startswith(f"{rule.number} ")
        assert line.endswith(f" [{rule.clause}]") or not rule.clause
        assert "{" not in line


@pytest.mark.parametrize("name", GAMES)
def test_a_rulebook_crosses_the_wire_and_says_the_same(name: str) -> None:
    book = rulebook(game(name))
    again = msgspec.json.decode(msgspec.json.encode(book), type=Rulebook)
    assert (again, again.text(language("es"))) == (book, book.text(language("es")))


@pytest.mark.parametrize("name", GAMES)
def test_every_phrase_is_given_the_facts_that_its_words_use(name: str) -> None:
    for of in configurations(name):
        for said in phrases(rulebook(of)):
            words = declared()[said.key]
            assert said.facts.keys() == {fact for fact, _ in facts_in(words)}, f"{said.key}: {words!r}"


NOT_IN_RULEBOOKS = re.compile(r"rules\.(sees\..*|further\.title)|option\.(.*\.accepts|double_adds\.2)")
"""What `podium games` says; the chapter for options that no other chapter speaks of, none today; and a value that only
Dynasty offers, in words of its own."""


def table_configurations() -> Iterator[TableConfig]:
    """A table with every value of every setting that the printed rules tell."""
    plain = TableConfig(game="stadium-blackjack", dealer="live")
    yield plain
    for setting in settings_of(plain):
        for value in setting.values:
            yield msgspec.structs.replace(plain, **{setting.name: value})
    yield msgspec.structs.replace(plain, boxes=1, burn_cards=2, reopen_minutes=0, resume_seconds=0)
    yield TableConfig(game="stadium-three-card-poker", dealer="live", shuffler="none")


def said_at(code: str = "en", **settings: Any) -> list[str]:
    """What the chapter of the table says."""
    config = TableConfig(**{"game": "stadium-blackjack", "dealer": "live", **settings})
    return [language(code).sentence(rule.said) for rule in table_rulebook(config.check(), config).chapters[-1].parts]


def test_the_rules_of_a_table_say_how_many_boxes_a_player_may_have() -> None:
    assert "You may have up to 3 boxes at this table, each with its own wagers and decisions." in said_at()
    assert "You have one box at this table." in said_at(boxes=1)
    assert "You have one box at this table." in said_at(game="mega-blackjack", dealer="automated")
    assert "En esta mesa puede tener hasta 7 casillas, cada una con sus propias apuestas y decisiones." in said_at(
        "es", boxes=7
    )


def test_card_10_the_rules_of_a_live_table_say_who_shuffles_and_what_is_burned() -> None:
    plain = " ".join(said_at(burn_cards=2, penetration=0.6))
    assert "after about 60 % of the cards" in plain
    assert "its first 2 cards are burned" in plain
    machine = " ".join(said_at(burn_cards=2, shuffler="continuous"))
    assert "there is no cut card" in machine
    assert "burned" not in machine
    assert "freshly shuffled deck for every round" in " ".join(said_at(game="stadium-three-card-poker"))
    assert "before every round" in " ".join(said_at(game="stadium-three-card-poker", shuffler="none"))
    assert "cut card" not in " ".join(said_at(dealer="automated"))


def test_the_rules_of_a_training_table_say_that_its_money_is_play_money() -> None:
    assert "with play money" in said_at(training=True)[0]
    assert "play money" not in " ".join(said_at())


def test_every_sentence_of_the_rules_is_said_by_some_configuration() -> None:
    said = {said.key for name in GAMES for of in configurations(name) for said in phrases(rulebook(of))}
    said |= {bet.said.key for bet in BETS.values()}
    said |= {
        said.key for config in table_configurations() for said in phrases(table_rulebook(config.to_game(), config))
    }
    collected = json.loads(COLLECTED.read_bytes())  # tests declare words for what they make up
    written = {key for key in collected if key.startswith(("rules.", "option.", "bet."))}
    assert sorted(key for key in written - said if not NOT_IN_RULEBOOKS.fullmatch(key)) == []
