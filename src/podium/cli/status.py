"""`podium status`: which process serves a house, and which ones wait to take it over."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli import terminal
from podium.cli.output import print_json
from podium.record.store import BOOK, Lease, Unavailable, Waits, watch_lease
from podium.server.bus.frames import Beacon, beacon_subject, decode_beacon
from podium.server.bus.link import BEAT_SECONDS
from podium.server.bus.nats import BusAddress, join
from podium.server.console import ReadConfig, ask_console

NOBODY_SERVES: Final = 1
BUS_SECONDS: Final = 5
BUS_PATIENCE_SECONDS: Final = 0.5
"""Seconds that a beacon may be late."""


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


def show_gateways(bus: BusAddress, *, json: bool) -> int:
    """Prints which process the gateways of a house have a link with, and how many terminals each holds."""
    beacon = asyncio.run(_listen(bus))
    if json:
        print_json(
            {"serving": None if beacon is None else beacon.process, "gateways": beacon.gateways if beacon else []}
        )
    elif beacon is None:
        terminal.show(["nobody   No house says on the bus that it is there."])
    else:
        gateways = [f"gateway  {each.address}, with {each.lines:,} terminals." for each in beacon.gateways]
        since = f"serves   {beacon.process}, since {_moment(beacon.since)}, epoch {beacon.epoch}."
        terminal.show([since, *(gateways or ["nobody   No gateway has a link with it."])])
    return NOBODY_SERVES if beacon is None else 0


async def _listen(address: BusAddress) -> Beacon | None:
    """What the newest house on a bus says of itself."""
    heard: list[Beacon] = []
    try:
        async with asyncio.timeout(BUS_SECONDS):
            bus = await join(address)
    except TimeoutError:
        raise Refused("bus-silent") from None
    await bus.listen(beacon_subject(address.name), lambda message: heard.append(decode_beacon(message)))
    await asyncio.sleep(2 * BEAT_SECONDS + BUS_PATIENCE_SECONDS)
    await bus.close()
    return max(heard, key=lambda each: (each.epoch, each.since), default=None)


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


english("refused", {"bus-silent": "NATS does not answer: check the address, and whether the server runs."})
