"""Ante Bonus: a played hand of a straight or better is paid on the ante, whatever the dealer holds."""

from podium.basics.cards import Card
from podium.basics.hands import three_card_hand
from podium.rules.bets.bet import Bet, Sees, to_one

ANTE_BONUS = Bet(
    name="ante-bonus",
    title="Ante Bonus",
    clause="TCP Ante Bonus Paytable",
    sees=Sees.OWN_THREE,
    outcomes=("straight flush", "three of a kind", "straight"),
    counts_as={"straight flush": ("straight",)},
    paytables={"A": to_one(straight_flush=5, three_of_a_kind=4, straight=1)},
    says="Ante Bonus: a hand that you play and that the paytable lists is paid on your Ante, whatever the dealer holds.",
    games=("stadium-three-card-poker",),
    order=3,
)


@ANTE_BONUS.outcome
def ante_bonus(*three: Card) -> str | None:
    category = three_card_hand(three).category
    return category if category in ANTE_BONUS.outcomes else None
