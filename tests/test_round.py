"""One round: what it awaits at each moment of the three dealings, seats and credit, corrections, and what it refuses."""

from typing import Any

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.play.events import (
    BettingClosed,
    CardCorrected,
    CardDealt,
    Confirmed,
    CreditAdded,
    Decided,
    HolePeeked,
    HoleTurned,
    TimeExpired,
    Voided,
    WagersPlaced,
)
from podium.play.round import Round
from podium.rules.asking import Decisions
from tests.stories import picture
from tests.table import Table, match_up_blackjack, mega_blackjack, refused, stadium_blackjack, three_card_poker

# --- what it awaits ---------------------------------------------------------------------------------------------------


def awaited(table: Table, *events: Any) -> list[str]:
    """What the round awaits before each of these events, and after the last."""
    seen = [table.awaits]
    for event in events:
        table.apply(event)
        seen.append(table.awaits)
    return seen


def deal(codes: str) -> list[CardDealt]:
    return [CardDealt(card(code)) for code in codes.split()]


def test_what_a_community_round_awaits() -> None:
    assert awaited(
        stadium_blackjack(),
        WagersPlaced(1, {"blackjack": 10}),
        BettingClosed(),
        *deal("Ts Ad 5h"),
        Decided(1, "insure"),
        Decided(1, "hit"),
        *deal("5c"),
        Decided(1, "stand"),
        *deal("6c Kc"),
        Confirmed(),
    ) == [
        "wagers",
        "wagers",
        "card for player 1",
        "card for dealer 1",
        "card for player 2",
        "decisions",
        "decisions",
        "card for community 1",
        "decisions",
        "card for community 2",
        "card for community 3",
        "confirmation",
        "nothing",
    ]


def test_what_a_round_of_own_hands_awaits_with_an_unknown_hole_card() -> None:
    assert awaited(
        match_up_blackjack(),
        WagersPlaced(3, {"blackjack": 200}),
        BettingClosed(),
        *deal("8s Ad 8h"),
        CardDealt(None),
        Decided(3, "decline"),
        HolePeeked(False),
        Decided(3, "split"),
        *deal("Tc"),
        Decided(3, "stand"),
        *deal("9c"),
        Decided(3, "stand"),
        HoleTurned(card("5c")),
        *deal("2c"),
        Confirmed(),
    ) == [
        "wagers",
        "wagers",
        "card for seat 3",
        "card for up card",
        "card for seat 3",
        "card for hole card",
        "decisions",
        "peek",
        "decisions",
        "card for seat 3",
        "decisions",
        "card for seat 3, hand 2",
        "decisions",
        "hole card",
        "card for dealer",
        "confirmation",
        "nothing",
    ]


def test_what_a_round_of_nine_cards_awaits() -> None:
    seen = awaited(
        three_card_poker(),
        WagersPlaced(1, {"ante": 10}),
        BettingClosed(),
        *deal("Qs 7d 2h 9s 9d 4h 5c 6c 7c"),
        Decided(1, "play"),
        *deal("Jd 9h 2c"),
        Confirmed(),
    )
    assert seen[2:11] == [f"card for location {number}" for number in range(1, 10)]
    assert seen[11:] == [
        "decisions",
        "card for dealer 1",
        "card for dealer 2",
        "card for dealer 3",
        "confirmation",
        "nothing",
    ]


def test_a_question_says_what_each_answer_costs() -> None:
    table = stadium_blackjack(double_for_less=True).bet("p1", 10_00, dealer=1_00).dealt("8s 6d 8h")
    awaits = table.round.awaits
    assert isinstance(awaits, Decisions)
    allowed = awaits[1].allowed
    assert {answer: tuple(cost) for answer, cost in allowed.items()} == {
        "hit": (0, 0),
        "stand": (0, 0),
        "double": (1000, 1000),
        "split": (1000, 1000),
        "surrender": (0, 0),
        "double:AMOUNT": (1, 999),
        "double+dealer": (1100, 1100),
        "split+dealer": (1100, 1100),
    }


def test_a_result_is_not_known_before_every_card_is_out() -> None:
    table = stadium_blackjack().bets(p1=10).dealt("Ts 6d Kh")
    with refused("The round is not finished"):
        table.result("p1")


# --- seats and credit -------------------------------------------------------------------------------------------------


def test_wagers_above_the_credit_are_refused() -> None:
    table = stadium_blackjack()
    with refused("p1: wagers of 10.01 are more than the credit of 10.00"):
        table.bet("p1", {"blackjack": 1000, "trilux": 1}, credit=1000)
    assert table.bet("p1", 1000, credit=1000).credit("p1") == 0


def test_a_question_is_asked_whether_or_not_the_credit_covers_it() -> None:
    table = stadium_blackjack().bet("p1", 1000, credit=1000).dealt("5s 6d 6h")
    assert "double" in table.choices("p1")
    with refused("it costs 10.00, and the credit is 0.00", "Allowed now: hit, stand, surrender."):
        table.decides(p1="double")
    assert table.adds_credit("p1", 1000).decides(p1="double").credit("p1") == 0


def test_unlimited_credit_covers_everything() -> None:
    table = stadium_blackjack().bet("p1", 10**15, credit=None).dealt("5s 6d 6h").decides(p1="double")
    assert table.credit("p1") is None


def test_wagers_that_are_taken_back_leave_the_seat_free() -> None:
    table = match_up_blackjack(seats=1).bets(p1=200)
    with refused("MUB 5"):
        table.bets(p2=200)
    table.bet("p1")
    assert 1 not in table.round.seats
    assert table.bets(p2=200).credit("p2") == 998_00


def test_a_refused_wager_leaves_the_earlier_one() -> None:
    table = stadium_blackjack().bets(p1=1000)
    with refused("there is no wager 'roulette'"):
        table.bet("p1", {"blackjack": 500, "roulette": 5})
    assert table.credit("p1") == 990_00


# --- corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_settles_side_bets_anew() -> None:
    table = stadium_blackjack().bets(p1={"blackjack": 1000, "bet-the-set-21": 100}).dealt("8s 6d 8h")
    assert table.credit("p1") == 1_000_00 - 11_00 + 11_00
    assert table.corrected(3, "9h").credit("p1") == 1_000_00 - 11_00


def test_a_decision_that_is_no_longer_legal_is_asked_again_and_its_cost_comes_back() -> None:
    table = stadium_blackjack().bets(p1=1000).dealt("8s 6d 8h").decides(p1="split").corrected(3, "9h")
    assert (table.credit("p1"), "split" in table.choices("p1")) == (990_00, False)


def test_a_decision_that_is_still_legal_stands() -> None:
    table = stadium_blackjack().bets(p1=1000).dealt("5s 6d 6h").decides(p1="double").dealt("2c").corrected(1, "4s")
    table.dealt("Kd Kc")
    assert (table.hands("p1")[0].cards, table.returned("p1")) == ("4s 6h 2c", 40_00)


def test_what_the_house_decided_on_a_wrong_card_it_decides_again() -> None:
    """SBJ 6: 15 stands by itself when time runs out, but 8 hits."""
    table = stadium_blackjack().bets(p1=1000).dealt("Ts 9d 5h").times_out().corrected(1, "3s")
    assert table.round.decisions_of(1) == [("hit", True)]


def test_credit_that_was_added_is_there_once_after_every_correction() -> None:
    table = stadium_blackjack().bets(p1=1000).dealt("Ts 9d 5h").adds_credit("p1", 500)
    for code in ("9s", "8s", "7s"):
        assert table.corrected(1, code).credit("p1") == 1_000_00 - 1000 + 500


def test_a_card_that_lies_aside_after_a_correction_has_left_the_shoe() -> None:
    """The only five of clubs that was left was drawn for a hand that turns out to be a blackjack (CARD-1)."""
    table = Table("match-up-blackjack", out="5c " * 5).bets(p1=200).dealt("2s 6d 3h ??").decides(p1="hit").dealt("5c")
    table.decides(p1="stand").corrected(1, "As").corrected(3, "Kh")
    with refused("5c cannot come again"):
        table.turned("5c")


def test_a_seat_that_changed_hands_stays_with_its_player_after_every_correction() -> None:
    """p1 left a full table and p2 came: playing the wagers again must find room every time."""
    table = match_up_blackjack(seats=1).bets(p1=200).bet("p1").bets(p2=200).dealt("8s 6d 8h Tc")
    for code in ("7s", "6s", "5s"):
        assert set(table.corrected(1, code).asked) == {"p2"}


@pytest.mark.parametrize("number", [0, -1, 4, 99])
def test_a_card_that_is_not_out_cannot_be_corrected(number: int) -> None:
    table = stadium_blackjack().bets(p1=1000).dealt("8s 6d 8h")
    with refused(f"Card {number} cannot be corrected", "1 to 3"):
        table.corrected(number, "9h")


def test_there_is_nothing_to_correct_while_betting_is_open() -> None:
    with refused("betting is still open"):
        stadium_blackjack().bets(p1=1000).corrected(1, "9h")


def test_an_up_card_that_turns_into_an_ace_asks_for_insurance_first() -> None:
    table = stadium_blackjack().bets(p1=1000).dealt("8s 6d 8h").decides(p1="split").corrected(2, "Ad")
    assert table.choices("p1") == {"insure", "decline"}
    assert table.decides(p1="decline").awaits == "card for community 1"  # the split stands


# --- junk -------------------------------------------------------------------------------------------------------------

NUMBERS: list[Any] = [None, True, "1", 1.0, [1], {1: 1}, -1, 0]


def asking() -> Round:
    return stadium_blackjack().bets(p1=1000, p2=1000).dealt("8s 6d 8h").round


def is_refused(played: Round, event: Any) -> None:
    before = picture(played)
    with pytest.raises(Refused):
        played.apply(event)
    assert picture(played) == before


@pytest.mark.parametrize("seat", NUMBERS)
def test_a_seat_is_a_whole_number_from_1(seat: Any) -> None:
    is_refused(Round(stadium_blackjack().round.game), WagersPlaced(seat, {"blackjack": 100}))
    is_refused(asking(), Decided(seat, "hit"))
    is_refused(asking(), CreditAdded(seat, 100))


@pytest.mark.parametrize("amounts", [None, [], [("blackjack", 100)], "blackjack", 100, {1: 100}, {"blackjack": [100]}])
def test_wagers_are_a_table_of_names_and_amounts(amounts: Any) -> None:
    is_refused(Round(stadium_blackjack().round.game), WagersPlaced(1, amounts))


@pytest.mark.parametrize("amounts", [None, [1], "blackjack", 100, {1: 100}, {"blackjack": [100]}])
def test_wagers_for_the_dealer_are_such_a_table_too(amounts: Any) -> None:
    is_refused(Round(stadium_blackjack().round.game), WagersPlaced(1, {"blackjack": 100}, amounts))


@pytest.mark.parametrize("credit", ["100000", 1e9, True, [], -1])
def test_a_credit_is_a_whole_number(credit: Any) -> None:
    is_refused(Round(stadium_blackjack().round.game), WagersPlaced(1, {"blackjack": 1}, credit=credit))


@pytest.mark.parametrize("code", ["8s", 8, True, [], ("8", "s"), object()])
def test_a_card_is_a_card(code: Any) -> None:
    is_refused(stadium_blackjack().bets(p1=1000).dealt("8s").round, CardDealt(code))
    is_refused(asking(), CardCorrected(1, code))
    is_refused(match_up_blackjack().bets(p1=200).dealt("8s 6d 9h ??").decides(p1="stand").round, HoleTurned(code))


def test_a_card_is_corrected_and_turned_to_one_that_is_known() -> None:
    is_refused(asking(), CardCorrected(1, None))  # the point of the test
    is_refused(match_up_blackjack().bets(p1=200).dealt("8s 6d 9h ??").decides(p1="stand").round, HoleTurned(None))  # type: ignore[arg-type]  # the same


@pytest.mark.parametrize(
    "decision", [None, 5, "", "HIT", "hit ", "double:", "double:-5", "double:1.5", "double:٣", "split+player", ["hit"]]
)
def test_a_decision_is_one_of_those_that_there_are(decision: Any) -> None:
    is_refused(asking(), Decided(1, decision))


@pytest.mark.parametrize("seats", [(1, 1), (1, 9), (9,), 1, "1", (True,), ("1",), [1], {1: 1}, ()])
def test_time_runs_out_for_seats_that_are_asked_each_once(seats: Any) -> None:
    is_refused(asking(), TimeExpired(seats))


@pytest.mark.parametrize("saw", [None, 0, 1, "yes", []])
def test_a_peek_is_yes_or_no(saw: Any) -> None:
    is_refused(match_up_blackjack().bets(p1=200).dealt("9s Kd 9h ??").round, HolePeeked(saw))


@pytest.mark.parametrize("reason", [None, 5, [], {}, b"fire"])
def test_a_reason_is_text(reason: Any) -> None:
    is_refused(asking(), Voided(reason))


@pytest.mark.parametrize("event", [None, "hit", 5, CardDealt, {"event": "voided"}])
def test_what_is_no_event_is_refused(event: Any) -> None:
    is_refused(asking(), event)


EARLY: list[Any] = [
    CardDealt(card("As")),
    Decided(1, "hit"),
    TimeExpired(),
    Confirmed(),
    HolePeeked(True),
    BettingClosed(),
]
BETWEEN: list[Any] = [CardDealt(card("As")), Confirmed(), HolePeeked(True), HoleTurned(card("As")), BettingClosed()]
LATE: list[Any] = [
    Voided(),
    Confirmed(),
    CardCorrected(1, card("Ad")),
    CreditAdded(1, 5),
    WagersPlaced(2, {"blackjack": 5}),
]


@pytest.mark.parametrize("event", EARLY, ids=lambda event: type(event).__name__)
def test_before_the_first_wager_nothing_but_wagers_is_taken(event: Any) -> None:
    is_refused(Round(stadium_blackjack().round.game), event)


@pytest.mark.parametrize("event", BETWEEN, ids=lambda event: type(event).__name__)
def test_while_decisions_are_awaited_no_card_and_no_confirmation_is_taken(event: Any) -> None:
    is_refused(asking(), event)


@pytest.mark.parametrize("event", LATE, ids=lambda event: type(event).__name__)
def test_after_the_confirmation_nothing_is_taken(event: Any) -> None:
    is_refused(mega_blackjack().bets(p1=1000).dealt("As 9d Kh 9c").confirmed().round, event)
