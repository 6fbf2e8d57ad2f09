"""The life of a live shoe (CARD-10, CARD-8, CARD-1): shufflers, burn cards, the cut card, the next shoe, counts."""

import pytest

from podium.basics.cards import DECK, card
from podium.basics.refusal import Refused
from podium.house import House
from podium.house.reports.rounds import Rounds
from podium.house.reports.significant import SignificantEvents
from podium.house.table import Table, TableConfig
from podium.house.table.events import ShoeLoaded, decode
from podium.house.table.shoes import ShoeInUse
from podium.play import notation
from podium.play.events import ShoeFollowed
from podium.play.round import Round
from podium.rules.games import game
from podium.server.show import Window
from tests.floor import TestHouse, credit, stadium

TCP = TableConfig("stadium-three-card-poker", dealer="live")
NINE = "2s 3h 4d 5c 7s 8h 9d Tc Qs"


def live(config: TableConfig, *, snapshots: int = 1_000_000) -> TestHouse:
    house = TestHouse(snapshots, t1=config)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.player("ann")
    return house


def shoe_of(house: TestHouse) -> ShoeInUse:
    shoe = house.table().shoe
    assert shoe is not None
    return shoe


def do(house: TestHouse, name: str, *facts: object, **named: object) -> None:
    house.at("t1", lambda table: getattr(table, name)(*facts, now=house.now, **named))


def load(house: TestHouse, **more: bool) -> None:
    cards = 52 * house.table().upcoming.to_game().rules.decks
    house.at("t1", lambda table: table.load_shoe(cards, house.now, by="dana", **more))


def deal(house: TestHouse, cards: str) -> None:
    for code in cards.split():
        do(house, "deal", card(code))


def begin(house: TestHouse, stake: int = 500) -> None:
    do(house, "open_round")
    house.bet("ann", stake)
    do(house, "close_bets")


def three_cards(house: TestHouse, nine: str = NINE, dealer: str = "Ks Kh 2c") -> None:
    """A whole round of Three Card Poker."""
    begin(house)
    deal(house, nine)
    house.decide("ann", "fold")
    if not house.table().between_rounds and house.table().phase() == "dealing":
        deal(house, dealer)
    do(house, "confirm")


def same_after_restart(house: TestHouse) -> House:
    again = house.restarted()
    now, then = house.table(), again.table("t1")
    assert (then.phase(), then.round_number, then.shoe_number) == (now.phase(), now.round_number, now.shoe_number)
    assert (then.shoe and then.shoe.snapshot()) == (now.shoe and now.shoe.snapshot())
    assert Window(then).for_everybody(0) == Window(now).for_everybody(0)
    return again


# --- the shuffler -------------------------------------------------------------------------------------------------------


def test_tcp_intro_i_deal_each_new_game_of_three_card_poker_has_a_fresh_deck() -> None:
    house = live(TCP)
    three_cards(house)
    three_cards(house)  # the very same cards again, and no shoe was loaded by hand
    loaded = [
        happened for entry in house.streams()["table/t1"] if isinstance(happened := decode(entry.payload), ShoeLoaded)
    ]
    assert [(each.shoe, each.cards, each.shuffler) for each in loaded] == [
        (1, 52, "every-round"),
        (2, 52, "every-round"),
    ]
    same_after_restart(house)


def test_card_1_one_deck_holds_each_card_once_in_one_round_with_a_shuffler_too() -> None:
    house = live(TCP)
    begin(house)
    deal(house, "2s")
    with pytest.raises(Refused, match="2s cannot come again"):
        deal(house, "2s")


def test_tcp_intro_without_a_shuffler_the_deck_is_loaded_for_every_round_and_never_leads_to_a_void() -> None:
    house = live(TableConfig("stadium-three-card-poker", dealer="live", shuffler="none"))
    with pytest.raises(Refused, match="A shoe of one deck is needed"):
        do(house, "open_round")
    load(house)
    three_cards(house)
    with pytest.raises(Refused, match="shuffled for every round"):
        do(house, "open_round")
    assert Window(house.table()).for_everybody(0).shoe_wanted is not None
    load(house)
    three_cards(house)


def test_card_10_a_continuous_shuffler_has_the_cards_again_after_each_round() -> None:
    house = live(stadium(dealer="live", shuffler="continuous", options={}))
    load(house)
    for _ in range(8):  # more nines of spades than six decks hold
        begin(house)
        deal(house, "9s Ts 9h")
        house.decide("ann", "stand")
        deal(house, "Td")
        do(house, "confirm")
    assert shoe_of(house).dealt == 0
    rounds = Rounds()
    for entry in house.streams()["table/t1"]:
        rounds.follow("t1", entry)
    assert all(not line.cards_out for line in rounds.by_table["t1"])
    same_after_restart(house)


def test_card_10_a_shoe_is_not_dealt_by_a_table_that_got_a_shuffler_meanwhile() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    house.at("t1", lambda table: table.configure(stadium(dealer="live", shuffler="continuous"), house.now))
    with pytest.raises(Refused, match="A shoe of 6 decks is needed"):
        do(house, "open_round")
    load(house)
    do(house, "open_round")


# --- burn cards and the cut card ----------------------------------------------------------------------------------------


def test_card_10_no_round_begins_before_the_burn_cards_are_burned_seen_or_unseen() -> None:
    house = live(stadium(dealer="live", burn_cards=2))
    load(house)
    with pytest.raises(Refused, match="2 cards must be burned"):
        do(house, "open_round")
    do(house, "burn", 1, card("9s"), by="dana")
    do(house, "burn", 1, None, by="dana")
    assert (shoe_of(house).dealt, shoe_of(house).left) == (2, 310)
    begin(house)
    assert house.table().in_play.out == {card("9s"): 1}
    same_after_restart(house)


def test_card_10_after_the_cut_card_the_round_in_play_is_the_last_of_the_shoe() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    begin(house)
    deal(house, "9s Ts")
    do(house, "see_cut_card", 1, by="dana")
    shown = Window(house.table()).for_everybody(0).shoe
    assert shown is not None
    assert shown.cut_card == "out"
    deal(house, "9h")
    house.decide("ann", "stand")
    deal(house, "Td")
    do(house, "confirm")
    with pytest.raises(Refused, match="The cut card of shoe 1 is out"):
        do(house, "open_round")
    same_after_restart(house)
    load(house)
    do(house, "open_round")


def test_card_10_a_cut_card_that_was_said_by_mistake_is_taken_back() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    do(house, "open_round")
    do(house, "see_cut_card", 1, by="dana")
    do(house, "see_cut_card", 1, by="dana", out=False)
    assert not shoe_of(house).cut_card


def test_card_10_the_share_that_is_dealt_warns_by_itself() -> None:
    house = live(stadium(dealer="live", penetration=0.1))
    load(house)
    seen = {}
    for burned in range(33):
        shoe = Window(house.table()).for_everybody(0).shoe
        assert shoe is not None
        seen[burned] = shoe.cut_card
        do(house, "burn", 1, None, by="dana")
    assert [number for number, cut_card in seen.items() if cut_card == "due"] == [32]  # a tenth of 312 is 31.2


# --- the next shoe in mid-round -----------------------------------------------------------------------------------------


def test_card_10_a_shoe_that_runs_out_in_mid_round_is_followed_by_the_next_without_a_void() -> None:
    house = live(stadium(dealer="live", burn_cards=1))
    load(house)
    do(house, "burn", 1, None, by="dana")
    begin(house, 1_000)
    deal(house, "9s Ts")
    load(house, follows=True)
    shoe = house.table().shoe
    assert shoe is not None
    assert (shoe.number, shoe.dealt, shoe.rounds) == (2, 1, (1, 1))  # its own burn card
    deal(house, "9s")
    house.decide("ann", "stand")
    deal(house, "9d")
    do(house, "confirm")
    assert credit(house.house, "ann") == 100_000 - 1_000  # 18 against 19
    assert house.table().phase() == "result"
    assert (shoe.dealt, sorted(str(each) for each in shoe.out)) == (3, ["9d", "9s"])
    again = same_after_restart(house)
    assert credit(again, "ann") == credit(house.house, "ann")
    [miscounted] = _significant(house, "shoe-miscounted")
    assert (miscounted.before, miscounted.after) == ("309 left", "0 left")


def test_card_1_each_card_of_a_round_counts_against_its_own_shoe() -> None:
    played = Round(game("stadium-three-card-poker"))
    played.bet(1, ante=500)
    played.close_betting()
    played.deal("2s 3h 4d")
    played.apply(ShoeFollowed(2, 52))
    played.deal("2s 3h")  # from the next deck
    with pytest.raises(Refused, match="2s cannot come again"):
        played.deal("2s")
    with pytest.raises(Refused, match="3h cannot come again"):
        played.correct(1, "3h")  # card 1 came from the first deck, which has dealt its 3h
    played.correct(1, "9c")
    with pytest.raises(Refused, match="2s cannot come again"):
        played.correct(5, "2s")
    played.deal("9c")
    assert played.cards_of_shoe == ([card("2s"), card("3h"), card("9c")], 3)
    written = notation.write(played)
    assert "shoe 2 of 52 cards follows" in written
    assert notation.read(written).cards == played.cards


def test_card_1_a_hole_card_counts_against_the_shoe_that_it_came_from() -> None:
    played = Round(game("mega-blackjack", {"decks": 6}), {card("Kd"): 5})
    played.bet(1, blackjack=500)
    played.close_betting()
    played.deal("9s 9h 7s ?")
    played.decide(1, "hit")
    played.apply(ShoeFollowed(2, 312))
    played.deal("Kd")  # from the next shoe: the first still holds one
    played.turn_hole("Kd")


def test_card_10_the_next_shoe_is_not_loaded_while_no_card_is_awaited() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    do(house, "open_round")
    with pytest.raises(Refused, match="The next shoe cannot follow now"):
        load(house, follows=True)
    with pytest.raises(Refused, match="not changed while a round is in play"):
        load(house)


def test_card_3_the_next_shoe_is_not_loaded_while_a_card_is_corrected_and_no_count_is_noted() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    begin(house, 1_000)
    deal(house, "9s Ts")
    do(house, "open_correction", by="dana")
    noted = len(house.store())
    with pytest.raises(Refused, match="A card is being corrected"):
        load(house, follows=True)
    assert len(house.store()) == noted
    assert not _significant(house, "shoe-miscounted")


# --- counts and changes -------------------------------------------------------------------------------------------------


def _significant(house: TestHouse, kind: str) -> list:  # type: ignore[type-arg]
    found = SignificantEvents()
    for entry in house.store():
        if entry.stream == "table/t1":
            found.follow_table("t1", entry)
    return found.search(kind=kind)


def test_card_8_a_wrong_count_is_a_significant_event_and_no_round_begins_with_that_shoe() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    do(house, "count_shoe", 1, 0, 312, by="dana")
    do(house, "open_round")
    do(house, "see_cut_card", 1, by="dana", out=False)
    with pytest.raises(Refused, match="counted between rounds"):
        do(house, "count_shoe", 1, 0, None, by="dana")
    house.bet("ann", 500)
    do(house, "close_bets")
    deal(house, "9s Ts 9h")
    house.decide("ann", "stand")
    deal(house, "Td")
    do(house, "confirm")
    do(house, "count_shoe", 1, 5, None, by="dana")
    [found] = _significant(house, "shoe-miscounted")
    assert (found.who, found.reason, found.before, found.after) == ("dana", "shoe 1", "4 discards", "5 discards")
    with pytest.raises(Refused, match="The count of shoe 1 was wrong"):
        do(house, "open_round")
    same_after_restart(house)


def test_card_8_the_wrong_count_of_a_shoe_that_is_not_loaded_is_on_record() -> None:
    house = live(stadium(dealer="live"))
    do(house, "count_shoe", 0, None, 311, by="dana")
    [found] = _significant(house, "shoe-miscounted")
    assert (found.reason, found.before, found.after) == ("shoe 1", "312 left", "311 left")
    load(house)
    do(house, "open_round")


@pytest.mark.parametrize("shuffler", ["none", "every-round", "continuous"])
def test_card_10_the_floor_asks_for_another_shoe_which_comes_before_the_next_round(shuffler: str) -> None:
    house = live(stadium(dealer="live", shuffler=shuffler))
    load(house)
    begin(house)
    do(house, "ask_for_shoe", by="sue", reason="a marked card")
    deal(house, "9s Ts 9h")
    house.decide("ann", "stand")
    deal(house, "Td")
    do(house, "confirm")
    with pytest.raises(Refused, match="The floor asks for another shoe before the next round: a marked card"):
        do(house, "open_round")
    same_after_restart(house)
    load(house)
    do(house, "open_round")
    assert shoe_of(house).rounds == (2, 2)


def test_card_10_the_automated_dealer_shuffles_when_the_floor_asks() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 500)
    do(house, "ask_for_shoe", by="sue", reason="routine")
    house.run_until("result")
    house.run_until("betting")
    assert house.table().shoe_number == 2


def test_card_10_a_snapshot_has_the_whole_life_of_a_shoe() -> None:
    house = live(stadium(dealer="live", burn_cards=1, penetration=0.1), snapshots=1)
    load(house)
    do(house, "burn", 1, card("2c"), by="dana")
    begin(house)
    deal(house, "9s Ts")
    do(house, "see_cut_card", 1, by="dana")
    quick = Table("t1", house.shuffler)
    entries = house.streams()["table/t1"]
    start = max(at for at, entry in enumerate(entries) if entry.kind == "table-stood")
    for entry in entries[start:]:
        quick.apply(decode(entry.payload), entry.time)
    assert quick.shoe is not None
    assert quick.shoe.snapshot() == shoe_of(house).snapshot()
    assert quick.shoe.cut_card
    assert quick.shoe.burned == 1


def test_card_1_a_shoe_that_is_dealt_to_its_last_card_begins_no_other_round() -> None:
    house = live(stadium(dealer="live", burn_cards=0))
    load(house)
    for code in DECK:
        for _ in range(6):
            do(house, "burn", 1, code, by="dana")
    with pytest.raises(Refused, match="Shoe 1 has no card left"):
        do(house, "open_round")
    with pytest.raises(Refused, match="no card left"):
        do(house, "burn", 1, None, by="dana")
