"""`python -m tests.kept_houses VERSION`: record a house of this version on each store, and keep both."""

import argparse
import asyncio
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from podium import __version__
from podium.server.program import fingerprint
from tests.kept_houses.findings import book_of, findings, opens_shoes
from tests.kept_houses.folder import HOUSES, KeptHouse
from tests.kept_houses.story import SLIP, missing, record
from tests.postgres import new_database, postgres_running


def keep(kept: KeptHouse, url: str = "") -> None:
    """Record a house, see that nothing is missing in it, and keep it with what is found in it."""
    with TemporaryDirectory(prefix="podium-kept-") as directory:
        data, copy = Path(directory) / "data", Path(directory) / "copy"
        recording = asyncio.run(record(data, url))
        shutil.copytree(data, copy)  # whoever reads a house leaves files of the database beside it
        book = book_of(copy, url)
        try:
            found = findings(book, opens_shoes(copy))
            lacks = list(missing(book, found))
        finally:
            book.close()
        if lacks:
            raise SystemExit(f"The house was not kept, for want of {', '.join(lacks)}.")
        about = {
            "version": __version__,
            "program": fingerprint(),
            "slip": [SLIP.kind, SLIP.source, SLIP.who],
            "passwords": recording.passwords,
        }
        kept.pack(data, {**about, **found}, url)
    size, proved = kept.archive.stat().st_size, found["proved"]
    print(f"{kept.archive}: {size:,} bytes, {proved['entries']:,} entries, {proved['rounds']} rounds.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kept_houses", description=__doc__)
    parser.add_argument("version", help="the version, or the commit, that this program is")
    chosen = parser.parse_args()
    if (HOUSES / chosen.version).exists():
        parser.error(
            f"There are houses of {chosen.version} already; what an earlier version recorded is never changed."
        )
    keep(KeptHouse(chosen.version, "sqlite"))
    with postgres_running() as server, new_database(server) as url:
        keep(KeptHouse(chosen.version, "postgres"), url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
