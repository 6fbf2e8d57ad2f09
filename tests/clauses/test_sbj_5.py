"""Stadium Blackjack 4 and 5, clause by clause: dealing and decisions. Cards are dealt P1 D1 P2, then the community stream."""

import pytest

from tests.table import refused, stadium_blackjack

# --- 4, 5: dealing and decisions --------------------------------------------------------------------------------------


def test_sbj_4_player_dealer_player_and_then_the_community() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt()
    places = []
    for code in ("Ts", "6d", "5h"):
        places.append(table.awaits)
        table.dealt(code)
    assert places == ["card for player 1", "card for dealer 1", "card for player 2"]
    assert table.decides(p1="hit").awaits == "card for community 1"


def test_sbj_4_nothing_is_dealt_while_nobody_has_bet() -> None:
    with refused("Nobody has placed a wager"):
        stadium_blackjack().dealt()


def test_sbj_5_the_options_of_standard_blackjack_are_offered() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("8s 6d 8h")
    assert table.choices("p1") == {"hit", "stand", "double", "split", "surrender"}


def test_sbj_5_note_every_terminal_decides_independently() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00, p3=10_00).dealt("5s 6d 6h")
    table.decides(p3="double", p1="hit", p2="stand").dealt("9d")
    table.decides(p1="stand").dealt("Td Kc")
    assert [table.hands(player)[0].cards for player in ("p1", "p2", "p3")] == ["5s 6h 9d", "5s 6h", "5s 6h 9d"]


def test_sbj_5_note_no_card_comes_before_everybody_has_decided() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("5s 6d 6h").decides(p1="hit")
    with refused("cannot be dealt now: the round awaits"):
        table.dealt("9d")
    with refused("nothing is asked of p1 now"):
        table.decides(p1="hit")


def test_sbj_5_a_hit_adds_another_card() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 6h").decides(p1="hit").dealt("2d")
    assert table.choices("p1") == {"hit", "stand"}
    table.decides(p1="hit").dealt("8d")
    assert table.awaits == "card for community 3"  # 21 stands by itself


def test_sbj_5_b_stand_completes_the_hand() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 6h").decides(p1="stand").dealt("Kd 5c")
    assert (table.hands("p1")[0].cards, table.dealer("p1").cards) == ("5s 6h", "6d Kd 5c")


def test_sbj_5_c_double_down_doubles_the_wager_and_takes_one_card_only() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 6h").decides(p1="double")
    assert table.credit("p1") == 1_000_00 - 20_00
    table.dealt("2d Td Kc")
    assert (table.hands("p1")[0].cards, table.hands("p1")[0].staked, table.returned("p1")) == ("5s 6h 2d", 20_00, 40_00)


def test_sbj_5_c_i_only_the_first_two_cards_can_double() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("2s 6d 3h").decides(p1="hit").dealt("5d")
    with refused("SBJ 5.c", "only the first two cards of a hand can double"):
        table.decides(p1="double")


@pytest.mark.parametrize("paytable", [1, 2, 3, 4])
def test_sbj_5_c_ii_paytables_1_to_4_double_on_2_to_20(paytable: int) -> None:
    table = stadium_blackjack(paytable=paytable)
    assert "double" in table.bets(p1=10_00).dealt("Ts 6d Kh").choices("p1")
    assert "double" in stadium_blackjack(paytable=paytable).bets(p1=10_00).dealt("2s 6d 2h").choices("p1")


@pytest.mark.parametrize(
    ("cards", "allowed"), [("4s 6d 5h", False), ("4s 6d 6h", True), ("5s 6d 6h", True), ("6s 6d 6h", False)]
)
def test_sbj_5_c_ii_paytable_5_doubles_on_10_and_11_only(cards: str, allowed: bool) -> None:
    table = stadium_blackjack(paytable=5).bets(p1=10_00).dealt(cards)
    assert ("double" in table.choices("p1")) is allowed
    if not allowed:
        with refused("SBJ 5.c.ii", "only totals of 10 to 11 can double"):
            table.decides(p1="double")


def test_sbj_5_c_ii_the_totals_can_be_set_by_themselves_and_mean_the_best_total() -> None:
    options = {"double_totals": [9, 20], "double_with_ace": True}
    assert "double" in stadium_blackjack(**options).bets(p1=10_00).dealt("As 6d 9h").choices("p1")
    with refused("SBJ 5.c.ii", "only totals of 9 to 20"):
        stadium_blackjack(**options).bets(p1=10_00).dealt("3s 6d 5h").decides(p1="double")


def test_sbj_5_c_ii_a_total_set_by_itself_goes_before_the_paytable() -> None:
    table = stadium_blackjack(paytable=5, double_totals=[9, 9]).bets(p1=10_00).dealt("4s 6d 5h")
    assert "double" in table.choices("p1")


def test_sbj_5_c_iii_a_blackjack_cannot_double() -> None:
    table = stadium_blackjack(double_with_ace=True, double_totals=[2, 21]).bets(p1=10_00).dealt("As 6d Kh")
    with refused("nothing is asked of p1 now"):
        table.decides(p1="double")


def test_sbj_5_c_iv_double_after_a_split_is_allowed() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("3d")
    assert "double" in table.choices("p1")


@pytest.mark.parametrize("options", [{"paytable": 5}, {"double_after_split": False}])
def test_sbj_5_c_iv_double_after_a_split_can_be_forbidden(options: dict[str, object]) -> None:
    table = stadium_blackjack(**options).bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("3d")
    with refused("SBJ 5.c.iv", "a split hand cannot double"):
        table.decides(p1="double")


def test_sbj_5_c_v_no_double_on_a_hand_with_an_ace() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As 6d 5h")
    with refused("SBJ 5.c.v", "a hand that holds an ace cannot double"):
        table.decides(p1="double")
    assert table.credit("p1") == 1_000_00 - 10_00


def test_sbj_5_c_v_a_table_may_let_aces_double() -> None:
    assert "double" in stadium_blackjack(double_with_ace=True).bets(p1=10_00).dealt("As 6d 5h").choices("p1")


def test_sbj_5_c_vi_a_doubled_hand_that_busts_loses_all_even_if_the_dealer_busts() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("Ts 6d 2h")
    table.decides(p1="double", p2="stand").dealt("Kd Kc")
    assert (table.dealer("p2").bust, table.returned("p1"), table.hands("p1")[0].staked) == (True, 0, 20_00)


def test_sbj_5_c_vi_a_double_is_for_the_full_amount() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 6h")
    with refused("SBJ 5.c.vi", "a double is for the full amount"):
        table.decides(p1="double:500")


def test_sbj_5_c_vi_double_for_less_adds_any_smaller_amount() -> None:
    table = stadium_blackjack(double_for_less=True).bets(p1=10_00).dealt("5s 6d 6h")
    assert {"double", "double:AMOUNT"} <= table.choices("p1")
    for amount in ("0", "1000", "1001"):
        with refused("SBJ 5.c.vi", "from 0.01 to 9.99"):
            table.decides(p1=f"double:{amount}")
    table.decides(p1="double:1").dealt("9d Td Kc")
    assert (table.hands("p1")[0].staked, table.returned("p1")) == (10_01, 20_02)


def test_sbj_5_c_vi_a_double_for_less_does_not_double_the_dealers_wager() -> None:
    table = stadium_blackjack(double_for_less=True).bet("p1", 10_00, dealer=1_00).dealt("5s 6d 6h")
    with refused("SBJ 5.c.vi", "a wager for the dealer is not doubled for less"):
        table.decides(p1="double:500+dealer")
    table.decides(p1="double:500").dealt("9d Td Kc")
    assert table.wager("p1", "blackjack", "dealer").staked == 1_00


@pytest.mark.parametrize(("takes", "returned"), [("initial", 10_00), ("all", 0)])
def test_sbj_5_c_vii_a_dealer_blackjack_takes_the_initial_wager_of_a_double(takes: str, returned: int) -> None:
    table = stadium_blackjack(dealer_blackjack_takes=takes).bets(p1=10_00).dealt("5s Td 6h")
    table.decides(p1="double").dealt("9d Ac")
    assert table.dealer("p1").blackjack
    assert (table.hands("p1")[0].staked, table.returned("p1")) == (20_00, returned)


def test_sbj_5_c_vii_a_doubled_hand_that_busted_has_lost_all_of_it() -> None:
    table = (
        stadium_blackjack().bet("p1", 10_00).dealt("5s Ad 9h").decides(p1="insure").decides(p1="double").dealt("8d Tc")
    )
    assert (table.returned("p1"), table.returned("p1", "insurance")) == (0, 15_00)


def test_sbj_5_c_viii_the_player_may_double_the_dealers_wager_too() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("5s 6d 6h")
    assert "double+dealer" in table.choices("p1")
    table.decides(p1="double+dealer")
    assert table.credit("p1") == 1_000_00 - 22_00
    table.dealt("9d Td Kc")
    toke = table.wager("p1", "blackjack", "dealer")
    assert (toke.staked, toke.tips) == (2_00, 4_00)


def test_sbj_5_c_viii_a_plain_double_leaves_the_dealers_wager_single() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("5s 6d 6h").decides(p1="double").dealt("9d Td Kc")
    assert table.wager("p1", "blackjack", "dealer").staked == 1_00


def test_sbj_5_c_viii_without_a_wager_for_the_dealer_there_is_none_to_double() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("5s 6d 6h")
    assert "double+dealer" not in table.choices("p1")
    with refused("SBJ 3, 5.c.viii", "carries no wager for the dealer"):
        table.decides(p1="double+dealer")


def test_sbj_5_c_viii_a_dealer_blackjack_returns_the_additional_toke_to_the_player() -> None:
    table = (
        stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("5s Td 6h").decides(p1="double+dealer").dealt("9d Ac")
    )
    toke = table.wager("p1", "blackjack", "dealer")
    assert (toke.staked, toke.returned, toke.tips, table.net("p1")) == (2_00, 1_00, 0, -11_00)


@pytest.mark.parametrize("cards", ["As 6d Ah", "Ks 6d Th", "8s 6d 8h"])
def test_sbj_5_d_two_cards_of_the_same_value_can_be_split(cards: str) -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt(cards).decides(p1="split")
    assert (len(table.round.dealing.open), table.credit("p1")) == (0, 1_000_00 - 20_00)


def test_sbj_5_d_two_cards_of_different_values_cannot_be_split() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ks 6d 9h")
    with refused("SBJ 5.d", "only two cards of the same value can be split"):
        table.decides(p1="split")


def test_sbj_5_d_split_hands_are_drawn_in_turn() -> None:
    """The second hand gets its card when the first has been played to its end."""
    table = stadium_blackjack().bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("2d")
    table.decides(p1="hit").dealt("9d").decides(p1="stand").dealt("Td").decides(p1="stand").dealt("Kc 5c")
    assert [hand.cards for hand in table.hands("p1")] == ["8s 2d 9d", "8h Td"]
    assert table.dealer("p1").cards == "6d Kc 5c"


def test_sbj_5_d_split_draw_at_once_gives_both_hands_a_card_first() -> None:
    table = stadium_blackjack(split_draw="at-once").bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("2d 9d")
    table.decides(p1="hit").dealt("Td").decides(p1="stand").decides(p1="stand").dealt("Kc 5c")
    assert [hand.cards for hand in table.hands("p1")] == ["8s 2d Td", "8h 9d"]
    assert table.dealer("p1").cards == "6d Kc 5c"


def test_sbj_5_d_i_21_after_a_split_is_no_blackjack() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="split").dealt("Ad Ac Td 4c")
    assert [hand.result for hand in table.hands("p1")] == ["win", "win"]
    assert table.returned("p1") == 40_00


def test_sbj_5_d_i_21_after_a_split_loses_to_a_dealer_blackjack() -> None:
    options = {"dealer_blackjack_takes": "all", "insurance": False}
    table = stadium_blackjack(**options).bets(p1=10_00).dealt("Ts Ad Kh").decides(p1="split").dealt("Ac Ac Td")
    assert (table.dealer("p1").blackjack, table.returned("p1")) == (True, 0)


def test_sbj_5_d_ii_each_split_ace_gets_one_card() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As 6d Ah").decides(p1="split").dealt("2d 3d")
    assert table.awaits == "card for community 3"
    assert [hand.cards for hand in table.dealt("Td Kc").hands("p1")] == ["As 2d", "Ah 3d"]


def test_sbj_5_d_ii_aces_are_split_only_once() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As 6d Ah").decides(p1="split").dealt("Ad Ac Td Kc")
    assert [hand.cards for hand in table.hands("p1")] == ["As Ad", "Ah Ac"]


@pytest.mark.parametrize(
    ("options", "splits"), [({}, 2), ({"paytable": 5}, 1), ({"max_splits": 4}, 4), ({"max_splits": 3}, 3)]
)
def test_sbj_5_d_iii_players_can_split_so_many_times(options: dict[str, object], splits: int) -> None:
    table = stadium_blackjack(**options).bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("8d")
    for _ in range(splits - 1):
        table.decides(p1="split").dealt("8c")
    with refused("SBJ 5.d.iii", "at most once" if splits == 1 else f"at most {splits} times"):
        table.decides(p1="split")


def test_sbj_5_d_iii_max_splits_0_allows_none() -> None:
    assert "split" not in stadium_blackjack(max_splits=0).bets(p1=10_00).dealt("8s 6d 8h").choices("p1")


@pytest.mark.parametrize("paytable", [1, 2, 3, 4])
def test_sbj_5_d_iii_paytables_1_to_4_split_twice(paytable: int) -> None:
    table = stadium_blackjack(paytable=paytable).bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("8d")
    assert "split" not in table.decides(p1="split").dealt("8c").choices("p1")


def test_sbj_5_d_iii_a_hand_from_a_second_split_stands_behind_the_one_it_came_from() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("8d").decides(p1="split")
    table.dealt("Tc").decides(p1="stand").dealt("9c").decides(p1="stand").dealt("7c").decides(p1="stand").dealt("Kd Kc")
    assert [hand.cards for hand in table.hands("p1")] == ["8s Tc", "8d 9c", "8h 7c"]


def test_sbj_5_d_iv_a_split_hand_that_busts_loses_even_if_the_dealer_busts() -> None:
    table = (
        stadium_blackjack()
        .bets(p1=10_00)
        .dealt("8s 6d 8h")
        .decides(p1="split")
        .dealt("6c")
        .decides(p1="hit")
        .dealt("Td")
    )
    table.dealt("9c").decides(p1="stand").dealt("Kd Kc")
    assert [(hand.result, hand.returned) for hand in table.hands("p1")] == [("bust", 0), ("win", 20_00)]


@pytest.mark.parametrize(("takes", "returned"), [("initial", 10_00), ("all", 0)])
def test_sbj_5_d_v_a_dealer_blackjack_takes_the_initial_wager_of_split_hands(takes: str, returned: int) -> None:
    table = stadium_blackjack(dealer_blackjack_takes=takes).bets(p1=10_00).dealt("8s Td 8h").decides(p1="split")
    table.dealt("Tc").decides(p1="stand").dealt("9c").decides(p1="stand").dealt("Ac")
    assert table.returned("p1") == returned


def test_sbj_5_d_v_the_initial_wager_sits_on_the_first_hand_and_a_busted_hand_is_lost_already() -> None:
    table = (
        stadium_blackjack()
        .bets(p1=10_00)
        .dealt("8s Td 8h")
        .decides(p1="split")
        .dealt("6c")
        .decides(p1="hit")
        .dealt("Td")
    )
    table.dealt("9c").decides(p1="stand").dealt("Ac")
    assert [hand.returned for hand in table.hands("p1")] == [0, 10_00]
    second = stadium_blackjack().bets(p1=10_00).dealt("8s Td 8h").decides(p1="split").dealt("Tc").decides(p1="stand")
    second.dealt("6c").decides(p1="hit").dealt("Td").dealt("Ac")
    assert [hand.returned for hand in second.hands("p1")] == [0, 0]


def test_sbj_5_d_vi_the_player_may_split_the_dealers_wager_too() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("8s 6d 8h")
    assert "split+dealer" in table.choices("p1")
    table.decides(p1="split+dealer")
    assert table.credit("p1") == 1_000_00 - 22_00
    table.dealt("Tc").decides(p1="stand").dealt("9c").decides(p1="stand").dealt("Kd Kc")
    toke = table.wager("p1", "blackjack", "dealer")
    assert (toke.staked, toke.tips) == (2_00, 4_00)


def test_sbj_5_d_vi_a_plain_split_leaves_the_dealers_wager_on_the_first_hand() -> None:
    table = stadium_blackjack().bet("p1", 10_00, dealer=1_00).dealt("8s 6d 8h").decides(p1="split")
    table.dealt("2c").decides(p1="double+dealer").dealt("9c").dealt("3c")
    with refused("SBJ 3, 5.c.viii", "carries no wager for the dealer"):
        table.decides(p1="double+dealer")
    table.decides(p1="stand").dealt("Kd Kc")
    assert table.wager("p1", "blackjack", "dealer").staked == 2_00


def test_sbj_5_e_even_money_pays_1_to_1_and_completes_the_hand() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Ad Kh")
    assert table.choices("p1") == {"even-money", "insure", "decline"}
    table.decides(p1="even-money")
    assert (table.awaits, table.returned("p1"), table.hands("p1")[0].result) == ("confirmation", 20_00, "even-money")


def test_sbj_5_e_even_money_needs_a_blackjack() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad Kh")
    with refused("SBJ 5.e", "even money needs a blackjack"):
        table.decides(p1="even-money")


def test_sbj_5_e_even_money_is_offered_against_an_ace_only() -> None:
    assert stadium_blackjack().bets(p1=10_00).dealt("As Td Kh").awaits == "card for community 1"


def test_sbj_5_e_even_money_can_be_switched_off() -> None:
    table = stadium_blackjack(even_money=False).bets(p1=10_00).dealt("As Ad Kh")
    with refused("SBJ 5.e", "even money is not offered"):
        table.decides(p1="even-money")
    assert table.choices("p1") == {"insure", "decline"}


def test_sbj_5_f_surrender_forfeits_half_of_the_wager() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="surrender")
    assert (table.awaits, table.returned("p1"), table.hands("p1")[0].result) == ("confirmation", 5_00, "surrender")


def test_sbj_5_f_half_of_an_odd_wager_is_rounded_down_and_shows_the_breakage() -> None:
    wager = stadium_blackjack().bets(p1=25).dealt("Ts 9d 6h").decides(p1="surrender").wager("p1", "blackjack")
    assert (wager.returned, wager.breakage) == (12, "1/2")


def test_sbj_5_f_only_the_first_two_cards_can_be_surrendered() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("2s 9d 6h").decides(p1="hit").dealt("4c")
    with refused("SBJ 5.f", "only the first two cards"):
        table.decides(p1="surrender")


def test_sbj_5_f_a_split_hand_cannot_be_surrendered() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("8s 9d 8h").decides(p1="split").dealt("8c")
    with refused("SBJ 5.f", "never after a split"):
        table.decides(p1="surrender")


def test_sbj_5_f_a_blackjack_cannot_be_surrendered() -> None:
    table = stadium_blackjack(insurance=False).bets(p1=10_00).dealt("As Ad Kh").decides(p1="decline")
    with refused("nothing is asked of p1 now"):
        table.decides(p1="surrender")


def test_sbj_5_f_surrender_can_be_switched_off() -> None:
    with refused("SBJ 5.f", "surrender is not offered"):
        stadium_blackjack(surrender="off").bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="surrender")


@pytest.mark.parametrize(
    ("surrender", "card", "returned"),
    [("on", None, 5_00), ("not-against-blackjack", "Ac", 0), ("not-against-blackjack", "9c", 5_00)],
)
def test_sbj_5_f_surrender_may_be_undone_by_a_dealer_blackjack(surrender: str, card: str | None, returned: int) -> None:
    table = stadium_blackjack(surrender=surrender).bets(p1=10_00).dealt("Ts Td 6h").decides(p1="surrender")
    if card:
        assert table.awaits == "card for community 1"
        table.dealt(card)
    assert (table.awaits, table.returned("p1")) == ("confirmation", returned)


def test_sbj_5_f_a_surrender_that_nothing_can_undo_draws_no_card() -> None:
    table = (
        stadium_blackjack(surrender="not-against-blackjack").bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="surrender")
    )
    assert table.awaits == "confirmation"


# 18 against 18 and, below, an insured player against an ace: tie at 18 (A, 7) and tie of blackjacks.
STANDOFFS = [("always", 10_00), ("never", 0), ("if-not-insured", 10_00), ("always-and-push-insurance", 10_00)]


@pytest.mark.parametrize(("mode", "returned"), STANDOFFS)
def test_sbj_5_g_a_tie_without_insurance(mode: str, returned: int) -> None:
    table = stadium_blackjack(keep_standoff_bet=mode).bets(p1=10_00).dealt("Ts 9d 8h").decides(p1="stand").dealt("9c")
    assert (table.dealer("p1").total, table.returned("p1")) == (18, returned)


@pytest.mark.parametrize(
    ("mode", "main", "insurance"),
    [("always", 10_00, 0), ("never", 0, 0), ("if-not-insured", 0, 0), ("always-and-push-insurance", 10_00, 5_00)],
)
def test_sbj_5_g_an_insured_tie_at_18(mode: str, main: int, insurance: int) -> None:
    table = stadium_blackjack(keep_standoff_bet=mode).bets(p1=10_00).dealt("Ts Ad 8h")
    table.decides(p1="insure").decides(p1="stand").dealt("7c")
    assert (table.dealer("p1").total, table.returned("p1"), table.returned("p1", "insurance")) == (18, main, insurance)


@pytest.mark.parametrize(
    ("mode", "main", "insurance"),
    [
        ("always", 10_00, 15_00),
        ("never", 0, 15_00),
        ("if-not-insured", 0, 15_00),
        ("always-and-push-insurance", 10_00, 5_00),
    ],
)
def test_sbj_5_g_an_insured_tie_of_blackjacks(mode: str, main: int, insurance: int) -> None:
    table = stadium_blackjack(keep_standoff_bet=mode).bets(p1=10_00).dealt("As Ad Kh").decides(p1="insure").dealt("Tc")
    assert (table.returned("p1"), table.returned("p1", "insurance")) == (main, insurance)


@pytest.mark.parametrize(
    ("mode", "toke"), [("always", 1_00), ("never", 0), ("if-not-insured", 1_00), ("always-and-push-insurance", 1_00)]
)
def test_sbj_5_g_a_wager_for_the_dealer_is_never_insured(mode: str, toke: int) -> None:
    table = stadium_blackjack(keep_standoff_bet=mode).bet("p1", 10_00, dealer=1_00).dealt("Ts Ad 8h")
    table.decides(p1="insure").decides(p1="stand").dealt("7c")
    assert (table.returned("p1", whose="dealer"), table.result("p1").tips) == (toke, 0)


def test_sbj_5_g_every_hand_of_an_insured_player_that_ties_is_lost() -> None:
    table = stadium_blackjack(keep_standoff_bet="if-not-insured").bets(p1=10_00).dealt("8s Ad 8h")
    table.decides(p1="insure").decides(p1="split").dealt("Tc").decides(p1="stand").dealt("Tc").decides(
        p1="stand"
    ).dealt("7c")
    assert [hand.returned for hand in table.hands("p1")] == [0, 0]


def test_sbj_5_g_insurance_is_pushed_when_the_first_hand_ties() -> None:
    mode = "always-and-push-insurance"
    table = (
        stadium_blackjack(keep_standoff_bet=mode)
        .bets(p1=10_00)
        .dealt("8s Ad 8h")
        .decides(p1="insure")
        .decides(p1="split")
    )
    table.dealt("9c").decides(p1="stand").dealt("Tc").decides(p1="stand").dealt("7c")
    assert ([hand.result for hand in table.hands("p1")], table.returned("p1", "insurance")) == (["lose", "push"], 0)


def test_sbj_5_h_insurance_is_offered_when_the_dealers_card_is_an_ace() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 6h")
    assert table.choices("p1") == {"insure", "decline"}
    with refused("SBJ 5.h", "comes before any other decision"):
        table.decides(p1="hit")


@pytest.mark.parametrize("up_card", ["Kd", "9d"])
def test_sbj_5_h_insurance_is_not_offered_against_another_card(up_card: str) -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt(f"Ts {up_card} 6h")
    with refused("SBJ 5.h", "not on offer now"):
        table.decides(p1="insure")


def test_sbj_5_h_insurance_can_be_switched_off() -> None:
    table = stadium_blackjack(insurance=False).bets(p1=10_00).dealt("Ts Ad 6h")
    assert "hit" in table.choices("p1")


def test_sbj_5_h_i_insurance_is_exactly_half_of_the_original_wager() -> None:
    table = stadium_blackjack().bets(p1=10_01).dealt("Ts Ad 6h")
    with refused("SBJ 5.h.i", "exactly half of the original wager"):
        table.decides(p1="insure:400")
    assert table.decides(p1="insure").credit("p1") == 1_000_00 - 10_01 - 5_00


def test_sbj_5_h_i_insurance_is_not_offered_when_half_would_be_nothing() -> None:
    assert "hit" in stadium_blackjack().bets(p1=1).dealt("Ts Ad 6h").choices("p1")


def test_sbj_5_h_i_insurance_pays_2_to_1_if_the_dealer_has_blackjack() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 6h").decides(p1="insure").decides(p1="stand").dealt("Kc")
    assert (table.returned("p1"), table.returned("p1", "insurance"), table.net("p1")) == (0, 15_00, 0)


def test_sbj_5_h_i_insurance_is_lost_without_a_dealer_blackjack() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 9h").decides(p1="insure").decides(p1="stand").dealt("7c")
    assert (table.returned("p1"), table.returned("p1", "insurance")) == (20_00, 0)


def test_sbj_5_h_i_an_insured_blackjack_against_a_blackjack_comes_to_1_to_1() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Ad Kh").decides(p1="insure").dealt("Tc")
    assert table.net("p1") == 10_00


def test_sbj_5_h_i_insurance_is_settled_by_that_players_own_dealer_hand() -> None:
    """The player who hits takes the ten that makes the other player's dealer blackjack."""
    table = stadium_blackjack().bets(p1=10_00, p2=10_00).dealt("2s Ad 6h").decides(p1="insure", p2="insure")
    table.decides(p1="hit", p2="stand").dealt("Kc").decides(p1="stand").dealt("9c")
    assert (table.dealer("p1").cards, table.returned("p1", "insurance")) == ("Ad 9c", 0)
    assert (table.dealer("p2").cards, table.returned("p2", "insurance")) == ("Ad Kc", 15_00)


def test_sbj_5_h_ii_insurance_refused_and_a_dealer_blackjack_loses() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 9h").decides(p1="decline").decides(p1="stand").dealt("Kc")
    assert table.net("p1") == -10_00


def test_sbj_5_h_ii_insurance_refused_and_two_blackjacks_push() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("As Ad Kh").decides(p1="decline").dealt("Kc")
    assert table.net("p1") == 0


def test_sbj_5_h_iii_insurance_is_declined_when_time_runs_out() -> None:
    table = stadium_blackjack().bets(p1=10_00).dealt("Ts Ad 9h").times_out()
    assert (table.credit("p1"), table.round.decisions_of(1)) == (990_00, [("decline", True)])
