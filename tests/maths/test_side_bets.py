"""Side bets, counted: the printed figures, and every way of counting against the plain one."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from podium.basics.cards import DECK, Card
from podium.maths import side_bets
from podium.maths.figures import Figures
from podium.rules.bets import ANTE_BONUS, BUSTER, PAIR_PLUS, SIX_CARD_BONUS, Bet
from podium.rules.bets.bet_the_set_21 import BET_THE_SET_21
from podium.rules.bets.match_up import MATCH_UP
from podium.rules.bets.royal_match_21 import ROYAL_MATCH_21
from podium.rules.bets.super_3 import SUPER_3
from podium.rules.bets.three_card_bonus import THREE_CARD_BONUS
from podium.rules.bets.trilux import TRILUX
from podium.rules.games import game


def printed(bet: Bet, paytable: str, decks: int = 1, staked: int = 1) -> Figures:
    return side_bets.figures(bet, bet.paytables[paytable], decks, staked=staked)


# --- the Three Card Poker document ----------------------------------------------------------------------------------


def test_tcp_six_card_bonus_occurrences() -> None:
    assert {line.outcome: line.ways for line in printed(SIX_CARD_BONUS, "TCP-6B3").outcomes} == {
        "royal flush": 188,
        "straight flush": 1_656,
        "four of a kind": 14_664,
        "full house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three of a kind": 732_160,
        "other": 18_876_456,
    }


@pytest.mark.parametrize(("paytable", "edge"), [("TCP-6B3", "6.74%"), ("TCP-6B4", "8.56%")])
def test_tcp_six_card_bonus_house_advantage(paytable: str, edge: str) -> None:
    figures = printed(SIX_CARD_BONUS, paytable)
    assert f"{float(figures.house_edge):.2%}" == edge
    assert f"{float(figures.hit_frequency):.2%}" == "7.28%"


def test_tcp_pair_plus() -> None:
    figures = printed(PAIR_PLUS, "D")
    assert figures.house_edge == Fraction(402, 5525)
    assert f"{float(figures.house_edge):.2%}" == "7.28%"
    assert f"{float(figures.hit_frequency):.2%}" == "25.61%"


def test_tcp_ante_bonus_is_paid_without_a_stake() -> None:
    figures = printed(ANTE_BONUS, "A", staked=0)
    assert f"{float(figures.hit_frequency):.2%}" == "3.71%"
    assert figures.returned == -figures.house_edge == Fraction(5 * 48 + 4 * 52 + 720, 22_100)


# --- figures that others have published -----------------------------------------------------------------------------


def test_royal_match_on_six_decks() -> None:
    assert f"{float(printed(ROYAL_MATCH_21, 'A', 6).house_edge):.2%}" == "6.67%"


@pytest.mark.parametrize(("decks", "edge"), [(4, "4.24%"), (6, "3.24%"), (8, "2.74%")])
def test_trilux_tri_01(decks: int, edge: str) -> None:
    assert f"{float(printed(TRILUX, 'TRI-01', decks).house_edge):.2%}" == edge


# --- every way of counting against the plain one --------------------------------------------------------------------


@pytest.mark.parametrize("bet", [BET_THE_SET_21, ROYAL_MATCH_21])
def test_two_cards_of_two_decks_one_by_one(bet: Bet) -> None:
    assert Counter(bet.of(*two) for two in combinations(DECK * 2, 2)) == side_bets.ways(bet, 2)


@pytest.mark.parametrize("bet", [TRILUX, SUPER_3, THREE_CARD_BONUS])
def test_three_cards_of_two_decks_one_by_one(bet: Bet) -> None:
    assert Counter(bet.of(*three) for three in combinations(DECK * 2, 3)) == side_bets.ways(bet, 2)


def test_match_up_tells_the_dealers_card_from_the_players() -> None:
    """Every thirteenth card of three decks as the dealer's: no suit and no rank is better than another here."""
    one_by_one: Counter[str | None] = Counter()
    shoe = DECK * 3
    for number in range(0, len(shoe), 13):
        rest = shoe[:number] + shoe[number + 1 :]
        one_by_one.update(MATCH_UP.of(*two, shoe[number]) for two in combinations(rest, 2))
    assert {outcome: 13 * count for outcome, count in one_by_one.items()} == side_bets.ways(MATCH_UP, 3)


@pytest.mark.parametrize("bet", [TRILUX, SUPER_3, THREE_CARD_BONUS, MATCH_UP])
def test_all_deals_are_counted(bet: Bet) -> None:
    for decks in (1, 4, 6, 8):
        cards = 52 * decks
        in_no_order = cards * (cards - 1) * (cards - 2) // 6
        assert sum(side_bets.ways(bet, decks).values()) == in_no_order * (3 if bet is MATCH_UP else 1)


def test_a_six_card_hand_and_the_one_that_stands_for_it_have_one_outcome() -> None:
    """The claim on which the six-card count rests, on 25,000 random hands and on as many with a long suit."""
    stands_for = {sight(six): SIX_CARD_BONUS.of(*six) for six, _ in side_bets.six_card_sights()}
    chance = random.Random(6)
    spades = [card for card in DECK if card.suit == "s"]
    for _ in range(25_000):
        for six in (chance.sample(DECK, 6), long_suit(chance, spades)):
            assert stands_for[sight(six)] == SIX_CARD_BONUS.of(*six)


def long_suit(chance: random.Random, spades: list[Card]) -> list[Card]:
    five = chance.sample(spades, 5)
    return [*five, chance.choice([card for card in DECK if card not in five])]


def sight(six: "list[Card] | tuple[Card, ...]") -> tuple[tuple[str, ...], tuple[str, ...]]:
    suit, count = Counter(card.suit for card in six).most_common(1)[0]
    suited = [card.rank for card in six if card.suit == suit] if count >= 5 else []
    return tuple(sorted(card.rank for card in six)), tuple(sorted(suited))


# --- paytables that an operator enters ------------------------------------------------------------------------------


def test_an_entered_paytable_is_counted_by_its_own_lines() -> None:
    entered = {"trilux": {"MINE": {"three of a kind": 30, "flush": "7:2"}}}
    offer = game("stadium-blackjack", {"paytables": entered, "side_bets": {"trilux": "MINE"}}).offers["trilux"]
    lines = {line.outcome: line for line in side_bets.figures(offer.bet, offer.paytable, 6).outcomes}
    # A straight flush is still a flush, and a plain straight is nothing.
    assert lines["flush"].ways == 10_368 + 292_896
    assert lines["flush"].pays == Fraction(7, 2)
    assert lines["three of a kind"].ways == 26_312
    assert lines["other"].ways == 5_013_320 - 26_312 - 303_264


def test_variance_and_edge_come_from_the_same_outcomes() -> None:
    figures = printed(BET_THE_SET_21, "A", 8)
    mean = sum(line.probability * line.pays for line in figures.outcomes)
    square = sum(line.probability * line.pays**2 for line in figures.outcomes)
    assert -figures.house_edge == mean
    assert figures.variance == square - mean**2


def test_a_bet_on_the_dealers_play_is_not_a_matter_of_the_deal() -> None:
    assert not side_bets.can_count(BUSTER)
    assert side_bets.can_count(MATCH_UP)
