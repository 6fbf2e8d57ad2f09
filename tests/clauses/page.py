"""docs/rules/clauses.md: each clause of the five documents with its options, its tests and its reading."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from podium.rules.games import GAMES, Game
from podium.rules.options import Option, written
from tests.clauses.documents import ROOT

HERE: Final = Path(__file__).parent
PAGE: Final = ROOT / "docs" / "rules" / "clauses.md"

ELSEWHERE: Final = {"placard", "DLB (as SBJ: the document is silent)"}
"""Options that come from no clause of the game's document."""


@dataclass(frozen=True)
class Clause:
    """A clause and how it is read. `begins` are the first words of one that has no number."""

    id: str
    says: str
    reading: str = ""
    begins: str = ""

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", self.id.lower())


def read_clauses() -> dict[str, Clause]:
    entries = tomllib.loads((HERE / "clauses.toml").read_text(encoding="utf-8"))
    return {id: Clause(id, **entry) for id, entry in entries.items()}


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
        for clause in clauses.values():
            if clause.id.startswith(f"{game.short} "):
                lines = _entry(clause, options.get(clause.id, []), tests.get(clause.id, []))
                parts.append("\n".join(lines))
        parts.append("\n".join(_elsewhere(game)))
    return "\n\n".join(part for part in parts if part) + "\n"


INTRODUCTION = """# The clauses of the five documents

Every clause with what it says in short, how it is read, the options that come from it and the tests that prove it.
Made by `make clauses` from `tests/clauses`; a test fails when it is not current, or when a clause has no test."""


def _about(game: Game) -> str:
    return f"Document: [`{game.name}.txt`](documents/{game.name}.txt). Tests: `tests/clauses/test_{game.short.lower()}.py`."


def _entry(clause: Clause, options: list[Option], tests: list[str]) -> Iterator[str]:
    yield f"### {clause.id}\n"
    yield f"{clause.says}\n"
    if clause.reading:
        yield f"- Reading: {clause.reading}"
    for option in options:
        yield f"- {_described(option)}"
    for test in tests:
        words = test.removeprefix("test_").removeprefix(clause.slug).strip("_").replace("_", " ")
        yield f"- Test: {words or 'as it stands'}"


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
