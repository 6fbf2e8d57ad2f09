"""Every language says everything: each key has words, and each sentence uses the facts that it is given."""

import ast
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.basics.words import KINDS, Language, Phrase, Plural, Words, codes, facts_in, language, phrase

ROOT = Path(__file__).parent.parent
LANGUAGES = ROOT / "src" / "podium" / "languages"
OTHERS = [code for code in codes() if code != "en"]


def read(code: str) -> dict[str, Words]:
    return msgspec.json.decode((LANGUAGES / f"{code}.json").read_bytes(), type=dict[str, Words])


def collecting(how: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the tests of this one declare words for what they make up."""
    script = [sys.executable, str(ROOT / "scripts" / "words.py"), how]
    return subprocess.run(script, capture_output=True, encoding="utf-8", check=False)


@cache
def collected() -> dict[str, Words]:
    """All English, from the modules and the terminals."""
    return msgspec.json.decode(collecting("--print").stdout, type=dict[str, Words])


def test_the_collected_english_is_current() -> None:
    done = collecting("--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_words_for_every_key(code: str) -> None:
    english, words = collected(), read(code)
    missing = [
        f"{key} has no words in {code}.json; in English: {said!r}" for key, said in english.items() if key not in words
    ]
    assert not missing, "\n".join(missing)
    assert [f"{key} of {code}.json is said nowhere" for key in words if key not in english] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_sentence_uses_the_facts_that_it_is_given(code: str) -> None:
    words = read(code)
    different = [
        f"{key} of {code}.json uses {sorted(facts_in(words[key]))}; in English: {said!r}"
        for key, said in collected().items()
        if key in words and facts_in(words[key]) != facts_in(said)
    ]
    assert not different, "\n".join(different)


@pytest.mark.parametrize("code", ["en", *OTHERS])
def test_every_fact_is_of_a_kind_that_can_be_said(code: str) -> None:
    unknown = {kind for said in read(code).values() for _, kind in facts_in(said)} - KINDS.keys()
    assert unknown == set()


# --- every place where a phrase is made -----------------------------------------------------------------------------

MAKERS = {
    "Refused": "refused.",
    "Later": "refused.",
    "AtNoCost": "refused.",
    "WrongCode": "refused.",
    "GeneratorFailed": "refused.",
    "because": "why.",
    "phrase": "",
}
"""What makes a phrase from a key, and what it puts before the key."""

KEY = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")


class Made(NamedTuple):
    """A phrase that is made somewhere in the code: its key, where, and the names of its facts."""

    key: str
    where: str
    facts: frozenset[str]

    @property
    def room(self) -> str:
        return self.where.split("/")[0]


def modules() -> Iterator[tuple[str, ast.Module]]:
    source = ROOT / "src" / "podium"
    for path in sorted(source.rglob("*.py")):
        yield path.relative_to(source).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def calls(tree: ast.Module, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node


def constants(key: ast.expr) -> list[str]:
    """The keys that an expression can be; none where they cannot be read from it."""
    match key:
        case ast.Constant(value=str(text)) if KEY.fullmatch(text):
            return [text]
        case ast.IfExp(body=body, orelse=orelse) if constants(body) and constants(orelse):
            return constants(body) + constants(orelse)
    return []


@cache
def made() -> tuple[Made, ...]:
    found = []
    for module, tree in modules():
        if module in ("basics/words.py", "basics/refusal.py", "rules/results.py"):  # the makers themselves
            continue
        for call in calls(tree, *MAKERS):
            assert isinstance(call.func, ast.Name)
            where = f"{module}:{call.lineno}"
            keys = constants(call.args[0]) if len(call.args) == 1 else []
            assert keys, f"{where}: {call.func.id} takes one key that stands there, and facts by name"
            assert all(each.arg for each in call.keywords), f"{where}: facts stand there by name"
            facts = frozenset(each.arg for each in call.keywords if each.arg) - {"clause"}
            found += [Made(MAKERS[call.func.id] + key, where, facts) for key in keys]
    return tuple(found)


@cache
def declarations() -> dict[str, str]:
    """Where the English of each refusal and each reason is declared."""
    found: dict[str, str] = {}
    for module, tree in modules():
        for call in calls(tree, "english"):
            match call.args:
                case [ast.Constant(value="refused" | "why" as family), ast.Dict(keys=keys)]:
                    found |= {f"{family}.{key.value!s}": module for key in keys if isinstance(key, ast.Constant)}
    return found


def test_every_phrase_that_is_made_has_words_with_its_facts() -> None:
    english = collected()
    assert len(made()) > 400
    for key, where, facts in made():
        assert key in english, f"{where}: {key} has no English; declare it beside: english(...)"
        wanted = {name for name, _ in facts_in(english[key])} - {"clause"}
        assert facts == wanted, f"{where}: {key} says {sorted(wanted)}, and is given {sorted(facts)}"


def test_every_refusal_that_has_words_is_given_somewhere() -> None:
    given = {each.key for each in made()}
    assert [f"{key} of {module} is never given" for key, module in declarations().items() if key not in given] == []
    assert {key for key in collected() if key.startswith(("refused.", "why."))} == declarations().keys()


def test_a_room_declares_only_what_it_gives_itself() -> None:
    """The lowest room knows nothing of coaches, tickets or sign-in."""
    rooms: dict[str, set[str]] = {}
    for each in made():
        rooms.setdefault(each.key, set()).add(each.room)
    assert {
        f"{key} of {module}": rooms[key]
        for key, module in declarations().items()
        if module.split("/")[0] not in rooms[key]
    } == {}


def test_a_refusal_comes_from_a_phrase_only_where_another_process_gave_it() -> None:
    """Over the wire, from the mathematics, or from a clerk. Nothing else makes a refusal from words or from a key that is put together."""
    saying = {
        module
        for module, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "saying" and module != "basics/refusal.py"
    }
    assert saying == {
        "cli/console.py",
        "client/terminal.py",
        "client/door.py",
        "server/clerks/__init__.py",
        "server/coach.py",
        "server/mathematics.py",
    }
    put_together = [
        f"{module}:{node.lineno}"
        for module, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and str(node.value).startswith(("refused.", "why.")) and module not in MAKING
    ]
    assert put_together == []


MAKING = ("basics/words.py", "basics/refusal.py", "rules/results.py")
"""Where the families `refused` and `why` are put before a key; in `words.py` it is an example."""


def test_money_in_a_refusal_is_said_as_money() -> None:
    amounts = {"staked", "credit", "cost", "win", "holds", "printed", "issued", "limit", "chip", "part"}
    minor_units = [
        f"{key} says {{{name}}}"
        for key, words in collected().items()
        if key.startswith("refused.")
        for name, kind in facts_in(words)
        if name in amounts and kind != "money"
    ]
    assert minor_units == []


def test_a_refusal_is_one_sentence_in_every_language() -> None:
    """It begins with a capital letter, or with a name as somebody wrote it, and ends with one full stop."""
    for code in codes():
        for refusal in (
            phrase("refused.cannot", who="p1", decision=phrase("decision.double"), why=WHY, allowed=["hit", "stand"]),
            phrase("refused.for-player", who=phrase("place.seat", number=4), why=WHY),
        ):
            said = language(code).sentence(refusal)
            assert "SBJ 5.c.v" in said
            assert "{" not in said
            assert not re.search(r"[.\u3002]{2}|[.\u3002][,:\uff1a)\uff09]", said), said


WHY = phrase("refused.double-with-ace", clause="SBJ 5.c.v")


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


def test_a_refusal_is_not_put_into_words_before_it_is_said() -> None:
    refusal = Refused("cannot", who="p1", decision="x", why="y", allowed=["hit"], clause="SBJ 5")
    assert refusal.args == (refusal.phrase,)
    assert refusal.phrase.facts["allowed"] == ["hit"]


def test_a_refusal_comes_through_a_pipe_as_it_was() -> None:
    refusal = Refused("seat-taken", seat=3, clause="SEC-2")
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.phrase, str(again)) == (refusal.phrase, "Seat 3 is taken (SEC-2).")


def test_an_unfinished_translation_says_the_rest_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "xx.json").write_text('{"refused.seat-taken": "{seat}!"}', encoding="utf-8")
    monkeypatch.setattr("podium.basics.words._FOLDER", tmp_path)
    unfinished = language("xx")
    assert unfinished.sentence(phrase("refused.seat-taken", seat=3)) == "3!"
    assert unfinished.sentence(phrase("refused.no-seat")) == "You have no seat at this table."


def test_a_key_of_a_newer_house_is_said_as_it_is_written() -> None:
    assert str(Refused.saying(Phrase("refused.not-yet-thought-of", {"seat": 1}))) == "Refused.not-yet-thought-of."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("keno", "'keno'"),
        ("a\nb\x1b[31m", "'a\\nb\\x1b[31m'"),
        ("\ud800", "'\\ud800'"),
        ("x" * 200, f"'{'x' * 80} ...'"),
    ],
)
def test_what_somebody_wrote_is_quoted_without_what_cannot_be_printed(written: str, said: str) -> None:
    assert language("en").fact(written, "quoted") == said
