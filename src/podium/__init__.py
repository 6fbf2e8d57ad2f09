"""Podium: an open system for stadium table games.

>>> import podium
>>> round = podium.Round(podium.game("stadium-blackjack", decks=8))
>>> round.bet(7, blackjack=10_00, trilux=5_00)
>>> round.close_betting()
>>> round.deal("9s 6h 2c")
>>> round.awaits
Decisions({7: {hit, stand, double, surrender}})
>>> round.decide(7, "double")
>>> round.deal("Td Tc 9d")
>>> round.confirm()
>>> round.results[7].net
1500

This is the public interface to the engine, the rules and the mathematics. Anything not listed on this page may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium import maths
    from podium.basics.cards import Card, card, cards
    from podium.basics.money import Odds
    from podium.basics.refusal import Refused
    from podium.play import events
    from podium.play.notation import read as read_round
    from podium.play.notation import write as write_round
    from podium.play.round import Round
    from podium.play.script import settle
    from podium.rules.bets import BETS
    from podium.rules.games import GAMES, Game, game
    from podium.rules.rulebook import rulebook

__version__ = "0.1.0"

__all__ = [
    "BETS",
    "GAMES",
    "Card",
    "Game",
    "Odds",
    "Refused",
    "Round",
    "card",
    "cards",
    "events",
    "game",
    "maths",
    "read_round",
    "rulebook",
    "settle",
    "write_round",
]

_HOMES = {
    "BETS": "podium.rules.bets",
    "GAMES": "podium.rules.games",
    "Card": "podium.basics.cards",
    "Game": "podium.rules.games",
    "Odds": "podium.basics.money",
    "Refused": "podium.basics.refusal",
    "Round": "podium.play.round",
    "card": "podium.basics.cards",
    "cards": "podium.basics.cards",
    "game": "podium.rules.games",
    "read_round": "podium.play.notation:read",
    "rulebook": "podium.rules.rulebook",
    "settle": "podium.play.script",
    "write_round": "podium.play.notation:write",
    "events": "podium.play.events:",
    "maths": "podium.maths:",
}
"""The module of each name. It is imported on first use, so that `import podium` is fast."""


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'podium' has no attribute {name!r}")
    home, colon, called = _HOMES[name].partition(":")
    module = import_module(home)
    found = getattr(module, called or name) if called or not colon else module
    globals()[name] = found
    return found
