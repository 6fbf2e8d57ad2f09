"""`podium serve`: open a house and say where it is."""

import asyncio
import errno
import socket
import sys
from collections.abc import Coroutine
from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.data import default_data
from podium.cli.files import not_allowed, unreadable
from podium.house import HouseConfig, read_config
from podium.house.config import settled
from podium.house.people import Person
from podium.record.store import BOOK, Damaged, Fenced, Lease, Unavailable
from podium.record.store.address import is_address
from podium.server.bus.nats import BusAddress
from podium.server.serve import Address, Open, allow_files, serve
from podium.server.tls import CertificateFiles
from podium.server.vigil import UnknownProgram

FAILED = 1


def address(host: str, port: int, certificate: Path | None, key: Path | None, clients: Path | None = None) -> Address:
    """Where the house listens."""
    if (certificate is None) != (key is None):
        raise Refused("certificate-and-key")
    if certificate is None or key is None:
        if clients is not None:
            raise Refused("clients-without-tls", clause="SEC-3")
        return Address(host, port)
    return Address(host, port, CertificateFiles(certificate, key, clients))


def run(
    data: Path | None,
    config: Path | None,
    address: Address,
    *,
    database: str = "",
    keys: str = "",
    copy_command: str = "",
    standby: bool = False,
    bus: BusAddress | None = None,
) -> int:
    """Serves until stopped. Prints the reason why the house stopped as one sentence; the journal has the rest."""
    where = data or default_data()
    if standby and not is_address(database):
        raise Refused("lease-address")
    allow_files()
    opened: list[Open] = []
    chosen = read(config) if config else None

    def said(house: Open) -> None:
        opened.append(house)
        has = house.house.config
        if chosen is not None and settled(chosen, has.tables) != has:
            print(
                f"The house keeps the configuration that it has, which is not that of {config}: `podium config diff {config} --data"
                f" {where}` shows the differences, `podium config apply` makes them.",
                file=sys.stderr,
                flush=True,
            )
        say(house, address, where)

    try:
        run_loop(
            serve(
                where,
                address,
                config=chosen,
                database=database,
                keys=keys,
                copy_command=copy_command,
                standby=standby,
                bus=bus,
                said=said,
                waits=say_waiting,
            )
        )
    except OSError as error:
        print(f"The house cannot open: {why_not(error, address)}", file=sys.stderr)
        return FAILED
    except (Damaged, Fenced, Unavailable, UnknownProgram) as error:
        forbidden = not_allowed(where / BOOK) if isinstance(error, Unavailable) and not opened and not database else ""
        print(f"The house {'has stopped' if opened else 'cannot open'}: {forbidden or error}", file=sys.stderr)
        return FAILED
    return 0


def why_not(error: OSError, address: Address) -> str:
    """What the system refuses to a house that opens, and what to do."""
    at = f"{address.host}:{address.port}"
    if error.filename is not None:
        return not_allowed(Path(error.filename)) or f"{error.filename}: {(error.strerror or str(error)).lower()}."
    if error.errno == errno.EADDRINUSE:
        return f"another program listens at {at}. End it, or give another --port."
    if error.errno == errno.EACCES:
        return f"only root may listen at port {address.port}. Give a --port from 1024 on, or the service CAP_NET_BIND_SERVICE."
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{address.host} is not an address of this machine. Give another --host; 0.0.0.0 is all of them."
    return f"{error.strerror or error}."


def say_waiting(lease: Lease) -> None:
    """Prints which process this one waits for."""
    where = f" at {lease.address}" if lease.address else ""
    print(
        f"{lease.process} serves this house{where}. This process waits, and takes over when that one fails.", flush=True
    )


def run_loop(serving: Coroutine[None, None, None]) -> None:
    """Runs a server in an event loop of its own, the fastest that there is here."""
    if sys.platform == "win32":
        asyncio.run(serving)
    else:
        import uvloop  # noqa: PLC0415  # not made for Windows

        uvloop.run(serving)


def read(path: Path) -> HouseConfig:
    try:
        return read_config(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None


def say(opened: Open, address: Address, data: Path) -> None:
    """Prints the addresses of the screens."""
    name = "localhost" if address.host in ("127.0.0.1", "0.0.0.0", "::") else address.host
    base = f"{address.scheme}://{f'[{name}]' if ':' in name else name}:{opened.port}"
    table = next(iter(opened.house.tables), "TABLE")
    print(f"{opened.house.config.name} is open, with {len(opened.house.tables)} tables. Its data is in {data}.")
    print(f"  players    {base}/play")
    print(f"  dealers    {base}/dealer")
    print(f"  the wall   {base}/display/{table}")
    print(f"  the floor  {base}/floor")
    if opened.invitation:
        alone = any(person.password and person.role == "operator" for person in opened.house.shelf.every(Person))
        why = (
            "Only one person is left who checks others. Let a second operator choose a password here"
            if alone
            else "There is no operator yet. Choose the password of the first one here"
        )
        print(f"{why}, once, within a day:\n  {base}{opened.invitation}")
    if opened.first_terminal:
        print(
            f"This house needs known terminals and has none. Open this in the browser of the first one:\n  {base}{opened.first_terminal}"
        )
    print("Ctrl-C closes it; it comes back where it was.", flush=True)


english(
    "refused",
    {
        "clients-without-tls": "Terminals show certificates by TLS only: give --tls-certificate and --tls-key with --tls-clients.",
        "certificate-and-key": "A certificate needs its key, and a key its certificate: give both --tls-certificate and --tls-key.",
    },
)
