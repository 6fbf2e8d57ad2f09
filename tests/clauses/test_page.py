"""Every clause is listed, read and tested, and the page that says so is current."""

import pytest

from podium.rules.games import GAMES, Game
from tests.clauses.documents import headings, numbered, stands_in, text_of
from tests.clauses.page import ELSEWHERE, PAGE, cited, clause_of, names_of_tests, page, read_clauses

CLAUSES = read_clauses()

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
def test_a_clause_without_a_number_stands_in_the_document(game: Game) -> None:
    document = text_of(game.name)
    unnumbered = [clause for id, clause in CLAUSES.items() if id.startswith(f"{game.short} ") and clause.begins]
    assert [clause.id for clause in unnumbered if not stands_in(clause.begins, document)] == []


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
