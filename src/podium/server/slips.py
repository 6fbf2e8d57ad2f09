"""Slips: what belongs into the journal (EVT-1), left by somebody who cannot write to it.

Nobody but a running house writes to its book. That another program made a backup, or why a house could not open or had
to stop, is left as a small file beside the book; the house notes it within seconds, or when it opens next.
"""

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
    """A slip that lies there."""

    file: Path
    slip: StopSlip


def leave(data: Path, note: Noted, now: int) -> None:
    """Leave a note for the house whose data is in that directory."""
    directory = data / SLIPS
    directory.mkdir(exist_ok=True)
    file = directory / f"{now:016d}-{uuid4().hex}.json"
    made = file.with_suffix(".new")
    made.write_bytes(msgspec.json.encode(StopSlip(now, note)))
    made.rename(file)


def waiting(data: Path, limit: int | None = None) -> list[Waiting]:
    """The slips that wait, the oldest first, or as many of them as are wanted. Files that are not slips are ignored."""
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
