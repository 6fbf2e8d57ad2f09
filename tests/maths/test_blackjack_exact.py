"""The exact main game: against the engine over every order of a small shoe, against plain recursions and published figures."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from podium.basics.cards import Card, card
from podium.basics.refusal import Refused
from podium.maths.blackjack import policy_for
from podium.maths.families.blackjack import analysis, figures
from podium.maths.payoffs import Whose, payoffs
from podium.maths.positions import Policy, hand_of
from podium.maths.shoe import best_total
from podium.play.events import BettingClosed, CardDealt, Confirmed, Decided, WagersPlaced
from podium.play.round import Round
from podium.rules.asking import Confirmation, Decisions, NextCard
from podium.rules.games import Game, game
from tests.maths.engine_play import wanted

WAGER = 1000


def of_value(value: int, seen: int) -> Card:
    """A card of that value; suits change so that no deck holds too few."""
    return card("A23456789T"[value] + "cdhs"[seen % 4])


class Walk:
    """Plays the engine over every order of a small shoe, by a policy, with the player's wager or one for the dealer beside it."""

    def __init__(self, of: Game, shoe: list[int], policy: Policy, whose: Whose = "player") -> None:
        self.game = of
        self.shoe = shoe
        self.policy = policy
        self.whose = whose
        self.net = self.staked = 0.0

    def over_all_orders(self) -> "Walk":
        self._follow((), 1.0)
        return self

    def _follow(self, values: tuple[int, ...], chance: float) -> None:
        round = self._played(values)
        if round is None:
            left = [count - values.count(value) for value, count in enumerate(self.shoe)]
            for value, count in enumerate(left):
                if count:
                    self._follow((*values, value), chance * count / sum(left))
            return
        for wager in round.results[1].wagers:
            if (wager.whose == "player") == (self.whose == "player"):
                self.net += chance * (wager.returned - wager.staked) / WAGER
                self.staked += chance * wager.staked / WAGER

    def _played(self, values: tuple[int, ...]) -> Round | None:
        """The round with these cards, or None when it needs more."""
        cards = iter([of_value(value, place) for place, value in enumerate(values)])
        round = Round(self.game)
        for_dealer = {} if self.whose == "player" else {"blackjack": WAGER}
        round.apply(WagersPlaced(seat=1, amounts={"blackjack": WAGER}, for_dealer=for_dealer))
        round.apply(BettingClosed())
        while not isinstance(awaits := round.awaits, Confirmation):
            if isinstance(awaits, NextCard):
                dealt = next(cards, None)
                if dealt is None:
                    return None
                round.apply(CardDealt(dealt))
                continue
            assert isinstance(awaits, Decisions)
            word = wanted(round, 1, self.policy)
            added = self.whose == "dealer, always added to" and f"{word}+dealer" in awaits[1].allowed
            round.apply(Decided(1, f"{word}+dealer" if added else word))
        round.apply(Confirmed())
        return round


# Few values, so that there are few orders, but more cards than any round needs.
EIGHTS = [0, 0, 0, 0, 0, 0, 0, 14, 0, 12]
THREES = [0, 0, 6, 0, 0, 0, 0, 9, 0, 9]
ACES = [9, 0, 0, 0, 0, 0, 0, 0, 0, 12]
MIXED = [5, 0, 0, 0, 0, 7, 0, 0, 0, 9]
SMALL = [
    ("stadium-blackjack", {}, EIGHTS),
    ("stadium-blackjack", {"surrender": "off"}, MIXED),
    ("stadium-blackjack", {"dealer_blackjack_takes": "all", "max_splits": 4, "surrender": "off"}, EIGHTS),
    ("stadium-blackjack", {"dealer_blackjack_takes": "all", "surrender": "off"}, ACES),
    ("stadium-blackjack", {"keep_standoff_bet": "always-and-push-insurance", "surrender": "off"}, MIXED),
    ("stadium-blackjack", {"keep_standoff_bet": "if-not-insured"}, ACES),
    ("stadium-blackjack", {"surrender": "not-against-blackjack", "double_with_ace": True}, ACES),
    ("dynasty-blackjack", {"max_splits": 3, "surrender": "off"}, EIGHTS),
    ("dynasty-blackjack", {"double_adds": 2, "double_totals": [9, 16]}, THREES),
    ("match-up-blackjack", {}, EIGHTS),
    ("match-up-blackjack", {"max_splits": 2}, MIXED),
    ("mega-blackjack", {}, ACES),
    ("mega-blackjack", {"max_splits": 2}, MIXED),
]


@pytest.mark.parametrize("strategy", ["best", "timeout"])
@pytest.mark.parametrize(("name", "options", "shoe"), SMALL)
def test_expectation_and_stake_are_the_engines_over_every_order(
    name: str, options: dict[str, Any], shoe: list[int], strategy: str
) -> None:
    of = game(name, options)
    exact = analysis(of, np.array(shoe))
    policy = policy_for(exact, strategy)
    outcome = exact.outcome(policy)
    walk = Walk(of, shoe, policy).over_all_orders()
    assert outcome.mean == pytest.approx(walk.net, abs=1e-9)
    assert outcome.wagered == pytest.approx(walk.staked, abs=1e-9)
    assert sum(outcome.results.values()) == pytest.approx(1, abs=1e-9)


FOR_THE_DEALER = [(name, options, shoe) for name, options, shoe in SMALL if name != "match-up-blackjack"]


@pytest.mark.parametrize("whose", ["dealer, never added to", "dealer, always added to"])
@pytest.mark.parametrize(("name", "options", "shoe"), FOR_THE_DEALER)
def test_a_wager_for_the_dealer_comes_to_what_the_engine_pays_over_every_order(
    name: str, options: dict[str, Any], shoe: list[int], whose: Whose
) -> None:
    """SBJ 3, 5.c.viii, 5.d.vi: on the first hand, never insured, doubled and split with the player's own or not."""
    of = game(name, options | {"dealer_wagers": True})
    exact = analysis(of, np.array(shoe))
    policy = policy_for(exact, "best")
    outcome = exact.outcome(policy, payoffs(exact.rules, whose))
    walk = Walk(of, shoe, policy, whose).over_all_orders()
    assert outcome.mean == pytest.approx(walk.net, abs=1e-9)
    assert outcome.wagered == pytest.approx(walk.staked, abs=1e-9)


# --- the best play ----------------------------------------------------------------------------------------------------------


def dealers_totals(cards: tuple[int, ...], left: list[int]) -> Iterator[tuple[float, int, bool]]:
    """Chance, total and whether it is a blackjack; the dealer hits soft 17."""
    points, soft = best_total(value + 1 for value in cards)
    if points > 17 or (points == 17 and not soft):
        yield 1.0, points, points == 21 and len(cards) == 2
        return
    for value, count in enumerate(left):
        if count:
            fewer = [*left[:value], count - 1, *left[value + 1 :]]
            for chance, total, blackjack in dealers_totals((*cards, value), fewer):
                yield chance * count / sum(left), total, blackjack


def best_by_search(hand: tuple[int, ...], up: int, left: list[int]) -> float:
    """The best of hit, stand and double without a hole card; all wagers are lost to a dealer blackjack."""
    points, _ = best_total(value + 1 for value in hand)
    if points > 21:
        return -1.0
    stand = 0.0
    for chance, total, blackjack in dealers_totals((up,), left):
        wins = not blackjack and (total > 21 or points > total)
        stand += chance * (1.0 if wins else 0.0 if points == total and not blackjack else -1.0)
    if points == 21:
        return stand
    draws = []
    for value, count in enumerate(left):
        if count:
            fewer = [*left[:value], count - 1, *left[value + 1 :]]
            further = (*hand, value)
            draws.append((count / sum(left), best_by_search(further, up, fewer), stood(further, up, fewer)))
    hit = sum(chance * best for chance, best, _ in draws)
    double = 2 * sum(chance * once for chance, _, once in draws) if len(hand) == 2 else -2.0
    return max(stand, hit, double)


def stood(hand: tuple[int, ...], up: int, left: list[int]) -> float:
    points, _ = best_total(value + 1 for value in hand)
    if points > 21:
        return -1.0
    return sum(
        chance * (1.0 if not bj and (total > 21 or points > total) else 0.0 if points == total and not bj else -1.0)
        for chance, total, bj in dealers_totals((up,), left)
    )


@pytest.mark.parametrize(("hand", "up"), [((5, 9), 9), ((0, 5), 5), ((3, 4), 4), ((5, 5), 0)])
def test_no_play_is_better_than_the_best(hand: tuple[int, int], up: int) -> None:
    shoe = [3, 0, 0, 2, 2, 3, 0, 0, 0, 4]
    options = {"dealer_blackjack_takes": "all", "surrender": "off", "double_with_ace": True, "max_splits": 0}
    exact = analysis(game("stadium-blackjack", options), np.array(shoe))
    values = exact.up_cards[up].values(0, exact.best_policy().first[0, up], choose=False)
    left = [count - (*hand, up).count(value) for value, count in enumerate(shoe)]
    assert values[hand_of(*hand), 3] == pytest.approx(best_by_search(hand, up, left), abs=1e-9)


# --- published figures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "low", "high"),
    [
        # Six decks, dealer hits soft 17 and peeks, double any two and after splits, no surrender: about 0.61 to 0.62 %.
        ("match-up-blackjack", {"max_splits": 3}, 0.0060, 0.0063),
        # Eight decks, stands on soft 17, no hole card, all wagers taken: about 0.55 %.
        (
            "stadium-blackjack",
            {
                "decks": 8,
                "dealer_hits_soft_17": False,
                "dealer_blackjack_takes": "all",
                "surrender": "off",
                "double_with_ace": True,
            },
            0.0053,
            0.0057,
        ),
    ],
)
def test_published_house_edges(name: str, options: dict[str, Any], low: float, high: float) -> None:
    assert low < float(figures(game(name, options)).house_edge) < high


def test_six_to_five_costs_about_1_36_per_cent_where_even_money_is_not_offered() -> None:
    """A blackjack that wins comes 4.53 % of the time and gets 0.3 less."""
    edges = [
        float(figures(game("stadium-blackjack", {"blackjack_pays": pays, "even_money": False})).house_edge)
        for pays in ("3:2", "6:5")
    ]
    assert edges[1] - edges[0] == pytest.approx(0.0136, abs=0.0001)


def test_even_money_is_taken_where_it_helps() -> None:
    taken = policy_for(analysis(game("stadium-blackjack", {"blackjack_pays": "6:5"})), "best")
    declined = policy_for(analysis(game("stadium-blackjack")), "best")
    natural = hand_of(0, 9)
    assert (int(taken.early[natural]), int(declined.early[natural])) == (2, 0)


def test_ties_that_lose_cost_more_than_eight_per_cent() -> None:
    assert float(figures(game("stadium-blackjack", {"keep_standoff_bet": "never"})).house_edge) > 0.08


def test_double_adds_two_gives_the_player_the_advantage() -> None:
    once = float(figures(game("dynasty-blackjack")).house_edge)
    twice = float(figures(game("dynasty-blackjack", {"double_adds": 2})).house_edge)
    assert twice < 0 < once


def test_every_auto_stand_policy_has_its_own_edge() -> None:
    edges = {
        policy: float(figures(game("stadium-blackjack", {"auto_stand": policy}), "timeout").house_edge)
        for policy in ("S17/H12", "S17/H17", "S18/H17", "S18/H12")
    }
    assert len(set(edges.values())) == 4
    assert all(edge > 0.05 for edge in edges.values())


def test_a_game_without_blackjack_is_refused() -> None:
    with pytest.raises(Refused, match="The exact analysis of blackjack is not for Stadium Three Card Poker"):
        analysis(game("stadium-three-card-poker"))
