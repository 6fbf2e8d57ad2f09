"""What each answer is worth: the sum over all deals is the exact game, and only what the player sees is counted."""

from itertools import combinations
from typing import Any

import pytest

from podium.basics.cards import DECK, card, cards
from podium.basics.hands import three_card_hand
from podium.maths.advice import worths
from podium.maths.families.blackjack import analysis, figures
from podium.maths.positions import NATURAL, TWO_CARDS
from podium.maths.shoe import ACE
from podium.maths.sight import ArrayPosition, BoxPosition, Position, position
from podium.maths.three_card import net, plays
from podium.play.events import BettingClosed, CardDealt, Decided, WagersPlaced
from podium.play.round import Round
from podium.play.views import layout, seat_view
from podium.rules.asking import Decisions
from podium.rules.bets.ante import showdown
from podium.rules.games import game

NINES, EIGHTS = 8, 7
"""Values begin with 0 for an ace."""


def asked(of: str, bets: dict[int, int], dealt: str, *decisions: str, **options: Any) -> Position:
    """What seat 1 sees when it is asked, in a round that was played so far."""
    table = Round(game(of, options))
    for seat, amount in bets.items():
        table.apply(WagersPlaced(seat=seat, amounts={"blackjack": amount}))
    table.apply(BettingClosed())
    to_come = list(decisions)
    for code in dealt.split():
        while to_come and isinstance(table.awaits, Decisions):
            table.apply(Decided(seat=1, decision=to_come.pop(0)))
        table.apply(CardDealt(card(code)))
    for decision in to_come:
        table.apply(Decided(seat=1, decision=decision))
    view = seat_view(table, 1)
    assert view.question is not None
    return position(layout(table), view, view.question)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stadium-blackjack", {}),
        ("dynasty-blackjack", {"double_adds": 2}),
        ("match-up-blackjack", {}),
        ("mega-blackjack", {}),
    ],
)
def test_the_best_answers_to_all_first_questions_are_together_worth_what_the_game_returns(
    name: str, options: dict[str, Any]
) -> None:
    of = game(name, options)
    exact = analysis(of)
    early = "insure" if exact.prepared.allowed.insurance else ""
    whole = 0.0
    for up, up_card in exact.up_cards.items():
        for pair in TWO_CARDS:
            chance = int(exact.shoe[up]) / int(exact.shoe.sum()) * up_card.dealt(*pair)
            if up == ACE and early:
                found = worths(of, BoxPosition(("decline", "even-money", "insure"), up, pair, about="insurance"))
            elif pair == NATURAL:
                blackjack = up_card.blackjack(*pair)
                special = exact.prepared.payoffs.special[0]
                found = {"": blackjack * special.blackjack_tied + (1 - blackjack) * special.blackjack}
            else:
                found = worths(of, BoxPosition(tuple(exact.prepared.allowed.first[pair]), up, pair))
                lost = up_card.blackjack(*pair) if exact.prepared.peeks else 0.0
                found = {choice: (1 - lost) * worth - lost for choice, worth in found.items()}
            whole += chance * max(found.values())
    assert whole == pytest.approx(-figures(of).house_edge, abs=1e-9)


def test_a_split_is_worth_what_its_hands_are_worth_when_they_are_asked_about() -> None:
    of = game("dynasty-blackjack")
    split = worths(of, BoxPosition(("split",), 5, (EIGHTS, EIGHTS)))["split"]
    shoe = analysis(of).shoe.copy()
    shoe[[5, EIGHTS, EIGHTS]] -= 1
    shoe[EIGHTS] -= 1
    together = 0.0
    for later in (False, True):
        for second, count in enumerate(shoe):
            hand = tuple(sorted((EIGHTS, second)))
            found = worths(
                of, BoxPosition(("stand", "hit", "double"), 5, hand, (EIGHTS,), pair=EIGHTS, splits=1, later=later)
            )
            together += int(count) / int(shoe.sum()) * max(found.values())
    assert together == pytest.approx(split, abs=1e-9)


def test_a_pair_of_a_split_is_split_again_only_as_often_as_is_left() -> None:
    of = game("stadium-blackjack", {"max_splits": 3})
    again = BoxPosition(("split", "stand"), 5, (EIGHTS, EIGHTS), (EIGHTS,), pair=EIGHTS, splits=1, later=True)
    assert worths(of, again)["split"] > worths(of, again)["stand"]


def test_cards_beside_the_hand_change_what_it_is_worth() -> None:
    of = game("mega-blackjack")
    alone = worths(of, BoxPosition(("hit", "stand"), 9, (5, 9)))
    beside_fives = worths(of, BoxPosition(("hit", "stand"), 9, (5, 9), (4,) * 6))
    assert beside_fives["hit"] < alone["hit"]


def test_a_position_holds_what_lies_open_and_no_hole_card() -> None:
    """The hole card, a five, is known to the automated dealer; nobody's position holds it."""
    seen = asked("match-up-blackjack", {1: 400, 2: 400}, "8s 9s 6h 8d 9d 5c")
    choices = ("double", "hit", "split", "stand")
    assert seen == BoxPosition(choices, up=5, hand=(EIGHTS, EIGHTS), beside=(NINES, NINES))


def test_a_position_of_a_split_hand_in_a_community_game() -> None:
    seen = asked("dynasty-blackjack", {1: 500}, "8s 6h 8d 3c Kd", "split")
    assert seen == BoxPosition(
        ("double", "hit", "stand"), up=5, hand=(2, EIGHTS), beside=(EIGHTS, 9), pair=EIGHTS, splits=1
    )


def test_insurance_is_asked_with_the_ace_and_counted_when_it_was_taken() -> None:
    early = asked("stadium-blackjack", {1: 500}, "9s Ah 7d")
    assert early == BoxPosition(("decline", "insure"), up=ACE, hand=(6, NINES), about="insurance")
    found = worths(game("stadium-blackjack"), early)
    tens, left = 6 * 16, 6 * 52 - 3
    insurance = (tens - (left - tens) / 2) / left
    later = asked("stadium-blackjack", {1: 500}, "9s Ah 7d", "insure")
    assert isinstance(later, BoxPosition)
    assert later.insured
    assert found["insure"] == pytest.approx(max(worths(game("stadium-blackjack"), later).values()) + insurance)


@pytest.mark.parametrize(
    ("own", "others"),
    [("Qs 6h 4d", "2c 3c 4c 5c 9h 9s"), ("Qs 6h 4d", "Ac Ad Kc Kd Qd Qh"), ("7s 8s 9s", "2c 3c 4c 5c 9h 9d")],
)
def test_play_or_fold_with_nine_cards_in_sight(own: str, others: str) -> None:
    """Every packet of the dealer, settled as the table settles it."""
    of = game("stadium-three-card-poker")
    hand, left = three_card_hand(cards(own)), [each for each in DECK if each not in cards(f"{own} {others}")]
    nets = [net(showdown(hand, three_card_hand(packet))) for packet in combinations(left, 3)]
    found = worths(of, ArrayPosition(tuple(own.split()), tuple(others.split())))
    bonus = 5 if own == "7s 8s 9s" else 0  # a straight flush
    assert found == {"play": pytest.approx(sum(nets) / len(nets) + bonus), "fold": -1.0}
    assert (found["play"] >= -1) == plays(cards(own), cards(others))
