"""The layers of docs/architecture.md hold: a module imports nothing that stands below it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "podium"

Layers = dict[str, int]


def read_layers(page: str) -> Layers:
    """The number of the line on which each module stands in the `layers` block, the highest layer being 0."""
    block = re.search(r"^```layers\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError("docs/architecture.md has no ```layers block")
    lines = [line.split() for line in block[1].splitlines() if line.strip()]
    return {module: number for number, line in enumerate(lines) for module in line}


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
    """Everything in which a package and its list of layers disagree, a sentence each."""
    modules = find_modules(package)
    packages = {module.rpartition(".")[0] for module in modules}
    said = [f"{entry} is listed, but there is no such module" for entry in layers if entry not in {*modules, *packages}]
    for module in modules:
        entry = listed_as(module, layers)
        if module and entry is None:
            said.append(f"{module} is not listed")
            continue
        # The package itself (its version) stands above all its modules, so everybody may import it.
        layer = layers[entry] if entry else -1
        for other in sorted(imports(module, modules, package.name)):
            below = listed_as(other, layers)
            if below is not None and layers[below] > layer:
                said.append(f"{module or package.name} imports {other}, which stands below it")
    return said


def test_every_module_imports_only_from_its_layer_and_those_above() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert complaints(PACKAGE, read_layers(page)) == []


LAYERS = read_layers("```layers\ncards money\nbets.odds\nbets\ncli\n```\n")
SOUND = {
    "__init__.py": "",
    "cards.py": "from . import money",
    "money.py": "import json",
    "bets/__init__.py": "from .royal import ROYAL",
    "bets/odds.py": "from podium.money import Money",
    "bets/royal.py": "from podium import bets, cards\nfrom .odds import Odds\nfrom ..money import Money",
    "cli/__init__.py": "import podium.bets.royal\nfrom podium import __version__",
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, None),
        ({"stray.py": ""}, "stray is not listed"),
        ({"cli/__init__.py": None}, "cli is listed, but there is no such module"),
        ({"cards.py": "import podium.cli"}, "cards imports cli, which stands below it"),
        ({"cards.py": "from podium import cli"}, "cards imports cli, which stands below it"),
        ({"cards.py": "from .bets.royal import ROYAL"}, "cards imports bets.royal, which stands below it"),
        ({"cards.py": "def deal():\n    from .bets import royal"}, "cards imports bets.royal, which stands below it"),
        ({"bets/royal.py": "from ..cli import main"}, "bets.royal imports cli, which stands below it"),
        ({"bets/odds.py": "from .royal import ROYAL"}, "bets.odds imports bets.royal, which stands below it"),
        ({"bets/__init__.py": "from ..cli import main"}, "bets imports cli, which stands below it"),
        ({"__init__.py": "from .cards import Card"}, "podium imports cards, which stands below it"),
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
    with pytest.raises(ValueError, match="no ```layers block"):
        read_layers("# Architecture\n")
