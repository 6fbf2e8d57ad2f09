"""IGT Dynasty Live Blackjack's clauses about the dealer terminal and the timers, at a table that runs."""

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.house.table.pace import due
from tests.floor import OPENING, TestHouse, credit


def dynasty(**changes: object) -> TestHouse:
    """A table with its dealer and a counted shoe, at which ann and bob sit."""
    options = changes.pop("options", {})
    house = TestHouse(t1=TableConfig(game="dynasty-blackjack", dealer="live", options=options, **changes))  # type: ignore[arg-type]
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    for name in ("ann", "bob"):
        house.player(name)
    return house


def new_game(house: TestHouse) -> None:
    house.at("t1", lambda table: table.open_round(house.now))


def deal(house: TestHouse, cards: str) -> None:
    for code in cards.split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]


def test_dlb_2_a_new_game_begins_when_the_dealer_begins_it_and_never_by_itself() -> None:
    house = dynasty()
    assert due(house.table(), house.lost.get) is None
    with pytest.raises(Refused):
        house.bet("ann", 1_000)
    new_game(house)
    house.bet("ann", 1_000)
    assert (house.table().phase(), credit(house.house, "ann")) == ("betting", OPENING - 1_000)


@pytest.mark.parametrize("seconds", [7, 45])
def test_dlb_3_wagers_are_taken_until_the_configured_timer_expires(seconds: int) -> None:
    house = dynasty(betting_seconds=seconds, options={"side_bets": {"trilux": "TRI-01"}})
    new_game(house)
    opened = house.now
    house.bet("ann", 1_000)
    house.now = opened + seconds * 1_000 - 1
    house.bet("bob", 1_000, trilux=500)
    house.now += 1
    with pytest.raises(Refused, match="time for betting is over"):
        house.bet("ann", 2_000)
    house.step()
    assert (house.now, house.table().phase()) == (opened + seconds * 1_000, "dealing")


@pytest.mark.parametrize("seconds", [5, 30])
@pytest.mark.parametrize(("policy", "decision"), [("stand", "stand"), ("hit-hard-11-soft-16", "hit")])
def test_dlb_7_the_policy_decides_when_the_configured_timer_expires(seconds: int, policy: str, decision: str) -> None:
    house = dynasty(decision_seconds=seconds, options={"timeout": policy})
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "5s 6d 6h")
    asked = house.now
    house.step()
    assert house.now == asked + seconds * 1_000
    assert house.table().in_play.decisions_of(1) == [(decision, True)]


def test_dlb_8_nothing_is_paid_until_the_dealer_confirms_the_result() -> None:
    house = dynasty()
    new_game(house)
    house.bet("ann", 1_000)
    house.bet("bob", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "9s 6d 5h")
    house.decide("ann", "hit")
    house.decide("bob", "stand")
    deal(house, "5c")
    house.decide("ann", "stand")
    deal(house, "Td Kc")
    assert (house.table().phase(), due(house.table(), house.lost.get)) == ("confirming", None)
    assert (credit(house.house, "ann"), credit(house.house, "bob")) == (OPENING - 1_000, OPENING - 1_000)
    house.at("t1", lambda table: table.confirm(house.now))
    assert (credit(house.house, "ann"), credit(house.house, "bob")) == (OPENING + 1_000, OPENING - 1_000)
