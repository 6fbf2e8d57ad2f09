"""Configurations of games, at random."""

from typing import Any

import numpy as np

from podium.games import Game, game
from podium.refusal import Refused

Random = np.random.Generator


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
