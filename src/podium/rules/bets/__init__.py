"""Every bet, in one file each, with its words, its paytables and its outcome function.

The files are found by scanning this folder, and each bet says which games may offer it. Only the bets that other modules
refer to are imported here by name.
"""

import importlib
import pkgutil

from podium.rules.bets.ante import ANTE
from podium.rules.bets.ante_bonus import ANTE_BONUS
from podium.rules.bets.bet import Bet, Paytable, Sees
from podium.rules.bets.blackjack import BLACKJACK
from podium.rules.bets.buster import BUSTER
from podium.rules.bets.insurance import INSURANCE
from podium.rules.bets.pair_plus import PAIR_PLUS
from podium.rules.bets.play import PLAY
from podium.rules.bets.six_card_bonus import SIX_CARD_BONUS


def _found() -> dict[str, Bet]:
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    bets = {thing for module in modules for thing in vars(module).values() if isinstance(thing, Bet)}
    for bet in bets:
        bet.check()
    return {bet.name: bet for bet in sorted(bets, key=lambda bet: (bet.order, bet.name))}


BETS = _found()
"""Every wager by its name."""


def bets_of(game: str) -> tuple[Bet, ...]:
    """The side bets that tables of this game may offer."""
    return tuple(bet for bet in BETS.values() if game in bet.games)


__all__ = [
    "ANTE",
    "ANTE_BONUS",
    "BETS",
    "BLACKJACK",
    "BUSTER",
    "INSURANCE",
    "PAIR_PLUS",
    "PLAY",
    "SIX_CARD_BONUS",
    "Bet",
    "Paytable",
    "Sees",
    "bets_of",
]
