"""Stadium Blackjack's clauses about the countdown and about who deals, at tables that run."""

from typing import Literal

import pytest

from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.play.round import Round
from tests.floor import TestHouse, stadium
from tests.table import Table, refused


def betting(dealer: str) -> TestHouse:
    """A table at which ann has bet, some time before the countdown is over."""
    house = TestHouse(t1=stadium(dealer=dealer, betting_seconds=15))
    house.player("ann")
    house.player("bob")
    if dealer == "live":
        house.at("t1", lambda table: table.take_place("dana", house.now))
        house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
        house.at("t1", lambda table: table.open_round(house.now))
    else:
        house.run_until("betting")
    house.bet("ann", 1_000)
    return house


def test_sbj_1_the_automated_dealer_begins_when_the_countdown_expires_and_not_before() -> None:
    house = betting("automated")
    deadline = house.table().deadline
    assert deadline is not None
    while house.table().phase() == "betting":
        house.step()
    assert house.now >= deadline
    while not house.table().in_play.cards:
        house.step()


def test_sbj_1_a_live_dealer_begins_when_the_countdown_has_expired() -> None:
    house = betting("live")
    house.now = house.table().deadline or 0
    house.step()
    assert house.table().phase() == "dealing"


@pytest.mark.parametrize("dealer", ["automated", "live"])
def test_sbj_4_no_bet_is_taken_from_the_moment_that_the_countdown_expires(dealer: str) -> None:
    house = betting(dealer)
    deadline = house.table().deadline
    assert deadline is not None
    house.now = deadline - 1
    house.bet("bob", 1_000)
    house.now = deadline
    with pytest.raises(Refused, match="time for betting is over"):
        house.bet("bob", 2_000)
    assert house.table().in_play.seats[2].staked == 1_000


def test_sbj_5_c_viii_an_automated_dealer_has_no_double_for_the_dealer() -> None:
    house = TestHouse(t1=TableConfig(game="stadium-blackjack"))
    assert not house.table().upcoming.to_game().rules.takes_tokes
    house.player("ann")
    house.run_until("betting")
    with pytest.raises(Refused, match="not taken at this table"):
        house.house.bet("ann", "t1", {"blackjack": 1_000}, {"blackjack": 500}, (), house.now)


@pytest.mark.parametrize(("cards", "choice"), [("8s 6d 8h", "split"), ("5s 6d 6h", "double")])
def test_sbj_5_d_vi_an_automated_dealer_has_no_split_for_the_dealer(cards: str, choice: str) -> None:
    """At a live table the very same hand, with a wager for the dealer, offers it."""
    dealers: list[tuple[Literal["automated", "live"], bool]] = [("automated", False), ("live", True)]
    for dealer, offered in dealers:
        table = Table("stadium-blackjack")
        table.round = Round(TableConfig(game="stadium-blackjack", dealer=dealer).check())
        table.bet("p1", 10_00, dealer=1_00 if offered else None).dealt(cards)
        assert choice in table.choices("p1")
        assert (f"{choice}+dealer" in table.choices("p1")) is offered
        if not offered:
            with refused("carries no wager for the dealer"):
                table.decides(p1=f"{choice}+dealer")
