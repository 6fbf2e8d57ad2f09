"""The exact figures of Buster, from the dealer's exact distribution of busts."""

from math import lcm

from podium.maths.dealer import bust_distribution
from podium.maths.figures import Figures, by_paytable
from podium.rules.bets import BUSTER, Paytable

BUST_POINTS = 22


def buster_ways(decks: int, *, hits_soft_17: bool) -> dict[str | None, int]:
    """The number of equally likely deals for each outcome; None counts those without a bust."""
    busts = bust_distribution(decks, hits_soft_17=hits_soft_17)
    deals = lcm(*(chance.denominator for chance in busts.values()))
    ways: dict[str | None, int] = {}
    for cards, chance in busts.items():
        outcome = BUSTER.of(cards, BUST_POINTS)
        ways[outcome] = ways.get(outcome, 0) + int(chance * deals)
    return ways | {None: deals - sum(ways.values())}


def buster_figures(paytable: Paytable, decks: int, *, hits_soft_17: bool) -> Figures:
    """The figures of Buster. The dealer always completes the hand, so the play of others changes nothing."""
    counted = buster_ways(decks, hits_soft_17=hits_soft_17)
    paid = {BUSTER.line(paytable, outcome): count for outcome, count in counted.items() if outcome in paytable}
    paid[None] = sum(counted.values()) - sum(paid.values())
    return by_paytable(
        paid, paytable, how=f"Exact: every order in which the dealer can draw from {decks} decks was counted."
    )
