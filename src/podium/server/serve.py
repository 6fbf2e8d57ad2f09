"""`podium serve`: open a house, and keep it open."""

import asyncio
import os
import resource
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, NoReturn, TypeVar

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import DEMONSTRATION, House, HouseConfig
from podium.house.checkpoints import public_half
from podium.house.events import Noted
from podium.house.papers import self_check
from podium.house.people import Passwords
from podium.house.shuffling import SealedShuffler
from podium.house.stamps import Stamps, noted_since, since_note
from podium.record.fair import Entropy
from podium.record.generator import Generator
from podium.record.journal import BrokenChain
from podium.record.ledger import LedgerFault
from podium.record.seal import SealBroken
from podium.record.store import BOOK, Damaged, Fenced, GroupCommit, Lease, Owner, Unavailable, open_book
from podium.record.store.keys import KeyFolder, Keys, open_keys, source_of
from podium.server import limits
from podium.server.arrivals import Arrivals
from podium.server.bus import Bus
from podium.server.bus.house_end import HouseEnd
from podium.server.bus.nats import BusAddress, join
from podium.server.clerks import Clerks
from podium.server.clock import HouseClock, system_clock
from podium.server.console import SOCKET, Console, listen_at_console
from podium.server.doors import Doors
from podium.server.enrolment import Enrolment
from podium.server.floor import Floor
from podium.server.garbage import collect_when_calm, share_memory
from podium.server.gateway import Gateway, Limits, LineCheck
from podium.server.gateway.picows import listen
from podium.server.keeping import Keeper
from podium.server.known import KnownTerminals
from podium.server.log import log, log_libraries
from podium.server.numbers import TicketNumbers
from podium.server.passkeys import Passkeys
from podium.server.patrol import Patrol
from podium.server.program import fingerprint
from podium.server.signing import Signing
from podium.server.tenure import Standby, Tenure
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

Result = TypeVar("Result")

SPARE_FILES: Final = 200
"""Open files besides the sockets of terminals and browsers: the book, its log, and those of the program itself."""

FAREWELL_SECONDS: Final = 2.0
"""Seconds in which the terminals of a house that was taken over are told to go."""

LEAST_CONNECTIONS: Final = 100
"""Connections without which it makes no sense to open a house."""

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

    @property
    def named(self) -> str:
        """The address for other machines: this machine's own name where it listens at all addresses."""
        host = socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    def check_free(self) -> None:
        """Raises an OSError if another program listens here."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((self.host, self.port))


class Open:
    """A house that is open: everything that must be closed again."""

    def __init__(
        self,
        data: Path,
        floor: Floor,
        doors: Doors,
        reception: Reception,
        store: GroupCommit,
        signing: Signing,
        clerks: Clerks,
        keeper: Keeper,
    ) -> None:
        self.data: Final = data
        self.house: Final = floor.house
        self.floor: Final = floor
        self.doors: Final = doors
        self.reception: Final = reception
        self.store: Final = store
        self.signing: Final = signing
        self.clerks: Final = clerks
        self.gateway: Gateway | None = None
        self.keeper: Final = keeper
        self.console: Final = Console(floor, reception.enrolment, keeper)
        self.console_server: asyncio.Server | None = None
        self.watching: list[asyncio.Task[None]] = []
        self.patrol: Patrol | None = None
        """None where there is no file to go through."""
        self.house_end: HouseEnd | None = None
        """None where there is no bus, and until NATS answers."""
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
    clock: HouseClock | None = None,
    entropy: Entropy | None = None,
    copy_command: str = "",
    standby: bool = False,
    taken_from: str = "",
    bus: BusAddress | None = None,
) -> Open:
    """Opens a house from its journal, or begins a new one; serves nobody before every check has passed (INT-2).

    `config` is the seed of a new house. `keys` says where the keys are, as `source_of` reads it. Without an address nobody is
    served, for what is done at the console of a house that is closed. `standby`: another process may wait to take over;
    `taken_from` is the one that served before this one.
    """
    certificate = Certificate(address.tls) if address is not None and address.tls is not None else None
    data.mkdir(parents=True, exist_ok=True)
    entropy = entropy or os.urandom  # RNG-1: always this in a house; only a recorded round repeats itself
    source = source_of(keys, data, entropy)
    held = open_keys(source, data)
    place = database or data / BOOK
    owner = Owner(address.named if address is not None else "", held.digest)
    book = await asyncio.to_thread(lambda: open_book(place, alone=True, owner=owner))
    store = GroupCommit(book)
    tenure = Tenure(book.renew, gives_way=standby)
    # A file needs no lease; a database needs it as soon as it is open.
    renewing = [asyncio.create_task(tenure.run())] if database else []
    clock = clock or HouseClock()
    try:
        clock.never_before(await store.read(last_written))
        shuffler = SealedShuffler(held.seal.seal(entropy), Generator(entropy))
        house = House(shuffler, stamps=Stamps(held.sessions, held.tickets, since=noted_since(source, data)))
        tokens = Tokens(held, entropy)
        await store.read(self_check)
        await _come_back(house, store, held, tokens, config, clock, taken_from)
        numbers = TicketNumbers(held, entropy)
        doors = Doors(house, passwords or Passwords(entropy), entropy, numbers, tokens)
        enrolment = Enrolment(house, doors)
        known_terminals = KnownTerminals(house, tokens, entropy, clock)
        passkeys = Passkeys(house, doors, entropy)
        doors.floor = floor = Floor(house, store, shuffler, doors, clock, theory)
        signing = Signing(store, held.signature.current, clock)
        vigil = Vigil(doors, floor, data, place, signing, clock)
        await vigil.remember(store)
        arrivals = Arrivals(
            lambda: house.config,
            lambda: (
                address.host if address is not None else "",
                *(certificate.names if certificate is not None else ()),
            ),
        )
        clerks = Clerks(place)
        keeper = Keeper(floor, vigil, store, data, place, copy_command=copy_command)
        reception = Reception(
            floor,
            doors,
            enrolment,
            known_terminals,
            passkeys,
            clerks,
            vigil,
            arrivals,
            entropy=entropy,
            numbers=numbers,
        )
        opened = Open(data, floor, doors, reception, store, signing, clerks, keeper)
        opened.watching += renewing
        tenure.lost.add_done_callback(lambda lost: floor.fail(lost.exception() or RuntimeError("the lease was lost")))
        invitation = enrolment.first_operator(clock()) if address is not None else None
        opened.invitation = f"/welcome#{invitation}" if invitation else None
        terminal = enrolment.first_terminal(clock()) if address is not None else None
        opened.first_terminal = f"/terminal#{terminal}" if terminal else None
        await floor.keep()
        if isinstance(source, KeyFolder):
            source.note(since_note(data), str(house.shelf.tickets_since))
        await vigil.take_slips()
        if address is None:
            return opened
        floor.start()
        if tenure.lost.done():
            tenure.lost.result()
        loop = asyncio.get_running_loop()

        def told(reason: str | None) -> None:
            loop.call_soon_threadsafe(floor.stand_still, reason)

        store.told = told
        try:
            await _listen(opened, address, certificate)
            if bus is not None:
                opened.watching.append(asyncio.create_task(_join_bus(opened, bus, book.epoch, clock())))
            opened.console_server = await listen_at_console(data, opened.console)
            if isinstance(place, Path):
                opened.patrol = Patrol(floor, place)
                opened.watching.append(asyncio.create_task(opened.patrol.run()))
        except BaseException:
            floor.stop()
            raise
    except BaseException:
        for task in renewing:
            task.cancel()
        await store.close()
        raise
    signer = await opened.signing.key()
    log.info("open", program=fingerprint(), tables=len(house.tables), port=opened.port, signer=str(signer))
    return opened


async def _come_back(
    house: House,
    store: GroupCommit,
    keys: Keys,
    tokens: Tokens,
    config: HouseConfig | None,
    clock: HouseClock,
    taken_from: str,
) -> None:
    """Loads the house from its journal and its documents; if they do not agree, it does not open (INT-5)."""
    now = clock()
    try:
        await store.read(house.come_back)
    except (BrokenChain, LedgerFault, Refused, SealBroken, msgspec.MsgspecError) as fault:
        raise Damaged(f"{fault} Nothing was changed; see what `podium verify` says.") from None
    last = await store.read(last_written)
    house.resume(last, now)
    note_return(house, last, now, clock.system(), taken_from)
    note_keys(house, keys.ids, now)
    if not house.shelf.stamped:
        tokens.refile(house, now)
    house.shelf.stamp_anew(now)
    if not house.version:
        # The file is the seed of an empty house; after that the house keeps its own configuration.
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
        Limits(
            connections_per_address=opened.house.config.connections_per_address,
            connections_in_all=room_for_connections(),
        ),
        pages=application(reception),
        arrivals=reception.arrivals,
        tls=certificate,
        known=_line_check(reception),
    )
    opened.port = opened.gateway.port
    opened.watching += [asyncio.create_task(each.run()) for each in (reception.vigil, opened.keeper, opened.signing)]
    if certificate is not None:
        opened.watching.append(
            asyncio.create_task(
                certificate.watch(lambda kind, reason: opened.floor.note(Noted(kind, "house", "", reason)))
            )
        )


async def serve_gateways(opened: Open, bus: Bus, name: str, epoch: int, since: int) -> HouseEnd:
    """Serves gateways in processes of their own."""
    assert opened.gateway is not None
    end = HouseEnd(
        bus,
        name,
        opened.floor,
        opened.gateway.page_for,
        lambda: opened.house.config,
        arrivals=opened.reception.arrivals,
        known=_line_check(opened.reception),
        epoch=epoch,
        since=since,
    )
    await end.open()
    return end


async def _join_bus(opened: Open, address: BusAddress, epoch: int, since: int) -> None:
    """Serves gateways as soon as the bus answers."""
    opened.house_end = await serve_gateways(opened, await join(address), address.name, epoch, since)


def _line_check(reception: Reception) -> LineCheck:
    return partial(reception.doors.check_line, reception.known_terminals)


async def close_house(opened: Open) -> None:
    """Closes the house. What was acknowledged is durable, so there is nothing else to do."""
    for task in opened.watching:
        task.cancel()
    if opened.console_server is not None:
        opened.console_server.close()
        (opened.data / SOCKET).unlink(missing_ok=True)
    if opened.house_end is not None:
        await opened.house_end.close()
    if opened.gateway is not None:
        await opened.gateway.close()
    opened.doors.close()
    await note_end(opened.floor)
    opened.floor.coach.close()
    await opened.floor.mathematics.close()
    await opened.clerks.close()
    await opened.signing.close()
    await opened.store.close()


def allow_files() -> None:
    """Asks the system for as many open files as the limits allow; every connection needs one.

    With fewer, fewer connections are let in. A house that cannot open its own files any more would have to stop.
    """
    needed = FILES_NEEDED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if allowed < SPARE_FILES + LEAST_CONNECTIONS:
        raise Refused("house-too-few-files", allowed=allowed, least=SPARE_FILES + LEAST_CONNECTIONS, needed=needed)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < needed:
        log.warning("the system allows fewer open files than the limits of the house", allowed=allowed, needed=needed)


def room_for_connections() -> int:
    """How many connections there may be, so that the files of the house itself can always be opened."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (FILES_NEEDED if soft == resource.RLIM_INFINITY else min(soft, FILES_NEEDED)) - SPARE_FILES


def stop_signal() -> asyncio.Event:
    """Set when this process is told to end."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # the terminal it was started at is closed, without nohup
        loop.add_signal_handler(signal.SIGHUP, stop.set)
    return stop


async def serve(
    data: Path,
    address: Address,
    *,
    config: HouseConfig | None = None,
    database: str = "",
    keys: str = "",
    copy_command: str = "",
    standby: bool = False,
    bus: BusAddress | None = None,
    said: Callable[[Open], None] = lambda opened: None,
    waits: Callable[[Lease], None] = lambda lease: None,
) -> None:
    """Serves until it is told to stop, or until the house must stop because something is broken.

    `standby`: while another process serves the house, this one waits, and takes over when the other's lease has ended. When this
    one can no longer write, it starts over. `waits` is called with the lease of the other.
    """
    log_libraries()
    share_memory()
    stop = stop_signal()
    taken_from: str | None = ""
    if standby:
        address.check_free()
        await asyncio.to_thread(fingerprint)  # worked out before it is needed
        taken_from = await unless(stop, Standby(database, source_of(keys, data, os.urandom), waits).wait())
    if taken_from is not None:
        opening = partial(
            open_house,
            data,
            address,
            config=config,
            database=database,
            keys=keys,
            theory=Theory(),
            copy_command=copy_command,
            standby=standby,
            taken_from=taken_from,
            bus=bus,
        )
        await _serve_until(stop, opening, data, said, standby=standby)


async def unless(stop: asyncio.Event, what: Coroutine[None, None, Result]) -> Result | None:
    """Awaits something until it is done or the process is told to stop; None if it was told to stop."""
    doing, stopping = asyncio.create_task(what), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return doing.result() if doing.done() else None
    finally:
        for task in (doing, stopping):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _serve_until(
    stop: asyncio.Event,
    opening: Callable[[], Awaitable[Open]],
    data: Path,
    said: Callable[[Open], None],
    *,
    standby: bool,
) -> None:
    opened: Open | None = None
    try:
        opened = await opening()
        opened.watching.append(asyncio.create_task(collect_when_calm(opened.house.tables.values())))
        said(opened)
        await unless(stop, opened.floor.run())
    except Exception as error:
        if opened is not None or isinstance(error, Damaged | UnknownProgram):
            leave_reason(data, error, system_clock())
        if standby and isinstance(error, Fenced | Unavailable):
            await _begin_anew(opened, error)
        raise
    finally:
        if opened is not None:
            await close_house(opened)


async def _begin_anew(opened: Open | None, why: Exception) -> NoReturn:
    """Runs this program from its beginning, in this process, to wait again. Nothing of the house is left, not even a thread that
    waits for a database which does not answer. As after a kill, all that was acknowledged is in the journal."""
    log.warning("this process waits again", reason=str(why))
    if opened is not None and opened.gateway is not None:
        leaving = opened.gateway.close(), opened.clerks.close(), opened.floor.mathematics.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await asyncio.gather(*leaving, return_exceptions=True)
    sys.stdout.flush()
    os.execv(sys.executable, sys.orig_argv)


english(
    "refused",
    {
        "house-too-few-files": (
            "The system allows {allowed} open files, and a house needs {least} to begin, {needed} at its limits: set LimitNOFILE={needed} "
            "in the systemd unit, or `ulimit -n {least}` and more."
        )
    },
)
