"""Limits of wagers: by family, by line, tokes apart, and the most payable in one round, before a bet is taken."""

from random import Random
from typing import Any

import pytest

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.play.events import WagersPlaced
from podium.play.round import Round
from podium.rules.games import game
from podium.rules.rulebook import rulebook
from podium.server.show import rules_in_force
from tests.correcting import correct_card
from tests.floor import OPENING, TestHouse, stadium
from tests.table import Table, mega_blackjack, stadium_blackjack, three_card_poker

POKER: dict[str, Any] = {"limits": {"ante": [500, 10_000], "pair-plus": [100, 500]}}


def refused(table: Table, *bet: Any, **more: Any) -> str:
    with pytest.raises(Refused) as refusal:
        table.bet("p1", *bet, **more)
    return str(refusal.value)


def test_a_limit_of_a_bet_binds_all_its_lines() -> None:
    """900.00 went through on pair-plus@row-2 where pair-plus took 5.00."""
    table = three_card_poker(**POKER)
    said = refused(table, {"ante": 500, "pair-plus@row-2": 90_000})
    assert "Pair Plus, row 2 of 900.00 is outside the limits (placard): 1.00 to 5.00" in said
    table.bet("p1", {"ante": 500, "pair-plus@row-2": 500, "pair-plus@column-1": 500, "pair-plus": 500})


def test_a_line_may_be_limited_further_but_not_less() -> None:
    limits = {"pair-plus": [100, 500], "pair-plus@row-2": [200, 300], "pair-plus@row-3": [100, 900]}
    offers = game("stadium-three-card-poker", {"limits": limits}).offers
    found = [(offers[wager].least, offers[wager].most) for wager in ("pair-plus", *limits)]
    assert found == [(100, 500), (100, 500), (200, 300), (100, 500)]


def test_all_lines_of_a_bet_together_may_be_limited() -> None:
    table = three_card_poker(**POKER, most_together={"pair-plus": 800})
    wagers = {"ante": 500, "pair-plus": 500, "pair-plus@row-2": 400}
    assert "Pair Plus comes to 9.00 on all lines (placard): at most 8.00 is taken together" in refused(table, wagers)
    table.bet("p1", wagers | {"pair-plus@row-2": 300})


def test_a_side_bet_without_a_limit_takes_a_quarter_of_the_main_wager() -> None:
    table = stadium_blackjack(limits={"blackjack": [500, 50_000]}, chip=100)
    said = refused(table, {"blackjack": 500, "trilux": 12_600})
    assert "TriLux of 126.00 is outside the limits (placard): 1.00 to 125.00" in said
    table.bet("p1", {"blackjack": 500, "trilux": 12_500})
    assert game("stadium-blackjack").offers["trilux"].most is None
    listed = game("match-up-blackjack", {"limits": {"blackjack": [200, 1_000]}}).offers["match-up"]
    assert (listed.least, listed.most) == (100, 1_000), "what the document says holds"


def test_a_toke_has_a_least_of_its_own() -> None:
    limits = {"limits": {"blackjack": [500, 50_000]}}
    stadium_blackjack(**limits).bet("p1", 500, dealer=25)
    table = stadium_blackjack(**limits, toke_least=100)
    assert "Blackjack of 0.25 is outside the limits (placard): 1.00 to 500.00" in refused(table, 500, dealer=25)
    table.bet("p1", 500, dealer=100)


# --- the most payable --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "wager", "most"),
    [
        ("stadium-blackjack", "blackjack", 6_000),  # two splits, three hands, each doubled
        ("stadium-blackjack", "royal-match-21", 25_000),
        ("mega-blackjack", "blackjack", 12_000),  # three splits, four hands, each doubled, 21 on all of them at 3:2
        ("stadium-three-card-poker", "ante", 7_000),  # ante, play, and 5 to 1
        ("stadium-three-card-poker", "six-card-bonus@row-1", 1_000_000),
    ],
)
def test_what_a_wager_can_win_is_computed_from_the_paytables(name: str, wager: str, most: int) -> None:
    of = game(name)
    assert of.rules.pays_most(of.offers[wager], 1_000) == most


def test_wagers_that_could_win_too_much_are_refused_with_what_would_be_accepted() -> None:
    table = three_card_poker(most_payable=100_000)
    said = refused(table, {"ante": 1_000, "six-card-bonus": 500})
    assert said == (
        "p1: these wagers could win 5,070.00 in one round, and this table has 1,000.00 left to pay one player (placard): with the others"
        " as they are, Six Card Bonus of at most 0.93 is accepted."
    )
    table.bet("p1", {"ante": 1_000, "six-card-bonus": 93})


def test_where_nothing_would_be_accepted_the_refusal_says_so() -> None:
    table = three_card_poker(most_payable=10_000, limits={"ante": [500, 10_000], "six-card-bonus": [500, 500]})
    said = refused(table, {"ante": 500, "six-card-bonus": 500})
    assert "Six Card Bonus is not accepted together with the others" in said


def test_what_the_table_pays_everybody_is_limited_too() -> None:
    table = stadium_blackjack(most_payable_table=10_000).bet("p1", 1_000)
    said = []
    with pytest.raises(Refused) as refusal:
        table.bet("p2", 1_000)
    said.append(str(refusal.value))
    assert (
        "this table has 40.00 left to pay (placard): with the others as they are, Blackjack of at most 6.66" in said[0]
    )
    table.bet("p2", 666)


def test_what_the_wagers_of_all_can_win_is_added_up_as_they_are_placed_changed_and_taken_back() -> None:
    """Every bet once added up all seats anew, so that a full table took the square of its seats."""
    most = 1_000_000_00
    chosen = game("stadium-blackjack", {"most_payable_table": most})
    played, drawn, stakes = Round(chosen), Random(1), dict[int, dict[str, int]]()
    for _ in range(200):
        seat = drawn.randint(1, 12)
        taken_back = stakes.get(seat) and drawn.random() < 0.3
        stakes[seat] = {} if taken_back else {"blackjack": drawn.randint(5, 50) * 100, "trilux": 500}
        played.apply(WagersPlaced(seat, stakes[seat]))
    left = most - sum(chosen.rules.payable(chosen.offers, each.items()) for each in stakes.values())
    with pytest.raises(Refused, match=f"this table has {left / 100:,.2f} left to pay"):
        played.apply(WagersPlaced(13, {"blackjack": most}))


def test_a_cap_pays_so_much_and_no_more_and_says_so() -> None:
    """25 to 1 on 10.00 would be 250.00; the blackjack would add 15.00."""
    table = stadium_blackjack(most_payable=10_000, over_payable="cap")
    table.bet("p1", {"blackjack": 1_000, "royal-match-21": 1_000}).dealt("Ks 6c Qs")
    assert table.credit("p1") == 100_000 - 2_000 + 1_000 + 10_000, "the side bet is capped when it is paid"
    table.decides(p1="stand").dealt("Td 9s").confirmed()
    result = table.result("p1")
    assert {wager.wager: wager.returned for wager in result.wagers} == {"blackjack": 1_000, "royal-match-21": 11_000}
    assert all(wager.why[-1].key == "why.capped" for wager in result.wagers)
    assert table.credit("p1") == 100_000 + 10_000


def test_a_cap_holds_for_tokes_too() -> None:
    table = mega_blackjack(most_payable=2_000, over_payable="cap")
    table.bet("p1", 1_000, dealer=1_000).dealt("As 5h Kd 6c").confirmed()
    own, toke = table.result("p1").wagers
    assert (own.returned, toke.returned, toke.tips) == (3_000, 1_000, 1_000)


def test_the_printed_rules_say_what_is_payable() -> None:
    said = rulebook(game("stadium-blackjack", {"most_payable": 10_000, "over_payable": "cap"})).text()
    assert "The wagers of one player can win at most 100.00 in one round" in said
    assert "their winnings are paid up to that amount and no further" in said


# --- at a table --------------------------------------------------------------------------------------------------------


def test_game_5_a_table_checks_before_it_takes_and_replays_what_it_took() -> None:
    config = TableConfig(game="stadium-three-card-poker", options=POKER)
    house = TestHouse(t1=config)
    house.player("ann")
    house.run_until("betting")
    wagers = {"ante": 500, "pair-plus@row-2": 90_000}
    before = house.balances()
    with pytest.raises(Refused, match="outside the limits"):
        house.house.bet("ann", "t1", wagers, {}, (), house.now)
    assert house.balances() == before
    # A program of before took it: its journal is replayed as it was.
    house.table().in_play.check_limits = lambda *_, **__: None  # type: ignore[method-assign]
    house.house.bet("ann", "t1", {"ante": 500, "pair-plus@row-2": 9_000}, {}, (), house.now)
    house.run_until("deciding")
    house.decide("ann", "fold")
    house.run_until("result")
    again = house.restarted()
    assert dict(again.ledger) == dict(house.house.ledger)


def test_a_house_s_table_pays_no_more_than_its_cap() -> None:
    house = TestHouse(t1=stadium(dealer="live", options={"most_payable": 5_000, "over_payable": "cap"}))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.player("ann")
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 1_000}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    for one in cards("Ks 6c Qs"):
        house.at("t1", lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]
    assert house.balances()["bank/t1"] == -5_000


def capped_at(most: int, game: str = "stadium-blackjack", boxes: int = 2) -> TestHouse:
    options = {"most_payable": most, "over_payable": "cap"}
    house = TestHouse(t1=TableConfig(game, dealer="live", boxes=boxes, options=options, attendant_pays_from=0))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.player("ann")
    house.house.sit_down("ann", "t1", None, house.now, box=2)
    house.player("bob")
    return house


def goes_on(house: TestHouse, codes: str) -> None:
    if house.table().phase() == "betting":
        house.at("t1", lambda table: table.close_bets(house.now))
    for code in codes.split():
        face = None if code == "?" else cards(code)[0]
        house.at("t1", lambda table, face=face: table.deal(face, house.now))  # type: ignore[misc]


@pytest.mark.parametrize("restarts", [False, True])
def test_a_cap_is_for_a_player_and_not_for_a_box(restarts: bool) -> None:
    """25 to 1 on 10.00 at both of Ann's boxes comes to 500.00; she is paid 50.00 in all, and so is Bob at his one box."""
    house = capped_at(5_000)
    for player, box in (("ann", 1), ("ann", 2), ("bob", 1)):
        wagers = {"blackjack": 1_000, "royal-match-21": 1_000}
        house.house.bet(player, "t1", wagers, {}, (), house.now, box=box)
    goes_on(house, "Ks 6c Qs")
    if restarts:
        house.house = house.restarted()
    assert house.balances()["bank/t1"] == -2 * 5_000
    for box in (1, 2):
        house.house.decide("ann", "t1", "stand", house.now, box=box)
    house.decide("bob", "stand")
    goes_on(house, "Td 9s")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.balances()["bank/t1"] == -2 * 5_000, "the hands win too, and nothing is left of the most"
    played = house.table().round
    assert played is not None
    [first, second] = [played.results[house.table().boxes["ann"][box]] for box in (1, 2)]
    assert sum(wager.returned - wager.staked for each in (first, second) for wager in each.wagers) == 5_000
    assert [wager.why[-1].key for wager in second.wagers] == ["why.capped"] * 2


def test_mgb_a_blackjack_that_is_paid_at_once_is_paid_up_to_the_cap_and_nothing_is_taken_back() -> None:
    house = capped_at(4_000, "mega-blackjack")
    for box in (1, 2):
        house.house.bet("ann", "t1", {"blackjack": 1_000}, {}, (), house.now, box=box)
    house.bet("bob", 1_000)
    goes_on(house, "As Ah 5h 6d Kd Kc 5c ?")
    before = house.balances()
    assert before["credit/ann"] == OPENING + 4_000, "3 to 1 on both would be 60.00"
    house.decide("bob", "stand")
    house.at("t1", lambda table: table.turn(cards("Td")[0], house.now))
    goes_on(house, "Kh")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.balances()["credit/ann"] == before["credit/ann"]
    assert not [transfer for entry in house.store() for transfer in entry.transfers if transfer.kind == "correction"]


def test_a_correction_shares_the_cap_anew() -> None:
    house = capped_at(5_000)
    for box in (1, 2):
        house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 1_000}, {}, (), house.now, box=box)
    goes_on(house, "Ks 6c Qs")
    assert house.balances()["credit/ann"] == OPENING - 2_000 + 5_000
    house.at("t1", lambda table: correct_card(table, 3, cards("Js")[0], house.now, by="dana", reason="misread"))
    assert house.balances()["credit/ann"] == OPENING - 2_000 + 5_000, "5 to 2 on both is 50.00"
    house.at("t1", lambda table: correct_card(table, 3, cards("Jh")[0], house.now, by="dana", reason="misread"))
    assert house.balances()["credit/ann"] == OPENING - 4_000


def test_designators_stand_in_the_rules_and_on_the_placard() -> None:
    """TCP System Paytable, SBJ 2.d."""
    poker = game("stadium-three-card-poker")
    assert poker.designators["stadium-three-card-poker"] == "TCP-10 A/D"
    assert poker.designators["six-card-bonus"] == "TCP-6B3"
    assert "The paytables of this table have the designator TCP-10 A/D." in rulebook(poker).text()
    entered = {"pair-plus": {"HOUSE": {"pair": "2:1"}}}
    own = game("stadium-three-card-poker", {"pair_plus": "HOUSE", "paytables": entered})
    assert "stadium-three-card-poker" not in own.designators, "another paytable is not TCP-10"
    assert game("stadium-blackjack", {"side_bets": {"trilux": "TRI-02"}}).designators["trilux"] == "TRI-02"


def test_designators_stand_in_the_record_and_at_the_terminal() -> None:
    house = TestHouse(t1=TableConfig(game="stadium-three-card-poker"))
    house.run_until("betting")
    shown = rules_in_force(house.table(), rulebook(house.table().current_game), {})
    assert shown.designator == "TCP-10 A/D"
    assert {card.wager: card.paytable for card in shown.wagers}["pair-plus@row-1"] == "D"
