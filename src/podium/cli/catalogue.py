"""`podium games`: the games with their wagers and options."""

from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from podium.basics.words import ENGLISH
from podium.cli import terminal
from podium.cli.output import print_json
from podium.rules.bets import Bet
from podium.rules.games import GAMES, Game
from podium.rules.options import written

# --- as JSON ----------------------------------------------------------------------------------------------------------


def write_json() -> None:
    print_json({"games": [_to_dict(game) for game in GAMES.values()]})


def _to_dict(game: Game) -> dict[str, Any]:
    options = game.options.values()
    return {
        "name": game.name,
        "short": game.short,
        "title": game.title,
        "dealing": game.dealing.kind,
        "wagers": [_wager_dict(game, bet) for bet in _bets(game)],
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "default": option.default,
                "allowed": list(option.values),
                "accepts": option.allowed,
                "clause": option.clause,
                "says": str(option.says(option.default)),
            }
            for option in options
            if not option.fixed
        ],
        "fixed": [
            {
                "name": option.name,
                "value": option.default,
                "clause": option.clause,
                "says": str(option.says(option.default)),
            }
            for option in options
            if option.fixed
        ],
    }


def _wager_dict(game: Game, bet: Bet) -> dict[str, Any]:
    return {
        "name": bet.name,
        "title": bet.title,
        "clause": game.rules.bet_clause(bet),
        "main": bet is game.rules.main,
        "offered": game.rules.takes(bet),
        "also_on": [wager for wager, offer in game.offers.items() if offer.bet is bet and wager != bet.name],
        "needs": _needs(game, bet),
        "sees": ENGLISH.say(bet.sees.as_fact()),
        "says": bet.says,
        "paytables": {
            name: {outcome: odds.ratio for outcome, odds in paytable.items()}
            for name, paytable in game.rules.printed_paytables(bet).items()
        },
    }


# --- what a game has --------------------------------------------------------------------------------------------------


def _bets(game: Game) -> list[Bet]:
    """Every wager of a game: the main one, those that decisions add, and those with paytables."""
    return [game.rules.main, *game.rules.added, *game.rules.knows]


def _needs(game: Game, bet: Bet) -> list[str]:
    if bet is game.rules.main:
        return []
    return [game.rules.main.name, *([bet.needs] if bet.needs and bet.needs != game.rules.main.name else [])]


# --- as tables --------------------------------------------------------------------------------------------------------


def show() -> None:
    terminal.show(_pages())


def _pages() -> Iterator[RenderableType]:
    for game in GAMES.values():
        yield Text.assemble((game.title, "bold"), f"  {game.name}", (f"  {game.dealing.kind}", "dim"))
        yield _wagers(game)
        yield _options(game)
    yield Text("podium rules GAME prints the whole rules of play, the fixed ones too.", style="dim")


WIDTHS = {"paytables": 5, "default": 2, "allowed": 4, "clause": 2}
"""The columns that share the width left by the names, and in which ratio."""


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=True)
    for column in columns:
        table.add_column(column, overflow="fold", ratio=WIDTHS.get(column), no_wrap=column not in WIDTHS)
    return table


def _wagers(game: Game) -> Table:
    table = _table("wager", "paytables", "clause")
    for bet in _bets(game):
        tables = [
            f"{name}: {', '.join(f'{outcome} {odds.ratio}' for outcome, odds in paytable.items())}"
            for name, paytable in game.rules.printed_paytables(bet).items()
        ]
        table.add_row(Text(bet.name), Text("\n".join(tables)), Text(game.rules.bet_clause(bet), style="dim"))
    return table


def _options(game: Game) -> Table:
    table = _table("option", "type", "default", "allowed", "clause")
    for option in game.options.values():
        if not option.fixed:
            row = (option.name, option.type, written(option.default), option.allowed)
            table.add_row(*(Text(cell) for cell in row), Text(option.clause, style="dim"))
    return table
