"""Pair Plus: the three cards are a pair or better, whatever the dealer holds."""

from podium.basics.cards import Card
from podium.basics.hands import three_card_hand
from podium.rules.bets.bet import Bet, Sees, to_one

PAIR_PLUS = Bet(
    name="pair-plus",
    title="Pair Plus",
    clause="TCP 3",
    sees=Sees.OWN_THREE,
    outcomes=("straight flush", "three of a kind", "straight", "flush", "pair"),
    counts_as={"straight flush": ("straight", "flush"), "three of a kind": ("pair",)},
    paytables={"D": to_one(straight_flush=40, three_of_a_kind=30, straight=6, flush=3, pair=1)},
    says="Pair Plus wins when its three cards make a hand that the paytable lists, whatever the dealer holds and whether or not you play your hand.",
    games=("stadium-three-card-poker",),
    order=1,
)


@PAIR_PLUS.outcome
def pair_plus(*three: Card) -> str | None:
    category = three_card_hand(three).category
    return None if category == "high card" else category
