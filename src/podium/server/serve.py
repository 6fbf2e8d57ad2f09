"""`podium serve`: open a house, and keep it open."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.house import DEMONSTRATION, House, HouseConfig
from podium.house.events import Noted
from podium.house.papers import self_check
from podium.house.people import Passwords
from podium.house.shuffling import SealedShuffler
from podium.record.journal import BrokenChain
from podium.record.ledger import LedgerFault
from podium.record.seal import Seal, SealBroken
from podium.record.store import BOOK, KEY, Damaged, GroupCommit, open_book
from podium.record.store.keyfile import read_key
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.doors import Doors
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.gateway import Gateway, Limits
from podium.server.gateway.picows import listen
from podium.server.log import log, log_libraries
from podium.server.program import fingerprint
from podium.server.theory import Theory
from podium.server.tls import Certificate, CertificateFiles
from podium.server.vigil import Vigil, last_written, leave_reason, note_end, note_return
from podium.server.web import Reception, application

SPARE_FILES: Final = 200
"""Open files besides the sockets of terminals and browsers: the book, its log, and those of the program itself."""


class Address(NamedTuple):
    """Where the house listens: pages, requests and terminals at one port, by TLS where it has a certificate."""

    host: str = "127.0.0.1"
    port: int = 8000
    tls: CertificateFiles | None = None

    @property
    def scheme(self) -> str:
        return "http" if self.tls is None else "https"


def clock() -> int:
    """One clock stamps everything (TIME-1): milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Open:
    """A house that is open: everything that must be closed again."""

    def __init__(self, floor: Floor, doors: Doors, reception: Reception, store: GroupCommit) -> None:
        self.house: Final = floor.house
        self.floor: Final = floor
        self.doors: Final = doors
        self.reception: Final = reception
        self.store: Final = store
        self.gateway: Gateway | None = None
        self.watching: list[asyncio.Task[None]] = []
        self.port = 0
        self.invitation: str | None = None
        """The first operator's link, until there is an operator who can sign in."""


async def open_house(
    data: Path,
    address: Address,
    *,
    config: HouseConfig | None = None,
    database: str = "",
    theory: Theory | None = None,
    passwords: Passwords | None = None,
    clock: Callable[[], int] = clock,
) -> Open:
    """Opens a house from its journal, or begins a new one; serves nobody before every check has passed (INT-2)."""
    certificate = Certificate(address.tls) if address.tls is not None else None
    data.mkdir(parents=True, exist_ok=True)
    key = read_key(data / KEY, os.urandom)
    place = database or data / BOOK
    store = GroupCommit(open_book(place))
    try:
        shuffler = SealedShuffler(Seal(key, os.urandom), os.urandom)
        house = House(shuffler)
        await store.read(self_check)
        await _come_back(house, store, config, clock())
        doors = Doors(house, passwords or Passwords(os.urandom), os.urandom)
        enrolment = Enrolment(house, doors, os.urandom)
        doors.floor = floor = Floor(house, store, shuffler, doors, clock, theory)
        vigil = Vigil(doors, floor, data, place)
        arrivals = Arrivals(
            lambda: house.config, lambda: (address.host, *(certificate.names if certificate is not None else ()))
        )
        reception = Reception(floor, doors, enrolment, store, vigil, arrivals, entropy=os.urandom, secret=key)
        opened = Open(floor, doors, reception, store)
        invitation = enrolment.first_operator(clock())
        opened.invitation = f"/welcome#{invitation}" if invitation else None
        await floor.keep()
        await vigil.take_slips()
        await _listen(opened, address, certificate)
    except BaseException:
        await store.close()
        raise
    log.info("open", program=fingerprint(), tables=len(house.tables), port=opened.port)
    return opened


async def _come_back(house: House, store: GroupCommit, config: HouseConfig | None, now: int) -> None:
    """Loads the house from its journal and its documents; if they do not agree, it does not open (INT-5)."""
    try:
        await store.read(house.come_back)
    except (BrokenChain, LedgerFault, Refused, SealBroken, msgspec.MsgspecError) as fault:
        raise Damaged(f"{fault} Nothing was changed; see what `podium verify` says.") from None
    note_return(house, await store.read(last_written), now)
    wanted = config or (house.config if house.version else DEMONSTRATION)
    if wanted != house.config:
        house.configure(wanted, now)
    house.started(fingerprint(), now)


async def _listen(opened: Open, address: Address, certificate: Certificate | None) -> None:
    reception = opened.reception
    opened.gateway = await listen(
        opened.floor,
        address.host,
        address.port,
        Limits(connections_per_address=opened.house.config.connections_per_address),
        pages=application(reception),
        arrivals=reception.arrivals,
        tls=certificate,
    )
    opened.port = opened.gateway.port
    opened.watching.append(asyncio.create_task(reception.vigil.run()))
    if certificate is not None:
        opened.watching.append(
            asyncio.create_task(
                certificate.watch(lambda kind, reason: opened.floor.note(Noted(kind, "house", "", reason)))
            )
        )


async def close_house(opened: Open) -> None:
    """Closes the house. What was acknowledged is durable, so there is nothing else to do."""
    for task in opened.watching:
        task.cancel()
    if opened.gateway is not None:
        await opened.gateway.close()
    opened.doors.close()
    await note_end(opened.floor)
    opened.floor.coach.close()
    await opened.floor.mathematics.close()
    await opened.store.close()


def _allow_files() -> None:
    """Asks the system for as many open files as the limits allow; every connection needs one."""
    needed = limits.MAX_OPEN_SOCKETS + limits.MAX_HTTP_CONNECTIONS + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < needed:
        log.warning("the system allows fewer open files than the limits of the house", allowed=allowed, needed=needed)


async def serve(
    data: Path,
    address: Address,
    *,
    config: HouseConfig | None = None,
    database: str = "",
    said: Callable[[Open], None] = lambda opened: None,
) -> None:
    """Serves until it is told to stop, or until the house must stop because something is broken."""
    log_libraries()
    _allow_files()
    try:
        opened = await open_house(data, address, config=config, database=database, theory=Theory())
    except Damaged as damaged:
        leave_reason(data, damaged, clock())
        raise
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    running = asyncio.create_task(opened.floor.run())
    stopping = asyncio.create_task(stop.wait())
    try:
        said(opened)
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done() and (error := running.exception()) is not None:
            leave_reason(data, error, clock())
            raise error
    finally:
        for task in (running, stopping):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        await close_house(opened)
