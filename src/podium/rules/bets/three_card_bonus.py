"""Three Card Bonus: the first two cards and the dealer's up card make a flush or better."""

from podium.basics.cards import Card
from podium.basics.hands import three_card_hand
from podium.rules.bets.bet import Bet, Sees, to_one

THREE_CARD_BONUS = Bet(
    name="three-card-bonus",
    title="Three Card Bonus",
    clause="MUB 6, 3 Card Poker Bonus",
    sees=Sees.FIRST_THREE,
    outcomes=("straight flush", "trips", "straight", "flush"),
    counts_as={"straight flush": ("straight", "flush")},
    paytables={"A": to_one(straight_flush=30, trips=20, straight=6, flush=3)},
    says="Three Card Bonus wins when your first two cards and the dealer's up card make a hand that the paytable lists; straights run from A-2-3 to Q-K-A.",
    games=("dynasty-blackjack", "match-up-blackjack"),
    order=6,
)


@THREE_CARD_BONUS.outcome
def three_card_bonus(first: Card, second: Card, dealers: Card) -> str | None:
    category = three_card_hand((first, second, dealers)).category
    if category == "three of a kind":
        return "trips"
    return category if category in THREE_CARD_BONUS.outcomes else None
