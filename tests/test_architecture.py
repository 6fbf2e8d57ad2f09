"""The rooms of docs/architecture.md hold: a module imports nothing that stands below it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "podium"

Layers = dict[str, int]


MOST_ROOMS = 10
MOST_WORDS = 40


def read_layers(page: str) -> Layers:
    """The number of the group in which each part stands in the `rooms` block, the highest being 0. A room itself, which
    may gather what its parts offer, stands below all of them."""
    block = re.search(r"^```rooms\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError("docs/architecture.md has no ```rooms block")
    layers: Layers = {}
    for line in filter(str.strip, block[1].splitlines()):
        room, _, parts = line.partition(":")
        for group in parts.split("|"):
            number = len(set(layers.values()))
            layers |= {f"{room.strip()}.{part}": number for part in group.split()}
        layers[room.strip()] = len(set(layers.values()))
    return layers


def find_modules(package: Path) -> dict[str, Path]:
    """Every module of a package by its dotted name below the package, which is itself named by the empty string."""
    files = {path.relative_to(package).with_suffix(""): path for path in sorted(package.rglob("*.py"))}
    return {".".join(part for part in name.parts if part != "__init__"): path for name, path in files.items()}


def listed_as(module: str, layers: Layers) -> str | None:
    """The entry that speaks for a module: its own, or that of the nearest package around it."""
    while module and module not in layers:
        module = module.rpartition(".")[0]
    return module or None


def imported_names(module: str, path: Path, package: str) -> Iterator[str]:
    """What a module imports, by full dotted names; `from a import b` gives `a.b`, be it a module or a thing in `a`."""
    full = f"{package}.{module}".rstrip(".")
    inside = full if path.name == "__init__.py" else full.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = inside.split(".")[: len(inside.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*around, node.module] if node.module else around)
            yield from (f"{source}.{alias.name}" for alias in node.names)


def imports(module: str, modules: dict[str, Path], package: str) -> set[str]:
    """The modules of this package that a module imports."""
    found = set()
    for name in imported_names(module, modules[module], package):
        if name == package or name.startswith(f"{package}."):
            inner = name.removeprefix(package).lstrip(".")
            while inner not in modules:
                inner = inner.rpartition(".")[0]
            found.add(inner)
    return found


def complaints(package: Path, layers: Layers) -> list[str]:
    """Everything in which a package and its list of rooms disagree, a sentence each."""
    modules = find_modules(package)
    packages = {module.rpartition(".")[0] for module in modules}
    said = [f"{entry} is listed, but there is no such module" for entry in layers if entry not in {*modules, *packages}]
    divided = {entry.partition(".")[0] for entry in layers if "." in entry}
    for module in filter(None, modules):  # the package itself offers what people like to import
        entry = listed_as(module, layers)
        if entry is None or (entry in divided and module != entry):
            said.append(f"{module} is not listed")
            continue
        for other in sorted(imports(module, modules, package.name)):
            below = listed_as(other, layers)
            if below is not None and layers[below] > layers[entry]:
                said.append(f"{module} imports {other}, which stands below it")
    return said


def test_every_module_imports_only_from_its_layer_and_those_above() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert complaints(PACKAGE, {**read_layers(page), "__main__": 1_000}) == []


def test_there_are_at_most_ten_rooms_and_nothing_else_at_the_root() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {entry for entry in read_layers(page) if "." not in entry}
    assert len(rooms) <= MOST_ROOMS
    found = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert found == rooms | {"__init__", "__main__"}


def test_every_room_begins_with_what_lives_there_and_what_it_may_touch() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in (entry for entry in read_layers(page) if "." not in entry):
        said = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
        assert "Touches" in said, f"{room}/__init__.py says what lives there, and then: Touches ..."


LAYERS = read_layers("```rooms\nbasics: cards money\nrules: odds | bets\ncli\n```\n")
SOUND = {
    "__init__.py": "",
    "basics/__init__.py": "",
    "basics/cards.py": "from . import money",
    "basics/money.py": "import json",
    "rules/__init__.py": "from .bets import ROYAL",
    "rules/odds.py": "from podium.basics.money import Money",
    "rules/bets/__init__.py": "from .royal import ROYAL",
    "rules/bets/royal.py": "from podium.basics import cards\nfrom ..odds import Odds\nfrom ...basics.money import Money",
    "cli/__init__.py": "import podium.rules.bets.royal\nfrom podium import __version__",
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, None),
        ({"stray.py": ""}, "stray is not listed"),
        ({"rules/stray.py": "import podium.cli"}, "rules.stray is not listed"),
        ({"cli/__init__.py": None}, "cli is listed, but there is no such module"),
        ({"basics/cards.py": "import podium.cli"}, "basics.cards imports cli, which stands below it"),
        ({"basics/cards.py": "from podium import cli"}, "basics.cards imports cli, which stands below it"),
        ({"basics/cards.py": "from podium import basics"}, "basics.cards imports basics, which stands below it"),
        (
            {"basics/cards.py": "def deal():\n    from ..rules.bets import royal"},
            "basics.cards imports rules.bets.royal, which stands below it",
        ),
        ({"rules/bets/royal.py": "from ...cli import main"}, "rules.bets.royal imports cli, which stands below it"),
        (
            {"rules/odds.py": "from .bets.royal import ROYAL"},
            "rules.odds imports rules.bets.royal, which stands below it",
        ),
        ({"__init__.py": "from .basics.cards import Card"}, None),
    ],
)
def test_a_breach_is_named(tmp_path: Path, change: dict[str, str | None], complaint: str | None) -> None:
    package = tmp_path / "podium"
    for name, source in {**SOUND, **change}.items():
        if source is not None:
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            (package / name).write_text(source, encoding="utf-8")
    assert complaints(package, LAYERS) == ([] if complaint is None else [complaint])


def test_a_page_without_layers_is_a_fault() -> None:
    with pytest.raises(ValueError, match="no ```rooms block"):
        read_layers("# Architecture\n")


def test_a_class_name_stands_for_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted((ROOT / "src" / "podium").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_the_glossary_has_at_most_forty_words_and_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    [words] = re.findall(r"^## The words\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)
    rows = re.findall(r"^\| ([A-Z][^|]*) \| [^|]+ \| (.*) \|$", words, re.MULTILINE)
    assert len([word for named, _ in rows for word in named.split(", ")]) <= MOST_WORDS
    for _, where in rows:
        for place in re.findall(r"`([^`]+)`", where):
            assert (PACKAGE / place).exists(), place
