"""The battery of RNG-5 on shoes of the generator that a running house deals with: the system's, after its health tests."""

import os
from typing import Final, NamedTuple

from podium.record.fair import shuffled, words_of
from podium.record.generator import Generator
from tests.battery import SHOES, Shuffler, chances, deal, least, with_a_cut

SHUFFLES: Final[dict[str, Shuffler]] = {"shuffled": shuffled, "shuffled and cut": with_a_cut}


class Tried(NamedTuple):
    """The battery on shoes of one kind."""

    decks: int
    how: str
    shoes: int
    chances: dict[str, float]
    """By test: the chance that a perfect shuffle would look as odd as this one."""

    @property
    def odd(self) -> list[str]:
        """The tests that fail at 99 % for all of them together: a perfect shuffle fails one in a hundred times."""
        return [name for name, chance in self.chances.items() if chance < least(self.chances)]


def try_generator(share: float = 1.0) -> list[Tried]:
    """Tries shoes of 1, 4, 6 and 8 decks; `share` of the usual number of shoes."""
    words = words_of(Generator(os.urandom))
    tried = []
    for decks, usual in SHOES.items():
        shoes = 2 * round(usual * share / 2)
        for how, shuffler in SHUFFLES.items():
            tried.append(Tried(decks, how, shoes, chances(deal(shuffler, words, decks=decks, shoes=shoes))))
    return tried
