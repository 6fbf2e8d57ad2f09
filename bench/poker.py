"""The simulation of Three Card Poker, nine cards in sight, against a plain scalar C loop of the same work; two cores against one."""

import ctypes
import time
from typing import Any

import numpy as np

from bench._plain_c import compare, compiled_c
from podium.maths.jobs import DEFAULT_WAGER, Job
from podium.maths.poker_rounds import poker, poker_plan
from podium.maths.shuffling import full_shoe, stream
from podium.rules.games import game
from podium.rules.three_card import PROPOSED_SPOTS, ThreeCardRules

ROUNDS = 4_000_000

TABLES = ("places", "fates", "plan", "bonus", "row", "by_idle", "every", "ones", "twos", "worth")


class CGame(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in TABLES),
        *((name, ctypes.c_int64) for name in ("hands", "qualifies", "ante")),
    ]


class PlainC:
    """The reference, with the tables of the simulation."""

    def __init__(self, play: Any, job: Job, rules: ThreeCardRules) -> None:
        tables = poker(rules, job.game.offers, job.wagers, [poker_plan("best")], PROPOSED_SPOTS)
        sight = tables.sight
        self.play = play
        arrays = (tables.places, tables.fates, tables.plans[0], tables.bonus, sight.row, sight.by_idle)
        counts = (sight.every, sight.ones, sight.twos, sight.worth)
        self.kept = [np.ascontiguousarray(array) for array in (*arrays, *counts)]
        self.game = CGame(*(array.ctypes.data for array in self.kept), len(tables.bonus), tables.qualifies, tables.ante)

    def __call__(self, rounds: int) -> tuple[float, float]:
        """How long the rounds took, and what they came to."""
        deck, state, squares = full_shoe(1).astype(np.uint8), stream(1, 0), ctypes.c_double()
        began = time.thread_time()
        total = self.play(
            ctypes.byref(self.game), ctypes.c_void_p(state.ctypes.data), ctypes.c_void_p(deck.ctypes.data),
            ctypes.c_int64(rounds), ctypes.byref(squares),
        )  # fmt: skip
        return time.thread_time() - began, total / rounds / DEFAULT_WAGER


def main() -> None:
    chosen = game("stadium-three-card-poker")
    job = Job(chosen, ROUNDS)
    compare(job, PlainC(compiled_c("poker.c"), job, ThreeCardRules()))


if __name__ == "__main__":
    main()
