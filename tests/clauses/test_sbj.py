"""Stadium Blackjack, clause by clause. Cards are dealt P1 D1 P2 and then the community stream."""

import pytest

from podium.rules.games import game
from tests.table import Table, refused, stadium_blackjack

# --- intro, 1, 2: the shoe and the wagers -----------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [6, 8])
def test_sbj_intro_the_shoe_holds_each_card_once_per_deck(decks: int) -> None:
    full = Table("stadium-blackjack", {"decks": decks}, out="As " * (decks - 1)).bets(p1=10_00).dealt("As 6d")
    with refused("SBJ intro", f"{decks} decks"):
        full.dealt("As")
    assert full.awaits == "card for player 2"


def test_sbj_intro_another_number_of_decks_is_refused() -> None:
    with refused("SBJ intro", "Allowed values: 6, 8"):
        stadium_blackjack(decks=7)


def test_sbj_1_players_wager_until_the_betting_is_closed() -> None:
    table = stadium_blackjack().bets(p1=10_00)
    assert table.awaits == "wagers"
    assert table.dealt().awaits == "card for player 1"
    with refused("SBJ 2", "betting is closed"):
        table.bets(p2=10_00)


def test_sbj_1_wagers_can_be_changed_until_the_betting_is_closed() -> None:
    table = stadium_blackjack().bets(p1=10_00).bets(p1=25_00)
    assert table.credit("p1") == 1_000_00 - 25_00


def test_sbj_1_who_deals_is_no_rule_of_the_game() -> None:
    with refused("dealer is an option of the table"):
        stadium_blackjack(dealer="live")


@pytest.mark.parametrize("side_bet", ["bet-the-set-21", "royal-match-21", "trilux"])
def test_sbj_2_side_bets_need_a_blackjack_wager(side_bet: str) -> None:
    with refused("SBJ 2", "needs a wager on Blackjack"):
        stadium_blackjack().bets(p1={side_bet: 5_00})


def test_sbj_2_only_the_side_bets_that_are_switched_on_are_taken() -> None:
    table = stadium_blackjack(side_bets={"trilux": "TRI-02"})
    with refused("SBJ 2", "it takes blackjack, trilux"):
        table.bets(p1={"blackjack": 10_00, "royal-match-21": 5_00})
    assert table.bets(p1={"blackjack": 10_00, "trilux": 5_00}).credit("p1") == 985_00


def test_sbj_2_all_four_side_bets_are_offered_by_default() -> None:
    names = ["blackjack", "bet-the-set-21", "royal-match-21", "trilux", "super-3"]
    assert list(stadium_blackjack().round.game.offers) == names


@pytest.mark.parametrize(("pays", "returned"), [("3:2", 25_00), ("6:5", 22_00)])
def test_sbj_2_a_a_blackjack_is_paid_as_configured(pays: str, returned: int) -> None:
    table = stadium_blackjack(blackjack_pays=pays).bets(p1=10_00).dealt("As 6d Kh")
    assert table.returned("p1") == returned
    assert table.hands("p1")[0].result == "blackjack"


def test_sbj_2_a_a_better_hand_is_paid_even_money() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Td 3c")
    assert (table.returned("p1"), table.why("p1")) == (20_00, "Your 20 beats dealer 19.")


def test_sbj_2_a_a_worse_hand_loses() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 9d 8h").decides(p1="stand").dealt("Td")
    assert (table.returned("p1"), table.why("p1")) == (0, "Dealer 19 beats your 18.")


def test_sbj_2_a_a_tie_is_a_push() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 9d 9h").decides(p1="stand").dealt("Td")
    assert (table.returned("p1"), table.hands("p1")[0].result) == (10_00, "push")


def test_sbj_2_a_a_total_above_21_is_a_bust() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="hit").dealt("Td")
    assert (table.returned("p1"), table.hands("p1")[0].result) == (0, "bust")


def test_sbj_2_a_a_dealer_bust_pays_every_hand_that_stands() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d 2h").decides(p1="stand").dealt("Td Kc")
    assert (table.returned("p1"), table.dealer("p1").bust) == (20_00, True)


def test_sbj_2_a_even_money_refused_against_a_dealer_blackjack_is_a_push() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Ad Kh").decides(p1="decline").dealt("Tc")
    assert (table.returned("p1"), table.why("p1")) == (10_00, "Your blackjack ties the dealer's: pushed.")


def test_sbj_2_a_a_blackjack_beats_a_dealer_21_of_more_cards() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Td Kh").dealt("5c")
    assert table.awaits == "confirmation"
    assert table.returned("p1") == 25_00


@pytest.mark.parametrize(
    ("cards", "returned"),
    [("8s 6d 8s", 80_00), ("8s 6d 8h", 55_00), ("Ks 6d Th", 0), ("8s 6d 9s", 0), ("8s 8d 9h", 0)],
    ids=["suited pair", "pair", "king and ten", "no pair", "pair with the dealer's card"],
)
def test_sbj_2_b_bet_the_set_21_pays_pairs_of_the_same_rank(cards: str, returned: int) -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "bet-the-set-21": 5_00}).dealt(cards)
    assert table.returned("p1", "bet-the-set-21") == returned


def test_sbj_bet_the_set_21_paytable_a() -> None:
    table = game("stadium-blackjack").offers["bet-the-set-21"].paytable
    assert {line: str(odds) for line, odds in table.items()} == {"suited pair": "15 to 1", "pair": "10 to 1"}


@pytest.mark.parametrize(
    ("cards", "returned"),
    [("Ks 6d Qs", 130_00), ("Qs 6d Ks", 130_00), ("Ks 6d Js", 17_50), ("8s 6d 8s", 17_50), ("Ks 6s Qh", 0)],
    ids=["royal match", "royal match, queen first", "suited", "suited pair", "not suited"],
)
def test_sbj_2_c_royal_match_21_pays_two_cards_of_one_suit(cards: str, returned: int) -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "royal-match-21": 5_00}).dealt(cards)
    assert table.returned("p1", "royal-match-21") == returned


def test_sbj_2_c_royal_match_21_at_5_to_2_is_rounded_down_and_shows_the_breakage() -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "royal-match-21": 5}).dealt("Ks 6d Js")
    wager = table.wager("p1", "royal-match-21")
    assert (wager.returned, wager.breakage) == (5 + 12, "1/2")


def test_sbj_royal_match_21_paytable_a() -> None:
    table = game("stadium-blackjack").offers["royal-match-21"].paytable
    assert {line: str(odds) for line, odds in table.items()} == {"royal match": "25 to 1", "two suited cards": "5 to 2"}


TRILUX_HANDS = {
    "mini royal": "As Qs Ks",
    "straight flush": "2s As 3s",
    "three of a kind": "7s 7d 7h",
    "suited three of a kind": "7s 7s 7s",
    "straight": "Qs Ad Kh",
    "lowest straight": "As 2d 3h",
    "flush": "2s 9s Ks",
    "flush with a pair": "2s 9s 9s",
    "pair": "7s 7d 2h",
    "not a straight": "Ks Ad 2h",
}


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("mini royal", 100),
        ("straight flush", 35),
        ("three of a kind", 33),
        ("suited three of a kind", 33),
        ("straight", 10),
        ("lowest straight", 10),
        ("flush", 5),
        ("flush with a pair", 5),
        ("pair", -1),
        ("not a straight", -1),
    ],
)
def test_sbj_2_d_trilux_pays_the_highest_line_of_the_first_three_cards(hand: str, pays: int) -> None:
    table = stadium_blackjack(side_bets={"trilux": "TRI-02"})
    table.bets(p1={"blackjack": 10_00, "trilux": 5_00}).dealt(TRILUX_HANDS[hand])
    assert table.returned("p1", "trilux") == 5_00 + pays * 5_00


@pytest.mark.parametrize(
    ("paytable", "pays"),
    [("TRI-01", (9, 9, 9, 9, 9)), ("TRI-02", (100, 35, 33, 10, 5)), ("TRI-03", (30, 30, 20, 10, 5))],
)
def test_sbj_trilux_blackjack_paytables_pay_as_printed(paytable: str, pays: tuple[int, ...]) -> None:
    for hand, odds in zip(("mini royal", "straight flush", "three of a kind", "straight", "flush"), pays, strict=True):
        table = stadium_blackjack(side_bets={"trilux": paytable})
        table.bets(p1={"blackjack": 10_00, "trilux": 1_00}).dealt(TRILUX_HANDS[hand])
        assert table.returned("p1", "trilux") == 1_00 + odds * 1_00, hand


def test_sbj_2_d_trilux_is_paid_by_tri_01_unless_another_paytable_is_chosen() -> None:
    assert game("stadium-blackjack").offers["trilux"].paytable_name == "TRI-01"


def test_sbj_2_e_super_3_needs_the_players_own_trilux() -> None:
    with refused("SBJ 2.e", "Super 3 needs a wager on TriLux"):
        stadium_blackjack().bets(p1={"blackjack": 10_00, "super-3": 1_00})


def test_sbj_2_e_the_dealers_trilux_is_not_enough_for_the_players_super_3() -> None:
    with refused("SBJ 2.e", "Super 3 needs a wager on TriLux"):
        stadium_blackjack().bet("p1", {"blackjack": 10_00, "super-3": 1_00}, dealer={"trilux": 1_00})


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("suited three of a kind", 270),
        ("straight flush", 180),
        ("mini royal", 180),
        ("three of a kind", 90),
        ("straight", -1),
        ("flush", -1),
    ],
)
def test_sbj_2_e_super_3_pays_three_of_a_kind_or_better(hand: str, pays: int) -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "trilux": 1_00, "super-3": 1_00})
    assert table.dealt(TRILUX_HANDS[hand]).returned("p1", "super-3") == 1_00 + pays * 1_00


def test_sbj_trilux_super_3_paytable_1() -> None:
    table = game("stadium-blackjack").offers["super-3"].paytable
    printed = {"suited three of a kind": "270 to 1", "straight flush": "180 to 1", "three of a kind": "90 to 1"}
    assert {line: str(odds) for line, odds in table.items()} == printed


# --- 3: wagers for the dealer -----------------------------------------------------------------------------------------


def test_sbj_3_a_blackjack_wager_for_the_dealer_needs_the_players_own() -> None:
    with refused("SBJ 3", "Blackjack for the dealer needs the player's own wager"):
        stadium_blackjack().bet("p1", dealer={"blackjack": 1_00})


def test_sbj_3_a_side_bet_for_the_dealer_needs_nothing_of_the_players() -> None:
    table = stadium_blackjack().bet("p1", dealer={"royal-match-21": 1_00}).dealt("Ks 6d Qs")
    assert (table.awaits, table.hands("p1"), table.result("p1").dealer) == ("confirmation", (), None)
    assert (table.result("p1").tips, table.net("p1")) == (26_00, -1_00)


@pytest.mark.parametrize("trilux", ["player", "dealer"])
def test_sbj_3_super_3_for_the_dealer_needs_either_ones_trilux(trilux: str) -> None:
    own = {"blackjack": 10_00} | ({"trilux": 1_00} if trilux == "player" else {})
    tokes = {"super-3": 1_00} | ({"trilux": 1_00} if trilux == "dealer" else {})
    table = stadium_blackjack().bet("p1", own, dealer=tokes).dealt("7s 7d 7h")
    assert table.wager("p1", "super-3", "dealer").tips == 91_00
    with refused("SBJ 2.e", "the player's or the dealer's"):
        stadium_blackjack().bet("p1", 10_00, dealer={"super-3": 1_00})


def test_sbj_3_what_a_wager_for_the_dealer_wins_goes_to_the_tips() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Td 3c")
    assert (table.result("p1").tips, table.net("p1")) == (2_00, 10_00 - 1_00)
    assert table.confirmed().credit("p1") == 1_000_00 + 9_00


def test_sbj_3_a_wager_for_the_dealer_that_pushes_goes_back_to_the_player() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("Ts 9d 9h").decides(p1="stand").dealt("Td")
    assert (table.result("p1").tips, table.net("p1")) == (0, 0)


def test_sbj_3_wagers_for_the_dealer_leave_the_players_credit() -> None:
    assert stadium_blackjack().bet("p1", 10_00, dealer=1_00, credit=50_00).credit("p1") == 39_00


def test_sbj_3_wagers_for_the_dealer_can_be_switched_off() -> None:
    with refused("SBJ 3", "wagers for the dealer are not taken"):
        stadium_blackjack(dealer_wagers=False).bet("p1", 10_00, dealer=1_00)


def test_sbj_3_even_money_and_surrender_treat_the_dealers_wager_as_the_players() -> None:
    even = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("As Ad Kh").decides(p1="even-money")
    assert (even.result("p1").tips, even.returned("p1")) == (2_00, 20_00)
    gave_up = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("Ts 9d 6h").decides(p1="surrender")
    assert (gave_up.result("p1").tips, gave_up.net("p1")) == (0, -5_50)


# --- 6: time-outs -----------------------------------------------------------------------------------------------------

SOFT_17, HARD_12, HARD_16 = "As 9d 6h", "Ts 9d 2h", "Ts 9d 6h"


@pytest.mark.parametrize("mode", ["S17/H12", "S17/H17", "S18/H17", "S18/H12"])
@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [(SOFT_17, 17, True), ("As 9d 7h", 18, True), (HARD_12, 12, False), (HARD_16, 16, False), ("Ts 9d 7h", 17, False)],
)
def test_sbj_6_a_the_hand_stands_on_the_configured_totals(mode: str, cards: str, total: int, soft: bool) -> None:
    table = stadium_blackjack(auto_stand=mode).bets(p1=10_00).dealt(cards)
    least = int(mode[1:3]) if soft else int(mode[5:7])
    assert table.times_out().round.decisions_of(1) == [("stand" if total >= least else "hit", True)]


@pytest.mark.parametrize(("cards", "decision"), [(SOFT_17, "stand"), (HARD_12, "stand"), ("As 9d 5h", "hit")])
def test_sbj_6_a_i_soft_17_or_hard_12(cards: str, decision: str) -> None:
    table = stadium_blackjack(auto_stand="S17/H12").bets(p1=10_00).dealt(cards).times_out()
    assert table.round.decisions_of(1) == [(decision, True)]


@pytest.mark.parametrize(("cards", "decision"), [(SOFT_17, "stand"), (HARD_12, "hit"), (HARD_16, "hit")])
def test_sbj_6_a_ii_soft_17_or_hard_17(cards: str, decision: str) -> None:
    table = stadium_blackjack(auto_stand="S17/H17").bets(p1=10_00).dealt(cards).times_out()
    assert table.round.decisions_of(1) == [(decision, True)]


@pytest.mark.parametrize(("cards", "decision"), [(SOFT_17, "hit"), (HARD_16, "hit"), ("Ts 9d 7h", "stand")])
def test_sbj_6_a_iii_soft_18_or_hard_17(cards: str, decision: str) -> None:
    table = stadium_blackjack(auto_stand="S18/H17").bets(p1=10_00).dealt(cards).times_out()
    assert table.round.decisions_of(1) == [(decision, True)]


@pytest.mark.parametrize(("cards", "decision"), [(SOFT_17, "hit"), (HARD_12, "stand"), ("As 9d 7h", "stand")])
def test_sbj_6_a_iv_soft_18_or_hard_12(cards: str, decision: str) -> None:
    table = stadium_blackjack(auto_stand="S18/H12").bets(p1=10_00).dealt(cards).times_out()
    assert table.round.decisions_of(1) == [(decision, True)]


def test_sbj_6_b_otherwise_the_hand_hits() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 9d 6h").times_out()
    assert (table.awaits, table.round.decisions_of(1)) == ("card for community 1", [("hit", True)])


def test_sbj_6_the_house_decides_for_those_alone_who_have_not() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("5s 9d 6h").decides(p1="double").times_out()
    assert (table.round.decisions_of(1), table.round.decisions_of(2)) == ([("double", False)], [("hit", True)])


# --- 7, 8, 9: the community stream ------------------------------------------------------------------------------------


def test_sbj_7_one_card_is_drawn_for_the_whole_table() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("5s 6d 5h").decides(p1="hit", p2="hit").dealt("2c")
    assert (table.round.cards_dealt, set(table.asked)) == (4, {"p1", "p2"})


def test_sbj_7_a_for_who_hit_it_is_the_hit_card() -> None:
    table = (
        stadium_blackjack()
        .bets(p1=10_00)
        .dealt("5s 6d 5h")
        .decides(p1="hit")
        .dealt("8c")
        .decides(p1="stand")
        .dealt("Kd 4c")
    )
    assert (table.hands("p1")[0].cards, table.dealer("p1").cards) == ("5s 5h 8c", "6d Kd 4c")


def test_sbj_7_b_for_who_split_it_is_the_next_card_of_the_first_hand() -> None:
    table = (
        stadium_blackjack()
        .bets(p1=10_00)
        .dealt("8s 6d 8h")
        .decides(p1="split")
        .dealt("Tc")
        .decides(p1="stand")
        .dealt("9c")
    )
    table.decides(p1="stand").dealt("Kd Kc")
    assert table.hands("p1")[0].cards == "8s Tc"


def test_sbj_7_c_for_who_doubled_it_is_the_double_down_card() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 5h").decides(p1="double").dealt("8c Kd 4c")
    assert table.hands("p1")[0].cards == "5s 5h 8c"


def test_sbj_7_d_for_who_stood_it_is_the_dealers_second_card() -> None:
    """Two players at one table meet different dealers."""
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("9s 6d 5h").decides(p1="hit", p2="stand").dealt("5c")
    table.decides(p1="stand").dealt("Td Kc")
    assert (table.dealer("p1").cards, table.dealer("p1").total) == ("6d Td Kc", 26)
    assert (table.dealer("p2").cards, table.dealer("p2").total) == ("6d 5c Td", 21)
    assert (table.net("p1"), table.net("p2")) == (10_00, -10_00)


def test_sbj_8_cards_are_drawn_until_all_hands_stand_or_bust() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("2s 6d 3h").decides(p1="hit", p2="stand").dealt("2c")
    assert set(table.asked) == {"p1"}
    table.decides(p1="hit").dealt("3c").decides(p1="hit").dealt("Td").decides(p1="stand")
    assert table.awaits == "card for community 4"  # p1's dealer has 6, p2's has 6 2 3 T


def test_sbj_8_a_player_who_split_is_owed_cards_with_nothing_to_decide_between() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("As 6d Ah").decides(p1="split", p2="hit").dealt("2c")
    assert set(table.asked) == {"p2"}
    with refused("cannot be dealt now: the round awaits"):
        table.dealt("3c")


def test_sbj_9_the_dealer_plays_when_nobody_needs_a_card() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("2c 3c")
    assert table.awaits == "card for community 3"
    assert table.dealt("6c").awaits == "confirmation"


def test_sbj_9_a_the_dealer_uses_the_community_cards_that_the_player_did_not() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("2s 6d 3h").decides(p1="hit", p2="stand").dealt("5c")
    table.decides(p1="hit").dealt("7c")
    assert table.decides(p1="stand").awaits == "card for community 3"
    table.dealt("Td 5d")
    assert (table.dealer("p1").cards, table.dealer("p2").cards) == ("6d Td 5d", "6d 5c 7c")


@pytest.mark.parametrize(("hits", "dealers"), [(True, "6d Ac 4c"), (False, "6d Ac")])
def test_sbj_9_b_soft_17_is_hit_or_stood_on_as_configured(hits: bool, dealers: str) -> None:
    table = stadium_blackjack(dealer_hits_soft_17=hits).bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Ac")
    if hits:
        table.dealt("4c")
    assert (table.awaits, table.dealer("p1").cards) == ("confirmation", dealers)


def test_sbj_9_b_the_dealer_hits_16_and_stands_on_hard_17() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Tc")
    assert table.awaits == "card for community 2"
    assert table.dealt("Ac").awaits == "confirmation"


def test_sbj_9_c_no_card_is_drawn_when_every_hand_has_busted() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("Ts 6d 6h").decides(p1="hit", p2="double").dealt("Kc")
    assert (table.awaits, table.round.cards_dealt) == ("confirmation", 4)


def test_sbj_9_c_a_busted_player_who_is_insured_still_sees_the_second_card() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 6h").decides(p1="insure").decides(p1="hit").dealt("Kc")
    assert table.awaits == "card for community 2"
    assert table.dealt("2c").awaits == "confirmation"


@pytest.mark.parametrize("up_card", ["Td", "Kd"])
def test_sbj_9_d_one_card_more_completes_the_dealers_hand_against_blackjacks(up_card: str) -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt(f"As {up_card} Kh")
    assert table.awaits == "card for community 1"
    table.dealt("5c")
    assert (table.awaits, table.returned("p1"), table.dealer("p1").cards) == ("confirmation", 25_00, f"{up_card} 5c")


def test_sbj_9_d_the_one_card_can_make_a_blackjack() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Td Kh Ac")
    assert (table.returned("p1"), table.dealer("p1").blackjack) == (10_00, True)


def test_sbj_9_d_no_card_is_drawn_against_another_first_card() -> None:
    assert stadium_blackjack().bets(p1=10_00).dealt("As 9d Kh").awaits == "confirmation"


def test_sbj_9_d_even_money_for_everybody_completes_the_hands_without_a_card() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("As Ad Kh").decides(p1="even-money", p2="even-money")
    assert table.awaits == "confirmation"
    other = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("As Ad Kh").decides(p1="even-money", p2="decline")
    assert other.awaits == "card for community 1"


# --- 10, 11: reconciliation -------------------------------------------------------------------------------------------


def test_sbj_10_wagers_are_reconciled_when_the_result_is_confirmed() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Td 3c")
    assert table.credit("p1") == 990_00
    assert table.confirmed().credit("p1") == 1_010_00
    assert table.awaits == "nothing"


def test_sbj_11_side_bets_are_credited_with_the_third_card() -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "royal-match-21": 10_00}).dealt("Ks 6d")
    assert table.credit("p1") == 980_00
    assert table.dealt("Qs").credit("p1") == 980_00 + 260_00


def test_sbj_11_side_bet_winnings_may_be_staked_in_the_same_round() -> None:
    table = stadium_blackjack().bet("p1", {"blackjack": 10_00, "royal-match-21": 1_00}, credit=11_00).dealt("6s 6d 5s")
    with refused("it costs 10.00, and the credit is 3.50"):
        table.decides(p1="double")
    rich = stadium_blackjack().bet("p1", {"blackjack": 10_00, "royal-match-21": 4_00}, credit=14_00).dealt("6s 6d 5s")
    assert rich.decides(p1="double").credit("p1") == 4_00


def test_sbj_11_side_bets_do_not_depend_on_the_hand_that_follows() -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 10_00, "royal-match-21": 10_00}).dealt("Ts 6d 6s")
    table.decides(p1="hit").dealt("Kc")
    assert (table.hands("p1")[0].result, table.returned("p1", "royal-match-21")) == ("bust", 35_00)
