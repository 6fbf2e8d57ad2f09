"""Configurations of games: every value of every option, and any of them at random."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.basics.refusal import Refused
from podium.rules.bets import Bet
from podium.rules.games import Game, game
from podium.rules.options import Option

Random = np.random.Generator


def values_of(game: Game, option: Option) -> list[Any]:
    """Every value that an option can have, or a few of them where there is no end of them."""
    bets = game.rules.knows
    named_by_wagers: dict[str, list[Any]] = {
        "paytables": [{bet.name: {"HOUSE": {bet.outcomes[-1]: "7:2"}}} for bet in bets],
        "most_together": [{game.rules.main.name: 50_000}],
        "limits": [{game.rules.main.name: [500, 50_000]}],
        "side_bets": [{}, *({bet.name: paytable} for bet in bets for paytable in bet.paytables), _all_of(bets)],
    }
    found = [*option.values, *option.examples, *named_by_wagers.get(option.name, [])]
    assert found, f"{option.name} of {game.name} has no value to try: give it examples=(...)"
    return found


def _all_of(bets: tuple[Bet, ...]) -> dict[str, str]:
    return {bet.name: next(iter(bet.paytables)) for bet in bets}


def configurations(name: str, *, random: int = 250) -> Iterator[Game]:
    """A game with its defaults, with every value of every option, and at random."""
    yield game(name)
    for option in game(name).options.values():
        for value in [] if option.fixed else values_of(game(name), option):
            yield game(name, {option.name: value})
    yield game(name, {"most_payable": 100_000, "over_payable": "cap"})
    dice = np.random.default_rng(8)
    for _ in range(random):
        yield random_game(name, dice)


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
