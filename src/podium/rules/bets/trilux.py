"""TriLux: the first two cards and the dealer's first card make a flush or better."""

from podium.basics.cards import Card
from podium.basics.hands import three_card_hand
from podium.rules.bets.bet import Bet, Sees, to_one

TRILUX = Bet(
    name="trilux",
    title="TriLux",
    clause="SBJ 2.d",
    sees=Sees.FIRST_THREE,
    outcomes=("mini royal", "straight flush", "three of a kind", "straight", "flush"),
    counts_as={"mini royal": ("straight flush", "straight", "flush"), "straight flush": ("straight", "flush")},
    paytables={
        "TRI-01": to_one(straight_flush=9, three_of_a_kind=9, straight=9, flush=9),
        "TRI-02": to_one(mini_royal=100, straight_flush=35, three_of_a_kind=33, straight=10, flush=5),
        "TRI-03": to_one(straight_flush=30, three_of_a_kind=20, straight=10, flush=5),
    },
    says="TriLux wins when your first two cards and the dealer's first card make a hand that the paytable lists. "
    "A mini royal is the ace, king and queen of one suit; straights run from A-2-3 to Q-K-A.",
    games=("stadium-blackjack", "dynasty-blackjack"),
    order=3,
)


@TRILUX.outcome
def trilux(first: Card, second: Card, dealers: Card) -> str | None:
    hand = three_card_hand((first, second, dealers))
    if hand.category == "straight flush" and hand.ranks == (14,):
        return "mini royal"
    return hand.category if hand.category in TRILUX.outcomes else None
