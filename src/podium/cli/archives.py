"""`podium archive`: moves what is older than some days from the book into archives."""

from datetime import UTC, datetime
from pathlib import Path

from podium.cli.console import ask
from podium.record.store.archived import FOLDER
from podium.server.console import ArchiveNow


def archive(data: Path, days: int | None, database: str, keys: str) -> int:
    """Archives what is older than that many days, and prints which files were made."""
    made = ask(data, ArchiveNow(days), database=database, keys=keys).archives
    for each in made:
        print(
            f"{data / FOLDER / each.key}: {each.entries:,} entries up to {datetime.fromtimestamp(each.until // 1000, UTC):%F %T} UTC "
            f"in {each.bytes:,} bytes, sha256 {each.sha256}."
        )
    if made:
        print("Keep a copy of them elsewhere: they are not in a backup.")
    else:
        print("Nothing is old enough to be archived.")
    return 0
