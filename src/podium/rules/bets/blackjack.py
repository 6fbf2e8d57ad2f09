"""The main wager of every blackjack game: your hand against the dealer's."""

from podium.basics.money import EVEN, Odds
from podium.rules.bets.bet import Bet, Sees

BLACKJACK = Bet(
    name="blackjack",
    title="Blackjack",
    clause="SBJ 2.a",
    sees=Sees.BOTH_HANDS,
    outcomes=("blackjack", "21", "win", "push"),
    counts_as={"21": ("win",)},
    paytables={
        "3:2": {"blackjack": Odds(3, 2), "win": EVEN},
        "6:5": {"blackjack": Odds(6, 5), "win": EVEN},
        "3:1": {"blackjack": Odds(3, 1), "21": Odds(3, 2), "win": EVEN},  # MGB 7, 8, 9
    },
    says="Blackjack wins when your hand is nearer to 21 than the dealer's without exceeding it, or when the dealer's exceeds 21.",
)


@BLACKJACK.outcome
def against_the_dealer(
    points: int, natural: bool, dealers: int, dealers_natural: bool, dealers_cards: int, bust_pushes_from: int
) -> str | None:
    """The outcome of a hand that has not busted; None when it loses.

    `bust_pushes_from` is the number of cards from which a dealer bust pushes instead of paying (MGB 6), 0 for never.
    """
    if natural:
        return "push" if dealers_natural else "blackjack"
    if dealers_natural:
        return None
    if dealers > 21:
        if bust_pushes_from and dealers_cards >= bust_pushes_from:
            return "push"
    elif points == dealers:
        return "push"
    elif points < dealers:
        return None
    return "21" if points == 21 else "win"
