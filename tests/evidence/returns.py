"""The PAR sheets beside the second engine: rounds of the best play, settled by `tests/oracle` from cards, wagers and decisions alone."""

import math
from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from podium.maths.comparing import exact_edge
from podium.maths.families.blackjack import policies
from podium.maths.jobs import DEFAULT_WAGER, Job
from podium.maths.poker_rounds import poker_plan
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import Game
from tests.maths.engine_play import played
from tests.second_engine import differences, settled_again

CARDS_OF_A_ROUND: Final = 52
MAX_STANDARD_ERRORS: Final = 4.0
"""A right figure is further off once in 16,000 comparisons, more often where large prizes are rare."""


class Beside(NamedTuple):
    """The house edge of a wager as the PAR sheet has it, and as the second engine found it."""

    wager: str
    exact: float | None
    found: float
    standard_error: float

    @property
    def apart(self) -> float | None:
        """How many standard errors lie between them."""
        if self.exact is None or not self.standard_error:
            return None
        return (self.found - self.exact) / self.standard_error


class Compared(NamedTuple):
    """A game, played and settled twice."""

    game: str
    rounds: int
    different: tuple[str, ...]
    """Rounds that Podium settled otherwise."""
    wagers: tuple[Beside, ...]

    @property
    def doubtful(self) -> list[str]:
        """The wagers whose figures are too far apart."""
        return [each.wager for each in self.wagers if each.apart and abs(each.apart) > MAX_STANDARD_ERRORS]


def compare(game: Game, rounds: int, seed: int = 0) -> Compared:
    """Plays rounds of one seat with every wager, each from a fresh shoe."""
    rules, random = game.rules, Random(f"returns {game.name} {seed}")
    job = Job(game, rounds, wagers=dict.fromkeys(game.offers, DEFAULT_WAGER))
    wagers, main = dict(job.wagers), rules.main.name
    policy = policies(game, ["best"])["best"] if isinstance(rules, BlackjackRules) else poker_plan("best")
    sums = {wager: [0, 0] for wager in wagers}
    different: list[str] = []
    for _ in range(rounds):
        shoe = random.sample(range(52 * rules.decks), CARDS_OF_A_ROUND)
        round = played(game, wagers, iter(card % 52 for card in shoe), [policy])
        different += differences(round, game.changed())
        [figures] = settled_again(round, game.changed())["players"]
        for wager, net in _nets(figures, wagers, main).items():
            sums[wager][0] += net
            sums[wager][1] += net * net
    return Compared(game.name, rounds, tuple(different), tuple(_beside(job, *each) for each in sums.items()))


def _nets(figures: Mapping[str, Any], wagers: Mapping[str, int], main: str) -> dict[str, int]:
    """By wager; what decisions added belongs to the main wager."""
    found = dict.fromkeys(wagers, 0)
    for line in figures["wagers"]:
        found[line["wager"] if line["wager"] in found else main] += line["returned"] - line["staked"]
    return found


def _beside(job: Job, wager: str, sums: list[int]) -> Beside:
    mean, squares = (total / job.rounds / job.wagers[wager] ** power for power, total in enumerate(sums, 1))
    error = math.sqrt(max(0.0, squares - mean * mean) / job.rounds)
    return Beside(wager, exact_edge(job, wager), -mean, error)


def as_json(compared: Compared) -> bytes:
    """One game as a file of the folder."""
    wagers = [each._asdict() | {"standard_errors_apart": each.apart} for each in compared.wagers]
    return msgspec.json.format(msgspec.json.encode(compared._asdict() | {"wagers": wagers}), indent=1) + b"\n"
