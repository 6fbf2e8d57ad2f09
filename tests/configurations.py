"""Configurations of games: every value of every option, and any of them at random."""

from typing import Any

import numpy as np

from podium.basics.refusal import Refused
from podium.rules.games import Game, game
from podium.rules.options import Option

Random = np.random.Generator

SIDE_BETS: dict[str, list[dict[str, str]]] = {
    "stadium-blackjack": [{}, {"trilux": "TRI-02"}, {"trilux": "TRI-03", "super-3": "1"}],
    "dynasty-blackjack": [{"match-up": "A"}, {"super-3": "1"}],
    "match-up-blackjack": [{}, {"match-up": "A"}],
    "mega-blackjack": [{}, {"buster": "CLASSIC"}],
}

ENTERED = {
    "stadium-blackjack": ("trilux", "flush"),
    "dynasty-blackjack": ("trilux", "flush"),
    "stadium-three-card-poker": ("pair-plus", "pair"),
    "match-up-blackjack": ("match-up", "one suited match"),
    "mega-blackjack": ("buster", "bust with 5 cards"),
}


def values_of(game: Game, option: Option) -> list[Any]:
    """Every value that an option can have, or a few of them where there is no end of them."""
    main = game.rules.main.name
    wager, outcome = ENTERED[game.name]
    unlisted: dict[str, list[Any]] = {
        "paytables": [{wager: {"HOUSE": {outcome: "7:2"}}}],
        "limits": [{main: [500, 50_000]}],
        "chip": [25, 100],
        "double_totals": [[9, 11], [11, 11]],
        "wager_amounts": [[200], [400, 1000]],
        "side_bets": SIDE_BETS.get(game.name, []),
    }
    return [*option.values, *unlisted.get(option.name, [])]


def some(random: Random, values: tuple[Any, ...]) -> Any:
    return values[int(random.integers(len(values)))]


def random_options(of: str, random: Random) -> dict[str, Any]:
    """A value for about half of the options that have several."""
    chosen = {}
    for name, option in game(of).options.items():
        if len(option.values) > 1 and random.random() < 0.5:
            chosen[name] = some(random, option.values)
    if "double_totals" in game(of).options and not game(of).options["double_totals"].fixed and random.random() < 0.5:
        low, high = sorted(int(total) for total in random.integers(2, 22, 2))
        chosen["double_totals"] = [low, high]
    return chosen


def random_game(of: str, random: Random) -> Game:
    while True:
        try:
            return game(of, random_options(of, random))
        except Refused:
            continue
