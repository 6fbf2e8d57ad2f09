"""`python -m tests.kept_houses COMMIT`: records a house of the version at a commit on each store, and keeps both.

The version is checked out into a temporary directory and set up there, and plays its own story with its own code. Where
its own story lacks something, `--story` plays the story of this tree instead, still with the program of that version.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.kept_houses import playing
from tests.kept_houses.folder import DATA, HOUSES, KeptHouse
from tests.postgres import new_database, postgres_running

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def checked_out(commit: str, *, story: bool) -> Iterator[Path]:
    """The program of a commit with its own dependencies, in a directory outside the repository."""
    with TemporaryDirectory(prefix=f"podium-{commit}-") as directory:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)
        if story:
            shutil.copytree(Path(__file__).parent, Path(directory) / "tests" / "kept_houses", dirs_exist_ok=True)
        subprocess.run(["make", "setup"], cwd=directory, check=True)
        yield Path(directory)


def keep(program: Path, kept: KeptHouse, url: str = "") -> None:
    """Lets a checked-out program record a house, and keeps the house with what that program found in it."""
    with TemporaryDirectory(prefix="podium-kept-") as directory:
        house, copy, found = (Path(directory) / name for name in ("house", "copy", "found.json"))
        house.mkdir()
        # -P: without it Python would look beside the script first, in this version's package.
        arguments = [playing.__file__, house / DATA, copy, found, *([url] if url else [])]
        command = [str(program / ".venv/bin/python"), "-P", *map(str, arguments)]
        own = {**os.environ, "PYTHONPATH": str(program)}
        if subprocess.run(command, cwd=program, env=own, check=False).returncode:
            raise SystemExit(f"{kept.version} could not be recorded.")
        findings = json.loads(found.read_text(encoding="utf-8"))
        kept.pack(house, findings, url)
    size, proved = kept.archive.stat().st_size, findings["proved"]
    print(f"{kept.archive}: {size:,} bytes, {proved['entries']:,} entries, {proved['rounds']} rounds.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kept_houses", description=__doc__)
    parser.add_argument("commit", help="the commit, branch or tag of the version")
    parser.add_argument("--story", action="store_true", help="play the story of this tree, not the version's own")
    chosen = parser.parse_args()
    named = ["git", "rev-parse", "--short=7", "--verify", f"{chosen.commit}^{{commit}}"]
    commit = subprocess.run(named, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    if (HOUSES / commit).exists():
        parser.error(f"Houses of {commit} are kept already, and a kept house never changes.")
    with checked_out(commit, story=chosen.story) as program:
        keep(program, KeptHouse(commit, "sqlite"))
        with postgres_running() as server, new_database(server) as url:
            keep(program, KeptHouse(commit, "postgres"), url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
