"""What the long modes found: each leaves a file in `results/`, with the fingerprint of the program that it tested."""

import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import msgspec

from podium.server.program import fingerprint
from tests.mutants.listed import ROOT

RESULTS: Final = Path(os.environ.get("PODIUM_RESULTS", ROOT / "results"))
Figure = int | float | str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run of a long mode."""

    mode: str
    command: str
    made: str
    """When it ended, in UTC."""
    seconds: float
    program: str
    """The fingerprint of the program (VER-1)."""
    ended: Literal["passed", "failed", "stopped"]
    figures: dict[str, Figure]
    details: dict[str, str]
    """By test, fault or module: what came of it."""


class Findings:
    """What a run finds, while it runs."""

    def __init__(self, program: str = "") -> None:
        self.program: Final = program
        self.figures: dict[str, Figure] = {}
        self.details: dict[str, str] = {}
        self.failed = False


@contextmanager
def recorded(mode: str, folder: Path = RESULTS) -> Iterator[Findings]:
    """Keeps what a run finds, also when it fails or is stopped."""
    findings, began = Findings(fingerprint()), time.monotonic()
    ended: Literal["passed", "failed", "stopped"] = "stopped"
    try:
        yield findings
        ended = "failed" if findings.failed else "passed"
    except Exception as error:
        ended = "failed"
        findings.figures["error"] = f"{type(error).__name__}: {error}"[:1_000]
        raise
    finally:
        keep(
            Result(
                mode,
                shlex.join([Path(sys.argv[0]).name if sys.argv else "", *sys.argv[1:]]),
                datetime.now(UTC).isoformat(timespec="seconds"),
                round(time.monotonic() - began, 1),
                findings.program,
                ended,
                findings.figures,
                findings.details,
            ),
            folder,
        )


def keep(result: Result, folder: Path = RESULTS) -> None:
    """Writes a result in the place of the last one of its mode."""
    folder.mkdir(exist_ok=True)
    written = folder / f"{result.mode}.json.new"
    written.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    written.replace(folder / f"{result.mode}.json")


def kept(mode: str, folder: Path = RESULTS) -> Result | None:
    """The last result of a mode; None if it has not run."""
    file = folder / f"{mode}.json"
    return msgspec.json.decode(file.read_bytes(), type=Result) if file.is_file() else None
