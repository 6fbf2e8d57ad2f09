"""Several boxes and several tables for one player, on one credit."""

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.cards import cards
from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.play.script import settle
from podium.record.ledger import never_negative
from podium.rules.asking import Decisions
from tests.correcting import correct_card
from tests.floor import TestHouse, credit, stadium

MUB = TableConfig(game="match-up-blackjack", dealer="live", boxes=3)


def live(**tables: TableConfig) -> TestHouse:
    house = TestHouse(**tables)
    for name, config in tables.items():
        shoe = 52 * config.to_game().rules.decks
        house.at(name, lambda table: table.take_place("dana", house.now))
        house.at(name, lambda table, shoe=shoe: table.load_shoe(shoe, house.now, by="dana"))  # type: ignore[misc]
        house.at(name, lambda table: table.open_round(house.now))
    return house


def deal(house: TestHouse, codes: str, table: str = "t1") -> None:
    for one in cards(codes):
        house.at(table, lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]


def bet(house: TestHouse, amount: int, box: int, table: str = "t1") -> None:
    house.house.bet("ann", table, {"blackjack": amount}, {}, (), house.now, box=box)


def three_boxes(**more: Any) -> TestHouse:
    house = live(t1=stadium(dealer="live", **more))
    house.player("ann", credit=3_000)
    assert [house.house.sit_down("ann", "t1", None, house.now, box=box) for box in (2, 3)] == [2, 3]
    return house


def test_three_boxes_are_usual_at_stadium_blackjack_and_one_elsewhere() -> None:
    assert stadium().boxes_per_player == 3
    assert TableConfig(game="dynasty-blackjack").boxes_per_player == 1
    assert TableConfig(game="match-up-blackjack", boxes=7, places=5).boxes_per_player == 5
    with pytest.raises(Refused, match="boxes = 8 is not allowed: it must be 1 to 7"):
        TableConfig(game="dynasty-blackjack", boxes=8).check()


def test_a_player_has_no_more_boxes_than_the_table_allows() -> None:
    house = three_boxes()
    with pytest.raises(Refused, match="it allows 3 for each player"):
        house.house.sit_down("ann", "t1", None, house.now, box=4)
    with pytest.raises(Refused, match=r"You have no box 4 at this table\. Your boxes: 1, 2, 3"):
        bet(house, 100, 4)
    assert house.house.sit_down("ann", "t1", None, house.now) == 1, "asking again gives the first box"
    assert house.house.sit_down("ann", "t1", None, house.now, box=2) == 2


def test_another_seat_is_a_further_box_and_refused_where_there_is_none() -> None:
    house = live(t1=MUB, t2=TableConfig(game="match-up-blackjack", dealer="live"))
    house.player("ann", seat=3)
    assert house.house.sit_down("ann", "t1", 5, house.now) == 5
    assert house.table().boxes["ann"] == {1: 3, 2: 5}
    house.house.sit_down("ann", "t2", 3, house.now)
    with pytest.raises(Refused, match="it allows one for each player"):
        house.house.sit_down("ann", "t2", 5, house.now)


def test_each_box_has_its_own_wagers_and_decisions_and_all_spend_one_credit() -> None:
    house = three_boxes()
    for box in (1, 2):
        bet(house, 1_000, box)
    with pytest.raises(Refused, match=r"wagers of 15\.00 are more than the credit of 10\.00"):
        bet(house, 1_500, 3)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "5s 6c 6s")
    house.house.decide("ann", "t1", "double", house.now, box=2)
    assert credit(house.house, "ann") == 0
    with pytest.raises(Refused, match=r"costs 10\.00, and the credit is 0\.00"):
        house.house.decide("ann", "t1", "double", house.now, box=1)
    house.house.decide("ann", "t1", "stand", house.now, box=1)
    played = house.table().in_play
    assert played.decisions_of(1) == [("stand", False)]
    assert played.decisions_of(2) == [("double", False)]
    again = house.restarted()
    assert dict(again.ledger) == dict(house.house.ledger)
    assert again.table("t1").boxes == house.table().boxes == {"ann": {1: 1, 2: 2, 3: 3}}


def test_a_box_is_given_up_alone_and_the_others_are_kept() -> None:
    house = three_boxes()
    bet(house, 100, 1)
    house.at("t1", lambda table: table.get_up("ann", house.now, box=2))
    assert house.table().boxes["ann"] == {1: 1, 3: 3}
    house.at("t1", lambda table: table.get_up("ann", house.now))
    assert house.table().boxes["ann"] == {1: 1}, "a box with a wager in play is kept until the round is over"
    assert set(house.table().leaving) == {1}


@pytest.mark.parametrize("again", ["leaves", "is away"])
@pytest.mark.parametrize("snapshot", [False, True])
def test_whoever_leaves_takes_the_wager_back_and_leaves_again_is_gone_and_the_round_ends(
    again: str, snapshot: bool
) -> None:
    """The seat was freed twice, which ended the house; also in a house that comes back from its journal in between."""
    house = TestHouse(2 if snapshot else 10_000, t1=stadium(close_betting_early=True))
    house.player("bob")
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.get_up("ann", house.now))
    assert set(house.table().leaving) == {2}
    house.house.bet("ann", "t1", {}, {}, (), house.now)
    if again == "leaves":
        house.at("t1", lambda table: table.get_up("ann", house.now))
    else:
        house.at("t1", lambda table: table.free_seat("ann", house.now))
    assert (house.table().boxes, house.table().leaving) == ({"bob": {1: 1}}, {})
    house.bet("bob", 1_000)
    house.house = house.restarted()
    house.run_until("result")
    assert house.table().boxes == {"bob": {1: 1}}
    house.run_until("betting")


def test_a_snapshot_of_before_in_which_a_freed_seat_still_leaves_ends_no_house() -> None:
    house = TestHouse(t1=stadium(close_betting_early=True))
    house.player("bob")
    house.run_until("betting")
    house.table().leaving[2] = house.now
    house.bet("bob", 1_000)
    house.run_until("result")
    assert (house.table().boxes, house.table().leaving) == ({"bob": {1: 1}}, {})


def test_dsc_1_only_boxes_without_a_wager_are_freed_for_absence() -> None:
    house = three_boxes()
    bet(house, 100, 3)
    house.at("t1", lambda table: table.free_seat("ann", house.now))
    assert house.table().boxes["ann"] == {3: 3}
    assert house.table().seats["ann"] == 3
    assert set(house.table().leaving) == set()


def test_hp_1_the_win_at_all_boxes_of_a_round_counts() -> None:
    house = three_boxes(attendant_pays_from=1_500)
    for box in (1, 2):
        bet(house, 1_000, box)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Ks")
    for box in (1, 2):
        house.house.decide("ann", "t1", "stand", house.now, box=box)
    deal(house, "Td Th")
    house.at("t1", lambda table: table.confirm(house.now))
    assert (credit(house.house, "ann"), house.house.held("ann")) == (3_000, 2_000)


def test_a_snapshot_keeps_the_boxes() -> None:
    house = TestHouse(5, t1=stadium())
    house.player("ann")
    house.house.sit_down("ann", "t1", None, house.now, box=3)
    for _ in range(3):
        house.run_until("betting")
        house.house.bet("ann", "t1", {"blackjack": 100}, {}, (), house.now, box=3)
        house.run_until("result")
    house.run_until("betting")
    assert any(entry.kind == "table-stood" for entry in house.store())
    assert house.restarted().table("t1").boxes == {"ann": {1: 1, 3: 2}}


def test_csh_2_no_credit_leaves_while_wagers_are_in_play_at_any_table() -> None:
    house = live(t1=stadium(dealer="live"), t2=stadium(dealer="live"))
    house.player("ann")
    house.house.sit_down("ann", "t2", None, house.now)
    bet(house, 100, 1, "t2")
    with pytest.raises(Refused, match="CSH-2"):
        house.house.pay_out("ann", 100, house.now, key="o1", by="carl")


def test_card_2_money_that_was_won_at_one_table_and_staked_at_another_is_a_debt_when_it_is_taken_back() -> None:
    house = live(t1=stadium(dealer="live"), t2=stadium(dealer="live"))
    house.player("ann", credit=1_500)
    house.house.sit_down("ann", "t2", None, house.now)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 500}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ks 6c Qs")
    bet(house, credit(house.house, "ann"), 1, "t2")
    house.at(
        "t1",
        lambda table: correct_card(table, 3, cards("Qd")[0], house.now, by="dana", reason="misread", approved_by="sue"),
    )
    assert (credit(house.house, "ann"), house.house.debt("ann")) == (0, 13_000)
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


BEGINNINGS = [cards(each) for each in ("8s Ah 8h", "5s 6c 6s", "As 5c Ah", "Ts Ad 9h", "4s Kd 4h")]
"""First cards with which hands are split and doubled, and dealers show aces."""
FURTHER = cards("3d 8c 5h Tc 2h Ac 8d 6h Kd 9c")
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["t1", "t2", "t3"]),
        st.sampled_from(["bet", "bet", "decide", "decide", "decide", "decide", "step", "step", "cash"]),
        st.integers(1, 3),
        st.integers(0, 39),
    ),
    min_size=60,
    max_size=140,
)


def freely_dealt(**config: Any) -> TableConfig:
    """A live table where any card can come next."""
    return TableConfig(dealer="live", boxes=3, shuffler="continuous", **config)


@given(ACTS)
def test_game_1_nothing_is_overdrawn_whatever_a_player_does_at_several_boxes_and_tables(acts: list[Any]) -> None:
    """Bets, doubles, splits, insurance and wagers for the dealer at nine boxes, with cash-outs and voids in between."""
    house = live(
        t1=freely_dealt(game="stadium-blackjack", options={"dealer_wagers": True}),
        t2=freely_dealt(game="mega-blackjack"),
        t3=freely_dealt(game="match-up-blackjack"),
    )
    house.player("ann", credit=5_000)
    for name in house.house.tables:
        for box in (1, 2, 3):
            house.house.sit_down("ann", name, None, house.now, box=box)
    for number, (name, act, box, chosen) in enumerate(acts):
        with suppress(Refused):
            do(house, name, act, box, chosen, number)
        assert all(amount >= 0 for account, amount in house.house.ledger if never_negative(account))
        assert sum(amount for _, amount in house.house.ledger) == 0
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def do(house: TestHouse, name: str, act: str, box: int, chosen: int, number: int) -> None:
    table = house.table(name)
    match act:
        case "bet":
            amount = 500 if name == "t3" else 100 * (1 + chosen)
            for_dealer = {"blackjack": amount} if name == "t1" and chosen % 3 == 0 else {}
            house.house.bet("ann", name, {"blackjack": amount}, for_dealer, (), house.now, box=box)
        case "decide" if not table.between_rounds and isinstance(table.in_play.awaits, Decisions):
            decide(house, name, chosen)
        case "step":
            step(house, name, chosen)
        case "cash" if chosen < 5:
            house.at(name, lambda table: table.void(house.now, by="sue", reason="test", approved_by="sam"))
        case "cash" if chosen < 20:
            house.house.pay_out("ann", 100 * chosen, house.now, key=f"out-{number}", by="carl")
        case "cash":
            house.house.pay_out("ann", max(1, credit(house.house, "ann")), house.now, key=f"all-{number}", by="carl")
            house.house.pay_in("ann", 5_000, house.now, key=f"in-{number}", by="carl")


def decide(house: TestHouse, name: str, chosen: int) -> None:
    """Answers at one of the boxes that are asked; with whatever costs the most where it is offered."""
    table = house.table(name)
    awaits = table.in_play.awaits
    assert isinstance(awaits, Decisions)
    asked = list(awaits)
    seat = asked[chosen % len(asked)]
    box = next(box for box, own in table.boxes["ann"].items() if own == seat)
    allowed = sorted(table.in_play.dealing.question(seat).allowed.items(), key=lambda each: each[1])
    choice, _ = allowed[-1 - (chosen // 3) % len(allowed)]
    house.house.decide("ann", name, choice, house.now, box=box)


def step(house: TestHouse, name: str, chosen: int) -> None:
    """What the table waits for, from its dealer: all cards up to the next question, or one other thing."""
    table, further = house.table(name), FURTHER[chosen % len(FURTHER)]
    match table.phase():
        case "waiting" | "result" | "void":
            house.at(name, lambda table: table.open_round(house.now))
        case "betting":
            house.at(name, lambda table: table.close_bets(house.now))
            for card in BEGINNINGS[chosen % len(BEGINNINGS)]:
                house.at(name, lambda table, card=card: table.deal(card, house.now))  # type: ignore[misc]
        case "dealing":
            while table.phase() == "dealing":
                house.at(name, lambda table: table.deal(further, house.now))
        case "peeking":
            house.at(name, lambda table: table.peek(False, house.now))
        case "turning":
            house.at(name, lambda table: table.turn(further, house.now))
        case "confirming":
            house.at(name, lambda table: table.confirm(house.now))


# --- podium settle --------------------------------------------------------------------------------------------------------

SCRIPT = """{"game": "stadium-blackjack", "cards": "5s 6c 6s Td Kc Th", "players": [
    {"name": "p1", "credit": %s, "wagers": {"blackjack": 1000}, "decisions": ["double"]},
    {"name": "p1", "box": %s, "wagers": {"blackjack": 1000}, "decisions": ["%s"]}]}"""


def settled(credit: int, box: int, decision: str) -> str:
    return settle(SCRIPT % (credit, box, decision)).decode()


def test_settle_a_further_box_is_a_further_entry_of_the_same_name() -> None:
    told = settled(4_000, 2, "double")
    assert told.count('"name":"p1"') == 2
    assert told.count('"box":2') == 1


def test_settle_the_result_carries_the_box_that_was_given_and_no_other() -> None:
    first = '"name": "p1", "credit"'
    told = settle((SCRIPT % (4_000, 2, "stand")).replace(first, '"box": 1, ' + first))
    assert [player["box"] for player in msgspec.json.decode(told)["players"]] == [1, 2]
    alone = '{"game": "stadium-blackjack", "cards": "Ts 6c Ks Td Kc", "players": [{%s"wagers": {"blackjack": 1000}}]}'
    assert b'"box"' not in settle(alone % '"name": "p1", ')
    assert b'"box":1,' in settle(alone % '"name": "p1", "box": 1, ')
    with pytest.raises(Refused, match="box is 1 for the first box of a player"):
        settle(alone % '"name": "p1", "box": null, ')


def test_settle_all_boxes_of_a_player_share_one_credit() -> None:
    settled(3_000, 2, "stand")
    with pytest.raises(Refused, match=r"costs 10\.00, and the credit is 0\.00"):
        settled(3_000, 2, "double")
    with pytest.raises(Refused, match=r"wagers of 10\.00 are more than the credit of 5\.00"):
        settled(1_500, 2, "stand")


def test_settle_a_box_that_is_not_the_next_one_is_refused() -> None:
    with pytest.raises(Refused, match="p1: box 3 is not the next one, which is box 2"):
        settled(4_000, 3, "stand")
    with pytest.raises(Refused, match="The name 'p1' is repeated"):
        settled(4_000, 1, "stand")


CAPPED = """{"game": "stadium-blackjack", "cards": "Ks 6c Qs Td 8h 8c",
    "options": {"side_bets": {"royal-match-21": "A"}, "most_payable": 5000, "over_payable": "cap"}, "players": [
    {"name": "p1", "wagers": {"blackjack": 1000, "royal-match-21": 1000}, "decisions": ["stand"]},
    {"name": "%s", %s "wagers": {"blackjack": 1000, "royal-match-21": 1000}, "decisions": ["stand"]}]}"""


@pytest.mark.parametrize(("second", "won"), [(("p1", '"box": 2,'), 5_000), (("p2", ""), 10_000)])
def test_settle_all_boxes_of_a_player_share_the_most_that_one_is_paid(second: tuple[str, str], won: int) -> None:
    """25 to 1 on 10.00 at both boxes comes to 500.00; one player is paid 50.00 for both, two are paid 50.00 each."""
    told = msgspec.json.decode(settle(CAPPED % second))
    assert sum(player["net"] for player in told["players"]) == won
