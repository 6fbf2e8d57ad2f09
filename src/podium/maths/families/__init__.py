"""The families of games that the mathematics knows: one module each, found by scanning this folder.

A family is the games whose rules share a class. Every question about a game (PAR sheet, simulation, exposure, advice, best play) goes
to its family; `family.py` lists the questions.
"""

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.rules.games import Game

if TYPE_CHECKING:
    from podium.maths.families.family import Family


@cache
def families() -> tuple["Family", ...]:
    """All families. They are loaded on first use, because they load the whole mathematics."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return tuple(module.FAMILY for module in modules if hasattr(module, "FAMILY"))


def family_of(game: Game) -> "Family":
    """The family of a game."""
    for family in families():
        if isinstance(game.rules, family.rules_class):
            return family
    raise Refused("no-family", game=game.name)


english("refused", {"no-family": "The mathematics does not know the family of games that {game:game} belongs to."})
