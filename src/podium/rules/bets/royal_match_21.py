"""Royal Match 21: the first two cards are of one suit."""

from podium.basics.cards import Card
from podium.basics.money import Odds
from podium.rules.bets.bet import Bet, Sees

ROYAL_MATCH_21 = Bet(
    name="royal-match-21",
    title="Royal Match 21",
    clause="SBJ 2.c",
    sees=Sees.FIRST_TWO,
    outcomes=("royal match", "two suited cards"),
    counts_as={"royal match": ("two suited cards",)},
    paytables={"A": {"royal match": Odds(25, 1), "two suited cards": Odds(5, 2)}},
    says="Royal Match 21 wins when your first two cards are of one suit; the king and queen of one suit are a royal match.",
    games=("stadium-blackjack", "dynasty-blackjack"),
    order=2,
)


@ROYAL_MATCH_21.outcome
def royal_match(first: Card, second: Card) -> str | None:
    if first.suit != second.suit:
        return None
    return "royal match" if {first.rank, second.rank} == {"K", "Q"} else "two suited cards"
