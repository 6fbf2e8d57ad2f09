"""`podium exposure`: what a whole table can cost the house."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.cli import terminal
from podium.cli.dealing import dealing
from podium.cli.files import unwritable
from podium.cli.options import read_number, read_options
from podium.cli.output import Written, print_csv, print_json
from podium.cli.simulate import read_wagers
from podium.maths.exposure import BANKROLL, Exposure, Pace, Times, exposure
from podium.maths.exposure_page import amount, described, exposure_page
from podium.maths.patrons import Party, Patrons
from podium.maths.spread import ResultSpread
from podium.rules.games import Game, game


@dataclass(frozen=True, kw_only=True)
class ExposureRequest:
    """The command as it was written."""

    options: list[str]
    players: int
    strategy: str
    parties: list[str] = field(default_factory=list)
    spots: list[str] = field(default_factory=list)
    wagers: list[str]
    rounds: int
    seed: int
    pace: Pace
    jobs: int | None


def show(name: str, asked: ExposureRequest, *, written: Written, html: Path | None) -> None:
    """Computes the exposure and prints it; writes its page if a file is named."""
    chosen = game(name, read_options(asked.options))
    spots = read_spots(chosen, asked.spots)
    named = [party for written in asked.parties for party in read_party(written, spots)]
    others = asked.players - sum(party.players for party in named)
    if named and others < 0:
        raise Refused("party-players", named=asked.players - others, players=asked.players)
    parties = (*(read_parties(asked.strategy, others, spots) if others or not named else ()), *named)
    patrons = Patrons(chosen, parties, read_wagers(asked.wagers), asked.rounds, asked.seed)
    found = _watched(patrons, asked)
    if html is not None:
        _write_page(html, found)
    match written:
        case "json":
            print_json(found.to_dict())
        case "csv":
            print_csv(found.rows())
        case "text":
            terminal.show(_parts(found))


def _watched(patrons: Patrons, asked: ExposureRequest) -> Exposure:
    with dealing(patrons.rounds) as progress:
        return exposure(patrons, asked.pace, jobs=asked.jobs, progress=progress)


def _write_page(file: Path, found: Exposure) -> None:
    try:
        file.write_text(exposure_page(found), encoding="utf-8")
    except OSError as error:
        raise unwritable(file, error) from None


# --- who plays ------------------------------------------------------------------------------------------------------------


def read_parties(strategy: str, players: int, spots: list[tuple[int, ...]]) -> tuple[Party, ...]:
    """One strategy for all, or a mix like best=400,timeout=100; players of each spread evenly over the choices of spots."""
    if "=" not in strategy:
        mix = {strategy: players}
    else:
        mix = _mix(strategy)
        if sum(mix.values()) != players:
            raise Refused("mix-players", mix=shortened(strategy), named=sum(mix.values()), players=players)
    return tuple(
        Party(count, name, chosen)
        for name, many in mix.items()
        for place, chosen in enumerate(spots)
        if (count := many // len(spots) + (place < many % len(spots))) or many == 0
    )


def read_party(written: str, spots: list[tuple[int, ...]]) -> tuple[Party, ...]:
    """`--party 20:timeout:blackjack=5000,trilux=100`: the number of players, their strategy and, if it differs, their stakes."""
    count, _, rest = written.partition(":")
    strategy, _, wagers = rest.partition(":")
    players = read_number(count)
    if players is None or not strategy or "=" in strategy:
        raise Refused("party-argument", argument=shortened(written))
    staked = read_wagers(wagers.split(",")) if wagers else {}
    return tuple(replace(party, wagers=staked) for party in read_parties(strategy, players, spots))


def _mix(strategy: str) -> dict[str, int]:
    mix: dict[str, int] = {}
    for entry in strategy.split(","):
        name, _, count = entry.partition("=")
        players = read_number(count)
        if players is None or name in mix:
            raise Refused("mix-argument", mix=shortened(strategy))
        mix[name] = players
    return mix


def read_spots(of: Game, written: list[str]) -> list[tuple[int, ...]]:
    """`--spots 1,2,3`, each choice of three locations of the array."""
    proposed = of.rules.read_spots(())
    if not written:
        return [proposed]
    if not proposed:
        raise Refused("game-without-spots", game=of.name)
    # Text that is not a number becomes 0, which is not a location either.
    return [of.rules.read_spots([read_number(spot) or 0 for spot in choice.split(",")]) for choice in written]


# --- as text --------------------------------------------------------------------------------------------------------------


def _parts(found: Exposure) -> Iterator[RenderableType]:
    yield f"{found.patrons.game.title}: {described(found)}."
    for warning in found.warnings:
        yield f"Warning: {warning}"
    yield ""
    yield _table("The house's result", found.table)
    yield ""
    yield _table("As independent players", found.apart)
    yield ""
    words = "Largest payout of a round" if found.largest.reached else "No round pays more than"
    yield f"{words}: {amount(found.largest.amount)}. {found.largest.how}"
    yield (
        f"Bankroll for a risk of {found.pace.risk:g}: {amount(found.bankroll)}; for as many independent players "
        f"{amount(found.bankroll_apart)}."
    )
    yield f"The table spreads {found.ratio:.2f} times as far as independent players."
    yield ""
    yield found.played.how
    yield BANKROLL


def _table(title: str, times: Times) -> Table:
    table = Table(title, box=None, pad_edge=False)
    spreads = times.by_name()
    for name in spreads:
        table.add_column(name.capitalize(), justify="right", no_wrap=True)
    columns = zip(*(_column(one) for one in spreads.values()), strict=True)
    for name, figures in zip(
        ("Mean", "Deviation", "Worst 1 %", "Worst 5 %", "Best 5 %", "Ahead", "Method"), columns, strict=True
    ):
        table.add_row(name, *figures)
    return table


def _column(one: ResultSpread) -> tuple[str, ...]:
    amounts = one.mean, one.standard_deviation, one.quantiles[0], one.quantiles[1], one.quantiles[-2]
    return *(amount(result) for result in amounts), f"{one.ahead:.1%}", "sum" if one.exact else "normal"


english(
    "refused",
    {
        "party-players": "--party names {named} players, and --players says {players}: give as many or more.",
        "party-argument": (
            "--party {argument} is not PLAYERS:STRATEGY:NAME=AMOUNT,...: write it like --party 20:best:blackjack=5000,trilux=100."
        ),
        "mix-players": "--strategy {mix} is for {named} players, and --players says {players}: give the same number.",
        "mix-argument": "--strategy {mix} is not a mix: name each strategy once with its players, like best=400,timeout=100.",
        "game-without-spots": "{game} has no array of nine cards, so there are no spots to choose.",
    },
)
