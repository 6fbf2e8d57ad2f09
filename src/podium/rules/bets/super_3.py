"""Super 3: a further wager on the TriLux cards, for three of a kind or better."""

from podium.basics.cards import Card
from podium.basics.hands import three_card_hand
from podium.rules.bets.bet import Bet, Sees, to_one

SUPER_3 = Bet(
    name="super-3",
    title="Super 3",
    clause="SBJ 2.e",
    sees=Sees.FIRST_THREE,
    outcomes=("suited three of a kind", "straight flush", "three of a kind"),
    counts_as={"suited three of a kind": ("three of a kind",)},
    paytables={"1": to_one(suited_three_of_a_kind=270, straight_flush=180, three_of_a_kind=90)},
    needs="trilux",
    says="Super 3 wins when your first two cards and the dealer's first card make a hand that the paytable lists: three of a kind of one suit, a straight flush, or three of a kind.",
    games=("stadium-blackjack", "dynasty-blackjack"),
    order=4,
)


@SUPER_3.outcome
def super_3(first: Card, second: Card, dealers: Card) -> str | None:
    if first is second is dealers:
        return "suited three of a kind"
    category = three_card_hand((first, second, dealers)).category
    return category if category in SUPER_3.outcomes else None
