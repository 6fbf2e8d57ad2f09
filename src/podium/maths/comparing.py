"""Comparing a simulation with the exact figures of the same wagers."""

from podium.maths.families import family_of
from podium.maths.jobs import Job
from podium.maths.simulation import Measured, Simulated

MAX_STANDARD_ERRORS = 3.0
"""A correct simulation is further off by chance once in 370 runs."""

MIN_ROUNDS_TO_COMPARE = 10_000
"""With fewer rounds the standard error itself is not known well enough."""


def exact_edge(job: Job, wager: str) -> float | None:
    """The exact house edge of a wager of the job; None if it is not known or payments on the wager are rounded."""
    family = family_of(job.game)
    if not family.unrounded(job.game, wager, job.wagers[wager]):
        return None
    figures = family.figures(job.game, wager, job.strategy)
    return None if figures is None else float(figures.house_edge)


def compared(simulated: Simulated) -> list[tuple[Measured, float | None]]:
    """Pairs every wager with its exact house edge."""
    return [(measured, exact_edge(simulated.job, measured.wager)) for measured in simulated.wagers]


def disagreements(simulated: Simulated, pairs: list[tuple[Measured, float | None]]) -> list[str]:
    """A sentence for each wager whose simulated edge is further from the exact one than its standard error allows."""
    if simulated.job.rounds < MIN_ROUNDS_TO_COMPARE:
        return []
    said = []
    for measured, exact in pairs:
        if exact is None or measured.standard_error == 0.0:
            continue
        off = abs(measured.house_edge - exact) / measured.standard_error
        if off > MAX_STANDARD_ERRORS:
            said.append(
                f"{measured.wager}: the simulation gives {measured.house_edge:.4%} and the exact value is {exact:.4%}, "
                f"{off:.1f} standard errors apart. Once in 370 runs that is chance; in very long runs it is the cut card, "
                "which ends shoes rich in small cards after fewer rounds."
            )
    return said
