"""Stadium Three Card Poker."""

from fractions import Fraction
from typing import Any

from tests.oracle.account import Account
from tests.oracle.asking import Chooser, Question, ask
from tests.oracle.cards import RANKS, best_five_of, three_card_hand, three_card_strength
from tests.oracle.dealers import card_at

LINES = {
    "row-1": [1, 2, 3],
    "row-2": [4, 5, 6],
    "row-3": [7, 8, 9],
    "column-1": [1, 4, 7],
    "column-2": [2, 5, 8],
    "column-3": [3, 6, 9],
}
PAIR_PLUS = {"straight flush": 40, "three of a kind": 30, "straight": 6, "flush": 3, "pair": 1}
ANTE_BONUS = {"straight flush": 5, "three of a kind": 4, "straight": 1}
SIX_CARD_BONUS = {
    "royal flush": 1000,
    "straight flush": 200,
    "four of a kind": 100,
    "full house": 20,
    "flush": 15,
}
LAST_LINES = {
    "TCP-6B3": {"straight": 9, "three of a kind": 8},
    "TCP-6B4": {"straight": 10, "three of a kind": 7},
}
WAGERS = ["ante"] + [
    bet + at for bet in ("pair-plus", "six-card-bonus") for at in ("", *(f"@{line}" for line in LINES))
]


def play_poker(paytable: str, cards: list[str], seats: list[tuple[Account, list[int]]], choose: Chooser) -> list[Any]:
    """Plays and settles everybody. Returns the hand of each."""
    nine, dealer = [card_at(cards, place) for place in range(9)], [card_at(cards, place) for place in range(9, 12)]
    hands = []
    for account, spots in seats:
        hand = [nine[spot - 1] for spot in spots]
        # Pair Plus is won on the nine cards, and credited before the player decides; Six Card Bonus needs the dealer's.
        settle_bonuses("pair-plus", paytable, account, nine, hand, dealer)
        result = settle_ante(account, choose, hand, dealer)
        settle_bonuses("six-card-bonus", paytable, account, nine, hand, dealer)
        hands.append({"cards": " ".join(hand), "result": result})
    return hands


def settle_ante(account: Account, choose: Chooser, hand: list[str], dealer: list[str]) -> str:
    ante = account.lines["ante", "player"][0]
    answer = ask(choose, Question(account.name, {"play": ante, "fold": 0}, {}, account.credit))
    if answer is None or answer[0] == "fold":
        return "fold"
    account.stake("play", "player", ante)
    account.give_back("ante-bonus", "player", ante * ANTE_BONUS.get(three_card_hand(hand), 0))
    if not qualifies(dealer):
        account.give_back("ante", "player", 2 * ante)
        account.give_back("play", "player", ante)
        return "win"
    mine, theirs = three_card_strength(hand), three_card_strength(dealer)
    if mine < theirs:
        return "lose"
    for wager in ("ante", "play"):
        account.give_back(wager, "player", 2 * ante if mine > theirs else ante)
    return "win" if mine > theirs else "push"


def qualifies(dealer: list[str]) -> bool:
    return three_card_hand(dealer) != "high card" or any(RANKS.index(card[0]) >= RANKS.index("Q") for card in dealer)


def settle_bonuses(
    settled: str, paytable: str, account: Account, nine: list[str], hand: list[str], dealer: list[str]
) -> None:
    for wager, whom in list(account.lines):
        bet, _, line = wager.partition("@")
        if bet != settled:
            continue
        three = [nine[spot - 1] for spot in LINES[line]] if line else hand
        if bet == "pair-plus":
            pays = PAIR_PLUS.get(three_card_hand(three))
        else:
            pays = (SIX_CARD_BONUS | LAST_LINES[paytable]).get(best_five_of(three + dealer))
        account.settle_side_bet(wager, whom, None if pays is None else Fraction(pays))
