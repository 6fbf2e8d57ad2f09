"""`podium serve`: open a house, and keep it open."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from podium.basics.refusal import Refused
from podium.house import DEMONSTRATION, House, HouseConfig
from podium.house.checkpoints import public_half
from podium.house.events import Noted
from podium.house.papers import self_check
from podium.house.people import Passwords
from podium.house.shuffling import SealedShuffler
from podium.house.stamps import Stamps
from podium.record.fair import Entropy
from podium.record.generator import Generator
from podium.record.journal import BrokenChain
from podium.record.ledger import LedgerFault
from podium.record.seal import SealBroken
from podium.record.store import BOOK, Damaged, GroupCommit, open_book
from podium.record.store.keys import Keys, open_keys, source_of
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.console import SOCKET, Console, listen_at_console
from podium.server.devices import Devices
from podium.server.doors import Doors
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.gateway import Gateway, Limits
from podium.server.gateway.picows import listen
from podium.server.log import log, log_libraries
from podium.server.numbers import TicketNumbers
from podium.server.passkeys import Passkeys
from podium.server.program import fingerprint
from podium.server.signing import Signing
from podium.server.theory import Theory
from podium.server.tls import Certificate, CertificateFiles
from podium.server.tokens import Tokens
from podium.server.vigil import (
    UnknownProgram,
    Vigil,
    check_program,
    last_written,
    leave_reason,
    note_end,
    note_keys,
    note_return,
)
from podium.server.web import Reception, application

SPARE_FILES: Final = 200
"""Open files besides the sockets of terminals and browsers: the book, its log, and those of the program itself."""

FILES_NEEDED: Final = limits.MAX_OPEN_SOCKETS + limits.MAX_HTTP_CONNECTIONS + SPARE_FILES
"""Open files of a house at its limits."""


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

    def __init__(
        self, data: Path, floor: Floor, doors: Doors, reception: Reception, store: GroupCommit, signing: Signing
    ) -> None:
        self.data: Final = data
        self.house: Final = floor.house
        self.floor: Final = floor
        self.doors: Final = doors
        self.reception: Final = reception
        self.store: Final = store
        self.signing: Final = signing
        self.gateway: Gateway | None = None
        self.console: Final = Console(floor, reception.enrolment)
        self.console_server: asyncio.Server | None = None
        self.watching: list[asyncio.Task[None]] = []
        self.port = 0
        self.invitation: str | None = None
        """The first operator's link, until there is an operator who can sign in."""
        self.first_terminal: str | None = None
        """The link of the first known terminal, where the house needs one and has none."""


async def open_house(
    data: Path,
    address: Address | None,
    *,
    config: HouseConfig | None = None,
    database: str = "",
    keys: str = "",
    theory: Theory | None = None,
    passwords: Passwords | None = None,
    clock: Callable[[], int] = clock,
    entropy: Entropy | None = None,
) -> Open:
    """Opens a house from its journal, or begins a new one; serves nobody before every check has passed (INT-2).

    `config` is the seed of a new house. `keys` says where the keys are, as `source_of` reads it. Without an address nobody is
    served, for what is done at the console of a house that is closed.
    """
    certificate = Certificate(address.tls) if address is not None and address.tls is not None else None
    data.mkdir(parents=True, exist_ok=True)
    entropy = entropy or os.urandom  # RNG-1: nothing else in a house; a recorded round repeats itself
    held = open_keys(source_of(keys, data, entropy), data)
    place = database or data / BOOK
    store = GroupCommit(await asyncio.to_thread(lambda: open_book(place, alone=True)))
    try:
        shuffler = SealedShuffler(held.seal.seal(entropy), Generator(entropy))
        house = House(shuffler, stamps=Stamps(held.sessions))
        tokens = Tokens(held, entropy)
        await store.read(self_check)
        await _come_back(house, store, held, tokens, config, clock())
        numbers = TicketNumbers(held, entropy)
        doors = Doors(house, passwords or Passwords(entropy), entropy, numbers, tokens)
        enrolment = Enrolment(house, doors)
        devices = Devices(house, tokens, entropy, clock)
        passkeys = Passkeys(house, doors, entropy)
        doors.floor = floor = Floor(house, store, shuffler, doors, clock, theory)
        signing = Signing(store, held.signature.current, clock)
        vigil = Vigil(doors, floor, data, place, signing)
        await vigil.remember(store)
        arrivals = Arrivals(
            lambda: house.config,
            lambda: (
                address.host if address is not None else "",
                *(certificate.names if certificate is not None else ()),
            ),
        )
        reception = Reception(
            floor, doors, enrolment, devices, passkeys, store, vigil, arrivals, entropy=entropy, numbers=numbers
        )
        opened = Open(data, floor, doors, reception, store, signing)
        invitation = enrolment.first_operator(clock()) if address is not None else None
        opened.invitation = f"/welcome#{invitation}" if invitation else None
        terminal = enrolment.first_terminal(clock()) if address is not None else None
        opened.first_terminal = f"/terminal#{terminal}" if terminal else None
        await floor.keep()
        await vigil.take_slips()
        if address is None:
            return opened
        floor.start()
        loop = asyncio.get_running_loop()

        def told(reason: str | None) -> None:
            loop.call_soon_threadsafe(floor.stand_still, reason)

        store.told = told
        try:
            await _listen(opened, address, certificate)
            opened.console_server = await listen_at_console(data, opened.console)
        except BaseException:
            floor.stop()
            raise
    except BaseException:
        await store.close()
        raise
    signer = await opened.signing.key()
    log.info("open", program=fingerprint(), tables=len(house.tables), port=opened.port, signer=str(signer))
    return opened


async def _come_back(
    house: House, store: GroupCommit, keys: Keys, tokens: Tokens, config: HouseConfig | None, now: int
) -> None:
    """Loads the house from its journal and its documents; if they do not agree, it does not open (INT-5)."""
    try:
        await store.read(house.come_back)
    except (BrokenChain, LedgerFault, Refused, SealBroken, msgspec.MsgspecError) as fault:
        raise Damaged(f"{fault} Nothing was changed; see what `podium verify` says.") from None
    note_return(house, await store.read(last_written), now)
    note_keys(house, keys.ids, now)
    if not house.shelf.stamped:
        tokens.refile(house, now)
    house.shelf.stamp_anew(now)
    if not house.version:
        # The file is the seed of an empty house; afterwards the house itself is the master of its configuration.
        house.configure(config or DEMONSTRATION, now)
    await asyncio.to_thread(check_program, house, house.config, now)
    program = await asyncio.to_thread(fingerprint)
    house.started(program, now, signer=public_half(keys.signature.current), keys=keys.ids)


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
        known=partial(reception.doors.check_line, reception.devices),
    )
    opened.port = opened.gateway.port
    opened.watching += [asyncio.create_task(each.run()) for each in (reception.vigil, opened.signing)]
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
    if opened.console_server is not None:
        opened.console_server.close()
        (opened.data / SOCKET).unlink(missing_ok=True)
    if opened.gateway is not None:
        await opened.gateway.close()
    opened.doors.close()
    await note_end(opened.floor)
    opened.floor.coach.close()
    await opened.floor.mathematics.close()
    await opened.signing.close()
    await opened.store.close()


def _allow_files() -> None:
    """Asks the system for as many open files as the limits allow; every connection needs one."""
    needed = FILES_NEEDED
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
    keys: str = "",
    said: Callable[[Open], None] = lambda opened: None,
) -> None:
    """Serves until it is told to stop, or until the house must stop because something is broken."""
    log_libraries()
    _allow_files()
    try:
        opened = await open_house(data, address, config=config, database=database, keys=keys, theory=Theory())
    except (Damaged, UnknownProgram) as reason:
        leave_reason(data, reason, clock())
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
