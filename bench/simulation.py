"""The simulation of community blackjack against a plain scalar C loop of the same work, and two cores against one."""

import ctypes
import time
from typing import Any, cast

import numpy as np

from bench._plain_c import compare, compiled_c
from podium.maths.blackjack import policy_for
from podium.maths.blackjack_rounds import SPARE_CARDS
from podium.maths.boxes import VALUE_OF, play_tables, terms
from podium.maths.families.blackjack import analysis
from podium.maths.jobs import DEFAULT_PENETRATION, DEFAULT_WAGER, RESERVE_CARDS_PER_HAND, Job
from podium.maths.shuffling import full_shoe, stream
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import game

ROUNDS = 4_000_000


class CGame(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("after", "points", "pairs", "may_double", "first", "split", "limit")),
        *((name, ctypes.c_int64) for name in ("hands", "wager", "splits", "hits", "natural_pays", "natural_per")),
    ]


class PlainC:
    """The reference, with the tables of the simulation."""

    def __init__(self, play: Any, rules: BlackjackRules) -> None:
        policy = policy_for(analysis(game("stadium-blackjack")), "best")
        tables, conditions = play_tables(rules, [policy]), terms(rules, DEFAULT_WAGER)
        self.play = play
        arrays = (tables.after, tables.points, tables.pairs, tables.may_double.astype(np.uint8))
        policies = (policy.first[0], policy.split[0], policy.limit[0])
        self.kept = [np.ascontiguousarray(array) for array in (*arrays, *policies)]
        self.game = CGame(
            *(array.ctypes.data for array in self.kept),
            len(tables.points),
            conditions.wager,
            conditions.splits,
            conditions.hits_soft_17,
            conditions.natural_pays,
            conditions.natural_per,
        )
        self.size = 52 * rules.decks

    def __call__(self, rounds: int) -> tuple[float, float]:
        """How long the rounds took, and what they came to."""
        shoe = np.concatenate([VALUE_OF[full_shoe(6)], np.zeros(SPARE_CARDS)]).astype(np.uint8)
        state = stream(1, 0)
        squares = ctypes.c_double()
        cut = int(self.size * DEFAULT_PENETRATION)
        began = time.thread_time()
        total = self.play(
            ctypes.byref(self.game), ctypes.c_void_p(state.ctypes.data), ctypes.c_void_p(shoe.ctypes.data),
            self.size, cut, min(self.size, cut + 2 * RESERVE_CARDS_PER_HAND), ctypes.c_int64(rounds), ctypes.byref(squares),
        )  # fmt: skip
        return time.thread_time() - began, total / rounds / DEFAULT_WAGER


def main() -> None:
    chosen = game("stadium-blackjack")
    compare(Job(chosen, ROUNDS), PlainC(compiled_c("community.c"), cast(BlackjackRules, chosen.rules)))


if __name__ == "__main__":
    main()
