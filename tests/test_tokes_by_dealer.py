"""Wagers for the dealer at tables that the house itself deals: none, unless the house turns them on (SBJ 5.c.viii, 5.d.vi)."""

from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.house.config import settled
from podium.house.table import TableConfig
from podium.house.table.config import with_tokes_settled
from podium.rules.games import GAMES
from tests.floor import TestHouse

TAKES = ("stadium-blackjack", "mega-blackjack")
ON: dict[str, Any] = {"dealer_wagers": True}


def takes_tokes(house: TestHouse, table: str = "t1") -> bool:
    return house.table(table).upcoming.to_game().rules.takes_tokes


@pytest.mark.parametrize("game", GAMES)
def test_sbj_5_c_viii_a_new_automated_table_takes_none_and_a_live_one_what_its_rules_say(game: str) -> None:
    house = TestHouse(t1=TableConfig(game=game), t2=TableConfig(game=game, dealer="live"))
    assert not takes_tokes(house, "t1")
    assert takes_tokes(house, "t2") == (game in TAKES)


def test_sbj_5_c_viii_a_bet_for_the_automated_dealer_is_refused() -> None:
    house = TestHouse(t1=TableConfig(game="stadium-blackjack"))
    house.player("ann")
    house.run_until("betting")
    with pytest.raises(Refused, match="wagers for the dealer are not taken at this table"):
        house.house.bet("ann", "t1", {"blackjack": 500}, {"blackjack": 500}, (), house.now)
    assert "tips/automated" not in house.balances()


def test_the_house_turns_them_on() -> None:
    house = TestHouse(t1=TableConfig(game="stadium-blackjack", options=ON))
    assert takes_tokes(house)
    house.house.configure_table("t1", TableConfig(game="stadium-blackjack", betting_seconds=20), house.now, by="olga")
    assert takes_tokes(house), "a change of something else leaves them as they are"


def test_a_table_that_a_dealer_leaves_to_the_house_takes_none() -> None:
    live = TableConfig(game="mega-blackjack", dealer="live")
    house = TestHouse(t1=live)
    house.house.configure_table("t1", msgspec.structs.replace(live, dealer="automated"), house.now, by="olga")
    assert not takes_tokes(house)
    house.house.configure_table("t1", live, house.now, by="olga")
    assert takes_tokes(house), "the file says nothing of them, and a dealer deals again"


def test_a_table_of_an_older_house_keeps_what_it_was_played_under() -> None:
    old = TableConfig(game="stadium-blackjack")
    assert with_tokes_settled(msgspec.structs.replace(old, betting_seconds=20), old).options == {}
    assert with_tokes_settled(old, msgspec.structs.replace(old, game="mega-blackjack")).options == {
        "dealer_wagers": False
    }


def test_a_file_that_says_nothing_of_them_is_the_configuration_that_the_house_has() -> None:
    file = HouseConfig(
        tables={"t1": TableConfig(game="stadium-blackjack"), "t2": TableConfig(game="dynasty-blackjack")}
    )
    taken = settled(file, {})
    assert taken.tables["t1"].options == {"dealer_wagers": False}
    assert taken.tables["t2"].options == {}
    assert settled(file, taken.tables) == taken
    assert settled(taken, taken.tables) is taken
