"""Simulation: rounds dealt from real shoes, in blocks that any number of workers can share."""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.maths.families import family_of
from podium.maths.jobs import BlockPlayer, Job, Sums

PIECES_AHEAD_PER_CORE: Final = 8
"""Pieces that are handed out in advance."""

MAX_JOBS: Final = 256
"""More threads than any machine can use."""

Piece = TypeVar("Piece")
Found_co = TypeVar("Found_co", covariant=True)


def player_of(job: Job) -> BlockPlayer:
    """Prepares a job; the player can be used from any thread."""
    return family_of(job.game).player(job)


# --- results ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """The simulated figures of a wager, per unit."""

    wager: str
    stake: int
    house_edge: float
    standard_error: float
    standard_deviation: float

    def to_dict(self) -> dict[str, float]:
        return {
            "house_edge": self.house_edge,
            "standard_error": self.standard_error,
            "standard_deviation": self.standard_deviation,
        }


@dataclass(frozen=True)
class Simulated:
    """The result of a job."""

    job: Job
    jobs: int
    seconds: float
    wagers: tuple[Measured, ...]

    @property
    def rounds_per_second(self) -> float:
        return self.job.rounds / self.seconds if self.seconds else 0.0

    def rows(self) -> list[dict[str, Any]]:
        """A row for each wager, its amount in minor units."""
        return [{"wager": each.wager, "amount": each.stake, **each.to_dict()} for each in self.wagers]

    def to_dict(self) -> dict[str, Any]:
        """As `podium simulate --json` writes it."""
        job = self.job
        return {
            "game": job.game.name,
            "options": job.game.changed(),
            "strategy": job.strategy,
            "players": job.players,
            "penetration": job.penetration,
            "seed": job.seed,
            "jobs": self.jobs,
            "rounds": job.rounds,
            "seconds": self.seconds,
            "rounds_per_second": self.rounds_per_second,
            "wagers": {measured.wager: measured.to_dict() for measured in self.wagers},
        }


def measured(job: Job, sums: Sums) -> tuple[Measured, ...]:
    """The figures from the sums. Players of one table share cards, so the standard error treats only rounds as independent."""
    found = []
    results, rounds = job.rounds * job.players, job.rounds
    for (wager, stake), (total, squares, tables) in zip(job.wagers.items(), sums.tolist(), strict=True):
        mean = total / results / stake
        variance = max(0.0, squares / results / stake**2 - mean**2)
        of_tables = max(0.0, tables / rounds / (stake * job.players) ** 2 - mean**2)
        error = math.sqrt(of_tables / max(1, rounds - 1))
        found.append(Measured(wager, stake, -mean, error, math.sqrt(variance)))
    return tuple(found)


def simulate(job: Job, *, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> Simulated:
    """Plays a job on `jobs` cores, by default on all. `progress` is called with the number of rounds that were added."""
    jobs = cores(jobs)
    player = player_of(job)
    player.warm_up(job)
    began = time.perf_counter()
    with ThreadPoolExecutor(jobs) as workers:
        parts = in_order(
            lambda piece: workers.submit(player.play, piece), player.pieces(job), PIECES_AHEAD_PER_CORE * jobs
        )
        sums = added(job, player.pieces(job), parts, progress)
    seconds = time.perf_counter() - began
    return Simulated(job, jobs, seconds, measured(job, sums))


class Promised(Protocol[Found_co]):
    """The future result of a worker, on this machine or another."""

    def result(self) -> Found_co: ...

    def cancel(self) -> object: ...


def in_order(submit: Callable[[Piece], Promised[Found_co]], pieces: Iterable[Piece], ahead: int) -> Iterator[Found_co]:
    """The results of the workers in the order of the pieces. Only `ahead` pieces are handed out in advance, which bounds memory."""
    waiting: deque[Promised[Found_co]] = deque()
    try:
        for piece in pieces:
            waiting.append(submit(piece))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for promised in waiting:
            promised.cancel()


def added(job: Job, pieces: Iterable[range], parts: Iterator[Sums], progress: Callable[[int], None] | None) -> Sums:
    """Adds up the sums in the order of the blocks, so that the last digit does not depend on the order of completion."""
    sums = np.zeros((len(job.wagers), 3))
    for piece, part in zip(pieces, parts, strict=True):
        sums += part
        if progress is not None:
            progress(sum(job.rounds_of(block) for block in piece))
    return sums


def cores(jobs: int | None) -> int:
    """The number of cores to use: by default all that this process may use."""
    all_of_them = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if jobs is None:
        return all_of_them
    if type(jobs) is not int or not 1 <= jobs <= MAX_JOBS:
        raise Refused("number-between", name="jobs", number=shortened(repr(jobs)), least=1, most=MAX_JOBS)
    return jobs


english("refused", {"number-between": "{name} is {number}: it must be a whole number from {least} to {most}."})
