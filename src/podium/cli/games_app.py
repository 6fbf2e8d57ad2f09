"""The commands about the games, with their arguments and their help: rules, settlement, mathematics."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import Csv, count

games_app = typer.Typer()

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


@games_app.command(
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


@games_app.command(
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


@games_app.command(
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


@games_app.command(
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


@games_app.command(
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


@games_app.command(
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
    rounds: Annotated[int, typer.Option(parser=count, metavar="N", help="How many rounds to play.")],
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same result.")] = 1,
    strategy: Annotated[
        str, typer.Option(metavar="best|timeout|never-bust|mimic-dealer", help="How every player plays.")
    ] = "best",
    players: Annotated[int, typer.Option(parser=count, metavar="N", help="How many players take part.")] = 1,
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


@games_app.command(
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
    players: Annotated[int, typer.Option(parser=count, metavar="N", help="How many players take part.")],
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
        int, typer.Option(parser=count, metavar="N", help="How many rounds to play where it is simulated.")
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


@games_app.command(epilog="Example:\n\n\b\n  podium demo mega-blackjack")
def demo(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game.", show_default=False)] = None,
) -> None:
    """Play a demonstration round of each game in the terminal.

    The cards are fixed. Each round shows what was dealt and decided, and what every wager returned and why.
    """
    from podium.cli import demonstration

    demonstration.show(game)
