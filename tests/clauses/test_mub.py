"""Blackjack with Match Up and 3 Card Bonuses, clause by clause.

Cards are dealt to every seat, the up card, every seat again, the hole card, then draws in turn, then the dealer's.
"""

from collections.abc import Collection

import pytest

from podium.house.table import TableConfig
from podium.rules.dealing import OwnHands
from podium.rules.games import game
from podium.rules.rulebook import rulebook
from podium.rules.seat import Seat
from podium.server.show import rules_in_force
from tests.floor import TestHouse
from tests.table import Table, match_up_blackjack, refused


def test_mub_object_of_the_game_a_higher_score_than_the_dealer_without_going_over_21() -> None:
    table = (
        match_up_blackjack().bets(p1=2_00, p2=2_00).dealt("Ts 9h 8d Kh 8c Tc").decides(p1="stand", p2="hit").dealt("Ks")
    )
    assert (table.hands("p1")[0].result, table.hands("p2")[0].result) == ("win", "bust")


@pytest.mark.parametrize(
    ("first", "second", "pays"),
    [
        ("8d", "8d", 20),
        ("8d", "8h", 15),
        ("8h", "8d", 15),
        ("8d", "9h", 10),
        ("9d", "8d", 10),
        ("8h", "8s", 5),
        ("8h", "9d", 3),
        ("2c", "8s", 3),
        ("9d", "7d", -1),
    ],
)
def test_mub_match_up_bonus_compares_each_card_with_the_up_card(first: str, second: str, pays: int) -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 2_00, "match-up": 1_00}).dealt(f"{first} 8d {second} Tc")
    assert table.returned("p1", "match-up") == 1_00 + pays * 1_00


def test_mub_match_up_bonus_compares_ranks_not_values() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 2_00, "match-up": 1_00}).dealt("Ts Kd Jh 5c")
    assert table.returned("p1", "match-up") == 0


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("6d 8d 7d", 30),
        ("8s 8d 8h", 20),
        ("8d 8d 8d", 20),
        ("6d 8d 7h", 6),
        ("As 2d 3h", 6),
        ("Qs Kd Ah", 6),
        ("2d 8d Kd", 3),
        ("8s 8d 7h", -1),
    ],
)
def test_mub_3_card_bonus_is_a_poker_hand_of_three_cards(cards: str, pays: int) -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 2_00, "three-card-bonus": 1_00}).dealt(f"{cards} 5c")
    assert table.returned("p1", "three-card-bonus") == 1_00 + pays * 1_00


def test_mub_3_card_poker_bonus_as_printed() -> None:
    table = game("match-up-blackjack").offers["three-card-bonus"].paytable
    assert [str(odds) for odds in table.values()] == ["30 to 1", "20 to 1", "6 to 1", "3 to 1"]


def test_mub_match_up_bonus_paytable_as_printed() -> None:
    table = game("match-up-blackjack").offers["match-up"].paytable
    assert [str(odds) for odds in table.values()] == ["20 to 1", "15 to 1", "10 to 1", "5 to 1", "3 to 1"]


def test_mub_no_bearing_a_lost_hand_leaves_the_bonuses() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 2_00, "match-up": 1_00}).dealt("8d 8d 7h Tc")
    table.decides(p1="hit").dealt("Ks")
    assert (table.hands("p1")[0].result, table.returned("p1", "match-up")) == ("bust", 11_00)


@pytest.mark.parametrize("amount", [200, 400, 600, 800, 1000])
def test_mub_blackjack_wagers_are_2_4_6_8_or_10(amount: int) -> None:
    assert match_up_blackjack().bets(p1=amount).credit("p1") == 1_000_00 - amount


@pytest.mark.parametrize("amount", [100, 300, 500, 1200, 201])
def test_mub_2_no_other_amount_is_taken(amount: int) -> None:
    with refused("MUB 2", "they are 2.00, 4.00, 6.00, 8.00, 10.00"):
        match_up_blackjack().bets(p1=amount)


def test_mub_2_the_rules_and_the_placard_name_the_amounts() -> None:
    book = rulebook(game("match-up-blackjack", {"wager_amounts": [400, 1000]}))
    assert "Your Blackjack wager is one of these amounts: 4.00, 10.00. [MUB 2]" in book.text()
    table = TestHouse(t1=TableConfig(game="match-up-blackjack", options={"wager_amounts": [400, 1000]})).table()
    [main] = [wager for wager in rules_in_force(table, book, {}).wagers if wager.main]
    assert list(main.amounts) == [400, 1000]


def test_mub_2_the_placard_may_allow_fewer_amounts() -> None:
    with refused("MUB 2", "they are 4.00, 10.00"):
        match_up_blackjack(wager_amounts=[1000, 400]).bets(p1=200)
    assert match_up_blackjack(wager_amounts=[1000, 400]).bets(p1=400).credit("p1") == 996_00
    with refused("MUB 2", "some of"):
        match_up_blackjack(wager_amounts=[500])


@pytest.mark.parametrize("bonus", ["match-up", "three-card-bonus"])
def test_mub_bonus_wagers_are_1_to_10_in_whole_dollars(bonus: str) -> None:
    for amount in (100, 700, 1000):
        assert match_up_blackjack().bets(p1={"blackjack": 200, bonus: amount}).credit("p1") == 1_000_00 - 200 - amount
    for amount in (1, 99, 150, 1001, 1100):
        with refused("MUB Bonus wagers"):
            match_up_blackjack().bets(p1={"blackjack": 200, bonus: amount})


def test_mub_equipment_is_six_decks_and_a_table_of_seven_seats() -> None:
    table = match_up_blackjack().bets(**{f"p{number}": 200 for number in range(1, 8)})
    with refused("MUB 5", "7 seats"):
        table.bets(p8=200)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
def test_mub_equipment_may_be_a_table_with_fewer_seats(seats: int) -> None:
    table = match_up_blackjack(seats=seats).bets(**{f"p{number}": 200 for number in range(1, seats + 1)})
    with refused("MUB 5", "one seat" if seats == 1 else f"{seats} seats"):
        table.bets(another=200)


def test_mub_1_six_decks_of_52_cards() -> None:
    table = Table("match-up-blackjack", out="As " * 5).bets(p1=200).dealt("As")
    with refused("MUB 1", "6 decks"):
        table.dealt("As")
    with refused("MUB 1", "always 6"):
        match_up_blackjack(decks=8)


def test_mub_3_bonus_wagers_need_the_primary_wager() -> None:
    with refused("MUB 3", "Match Up needs a wager on Blackjack"):
        match_up_blackjack().bets(p1={"match-up": 100})


def test_mub_3_wagers_come_before_any_card() -> None:
    with refused("MUB 3", "betting is closed"):
        match_up_blackjack().bets(p1=200).dealt("8d").bets(p2=200)


@pytest.mark.parametrize(
    "bonuses", [{}, {"match-up": 100}, {"three-card-bonus": 100}, {"match-up": 100, "three-card-bonus": 100}]
)
def test_mub_3_one_both_or_none_of_the_bonuses_go_with_the_primary_wager(bonuses: dict[str, int]) -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 200, **bonuses}).dealt("8d 8h 2c Tc").decides(p1="stand")
    assert {line.wager for line in table.result("p1").wagers} == {"blackjack", *bonuses}
    assert table.net("p1") == -2_00 + sum({"match-up": 300, "three-card-bonus": -100}[bonus] for bonus in bonuses)


def test_mub_3_there_are_no_wagers_for_the_dealer() -> None:
    with refused("MUB 3", "wagers for the dealer are not taken"):
        match_up_blackjack().bet("p1", 200, dealer={"match-up": 100})


def test_mub_3_the_bonuses_can_be_taken_off_the_table() -> None:
    with refused("MUB 3", "it takes blackjack, match-up"):
        match_up_blackjack(side_bets={"match-up": "A"}).bets(p1={"blackjack": 200, "three-card-bonus": 100})


@pytest.mark.parametrize(
    ("cards", "total", "soft"), [("As 6h", 17, True), ("As Ah", 12, True), ("Ks 9h", 19, False), ("2s Jh", 12, False)]
)
def test_mub_4_values_of_the_cards(cards: str, total: int, soft: bool) -> None:
    first, second = cards.split()
    table = match_up_blackjack().bets(p1=200).dealt(f"{first} 8d {second} Tc").decides(p1="stand")
    assert (table.hands("p1")[0].total, table.hands("p1")[0].soft) == (total, soft)


def test_mub_5_one_card_at_a_time_to_each_player_and_the_dealer() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200).dealt()
    places = []
    for code in ("Ts", "9h", "8d", "Kh", "8c", "Tc"):
        places.append(table.awaits.removeprefix("card for "))
        table.dealt(code)
    assert places == ["seat 1", "seat 2", "up card", "seat 1", "seat 2", "hole card"]


def test_mub_5_seats_are_dealt_in_order_whoever_bet_first() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200)
    table.bet("p1")  # takes the wagers back, and comes again
    assert table.bets(p1=200).dealt().awaits == "card for seat 1"


def test_mub_6_bonus_wagers_are_settled_when_two_cards_each_are_out() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 200, "match-up": 100}).dealt("8d 8d 9h")
    assert table.credit("p1") == 997_00
    assert table.dealt("Tc").credit("p1") == 997_00 + 11_00


def test_mub_7_from_the_dealers_right_to_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seats as they are settled; the settling itself is the real one."""
    settled: list[int] = []
    settle = OwnHands.settle_early

    def watched(self: OwnHands, seats: Collection[Seat]) -> None:
        settled.extend(seat.number for seat in seats)
        settle(self, seats)

    monkeypatch.setattr(OwnHands, "settle_early", watched)
    bonuses = {"blackjack": 200, "match-up": 100}
    match_up_blackjack().bets(p1=bonuses, p2=bonuses, p3=bonuses).dealt("8d 8h 8c 8s 2d 2h 2c Tc")
    assert list(dict.fromkeys(settled)) == [3, 2, 1]


def test_mub_7_bonuses_are_resolved_before_blackjack_is_played() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 200, "match-up": 100}).dealt("8d 8d 9h Tc")
    assert (table.awaits, table.credit("p1")) == ("decisions", 997_00 + 11_00)


def test_mub_8_bonuses_come_before_insurance_and_the_peek() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 200, "match-up": 100}).dealt("Ad Ad 9h Tc")
    assert (table.choices("p1"), table.credit("p1")) == ({"insure", "insure:AMOUNT", "decline"}, 997_00 + 11_00)


def test_mub_9_a_blackjack_outranks_every_other_21() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200).dealt("As 7h 6d Kh 7c Tc").decides(p2="hit").dealt("7s 5s")
    assert table.dealer("p1").total == 21
    assert (table.hands("p1")[0].result, table.hands("p2")[0].result) == ("blackjack", "push")


def test_mub_10_insurance_pays_2_to_1_if_the_hole_card_is_a_ten() -> None:
    table = match_up_blackjack().bets(p1=1000).dealt("9s Ad 9h Tc").decides(p1="insure")
    assert (table.returned("p1"), table.returned("p1", "insurance")) == (0, 15_00)


@pytest.mark.parametrize("up_card", ["Ad", "Kd", "Td", "9d"])
def test_mub_10_insurance_is_offered_with_an_ace_up_and_with_no_other_card(up_card: str) -> None:
    table = match_up_blackjack().bets(p1=1000).dealt(f"9s {up_card} 9h 8c")
    if up_card == "Ad":
        assert table.choices("p1") == {"insure", "insure:AMOUNT", "decline"}
    else:
        with refused("MUB 10", "not on offer now"):
            table.decides(p1="insure")


def test_mub_10_insurance_is_at_least_100_and_at_most_half_of_the_wager() -> None:
    table = match_up_blackjack().bets(p1=1000).dealt("9s Ad 9h 8c")
    for amount in (99, 501):
        with refused("MUB 10", "insurance is from 1.00 to 5.00"):
            table.decides(p1=f"insure:{amount}")
    assert table.decides(p1="insure:101").credit("p1") == 990_00 - 1_01


def test_mub_10_insurance_alone_is_half_of_the_wager() -> None:
    assert match_up_blackjack().bets(p1=1000).dealt("9s Ad 9h 8c").decides(p1="insure").credit("p1") == 985_00


def test_mub_10_insurance_is_lost_when_the_hole_card_is_no_ten() -> None:
    table = match_up_blackjack().bets(p1=1000).dealt("9s Ad 9h 8c").decides(p1="insure").decides(p1="stand")
    assert (table.dealer("p1").total, table.returned("p1", "insurance")) == (19, 0)


def test_mub_10_insurance_is_optional_and_declined_by_a_time_out() -> None:
    table = match_up_blackjack().bets(p1=1000, p2=1000).dealt("9s 9s Ad 9h 9h 8c").decides(p1="decline").times_out()
    assert (table.credit("p2"), table.round.decisions_of(2)) == (990_00, [("decline", True)])


def test_mub_10_there_is_no_even_money() -> None:
    table = match_up_blackjack().bets(p1=1000).dealt("As Ad Kh 8c")
    with refused("MUB 12", "even money is not offered"):
        table.decides(p1="even-money")


@pytest.mark.parametrize(("up_card", "hole_card"), [("Kd", "Ac"), ("Td", "Ac"), ("Ad", "Kc")])
def test_mub_11_a_dealer_blackjack_is_turned_over_immediately(up_card: str, hole_card: str) -> None:
    table = match_up_blackjack().bets(p1=200).dealt(f"9s {up_card} 9h {hole_card}")
    if up_card == "Ad":
        table.decides(p1="decline")
    assert (table.awaits, table.dealer("p1").blackjack) == ("confirmation", True)


def test_mub_11_without_a_blackjack_play_goes_on() -> None:
    assert match_up_blackjack().bets(p1=200).dealt("9s Kd 9h 9c").awaits == "decisions"


def test_mub_11_no_peek_with_another_card_up() -> None:
    assert match_up_blackjack().bets(p1=200).dealt("9s 9d 9h ??").awaits == "decisions"


@pytest.mark.parametrize("up_card", ["Kd", "Ad"])
def test_mub_11_the_dealer_answers_for_a_hole_card_that_the_system_does_not_know(up_card: str) -> None:
    table = match_up_blackjack().bets(p1=200).dealt(f"9s {up_card} 9h ??")
    if up_card == "Ad":
        table.decides(p1="decline")
    assert table.awaits == "peek"
    assert table.peeked(blackjack=False).awaits == "decisions"
    assert table.decides(p1="stand").awaits == "hole card"
    assert table.turned("7c").awaits == "confirmation"


def test_mub_11_a_peek_that_sees_a_blackjack_ends_the_round() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("9s Kd 9h ??").peeked(blackjack=True)
    assert table.awaits == "hole card"
    assert table.turned("Ac").awaits == "confirmation"
    assert table.net("p1") == -2_00


@pytest.mark.parametrize(("saw", "card", "right"), [(True, "9c", "Ac"), (False, "Ac", "9c")])
def test_mub_11_a_hole_card_that_contradicts_the_peek_is_refused(saw: bool, card: str, right: str) -> None:
    table = match_up_blackjack().bets(p1=200).dealt("9s Kd 9h ??").peeked(blackjack=saw)
    if not saw:
        table.decides(p1="stand")
    with refused("MUB 11", f"{card} contradicts the peek"):
        table.turned(card)
    assert table.awaits == "hole card"
    assert table.turned(right).awaits == "confirmation"


def test_mub_11_a_supervisor_can_correct_a_hole_card_that_contradicts_the_peek() -> None:
    """The dealer said no blackjack, but the card is an ace: the correction counts, and so does the blackjack."""
    table = match_up_blackjack().bets(p1=200).dealt("9s Kd 9h ??").peeked(blackjack=False).decides(p1="stand")
    table.corrected(4, "Ac")
    assert (table.awaits, table.dealer("p1").blackjack) == ("confirmation", True)


def test_mub_11_no_peek_is_taken_when_none_is_due() -> None:
    with refused("No peek is awaited"):
        match_up_blackjack().bets(p1=200).dealt("9s 9d 9h ??").peeked(blackjack=False)


def test_mub_12_a_dealer_blackjack_takes_all_but_insurance() -> None:
    table = match_up_blackjack().bets(p1=1000, p2=1000).dealt("9s 8s Ad 9h 8h Kc").decides(p1="insure", p2="decline")
    assert (table.net("p1"), table.net("p2")) == (0, -10_00)


def test_mub_12_two_blackjacks_push() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("As Kd Kh Ac")
    assert (table.returned("p1"), table.hands("p1")[0].result) == (2_00, "push")


def test_mub_13_play_begins_at_the_dealers_left_and_goes_on_in_turn() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200).dealt("9s 8s 7d 9h 8h Kc")
    assert set(table.asked) == {"p1"}
    with refused("nothing is asked of p2 now"):
        table.decides(p2="stand")
    assert set(table.decides(p1="stand").asked) == {"p2"}


def test_mub_13_the_choices_are_stand_hit_double_and_split() -> None:
    assert match_up_blackjack().bets(p1=200).dealt("9s 7d 9h Kc").choices("p1") == {"stand", "hit", "double", "split"}
    assert match_up_blackjack().bets(p1=200).dealt("9s 7d 8h Kc").choices("p1") == {"stand", "hit", "double"}


def test_mub_13_when_time_runs_out_the_hand_stands() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("2s 7d 3h Kc").times_out()
    assert table.round.decisions_of(1) == [("stand", True)]


def test_mub_13_a_stand_takes_no_card() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("9s 7d 9h Kc").decides(p1="stand")
    assert (table.hands("p1")[0].cards, table.net("p1")) == ("9s 9h", 2_00)


def test_mub_13_b_hit_takes_another_card_and_more_and_a_bust_loses() -> None:
    table = (
        match_up_blackjack()
        .bets(p1=200)
        .dealt("2s 7d 3h Kc")
        .decides(p1="hit")
        .dealt("4s")
        .decides(p1="hit")
        .dealt("6s")
    )
    table.decides(p1="hit").dealt("Ks")
    assert (table.hands("p1")[0].cards, table.hands("p1")[0].result) == ("2s 3h 4s 6s Ks", "bust")


@pytest.mark.parametrize("cards", ["As 7d 6h", "5s 7d 6h", "Ts 7d Kh", "2s 7d 2h"])
def test_mub_13_c_any_two_cards_double_for_one_card_only(cards: str) -> None:
    table = match_up_blackjack().bets(p1=200).dealt(f"{cards} Kc").decides(p1="double")
    assert table.credit("p1") == 996_00
    assert table.dealt("As").awaits == "confirmation"


def test_mub_13_c_a_third_card_cannot_double() -> None:
    with refused("MUB 13.c", "only the first two cards"):
        match_up_blackjack().bets(p1=200).dealt("2s 7d 3h Kc").decides(p1="hit").dealt("4s").decides(p1="double")


def test_mub_13_d_a_pair_or_two_ten_point_cards_can_be_split() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("Ks 7d Th Kc").decides(p1="split")
    assert (table.credit("p1"), table.awaits) == (996_00, "card for seat 1")
    with refused("MUB 13.d", "same value"):
        match_up_blackjack().bets(p1=200).dealt("Ks 7d 9h Kc").decides(p1="split")


def test_mub_13_d_separate_hands_are_played_out_one_at_a_time() -> None:
    table = (
        match_up_blackjack()
        .bets(p1=200)
        .dealt("8s 7d 8h Kc")
        .decides(p1="split")
        .dealt("2s")
        .decides(p1="hit")
        .dealt("9s")
    )
    table.decides(p1="stand")
    assert table.awaits == "card for seat 1, hand 2"
    table.dealt("3s").decides(p1="double").dealt("Td")
    assert [hand.cards for hand in table.hands("p1")] == ["8s 2s 9s", "8h 3s Td"]


@pytest.mark.parametrize("splits", [1, 2, 3, 4])
def test_mub_13_d_split_up_to_four_times(splits: int) -> None:
    options = {} if splits == 4 else {"max_splits": splits}
    table = match_up_blackjack(**options).bets(p1=200).dealt("8s 7d 8h Kc")
    for _ in range(splits):
        table.decides(p1="split").dealt("8c")
    with refused("MUB 13.d", "at most once" if splits == 1 else f"at most {splits} times"):
        table.decides(p1="split")


def test_mub_13_d_max_splits_0_allows_none() -> None:
    assert "split" not in match_up_blackjack(max_splits=0).bets(p1=200).dealt("8s 7d 8h Kc").choices("p1")


def test_mub_13_d_split_aces_get_one_card_each_and_are_split_once() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("As 7d Ah Kc").decides(p1="split").dealt("Ac 5s")
    assert table.awaits == "confirmation"
    assert [hand.cards for hand in table.hands("p1")] == ["As Ac", "Ah 5s"]


def test_mub_13_d_ten_and_ace_after_a_split_are_21_and_no_blackjack() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("As 7d Ah Kc").decides(p1="split").dealt("Kd Qd")
    assert ([hand.result for hand in table.hands("p1")], table.net("p1")) == (["win", "win"], 4_00)


def test_mub_13_e_surrender_is_not_allowed() -> None:
    with refused("MUB 13.e", "surrender is not offered"):
        match_up_blackjack().bets(p1=200).dealt("Ts 7d 6h Kc").decides(p1="surrender")


def test_mub_14_the_dealer_draws_to_16_and_hits_soft_17() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("Ts 6d Kh Ac").decides(p1="stand")
    assert table.awaits == "card for dealer"
    table.dealt("Ts")  # soft 17 and a ten: hard 17
    assert (table.awaits, table.dealer("p1").cards) == ("confirmation", "6d Ac Ts")


def test_mub_14_the_dealer_stands_on_a_soft_18() -> None:
    assert match_up_blackjack().bets(p1=200).dealt("Ts 7d Kh Ac").decides(p1="stand").awaits == "confirmation"


def test_mub_14_the_dealer_draws_only_while_a_hand_is_neither_busted_nor_paid() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200).dealt("As Ts 6d Kh 6h Kc").decides(p2="hit").dealt("Qs")
    assert (table.awaits, table.dealer("p1").cards) == ("confirmation", "6d Kc")


def test_mub_14_an_unknown_hole_card_is_turned_after_the_last_turn() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("Ts 6d Kh ??")
    with refused("No hole card can be turned now"):
        table.turned("Kc")
    assert table.decides(p1="stand").awaits == "hole card"
    assert table.turned("Kc").awaits == "card for dealer"


def test_mub_15_a_dealer_bust_pays_everybody_who_did_not_bust() -> None:
    table = (
        match_up_blackjack()
        .bets(p1=200, p2=200)
        .dealt("2s Ts 6d 2h 6h Kc")
        .decides(p1="stand", p2="hit")
        .dealt("Qs Ks")
    )
    assert (table.net("p1"), table.net("p2")) == (2_00, -2_00)


def test_mub_16_the_higher_total_wins_and_a_tie_pushes() -> None:
    table = match_up_blackjack().bets(p1=200, p2=200, p3=200).dealt("Ts Ts Ts 8d 7h 8h 9h Kc")
    table.decides(p1="stand").decides(p2="stand").decides(p3="stand")
    assert [table.net(player) for player in ("p1", "p2", "p3")] == [-2_00, 0, 2_00]


def test_mub_17_winners_are_paid_even_money_and_a_blackjack_3_to_2() -> None:
    table = match_up_blackjack().bets(p1=1000, p2=1000).dealt("As Ts 7d Kh 8h Kc").decides(p2="stand")
    assert (table.returned("p1"), table.returned("p2")) == (25_00, 20_00)


def test_mub_irregularities_the_floor_can_void_and_every_credit_is_as_it_was() -> None:
    table = match_up_blackjack().bets(p1={"blackjack": 1000, "match-up": 100}).dealt("8d 8d 9h Tc").decides(p1="double")
    table.voided("A card lay on the floor")
    assert (table.credit("p1"), table.awaits) == (1_000_00, "nothing")
    assert table.why("p1") == "The round was void: A card lay on the floor. Every stake came back."


def test_mub_irregularities_the_floor_can_correct_a_card_before_the_confirmation() -> None:
    table = match_up_blackjack().bets(p1=200).dealt("Ts 8d 9h Kc").decides(p1="stand").corrected(3, "7h")
    assert table.net("p1") == -2_00
    table.confirmed()
    with refused("The round is over"):
        table.corrected(3, "9h")
