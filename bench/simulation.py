"""The simulation of community blackjack against a plain scalar C loop of the same work, and two cores against one."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from podium.blackjack.rules import BlackjackRules
from podium.games import game
from podium.maths.blackjack import analysis, policy_for
from podium.maths.blackjack_rounds import SPARE
from podium.maths.boxes import VALUE_OF, book, terms
from podium.maths.shuffling import full_shoe, stream
from podium.maths.simulate import PENETRATION, RESERVE, Job, Player, player_of, simulate

ROUNDS = 2_000_000
TURNS = 5
SOURCE = Path(__file__).with_name("community.c")


class CGame(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("after", "points", "pairs", "may_double", "first", "split", "limit")),
        *((name, ctypes.c_int64) for name in ("hands", "wager", "splits", "hits", "natural_pays", "natural_per")),
    ]


def compiled_c(into: Path) -> Any:
    """The C loop as a library, by the compiler that is at hand."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("This benchmark needs a C compiler (gcc or cc).")
    library = into / "community.so"
    subprocess.run([compiler, "-O3", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    play = ctypes.CDLL(str(library)).play
    play.restype = ctypes.c_int64
    return play


class PlainC:
    """The reference, with the tables of the simulation."""

    def __init__(self, play: Any, rules: BlackjackRules) -> None:
        policy = policy_for(analysis(game("stadium-blackjack")), "best")
        tables, conditions = book(rules, [policy]), terms(rules, 1000)
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

    def seconds(self, rounds: int) -> tuple[float, float]:
        """How long the rounds took, and what they came to."""
        shoe = np.concatenate([VALUE_OF[full_shoe(6)], np.zeros(SPARE)]).astype(np.uint8)
        state = stream(1, 0)
        squares = ctypes.c_double()
        cut = int(self.size * PENETRATION)
        began = time.thread_time()
        total = self.play(
            ctypes.byref(self.game), ctypes.c_void_p(state.ctypes.data), ctypes.c_void_p(shoe.ctypes.data),
            self.size, cut, min(self.size, cut + 2 * RESERVE), ctypes.c_int64(rounds), ctypes.byref(squares),
        )  # fmt: skip
        return time.thread_time() - began, total / rounds / 1000


def seconds(player: Player, job: Job) -> float:
    began = time.thread_time()
    for piece in player.pieces(job):
        player.play(piece)
    return time.thread_time() - began


def main() -> None:
    chosen = game("stadium-blackjack")
    assert isinstance(chosen.rules, BlackjackRules)
    job = Job(chosen, ROUNDS)
    player = player_of(job)
    player.warm_up(job)
    with tempfile.TemporaryDirectory() as into:
        reference = PlainC(compiled_c(Path(into)), chosen.rules)
        reference.seconds(1000)
        turns = [(reference.seconds(ROUNDS)[0], seconds(player, job)) for _ in range(TURNS)]
        edge = -reference.seconds(ROUNDS)[1]
    ratio = median(c / own for c, own in turns)
    print(f"plain C: {ROUNDS / median(c for c, _ in turns) / 1e6:.1f} million rounds a second, edge {edge:.4f}")
    print(f"podium, one core: {ROUNDS / median(own for _, own in turns) / 1e6:.1f} million rounds a second")
    print(f"podium to plain C, one core: {ratio:.2f} (at least 1.0)")
    cores = [simulate(job, jobs=1).seconds / both.seconds for both in (simulate(job, jobs=2) for _ in range(TURNS))]
    print(f"two cores to one: {median(cores):.2f} (at least 1.8 on a machine with two idle cores)")


if __name__ == "__main__":
    main()
