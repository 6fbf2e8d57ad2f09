"""docs/rules/clauses.md: each clause of the five documents with its options, its tests and its reading."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from podium.rules.games import GAMES, Game
from podium.rules.options import Option, written
from tests.clauses.documents import ROOT, Sentence, sentences, text_of

HERE: Final = Path(__file__).parent
PAGE: Final = ROOT / "docs" / "rules" / "clauses.md"

ELSEWHERE: Final = {"placard", "DLB (as SBJ: the document is silent)"}
"""Options that come from no clause of the game's document."""


@dataclass(frozen=True)
class Clause:
    """A clause and how it is read. `begins` are the first words of one that has no number.

    `proved` has the tests of each sentence, by its first words, or a text that says why it has none.
    """

    id: str
    reading: str = ""
    begins: str = ""
    proved: Mapping[str, list[str] | str] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", self.id.lower())


def read_clauses() -> dict[str, Clause]:
    entries = tomllib.loads((HERE / "clauses.toml").read_text(encoding="utf-8"))
    return {id: Clause(id, **entry) for id, entry in entries.items()}


# --- what the documents say, and which tests prove it ----------------------------------------------------------------


def sentences_of(game: Game, clauses: Mapping[str, Clause]) -> dict[str, list[Sentence]]:
    """The sentences of a game's document by the clauses that they stand in; titles over several clauses are left out."""
    unnumbered = {
        id: clause.begins for id, clause in clauses.items() if id.startswith(f"{game.short} ") and clause.begins
    }
    found: dict[str, list[Sentence]] = {}
    for sentence in sentences(game.short, text_of(game.name), unnumbered):
        if sentence.clause in clauses:
            found.setdefault(sentence.clause, []).append(sentence)
    return found


def proof_of(sentence: Sentence, clause: Clause, said: list[Sentence], tests: list[str]) -> list[str] | str | None:
    """The tests that prove a sentence, or the reason why it has none; empty if neither is listed."""
    if sentence.text == clause.begins:
        return "A heading."
    begun = [words for words in clause.proved if sentence.text.startswith(words)]
    if begun:
        return clause.proved[max(begun, key=len)]
    others = [other for other in said if other.text != clause.begins]
    return tests if len(others) == 1 or all(other.is_row for other in others) else None


# --- which tests and options belong to a clause -----------------------------------------------------------------------


def names_of_tests() -> list[str]:
    """The names of all the clause tests, without importing them."""
    names = []
    for path in sorted(HERE.glob("test_*.py")):
        if path.stem.split("_")[1] in {game.short.lower() for game in GAMES.values()}:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names += [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"]
    return names


def clause_of(test: str, clauses: Mapping[str, Clause]) -> Clause | None:
    """The clause that a test is named by: the longest that its name begins with."""
    name = test.removeprefix("test_")
    named = [clause for clause in clauses.values() if name.startswith(f"{clause.slug}_") or name == clause.slug]
    return max(named, key=lambda clause: len(clause.slug), default=None)


def cited(text: str, clauses: Mapping[str, Clause]) -> list[str]:
    """The clauses that an option or a wager cites: `SBJ 5.c.ii, 5.c.iv`, `SBJ 2.b to 2.e`, `MGB Rules (...)`."""
    short, _, rest = re.sub(r" \(.*\)", "", text).partition(" ")
    found = []
    for part in rest.split(", "):
        first, _, last = part.partition(" to ")
        ids = [f"{short} {first}"]
        if last:
            stem = first[:-1]
            ids = [f"{short} {stem}{chr(letter)}" for letter in range(ord(first[-1]), ord(last[-1]) + 1)]
        found += ids
    return [id for id in found if id in clauses] if all(id in clauses for id in found) else []


def options_by_clause(game: Game, clauses: Mapping[str, Clause]) -> dict[str, list[Option]]:
    by_clause: dict[str, list[Option]] = {}
    for option in game.options.values():
        for id in cited(option.clause, clauses):
            by_clause.setdefault(id, []).append(option)
    return by_clause


# --- the page ---------------------------------------------------------------------------------------------------------


def page() -> str:
    """The whole page."""
    clauses = read_clauses()
    tests: dict[str, list[str]] = {}
    for test in names_of_tests():
        clause = clause_of(test, clauses)
        if clause is not None:
            tests.setdefault(clause.id, []).append(test)
    parts = [INTRODUCTION]
    for game in GAMES.values():
        parts.append(f"## {game.short}: {game.title}\n\n{_about(game)}")
        options = options_by_clause(game, clauses)
        said = sentences_of(game, clauses)
        for clause in clauses.values():
            if clause.id.startswith(f"{game.short} "):
                lines = _entry(clause, said.get(clause.id, []), options.get(clause.id, []), tests.get(clause.id, []))
                parts.append("\n".join(lines))
        parts.append("\n".join(_elsewhere(game)))
    return "\n\n".join(part for part in parts if part) + "\n"


INTRODUCTION = """# The clauses of the five documents

Every sentence of every clause as it stands in its document, with the tests that prove it, how the clause is read and the options that
come from it. Made by `make clauses` from the documents and from `tests/clauses`; a test fails when it is not current, or when a sentence
has no proof. A sentence without a test says why."""


def _about(game: Game) -> str:
    return f"Document: [`{game.name}.txt`](documents/{game.name}.txt). Tests: `tests/clauses/test_{game.short.lower()}.py`."


def _entry(clause: Clause, said: list[Sentence], options: list[Option], tests: list[str]) -> Iterator[str]:
    yield f"### {clause.id}\n"
    shown: set[str] = set()
    for sentence in said:
        proof = proof_of(sentence, clause, said, tests)
        yield f"> {sentence.text}\n"
        if isinstance(proof, str):
            yield f"- {proof}\n"
        elif proof:
            yield "\n".join(f"- Test: `{test}`" for test in proof) + "\n"
            shown.update(proof)
    if clause.reading:
        yield f"- Reading: {clause.reading}"
    for option in options:
        yield f"- {_described(option)}"
    for test in tests:
        if test not in shown:
            yield f"- Further test: `{test}`"


def _described(option: Option) -> str:
    if option.fixed:
        return f"Fixed: `{option.name}` is {written(option.default)}"
    return f"Option: `{option.name}`, by default {written(option.default)}; {option.allowed}"


def _elsewhere(game: Game) -> Iterator[str]:
    """The options about which the document says nothing."""
    silent = [option for option in game.options.values() if option.clause in ELSEWHERE]
    yield f"### {game.short}: options that come from no clause\n"
    for option in silent:
        yield f"- {_described(option)}"
