"""Bet the Set 21: the first two cards are a pair."""

from podium.basics.cards import Card
from podium.rules.bets.bet import Bet, Sees, to_one

BET_THE_SET_21 = Bet(
    name="bet-the-set-21",
    title="Bet the Set 21",
    clause="SBJ 2.b",
    sees=Sees.FIRST_TWO,
    outcomes=("suited pair", "pair"),
    counts_as={"suited pair": ("pair",)},
    paytables={"A": to_one(suited_pair=15, pair=10)},
    says="Bet the Set 21 wins when your first two cards are of the same rank; a king and a ten are not a pair here.",
    games=("stadium-blackjack", "dynasty-blackjack"),
    order=1,
)


@BET_THE_SET_21.outcome
def bet_the_set(first: Card, second: Card) -> str | None:
    if first.rank != second.rank:
        return None
    return "suited pair" if first.suit == second.suit else "pair"
