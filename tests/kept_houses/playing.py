"""Plays the story of one version with that version's own code. `__main__.py` runs this file inside a checkout of it.

Everything imported here is the checked-out version's. It must have `tests.kept_houses.story` and `findings`, and the names
used below; the rest of this package is not used there.
"""

import argparse
import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

from podium import __version__
from podium.house import House
from podium.server.program import fingerprint
from tests.kept_houses.findings import book_of, findings, opens_shoes
from tests.kept_houses.story import SLIP, missing, record

SNAPSHOT_EVERY_ENTRIES = 60
"""How often snapshots of house and tables are written, so that a start begins in the middle of their streams."""


def shorten_snapshots() -> None:
    """Makes the house and its tables write snapshots often. The names of these arguments differ between versions."""
    defaults: dict[str, Any] | None = House.__init__.__kwdefaults__
    assert defaults is not None, "The house has no arguments by keyword, so none for its snapshots."
    defaults.update({name: SNAPSHOT_EVERY_ENTRIES for name in defaults if name.endswith("_every")})


def play(data: Path, copy: Path, url: str = "") -> dict[str, Any]:
    """Records a house in `data` and returns what is found in it. Keys lie in `data` or beside it, and are copied too."""
    shorten_snapshots()
    recording = asyncio.run(record(data, url))
    shutil.copytree(data.parent, copy)  # reading a house leaves files of the database beside it
    book = book_of(copy / data.name, url)
    try:
        found = findings(book, opens_shoes(copy / data.name))
        lacks = list(missing(book, found))
    finally:
        book.close()
    if lacks:
        raise SystemExit(f"The house was not kept. It lacks: {', '.join(lacks)}.")
    about = {
        "version": __version__,
        "program": fingerprint(),
        "slip": [SLIP.kind, SLIP.source, SLIP.who],
        "passwords": recording.passwords,
    }
    return {**about, **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the data directory of the new house")
    parser.add_argument("copy", type=Path, help="where to put the copy that is read")
    parser.add_argument("found", type=Path, help="the file for what is found in it")
    parser.add_argument("url", nargs="?", default="", help="an empty database, for a house on PostgreSQL")
    chosen = parser.parse_args()
    chosen.found.write_text(json.dumps(play(chosen.data, chosen.copy, chosen.url)), encoding="utf-8")


if __name__ == "__main__":
    main()
