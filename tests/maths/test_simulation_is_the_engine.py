"""The simulation's machine code settles exactly as the `Round` does: same shoe, same decisions, same result.

Configurations, wagers, shoes and policies are random, and the policies wild, so that splits, doubles, surrenders and
insurance come up far more often than at a table. 100,000 rounds of each game are played, always the same; `make differential`
plays a million.
"""

import os
from typing import Any

import numpy as np
import pytest

from podium.maths.array_play import CARDS_IN_SIGHT, FOLD, LOOK
from podium.maths.blackjack_rounds import SPARE_CARDS, community_round, own_hands_round, side_bets
from podium.maths.boxes import VALUE_OF, play_tables, terms
from podium.maths.poker_rounds import examples, poker, poker_plan
from podium.maths.positions import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    Policy,
    all_hands,
    empty_policy,
    hand_of,
)
from podium.maths.shuffling import full_shoe
from podium.rules.blackjack.rules import BlackjackRules
from podium.rules.games import Game
from podium.rules.results import SeatResult
from podium.rules.three_card import ThreeCardRules
from tests.configurations import Random, random_game, some
from tests.maths.engine_play import played
from tests.maths.kernels import new_boxes, poker_round

ROUNDS = int(os.environ.get("PODIUM_DIFFERENTIAL_ROUNDS", "100000"))
PER_CONFIGURATION = 250
PARTS = range(8)
"""In which the rounds of a game are played, so that several cores can share them."""

FIRST = np.array([STAND] * 4 + [HIT] * 8 + [DOUBLE] * 2 + [SPLIT, SURRENDER], dtype=np.int8)
LATER = np.array([STAND] * 5 + [HIT] * 6 + [DOUBLE] * 3 + [SPLIT, SURRENDER], dtype=np.int8)
"""Sixteen choices each, so that four random bits choose."""


def random_wagers(of: Game, random: Random) -> dict[str, int]:
    """The main wager and some of the others, of amounts that are often rounded."""
    amounts = {}
    for wager, offer in of.offers.items():
        if offer.main or random.random() < 0.3:
            amounts[wager] = some(random, offer.amounts) if offer.amounts else 100 * int(random.integers(1, 11))
            if not offer.amounts and offer.chip == 1:
                amounts[wager] = int(random.integers(1, 2000))
    return {wager: stake for wager, stake in amounts.items() if (of.offers[wager].bet.needs or wager) in amounts}


def _sixteenths(random: Random, shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(random.bytes(int(np.prod(shape))), dtype=np.uint8).reshape(shape) & np.uint8(15)


def wild_policy(random: Random) -> Policy:
    policy = empty_policy()
    pairs = [hand_of(value, value) for value in range(10)]
    policy.early[:] = random.integers(0, 3, policy.early.shape)
    policy.first[:] = FIRST[_sixteenths(random, policy.first.shape)]
    policy.split[:] = LATER[_sixteenths(random, policy.split.shape)]
    policy.first[:, :, pairs] = np.where(random.random((2, 10, 10)) < 0.8, SPLIT, policy.first[:, :, pairs])
    policy.limit[:] = random.integers(0, 6, policy.limit.shape)
    return policy


def random_shoe(decks: int, random: Random) -> np.ndarray[Any, np.dtype[np.int64]]:
    """A shoe in random order; every other one begins with many cards of few ranks, for splits."""
    cards = random.permutation(full_shoe(decks))
    if random.random() < 0.5:
        few = np.zeros(13, dtype=np.bool_)
        few[random.integers(0, 13, 3)] = True
        first = few[cards // 4]
        cards = np.concatenate([cards[first], cards[~first]])
        front = random.permutation(min(len(cards), 3 * 4 * decks + 40))
        cards[: len(front)] = cards[front]
    return np.concatenate([cards, np.zeros(SPARE_CARDS, dtype=np.int64)])


# --- the engine's side ----------------------------------------------------------------------------------------------------


def nets(result: SeatResult, wagers: dict[str, int], main: str) -> list[int]:
    """By wager; what decisions added belongs to the main wager."""
    found = dict.fromkeys(wagers, 0)
    for line in result.wagers:
        found[line.wager if line.wager in found else main] += line.returned - line.staked
    return list(found.values())


# --- the comparisons ------------------------------------------------------------------------------------------------------


def seeds(part: int) -> range:
    """Of a part's configurations."""
    return range(part, -(-ROUNDS // PER_CONFIGURATION), len(PARTS))


@pytest.mark.parametrize("name", ["stadium-blackjack", "dynasty-blackjack"])
@pytest.mark.parametrize("part", PARTS)
def test_community_rounds(name: str, part: int) -> None:
    for seed in seeds(part):
        random = np.random.default_rng([1, seed])
        of = random_game(name, random)
        rules = of.rules
        assert isinstance(rules, BlackjackRules)
        wagers = random_wagers(of, random)
        policies = [wild_policy(random) for _ in range(2)]
        conditions, tables = terms(rules, wagers["blackjack"]), play_tables(rules, policies)
        sides = side_bets(of.offers, dict(list(wagers.items())[1:]))
        found = np.zeros((2, len(wagers)), dtype=np.int64)
        for _ in range(PER_CONFIGURATION):
            shoe = random_shoe(rules.decks, random)
            dealt = community_round(conditions, tables, sides, shoe, VALUE_OF[shoe], 0, new_boxes(2), found)
            round = played(of, wagers, iter(shoe.tolist()), policies)
            expected = [nets(round.results[seat], wagers, "blackjack") for seat in (1, 2)]
            assert (found.tolist(), dealt) == (expected, round.cards_dealt), (of.changed(), wagers, round.cards)


@pytest.mark.parametrize("name", ["match-up-blackjack", "mega-blackjack"])
@pytest.mark.parametrize("part", PARTS)
def test_own_hands_rounds(name: str, part: int) -> None:
    for seed in seeds(part):
        random = np.random.default_rng([2, seed])
        of = random_game(name, random)
        rules = of.rules
        assert isinstance(rules, BlackjackRules)
        wagers = random_wagers(of, random)
        seats = int(random.integers(1, min(3, rules.places or 3) + 1))
        policies = [wild_policy(random) for _ in range(seats)]
        conditions, tables = terms(rules, wagers["blackjack"]), play_tables(rules, policies)
        sides = side_bets(of.offers, dict(list(wagers.items())[1:]))
        found = np.zeros((seats, len(wagers)), dtype=np.int64)
        room = np.zeros((seats, 2), dtype=np.int64)
        strategies = np.arange(seats)
        for _ in range(PER_CONFIGURATION):
            shoe = random_shoe(rules.decks, random)
            dealt = own_hands_round(
                conditions, tables, sides, strategies, shoe, VALUE_OF[shoe], 0, new_boxes(seats), room, found
            )
            round = played(of, wagers, iter(shoe.tolist()), policies)
            expected = [nets(round.results[seat], wagers, "blackjack") for seat in range(1, seats + 1)]
            assert (found.tolist(), dealt) == (expected, round.cards_dealt), (of.changed(), wagers, round.cards)


@pytest.mark.parametrize("part", PARTS)
def test_three_card_poker_rounds(part: int) -> None:
    """One player decides at random by the own cards, one is the best, with nine cards in sight."""
    room = np.zeros(CARDS_IN_SIGHT, dtype=np.int64)
    for seed in seeds(part):
        random = np.random.default_rng([3, seed])
        of = random_game("stadium-three-card-poker", random)
        rules = of.rules
        assert isinstance(rules, ThreeCardRules)
        wagers = random_wagers(of, random)
        spots = tuple(int(spot) for spot in random.permutation(np.arange(1, 10))[:3])
        plans = [random.integers(FOLD, LOOK, len(examples()), dtype=np.int8), poker_plan("best")]
        tables = poker(rules, of.offers, wagers, plans, spots)
        found = np.zeros((2, len(wagers)), dtype=np.int64)
        for _ in range(PER_CONFIGURATION):
            dealt = random.permutation(52)
            poker_round(tables, dealt, room, found)
            round = played(of, wagers, iter(dealt.tolist()), plans, spots)
            assert found.tolist() == [nets(round.results[seat], wagers, "ante") for seat in (1, 2)], round.cards


def test_a_hand_is_numbered_by_its_cards() -> None:
    hands = all_hands()
    assert hands.points[hand_of(0, 5)] == 17
    assert bool(hands.soft[hand_of(0, 5)])
    assert hand_of(3, 9, 0) == hand_of(0, 3, 9)
