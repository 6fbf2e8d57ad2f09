"""Upsets that the simulator found, each as a short story of its own."""

from collections import Counter
from typing import Any

import pytest

from podium.basics.cards import card, cards
from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.house.debts import forgive_debt, pay_debt
from podium.house.table import Table, TableConfig
from podium.server.approvals import Act
from podium.server.handling import carry_out
from podium.server.terminals import Who
from podium.wire import commands
from tests.correcting import correct_card
from tests.floor import OPENING, TestHouse, credit, stadium

ANN = Who("ann", "player")
DANA = Who("dana", "dealer")


class Nobody:
    """Approves nothing."""

    def approve(self, act: Act, code: str, now: int) -> str:
        raise Refused("approval-unknown")


def does(house: TestHouse, who: Who, command: commands.AnyCommand) -> None:
    carry_out(house.house, Nobody(), who, "t1", command, house.now)


def live(**changes: Any) -> TestHouse:
    """A live table with a dealer, a shoe and a player, and betting open."""
    house = TestHouse(t1=stadium(dealer="live", approvals=(), correction_approval=False, **changes))
    for command in (commands.TakePlace(id=1), commands.LoadShoe(id=2, cards=312), commands.NewGame(id=3, round=1)):
        does(house, DANA, command)
    house.player("ann")
    return house


def deal(house: TestHouse, codes: str) -> None:
    for one in cards(codes):
        number = len(house.table().in_play.cards) + 1
        does(house, DANA, commands.EnterCard(id=9, round=1, number=number, card=one.code))


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
    does(house, DANA, commands.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    assert house.balances()["tips/dana"] == 13_000
    drew = Who("drew", "dealer")
    does(house, drew, commands.TakePlace(id=1))
    does(house, drew, commands.Void(id=2, round=1, reason="card on the floor"))
    assert house.balances() == {"cage/main": -OPENING, "credit/ann": OPENING}


def test_hp_1_a_large_win_is_held_at_once_and_not_staked_again() -> None:
    """The side bet won 12,500, which an attendant pays; Ann splits with her own money, and loses."""
    house = live(attendant_pays_from=10_000)
    house.house.pay_out("ann", OPENING - 4_000, house.now, key="o1", by="carl")
    house.house.bet("ann", "t1", {"blackjack": 2_000, "royal-match-21": 500}, {}, (), house.now)
    does(house, DANA, commands.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    assert (credit(house.house, "ann"), house.house.held("ann")) == (2_000, 12_500)
    house.decide("ann", "split")
    deal(house, "5d")
    house.decide("ann", "stand")
    deal(house, "5c")
    house.decide("ann", "stand")
    deal(house, "5h Td")
    does(house, DANA, commands.Confirm(id=5, round=1))
    assert house.balances() == {"cage/main": -4_000, "bank/t1": -8_500, "attendant/ann": 12_500}


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
    does(house, DANA, commands.CloseBets(id=4, round=1))
    deal(house, "Ts 6c Ah")
    does(house, DANA, commands.Confirm(id=5, round=1))
    with pytest.raises(Refused, match="The automated dealer deals"):
        does(house, DANA, commands.NewGame(id=6, round=2))


def test_game_5_no_card_is_entered_into_a_round_of_the_automated_dealer() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.house.configure(HouseConfig(tables={"t1": stadium(dealer="live")}), house.now)
    house.run_until("dealing")
    with pytest.raises(Refused, match="The automated dealer deals"):
        does(house, DANA, commands.TakePlace(id=1))


def test_int_1_a_bet_that_is_sent_again_when_betting_is_closed_stands() -> None:
    """Its answer was lost with the process that took it."""
    house = live()
    bet = commands.PlaceBet(id=1, round=1, wagers={"blackjack": 1_000})
    does(house, ANN, bet)
    does(house, DANA, commands.CloseBets(id=4, round=1))
    before = len(house.store())
    does(house, ANN, bet)
    assert len(house.store()) == before
    with pytest.raises(Refused, match="no more bets"):
        does(house, ANN, commands.PlaceBet(id=2, round=1, wagers={"blackjack": 2_000}))


def test_int_1_what_a_dealer_did_and_asks_for_again_is_done() -> None:
    house = live()
    house.house.bet("ann", "t1", {"blackjack": 1_000}, {}, (), house.now)
    for command in (commands.CloseBets(id=4, round=1), commands.Void(id=5, round=1, reason="early deal")):
        does(house, DANA, command)
        before = len(house.store())
        does(house, DANA, command)
        assert len(house.store()) == before


def paid_and_spent() -> TestHouse:
    """A misread card paid 12,500 on a side bet, and Ann has spent it: she split with it, and bought nothing else."""
    house = live(attendant_pays_from=0)
    house.house.pay_out("ann", OPENING - 10_500, house.now, key="o1", by="carl")
    house.house.bet("ann", "t1", {"blackjack": 10_000, "royal-match-21": 500}, {}, (), house.now)
    does(house, DANA, commands.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    assert credit(house.house, "ann") == 13_000
    house.decide("ann", "split")
    assert credit(house.house, "ann") == 3_000
    return house


def corrects(house: TestHouse, number: int, code: str) -> None:
    def correct(table: Table) -> None:
        correct_card(table, number, card(code), house.now, by="dana", reason="misread", approved_by="sue")

    house.at("t1", correct)


def test_card_2_what_was_spent_and_is_taken_back_becomes_a_debt() -> None:
    """The queen was of diamonds: the side bet lost. The split stands, the credit is never negative, and the rest is a debt."""
    house = paid_and_spent()
    corrects(house, 3, "Qd")
    assert credit(house.house, "ann") == 0
    assert house.house.debt("ann") == 13_000 - 3_000
    with pytest.raises(Refused, match=r"The credit is 0\.00, less than 50\.00"):
        pay_debt(house.house, "ann", 5_000, house.now, key="d0", by="carl")
    assert len(house.table().in_play.dealing.own_view(house.table().in_play.seats[1])["hands"]) == 2
    assert sum(house.balances().values()) == 0
    again = house.restarted()
    assert dict(again.ledger) == dict(house.house.ledger)
    assert again.table("t1").in_play.events == house.table().in_play.events


def test_card_2_void_1_a_void_gives_the_stakes_back_and_leaves_no_debt() -> None:
    house = paid_and_spent()
    does(house, DANA, commands.Void(id=9, round=1, reason="card on the floor"))
    assert house.balances() == {"cage/main": -10_500, "credit/ann": 10_500}


def test_csh_2_no_credit_leaves_the_house_before_a_debt_is_paid() -> None:
    house = paid_and_spent()
    corrects(house, 3, "Qd")
    for code in ("5d", "5c"):
        deal(house, code)
        house.decide("ann", "stand")
    deal(house, "Td Th")
    does(house, DANA, commands.Confirm(id=5, round=1))
    won = credit(house.house, "ann")
    assert won == 40_000
    with pytest.raises(Refused, match=r"A debt of 100\.00 is open"):
        house.house.pay_out("ann", 1_000, house.now, key="o2", by="carl")
    with pytest.raises(Refused, match=r"ann owes 100\.00, less than 200\.00"):
        pay_debt(house.house, "ann", 20_000, house.now, key="d0", by="carl")
    pay_debt(house.house, "ann", 4_000, house.now, key="d1", by="carl")
    pay_debt(house.house, "ann", 4_000, house.now, key="d1", by="carl")
    pay_debt(house.house, "ann", 3_000, house.now, key="d2", by="carl", in_cash=True)
    with pytest.raises(Refused, match="a second person"):
        forgive_debt(house.house, "ann", 3_000, house.now, key="d3", by="carl", second="carl", reason="our mistake")
    for _ in ("asked", "asked again"):
        forgive_debt(house.house, "ann", 3_000, house.now, key="d3", by="carl", second="sue", reason="our mistake")
    assert house.house.debt("ann") == 0
    house.house.pay_out("ann", won - 4_000, house.now, key="o3", by="carl")
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_hp_1_card_2_a_win_that_an_attendant_handed_over_is_taken_back_as_a_debt() -> None:
    house = live(attendant_pays_from=10_000)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 500}, {}, (), house.now)
    does(house, DANA, commands.CloseBets(id=4, round=1))
    deal(house, "Ks 6c Qs")
    house.house.attendant_paid("ann", house.now, key="h1", by="carl")
    corrects(house, 3, "Qd")
    assert (house.house.held("ann"), house.house.debt("ann")) == (0, 12_500)
    assert credit(house.house, "ann") == OPENING - 1_500
    assert dict(house.restarted().ledger) == dict(house.house.ledger)
