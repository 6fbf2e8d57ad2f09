"""What a terminal asks for that no honest one would: refused, and nothing has changed."""

import re
from collections.abc import Callable

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house.table import TableConfig
from podium.server.approvals import Act
from podium.server.handling import carry_out
from podium.server.terminals import Who
from podium.wire.commands import (
    AnswerPeek,
    AnyCommand,
    BeginCorrection,
    Correct,
    Decide,
    EnterCard,
    RemoveCard,
    ReplaceCard,
    SwapCards,
    TurnHole,
    WithdrawPeek,
)
from tests.floor import TestHouse


class NoSupervisor:
    def approve(self, act: Act, code: str, now: int) -> str:
        raise Refused("approval-unknown")


class EasySupervisor:
    def approve(self, act: Act, code: str, now: int) -> str:
        return "sue"


class Supervisor:
    """Sees what is asked for, and approves nothing."""

    def __init__(self) -> None:
        self.sees: list[str] = []

    def approve(self, act: Act, code: str, now: int) -> str:
        self.sees.append(f"{act.said} {msgspec.json.encode(act.said).decode()}")
        raise Refused("approval-unknown")


@pytest.mark.parametrize("number", [3, 4])
def test_card_4_the_approval_of_a_correction_names_no_card_that_lies_face_down(number: int) -> None:
    """The fourth card is the hole card: neither as it was entered nor as it is said to be is it named to anybody."""
    house = TestHouse(t1=TableConfig(game="match-up-blackjack", dealer="live", approvals=("correct",)))
    house.player("p1")
    table, dana, supervisor = house.table(), Who("dana", "dealer"), Supervisor()
    table.take_place("dana", house.now)
    table.load_shoe(52 * table.upcoming.to_game().rules.decks, house.now, by="dana")
    table.open_round(house.now)
    house.bet("p1", 400)
    table.close_bets(house.now)
    for place, card in enumerate(("9s", "7h", "8d", "5c"), start=1):
        carry_out(house.house, supervisor, dana, "t1", EnterCard(id=place, round=1, number=place, card=card), house.now)
    face_down = table.in_play.lies_face_down(number)
    wrong = Correct(id=9, round=1, number=number, card="4h", reason="misread")
    with pytest.raises(Refused, match="does not fit this request"):
        carry_out(house.house, supervisor, dana, "t1", wrong, house.now)
    [seen] = supervisor.sees
    named = set(re.findall(r'"([2-9TJQKA][shdc])"', seen))
    assert (face_down, named) in [(True, set()), (False, {"4h", "8d"})]
    assert ("which lies face down" in seen) == face_down


def test_card_3_a_swap_that_is_sent_again_after_a_restart_is_done_once() -> None:
    """The house answers a terminal's command twice alike only while it runs: a correction by its number, for good."""
    house = TestHouse(t1=TableConfig(game="stadium-blackjack", dealer="live"))
    house.player("p1")
    table, dana = house.table(), Who("dana", "dealer")
    table.take_place("dana", house.now)
    table.load_shoe(52 * table.upcoming.to_game().rules.decks, house.now, by="dana")
    table.open_round(house.now)
    house.bet("p1", 1000)
    table.close_bets(house.now)

    def do(command: AnyCommand) -> None:
        carry_out(house.house, EasySupervisor(), dana, "t1", command, house.now)

    for place, card in enumerate(("9s", "7h"), start=1):
        do(EnterCard(id=place, round=1, number=place, card=card))
    fixes = (SwapCards(1, 2),)
    with pytest.raises(Refused, match="is begun first and names its number"):
        do(Correct(id=3, round=1, fixes=fixes, why="out-of-order"))
    do(BeginCorrection(id=4, round=1))
    for number in (5, 6):
        do(Correct(id=number, round=1, fixes=fixes, why="out-of-order", correction=1))
    with pytest.raises(Refused, match="was done with other changes"):
        do(Correct(id=7, round=1, fixes=(RemoveCard(2),), why="entered-twice", correction=1))
    assert [str(card) for card in table.in_play.cards] == ["7h", "9s"]


@pytest.mark.parametrize("step", [-1, -99, 1, 99])
def test_disp_10_an_answer_counts_for_the_question_that_is_asked_and_for_no_other(step: int) -> None:
    house = TestHouse(t1=TableConfig(game="stadium-three-card-poker", shuffle_seconds=0))
    house.player("p1")
    house.run_until("betting")
    house.bet("p1", 500)
    house.run_until("deciding")
    answer = Decide(id=1, round=house.table().round_number, step=step, decision="fold")
    with pytest.raises(Refused, match="not open now"):
        carry_out(house.house, NoSupervisor(), Who("p1", "player"), "t1", answer, house.now)
    assert house.table().in_play.decisions_of(1) == []


@pytest.mark.parametrize("number", [0, -1, -99])
def test_a_card_counts_for_the_place_that_is_next_and_for_no_other(number: int) -> None:
    house = TestHouse(t1=TableConfig(game="stadium-blackjack", dealer="live"))
    house.player("p1")
    table = house.table()
    table.take_place("dana", house.now)
    table.load_shoe(52 * table.upcoming.to_game().rules.decks, house.now, by="dana")
    table.open_round(house.now)
    house.bet("p1", 500)
    table.close_bets(house.now)
    for place, card in enumerate(("9s", "7h"), start=1):
        entered = EnterCard(id=place, round=1, number=place, card=card)
        carry_out(house.house, NoSupervisor(), Who("dana", "dealer"), "t1", entered, house.now)
    again = EnterCard(id=3, round=1, number=number, card="7h")
    with pytest.raises(Refused, match="not the next one"):
        carry_out(house.house, NoSupervisor(), Who("dana", "dealer"), "t1", again, house.now)
    assert len(table.in_play.cards) == 2


def at_the_peek() -> tuple[TestHouse, Callable[[AnyCommand], None]]:
    """A round of Mega Blackjack with a ten up and a hole card that only the dealer has seen."""
    house = TestHouse(t1=TableConfig(game="mega-blackjack", dealer="live"))
    house.player("p1")
    table, dana = house.table(), Who("dana", "dealer")
    table.take_place("dana", house.now)
    table.load_shoe(52 * table.upcoming.to_game().rules.decks, house.now, by="dana")
    table.open_round(house.now)
    house.bet("p1", 1000)
    table.close_bets(house.now)

    def do(command: AnyCommand) -> None:
        carry_out(house.house, EasySupervisor(), dana, "t1", command, house.now)

    for place, card in enumerate(("9s", "Kh", "8d", "unknown"), start=1):
        do(EnterCard(id=place, round=1, number=place, card=card))
    return house, do


def test_int_1_a_peek_that_was_withdrawn_is_not_taken_for_done_when_it_is_said_again() -> None:
    house, do = at_the_peek()
    do(AnswerPeek(id=5, round=1, blackjack=False))
    do(AnswerPeek(id=6, round=1, blackjack=False))  # sent again: it is done
    do(BeginCorrection(id=7, round=1))
    do(AnswerPeek(id=8, round=1, blackjack=False))  # and so it is while a correction is open
    do(Correct(id=9, round=1, correction=1, fixes=(WithdrawPeek(),), why="wrong-peek"))
    do(BeginCorrection(id=10, round=1))
    with pytest.raises(Refused, match="A card is being corrected"):
        do(AnswerPeek(id=11, round=1, blackjack=False))
    assert house.table().phase() == "peeking"


def test_int_1_a_hole_card_that_contradicts_a_later_peek_is_not_taken_for_turned_when_it_is_entered_again() -> None:
    """The dealer's ten was an ace: the dealer looks again and sees no blackjack, and the card that was turned is a king."""
    house, do = at_the_peek()
    do(AnswerPeek(id=5, round=1, blackjack=False))
    house.decide("p1", "stand")
    do(TurnHole(id=7, round=1, card="Kd"))
    do(TurnHole(id=8, round=1, card="Kd"))  # sent again: it is done
    do(Correct(id=9, round=1, fixes=(ReplaceCard(2, "Ah"),), why="wrong-card"))
    house.decide("p1", "decline")  # with an ace up, insurance is asked
    assert house.table().phase() == "turning"
    with pytest.raises(Refused, match="contradicts the peek"):
        do(TurnHole(id=11, round=1, card="Kd"))
