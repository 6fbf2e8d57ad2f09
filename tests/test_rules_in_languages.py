"""Whatever the rules of play can say, players can read in every language of their terminals."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from podium.games import GAMES, Game, game
from podium.rulebook import Sentence, rulebook
from tests.configurations import random_game

LANGUAGES = ("es", "zh")
CATALOGUE = Path(__file__).parents[1] / "web" / "src" / "lib" / "words" / "rules.json"
SENTENCES: list[dict[str, str]] = msgspec.json.decode(CATALOGUE.read_bytes())

ROUNDABOUT: dict[str, list[dict[str, Any]]] = {
    "stadium-blackjack": [
        {"limits": {"blackjack": [100, 5000]}, "chip": 50},
        {"side_bets": {}},
        {"paytables": {"trilux": {"X": {"flush": "4:1"}}}},
    ],
    "dynasty-blackjack": [
        {"side_bets": {"match-up": "A", "three-card-bonus": "A", "trilux": "TRI-01", "super-3": "1"}},
        {"double": "off", "dealer_wagers": True},
    ],
    "match-up-blackjack": [{"wager_amounts": [200, 400]}, {"side_bets": {}}],
    "mega-blackjack": [{"side_bets": {}}],
}
"""What options that are no choice among a few values can say."""


PARTS = {
    "It",
    "Anything else",
    "loses",
    "pays nothing",
    "{bet} (paytable {name})",
    "{bet} {#least} to {#most}",
    "{name} of {bet}",
    "Further rules",
}
"""What stands in sentences and tables, and the chapter for options that no other chapter speaks of: none today."""

NUMBER = r"\\d[\\d,]*(?:\\.\\d+)?"


def pattern(english: str) -> re.Pattern[str]:
    """As the terminal reads it: `{#least}` is a number, `{list}` has commas, and any other place holds a name."""
    places = re.escape(english).replace(r"\{list\}", ".+")
    places = re.sub(r"\\\{\\#\w+\\\}", NUMBER, places)
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^.]+?", places))


PATTERNS = [(sentence["en"], pattern(sentence["en"])) for sentence in SENTENCES]


def configurations(name: str) -> Iterator[Game]:
    yield game(name)
    for options in ROUNDABOUT.get(name, []):
        yield game(name, options)
    random = np.random.default_rng(8)
    for _ in range(250):
        yield random_game(name, random)


def printed(of: Game) -> Iterator[str]:
    """Everything but the names of outcomes and of settings, sentence by sentence."""
    yield f"{of.title}: rules of play"
    for section in rulebook(of).sections:
        yield section.title
        for part in section.parts:
            if isinstance(part, Sentence):
                yield from re.split(r"(?<=\.) (?=[A-Z])", part.text)
            elif part.title != of.name:
                yield part.title
    for offer in of.offers.values():
        yield from re.split(r"(?<=\.) (?=[A-Z])", offer.bet.says)


def test_every_sentence_that_the_rules_can_print_is_there_and_none_that_they_cannot() -> None:
    found = set()
    for said in {said for name in GAMES for of in configurations(name) for said in printed(of)}:
        fitting = [english for english, places in PATTERNS if places.fullmatch(said)]
        assert fitting, f"rules.json has no words for: {said}"
        found.add(said if said in fitting else fitting[0])
    assert {english for english, _ in PATTERNS} == found | PARTS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_says_all_that_changes(language: str) -> None:
    for sentence in SENTENCES:
        places = re.findall(r"\{#?(\w+)\}", sentence["en"])
        assert sorted(re.findall(r"\{(\w+)\}", sentence[language])) == sorted(places), sentence["en"]
