"""IGT Dynasty Live Blackjack, clause by clause: where it differs from Stadium Blackjack, and where it says the same."""

import pytest

from podium.rules.games import game
from tests.table import Table, dynasty_blackjack, refused


def test_dlb_intro_players_are_any_number_against_one_dealer() -> None:
    table = dynasty_blackjack().bets(**{f"p{number}": 10_00 for number in range(1, 301)})
    assert len(table.dealt("5s 6d 6h").asked) == 300


@pytest.mark.parametrize("decks", [4, 6, 8])
def test_dlb_1_the_shoe_has_four_six_or_eight_decks(decks: int) -> None:
    table = Table("dynasty-blackjack", {"decks": decks}, out="As " * (decks - 1)).bets(p1=10_00).dealt("As 6d")
    with refused("DLB 1", f"{decks} decks"):
        table.dealt("As")


def test_dlb_1_six_decks_unless_another_number_is_chosen() -> None:
    assert game("dynasty-blackjack").rules.decks == 6
    with refused("DLB 1", "Allowed values: 6, 4, 8"):
        dynasty_blackjack(decks=5)


def test_dlb_2_a_new_game_begins_with_wagers() -> None:
    assert dynasty_blackjack().awaits == "wagers"


def test_dlb_3_the_main_wager_is_needed_and_comes_before_the_cards() -> None:
    with refused("DLB 3", "TriLux needs a wager on Blackjack"):
        dynasty_blackjack(side_bets={"trilux": "TRI-01"}).bets(p1={"trilux": 1_00})
    with refused("DLB 3", "betting is closed"):
        dynasty_blackjack().bets(p1=10_00).dealt("5s").bets(p2=10_00)


def test_dlb_4_player_dealer_player_and_no_hole_card() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt()
    places = []
    for code in ("Ts", "6d", "5h"):
        places.append(table.awaits)
        table.dealt(code)
    assert places == ["card for player 1", "card for dealer 1", "card for player 2"]
    assert table.awaits == "decisions"


def test_dlb_5_all_cards_after_the_third_are_shared() -> None:
    table = dynasty_blackjack().bets(p1=10_00, p2=10_00).dealt("5s 6d 5h").decides(p1="hit", p2="hit").dealt("8c")
    table.decides(p1="stand", p2="stand").dealt("Kd 4c")
    assert table.hands("p1")[0].cards == table.hands("p2")[0].cards == "5s 5h 8c"


def test_dlb_5_a_hit_adds_the_next_community_card() -> None:
    table = (
        dynasty_blackjack()
        .bets(p1=10_00)
        .dealt("5s 6d 5h")
        .decides(p1="hit")
        .dealt("8c")
        .decides(p1="stand")
        .dealt("Kd 4c")
    )
    assert table.hands("p1")[0].cards == "5s 5h 8c"


def test_dlb_5_b_stand_adds_none() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt("5s 6d 5h").decides(p1="stand").dealt("Kd 4c")
    assert (table.hands("p1")[0].cards, table.dealer("p1").cards) == ("5s 5h", "6d Kd 4c")


@pytest.mark.parametrize(("adds", "staked"), [(1, 20_00), (2, 30_00)])
def test_dlb_5_c_double_adds_once_or_twice_the_original_wager(adds: int, staked: int) -> None:
    table = dynasty_blackjack(double_adds=adds).bets(p1=10_00).dealt("5s 6d 5h").decides(p1="double")
    assert table.credit("p1") == 1_000_00 - staked
    table.dealt("8c Kd Tc")
    assert (table.hands("p1")[0].cards, table.returned("p1")) == ("5s 5h 8c", 2 * staked)


def test_dlb_5_c_a_double_that_adds_twice_returns_twice_against_a_dealer_blackjack() -> None:
    table = dynasty_blackjack(double_adds=2).bets(p1=10_00).dealt("5s Td 5h").decides(p1="double").dealt("8c Ac")
    assert (table.hands("p1")[0].staked, table.returned("p1")) == (30_00, 20_00)


def test_dlb_5_c_a_double_that_adds_twice_adds_twice_the_dealers_wager() -> None:
    table = dynasty_blackjack(double_adds=2, dealer_wagers=True).bet("p1", 10_00, dealer=1_00).dealt("5s 6d 5h")
    table.decides(p1="double+dealer").dealt("8c Kd Tc")
    assert table.wager("p1", "blackjack", "dealer").staked == 3_00


def test_dlb_5_c_a_double_for_less_goes_up_to_what_a_double_adds() -> None:
    table = dynasty_blackjack(double_adds=2, double_for_less=True).bets(p1=10_00).dealt("5s 6d 5h")
    with refused("DLB 5.c", "from 0.01 to 19.99"):
        table.decides(p1="double:2000")
    assert table.decides(p1="double:1999").credit("p1") == 1_000_00 - 29_99


def test_dlb_5_c_doubling_can_be_switched_off() -> None:
    with refused("DLB 5.c", "doubling is not offered"):
        dynasty_blackjack(double="off").bets(p1=10_00).dealt("5s 6d 5h").decides(p1="double")


def test_dlb_5_c_any_two_cards_double_also_with_an_ace() -> None:
    assert "double" in dynasty_blackjack().bets(p1=10_00).dealt("As 6d 5h").choices("p1")
    with refused("DLB 5.c", "holds an ace"):
        dynasty_blackjack(double_with_ace=False).bets(p1=10_00).dealt("As 6d 5h").decides(p1="double")


def test_dlb_5_c_the_totals_that_double_can_be_set() -> None:
    with refused("DLB 5.c", "only totals of 10 to 11"):
        dynasty_blackjack(double_totals=[10, 11]).bets(p1=10_00).dealt("4s 6d 5h").decides(p1="double")


@pytest.mark.parametrize("allowed", [True, False])
def test_dlb_5_c_double_after_a_split_as_configured(allowed: bool) -> None:
    table = (
        dynasty_blackjack(double_after_split=allowed)
        .bets(p1=10_00)
        .dealt("8s 6d 8h")
        .decides(p1="split")
        .dealt("3d 2d")
    )
    assert ("double" in table.choices("p1")) is allowed


def test_dlb_5_d_split_adds_an_equal_wager_and_one_card_to_each_new_hand() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split")
    assert (table.credit("p1"), table.awaits) == (980_00, "card for community 1")
    table.dealt("2d")
    assert table.awaits == "card for community 2"  # nothing to decide in between
    table.dealt("9d").decides(p1="hit").dealt("Td").decides(p1="stand").decides(p1="stand").dealt("Kc 5c")
    assert [hand.cards for hand in table.hands("p1")] == ["8s 2d Td", "8h 9d"]


def test_dlb_5_d_nobody_sees_a_card_before_deciding() -> None:
    """While one player is owed the second split card, the other decides on the first."""
    table = dynasty_blackjack().bets(p1=10_00, p2=10_00).dealt("8s 6d 8h").decides(p1="split", p2="hit").dealt("2d")
    assert set(table.asked) == {"p2"}
    table.decides(p2="stand").dealt("9d")
    assert set(table.asked) == {"p1"}


def test_dlb_5_d_split_hands_may_be_drawn_in_turn() -> None:
    table = dynasty_blackjack(split_draw="in-turn").bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("2d")
    assert table.awaits == "decisions"


def test_dlb_5_d_two_cards_of_the_same_value_are_split() -> None:
    assert "split" in dynasty_blackjack().bets(p1=10_00).dealt("Ks 6d Th").choices("p1")
    with refused("DLB 5.d", "same value"):
        dynasty_blackjack().bets(p1=10_00).dealt("Ks 6d 9h").decides(p1="split")


def test_dlb_5_d_splitting_can_be_switched_off() -> None:
    with refused("DLB 5.d", "splitting is not offered"):
        dynasty_blackjack(split="off").bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split")


@pytest.mark.parametrize("splits", [1, 2, 3, 4])
def test_dlb_5_d_one_split_unless_more_are_allowed(splits: int) -> None:
    options = {} if splits == 1 else {"max_splits": splits}
    table = dynasty_blackjack(**options).bets(p1=10_00).dealt("8s 6d 8h").decides(p1="split").dealt("8d 8c")
    for _ in range(splits - 1):
        table.decides(p1="split").dealt("8d 8c")
    with refused("DLB 5.d", "at most once" if splits == 1 else f"at most {splits} times"):
        table.decides(p1="split")


def test_dlb_5_d_max_splits_0_allows_none() -> None:
    assert "split" not in dynasty_blackjack(max_splits=0).bets(p1=10_00).dealt("8s 6d 8h").choices("p1")


def test_dlb_5_d_split_aces_get_one_card_each() -> None:
    table = dynasty_blackjack(max_splits=4).bets(p1=10_00).dealt("As 6d Ah").decides(p1="split").dealt("Ad 3d")
    assert table.awaits == "card for community 3"


def test_dlb_5_e_surrender_gives_half_back() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="surrender")
    assert (table.awaits, table.returned("p1")) == ("confirmation", 5_00)


@pytest.mark.parametrize(
    ("mode", "drawn", "returned"),
    [("not-against-blackjack", "Ac", 0), ("not-against-blackjack", "2c", 5_00), ("on", "", 5_00)],
)
def test_dlb_5_e_surrender_does_not_hold_against_a_dealer_blackjack(mode: str, drawn: str, returned: int) -> None:
    table = dynasty_blackjack(surrender=mode).bets(p1=10_00).dealt("Ts Td 6h").decides(p1="surrender").dealt(drawn)
    assert (table.awaits, table.returned("p1")) == ("confirmation", returned)


def test_dlb_5_e_surrender_holds_only_unless_undone_by_default() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt("Ts Td 6h").decides(p1="surrender")
    assert table.awaits == "card for community 1"


def test_dlb_5_e_surrender_can_be_switched_off() -> None:
    with refused("DLB 5.e", "surrender is not offered"):
        dynasty_blackjack(surrender="off").bets(p1=10_00).dealt("Ts 9d 6h").decides(p1="surrender")


def test_dlb_6_the_dealer_uses_the_cards_beyond_those_of_the_player() -> None:
    table = dynasty_blackjack().bets(p1=10_00, p2=10_00).dealt("9s 6d 5h").decides(p1="hit", p2="stand").dealt("5c")
    table.decides(p1="stand").dealt("Td Kc")
    assert (table.dealer("p1").cards, table.dealer("p2").cards) == ("6d Td Kc", "6d 5c Td")


@pytest.mark.parametrize(("hits", "dealers"), [(True, "6d Ac 4c"), (False, "6d Ac")])
def test_dlb_6_soft_17_as_in_stadium_blackjack(hits: bool, dealers: str) -> None:
    table = dynasty_blackjack(dealer_hits_soft_17=hits).bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Ac")
    table.dealt("4c" if hits else "")
    assert (table.awaits, table.dealer("p1").cards) == ("confirmation", dealers)


@pytest.mark.parametrize(("pays", "returned"), [("3:2", 25_00), ("6:5", 22_00)])
def test_dlb_6_blackjack_pays_as_in_stadium_blackjack(pays: str, returned: int) -> None:
    table = dynasty_blackjack(blackjack_pays=pays).bets(p1=10_00).dealt("As 6d Kh")
    assert (table.awaits, table.returned("p1")) == ("confirmation", returned)


@pytest.mark.parametrize(("takes", "returned"), [("initial", 10_00), ("all", 0)])
def test_dlb_6_a_dealer_blackjack_takes_as_in_stadium_blackjack(takes: str, returned: int) -> None:
    table = (
        dynasty_blackjack(dealer_blackjack_takes=takes)
        .bets(p1=10_00)
        .dealt("5s Td 6h")
        .decides(p1="double")
        .dealt("9d Ac")
    )
    assert table.returned("p1") == returned


@pytest.mark.parametrize(("mode", "returned"), [("always", 10_00), ("never", 0)])
def test_dlb_6_ties_as_in_stadium_blackjack(mode: str, returned: int) -> None:
    table = dynasty_blackjack(keep_standoff_bet=mode).bets(p1=10_00).dealt("Ts 9d 8h").decides(p1="stand").dealt("9c")
    assert table.returned("p1") == returned


@pytest.mark.parametrize(
    ("mode", "main", "insurance"), [("if-not-insured", 0, 0), ("always-and-push-insurance", 10_00, 5_00)]
)
def test_dlb_6_insured_ties_as_in_stadium_blackjack(mode: str, main: int, insurance: int) -> None:
    table = dynasty_blackjack(keep_standoff_bet=mode, insurance=True).bets(p1=10_00).dealt("Ts Ad 8h")
    table.decides(p1="insure").decides(p1="stand").dealt("7c")
    assert (table.returned("p1"), table.returned("p1", "insurance")) == (main, insurance)


def test_dlb_6_no_insurance_and_no_even_money_unless_switched_on() -> None:
    assert dynasty_blackjack().bets(p1=10_00).dealt("As Ad Kh").awaits == "card for community 1"
    both = dynasty_blackjack(insurance=True, even_money=True).bets(p1=10_00).dealt("As Ad Kh")
    assert both.choices("p1") == {"insure", "even-money", "decline"}
    assert dynasty_blackjack(even_money=True).bets(p1=10_00).dealt("As Ad Kh").choices("p1") == {
        "even-money",
        "decline",
    }


@pytest.mark.parametrize(
    ("policy", "cards", "decision"),
    [
        ("stand", "2s 6d 3h", "stand"),
        ("hit-hard-11-soft-16", "5s 6d 6h", "hit"),
        ("hit-hard-11-soft-16", "5s 6d 7h", "stand"),
        ("hit-hard-11-soft-16", "As 6d 5h", "hit"),
        ("hit-hard-11-soft-16", "As 6d 6h", "stand"),
    ],
)
def test_dlb_7_when_time_runs_out_the_hand_stands_or_hits_as_configured(policy: str, cards: str, decision: str) -> None:
    table = dynasty_blackjack(timeout=policy).bets(p1=10_00).dealt(cards).times_out()
    assert table.round.decisions_of(1) == [(decision, True)]


def test_dlb_7_the_hand_stands_unless_the_other_policy_is_chosen() -> None:
    assert dynasty_blackjack().bets(p1=10_00).dealt("2s 6d 3h").times_out().round.decisions_of(1) == [("stand", True)]


def test_dlb_8_the_dealer_confirms_the_result_and_only_then_is_it_paid() -> None:
    table = dynasty_blackjack().bets(p1=10_00).dealt("Ts 6d Kh").decides(p1="stand").dealt("Td")
    with refused("cannot be confirmed yet"):
        table.confirmed()
    assert table.dealt("3c").awaits == "confirmation"
    assert table.credit("p1") == 990_00
    assert table.confirmed().credit("p1") == 1_010_00


def test_dlb_9_no_side_bets_unless_they_are_switched_on() -> None:
    with refused("DLB 3", "it takes blackjack."):
        dynasty_blackjack().bets(p1={"blackjack": 10_00, "trilux": 1_00})


@pytest.mark.parametrize(
    ("side_bet", "paytable", "pays"),
    [
        ("bet-the-set-21", "A", 10),
        ("royal-match-21", "A", -1),
        ("trilux", "TRI-02", 33),
        ("super-3", "1", 90),
        ("match-up", "A", 5),
        ("three-card-bonus", "A", 20),
    ],
)
def test_dlb_9_any_bet_on_the_first_three_cards_may_be_switched_on(side_bet: str, paytable: str, pays: int) -> None:
    needed = {"trilux": "TRI-01"} if side_bet == "super-3" else {}
    table = dynasty_blackjack(side_bets={**needed, side_bet: paytable})
    table.bets(p1={"blackjack": 10_00, **dict.fromkeys(needed, 100), side_bet: 1_00}).dealt("7s 7d 7h")
    assert table.returned("p1", side_bet) == 1_00 + pays * 1_00


def test_dlb_9_match_up_takes_any_amount_here() -> None:
    """The document of Match Up Blackjack limits its bonus wagers; here the limits are the table's."""
    table = dynasty_blackjack(side_bets={"match-up": "A"}).bets(p1={"blackjack": 10_00, "match-up": 55_55})
    assert table.dealt("7s 7d 8h").returned("p1", "match-up") == 4 * 55_55


def test_dlb_9_buster_is_not_among_them() -> None:
    with refused("side_bets", "'buster' is not a side bet of this game"):
        dynasty_blackjack(side_bets={"buster": "MEGA-1"})


def test_dlb_9_wagers_for_the_dealer_are_taken_only_when_switched_on() -> None:
    with refused("DLB", "wagers for the dealer are not taken"):
        dynasty_blackjack().bet("p1", 10_00, dealer=1_00)
    table = dynasty_blackjack(dealer_wagers=True).bet("p1", 10_00, dealer=1_00).dealt("Ts 6d Kh")
    assert table.decides(p1="stand").dealt("Td 3c").result("p1").tips == 2_00
