"""A simulation held against the exact figures of the same wagers."""

from podium.maths import blackjack, side_bets, three_card
from podium.maths.boxes import unrounded
from podium.maths.buster import buster_figures
from podium.maths.simulate import Job, Measured, Simulated
from podium.rules.bets import ANTE, ANTE_BONUS, BLACKJACK, BUSTER
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.three_card import ThreeCardRules

ALLOWED = 3.0
"""In standard errors. By chance a sound simulation is further off once in 370 times."""

ENOUGH = 10_000
"""With fewer rounds the error itself is known too badly."""


def exact_edge(job: Job, wager: str) -> float | None:
    """The exact house edge of a wager of the job; None where there is none, or where payments on it are rounded."""
    rules, offer = job.game.rules, job.game.offers[wager]
    if offer.bet is BLACKJACK and isinstance(rules, BlackjackRules):
        whole = unrounded(rules, job.wagers[wager])
        return float(blackjack.figures(job.game, job.strategy).house_edge) if whole else None
    if offer.bet is ANTE and isinstance(rules, ThreeCardRules):
        return _ante(job, rules)
    if any(job.wagers[wager] * odds.pays % odds.per for odds in offer.paytable.values()):
        return None
    if offer.bet is BUSTER and isinstance(rules, BlackjackRules):
        figures = buster_figures(offer.paytable, rules.decks, hits_soft_17=rules.dealer_hits_soft_17)
        return float(figures.house_edge)
    return float(side_bets.figures(offer.bet, offer.paytable, rules.decks).house_edge)


def _ante(job: Job, rules: ThreeCardRules) -> float | None:
    paytable = rules.paytable_named(ANTE_BONUS, rules.ante_bonus)
    if any(job.wagers[ANTE.name] * odds.pays % odds.per for odds in paytable.values()):
        return None
    if job.strategy == "best":
        return float(three_card.figures(paytable, "nine seen").house_edge)
    return float(three_card.figures(paytable, "timeout").house_edge) if job.strategy == "timeout" else None


def compared(simulated: Simulated) -> list[tuple[Measured, float | None]]:
    """Every wager with its exact house edge."""
    return [(measured, exact_edge(simulated.job, measured.wager)) for measured in simulated.wagers]


def disagreements(simulated: Simulated, pairs: list[tuple[Measured, float | None]]) -> list[str]:
    """A sentence for every wager that is further from its exact value than its error allows."""
    if simulated.job.rounds < ENOUGH:
        return []
    said = []
    for measured, exact in pairs:
        if exact is None or measured.standard_error == 0.0:
            continue
        off = abs(measured.house_edge - exact) / measured.standard_error
        if off > ALLOWED:
            said.append(
                f"{measured.wager}: the simulation gives {measured.house_edge:.4%} and the exact value is {exact:.4%}, "
                f"{off:.1f} standard errors apart. Once in 370 runs that is chance; in very long runs it is the cut card, "
                "which ends shoes rich in small cards after fewer rounds."
            )
    return said
