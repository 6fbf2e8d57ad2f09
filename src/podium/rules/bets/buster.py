"""Buster: the dealer busts, and the more cards it takes the more it pays."""

from podium.basics.money import Odds
from podium.rules.bets.bet import Bet, Sees

_BUSTS = {cards: f"bust with {cards} cards" for cards in range(3, 8)} | {8: "bust with 8 or more cards"}


def _by_cards(*pays: int) -> dict[str, Odds]:
    """What a bust with 3, 4, 5, 6, 7 and 8 or more cards pays to one; 0 means no line."""
    return {outcome: Odds(odds, 1) for outcome, odds in zip(_BUSTS.values(), pays, strict=True) if odds}


BUSTER = Bet(
    name="buster",
    title="Buster Blackjack",
    clause="MGB Optional Buster Blackjack wager",
    sees=Sees.DEALERS_HAND,
    outcomes=tuple(reversed(_BUSTS.values())),
    paytables={"MEGA-1": _by_cards(0, 6, 10, 15, 50, 250), "CLASSIC": _by_cards(2, 2, 4, 12, 50, 250)},
    says="Buster Blackjack wins when the dealer's completed hand exceeds 21, and is paid by the number of cards in that hand. "
    "The dealer completes the hand while a Buster wager is in action, even if every player has busted or has blackjack.",
    games=("mega-blackjack",),
    order=7,
)


@BUSTER.outcome
def buster(cards: int, points: int) -> str | None:
    return _BUSTS[min(cards, 8)] if points > 21 else None
