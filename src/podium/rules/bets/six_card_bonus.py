"""Six Card Bonus: the best five of the three cards and the dealer's three."""

from podium.basics.cards import Card
from podium.basics.hands import best_five_of_six
from podium.rules.bets.bet import Bet, Sees, to_one

_UPPER = {"royal_flush": 1000, "straight_flush": 200, "four_of_a_kind": 100, "full_house": 20, "flush": 15}

SIX_CARD_BONUS = Bet(
    name="six-card-bonus",
    title="Six Card Bonus",
    clause="TCP 3, Three Card Poker 6 Card Bonus Paytables",
    sees=Sees.SIX,
    outcomes=(
        "royal flush",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
        "straight",
        "three of a kind",
    ),
    counts_as={
        "royal flush": ("straight flush", "flush", "straight"),
        "straight flush": ("flush", "straight"),
        "four of a kind": ("three of a kind",),
        "full house": ("three of a kind",),
    },
    paytables={
        "TCP-6B3": to_one(**_UPPER, straight=9, three_of_a_kind=8),
        "TCP-6B4": to_one(**_UPPER, straight=10, three_of_a_kind=7),
    },
    says="Six Card Bonus wins when the best five-card poker hand among its three cards and the dealer's three is one that the paytable lists.",
    games=("stadium-three-card-poker",),
    order=2,
)


@SIX_CARD_BONUS.outcome
def six_card_bonus(*six: Card) -> str | None:
    category = best_five_of_six(six)
    return None if category == "other" else category
