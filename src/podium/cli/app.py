"""The commands of `podium`, with their arguments and their help."""

from pathlib import Path
from typing import Annotated

import typer

from podium import __version__
from podium.cli.arguments import COUNT, Csv, House, InstalledAt, KeysAt
from podium.cli.console_app import config_app, people_app
from podium.cli.keys_app import keys_app
from podium.cli.program_app import program_app
from podium.cli.rng_app import rng_app
from podium.cli.witness_app import witness_app

app = typer.Typer(
    help="Podium: stadium table games. One dealer, any number of players on terminals.",
    epilog="Exit codes: 0 done, 1 a check found a difference or a run failed, 2 bad input or usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(witness_app, name="witness")
app.add_typer(keys_app, name="keys")
app.add_typer(program_app, name="program")
app.add_typer(rng_app, name="rng")
app.add_typer(config_app, name="config")
app.add_typer(people_app, name="people")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The name of a game; `podium games` lists them.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="An option that differs from the game's default. VALUE is JSON where it parses as JSON, otherwise text. "
        "May be given several times, each option once.",
    ),
]


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"podium {__version__}")
        raise typer.Exit


@app.callback()
def podium(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Podium: stadium table games. One dealer, any number of players on terminals."""


@app.command(
    epilog="""
Examples:

\b
  podium games
  podium games --json | jq '.games[].name'
"""
)
def games(json: Annotated[bool, typer.Option("--json", help="Write JSON instead of tables.")] = False) -> None:
    """List the games, their wagers and paytables, and their options.

    For each option: its type, its default, what is allowed, and the clause of the rules that it comes from.
    """
    from podium.cli import catalogue

    catalogue.write_json() if json else catalogue.show()


@app.command(
    epilog="""
Examples:

\b
  podium rules stadium-blackjack
  podium rules stadium-blackjack --option decks=8 --option surrender=off
  podium rules mega-blackjack --option 'side_bets={"buster": "CLASSIC"}'
  podium rules stadium-three-card-poker --option six_card_bonus=TCP-6B4
  podium rules stadium-blackjack --language es
  podium rules stadium-blackjack --setting boxes=2 --setting burn_cards=1
"""
)
def rules(
    game: GameName,
    option: Options = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="A setting of the table, such as boxes=2; may be given several times."),
    ] = None,
    language: Annotated[str, typer.Option(metavar="en|es|zh", help="The language that they are printed in.")] = "en",
) -> None:
    """Print the rules of play of a game, as a player or a regulator reads them.

    They are generated from the options and paytables that a table runs on, so they always agree with it.
    """
    from podium.cli import rules_of_play

    rules_of_play.show(game, option or [], setting or [], language)


@app.command(
    epilog="""
A script names the game, the cards in the order of dealing, and the players with their wagers (in minor units) and
decisions:

\b
  {"game": "stadium-blackjack", "cards": "9s 6h 2c Td 5d 8h",
   "players": [{"name": "p1", "wagers": {"blackjack": 1000}, "decisions": ["double"]}]}

Examples:

\b
  podium settle round.json
  podium settle - < round.json
  podium settle --lines rounds.jsonl > results.jsonl
"""
)
def settle(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A script in JSON, or - for standard input.")],
    lines: Annotated[
        bool,
        typer.Option(
            "--lines",
            help="Read one script per line and write one result per line, in order; a script that is refused gives "
            '{"error": "..."} on its line, and exit code 2 at the end. Blank lines are passed over.',
        ),
    ] = False,
) -> int:
    """Play one round from a script and write its settlement as JSON.

    For every wager: what was staked, what it returned, and why. For disputes, training and tests.
    """
    from podium.cli import settling

    return settling.settle_lines(file) if lines else settling.settle_file(file)


@app.command(
    epilog="""
Examples:

\b
  podium par stadium-three-card-poker
  podium par stadium-blackjack --option decks=8 --json
  podium par match-up-blackjack --html par.html
  podium par stadium-three-card-poker --strategy timeout
"""
)
def par(
    game: GameName,
    option: Options = None,
    strategy: Annotated[
        str, typer.Option(metavar="best|timeout", help="Best play, or every decision times out.")
    ] = "best",
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of tables.")] = False,
    csv: Csv = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the sheet as one HTML page with plots, too.")
    ] = None,
) -> None:
    """Print the PAR sheet of a configuration: what every wager returns, and how that was computed.

    For each wager: house edge, return, hit frequency and standard deviation; for paytables, the ways and the probability of
    every outcome. A warning says when the player has an advantage, or when the house keeps more than a quarter.
    """
    from podium.cli import par as sheet
    from podium.cli.output import written

    sheet.show(game, option or [], strategy=strategy, written=written(json=json, csv=csv), html=html)


@app.command(
    epilog="""
Examples:

\b
  podium strategy stadium-blackjack
  podium strategy mega-blackjack --option decks=8 --json
"""
)
def strategy(
    game: GameName,
    option: Options = None,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of tables.")] = False,
    csv: Csv = False,
) -> None:
    """Print the best play of a configuration as the usual table.

    Hard totals, soft totals and pairs against the dealer's first card, and what it costs to follow the table instead of the
    exact play, which looks at every card of a hand.
    """
    from podium.cli import strategy as best
    from podium.cli.output import written

    best.show(game, option or [], written=written(json=json, csv=csv))


@app.command(
    epilog="""
Examples:

\b
  podium simulate stadium-blackjack --rounds 10000000
  podium simulate mega-blackjack --rounds 1000000 --players 5 --wager buster=500 --strategy timeout
  podium simulate stadium-three-card-poker --rounds 1000000 --wager pair-plus=100 --json
  podium simulate stadium-blackjack --rounds 100000000000 --cluster tcp://10.0.0.5:8786
"""
)
def simulate(
    game: GameName,
    rounds: Annotated[int, typer.Option(click_type=COUNT, help="How many rounds to play.")],
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same result.")] = 1,
    strategy: Annotated[
        str, typer.Option(metavar="best|timeout|never-bust|mimic-dealer", help="How every player plays.")
    ] = "best",
    players: Annotated[int, typer.Option(click_type=COUNT, help="How many players take part.")] = 1,
    wager: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=AMOUNT",
            help="A wager in minor units: a side bet, or another main wager than 1000. May be given several times.",
        ),
    ] = None,
    penetration: Annotated[
        float,
        typer.Option(metavar="P", help="Where the cut card stands in the shoe; 0 is a fresh shoe for every round."),
    ] = 0.75,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="How many cores; all of them by default.")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask scheduler whose workers play, like tcp://10.0.0.5:8786."),
    ] = None,
    option: Options = None,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of a table.")] = False,
    csv: Csv = False,
) -> None:
    """Play rounds with the cards of a real shoe: house edge, its error and the spread of every wager.

    The shoe is shuffled after the round in which the cut card comes out. A warning says when a wager is further from its exact
    value than its error allows. On a cluster the same seed gives the same result as here, with any number of workers.
    """
    from podium.cli import simulate as simulation
    from podium.cli.output import written

    simulation.show(
        game,
        option or [],
        rounds=rounds,
        seed=seed,
        strategy=strategy,
        players=players,
        wagers=wager or [],
        penetration=penetration,
        jobs=jobs,
        cluster=cluster,
        written=written(json=json, csv=csv),
    )


@app.command(
    epilog="""
Examples:

\b
  podium exposure stadium-blackjack --players 500
  podium exposure stadium-blackjack --players 500 --wager trilux=500 --strategy best=400,timeout=100 --html exposure.html
  podium exposure stadium-blackjack --players 500 --party 20:best:blackjack=50000,trilux=5000 --party 30:timeout
  podium exposure stadium-three-card-poker --players 90 --wager pair-plus=100 --spots 1,2,3 --spots 4,5,6 --json
"""
)
def exposure(
    game: GameName,
    players: Annotated[int, typer.Option(click_type=COUNT, help="How many players take part.")],
    wager: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=AMOUNT",
            help="A wager of every player in minor units: a side bet, or another main wager than 1000. May be given several times.",
        ),
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How everybody plays (best, timeout, never-bust, mimic-dealer), or a mix like best=400,timeout=100.",
        ),
    ] = "best",
    party: Annotated[
        list[str] | None,
        typer.Option(
            metavar="N:STRATEGY:NAME=AMOUNT,...",
            help="Some of the players who play or stake otherwise, like 20:timeout:blackjack=5000. May be given several times.",
        ),
    ] = None,
    spots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B,C",
            help="Three locations of the array (Three Card Poker); given several times, players spread over them evenly.",
        ),
    ] = None,
    rounds_per_hour: Annotated[int, typer.Option(metavar="R", help="How fast the table is.")] = 60,
    hours: Annotated[float, typer.Option(metavar="H", help="How long it is open in a day.")] = 24,
    risk: Annotated[float, typer.Option(metavar="P", help="The chance that the bankroll is ever lost.")] = 0.001,
    rounds: Annotated[
        int, typer.Option(click_type=COUNT, help="How many rounds to play where it is simulated.")
    ] = 4_000_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same result.")] = 1,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="How many cores; all of them by default.")] = None,
    option: Options = None,
    json: Annotated[bool, typer.Option("--json", help="Write JSON instead of tables.")] = False,
    csv: Csv = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one HTML page with plots, too.")] = None,
) -> None:
    """Compute what a whole table can cost the house: in a round, an hour and a day.

    In a community game everybody plays the same cards, so results add up instead of cancelling. The distribution of the table's
    result, the largest payout of a round, the bankroll for a risk of ruin, and the same players with cards of their own.
    """
    from podium.cli import exposure as table
    from podium.cli.output import written
    from podium.maths.exposure import Pace

    asked = table.ExposureRequest(
        options=option or [],
        players=players,
        strategy=strategy,
        parties=party or [],
        spots=spots or [],
        wagers=wager or [],
        rounds=rounds,
        seed=seed,
        pace=Pace(rounds_per_hour, hours, risk),
        jobs=jobs,
    )
    table.show(game, asked, written=written(json=json, csv=csv), html=html)


@app.command(epilog="Example:\n\n\b\n  podium demo mega-blackjack")
def demo(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.", show_default=False)] = None,
) -> None:
    """Play a demonstration round of each game in the terminal.

    The cards are fixed. Each round shows what was dealt and decided, and what every wager returned and why.
    """
    from podium.cli import demonstration

    demonstration.show(game)


@app.command(
    epilog="""
Examples:

\b
  podium serve
  podium serve --host 0.0.0.0 --port 80
  podium serve --host 0.0.0.0 --port 443 --tls-certificate house.pem --tls-key house.key
  podium serve --data /srv/podium --config podium.toml
"""
)
def serve(
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the house keeps its journal.")] = None,
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
) -> int:
    """Open a house: web terminals, tables, ledger.

    Without options it is a demonstration house on this machine, with all five games dealt by the automated dealer.
    """
    from podium.cli import data as places
    from podium.cli import serving

    found = places.database_of(database, database_file)
    listening = serving.address(host, port, tls_certificate, tls_key, tls_clients)
    return serving.run(data, config, listening, database=found, keys=keys)


@app.command(
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
        typer.Option(metavar="DIR", help="The data of the house; where `podium serve` keeps it by default."),
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

    Versions, clock, disk, open files, keys, the settings of the database, and whether a running house is reached. Exit 1 if
    something must be mended before a house is opened.
    """
    from podium.cli import doctor as doctors
    from podium.cli.data import database_of
    from podium.cli.serving import default_data

    address = database_of(database, database_file)
    code = doctors.show(doctors.patient(data or default_data(), address, keys, url), json=json)
    if code:
        raise typer.Exit(code)


@app.command(
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

    Whoever can write the record can also rewrite it. With a witness, a record that was rewritten, cut or rolled back is
    detected, and when it last agreed.

    With --program it compares everything that runs with a signed manifest instead; another copy of Podium can do that too.
    """
    from podium.cli import programs
    from podium.cli import verify as verifying

    if program == bool(where):
        raise typer.BadParameter("Name the data of a house, or give --program to check the program.")
    if program:
        return programs.verify_program(manifest, signed_by, at)
    return verifying.verify_house(where, witness or [], witness_key or [], keys=keys)


@app.command(epilog="Example:\n\n\b\n  podium backup /var/lib/podium /mnt/backups/podium-2026-05-28.backup")
def backup(where: House, file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a new file.")]) -> int:
    """Write a consistent copy of all of a house's data into one file, while the house runs.

    The keys of the house are not in it: keep a copy of them in another place.
    """
    from podium.cli import backups

    return backups.back_up(where, file)


@app.command(epilog="Example:\n\n\b\n  podium restore podium-2026-05-28.backup /var/lib/podium-restored")
def restore(file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")], where: House) -> int:
    """Fill a new house from a backup, and prove that they are equal. Nothing is overwritten.

    A backup of one kind of store can be restored into the other.
    """
    from podium.cli import backups

    return backups.restore_backup(file, where)


@app.command(
    epilog="""
Examples:

\b
  podium swarm --bots 200 --seconds 60
  podium swarm --bots 2000 --table blackjack-1 --mix basic=5,random=3,asleep=1 --drops 1
  podium swarm --bots 50 --rounds 20 --json
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
        arrivals=arrivals,
        drops=drops,
        departures=departures,
        think=think,
        seed=seed,
    )
    return swarming.swarm(plan, processes=processes, json=json)


@app.command(
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

    practice = Practice(pace, misreads, stutters, seed, cards) if simulated else None
    wiring = adapter.Wiring(listen, serial, baud, practice)
    return adapter.device(house, adapter.read_token(token_file), wiring, patience=patience)
