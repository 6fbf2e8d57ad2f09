"""Stadium Three Card Poker, clause by clause. Nine cards are dealt to locations 1 to 9, then the dealer's three."""

import pytest

from podium.basics.cards import card
from podium.play.events import CardDealt
from podium.rules.games import game
from podium.rules.rulebook import rulebook
from tests.table import Table, refused, three_card_poker

# Location:  1  2  3   4  5  6   7  8  9
ARRAY = "Qs 7d 2h 9s 9d 4h 5c 6c 7c"
LOW_DEALER, QUEEN_DEALER, KING_DEALER = "Jd 9h 2c", "Qd 7h 2c", "Kd 7h 2c"


def row_one(cards: str, dealer: str) -> Table:
    """One player with the proposed cards, who plays them for an ante of 10.00."""
    rest = [code for code in "3c 4d 6h 8s Jc Tc".split() if code not in f"{cards} {dealer}"]
    spare = [code for code in "2s 5d 8h Ts Jh 3d".split() if code not in f"{cards} {dealer}"]
    array = f"{cards} {' '.join((rest + spare)[:6])}"
    return three_card_poker().bets(p1=10_00).dealt(array).decides(p1="play").dealt(dealer)


def test_tcp_intro_a_single_deck() -> None:
    table = three_card_poker().bets(p1=10_00).dealt("Qs")
    with refused("TCP intro", "one deck"):
        table.dealt("Qs")
    with refused("TCP intro", "always 1"):
        three_card_poker(decks=2)


def test_tcp_intro_the_chosen_locations_are_the_hand() -> None:
    table = three_card_poker().bet("p1", 10_00, spots=(9, 1, 5)).dealt(ARRAY).decides(p1="play").dealt(LOW_DEALER)
    assert table.hands("p1")[0].cards == "7c Qs 9d"


def test_tcp_1_betting_comes_first() -> None:
    table = three_card_poker()
    assert table.awaits == "wagers"
    with refused("cannot be dealt now: the round awaits"):
        table.apply(CardDealt(card("Qs")))


@pytest.mark.parametrize("spots", [(1, 2), (1, 2, 3, 4), (1, 1, 2), (0, 1, 2), (8, 9, 10)])
def test_tcp_2_three_distinct_locations_of_the_nine(spots: tuple[int, ...]) -> None:
    with refused("TCP 2", "three different locations from 1 to 9"):
        three_card_poker().bet("p1", 10_00, spots=spots)


def test_tcp_2_without_a_choice_it_is_the_first_row() -> None:
    table = three_card_poker().bets(p1=10_00).dealt(ARRAY).decides(p1="play").dealt(LOW_DEALER)
    assert table.hands("p1")[0].cards == "Qs 7d 2h"


def test_tcp_2_players_choose_independently_even_the_same_cards() -> None:
    table = three_card_poker().bet("p1", 10_00, spots=(4, 5, 6)).bet("p2", 10_00, spots=(5, 4, 1)).dealt(ARRAY)
    table.decides(p1="play", p2="play").dealt(KING_DEALER)
    assert [table.hands(player)[0].cards for player in ("p1", "p2")] == ["9s 9d 4h", "9d 9s Qs"]


@pytest.mark.parametrize("wager", ["pair-plus", "six-card-bonus", "pair-plus@row-1"])
def test_tcp_3_the_ante_is_needed(wager: str) -> None:
    with refused("TCP 3", "needs a wager on Ante"):
        three_card_poker().bets(p1={wager: 1_00})


def test_tcp_3_the_side_wagers_are_optional() -> None:
    table = three_card_poker().bets(p1=10_00, p2={"ante": 10_00, "pair-plus": 5_00, "six-card-bonus": 5_00})
    assert (table.credit("p1"), table.credit("p2")) == (990_00, 980_00)


def test_tcp_3_there_are_no_wagers_for_the_dealer() -> None:
    with refused("TCP 3", "wagers for the dealer are not taken"):
        three_card_poker().bet("p1", 10_00, dealer={"pair-plus": 1_00})


LINES = {
    "row-1": (1, 2, 3),
    "row-2": (4, 5, 6),
    "row-3": (7, 8, 9),
    "column-1": (1, 4, 7),
    "column-2": (2, 5, 8),
    "column-3": (3, 6, 9),
}


@pytest.mark.parametrize(("line", "cards"), LINES.items())
def test_tcp_3_a_pair_plus_may_lie_on_each_row_and_column(line: str, cards: tuple[int, ...]) -> None:
    """The three aces lie on that line and on no other."""
    aces = iter(("As", "Ad", "Ah"))
    others = iter("2c 4d 6h 8s Tc Qd".split())
    array = " ".join(next(aces) if location in cards else next(others) for location in range(1, 10))
    table = three_card_poker().bets(p1={"ante": 10_00} | {f"pair-plus@{name}": 1_00 for name in LINES}).dealt(array)
    assert [name for name in LINES if table.returned("p1", f"pair-plus@{name}") == 31_00] == [line]


@pytest.mark.parametrize(("line", "cards"), LINES.items())
def test_tcp_3_a_six_card_bonus_may_lie_on_each_row_and_column(line: str, cards: tuple[int, ...]) -> None:
    """Two nines on that line make three of a kind with the dealer's nine; one nine alone makes nothing."""
    nines, others = iter(("9s", "9d")), iter("2c 4d 6h 8s Tc Qd 3h".split())
    array = " ".join(next(nines) if location in cards[:2] else next(others) for location in range(1, 10))
    wagers = {f"six-card-bonus@{name}": 1_00 for name in LINES}
    table = three_card_poker().bets(p1={"ante": 10_00} | wagers).dealt(array).decides(p1="fold").dealt("9h Kd Jc")
    assert [name for name in LINES if table.returned("p1", f"six-card-bonus@{name}") == 9_00] == [line]


def test_tcp_3_a_the_same_wager_can_lie_on_the_hand_and_on_a_line() -> None:
    table = three_card_poker().bet("p1", {"ante": 10_00, "pair-plus": 1_00, "pair-plus@row-2": 2_00}, spots=(4, 5, 1))
    table.dealt(ARRAY)
    assert (table.returned("p1", "pair-plus"), table.returned("p1", "pair-plus@row-2")) == (2_00, 4_00)


def test_tcp_3_a_there_is_no_seventh_line() -> None:
    with refused("TCP 3", "there is no wager 'pair-plus@row-4'"):
        three_card_poker().bets(p1={"ante": 10_00, "pair-plus@row-4": 1_00})


def test_tcp_4_the_first_packet_comes_when_betting_is_closed() -> None:
    assert three_card_poker().bets(p1=10_00).dealt().awaits == "card for location 1"
    with refused("TCP 3", "betting is closed"):
        three_card_poker().bets(p1=10_00).dealt().bets(p2=10_00)


def test_tcp_4_a_the_bottom_card_goes_to_location_1() -> None:
    table = three_card_poker().bets(p1=10_00).dealt("Qs 7d 2h")
    assert (table.awaits, [str(card) for card in table.cards]) == ("card for location 4", ["Qs", "7d", "2h"])
    table.dealt("9s 9d 4h 5c 6c 7c").decides(p1="fold").dealt(LOW_DEALER)
    assert table.hands("p1")[0].cards == "Qs 7d 2h"


def test_tcp_5_the_second_packet_fills_locations_4_to_6() -> None:
    table = three_card_poker().bet("p1", 10_00, spots=(4, 5, 6)).dealt(ARRAY).decides(p1="play").dealt(LOW_DEALER)
    assert table.hands("p1")[0].cards == "9s 9d 4h"


def test_tcp_6_the_third_packet_fills_locations_7_to_9() -> None:
    table = three_card_poker().bet("p1", 10_00, spots=(7, 8, 9)).dealt(ARRAY).decides(p1="play").dealt(LOW_DEALER)
    assert table.hands("p1")[0].cards == "5c 6c 7c"


def test_tcp_7_play_costs_exactly_the_ante() -> None:
    table = three_card_poker().bets(p1=10_00).dealt(ARRAY)
    assert table.choices("p1") == {"play", "fold"}
    with refused("TCP 7", "play costs exactly the ante"):
        table.decides(p1="play:500")
    assert table.decides(p1="play").credit("p1") == 980_00


def test_tcp_7_play_that_the_credit_does_not_cover_is_refused() -> None:
    table = three_card_poker().bet("p1", 10_00, credit=19_99).dealt(ARRAY)
    with refused("it costs 10.00, and the credit is 9.99", "Allowed now: fold"):
        table.decides(p1="play")


def test_tcp_7_fold_loses_the_ante_only() -> None:
    table = three_card_poker().bet("p1", {"ante": 10_00, "pair-plus": 5_00, "six-card-bonus": 5_00}, spots=(4, 5, 6))
    table.dealt("Qs 7d 2h 9s 9d 4h 5c 6c 7c").decides(p1="fold").dealt("9c Jh 2c")
    assert (table.returned("p1"), table.hands("p1")[0].result) == (0, "fold")
    assert (table.returned("p1", "pair-plus"), table.returned("p1", "six-card-bonus")) == (10_00, 45_00)


def test_tcp_7_another_decision_is_refused() -> None:
    with refused("TCP 7", "either played or folded"):
        three_card_poker().bets(p1=10_00).dealt(ARRAY).decides(p1="hit")


def test_tcp_7_a_who_does_not_decide_in_time_folds() -> None:
    table = three_card_poker().bets(p1=10_00, p2=10_00).dealt(ARRAY).decides(p2="play").times_out()
    assert (table.round.decisions_of(1), table.credit("p1")) == ([("fold", True)], 990_00)
    assert table.round.decisions_of(2) == [("play", False)]


def test_tcp_8_the_dealers_packet_comes_when_everybody_has_decided() -> None:
    table = three_card_poker().bets(p1=10_00, p2=10_00).dealt(ARRAY).decides(p1="play")
    assert table.awaits == "decisions"
    assert table.decides(p2="fold").awaits == "card for dealer 1"
    assert table.dealt(KING_DEALER).dealer("p1").cards == KING_DEALER


def test_tcp_8_the_dealers_packet_is_dealt_even_when_everybody_folded() -> None:
    table = three_card_poker().bets(p1=10_00).dealt(ARRAY).decides(p1="fold")
    assert table.awaits == "card for dealer 1"
    assert table.dealt(KING_DEALER).round.cards_dealt == 12


def test_tcp_9_a_dealer_below_queen_high_does_not_qualify() -> None:
    table = row_one("2h 4h 7s", LOW_DEALER)  # the dealer's jack would beat it
    assert table.dealer("p1").qualifies is False
    assert (table.returned("p1", "ante"), table.returned("p1", "play")) == (20_00, 10_00)


@pytest.mark.parametrize(
    ("dealer", "qualifies"), [("Qd 3h 2c", True), ("Jd Th 8c", False), ("2d 2s 3h", True), ("Jd 8d 5d", True)]
)
def test_tcp_9_queen_high_or_better_qualifies(dealer: str, qualifies: bool) -> None:
    assert row_one("Ah Kc 9s", dealer).dealer("p1").qualifies is qualifies


def test_tcp_9_the_better_hand_wins_both_1_to_1() -> None:
    table = row_one("Ah 4h 7s", KING_DEALER)
    assert (table.returned("p1", "ante"), table.returned("p1", "play"), table.net("p1")) == (20_00, 20_00, 20_00)


def test_tcp_9_the_worse_hand_loses_both() -> None:
    table = row_one("Qh 4h 9s", KING_DEALER)
    assert (table.net("p1"), table.why("p1", "play")) == (-20_00, "Dealer's king high beats your queen high.")


def test_tcp_9_a_tie_pushes_both() -> None:
    table = row_one("Ks 7s 2h", KING_DEALER)
    assert (table.returned("p1", "ante"), table.returned("p1", "play")) == (10_00, 10_00)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2h 3h 4h", "As Ad Ac"),
        ("2h 2s 2d", "As Kd Qc"),
        ("Ah 2s 3d", "As Ks 9s"),
        ("2h 4h 5h", "As Ad Kc"),
        ("2h 2s 3d", "As Kd Jc"),
        ("4h 2s 3d", "As 2d 3c"),
        ("Kh Ks 3d", "Qs Qd Ac"),
        ("Kh Ks 4d", "Kc Kd 3c"),
    ],
)
def test_tcp_9_hands_rank_straight_flush_trips_straight_flush_pair_high_card(better: str, worse: str) -> None:
    assert row_one(better, worse).result("p1").wagers[0].outcome == "win"
    assert row_one(worse, better).result("p1").wagers[0].outcome == "lose"


def test_tcp_10_pays_and_takes_wait_for_the_confirmation() -> None:
    table = row_one("Ah 4h 7s", KING_DEALER)
    assert (table.awaits, table.credit("p1")) == ("confirmation", 980_00)
    assert (table.confirmed().credit("p1"), table.awaits) == (1_020_00, "nothing")


SIX_CARDS = {
    "royal flush": ("As Ks Qs", "Js Ts 2d"),
    "straight flush": ("As 2s 3s", "4s 5s Kd"),
    "four of a kind": ("9s 9d 9h", "9c 2s 3d"),
    "full house": ("9s 9d 9h", "2c 2s 3d"),
    "flush": ("As 9s 7s", "4s 2s Kd"),
    "straight": ("As 2d 3s", "4s 5h Kd"),
    "three of a kind": ("9s 9d 7h", "9c 2s 3d"),
    "two pair": ("9s 9d 7h", "7c 2s 3d"),
}


@pytest.mark.parametrize(
    ("paytable", "pays"),
    [("TCP-6B3", (1000, 200, 100, 20, 15, 9, 8, -1)), ("TCP-6B4", (1000, 200, 100, 20, 15, 10, 7, -1))],
)
def test_tcp_three_card_poker_6_card_bonus_paytables_pay_as_printed(paytable: str, pays: tuple[int, ...]) -> None:
    spare = "3c 6c 6d 8h 8c Tc".split()
    for (name, (own, dealer)), odds in zip(SIX_CARDS.items(), pays, strict=True):
        table = three_card_poker(six_card_bonus=paytable).bets(p1={"ante": 1_00, "six-card-bonus": 1_00})
        table.dealt(f"{own} {' '.join(spare)}").decides(p1="fold").dealt(dealer)
        assert table.returned("p1", "six-card-bonus") == 1_00 + odds * 1_00, name


def test_tcp_three_card_poker_6_card_bonus_paytables_have_tcp_6b3_by_default() -> None:
    assert game("stadium-three-card-poker").offers["six-card-bonus"].paytable_name == "TCP-6B3"


@pytest.mark.parametrize(
    ("cards", "pays"),
    [("As 2s 3s", 40), ("9s 9d 9h", 30), ("Qs Kd Ah", 6), ("As 9s 7s", 3), ("9s 9d 7h", 1), ("As Kd Jh", -1)],
)
def test_tcp_pair_plus_paytable_d_pays_as_printed(cards: str, pays: int) -> None:
    table = three_card_poker().bets(p1={"ante": 10_00, "pair-plus": 1_00}).dealt(f"{cards} 3c 4c 6c 8h 8c Tc")
    assert table.returned("p1", "pair-plus") == 1_00 + pays * 1_00


def test_tcp_pair_plus_paytable_is_credited_with_the_ninth_card_and_may_be_staked() -> None:
    table = (
        three_card_poker()
        .bet("p1", {"ante": 10_00, "pair-plus": 10_00}, credit=20_00)
        .dealt("9s 9d 7h 3c 4c 6c 8h 8c Tc")
    )
    assert table.credit("p1") == 20_00
    assert table.decides(p1="play").credit("p1") == 10_00


@pytest.mark.parametrize(
    ("cards", "bonus"),
    [("As 2s 3s", 50_00), ("9s 9d 9h", 40_00), ("Qs Kd Ah", 10_00), ("As 9s 7s", None), ("9s 9d 7h", None)],
)
def test_tcp_ante_bonus_paytable_pays_a_straight_or_better(cards: str, bonus: int | None) -> None:
    """The damaged lines of flush and pair pay nothing: the printed hit frequency is that of straight or better."""
    bonuses = [line.returned for line in row_one(cards, "Kc Jd 2c").result("p1").wagers if line.wager == "ante-bonus"]
    assert bonuses == ([] if bonus is None else [bonus])


def test_tcp_ante_bonus_paytable_pays_whatever_the_dealer_has() -> None:
    table = row_one("Qs Kd Ah", "4h 4s 4c")
    assert (table.returned("p1"), table.returned("p1", "ante-bonus"), table.net("p1")) == (0, 10_00, -10_00)


def test_tcp_ante_bonus_paytable_is_paid_with_the_ante_and_the_rules_say_so() -> None:
    table = three_card_poker().bets(p1=10_00).dealt("Qs Kd Ah 3c 4c 6c 8h 8c Tc").decides(p1="play").dealt("2d 5d 9c")
    assert table.credit("p1") == 980_00
    assert table.confirmed().credit("p1") == 1_020_00
    [bonus] = [line for line in rulebook(table.round.game).text().splitlines() if "Ante Bonus: a hand" in line]
    assert "paid with your Ante, when the result is confirmed" in bonus


def test_tcp_ante_bonus_paytable_does_not_pay_a_folded_hand() -> None:
    table = three_card_poker().bets(p1=10_00).dealt("As 2s 3s 3c 4c 6c 8h 8c Tc").decides(p1="fold").dealt(KING_DEALER)
    assert table.net("p1") == -10_00


@pytest.mark.parametrize(
    ("option", "bet", "outcome", "wager"),
    [("pair_plus", "pair-plus", "pair", "pair-plus"), ("ante_bonus", "ante-bonus", "straight", "ante-bonus")],
)
def test_tcp_pair_plus_paytable_and_ante_bonus_can_be_another_that_was_entered(
    option: str, bet: str, outcome: str, wager: str
) -> None:
    options = {"paytables": {bet: {"MINE": {outcome: "7:1"}}}, option: "MINE"}
    cards = "9s 9d 7h" if bet == "pair-plus" else "Qs Kd Ah"
    table = Table("stadium-three-card-poker", options).bets(p1={"ante": 1_00, "pair-plus": 1_00})
    table.dealt(f"{cards} 3c 4c 6c 8h 8c Tc").decides(p1="play").dealt("2d 5d Kc")
    wins = {"pair-plus": 8_00, "ante-bonus": 7_00}
    assert table.returned("p1", wager) == wins[wager]
