"""Whatever the rules of play can say, players can read in every language of their terminals."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from podium.rules.games import GAMES, Game, game
from podium.rules.rulebook import Sentence, rulebook
from tests.configurations import random_game, values_of

LANGUAGES = ("es", "zh")
CATALOGUE = Path(__file__).parents[1] / "web" / "src" / "lib" / "words" / "rules.json"
SENTENCES: list[dict[str, str]] = msgspec.json.decode(CATALOGUE.read_bytes())

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
    for option in game(name).options.values():
        for value in [] if option.fixed else values_of(game(name), option):
            yield game(name, {option.name: value})
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
