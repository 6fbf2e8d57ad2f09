"""MGB Toke Bets: a wager for the dealer alone needs no seat, also where all of them are taken."""

import pytest

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.house.table.seats import SEATLESS_FROM
from podium.rules.games import game
from podium.rules.rulebook import rulebook
from tests.floor import OPENING, TestHouse, credit, stadium

MEGA = TableConfig(game="mega-blackjack", dealer="live", options={"dealer_wagers": True}, places=1)


def full(config: TableConfig = MEGA) -> TestHouse:
    """A table whose only seat is ann's, and ben, who comes too late."""
    house = TestHouse(t1=config)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann")
    house.house.admit("ben", "card", house.now)
    house.house.pay_in("ben", OPENING, house.now, key="buy-in.ben", by="cashier")
    with pytest.raises(Refused, match="All 1 seats of this table are taken"):
        house.house.sit_down("ben", "t1", None, house.now)
    return house


def stand_beside(house: TestHouse) -> int:
    return house.house.sit_down("ben", "t1", None, house.now, without_seat=True)


def toke(house: TestHouse, **wagers: int) -> None:
    house.house.bet("ben", "t1", wagers, {"buster": 1_00}, (), house.now)


def play(house: TestHouse) -> None:
    """The dealer busts with four cards, and Buster wins."""
    house.bet("ann", 10_00)
    house.at("t1", lambda table: table.close_bets(house.now))
    for one in cards("Ts 6h 9d 5c"):
        house.at("t1", lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]
    house.decide("ann", "stand")
    for one in cards("2s Kh"):
        house.at("t1", lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]
    house.at("t1", lambda table: table.confirm(house.now))


def test_mgb_toke_bets_alone_need_no_seat_at_a_full_table() -> None:
    house = full()
    assert stand_beside(house) == SEATLESS_FROM
    assert stand_beside(house) == SEATLESS_FROM, "asking again gives the same place"
    house.at("t1", lambda table: table.open_round(house.now))
    toke(house)
    play(house)
    assert credit(house.house, "ben") == OPENING - 1_00
    assert house.balances()["tips/dana"] > 1_00
    again = house.restarted()
    assert dict(again.ledger) == dict(house.house.ledger)
    assert again.table("t1").seats == {"ann": 1, "ben": SEATLESS_FROM}


@pytest.mark.parametrize(("side_bets", "says"), [({"buster": "MEGA-1"}, True), ({}, False)])
def test_mgb_toke_bets_the_printed_rules_say_that_a_toke_alone_needs_no_seat(
    side_bets: dict[str, str], says: bool
) -> None:
    printed = rulebook(game("mega-blackjack", {"side_bets": side_bets})).text()
    assert ("It needs no seat either" in printed) == says


def test_mgb_wagering_without_a_seat_nobody_wagers_for_themselves() -> None:
    house = full()
    stand_beside(house)
    house.at("t1", lambda table: table.open_round(house.now))
    with pytest.raises(Refused, match=r"A wager of your own needs a seat \(MGB Wagering\)"):
        toke(house, buster=1_00, blackjack=10_00)
    assert credit(house.house, "ben") == OPENING


def test_a_player_without_a_seat_takes_one_when_it_is_free() -> None:
    house = full()
    stand_beside(house)
    house.at("t1", lambda table: table.open_round(house.now))
    toke(house)
    with pytest.raises(Refused, match="All 1 seats of this table are taken"):
        house.house.sit_down("ben", "t1", None, house.now)
    house.at("t1", lambda table: table.get_up("ann", house.now))
    with pytest.raises(Refused, match="take a seat when the round is over"):
        house.house.sit_down("ben", "t1", 1, house.now)
    house.house.bet("ben", "t1", {}, {}, (), house.now)
    assert house.house.sit_down("ben", "t1", 1, house.now) == 1
    assert house.table().boxes == house.restarted().table("t1").boxes == {"ben": {1: 1}}
    assert stand_beside(house) == 1, "who has a seat keeps it"


@pytest.mark.parametrize(
    "config",
    [
        TableConfig(game="match-up-blackjack", dealer="live", places=1),
        TableConfig(game="mega-blackjack", dealer="live", options={"dealer_wagers": False}, places=1),
        stadium(dealer="live", places=1),
    ],
    ids=["no tokes", "tokes off", "no seats"],
)
def test_where_a_toke_alone_is_no_wager_nobody_takes_part_without_a_seat(config: TableConfig) -> None:
    with pytest.raises(Refused, match="Nobody takes part at this table without a seat"):
        stand_beside(full(config))


def test_a_table_without_seats_has_places_from_that_number_on_like_others() -> None:
    house = TestHouse(t1=stadium(places=SEATLESS_FROM + 1))
    for number in range(SEATLESS_FROM + 1):
        house.player(f"p{number}", credit=1_00)
    house.run_until("betting")
    house.bet(f"p{SEATLESS_FROM}", 1_00)
    with pytest.raises(Refused, match="All 102 seats of this table are taken"):
        house.player("late")
