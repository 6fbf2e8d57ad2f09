"""The largest payout of a round: a round of the engine reaches it, and no search finds a round that pays more."""

import json
from typing import Any

import numpy as np
import pytest

from podium.maths.blackjack_largest import dealers_ends, seated
from podium.maths.blackjack_rounds import community_round, own_hands_round, side_bets
from podium.maths.boxes import VALUE_OF, play_tables, terms
from podium.maths.largest import largest
from podium.maths.patrons import Party, Patrons
from podium.play.script import settle
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import game
from tests.maths.kernels import new_boxes
from tests.maths.test_simulation_is_the_engine import random_shoe, wild_policy

SBJ, DLB, MUB, MGB = "stadium-blackjack", "dynasty-blackjack", "match-up-blackjack", "mega-blackjack"
TCP = "stadium-three-card-poker"

THREE_DOUBLED = "split split double double double"


@pytest.mark.parametrize(
    ("name", "wagers", "cards", "decisions"),
    [
        (SBJ, {"blackjack": 1000}, "8s 6h 8d 8c 3s Ts 3d Td 3c Tc Th Kh", THREE_DOUBLED),
        (
            SBJ,
            {"blackjack": 1000, "trilux": 500, "super-3": 100},
            "8s 8s 8s 8c 3s Ts 3d Td 3c Tc Th",
            THREE_DOUBLED,
        ),
        (DLB, {"blackjack": 700}, "8s 6h 8d 3s 3d Ts Td Th Kh", "split double double"),
        (MGB, {"blackjack": 1000, "buster": 500}, "As 2c Ks 2d 2h 2s 2c 2d 2h Td", ""),
        (TCP, {"ante": 1000}, "As Ks Qs 2c 5d 7h 9c 3d 4h Js Ts Kd", "play"),
        (
            TCP,
            {"ante": 1000, "pair-plus": 100, "six-card-bonus": 100},
            "As Ks Qs 2c 5d 7h 9c 3d 4h Js Ts Kd",
            "play",
        ),
    ],
)
def test_a_round_of_the_engine_reaches_it(name: str, wagers: dict[str, int], cards: str, decisions: str) -> None:
    player = {"name": "p", "wagers": wagers, "decisions": decisions.split()}
    said = json.loads(settle(json.dumps({"game": name, "cards": cards, "players": [player]})))
    most = largest(Patrons(game(name), (Party(1),), wagers))
    assert most.reached
    assert said["players"][0]["net"] == most.amount


CASES: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    (SBJ, {}, {"blackjack": 1000, "bet-the-set-21": 300}),
    (SBJ, {"max_splits": 4, "keep_standoff_bet": "always-and-push-insurance"}, {"blackjack": 1000}),
    (SBJ, {"double_totals": [4, 6], "dealer_blackjack_takes": "all", "max_splits": 0}, {"blackjack": 15}),
    (DLB, {"double_adds": 2, "insurance": True, "double": "off"}, {"blackjack": 1001}),
    (MUB, {}, {"blackjack": 200, "match-up": 1000}),
    (MGB, {}, {"blackjack": 1000, "buster": 100}),
]


@pytest.mark.parametrize(("name", "options", "wagers"), CASES)
def test_no_random_round_pays_more(name: str, options: dict[str, Any], wagers: dict[str, int]) -> None:
    """Wild play on shoes that are rich in few ranks, where pairs are split again and again."""
    of = game(name, options)
    rules = of.rules
    assert isinstance(rules, BlackjackRules)
    random = np.random.default_rng(5)
    conditions, tables = terms(rules, wagers["blackjack"]), play_tables(rules, [wild_policy(random) for _ in range(3)])
    sides = side_bets(of.offers, dict(list(wagers.items())[1:]))
    nets, room = np.zeros((3, len(wagers)), dtype=np.int64), np.zeros((3, 2), dtype=np.int64)
    one, three = (largest(Patrons(of, (Party(players),), wagers)).amount for players in (1, 3))
    found = 0
    for _ in range(3000):
        shoe = random_shoe(rules.decks, random)
        values, boxes = VALUE_OF[shoe], new_boxes(3)
        if of.dealing.acts_in_turn:
            own_hands_round(conditions, tables, sides, np.arange(3), shoe, values, 0, boxes, room, nets)
        else:
            community_round(conditions, tables, sides, shoe, values, 0, boxes, nets)
        assert nets.sum() <= three
        found = max(found, int(nets.sum(axis=1).max()))
    assert found <= one
    assert found >= one // 8


def test_the_table_of_a_community_game_pays_every_player() -> None:
    one, many = (largest(Patrons(game(SBJ), (Party(players),), {"trilux": 500})).amount for players in (1, 900))
    assert many == 900 * one


def test_who_stakes_more_is_paid_more() -> None:
    usual, rich = {"blackjack": 1000}, {"blackjack": 3000, "trilux": 500}
    together = largest(Patrons(game(SBJ), (Party(4), Party(2, wagers=rich)), usual))
    alone = largest(Patrons(game(SBJ), (Party(2),), rich)).amount
    assert together.reached
    assert (
        together.amount == alone + 4 * largest(Patrons(game(SBJ), (Party(1),), usual)).amount
    )  # a pair of eights is best for both
    array = largest(Patrons(game(TCP), (Party(3), Party(2, wagers={"ante": 1000, "pair-plus": 100}))))
    assert (array.amount, array.reached) == (5 * 7000 + 2 * 4000, True)


def test_seats_that_stake_differently_are_bounded() -> None:
    small, large = {"blackjack": 200}, {"blackjack": 1000, "match-up": 500}
    both = largest(Patrons(game(MUB), (Party(2, wagers=small), Party(1, wagers=large))))
    one = largest(Patrons(game(MUB), (Party(1),), large)).amount
    two = largest(Patrons(game(MUB), (Party(2),), small)).amount
    assert not both.reached
    assert one < both.amount <= one + two


def test_seats_share_the_cards_of_the_shoe() -> None:
    """Match Up pays most for two cards equal to the up card: five are left of six, so only two of three seats hold them."""
    wagers = {"blackjack": 200, "match-up": 1000}
    one, two, three = (largest(Patrons(game(MUB), (Party(seats),), wagers)).amount for seats in (1, 2, 3))
    assert two == 2 * one
    assert three < 3 * one


def test_seating_is_the_best_of_all_choices() -> None:
    random = np.random.default_rng(2)
    won = np.zeros((52, 52), dtype=np.int64)
    few = random.integers(1, 50, (4, 4))
    won[:4, :4] = few + few.T
    pairs = [(a, b) for a in range(4) for b in range(a, 4)]
    fits = [
        int(won[x] + won[y])
        for x in pairs
        for y in pairs
        if all((*x, *y).count(card) <= 2 - (card == 0) for card in range(4))
    ]
    assert seated(won, 0, 2, 2) == max(fits)


def test_the_dealer_cannot_bust_with_three_cards_from_an_ace() -> None:
    assert not any(end.points > 21 and end.held == 3 for end in dealers_ends(0, True))
    assert any(end.blackjack for end in dealers_ends(0, True))
    assert not any(end.blackjack for end in dealers_ends(5, True))


def test_wagers_on_several_lines_are_bounded() -> None:
    wagers = {"ante": 1000, "pair-plus@row-2": 100, "pair-plus@column-1": 100}
    most = largest(Patrons(game(TCP), (Party(2),), wagers))
    assert not most.reached
    assert most.amount == 2 * (7000 + 4000 + 4000)
