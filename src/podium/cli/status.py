"""`podium status`: which process serves a house, and which ones wait to take it over."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.cli import terminal
from podium.cli.output import print_json
from podium.record.store import BOOK, Lease, Unavailable, Waits, watch_lease
from podium.server.console import ReadConfig, ask_console

NOBODY_SERVES: Final = 1


class ServingLine(msgspec.Struct, frozen=True):
    """The process that owns a house in PostgreSQL."""

    process: str
    """Machine and process id."""
    address: str
    epoch: int
    since: int
    lease_ms: int
    """How long its lease still lasts unless it is renewed; 0 and less: another process may take over."""
    connected: bool
    state: Literal["serves", "late", "gone"]
    """`late`: the lease has ended, and nobody has taken over; `gone`: it gave the house back."""


def show(data: Path, database: str, *, json: bool) -> int:
    """Prints who serves and who waits; fails where nobody serves."""
    if not database:
        return _show_file(data, json=json)
    try:
        with closing(watch_lease(database)) as watch:
            lease, waiting = watch.lease(), watch.waiting()
    except Unavailable as away:
        raise Refused("house-unreadable", error=str(away)) from None
    serving = None if lease is None else _line(lease)
    if json:
        print_json({"serving": serving, "waiting": [each._asdict() for each in waiting]})
    else:
        terminal.show(_said(serving, waiting))
    return 0 if serving is not None and serving.state == "serves" else NOBODY_SERVES


def _line(lease: Lease) -> ServingLine:
    state: Literal["serves", "late", "gone"] = "gone" if not lease.until else "late" if lease.is_over else "serves"
    left = max(0, lease.until - lease.now) if lease.until else 0
    return ServingLine(lease.process, lease.address, lease.epoch, lease.since, left, lease.connected, state)


def _said(serving: ServingLine | None, waiting: list[Waits]) -> list[str]:
    lines = ["nobody   No process has ever served this house."]
    if serving is not None:
        at = f" at {serving.address}" if serving.address else ""
        who = f"{serving.process}{at}, since {_moment(serving.since)}, epoch {serving.epoch}"
        ends = {
            "serves": f"its lease lasts {serving.lease_ms / 1000:.1f} s more unless it is renewed",
            "late": "its lease has ended, and nobody has taken over yet",
            "gone": "it has closed the house",
        }
        lines = [f"{serving.state:8} {who}; {ends[serving.state]}."]
    return [*lines, *(f"waits    {each.process}, since {_moment(each.since)}." for each in waiting)]


def _moment(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _show_file(data: Path, *, json: bool) -> int:
    """A house in a file has one process, whose console is beside the file."""
    if not (data / BOOK).exists():
        raise Refused("house-missing", directory=str(data), book=BOOK)
    serves = ask_console(data, ReadConfig()) is not None
    if json:
        answer: dict[str, Any] = {"serving": {"state": "serves", "data": str(data)} if serves else None, "waiting": []}
        print_json(answer)
    else:
        terminal.show(["serves   This machine." if serves else "nobody   The house is closed."])
    return 0 if serves else NOBODY_SERVES
