"""What is installed is complete: the wheel contains the pages, and is not built without them."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("src", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
BUILD = "from hatchling.build import build_wheel; print(build_wheel({!r}))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built where there are pages and no Node."""
    folder = tmp_path_factory.mktemp("wheel")
    built = build(copy(folder, pages=True), folder)
    assert built.returncode == 0, built.stderr
    return folder / built.stdout.split()[-1]


def copy(folder: Path, *, pages: bool) -> Path:
    source = folder / "source"
    source.mkdir()
    without = shutil.ignore_patterns("__pycache__", *([] if pages else ["static"]))
    for name in SOURCES:
        here = ROOT / name
        shutil.copytree(here, source / name, ignore=without) if here.is_dir() else shutil.copy(here, source / name)
    return source


def build(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Builds without isolation, as a machine without Node would."""
    nothing = folder / "nothing"
    nothing.mkdir()
    program = f"import sysconfig; sysconfig.get_path = lambda _: {str(nothing)!r}\n" + BUILD.format(str(folder))
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=source,
        env={**os.environ, "PATH": str(nothing)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_wheel_has_every_page_and_what_the_pages_load(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        for page in ("play", "dealer", "floor", "display"):
            html = packed.read(f"podium/server/static/{page}.html").decode()
            loaded = re.findall(r'(?:src|href)="/(assets/[^"]+)"', html)
            assert loaded
            assert {f"podium/server/static/{each}" for each in loaded} <= names


def test_a_wheel_without_pages_is_refused_in_a_sentence(tmp_path: Path) -> None:
    built = build(copy(tmp_path, pages=False), tmp_path)
    assert built.returncode != 0
    assert "The wheel is not built, because the web terminals are not built" in built.stderr
    assert "Traceback" not in built.stderr
    assert list(tmp_path.glob("*.whl")) == []


def test_a_house_opens_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """No source tree, no Node and no make: only the wheel's own files, and the dependencies."""
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    house = subprocess.Popen(
        [sys.executable, "-P", "-m", "podium", "serve", "--port", "0", "--data", str(tmp_path / "data")],
        cwd=tmp_path,
        env={"PATH": "", "PYTHONPATH": str(installed), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert house.stdout is not None
    try:
        said = next(line for line in house.stdout if "/play" in line)
        address = said.split()[-1]
        with urlopen(address) as page:
            html = page.read().decode()
        (script, *_) = re.findall(r'src="(/assets/[^"]+\.js)"', html)
        with urlopen(address.removesuffix("/play") + script) as answer:
            assert len(answer.read()) > 10_000
    finally:
        house.terminate()
        house.communicate()


def imported(source: Path) -> set[str]:
    """The packages that a module imports by name."""
    nodes = list(ast.walk(ast.parse(source.read_text(encoding="utf-8"))))
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module and not node.level]
    return {name.partition(".")[0] for name in named}


def normalized(name: str) -> str:
    """PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_wheel_declares_every_package_that_the_program_imports() -> None:
    """A package that comes with another one may not come with its next version, nor without an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    declared = {normalized(re.split(r"[^\w.-]", each, maxsplit=1)[0]) for each in wanted}
    used = {name for source in (ROOT / "src").rglob("*.py") for name in imported(source)}
    foreign = used - sys.stdlib_module_names - {"podium"}
    assert "msgspec" in foreign
    owners = packages_distributions()
    assert {name for name in foreign if not {normalized(each) for each in owners.get(name, [])} & declared} == set()
