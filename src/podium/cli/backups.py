"""`podium backup` and `podium restore`."""

from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.data import book_at, check_address, complain, opened, tell_house
from podium.house.events import Noted
from podium.record.store import Damaged, Proved, Unavailable, check_backup, restore
from podium.record.store.address import is_address
from podium.record.store.keys import OLD_KEY, default_folder

DONE = 0


def back_up(where: str, file: Path) -> int:
    """Writes everything that a house has stored into one new file, while the house runs (BAK-1)."""
    if file.exists():
        raise Refused("backup-exists", file=file)
    if not file.absolute().parent.is_dir():
        raise Refused("backup-no-directory", directory=file.parent)
    try:
        with opened(where) as book:
            checksum = book.back_up(file)
        if check_backup(file) != checksum:
            return complain(f"{file} was not read back as it was written.")
    except (Damaged, Unavailable) as fault:
        return complain(str(fault))
    except OSError as error:
        return complain(f"{file} could not be written: {(error.strerror or str(error)).lower()}.")
    print(f"{file}: {file.stat().st_size:,} bytes, sha256 {checksum}.")
    if not is_address(where):
        tell_house(where, Noted("backup-made", "podium backup", reason=file.name, after=checksum))
        old = Path(where) / OLD_KEY
        kept = old if old.exists() else default_folder(Path(where))
        print(
            f"The keys of the house are not in it ({kept} unless --keys says otherwise): keep a copy of them in another place."
        )
    return DONE


def restore_backup(file: Path, where: str) -> int:
    """Fills a new house from a backup and proves them equal (BAK-2). Existing files are not overwritten."""
    if not file.is_file():
        raise Refused("backup-missing", file=file)
    check_address(where)
    place = book_at(where)
    if isinstance(place, Path):
        if place.exists():
            raise Refused("house-exists", directory=where)
        place.parent.mkdir(parents=True, exist_ok=True)
    try:
        proved = _restored(file, place)
    except (Damaged, Unavailable) as fault:
        return complain(str(fault))
    print(
        f"{where}: {proved.entries:,} entries in {proved.streams:,} streams and {proved.transfers:,} transfers restored; "
        f"the same as in {file}, byte for byte."
    )
    if isinstance(place, Path) and not default_folder(place.parent).exists():
        print(f"Put the keys of the house back to {default_folder(place.parent)} before it is opened.")
    return DONE


def _restored(file: Path, place: str | Path) -> Proved:
    """Removes what a failed restore has created."""
    try:
        return restore(file, place)
    except BaseException:
        if isinstance(place, Path):
            for made in ("", "-wal", "-shm", ".lock"):
                place.with_name(f"{place.name}{made}").unlink(missing_ok=True)
        raise


english(
    "refused",
    {
        "backup-exists": "{file} already exists: a backup is written to a new file.",
        "backup-no-directory": "There is no directory {directory} to write the backup to.",
        "backup-missing": "There is no backup {file}.",
        "house-exists": "There is already a house in {directory}: restore the backup to another place.",
    },
)
