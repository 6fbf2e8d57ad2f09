"""Finds the lines that implement a standard and the tests that prove it."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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


def proofs() -> dict[str, list[str]]:
    """By id: the tests that carry it in their name or docstring, as `file::name`."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        place = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, Function) and node.name.startswith("test_"):
                for each in _ids_of(node):
                    found[each].append(f"{place}::{node.name}")
    for file in sorted((ROOT / "web" / "tests").glob("*.test.ts")):
        for name in _IN_TERMINALS.findall(file.read_text(encoding="utf-8")):
            for each in sorted(set(_ID.findall(name))):
                found[each].append(f"{file.relative_to(ROOT).as_posix()}::{name}")
    return found


def _ids_of(test: Function) -> list[str]:
    named = {f"{letters.upper()}-{number}" for letters, number in _IN_NAME.findall(test.name)}
    return sorted(named | set(_ID.findall(ast.get_docstring(test) or "")))


def lines() -> dict[str, list[str]]:
    """By id: the functions and classes of the program that name it, as `file: name`."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "src").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        rows = text.splitlines()
        places = list(_places(ast.parse(text)))
        for number, row in enumerate(rows, 1):
            for each in _ID.findall(row):
                # The innermost function or class that holds the line is the last one that begins before it.
                inside = [name for name, first, last in places if first <= number <= last]
                place = f"{file.relative_to(ROOT).as_posix()}: {inside[-1] if inside else 'module'}"
                if place not in found[each]:
                    found[each].append(place)
    return found


def _places(tree: ast.AST, within: str = "") -> Iterator[tuple[str, int, int]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            name = f"{within}.{node.name}" if within else node.name
            yield name, node.lineno, node.end_lineno or node.lineno
            yield from _places(node, name)
        else:
            yield from _places(node, within)
