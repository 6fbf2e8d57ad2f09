"""Slips: notes for the journal (EVT-1) from programs that cannot write to it.

Only a running house writes to its book. Another program that made a backup, or a house that could not open or had to stop,
leaves a small file beside the book; the house notes it within seconds, or when it opens next.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

import msgspec

from podium.house.events import NOTED, Noted

SLIPS: Final = "slips"
"""The directory, beside the book of a house."""


class StopSlip(msgspec.Struct, frozen=True):
    """A note, and when it was left."""

    time: int
    note: Noted


class Waiting(NamedTuple):
    """A slip in the directory."""

    file: Path
    slip: StopSlip


def leave(data: Path, note: Noted, now: int) -> None:
    """Leaves a note for the house whose data is in that directory."""
    directory = data / SLIPS
    directory.mkdir(exist_ok=True)
    file = directory / f"{now:016d}-{uuid4().hex}.json"
    made = file.with_suffix(".new")
    made.write_bytes(msgspec.json.encode(StopSlip(now, note)))
    if (
        os.geteuid() == 0
    ):  # `sudo podium backup`: the house itself runs as the owner of its data, and takes the slip away
        owner = data.stat()
        for each in (directory, made):
            os.chown(each, owner.st_uid, owner.st_gid)
    made.rename(file)


def waiting(data: Path, limit: int | None = None) -> list[Waiting]:
    """The waiting slips, the oldest first, up to a limit. Files that are not slips are ignored."""
    found: list[Waiting] = []
    for file in sorted((data / SLIPS).glob("*.json")):
        if len(found) == limit:
            break
        try:
            slip = msgspec.json.decode(file.read_bytes(), type=StopSlip)
        except (OSError, msgspec.MsgspecError):
            continue
        if slip.note.kind in NOTED:
            found.append(Waiting(file, slip))
    return found
