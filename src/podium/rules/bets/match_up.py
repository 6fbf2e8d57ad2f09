"""Match Up: the first two cards, each compared with the dealer's up card."""

from podium.basics.cards import Card
from podium.rules.bets.bet import Bet, Sees, to_one

MATCH_UP = Bet(
    name="match-up",
    title="Match Up",
    clause="MUB 6, Match Up Bonus",
    sees=Sees.FIRST_THREE,
    outcomes=(
        "two suited matches",
        "one suited and one unsuited match",
        "one suited match",
        "two unsuited matches",
        "one unsuited match",
    ),
    counts_as={
        "two suited matches": ("one suited match",),
        "one suited and one unsuited match": ("one suited match", "one unsuited match"),
        "two unsuited matches": ("one unsuited match",),
    },
    paytables={
        "A": to_one(
            two_suited_matches=20,
            one_suited_and_one_unsuited_match=15,
            one_suited_match=10,
            two_unsuited_matches=5,
            one_unsuited_match=3,
        )
    },
    says="Match Up: each of your first two cards is compared with the dealer's up card: a card of the same rank is a match, "
    "and one of the same rank and suit a suited match.",
    games=("dynasty-blackjack", "match-up-blackjack"),
    order=5,
)

_OUTCOMES = {
    (2, 0): "two suited matches",
    (1, 1): "one suited and one unsuited match",
    (1, 0): "one suited match",
    (0, 2): "two unsuited matches",
    (0, 1): "one unsuited match",
}


@MATCH_UP.outcome
def match_up(first: Card, second: Card, dealers: Card) -> str | None:
    suited = (first is dealers) + (second is dealers)
    unsuited = (first.rank == dealers.rank) + (second.rank == dealers.rank) - suited
    return _OUTCOMES.get((suited, unsuited))
