"""Insurance: the dealer's ace is the first card of a blackjack."""

from podium.basics.money import Odds
from podium.rules.bets.bet import Bet, Sees

INSURANCE = Bet(
    name="insurance",
    title="Insurance",
    clause="SBJ 5.h",
    sees=Sees.DEALERS_HAND,
    outcomes=("dealer has blackjack",),
    paytables={"A": {"dealer has blackjack": Odds(2, 1)}},
    needs="blackjack",
    says="Insurance is offered when the dealer's first card is an ace and pays 2 to 1 when the dealer has blackjack.",
)


@INSURANCE.outcome
def insurance(cards: int, points: int) -> str | None:
    return "dealer has blackjack" if (cards, points) == (2, 21) else None
