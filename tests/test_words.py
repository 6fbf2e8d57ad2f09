"""Every language says everything: each key has words, and each sentence uses the facts that it is given."""

import ast
import runpy
from pathlib import Path

import msgspec
import pytest

from podium.basics.words import KINDS, Language, Phrase, Plural, Words, codes, facts_in, language, phrase

ROOT = Path(__file__).parent.parent
_SCRIPT = runpy.run_path(str(ROOT / "scripts" / "words.py"))
collected, text = _SCRIPT["collected"], _SCRIPT["text"]
LANGUAGES = ROOT / "src" / "podium" / "languages"
OTHERS = [code for code in codes() if code != "en"]


def read(code: str) -> dict[str, Words]:
    return msgspec.json.decode((LANGUAGES / f"{code}.json").read_bytes(), type=dict[str, Words])


def test_the_collected_english_is_current() -> None:
    assert (LANGUAGES / "en.json").read_text(encoding="utf-8") == text(), "run: make words"


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_words_for_every_key(code: str) -> None:
    english, words = collected(), read(code)
    missing = [
        f"{key} has no words in {code}.json; in English: {said!r}" for key, said in english.items() if key not in words
    ]
    assert missing == []
    assert [f"{key} of {code}.json is said nowhere" for key in words if key not in english] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_sentence_uses_the_facts_that_it_is_given(code: str) -> None:
    words = read(code)
    different = [
        f"{key} of {code}.json uses {sorted(facts_in(words[key]))}; in English: {said!r}"
        for key, said in collected().items()
        if key in words and facts_in(words[key]) != facts_in(said)
    ]
    assert different == []


@pytest.mark.parametrize("code", ["en", *OTHERS])
def test_every_fact_is_of_a_kind_that_can_be_said(code: str) -> None:
    unknown = {kind for said in read(code).values() for _, kind in facts_in(said)} - KINDS.keys()
    assert unknown == set()


def given() -> dict[str, list[tuple[str, set[str]]]]:
    """The keys that stand in calls that make a phrase, with where, and the facts of each call."""
    makes = {"because": ("why", "refused"), "Refused": ("refused",)}
    found: dict[str, list[tuple[str, set[str]]]] = {}
    for path in sorted((ROOT / "src" / "podium").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makes and node.args
            ):
                continue
            key = node.args[0]
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and " " not in key.value:
                family = next(
                    (f for f in makes[node.func.id] if f"{f}.{key.value}" in collected()), makes[node.func.id][0]
                )
                facts = {each.arg for each in node.keywords if each.arg}
                found.setdefault(f"{family}.{key.value}", []).append((f"{path.name}:{node.lineno}", facts))
    return found


def test_every_phrase_that_is_made_has_words_with_its_facts() -> None:
    english = collected()
    for key, calls in given().items():
        assert key in english, f"{calls[0][0]}: {key} has no English; declare it beside: english(...)"
        wanted = {name for name, _ in facts_in(english[key])}
        for where, facts in calls:
            assert facts | {"clause"} == wanted | {"clause"}, f"{where}: {key} says {wanted}, and is given {facts}"


# --- saying ----------------------------------------------------------------------------------------------------------

SMALL = Language(
    "xx",
    {
        "mark.stop": ".",
        "mark.list": ", ",
        "mark.clause": " [{clause}]",
        "wager.trilux": "TriLux",
        "pattern.row": "row {n}",
        "pattern.on-line": "{wager}, {line}",
        "pattern.odds": "{pays} to {per}",
        "choice.hit": "hit",
        "choice.stand": "stand",
        "t.short": "wagers of {staked:money} exceed the credit",
        "t.seats": Plural("seats", one="one seat", other="{seats} seats"),
        "t.cannot": "{who} cannot: {why}. Allowed now: {allowed:choice}.",
        "t.pays": "{wager:wager} pays {odds:odds}.",
    },
)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (phrase("t.short", staked=123_456), "Wagers of 1,234.56 exceed the credit."),
        (phrase("t.short", staked=5, clause="SBJ 1"), "Wagers of 0.05 exceed the credit [SBJ 1]."),
        (phrase("t.seats", seats=1), "One seat."),
        (phrase("t.seats", seats=7), "7 seats."),
        (
            phrase("t.cannot", who="p1", why=phrase("t.short", staked=1, clause="X"), allowed=["hit", "stand"]),
            "p1 cannot: wagers of 0.01 exceed the credit [X]. Allowed now: hit, stand.",
        ),
        (phrase("t.pays", wager="trilux@row-2", odds="5:2"), "TriLux, row 2 pays 5 to 2."),
    ],
)
def test_a_phrase_is_said_with_its_facts(said: Phrase, sentence: str) -> None:
    assert SMALL.sentence(said) == sentence


def test_a_phrase_crosses_a_border_and_says_the_same() -> None:
    said = phrase("t.cannot", who="p1", why=phrase("t.seats", seats=2), allowed=["hit"])
    again = msgspec.json.decode(msgspec.json.encode(said), type=Phrase)
    assert (again, SMALL.sentence(again)) == (said, SMALL.sentence(said))


@pytest.mark.parametrize("code", OTHERS)
def test_a_refusal_is_said_in_every_language(code: str) -> None:
    assert "3" in language(code).sentence(phrase("refused.seat-taken", seat=3))
