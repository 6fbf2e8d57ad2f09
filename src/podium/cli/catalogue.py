"""`podium games`: what there is to play, on which wagers, with which options."""

import re
from collections.abc import Iterator
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from podium.basics.words import ENGLISH
from podium.cli import terminal
from podium.cli.told import print_json
from podium.rules.bets import ANTE_BONUS, BLACKJACK, INSURANCE, PLAY, Bet, Paytable
from podium.rules.games import GAMES, Game
from podium.rules.options import written

# --- as JSON ----------------------------------------------------------------------------------------------------------


def write_json() -> None:
    print_json({"games": [_told(game) for game in GAMES.values()]})


def _told(game: Game) -> dict[str, Any]:
    options = game.options.values()
    return {
        "name": game.name,
        "short": game.short,
        "title": game.title,
        "dealing": _dealing(game),
        "wagers": [_told_wager(game, bet) for bet in _bets(game)],
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


def _told_wager(game: Game, bet: Bet) -> dict[str, Any]:
    return {
        "name": bet.name,
        "title": bet.title,
        "clause": _clause(game, bet),
        "main": bet is game.rules.main,
        "offered": _is_offered(game, bet),
        "also_on": [wager for wager, offer in game.offers.items() if offer.bet is bet and wager != bet.name],
        "needs": _needs(game, bet),
        "sees": ENGLISH.say(bet.sees.said),
        "says": bet.says,
        "paytables": {
            name: {outcome: odds.ratio for outcome, odds in paytable.items()}
            for name, paytable in _paytables(game, bet).items()
        },
    }


# --- what a game has --------------------------------------------------------------------------------------------------


def _dealing(game: Game) -> str:
    """`OwnHands` is `own-hands`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", game.dealing.__name__).lower()


def _bets(game: Game) -> list[Bet]:
    """Every wager of a game: the main one, those that decisions add, and those with paytables."""
    added = INSURANCE if game.rules.main is BLACKJACK else PLAY
    return [game.rules.main, added, *game.rules.knows]


def _clause(game: Game, bet: Bet) -> str:
    """Blackjack and insurance are wagers of several documents; the options know the clause of this one."""
    option = {BLACKJACK: "blackjack_pays", INSURANCE: "insurance"}.get(bet)
    return game.rules.clause(option) if option else bet.clause


def _paytables(game: Game, bet: Bet) -> dict[str, Paytable]:
    if bet is BLACKJACK:
        return {pays: bet.paytables[pays] for pays in game.options["blackjack_pays"].values}
    return dict(bet.paytables)


def _is_offered(game: Game, bet: Bet) -> bool:
    """Whether a table takes it without any option being set."""
    if bet is INSURANCE:
        return bool(game.options["insurance"].default)
    return bet in (PLAY, ANTE_BONUS) or bet.name in game.offers


def _needs(game: Game, bet: Bet) -> list[str]:
    if bet is game.rules.main:
        return []
    return [game.rules.main.name, *([bet.needs] if bet.needs and bet.needs != game.rules.main.name else [])]


# --- as tables --------------------------------------------------------------------------------------------------------


def show() -> None:
    terminal.show(_pages())


def _pages() -> Iterator[RenderableType]:
    for game in GAMES.values():
        yield Text.assemble((game.title, "bold"), f"  {game.name}", (f"  {_dealing(game)}", "dim"))
        yield _wagers(game)
        yield _options(game)
    yield Text("podium rules GAME prints the whole rules of play, the fixed ones too.", style="dim")


WIDTHS = {"paytables": 5, "default": 2, "allowed": 4, "clause": 2}
"""The columns that share what the names leave, and in which parts."""


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
            for name, paytable in _paytables(game, bet).items()
        ]
        table.add_row(Text(bet.name), Text("\n".join(tables)), Text(_clause(game, bet), style="dim"))
    return table


def _options(game: Game) -> Table:
    table = _table("option", "type", "default", "allowed", "clause")
    for option in game.options.values():
        if not option.fixed:
            row = (option.name, option.type, written(option.default), option.allowed)
            table.add_row(*(Text(cell) for cell in row), Text(option.clause, style="dim"))
    return table
