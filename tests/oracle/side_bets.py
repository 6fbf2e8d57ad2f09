"""The side bets on a player's first two cards and the dealer's first, and Buster: what each pays to 1, or None if it loses."""

from fractions import Fraction

from tests.oracle.cards import is_flush, three_card_hand, total

TRILUX = {
    "TRI-01": {"straight flush": 9, "three of a kind": 9, "straight": 9, "flush": 9},
    "TRI-02": {"mini royal": 100, "straight flush": 35, "three of a kind": 33, "straight": 10, "flush": 5},
    "TRI-03": {"straight flush": 30, "three of a kind": 20, "straight": 10, "flush": 5},
}
# Cards of the dealer's busted hand, 8 standing for 8 or more.
BUSTER = {
    "MEGA-1": {4: 6, 5: 10, 6: 15, 7: 50, 8: 250},
    "CLASSIC": {3: 2, 4: 2, 5: 4, 6: 12, 7: 50, 8: 250},
}


def first_three_pay(bet: str, paytable: str, two: list[str], up_card: str) -> Fraction | None:
    three = [*two, up_card]
    pays: float | None
    match bet:
        case "bet-the-set-21":
            pays = bet_the_set_21(two)
        case "royal-match-21":
            pays = royal_match_21(two)
        case "trilux":
            pays = trilux(paytable, three)
        case "super-3":
            pays = super_3(three)
        case "match-up":
            pays = match_up(two, up_card)
        case "three-card-bonus":
            pays = {"straight flush": 30, "three of a kind": 20, "straight": 6, "flush": 3}.get(three_card_hand(three))
        case _:
            raise ValueError(bet)
    return None if pays is None else Fraction(pays)


def bet_the_set_21(two: list[str]) -> int | None:
    if two[0][0] != two[1][0]:
        return None
    return 15 if is_flush(two) else 10


def royal_match_21(two: list[str]) -> float | None:
    if not is_flush(two):
        return None
    return 25 if {card[0] for card in two} == {"K", "Q"} else 2.5


def trilux(paytable: str, three: list[str]) -> int | None:
    pays = TRILUX[paytable]
    if "mini royal" in pays and is_flush(three) and {card[0] for card in three} == set("AKQ"):
        return pays["mini royal"]
    return pays.get(three_card_hand(three))


def super_3(three: list[str]) -> int | None:
    hand = three_card_hand(three)
    if hand == "three of a kind":
        return 270 if is_flush(three) else 90
    return 180 if hand == "straight flush" else None


def match_up(two: list[str], up_card: str) -> int | None:
    matches = [card for card in two if card[0] == up_card[0]]
    suited = sum(card[1] == up_card[1] for card in matches)
    return {(2, 2): 20, (2, 1): 15, (1, 1): 10, (2, 0): 5, (1, 0): 3}.get((len(matches), suited))


def buster_pays(paytable: str, dealer: list[str]) -> Fraction | None:
    if total(dealer) <= 21:
        return None
    pays = BUSTER[paytable].get(min(len(dealer), 8))
    return None if pays is None else Fraction(pays)
