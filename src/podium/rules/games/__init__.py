"""The games of the house: one file each, found by scanning this folder."""

import importlib
import pkgutil
from typing import Any

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.bets import BETS
from podium.rules.games.game import Game


def _found() -> dict[str, Game]:
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    games = [module.GAME for module in modules if hasattr(module, "GAME")]
    found = {game.name: game for game in sorted(games, key=lambda game: game.order)}
    for bet in BETS.values():
        if unknown := [name for name in bet.games if name not in found]:
            raise TypeError(f"The bet {bet.name} names {unknown} in games=...; the games are {', '.join(found)}.")
    return found


GAMES = _found()


def game(name: Any, options: Any = None, **more: Any) -> Game:
    """The game of that name, with the options that differ from its defaults.

    >>> game("mega-blackjack", decks=8)
    Game('mega-blackjack', decks=8)
    """
    if not isinstance(name, str) or name not in GAMES:
        raise Refused("game-unknown", game=shortened(str(name)), games=GAMES)
    chosen = {**options, **more} if more and options else more or options
    found = GAMES[name].having(chosen) if chosen else GAMES[name]
    _ = found.offers  # a game that cannot be dealt is refused here, not at the table
    return found


english("refused", {"game-unknown": "There is no game {game:quoted}. Games: {games}."})

__all__ = ["GAMES", "Game", "game"]
