"""A whole round of every game against the automated dealer, from the player's side."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.neighbours import Neighbour
from tests.terminals.screens import PlayerScreen


class Played(NamedTuple):
    """How a game is played here: where the chips go, and what the player answers, the first that is allowed."""

    table: str
    spots: tuple[str, ...]
    wagers: tuple[str, ...]
    seats: bool = False
    answers: tuple[str, ...] = ("decline", "stand")
    locations: tuple[int, ...] = ()
    sometimes: tuple[str, ...] = ()
    """Paid without a wager of its own, when the cards allow it."""


GAMES = [
    Played("stadium-auto", ("blackjack", "trilux", "royal-match-21"), ("Blackjack", "TriLux", "Royal Match 21")),
    Played("dynasty-auto", ("blackjack",), ("Blackjack",)),
    Played("mega-auto", ("blackjack", "buster"), ("Blackjack", "Buster Blackjack"), seats=True),
    Played("match-up-auto", ("blackjack", "match-up"), ("Blackjack", "Match Up"), seats=True),
    Played(
        "poker-auto",
        ("ante", "pair-plus", "six-card-bonus", "pair-plus@row-2"),
        ("Ante", "Play", "Pair Plus", "Six Card Bonus", "Pair Plus, row 2"),
        answers=("play",),
        locations=(4, 5, 1),
        sometimes=("Ante Bonus",),
    ),
]


@pytest.mark.parametrize("played", GAMES, ids=lambda played: played.table)
def test_player_bets_decides_and_is_told_why(
    guest: Callable[[str], PlayerScreen], house: RunningHouse, played: Played
) -> None:
    with Neighbour(house.address, played.table, 5 if played.seats else None) as neighbour:
        player = guest(played.table)
        if played.seats:
            player.sit(3)
        player.sees_phase("betting")
        before = player.credit
        player.pick_cards(*played.locations)
        player.bet(*played.spots)
        staked = before - player.credit
        assert staked > 0
        has_no_violation(player.page)
        neighbour.leaves()
        player.decide_until_the_result(*played.answers)

        results = player.results(len(played.wagers))
        assert set(results).difference(played.sometimes) == set(played.wagers)
        assert all(why for _, why in results.values())
        assert player.total_change() == sum(change for change, _ in results.values())
        assert player.credit == before + player.total_change() == house.credit_of(player.name)
        has_no_violation(player.page)
