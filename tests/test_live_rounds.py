"""Rounds with a live dealer: the shoe, corrections, voids, tips, and large wins that an attendant pays."""

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house.table.correcting import Fix
from podium.record.ledger import account
from tests.correcting import correct_card
from tests.floor import OPENING, TestHouse, credit, stadium
from tests.live_table import deal, live, new_game


def test_a_live_round_from_new_game_to_confirm_result() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Tc")
    house.decide("ann", "stand")
    deal(house, "Td 5h")
    assert house.table().phase() == "confirming"
    assert credit(house.house, "ann") == OPENING - 1_000
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.table().phase() == "result"
    assert credit(house.house, "ann") == OPENING - 1_000


def test_card_1_a_live_shoe_cannot_give_a_card_more_often_than_it_holds_it() -> None:
    house = live()
    house.player("ann")
    for _ in range(2):
        new_game(house)
        house.bet("ann", 100)
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "9s 9s 9s")
        house.decide("ann", "stand")
        deal(house, "Ks" if house.table().round_number == 1 else "Kd")
        house.at("t1", lambda table: table.confirm(house.now))
    new_game(house)
    house.bet("ann", 100)
    house.at("t1", lambda table: table.close_bets(house.now))
    with pytest.raises(Refused, match="9s cannot come again"):
        deal(house, "9s")


def test_card_8_a_shoe_with_a_card_too_few_is_not_loaded() -> None:
    house = TestHouse(t1=stadium(dealer="live"))
    with pytest.raises(Refused, match="311 cards, but 6 decks have 312"):
        house.at("t1", lambda table: table.load_shoe(311, house.now, by="dana"))


def test_no_round_begins_without_a_shoe() -> None:
    house = TestHouse(t1=stadium(dealer="live"))
    with pytest.raises(Refused, match="A shoe of 6 decks is needed"):
        new_game(house)


def test_card_2_a_correction_settles_everybody_exactly_and_takes_back_what_a_wrong_card_paid() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "bet-the-set-21": 500}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    assert credit(house.house, "ann") == OPENING - 1_500 + 5_500
    house.at("t1", lambda table: correct_card(table, 3, card("9d"), house.now, by="dana", reason="misread"))
    assert credit(house.house, "ann") == OPENING - 1_500
    assert house.table().in_play.seats[1].credit == OPENING - 1_500
    kinds = [transfer.kind for entry in house.store() for transfer in entry.transfers]
    assert "correction" in kinds
    assert sum(house.balances().values()) == 0


def test_card_3_a_correction_needs_a_reason_and_the_journal_says_who_and_why() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    with pytest.raises(Refused, match="needs a reason"):
        house.at("t1", lambda table: correct_card(table, 2, card("9d"), house.now, by="dana", reason=" "))
    house.at("t1", lambda table: correct_card(table, 2, card("9d"), house.now, by="dana", reason="misread"))
    explained = next(entry for entry in house.store() if entry.kind == "correction-explained")
    assert b'"by":"dana"' in explained.payload
    assert b"misread" in explained.payload


def corrects(house: TestHouse, number: int, code: str, approved_by: str = "") -> None:
    house.at(
        "t1",
        lambda table: correct_card(
            table, number, card(code), house.now, by="dana", reason="misread", approved_by=approved_by
        ),
    )


@pytest.mark.parametrize("followed_by", ["a card", "a decision", "a time-out"])
def test_card_3_a_dealer_corrects_a_card_alone_until_something_has_followed_it(followed_by: str) -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    corrects(house, 2, "7c")
    corrects(house, 2, "6d")
    if followed_by == "a card":
        deal(house, "5d")
    else:
        deal(house, "5d")
        corrects(house, 3, "4d")
        if followed_by == "a decision":
            house.decide("ann", "stand")
        else:
            house.at("t1", lambda table: table.run_out_of_time(house.now))
    number = 2 if followed_by == "a card" else 3
    with pytest.raises(Refused, match=r"A supervisor must approve it \(CARD-3\)"):
        corrects(house, number, "8h")
    corrects(house, number, "8h", approved_by="sue")
    with pytest.raises(Refused, match="supervisor must approve"):
        corrects(house, number, "9h")


@pytest.mark.parametrize(
    ("changes", "alone", "followed"),
    [
        ({}, True, False),
        ({"correction_approval": False}, True, True),
        ({"approvals": ("correct",)}, False, False),
        ({"approvals": ("correct",), "correction_approval": False}, False, False),
    ],
)
def test_card_3_the_table_s_policy_says_which_corrections_need_approval(
    changes: dict[str, object], alone: bool, followed: bool
) -> None:
    house = live(**changes)
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    table = house.table()
    last, first = (table.correction_needs_approval([Fix("replace", number, card("9d"))]) for number in (2, 1))
    assert (not last, not first) == (alone, followed)


def test_a_refused_correction_leaves_the_table_and_the_journal_as_they_were() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    before = len(house.store())
    with pytest.raises(Refused, match="Card 9 cannot be corrected"):
        house.at("t1", lambda table: correct_card(table, 9, card("9d"), house.now, by="dana", reason="misread"))
    assert len(house.store()) == before
    assert house.table().corrected is None


@pytest.mark.parametrize("after", ["bets", "first three", "decisions", "every card"])
def test_void_1_a_void_at_any_phase_restores_every_balance(after: str) -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 700}, {"blackjack": 100}, (), house.now)
    if after != "bets":
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "5s 6c 6s")
    if after in ("decisions", "every card"):
        house.decide("ann", "double+dealer")
    if after == "every card":
        deal(house, "Td Th Kd")
        assert house.table().phase() == "confirming"
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="card on the floor", approved_by="sue"))
    assert credit(house.house, "ann") == OPENING
    assert house.balances() == {"cage/main": -OPENING, "credit/ann": OPENING}
    assert house.table().notice.text == "card on the floor"


def test_card_6_a_void_needs_a_supervisor() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    with pytest.raises(Refused, match="supervisor must approve"):
        house.at("t1", lambda table: table.void(house.now, by="dana", reason="misdeal"))
    assert house.table().phase() == "betting"


def test_a_new_dealer_takes_over_and_gets_the_tips_from_then_on() -> None:
    house = live()
    house.player("ann")
    for dealer in ("dana", "dora"):
        house.at("t1", lambda table, dealer=dealer: table.take_place(dealer, house.now))  # type: ignore[misc]
        new_game(house)
        house.house.bet("ann", "t1", {"blackjack": 100}, {"blackjack": 50}, (), house.now)
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "Ts 6c Td")
        house.decide("ann", "stand")
        deal(house, "Td 8h")
        house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.ledger[account("tips", "dana")] == 100
    assert house.house.ledger[account("tips", "dora")] == 100


def test_game_3_no_new_round_begins_while_one_is_in_play() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    with pytest.raises(Refused, match="A round is in play"):
        new_game(house)


def test_hp_1_a_large_win_is_held_for_an_attendant_and_locks_betting() -> None:
    house = TestHouse(t1=stadium(dealer="live", attendant_pays_from=100_000))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann", credit=200_000)
    new_game(house)
    house.bet("ann", 150_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    house.decide("ann", "stand")
    deal(house, "Td 8h")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.held("ann") == 150_000
    assert credit(house.house, "ann") == 200_000
    new_game(house)
    with pytest.raises(Refused, match="attendant must pay"):
        house.bet("ann", 100)
    house.house.attendant_paid("ann", house.now, key="a1", by="carl")
    assert house.house.held("ann") == 0
    house.bet("ann", 100)


@pytest.mark.parametrize(("limit", "held"), [(10_001, 0), (10_000, 10_000), (9_999, 10_000)])
def test_hp_1_a_win_of_exactly_the_limit_is_paid_by_an_attendant(limit: int, held: int) -> None:
    house = TestHouse(t1=stadium(dealer="live", attendant_pays_from=limit))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann", credit=20_000)
    new_game(house)
    house.bet("ann", 10_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    house.decide("ann", "stand")
    deal(house, "Td 8h")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.held("ann") == held
    assert credit(house.house, "ann") == 30_000 - held
