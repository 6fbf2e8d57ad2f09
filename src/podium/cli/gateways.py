"""`podium gateway`: hold the sockets of a house that is served elsewhere."""

import sys
from pathlib import Path

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.cli.files import unreadable
from podium.cli.serving import FAILED, run_loop
from podium.record.store.keys import check_private
from podium.server.bus.gateway_end import GatewayEnd
from podium.server.bus.nats import BusAddress
from podium.server.front import serve_gateway
from podium.server.serve import Address


def bus_of(url: str, file: Path | None, authority: Path | None, name: str) -> BusAddress | None:
    """The bus of a house: from the command line without a password, or with one from a file that only its owner can read."""
    if url and file is not None:
        raise Refused("bus-twice")
    if "@" in url:
        raise Refused("bus-password", clause="SEC-7")
    if file is not None:
        try:
            check_private(file, 0o600)
            url = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(file, error) from None
    if not url:
        return None
    address = BusAddress(url, name, authority)
    address.check()
    return address


def run(bus: BusAddress | None, address: Address) -> int:
    """Serves until stopped."""
    if bus is None:
        raise Refused("bus-missing")

    def said(end: GatewayEnd) -> None:
        name = "localhost" if address.host in ("127.0.0.1", "0.0.0.0", "::") else address.host
        base = f"{address.scheme}://{f'[{name}]' if ':' in name else name}:{end.port}"
        print(f"This gateway listens at {base} for the house {bus.name!r} on the bus.", flush=True)

    try:
        run_loop(serve_gateway(address, bus, said))
    except OSError as error:
        print(f"The gateway cannot open: {error.strerror or error}.", file=sys.stderr)
        return FAILED
    return 0


english(
    "refused",
    {
        "bus-missing": "A gateway needs the bus of its house: give --bus or --bus-file.",
        "bus-twice": "Give the address of the bus with --bus or with --bus-file, not both.",
        "bus-password": "Everybody on this machine can read a command line: put an address with a password into a file of mode 600, and give --bus-file.",
    },
)
