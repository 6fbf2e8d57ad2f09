"""Every clause is listed, read and tested, and the page that says so is current."""

import re
from collections import Counter

import pytest

from podium.rules.games import GAMES, Game
from tests.clauses.documents import ROOT, headings, numbered, text_of
from tests.clauses.page import (
    ELSEWHERE,
    PAGE,
    cited,
    clause_of,
    names_of_tests,
    page,
    proof_of,
    read_clauses,
    sentences_of,
)

CLAUSES = read_clauses()

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")

games = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@games
def test_every_numbered_clause_of_the_document_is_listed_in_its_order(game: Game) -> None:
    listed = [id for id, clause in CLAUSES.items() if id.startswith(f"{game.short} ") and not clause.begins]
    assert listed == [f"{game.short} {number}" for number in numbered(text_of(game.name))]


@games
def test_every_heading_of_the_document_is_listed(game: Game) -> None:
    listed = [clause.begins for id, clause in CLAUSES.items() if id.startswith(f"{game.short} ") and clause.begins]
    missing = [
        heading
        for heading in headings(text_of(game.name))
        if not any(begins.startswith(heading) or heading.startswith(begins) for begins in listed)
    ]
    assert missing == []


def test_the_documents_have_as_many_clauses_as_a_reader_counts() -> None:
    counts = {game.short: len(list(numbered(text_of(game.name)))) for game in GAMES.values()}
    assert counts == {"SBJ": 55, "DLB": 14, "TCP": 13, "MUB": 22, "MGB": 10}


@games
def test_every_clause_says_something_in_the_document(game: Game) -> None:
    listed = {id for id in CLAUSES if id.startswith(f"{game.short} ")}
    assert listed - set(sentences_of(game, CLAUSES)) == (
        {"TCP Pair Plus Paytable"} if game.short == "TCP" else set()
    ), "The rows of Pair Plus stand in one table with the ante bonus, and no other clause is without words."


@games
def test_nothing_of_the_document_is_left_out(game: Game) -> None:
    said = " ".join(sentence.text for found in sentences_of(game, CLAUSES).values() for sentence in found)
    left = Counter(_words(text_of(game.name))) - Counter(_words(said))
    assert set(left) <= {
        *_words("Rules of Play Game PAYOUT TABLES Procedures and"),
        *_words(game.title),
        *"abcdefghi",
        *_ROMAN,
    }


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]+", text)


@games
def test_every_sentence_is_proved_or_says_why_not(game: Game) -> None:
    tests: dict[str, list[str]] = {}
    for test in names_of_tests():
        if clause := clause_of(test, CLAUSES):
            tests.setdefault(clause.id, []).append(test)
    unproved = [
        f"{id}: {sentence.text}"
        for id, said in sentences_of(game, CLAUSES).items()
        for sentence in said
        if not proof_of(sentence, CLAUSES[id], said, tests.get(id, []))
    ]
    assert unproved == []


def test_every_proof_names_a_sentence_and_tests_that_exist() -> None:
    said = {id: found for game in GAMES.values() for id, found in sentences_of(game, CLAUSES).items()}
    astray = [
        f"{id}: {words}"
        for id, clause in CLAUSES.items()
        for words in clause.proved
        if not any(sentence.text.startswith(words) for sentence in said[id])
    ]
    assert astray == []
    written = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py")))
    named = [
        test
        for clause in CLAUSES.values()
        for proof in clause.proved.values()
        if isinstance(proof, list)
        for test in proof
    ]
    assert [test for test in named if f"def {test}(" not in written] == []


def test_every_clause_has_a_test() -> None:
    tested = {clause.id for test in names_of_tests() if (clause := clause_of(test, CLAUSES))}
    assert [id for id in CLAUSES if id not in tested] == []


def test_every_test_names_a_clause() -> None:
    assert [test for test in names_of_tests() if clause_of(test, CLAUSES) is None] == []


@games
def test_every_option_cites_a_clause_that_exists(game: Game) -> None:
    astray = [
        f"{option.name}: {option.clause}"
        for option in game.options.values()
        if option.clause not in ELSEWHERE and not cited(option.clause, CLAUSES)
    ]
    assert astray == []


@games
def test_every_wager_cites_a_clause_that_exists(game: Game) -> None:
    assert [offer.wager for offer in game.offers.values() if not cited(offer.bet.clause, CLAUSES)] == []


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make clauses`"
