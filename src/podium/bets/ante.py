"""Ante, Play and the ante bonus: the three-card hand against the dealer's."""

from podium.bets.bet import Bet, Sees, to_one
from podium.cards import Card
from podium.hands import ThreeCardHand, three_card_hand
from podium.money import EVEN

ANTE = Bet(
    name="ante",
    title="Ante",
    clause="TCP 3",
    sees=Sees.BOTH_HANDS,
    outcomes=("dealer does not qualify", "win", "tie"),
    paytables={"A": {"dealer does not qualify": EVEN, "win": EVEN}},
    says="It is paid 1 to 1 when you play your hand and it beats the dealer's, or when the dealer does not qualify.",
)

PLAY = Bet(
    name="play",
    title="Play",
    clause="TCP 7",
    sees=Sees.BOTH_HANDS,
    outcomes=("dealer does not qualify", "win", "tie"),
    paytables={"A": {"win": EVEN}},
    says="It equals the Ante and is paid 1 to 1 when your hand beats a dealer who qualifies; it is pushed when the dealer does not qualify.",
)

ANTE_BONUS = Bet(
    name="ante-bonus",
    title="Ante Bonus",
    clause="TCP Ante Bonus Paytable",
    sees=Sees.OWN_THREE,
    outcomes=("straight flush", "three of a kind", "straight"),
    counts_as={"straight flush": ("straight",)},
    paytables={"A": to_one(straight_flush=5, three_of_a_kind=4, straight=1)},
    says="A hand that you play and that the paytable lists is paid on your Ante, whatever the dealer holds.",
)

QUEEN_HIGH = 12


def qualifies(hand: ThreeCardHand) -> bool:
    """TCP 9: the dealer needs queen high or better."""
    return hand.category != "high card" or hand.ranks[0] >= QUEEN_HIGH


@ANTE.outcome
@PLAY.outcome
def showdown(hand: ThreeCardHand, dealers: ThreeCardHand) -> str | None:
    """How a played hand fares; None when the dealer's is better."""
    if not qualifies(dealers):
        return "dealer does not qualify"
    if hand == dealers:
        return "tie"
    return "win" if hand > dealers else None


@ANTE_BONUS.outcome
def ante_bonus(*three: Card) -> str | None:
    category = three_card_hand(three).category
    return category if category in ANTE_BONUS.outcomes else None
