"""Ante: the three-card hand against the dealer's."""

from podium.basics.hands import ThreeCardHand
from podium.basics.money import EVEN
from podium.rules.bets.bet import Bet, Sees

ANTE = Bet(
    name="ante",
    title="Ante",
    clause="TCP 3",
    sees=Sees.BOTH_HANDS,
    outcomes=("dealer does not qualify", "win", "tie"),
    paytables={"A": {"dealer does not qualify": EVEN, "win": EVEN}},
    says="Ante is paid 1 to 1 when you play your hand and it beats the dealer's, or when the dealer does not qualify.",
)

QUEEN_HIGH = 12


def qualifies(hand: ThreeCardHand) -> bool:
    """TCP 9: the dealer needs queen high or better."""
    return hand.category != "high card" or hand.ranks[0] >= QUEEN_HIGH


@ANTE.outcome
def showdown(hand: ThreeCardHand, dealers: ThreeCardHand) -> str | None:
    """The outcome of a played hand; None when the dealer's is better."""
    if not qualifies(dealers):
        return "dealer does not qualify"
    if hand == dealers:
        return "tie"
    return "win" if hand > dealers else None
