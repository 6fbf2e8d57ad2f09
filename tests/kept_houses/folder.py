"""The files of a kept house: packed for the repository, unpacked for a test."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_LZMA, ZipFile

from tests.postgres import dumped, load

HOUSES = Path(__file__).parent.parent / "data" / "houses"
DATA = "data"
"""The name of the data directory inside an archive."""
DATABASE = "database.sql"
"""The name of the database dump inside an archive, where the store is PostgreSQL."""


class KeptHouse(NamedTuple):
    """The house that one version recorded on one store."""

    version: str
    store: str

    @property
    def archive(self) -> Path:
        return HOUSES / self.version / f"{self.store}.zip"

    @property
    def expected(self) -> dict[str, Any]:
        """What that version found in it (`findings.py`)."""
        found: dict[str, Any] = json.loads(self.archive.with_suffix(".json").read_text(encoding="utf-8"))
        return found

    def unpack(self, into: Path, url: str = "") -> Path:
        """Unpacks the house below `into`, and its database into the empty one at `url`. Returns the data directory."""
        with ZipFile(self.archive) as archive:
            if url:
                load(url, archive.read(DATABASE).decode())
            archive.extractall(into, [name for name in archive.namelist() if name != DATABASE])
        for file in into.rglob("*"):
            # An archive does not keep modes, and a house refuses a key that others can read.
            file.chmod(0o700 if file.is_dir() else 0o600)
        return into / DATA

    def pack(self, house: Path, findings: dict[str, Any], url: str = "") -> None:
        """Writes the archive and the findings. `house` holds the data directory, and the keys where the version keeps them
        beside it; `url` is the database of a house on PostgreSQL."""
        self.archive.parent.mkdir(parents=True, exist_ok=True)
        with ZipFile(self.archive, "w", ZIP_LZMA) as archive:
            for file in sorted(house.rglob("*")):
                if file.is_file():
                    archive.write(file, file.relative_to(house).as_posix())
            if url:
                archive.writestr(DATABASE, dumped(url))
        self.archive.with_suffix(".json").write_text(_as_text(findings), encoding="utf-8")


def kept_houses() -> Iterator[KeptHouse]:
    """Every kept house, by version and store."""
    for archive in sorted(HOUSES.glob("*/*.zip")):
        yield KeptHouse(archive.parent.name, archive.stem)


def _as_text(findings: dict[str, Any]) -> str:
    """JSON with one line per item, so that a diff can be read."""
    parts = []
    for name, found in findings.items():
        if isinstance(found, dict):
            lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
            parts.append(f" {json.dumps(name)}: {{\n{lines}\n }}")
        else:
            parts.append(f" {json.dumps(name)}: {json.dumps(found)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
