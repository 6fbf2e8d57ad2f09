"""`podium doctor`: whether this machine is fit to run a house, and what to do where it is not. It changes nothing."""

import json
import platform
import resource
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from time import time
from typing import Any, Final, Literal, NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec

from podium import __version__
from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH, english
from podium.cli import terminal
from podium.cli.files import not_allowed, user_name
from podium.cli.output import print_json
from podium.record.store import BOOK
from podium.record.store.keys import default_folder
from podium.server.clock import is_kept_right
from podium.server.health import HealthCard
from podium.server.serve import FILES_NEEDED

FAILED: Final = 1
State = Literal["well", "warning", "failing"]
GIGABYTE: Final = 1_000_000_000
WARN_FREE_BYTES: Final = 20 * GIGABYTE
"""About three weeks of 500 players."""
MIN_FREE_BYTES: Final = GIGABYTE
LEAST_PYTHON: Final = (3, 11)
LEAST_SQLITE: Final = (3, 37)
"""The first version with STRICT tables."""
MAX_CLOCK_SECONDS: Final = 1.0
"""How far apart the clocks of this machine and of the house may be."""
DURABLE: Final = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}

ADVICE: Final = {
    "disk": "Make room, plan a larger disk, or set `archive_days`.",
    "store": "See whether the database runs and is reached; the house goes on by itself when it answers.",
    "witness": "See whether the witness runs (docs/witness.md), and reaches this address.",
    "backups": "Run `podium backup`, or set `backup_every_hours`; see why the last one failed with `podium events`.",
    "clock": "Let chrony set the clock, and restart the house at a quiet moment.",
    "table": "Look at the table on the floor screen; `journalctl -u podium` has the reason.",
}
"""What to do about a part of a house that is not well, by the first word of its name in health."""


class Diagnosis(NamedTuple):
    """One thing that was checked, and what to do if it is not in order."""

    about: str
    state: State
    says: str
    do: str = ""


class Patient(NamedTuple):
    """The settings to check."""

    data: Path
    database: str = ""
    keys: str = ""
    url: str = ""


def show(patient: Patient, *, json: bool) -> int:
    """Checks everything and prints it; fails if something must be fixed before a house is opened."""
    found = [finding for check in CHECKS for finding in check(patient)]
    if json:
        print_json([finding._asdict() for finding in found])
    else:
        terminal.show(f"{each.state:8} {each.about}: {each.says}{f' {each.do}' if each.do else ''}" for each in found)
    return FAILED if any(each.state == "failing" for each in found) else 0


# --- the machine --------------------------------------------------------------------------------------------------------


def check_versions(_: Patient) -> Iterator[Diagnosis]:
    """The versions of Python, Podium and its dependencies."""
    named = ", ".join(f"{name} {version(name)}" for name in ("aiohttp", "picows", "msgspec", "cryptography", "numba"))
    said = f"Podium {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {named}."
    if sys.version_info < LEAST_PYTHON:
        yield Diagnosis("versions", "failing", said, "Install Python 3.11 or newer.")
    elif sqlite3.sqlite_version_info < LEAST_SQLITE:
        yield Diagnosis("versions", "failing", said, "Use a Python with SQLite 3.37 or newer, or PostgreSQL.")
    else:
        yield Diagnosis("versions", "well", said)


def check_clock(_: Patient) -> Iterator[Diagnosis]:
    """TIME-1: whether something keeps the clock right."""
    kept_right = is_kept_right()
    if kept_right is None:
        yield Diagnosis(
            "clock", "warning", "It cannot be seen here whether the clock is kept right.", "Check it by hand."
        )
    elif not kept_right:
        yield Diagnosis(
            "clock",
            "warning",
            "The system does not know whether its clock is right.",
            "Install chrony or turn on systemd-timesyncd; in a container, on the machine that runs it.",
        )
    else:
        yield Diagnosis("clock", "well", "The clock is kept right.")


def check_disk(patient: Patient) -> Iterator[Diagnosis]:
    """The room for the record."""
    place = next(each for each in (patient.data, *patient.data.absolute().parents) if each.exists())
    free = shutil.disk_usage(place).free
    said = f"{free / GIGABYTE:.1f} GB are free where {patient.data} is."
    if free < MIN_FREE_BYTES:
        yield Diagnosis("disk", "failing", said, "Make room: a house that cannot write stops.")
    elif free < WARN_FREE_BYTES:
        yield Diagnosis("disk", "warning", said, "500 players write about 1 GB a day: plan for more.")
    else:
        yield Diagnosis("disk", "well", said)


def check_files(_machine: Patient) -> Iterator[Diagnosis]:
    """The limit of open files, because each connection is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard >= FILES_NEEDED:
        yield Diagnosis(
            "open files", "well", f"As many as the limits of a house need ({FILES_NEEDED:,}) may be opened."
        )
    else:
        yield Diagnosis(
            "open files",
            "warning",
            f"At most {hard:,} may be open, and the limits of a house need {FILES_NEEDED:,}.",
            f"Set LimitNOFILE={FILES_NEEDED} in the systemd unit, or `ulimit -Hn`.",
        )


# --- the house ----------------------------------------------------------------------------------------------------------


def check_keys(patient: Patient) -> Iterator[Diagnosis]:
    """SEC-7: whether the keys can be read by the house only, and are kept apart from its data."""
    if patient.keys == "systemd" or patient.keys.startswith("command:"):
        yield Diagnosis("keys", "well", f"The keys come from {patient.keys.partition(':')[0]}.")
        return
    folder = Path(patient.keys) if patient.keys else default_folder(patient.data)
    if not folder.exists():
        new = not (patient.data / BOOK).exists() and not (patient.database and _has_house(patient.database))
        if new:
            yield Diagnosis(
                "keys", "well", f"A new house will make its keys in {folder}.", "Keep a copy of them elsewhere."
            )
        else:
            yield Diagnosis("keys", "failing", f"There are no keys in {folder}.", "Put back your copy of them.")
        return
    try:
        open_to_others = [file.name for file in (folder, *folder.iterdir()) if file.stat().st_mode & 0o077]
    except OSError as error:
        yield Diagnosis(
            "keys", "failing", f"{folder} cannot be read: {error.strerror}.", "Give it to the user of the house."
        )
        return
    if open_to_others:
        listed = ", ".join(open_to_others)
        yield Diagnosis("keys", "failing", f"Others may read {listed}.", f"chmod 700 {folder} && chmod 600 {folder}/*")
    else:
        yield Diagnosis("keys", "well", f"Only their owner can read the keys in {folder}.")


def owner_of(path: Path) -> int:
    """The number of the user to whom a file belongs."""
    return path.lstat().st_uid


def check_owner(patient: Patient) -> Iterator[Diagnosis]:
    """One user owns everything in the data: a file that somebody else made there can stop the house."""
    try:
        if not patient.data.exists():
            return
        owner = owner_of(patient.data)
        strange = [each for each in patient.data.rglob("*") if owner_of(each) != owner]
    except OSError as error:
        advice = not_allowed(patient.data, writing=False) or "See who owns it."
        yield Diagnosis("owner", "failing", f"{patient.data} cannot be read: {(error.strerror or '').lower()}.", advice)
        return
    name = user_name(owner)
    if strange:
        yield Diagnosis(
            "owner",
            "failing",
            f"{strange[0]} belongs to {user_name(owner_of(strange[0]))}, and {patient.data} to {name}.",
            f"chown -R {name} {patient.data}",
        )
    else:
        yield Diagnosis("owner", "well", f"Everything in {patient.data} belongs to {name}.")


def check_database(patient: Patient) -> Iterator[Diagnosis]:
    """The settings that durability depends on."""
    if patient.database:
        yield from _postgresql(patient.database)
        return
    book = patient.data / BOOK
    if not book.exists():
        yield Diagnosis("database", "well", f"There is no house in {patient.data} yet; SQLite will make one.")
        return
    try:
        connection = sqlite3.connect(f"file:{book}?mode=ro", uri=True, timeout=5)
        try:
            [mode] = connection.execute("PRAGMA journal_mode").fetchone()
            [checked] = connection.execute("PRAGMA quick_check(1)").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        yield Diagnosis("database", "failing", f"{book} cannot be read: {error}.", "See what `podium verify` says.")
        return
    if checked != "ok":
        yield Diagnosis(
            "database", "failing", f"{book} is damaged: {checked}.", "Keep it as it is, and restore the last backup."
        )
    elif mode != "wal":
        yield Diagnosis(
            "database", "warning", f"{book} has the journal mode {mode}.", "The house sets WAL when it opens."
        )
    else:
        yield Diagnosis("database", "well", f"{book} is whole, with its log in WAL mode.")


def _has_house(address: str) -> bool:
    """Whether a PostgreSQL database has a house already. Without a driver or an answer there is none to see."""
    try:
        import psycopg  # noqa: PLC0415  # an extra

        from podium.record.store.postgres import schema_of  # noqa: PLC0415  # needs the extra
    except ImportError:
        return False
    try:
        with psycopg.connect(address, connect_timeout=5) as connection:
            return schema_of(connection) > 0
    except psycopg.Error:
        return False


def _postgresql(address: str) -> Iterator[Diagnosis]:
    try:
        import psycopg  # noqa: PLC0415  # an extra
    except ImportError:
        yield Diagnosis(
            "database", "failing", "The driver of PostgreSQL is not installed.", "pip install 'podium[postgres]'"
        )
        return
    try:
        with psycopg.connect(address, connect_timeout=5) as connection:
            number = connection.info.server_version // 10_000
            settings = {name: str(connection.execute(f"SHOW {name}").fetchone()[0]) for name in DURABLE}  # type: ignore[index]
    except psycopg.Error as error:
        reason = " ".join(str(error).split())
        yield Diagnosis(
            "database", "failing", f"PostgreSQL does not answer: {reason}.", "Check address, user and pg_hba.conf."
        )
        return
    unsafe = [f"{name} = {value}" for name, value in settings.items() if value in ("off", "local")]
    if unsafe:
        advice = "ALTER SYSTEM SET each to on, and reload: an acknowledged bet must survive the power."
        yield Diagnosis("database", "failing", f"PostgreSQL {number} has {', '.join(unsafe)}.", advice)
    else:
        yield Diagnosis("database", "well", f"PostgreSQL {number} answers, and keeps what it has confirmed.")


def check_reachable(patient: Patient) -> Iterator[Diagnosis]:
    """Whether a running house answers where its terminals look for it, by the same clock."""
    if not patient.url:
        return
    address = patient.url.rstrip("/")
    try:
        health = msgspec.convert(_asked(f"{address}/api/health"), HealthCard)
        house = _asked(f"{address}/api/house")
    except URLError as error:
        advice = "Is it running, does its name lead here, and does the firewall let it through?"
        yield Diagnosis("reachable", "failing", f"No house answers at {address}: {error.reason}.", advice)
        return
    except (OSError, ValueError, KeyError) as error:
        yield Diagnosis(
            "reachable", "failing", f"What answers at {address} is not a house: {error}.", "Check the proxy."
        )
        return
    yield Diagnosis("reachable", "well", f"{house['name']} answers at {address}, version {house['version']}.")
    if health.why is not None:
        yield Diagnosis("house", "failing", ENGLISH.say(health.why), "`journalctl -u podium` has the reason.")
    for part, (part_state, why) in health.parts().items():
        if part_state != "well":
            said = ENGLISH.say(why) if why is not None else "It does not work."
            yield Diagnosis(part, part_state, said, ADVICE[part.partition(" ")[0]])
    apart = abs(time() - house["now"] / 1000)
    if apart > MAX_CLOCK_SECONDS:
        yield Diagnosis(
            "reachable", "warning", f"Its clock is {apart:.0f} seconds from this machine's.", "Set both by NTP."
        )
    if address.startswith("http:") and "//localhost" not in address and "//127." not in address:
        yield Diagnosis("reachable", "warning", f"{address} is not TLS.", "See the guide: TLS.")


def _asked(url: str) -> Any:
    try:
        with urlopen(Request(url, headers={"Accept": "application/json"}), timeout=5) as answer:
            return json.loads(answer.read())
    except URLError as error:
        if (body := getattr(error, "read", None)) is not None:  # 503 has the same card
            return json.loads(body())
        raise


CHECKS: Final[tuple[Callable[[Patient], Iterator[Diagnosis]], ...]] = (
    check_versions,
    check_clock,
    check_disk,
    check_files,
    check_owner,
    check_keys,
    check_database,
    check_reachable,
)


def patient(data: Path, database: str, keys: str, url: str) -> Patient:
    """What to check, from the arguments of the command."""
    if url and not url.startswith(("http://", "https://")):
        raise Refused("not-an-address", address=url)
    return Patient(data, database, keys, url)


english(
    "refused", {"not-an-address": "{address:quoted} is not the address of a house: it is like https://play.example."}
)
