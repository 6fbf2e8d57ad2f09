"""Upsets that the simulator found, each as a short story of its own."""

from collections import Counter
from typing import Any

import pytest

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.server.approvals import Act
from podium.server.handling import carry_out
from podium.server.terminals import Who
from podium.wire import messages as wire
from tests.floor import OPENING, TestHouse, credit, stadium

ANN = Who("ann", "player")
DANA = Who("dana", "dealer")


class Nobody:
    """Approves nothing."""

    def approve(self, act: Act, code: str, now: int) -> str:
        raise Refused("approval-unknown")


def does(house: TestHouse, who: Who, command: wire.AnyCommand) -> None:
    carry_out(house.house, Nobody(), who, "t1", command, house.now)


def live(**changes: Any) -> TestHouse:
    """A live table with a dealer, a shoe and a player, and betting open."""
    house = TestHouse(t1=stadium(dealer="live", approvals=(), correction_approval=False, **changes))
    for command in (wire.TakePlace(id=1), wire.LoadShoe(id=2, cards=312), wire.NewGame(id=3, round=1)):
        does(house, DANA, command)
    house.player("ann")
    return house


def deal(house: TestHouse, codes: str) -> None:
    for one in cards(codes):
        number = len(house.table().in_play.cards) + 1
        does(house, DANA, wire.EnterCard(id=9, round=1, number=number, card=one.code))


def test_int_1_somebody_who_was_leaving_and_stays_stays_after_a_restart() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.at("t1", lambda table: table.get_up("ann", house.now))
    house.house.sit_down("ann", "t1", None, house.now)
    house.run_until("result")
    assert house.restarted().table("t1").seats == house.table().seats == {"ann": 1}


def test_void_1_tips_go_back_from_the_dealer_who_got_them() -> None:
    """Dana was given a tip and was relieved; the void takes it from Dana, not from Drew, who has none."""
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 500}, {"royal-match-21": 500}, (), house.now)
    does(house, DANA, wire.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    assert house.balances()["tips/dana"] == 13_000
    drew = Who("drew", "dealer")
    does(house, drew, wire.TakePlace(id=1))
    does(house, drew, wire.Void(id=2, round=1, reason="card on the floor"))
    assert house.balances() == {"cage/main": -OPENING, "credit/ann": OPENING}


def test_hp_1_what_is_left_of_a_win_is_held_when_some_of_it_was_staked_again() -> None:
    """The side bet paid 12,500 at once; Ann split with some of it, and lost: there is no more than the rest to hold."""
    house = live(attendant_pays_from=10_000)
    house.house.pay_out("ann", OPENING - 2_500, house.now, key="o1", by="carl")
    house.house.bet("ann", "t1", {"blackjack": 2_000, "royal-match-21": 500}, {}, (), house.now)
    does(house, DANA, wire.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    assert credit(house.house, "ann") == 13_000
    house.decide("ann", "split")
    deal(house, "5d")
    house.decide("ann", "stand")
    deal(house, "5c")
    house.decide("ann", "stand")
    deal(house, "5h Td")
    does(house, DANA, wire.Confirm(id=5, round=1))
    assert house.balances() == {"cage/main": -2_500, "bank/t1": -8_500, "attendant/ann": 11_000}


def test_card_9_a_round_that_finds_the_shoe_empty_does_not_count() -> None:
    house = TestHouse(t1=TableConfig(game="mega-blackjack", penetration=0.9))
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 500)
    shoe = house.table().shoe
    assert shoe is not None
    assert shoe.order is not None
    shoe.out = Counter(shoe.order[:310])
    house.run_until("void")
    assert str(house.table().notice) == "the shoe has no card left"
    assert credit(house.house, "ann") == OPENING
    house.run_until("betting")
    assert house.table().round_number == 2


def test_game_5_a_live_round_is_dealt_to_its_end_when_the_next_is_the_automated_dealer_s() -> None:
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_000}, {}, (), house.now)
    house.house.configure(HouseConfig(tables={"t1": stadium()}), house.now)
    does(house, DANA, wire.CloseBets(id=4, round=1))
    deal(house, "Ts 6c Ah")
    does(house, DANA, wire.Confirm(id=5, round=1))
    with pytest.raises(Refused, match="The automated dealer deals"):
        does(house, DANA, wire.NewGame(id=6, round=2))


def test_game_5_no_card_is_entered_into_a_round_of_the_automated_dealer() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.house.configure(HouseConfig(tables={"t1": stadium(dealer="live")}), house.now)
    house.run_until("dealing")
    with pytest.raises(Refused, match="The automated dealer deals"):
        does(house, DANA, wire.TakePlace(id=1))


def test_int_1_a_bet_that_is_sent_again_when_betting_is_closed_stands() -> None:
    """Its answer was lost with the process that took it."""
    house = live()
    bet = wire.PlaceBet(id=1, round=1, wagers={"blackjack": 1_000})
    does(house, ANN, bet)
    does(house, DANA, wire.CloseBets(id=4, round=1))
    before = len(house.store())
    does(house, ANN, bet)
    assert len(house.store()) == before
    with pytest.raises(Refused, match="no more bets"):
        does(house, ANN, wire.PlaceBet(id=2, round=1, wagers={"blackjack": 2_000}))


def test_int_1_what_a_dealer_did_and_asks_for_again_is_done() -> None:
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_000}, {}, (), house.now)
    for command in (wire.CloseBets(id=4, round=1), wire.Void(id=5, round=1, reason="early deal")):
        does(house, DANA, command)
        before = len(house.store())
        does(house, DANA, command)
        assert len(house.store()) == before
