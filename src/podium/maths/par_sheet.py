"""The PAR sheet of a configuration: what every wager of a table returns, and how that was found."""

from collections.abc import Iterator
from typing import get_args

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.maths.families import family_of
from podium.maths.sheet import ParEntry, ParSheet, Strategy
from podium.rules.bets import Bet
from podium.rules.games import Game
from podium.rules.placard import Offer


def par(game: Game, strategy: str = "best") -> ParSheet:
    """The PAR sheet of a configured game."""
    if strategy not in get_args(Strategy):
        raise Refused("par-strategy", strategy=shortened(strategy))
    chosen: Strategy = "timeout" if strategy == "timeout" else "best"
    left_out = tuple(wager for wager, offer in game.offers.items() if not family_of(game).can_count(offer.bet))
    return ParSheet(game, chosen, tuple(_entries(game, chosen)), left_out)


def _entries(game: Game, strategy: Strategy) -> Iterator[ParEntry]:
    family = family_of(game)
    together: dict[Bet, list[Offer]] = {}
    for offer in game.offers.values():
        if family.can_count(offer.bet):
            together.setdefault(offer.bet, []).append(offer)
    for bet, same in together.items():
        yield _entry(game, bet, same, strategy)
        yield from family.bonuses(game, bet, strategy)


def _entry(game: Game, bet: Bet, offers: list[Offer], strategy: Strategy) -> ParEntry:
    """A bet has the same figures on any row or column: any three cards are as good as any other three."""
    figures, also = family_of(game).counted(game, offers[0].wager, strategy)
    paytable = offers[0].paytable_name if figures.outcomes else ""
    return ParEntry(tuple(offer.wager for offer in offers), bet.title, figures, paytable, also)


english("refused", {"par-strategy": "There is no strategy {strategy:quoted} for a PAR sheet: it is best or timeout."})
