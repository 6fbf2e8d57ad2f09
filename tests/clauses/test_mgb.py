"""Mega Blackjack, clause by clause. Cards are dealt as in Match Up Blackjack."""

import pytest

from podium.rules.games import game
from podium.rules.rulebook import rulebook
from tests.table import Table, mega_blackjack, refused


def settled_at_once(table: Table, player: str) -> int:
    """What a player's main wagers have returned while the round goes on."""
    seat = table.round.seats[table.numbers[player]]
    hands = table.round.settled_at_once(seat).values()
    return sum(wager.returned for wagers in hands for wager in wagers)


@pytest.mark.parametrize("decks", [6, 8])
def test_mgb_introduction_six_or_eight_decks(decks: int) -> None:
    table = Table("mega-blackjack", {"decks": decks}, out="As " * (decks - 1)).bets(p1=10_00).dealt("As")
    with refused("MGB Introduction", f"{decks} decks"):
        table.dealt("As")
    with refused("MGB Introduction", "Allowed values: 6, 8"):
        mega_blackjack(decks=4)


def test_mgb_rules_are_those_of_standard_blackjack() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As 7d 6h Kc")
    assert table.choices("p1") == {"hit", "stand", "double"}
    table.decides(p1="double")
    assert table.dealt("3s").net("p1") == 20_00


def test_mgb_rules_a_dealer_blackjack_takes_everything_but_is_peeked_at_first() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("8s Kd 8h Ac")
    assert (table.awaits, table.net("p1")) == ("confirmation", -10_00)


def test_mgb_rules_when_time_runs_out_the_hand_stands() -> None:
    assert mega_blackjack().bets(p1=10_00).dealt("2s 7d 3h Kc").times_out().round.decisions_of(1) == [("stand", True)]


def test_mgb_1_the_dealer_hits_soft_17() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("Ts 6d Kh Ac").decides(p1="stand")
    assert table.awaits == "card for dealer"
    with refused("MGB 1", "always true"):
        mega_blackjack(dealer_hits_soft_17=False)


def test_mgb_2_pairs_split_up_to_four_hands() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("8s 7d 8h Kc")
    for _ in range(3):
        table.decides(p1="split").dealt("8c")
    with refused("MGB 2", "at most 3 times"):
        table.decides(p1="split")


def test_mgb_2_aces_are_split_again_and_the_only_choices_are_split_and_stand() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As 7d Ah Kc").decides(p1="split").dealt("Ac")
    assert table.choices("p1") == {"split", "stand"}
    for decision in ("hit", "double"):
        with refused("MGB 2", "a split ace gets one card only"):
            table.decides(p1=decision)
    table.decides(p1="split").dealt("2s 3s 4s")
    assert [hand.cards for hand in table.hands("p1")] == ["As 2s", "Ac 3s", "Ah 4s"]


def test_mgb_2_a_pair_of_split_aces_stands_when_time_runs_out() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As 7d Ah Kc").decides(p1="split").dealt("Ac").times_out()
    assert table.awaits == "card for seat 1, hand 2"


def test_mgb_2_the_fourth_ace_hand_stands_by_itself() -> None:
    table = mega_blackjack(max_splits=1).bets(p1=10_00).dealt("As 7d Ah Kc").decides(p1="split").dealt("Ac Ac")
    assert table.awaits == "confirmation"


@pytest.mark.parametrize("splits", [0, 1, 2, 4])
def test_mgb_2_the_number_of_splits_can_be_set(splits: int) -> None:
    table = mega_blackjack(max_splits=splits).bets(p1=10_00).dealt("8s 7d 8h Kc")
    for _ in range(splits):
        table.decides(p1="split").dealt("8c")
    with refused("MGB 2", "at most once" if splits == 1 else f"at most {splits} times"):
        table.decides(p1="split")


def test_mgb_3_a_split_ace_with_a_ten_is_21_and_no_blackjack() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As 7d Ah Kc").decides(p1="split").dealt("Kd 5s")
    assert table.hands("p1")[0].result == "win"
    assert [hand.returned for hand in table.hands("p1")] == [25_00, 0]


def test_mgb_4_double_after_a_split() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("8s 7d 8h Kc").decides(p1="split").dealt("3s")
    assert "double" in table.choices("p1")


def test_mgb_5_no_surrender() -> None:
    with refused("MGB 5", "surrender is not offered"):
        mega_blackjack().bets(p1=10_00).dealt("Ts 7d 6h Kc").decides(p1="surrender")


def test_mgb_6_a_dealer_bust_with_four_cards_pushes_every_remaining_hand() -> None:
    table = (
        mega_blackjack().bets(p1=10_00, p2=10_00).dealt("Ts Ts 2d 9h 6h 3c").decides(p1="stand", p2="hit").dealt("Qs")
    )
    table.dealt("Tc 9c")
    assert (table.dealer("p1").cards, table.dealer("p1").bust) == ("2d 3c Tc 9c", True)
    assert (table.net("p1"), table.net("p2")) == (0, -10_00)
    assert table.why("p1") == "Pushed: dealer busted with 4 cards (MGB 6)."


def test_mgb_6_a_dealer_bust_with_five_cards_pushes_too() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("Ts 2d 9h 2c").decides(p1="stand").dealt("2s Tc 9c")
    assert (table.dealer("p1").bust, table.net("p1")) == (True, 0)


def test_mgb_6_a_dealer_bust_with_three_cards_pays() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("Ts 6d 2h Tc").decides(p1="stand").dealt("Kc")
    assert (table.dealer("p1").bust, table.net("p1")) == (True, 10_00)


def test_mgb_7_a_winning_21_pays_3_to_2() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("5s 7d 6h Kc").decides(p1="hit").dealt("Ts")
    assert (table.returned("p1"), table.why("p1")) == (25_00, "Your 21 beats dealer 17 and pays 3 to 2.")


def test_mgb_7_a_doubled_21_pays_3_to_2_on_the_whole_wager() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("5s 7d 6h Kc").decides(p1="double").dealt("Ts")
    assert table.returned("p1") == 50_00


def test_mgb_7_a_split_21_pays_3_to_2() -> None:
    table = (
        mega_blackjack()
        .bets(p1=10_00)
        .dealt("8s 7d 8h Kc")
        .decides(p1="split")
        .dealt("3s")
        .decides(p1="hit")
        .dealt("Ts")
    )
    table.dealt("9s").decides(p1="stand")
    assert [hand.returned for hand in table.hands("p1")] == [25_00, 10_00]


def test_mgb_7_a_21_is_paid_3_to_2_when_the_dealer_busts_with_three_cards() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("5s 6d 6h Tc").decides(p1="hit").dealt("Ts Kc")
    assert table.returned("p1") == 25_00


@pytest.mark.parametrize(("draws", "dealers"), [("Tc 6c", "21"), ("Tc 9c", "a bust with four cards")])
def test_mgb_rules_footnote_21_pushes_when_the_dealer_has_21_or_busts_with_four_cards(draws: str, dealers: str) -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("5s 2d 6h 3c").decides(p1="hit").dealt(f"Ts {draws}")
    assert table.net("p1") == 0, dealers


def test_mgb_8_a_blackjack_pays_3_to_1() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As 7d Kh Kc")
    assert (table.awaits, table.returned("p1")) == ("confirmation", 40_00)


def test_mgb_8_a_blackjack_is_paid_even_if_the_dealer_then_busts_with_four_cards() -> None:
    table = mega_blackjack().bets(p1=10_00, p2=10_00).dealt("As Ts 2d Kh 9h 3c").decides(p2="stand").dealt("Tc 9c")
    assert (table.net("p1"), table.net("p2")) == (30_00, 0)


def test_mgb_8_the_rules_say_what_is_paid_instantly() -> None:
    said = rulebook(game("mega-blackjack")).text()
    assert "A blackjack is paid as soon as it is certain that the dealer has none" in said
    assert "every wager that is not settled yet when the result is confirmed" in said
    assert "as soon as it is certain" not in rulebook(game("match-up-blackjack")).text()


def test_mgb_8_a_blackjack_pushes_against_a_dealer_blackjack() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As Kd Kh Ac")
    assert (table.net("p1"), table.hands("p1")[0].result) == (0, "push")


def test_mgb_9_other_winners_are_paid_1_to_1_and_ties_push() -> None:
    table = mega_blackjack().bets(p1=10_00, p2=10_00).dealt("Ts Ts 8d 9h 8h Kc").decides(p1="stand").decides(p2="stand")
    assert (table.net("p1"), table.net("p2")) == (10_00, 0)


def test_mgb_10_a_blackjack_against_an_ace_may_take_even_money() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As Ad Kh Kc")
    assert table.choices("p1") == {"even-money", "insure", "decline"}
    assert table.decides(p1="even-money").net("p1") == 10_00


def test_mgb_10_even_money_refused_pays_3_to_1_without_a_dealer_blackjack() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As Ad Kh 9c").decides(p1="decline")
    assert table.net("p1") == 30_00


def test_mgb_wagering_needs_a_blackjack_wager() -> None:
    with refused("MGB Wagering", "Buster Blackjack needs a wager on Blackjack"):
        mega_blackjack().bets(p1={"buster": 1_00})


def test_mgb_wagering_buster_is_optional_and_can_be_taken_off() -> None:
    assert mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}).credit("p1") == 989_00
    with refused("MGB Wagering", "it takes blackjack."):
        mega_blackjack(side_bets={}).bets(p1={"blackjack": 10_00, "buster": 1_00})


def test_mgb_dealing_is_two_cards_each_an_up_card_and_a_hole_card() -> None:
    table = mega_blackjack().bets(p1=10_00, p2=10_00).dealt()
    places = []
    for code in ("Ts", "9h", "8d", "Kh", "8c", "Tc"):
        places.append(table.awaits.removeprefix("card for "))
        table.dealt(code)
    assert places == ["seat 1", "seat 2", "up card", "seat 1", "seat 2", "hole card"]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6, 7])
def test_mgb_dealing_is_for_so_many_seats(seats: int) -> None:
    table = mega_blackjack(seats=seats).bets(**{f"p{number}": 10_00 for number in range(1, seats + 1)})
    with refused("MGB Dealing", "one seat" if seats == 1 else f"{seats} seats"):
        table.bets(another=10_00)
    assert table.bet("toke", dealer={"buster": 1_00}).credit("toke") == 999_00  # it gets no cards, and needs no seat


def test_mgb_dealing_pays_a_blackjack_against_a_ten_when_the_dealer_has_peeked() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("As Kd Kh ??")
    assert table.awaits == "peek"
    assert table.peeked(blackjack=False).turned("9c").net("p1") == 30_00


def test_mgb_dealing_against_an_ace_a_blackjack_is_paid_after_insurance_and_the_peek() -> None:
    table = mega_blackjack().bets(p1=10_00, p2=10_00).dealt("As 5h Ad Kh 5c ??")
    assert table.choices("p1") == {"even-money", "insure", "decline"}
    table.decides(p1="decline", p2="decline")
    assert (table.awaits, settled_at_once(table, "p1")) == ("peek", 0)
    table.peeked(blackjack=False)
    assert (set(table.asked), settled_at_once(table, "p1")) == ({"p2"}, 40_00)


def test_mgb_dealing_offers_insurance_with_an_ace_up() -> None:
    table = mega_blackjack().bets(p1=10_00).dealt("Ts Ad 9h Kc")
    assert table.choices("p1") == {"insure", "decline"}
    table.decides(p1="insure")
    assert (table.net("p1"), table.returned("p1", "insurance")) == (0, 15_00)


def test_mgb_dealing_insurance_is_half_of_the_wager_also_on_a_blackjack() -> None:
    table = mega_blackjack().bets(p1=10_01).dealt("As Ad Kh 9c")
    with refused("MGB Dealing", "exactly half"):
        table.decides(p1="insure:100")
    assert table.decides(p1="insure").credit("p1") == 1_000_00 - 10_01 - 5_00
    assert table.net("p1") == 30_03 - 5_00


def test_mgb_dealing_no_even_money_and_two_blackjacks_push() -> None:
    assert mega_blackjack().bets(p1=10_00).dealt("As Ad Kh Kc").decides(p1="decline").net("p1") == 0


def test_mgb_dealing_a_busted_players_bonus_wager_remains_in_action() -> None:
    table = (
        mega_blackjack()
        .bets(p1={"blackjack": 10_00, "buster": 1_00})
        .dealt("Ts 2d 6h 3c")
        .decides(p1="hit")
        .dealt("Qs")
    )
    assert table.awaits == "card for dealer"
    table.dealt("Tc 9c")
    assert (table.returned("p1"), table.returned("p1", "buster")) == (0, 7_00)


def test_mgb_payoffs_blackjack_3_to_1() -> None:
    assert mega_blackjack().bets(p1=25).dealt("As 7d Kh Kc").returned("p1") == 100


def test_mgb_payoffs_21_at_3_to_2_is_rounded_down() -> None:
    wager = mega_blackjack().bets(p1=25).dealt("5s 7d 6h Kc").decides(p1="hit").dealt("Ts").wager("p1", "blackjack")
    assert (wager.returned, wager.breakage) == (25 + 37, "1/2")


def test_mgb_payoffs_a_21_is_paid_at_the_end_and_not_when_it_is_hit() -> None:
    """The dealer could still make 21, or bust with four cards."""
    table = mega_blackjack().bets(p1=10_00, p2=10_00).dealt("5s Ts 7d 6h 9h Kc").decides(p1="hit").dealt("Ts")
    assert (set(table.asked), settled_at_once(table, "p1")) == ({"p2"}, 0)
    assert table.decides(p2="stand").returned("p1") == 25_00


def test_mgb_payoffs_are_rounded_hand_by_hand() -> None:
    table = (
        mega_blackjack().bets(p1=25).dealt("8s 7d 8h Kc").decides(p1="split").dealt("3s").decides(p1="hit").dealt("Ts")
    )
    table.dealt("3s").decides(p1="hit").dealt("Ts")
    wager = table.wager("p1", "blackjack")
    assert (wager.returned, wager.breakage) == (2 * (25 + 37), "1/2 + 1/2")


BUSTS = {
    "3 cards": ("6d", "Tc", "Kc"),
    "4 cards": ("2d", "3c", "Tc 9c"),
    "5 cards": ("2d", "2c", "2s Tc 9c"),
    "6 cards": ("2d", "2c", "2s 2h 5c Tc"),
    "7 cards": ("2d", "2c", "2s 2h 2d 5c Tc"),
}


@pytest.mark.parametrize(
    ("paytable", "pays"),
    [("MEGA-1", (-1, 6, 10, 15, 50)), ("CLASSIC", (2, 2, 4, 12, 50))],
)
def test_mgb_optional_buster_blackjack_wager_pays_by_the_number_of_cards(paytable: str, pays: tuple[int, ...]) -> None:
    for cards, odds in zip(("3 cards", "4 cards", "5 cards", "6 cards", "7 cards"), pays, strict=True):
        up_card, hole_card, draws = BUSTS[cards]
        table = mega_blackjack(side_bets={"buster": paytable}).bets(p1={"blackjack": 10_00, "buster": 1_00})
        table.dealt(f"Ts {up_card} Kh {hole_card}").decides(p1="stand").dealt(draws)
        assert table.returned("p1", "buster") == 1_00 + odds * 1_00, cards


@pytest.mark.parametrize("draws", ["2s 2h 2d 2c 4c Tc", "2s 2h 2d 2c 2s 2h Tc"])
def test_mgb_optional_buster_blackjack_wager_pays_250_for_8_cards_or_more(draws: str) -> None:
    table = (
        mega_blackjack()
        .bets(p1={"blackjack": 10_00, "buster": 1_00})
        .dealt("Ts 2d Kh 2c")
        .decides(p1="stand")
        .dealt(draws)
    )
    assert (table.awaits, table.returned("p1", "buster")) == ("confirmation", 251_00)


def test_mgb_optional_buster_blackjack_wager_is_mega_1_unless_another_paytable_is_chosen() -> None:
    assert game("mega-blackjack").offers["buster"].paytable_name == "MEGA-1"


def test_mgb_optional_buster_blackjack_wager_loses_when_the_dealer_does_not_bust() -> None:
    table = mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}).dealt("Ts 9d Kh Kc").decides(p1="stand")
    assert (table.returned("p1", "buster"), table.why("p1", "buster")) == (0, "Dealer did not bust: 19.")


def test_mgb_optional_buster_blackjack_wager_wins_whether_the_main_wager_wins_or_loses() -> None:
    table = mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}, p2={"blackjack": 10_00, "buster": 1_00})
    table.dealt("As Ts 2d Kh 6h 3c").decides(p2="hit").dealt("Qs Tc 9c")
    assert (table.returned("p1"), table.returned("p2")) == (40_00, 0)
    assert table.returned("p1", "buster") == table.returned("p2", "buster") == 7_00


def test_mgb_note_the_dealer_completes_the_hand_for_buster_alone() -> None:
    blackjack = mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}).dealt("As 6d Kh Tc")
    assert blackjack.awaits == "card for dealer"
    without = mega_blackjack().bets(p1=10_00).dealt("As 6d Kh Tc")
    assert without.awaits == "confirmation"


def test_mgb_note_the_dealer_completes_the_hand_when_every_player_has_busted() -> None:
    busted = mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}).dealt("Ts 2d 6h 3c")
    assert busted.decides(p1="hit").dealt("Qs").awaits == "card for dealer"
    without = mega_blackjack().bets(p1=10_00).dealt("Ts 2d 6h 3c").decides(p1="hit").dealt("Qs")
    assert without.awaits == "confirmation"


def test_mgb_note_a_dealer_blackjack_is_a_completed_hand() -> None:
    table = mega_blackjack().bets(p1={"blackjack": 10_00, "buster": 1_00}).dealt("Ts Kd 9h Ac")
    assert (table.awaits, table.returned("p1", "buster")) == ("confirmation", 0)


def test_mgb_toke_bets_on_blackjack_are_paid_by_the_same_schedule() -> None:
    table = mega_blackjack().bet("p1", 10_00, dealer={"blackjack": 1_00}).dealt("As 7d Kh Kc")
    assert (table.result("p1").tips, table.net("p1")) == (4_00, 30_00 - 1_00)
    twenty_one = (
        mega_blackjack().bet("p1", 10_00, dealer=1_00).dealt("5s 7d 6h Kc").decides(p1="double+dealer").dealt("Ts")
    )
    assert twenty_one.result("p1").tips == 5_00


def test_mgb_toke_bets_follow_the_pushes_of_the_player() -> None:
    table = mega_blackjack().bet("p1", 10_00, dealer=1_00).dealt("Ts 2d 9h 3c").decides(p1="stand").dealt("Tc 9c")
    assert (table.result("p1").tips, table.net("p1")) == (0, 0)


def test_mgb_toke_bets_on_buster_alone_get_no_cards_but_the_dealer_plays_for_them() -> None:
    table = mega_blackjack().bet("p1", dealer={"buster": 1_00}).dealt()
    assert table.awaits == "card for up card"
    table.dealt("2d 3c Tc 9c")
    assert (table.hands("p1"), table.result("p1").tips, table.net("p1")) == ((), 7_00, -1_00)


def test_mgb_toke_bets_on_blackjack_need_the_players_own() -> None:
    with refused("MGB Toke Bets", "needs the player's own"):
        mega_blackjack().bet("p1", dealer={"blackjack": 1_00})


def test_mgb_toke_bets_can_be_switched_off() -> None:
    with refused("MGB Toke Bets", "wagers for the dealer are not taken"):
        mega_blackjack(dealer_wagers=False).bet("p1", 10_00, dealer={"buster": 1_00})
