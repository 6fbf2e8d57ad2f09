"""Finds the lines that implement a standard and the tests that prove it."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.mutants.listed import ROOT

LIST: Final = Path(__file__).parent / "standards.toml"
_ID: Final = re.compile(r"\b[A-Z]{2,5}-\d+\b")
_IN_NAME: Final = re.compile(r"(?<![a-z])([a-z]{2,5})_(\d+)(?=_|$)")
_IN_TERMINALS: Final = re.compile(r'\btest(?:\.each\([^)]*\))?\(\s*"([^"]*)"')
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Standard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the checklist."""

    ids: tuple[str, ...]
    section: str
    text: str


def standards() -> list[Standard]:
    """The checklist, in its order."""
    return msgspec.convert(tomllib.loads(LIST.read_text(encoding="utf-8"))["standard"], list[Standard])


class Place(NamedTuple):
    """A line of a file, and what it belongs to."""

    file: str
    name: str
    line: int

    @property
    def test(self) -> str:
        """The name of a test, as the runs of tests write it."""
        return f"{self.file}::{self.name}"


def tests() -> dict[str, list[Place]]:
    """By id: the tests that carry it in their name or docstring."""
    found: dict[str, list[Place]] = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        place = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, Function) and node.name.startswith("test_"):
                for each in _ids_of(node):
                    found[each].append(Place(place, node.name, node.lineno))
    for file in sorted((ROOT / "web" / "tests").glob("*.test.ts")):
        text, place = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
        for named in _IN_TERMINALS.finditer(text):
            line = text.count("\n", 0, named.start()) + 1
            for each in sorted(set(_ID.findall(named[1]))):
                found[each].append(Place(place, named[1], line))
    return found


def proofs() -> dict[str, list[str]]:
    """By id: the tests that carry it, as `file::name`."""
    found: dict[str, list[str]] = defaultdict(list)
    return found | {each: [place.test for place in places] for each, places in tests().items()}


def _ids_of(test: Function) -> list[str]:
    named = {f"{letters.upper()}-{number}" for letters, number in _IN_NAME.findall(test.name)}
    return sorted(named | set(_ID.findall(ast.get_docstring(test) or "")))


def places() -> dict[str, list[Place]]:
    """By id: the functions and classes of the program that name it, each with the first line that does."""
    found: dict[str, list[Place]] = defaultdict(list)
    for file in sorted((ROOT / "src").rglob("*.py")):
        text, known = file.read_text(encoding="utf-8"), set[tuple[str, str]]()
        owners = list(_owners(ast.parse(text)))
        for number, row in enumerate(text.splitlines(), 1):
            for each in _ID.findall(row):
                # The innermost function or class that holds the line is the last one that begins before it.
                inside = [name for name, first, last in owners if first <= number <= last]
                name = inside[-1] if inside else "module"
                if (each, name) not in known:
                    known.add((each, name))
                    found[each].append(Place(file.relative_to(ROOT).as_posix(), name, number))
    return found


def lines() -> dict[str, list[str]]:
    """By id: the functions and classes of the program that name it, as `file: name`."""
    found: dict[str, list[str]] = defaultdict(list)
    return found | {each: [f"{place.file}: {place.name}" for place in named] for each, named in places().items()}


def _owners(tree: ast.AST, within: str = "") -> Iterator[tuple[str, int, int]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            name = f"{within}.{node.name}" if within else node.name
            yield name, node.lineno, node.end_lineno or node.lineno
            yield from _owners(node, name)
        else:
            yield from _owners(node, within)
