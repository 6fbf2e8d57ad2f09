"""The commands about a house, with their arguments and their help: running it, proving it, keeping it, loading it."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import BUS_NAME, Bus, BusAuthority, BusFile, BusName, House, InstalledAt, KeysAt

house_app = typer.Typer()


@house_app.command(
    epilog="""
Examples:

\b
  podium serve
  podium serve --host 0.0.0.0 --port 80
  podium serve --host 0.0.0.0 --port 443 --tls-certificate house.pem --tls-key house.key
  podium serve --data /srv/podium --config podium.toml
  podium serve --database-file /etc/podium/database --keys /etc/podium/keys --host 0.0.0.0 --standby
"""
)
def serve(
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", readable=False, help="Where the house keeps its journal.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The configuration of the house, in TOML.")
    ] = None,
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=65535, help="The port of the pages and of the terminals' WebSockets."),
    ] = 8000,
    tls_certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Speak TLS with this certificate (PEM, with those that vouch for it)."),
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate (PEM).")] = None,
    tls_clients: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take certificates of terminals that these (PEM) vouch for (SEC-3)."),
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="A PostgreSQL address, instead of SQLite in DIR; without a password.")
    ] = "",
    database_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of mode 600 with the PostgreSQL address, which may have a password."),
    ] = None,
    keys: KeysAt = "",
    copy_command: Annotated[
        str,
        typer.Option(metavar="COMMAND", help="Copies a backup or an archive elsewhere; the file is its last argument."),
    ] = "",
    standby: Annotated[
        bool,
        typer.Option("--standby", help="Wait while another process serves this database, and take over when it fails."),
    ] = False,
    bus: Bus = "",
    bus_file: BusFile = None,
    bus_ca: BusAuthority = None,
    bus_name: BusName = BUS_NAME,
) -> int:
    """Open a house: web terminals, tables, ledger.

    Without options it is a demonstration house on this machine, with all five games dealt by the automated dealer.

    With --standby on two machines and one PostgreSQL database, one serves and the other waits; both need the same keys. See
    docs/guide/standby.md. With --bus, terminals may also connect at gateways in processes of their own: `podium gateway`.
    """
    from podium.cli import data as places
    from podium.cli import gateways, serving

    found = places.database_of(database, database_file)
    listening = serving.address(host, port, tls_certificate, tls_key, tls_clients)
    return serving.run(
        data,
        config,
        listening,
        database=found,
        keys=keys,
        copy_command=copy_command,
        standby=standby,
        bus=gateways.bus_of(bus, bus_file, bus_ca, bus_name),
    )


@house_app.command(
    epilog="""
Examples:

\b
  podium gateway --bus nats://127.0.0.1:4222 --port 8001
  podium gateway --bus-file /etc/podium/bus --bus-ca nats-ca.pem --host 0.0.0.0 --port 443 --tls-certificate house.pem --tls-key house.key
"""
)
def gateway(
    bus: Bus = "",
    bus_file: BusFile = None,
    bus_ca: BusAuthority = None,
    bus_name: BusName = BUS_NAME,
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=65535, help="The port of the pages and of the terminals' WebSockets."),
    ] = 8000,
    tls_certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Speak TLS with this certificate (PEM, with those that vouch for it)."),
    ] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate (PEM).")] = None,
    tls_clients: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Take certificates of terminals that these (PEM) vouch for (SEC-3)."),
    ] = None,
) -> int:
    """Hold the sockets of terminals and browsers for a house that is served elsewhere with the same --bus.

    Any number of gateways, on any machine; they keep nothing. When the house is taken over by another process, terminals stay
    connected and go on. See docs/guide/gateways.md.
    """
    from podium.cli import gateways, serving

    listening = serving.address(host, port, tls_certificate, tls_key, tls_clients)
    return gateways.run(gateways.bus_of(bus, bus_file, bus_ca, bus_name), listening)


@house_app.command(
    epilog="""
Examples:

\b
  podium doctor
  podium doctor --data /var/lib/podium --url https://play.example
  podium doctor --database-file /etc/podium/database --keys /etc/podium/keys
"""
)
def doctor(
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", readable=False, help="The data of the house; where `podium serve` keeps it by default."
        ),
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="ADDRESS", help="PostgreSQL instead of SQLite: a postgresql:// address, no password.")
    ] = "",
    database_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The same from a file that only its owner can read.")
    ] = None,
    keys: KeysAt = "",
    url: Annotated[str, typer.Option(metavar="URL", help="Ask the running house here, as its terminals do.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of lines.")] = False,
) -> None:
    """Check whether this machine is fit to run a house, and say what to do where it is not. Nothing is changed.

    Versions, clock, disk, open files, owner, keys, the settings of the database, and whether a running house is reached. Exit
    code 1 if something must be fixed before a house is opened.
    """
    from podium.cli import doctor as doctors
    from podium.cli.data import database_of, default_data

    address = database_of(database, database_file)
    code = doctors.show(doctors.patient(data or default_data(), address, keys, url), json=json)
    if code:
        raise typer.Exit(code)


@house_app.command(
    epilog="""
Examples:

\b
  podium status
  podium status --database-file /etc/podium/database --json
  podium status --bus-file /etc/podium/bus
"""
)
def status(
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", readable=False, help="The data of the house; where `podium serve` keeps it by default."
        ),
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="ADDRESS", help="PostgreSQL instead of SQLite: a postgresql:// address, no password.")
    ] = "",
    database_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The same from a file that only its owner can read.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of lines.")] = False,
) -> None:
    """Show which process serves the house, and which ones wait to take it over. Exit code 1 if none does."""
    from podium.cli import status as statuses
    from podium.cli.data import database_of, default_data

    if statuses.show(data or default_data(), database_of(database, database_file), json=json):
        raise typer.Exit(1)


@house_app.command(
    epilog="""
Examples:

\b
  podium verify /var/lib/podium
  podium verify /var/lib/podium --witness /var/lib/witness
  podium verify /var/lib/podium --witness https://witness.example --witness-key witness.example+5f2c1a90+BHt...
  podium verify --program --manifest podium.manifest --signed-by operator+1f2e3d4c+AQ...
  podium verify --program --manifest podium.manifest --at /opt/podium/.venv
"""
)
def verify(
    where: Annotated[
        str, typer.Argument(metavar="DIR", help="The directory with the house's data, or a postgresql:// address.")
    ] = "",
    keys: KeysAt = "",
    witness: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|URL",
            help="Compare with what a witness has seen: its folder, a file with checkpoints, or the address at which it "
            "serves them. May be given several times.",
        ),
    ] = None,
    witness_key: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="Count only what this key cosigned; `podium witness key` prints it."),
    ] = None,
    program: Annotated[bool, typer.Option("--program", help="Check the program instead of a house's data.")] = False,
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The manifest that the program is compared with.")
    ] = None,
    signed_by: Annotated[
        str, typer.Option("--signed-by", metavar="KEY", help="The public key of whoever must have signed the manifest.")
    ] = "",
    at: InstalledAt = None,
) -> int:
    """Prove a house's data from its record alone. Nothing is changed; the house may be running.

    The journal's hash chain is intact, every round replays to the same settlement and the same transfers, every posting
    balances, every shuffle matches its commitment and the cards that were dealt. The first difference gives exit code 1.

    Somebody who can write the record can also rewrite it. A witness reveals that a record was rewritten, cut or rolled
    back, and when it last agreed.

    With --program it compares everything that runs with a signed manifest instead; another copy of Podium can do that too.
    """
    from podium.cli import programs
    from podium.cli import verify as verifying

    if program == bool(where):
        raise typer.BadParameter("Name the data of a house, or give --program to check the program.")
    if program:
        return programs.verify_program(manifest, signed_by, at)
    return verifying.verify_house(where, witness or [], witness_key or [], keys=keys)


@house_app.command(epilog="Example:\n\n\b\n  podium backup /var/lib/podium /mnt/backups/podium-2026-05-28.backup")
def backup(where: House, file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a new file.")]) -> int:
    """Write a consistent copy of all of a house's data into one file, while the house runs.

    The keys of the house are not in it: keep a copy of them in another place.
    """
    from podium.cli import backups

    return backups.back_up(where, file)


@house_app.command(
    epilog="""
Examples:

\b
  podium archive --data /var/lib/podium
  podium archive --data /var/lib/podium --days 30
"""
)
def archive(
    days: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Days that stay in the book; those of the configuration, unless given."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", readable=False, help="Where the house keeps its journal.")
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="The PostgreSQL address of a house that is closed; without a password.")
    ] = "",
    database_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The same from a file that only its owner can read.")
    ] = None,
    keys: KeysAt = "",
) -> int:
    """Move what tables recorded long ago from the book into archives: compressed files, each vouched for by the journal.

    `podium verify`, recall and reports read them as before. It works while the house is open, and on its closed book. Keep the
    files for as long as the record must be kept, and copies of them.
    """
    from podium.cli import archives
    from podium.cli.data import database_of, default_data

    return archives.archive(data or default_data(), days, database_of(database, database_file), keys)


@house_app.command(epilog="Example:\n\n\b\n  podium restore podium-2026-05-28.backup /var/lib/podium-restored")
def restore(file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")], where: House) -> int:
    """Fill a new house from a backup, and prove that they are equal. Nothing is overwritten.

    A backup of one kind of store can be restored into the other.
    """
    from podium.cli import backups

    return backups.restore_backup(file, where)


@house_app.command(
    epilog="""
Examples:

\b
  podium swarm --bots 200 --seconds 60
  podium swarm --bots 2000 --table blackjack-1 --mix basic=5,random=3,asleep=1 --drops 1
  podium swarm --bots 50 --rounds 20 --json
  podium swarm --bots 200 --boxes 3 --tables-each 2
"""
)
def swarm(
    bots: Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="How many play at once.")] = 20,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0, max=86_400, help="End after so long; 30, or 600 with --rounds.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="R", min=1, help="Each bot leaves after this many rounds.")
    ] = None,
    mix: Annotated[
        str,
        typer.Option(metavar="NAME=SHARE,...", help="The strategies: random, stand, basic, side-bets, asleep, liar."),
    ] = "",
    table: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Play at this table only; may be given several times.")
    ] = None,
    boxes: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=7, help="The boxes that each bot takes, where a table allows so many."),
    ] = 1,
    tables_each: Annotated[
        int, typer.Option(metavar="N", min=1, max=4, help="The tables at which each bot plays at the same time.")
    ] = 1,
    arrivals: Annotated[
        float, typer.Option(metavar="N", min=0, help="Bots that come in a second; 0 for as fast as they can.")
    ] = 0,
    drops: Annotated[float, typer.Option(metavar="N", min=0, help="Connections that each bot loses in a minute.")] = 0,
    departures: Annotated[
        float,
        typer.Option(metavar="N", min=0, help="How often each bot leaves in a minute; a new one takes its place."),
    ] = 0,
    think: Annotated[float, typer.Option(metavar="S", min=0, help="The longest that a bot takes to act.")] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="The bots' own dice.")] = 1,
    processes: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Share the bots among processes.")] = 1,
    host: Annotated[
        str,
        typer.Option(
            metavar="H",
            help="The house; this machine unless you say otherwise. A whole address like https://play.example will do.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=1, max=65535, help="Its port.")] = 8000,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")] = False,
) -> int:
    """Let bots play a running house as guests, and check every acknowledgement and every settlement.

    Each bot plays its rounds again with its own copy of the rules. Anything wrong that the house said is printed with the
    round, and the exit code is 1. Latencies are reported as percentiles.
    """
    from podium.cli import swarming
    from podium.client.swarm import Plan
    from podium.client.swarm.strategies import USUAL_MIX, read_mix

    plan = Plan(
        host=host,
        port=port,
        bots=bots,
        tables=tuple(table or ()),
        mix=read_mix(mix) if mix else USUAL_MIX,
        seconds=seconds if seconds is not None else 600 if rounds else 30,
        rounds=rounds,
        boxes=boxes,
        tables_each=tables_each,
        arrivals=arrivals,
        drops=drops,
        departures=departures,
        think=think,
        seed=seed,
    )
    return swarming.swarm(plan, processes=processes, json=json)


@house_app.command(
    epilog="""
Examples:

\b
  podium device --token-file shoe-1.token --listen 127.0.0.1:7000
  podium device --token-file shoe-1.token --serial /dev/ttyUSB0 --baud 115200
  podium device --token-file shoe-1.token --simulated --misreads 0.05
"""
)
def device(
    house: Annotated[str, typer.Option(metavar="ADDRESS", help="The house, as its pages are opened.")] = (
        "http://127.0.0.1:8000"
    ),
    token_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The token of the enrolled reader; without it, PODIUM_DEVICE_TOKEN."),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The reader's own key, with which it proves to be the enrolled one; drawn if missing."
        ),
    ] = None,
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Hear the device at this TCP port instead of standard input.")
    ] = "",
    serial: Annotated[str, typer.Option(metavar="PATH", help="Hear the device at this serial line.")] = "",
    baud: Annotated[int, typer.Option(metavar="N", min=50, help="The speed of the serial line.")] = 9_600,
    simulated: Annotated[bool, typer.Option("--simulated", help="Be a shoe: deal real shuffles.")] = False,
    misreads: Annotated[float, typer.Option(metavar="P", min=0, max=1, help="Of --simulated: cards misread.")] = 0,
    stutters: Annotated[float, typer.Option(metavar="P", min=0, max=1, help="Of --simulated: cards read twice.")] = 0,
    pace: Annotated[float, typer.Option(metavar="S", min=0, max=60, help="Of --simulated: seconds for a card.")] = 1.2,
    cards: Annotated[int, typer.Option(metavar="N", min=0, help="Of --simulated: end after so many cards.")] = 0,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Of --simulated: the same cards again.")] = None,
    patience: Annotated[
        float, typer.Option(metavar="S", min=1, help="How long a house that is away is waited for.")
    ] = 3_600,
) -> int:
    """Connect a card-reading shoe, a shuffler or a barcode reader with a table of a running house.

    The device is enrolled on the floor, with its table. It sends lines (docs/devices.md); each card that it read is shown to the
    dealer before it counts. With --simulated there is no device: the program shuffles and deals, for tests and for practice.
    """
    from podium.cli import device as adapter
    from podium.client.device import Practice
    from podium.client.reader_key import ReaderKey

    practice = Practice(pace, misreads, stutters, seed, cards) if simulated else None
    wiring = adapter.Wiring(listen, serial, baud, practice)
    key = ReaderKey(key_file) if key_file is not None else None
    return adapter.device(house, adapter.read_token(token_file), wiring, patience=patience, key=key)
