"""CARD-2, CARD-3, CARD-9: every mistake with a card can be corrected, the table waits meanwhile, and everybody is shown
what changed."""

from collections.abc import Callable
from typing import Any

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house import House
from podium.house.table import Table, TableConfig
from podium.house.table.correcting import Fix
from podium.house.table.pace import due
from podium.play.events import (
    CardInserted,
    CardRemoved,
    CardReplaced,
    HoleTurned,
    PeekWithdrawn,
)
from podium.play.notation import read, write
from podium.play.reasons import Reason
from podium.play.round import Round
from podium.rules.asking import Decisions, HoleCard, Peek
from podium.rules.games import game
from podium.server.show import Window
from tests.floor import OPENING, TestHouse, credit


def codes(played: Round) -> str:
    return " ".join(each.code if each else "?" for each in played.cards)


def awaited(played: Round) -> type:
    return type(played.awaits)


def community(cards: str, *seats: int, **options: Any) -> Round:
    played = Round(game("stadium-blackjack", options))
    for seat in seats or (1,):
        played.bet(seat, blackjack=10_00, credit=1_000_00)
    played.close_betting()
    played.deal(cards)
    return played


# --- the round ------------------------------------------------------------------------------------------------------------


def test_two_transposed_cards_change_places_in_one_act() -> None:
    played = community("9s 6h 2c")
    played.edit(CardReplaced(1, card("6h")), CardReplaced(2, card("9s")))
    assert codes(played) == "6h 9s 2c"


def test_a_transposed_packet_of_the_only_deck_is_corrected_without_a_false_third_card() -> None:
    """TCP: with one deck, neither of two transposed cards can be replaced before the other."""
    played = Round(game("stadium-three-card-poker"))
    played.bet(1, ante=5_00, credit=100_00)
    played.close_betting()
    played.deal("2s 3s 4s")
    with pytest.raises(Refused, match="cannot come again"):
        played.correct(1, "4s")
    played.edit(*(CardReplaced(at, card(code)) for at, code in enumerate(["4s", "2s", "3s"], start=1)))
    assert codes(played) == "4s 2s 3s"


def test_a_missed_card_is_inserted_and_the_others_follow_one_later() -> None:
    played = community("9s 2c 5d")
    played.edit(CardInserted(2, card("6h")))
    assert codes(played) == "9s 6h 2c"
    assert played.cards_gone == 4
    played.decide(1, "hit")
    assert codes(played) == "9s 6h 2c 5d"


def test_a_card_that_was_entered_twice_is_removed_and_has_not_left_the_shoe() -> None:
    played = community("9s 9s 6h")
    played.edit(CardRemoved(2))
    assert (codes(played), played.cards_gone) == ("9s 6h", 2)
    played.deal("2c")
    assert codes(played) == "9s 6h 2c"


def test_a_refused_edit_changes_nothing() -> None:
    played = community("9s 6h 2c")
    for edits, why in (
        ((CardRemoved(4),), "Card 4 cannot be corrected"),
        ((CardInserted(5, card("6h")),), "Card 5 cannot be corrected"),
        ((CardReplaced(1, card("5s")), CardReplaced(9, card("5s"))), "Card 9 cannot be corrected"),
        ((PeekWithdrawn(),), "nothing to withdraw"),
        ((), "at least one card"),
        ((CardReplaced(1, None),), "Only a hole card"),
    ):
        with pytest.raises(Refused, match=why):
            played.edit(*edits)
        assert codes(played) == "9s 6h 2c"
        assert len(played.events) == 5


def own_hand(cards: str) -> Round:
    played = Round(game("mega-blackjack"))
    played.bet(1, blackjack=10_00, credit=1_000_00)
    played.close_betting()
    played.deal(cards)
    return played


def test_a_wrong_peek_is_withdrawn_and_the_dealer_looks_again() -> None:
    played = own_hand("9s Kh 8d ?")
    played.peek(blackjack=True)
    assert awaited(played) is HoleCard
    played.edit(PeekWithdrawn())
    assert awaited(played) is Peek
    played.peek(blackjack=False)
    assert awaited(played) is Decisions


def test_a_withdrawn_peek_that_was_right_keeps_the_decisions() -> None:
    played = own_hand("9s Kh 8d ?")
    played.peek(blackjack=False)
    played.decide(1, "stand")
    played.edit(PeekWithdrawn())
    assert awaited(played) is Peek
    played.peek(blackjack=False)
    assert awaited(played) is HoleCard
    assert played.decisions_of(1) == [("stand", False)]


# --- who is asked again -----------------------------------------------------------------------------------------------------


def test_decisions_stand_where_the_table_says_so() -> None:
    played = community("9s 6h 9c", 1, 2)
    played.decide(1, "stand")
    played.edit(CardReplaced(3, card("2c")))
    assert played.decisions_of(1) == [("stand", False)]
    assert list(played.dealing.open) == [2]


def test_a_player_whose_own_hand_changed_is_asked_again_where_the_table_says_so() -> None:
    played = community("9s 6h 9c", 1, 2)
    played.decide(1, "stand")
    played.edit(CardReplaced(3, card("2c")), asks_affected=True)
    assert sorted(played.dealing.open) == [1, 2]
    assert played.decisions_of(1) == []


def test_a_new_card_of_the_dealer_asks_nobody_again() -> None:
    played = community("9s 6h 9c", 1, 2)
    played.decide(1, "stand")
    played.edit(CardReplaced(2, card("Th")), asks_affected=True)
    assert played.decisions_of(1) == [("stand", False)]


def test_nobody_is_asked_again_who_has_seen_a_later_card() -> None:
    played = community("5s 6h 4c", 1, 2)
    played.decide(1, "stand")
    played.decide(2, "hit")
    played.deal("Kd")
    played.edit(CardReplaced(1, card("6s")), asks_affected=True)
    assert played.decisions_of(1) == [("stand", False)]
    assert played.decisions_of(2) == [("hit", False)]


def test_only_what_was_decided_after_the_last_card_is_asked_again() -> None:
    played = community("2s 6h 4c")
    played.decide(1, "hit")
    played.deal("3d")
    played.decide(1, "stand")
    played.edit(CardReplaced(1, card("5s")), asks_affected=True)
    assert played.decisions_of(1) == [("hit", False)]
    assert list(played.dealing.open) == [1]


def test_a_decision_that_became_impossible_after_a_later_card_is_not_asked_again_but_voided() -> None:
    played = community("8s 6h 8c", 1, 2)
    played.decide(1, "split")
    played.decide(2, "stand")
    played.deal("3d")
    before = len(played.events), codes(played)
    with pytest.raises(Refused, match=r"seats 1 are not possible .* void the round"):
        played.edit(CardReplaced(1, card("9s")))
    assert (len(played.events), codes(played)) == before


def test_a_double_that_is_taken_back_gives_its_stake_back() -> None:
    played = community("5s 6h 6c", 1, 2)
    played.decide(1, "double")
    played.edit(CardReplaced(1, card("9s")), asks_affected=True)
    assert played.seats[1].staked == 10_00


def test_the_notation_writes_and_reads_every_edit() -> None:
    played = own_hand("9s Kh 8d ?")
    played.peek(blackjack=True)
    edits = (CardReplaced(1, card("Ts")), CardRemoved(2), CardInserted(2, card("Qh")), PeekWithdrawn())
    played.edit(*edits, asks_affected=True)
    played.void("the end")
    again = read(write(played))
    assert again.events[-2:] == played.events[-2:]
    assert write(again) == write(played)


# --- the table ----------------------------------------------------------------------------------------------------------------


def live(name: str = "stadium-blackjack", **changes: Any) -> TestHouse:
    house = TestHouse(t1=TableConfig(game=name, dealer="live", **changes))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(52 * house.rules().decks, house.now, by="dana"))
    return house


def dealt(house: TestHouse, cards: str, **stakes: Any) -> Table:
    """A round with ann and bob in it, and these cards; `?` is one that nobody enters."""
    for name in ("ann", "bob"):
        house.player(name)
    house.at("t1", lambda table: table.open_round(house.now))
    for name in ("ann", "bob"):
        house.bet(name, 10_00, **stakes)
    house.at("t1", lambda table: table.close_bets(house.now))
    enter(house, cards)
    return house.table()


def enter(house: TestHouse, cards: str) -> None:
    for code in cards.split():
        house.at("t1", lambda table, code=code: table.deal(None if code == "?" else card(code), house.now))  # type: ignore[misc]


def fixes(house: TestHouse, *wanted: Fix, approved_by: str = "sue", why: str = "wrong-card") -> None:
    house.at(
        "t1",
        lambda table: table.correct_cards(wanted, house.now, by="dana", reason=Reason(why), approved_by=approved_by),
    )


def begins(house: TestHouse) -> None:
    house.at("t1", lambda table: table.open_correction(house.now, by="dana"))


def test_void_4_a_restart_does_not_hand_the_floor_s_correction_to_the_dealer() -> None:
    house = live()
    dealt(house, "9s 6h 2c")
    house.at("t1", lambda table: table.open_correction(house.now, by="sue", from_floor=True))
    again = restarted(house)
    for table in (house.house.table("t1"), again):
        with pytest.raises(Refused, match="sue corrects this round from the floor"):
            table.void(house.now, by="dana", why="misdeal", approved_by="sol")
    again.void(house.now, by="sol", why="misdeal", from_floor=True)


def restarted(house: TestHouse) -> Table:
    again: House = house.restarted()
    return again.table("t1")


def test_card_3_while_a_correction_is_open_the_table_waits_and_nobody_can_act() -> None:
    house = live(decision_seconds=20)
    table = dealt(house, "9s 6h 2c")
    deadline = table.deadline
    house.now += 5_000
    begins(house)
    window = Window(table)
    assert window.for_everybody(house.now).correction == 1
    assert window.for_everybody(house.now).deadline is None
    assert due(table) is None
    acts: list[Callable[[], object]] = [
        lambda: house.decide("ann", "hit"),
        lambda: enter(house, "Ks"),
        lambda: house.at("t1", lambda table: table.run_out_of_time(house.now)),
        lambda: house.at("t1", lambda table: table.confirm(house.now)),
        lambda: begins(house),
    ]
    for act in acts:
        with pytest.raises(Refused, match=r"A card is being corrected: the table waits \(CARD-3\)"):
            act()
    assert restarted(house).correction == table.correction
    house.now += 60_000
    house.at("t1", lambda table: table.abandon_correction(house.now, by="dana"))
    assert table.correction is None
    assert table.deadline == (deadline or 0) + 60_000
    assert restarted(house).deadline == table.deadline
    house.decide("ann", "hit")


def test_card_3_when_it_is_done_everybody_sees_old_card_new_card_and_what_it_changed() -> None:
    house = live()
    side = {"royal-match-21": 5_00}
    table = dealt(house, "Ks 5s Qs", **side)
    paid = OPENING - 10_00 - 5_00 + 5_00 + 125_00
    assert credit(house.house, "ann") == paid
    begins(house)
    fixes(house, Fix("replace", 1, card("4h")))
    window = Window(table)
    view = window.for_everybody(house.now)
    assert view.correction == 0
    assert view.corrected is not None
    assert [(str(each.place), each.was, each.now) for each in view.corrected.cards] == [
        ("Player's card 1.", "Ks", "4h")
    ]
    assert str(view.corrected.reason) == "Wrong card entered."
    own = window.for_player("ann", credit(house.house, "ann")).corrected
    assert own is not None
    [change] = own.seats
    assert (change.was.credit, change.now.credit) == (paid, OPENING - 15_00)
    assert (change.was.returned, change.now.returned) == (130_00, 0)
    assert change.now.hands[0].total == 14
    assert window.for_player("carl", 0).corrected is None
    assert credit(house.house, "ann") == OPENING - 15_00


def test_card_3_what_was_corrected_stays_until_the_round_after_the_next() -> None:
    house = live()
    table = dealt(house, "9s 6h 2c")
    fixes(house, Fix("replace", 1, card("8s")))
    house.at("t1", lambda table: table.void(house.now, by="dana", why="misdeal", approved_by="sue"))
    house.at("t1", lambda table: table.open_round(house.now))
    assert table.corrected is not None
    house.bet("ann", 10_00)
    house.at("t1", lambda table: table.void(house.now, by="dana", why="misdeal", approved_by="sue"))
    house.at("t1", lambda table: table.open_round(house.now))
    assert table.corrected is None


def test_a_correction_needs_a_card_and_an_abandoned_one_must_be_open() -> None:
    house = live()
    house.player("ann")
    with pytest.raises(Refused, match="no round in play"):
        begins(house)
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 10_00)
    with pytest.raises(Refused, match="No card can be corrected yet"):
        begins(house)
    with pytest.raises(Refused, match="No correction is open"):
        house.at("t1", lambda table: table.abandon_correction(house.now, by="dana"))


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        ((Fix("swap", 1, other=2),), "6h 9s 2c"),
        ((Fix("insert", 2, card("Td")),), "9s Td 6h"),
        ((Fix("remove", 2),), "9s 2c"),
        ((Fix("remove", 3), Fix("insert", 1, card("Kd"))), "Kd 9s 6h"),
        (tuple(Fix("replace", at, card(code)) for at, code in ((1, "2d"), (2, "3d"), (3, "4d"))), "2d 3d 4d"),
    ],
)
def test_card_9_every_mistake_is_one_act_and_replays_alike(wanted: tuple[Fix, ...], after: str) -> None:
    house = live()
    table = dealt(house, "9s 6h 2c")
    fixes(house, *wanted)
    assert codes(table.in_play) == after
    again = restarted(house)
    assert codes(again.in_play) == after
    assert again.deadline == table.deadline
    assert sum(house.balances().values()) == 0


def test_a_swap_with_itself_and_a_card_that_is_not_there_are_refused() -> None:
    house = live()
    dealt(house, "9s 6h 2c")
    for fix, why in (
        (Fix("swap", 2, other=2), "cannot change places with itself"),
        (Fix("swap", 2, other=7), "Card 7 cannot be corrected"),
        (Fix("remove", 0), "Card 0 cannot be corrected"),
        (Fix("withdraw-peek"), "nothing to withdraw"),
    ):
        before = len(house.store())
        with pytest.raises(Refused, match=why):
            fixes(house, fix)
        assert len(house.store()) == before


# --- cards that lie face down ---------------------------------------------------------------------------------------------------


def hidden(house: TestHouse) -> list[str]:
    """Every card that the journal names in plain words."""
    return [
        each
        for entry in house.store()
        for each in ("9s", "Kh", "8d", "Td", "5c", "6c", "7c")
        if f'"{each}"'.encode() in entry.payload
    ]


def face_down(cards: str, **changes: Any) -> TestHouse:
    """A round of Mega Blackjack with ann alone."""
    house = live("mega-blackjack", **changes)
    house.player("ann")
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 10_00)
    house.at("t1", lambda table: table.close_bets(house.now))
    enter(house, cards)
    return house


def test_card_4_the_card_that_lies_face_down_changes_places_with_one_that_everybody_sees() -> None:
    house = face_down("9s 6h 8d 5c")
    fixes(house, Fix("swap", 3, other=4))
    table = house.table()
    assert [laid.card and laid.card.code for laid in table.in_play.face_up] == ["9s", "6h", "5c", None]
    assert table.face_down is card("8d")
    assert restarted(house).face_down is card("8d")
    house.decide("ann", "stand")
    assert table.in_play.face_up[3].card is card("8d")


def test_card_4_a_missed_card_moves_the_one_that_lies_face_down_into_the_open() -> None:
    """Three cards were entered for four: the card that was sealed as the hole card is the player's second."""
    house = face_down("6h 8d 5c 7c")
    fixes(house, Fix("insert", 1, card("9s")))
    table = house.table()
    assert [laid.card and laid.card.code for laid in table.in_play.face_up] == ["9s", "6h", "8d", None]
    assert table.face_down is card("5c")
    assert restarted(house).face_down is card("5c")
    house.decide("ann", "hit")
    assert table.in_play.dealing.own_cards(table.in_play.seats[1]) == ["9s", "8d", "7c"]


def test_card_4_a_removed_card_leaves_the_place_that_lies_face_down_empty() -> None:
    house = face_down("9s 9s 6h 5c")
    fixes(house, Fix("remove", 2))
    table = house.table()
    assert [laid.card and laid.card.code for laid in table.in_play.face_up] == ["9s", "6h", "5c"]
    assert table.face_down is None
    enter(house, "7c")
    assert restarted(house).face_down is card("7c")


def test_a_face_down_card_that_nobody_entered_cannot_be_moved() -> None:
    house = face_down("9s 6h 8d ?")
    with pytest.raises(Refused, match="Nobody has entered the card that lies face down"):
        fixes(house, Fix("swap", 3, other=4))
    with pytest.raises(Refused, match="Nobody has entered the card that lies face down"):
        fixes(house, Fix("insert", 1, card("2c")))
    fixes(house, Fix("replace", 4, card("5c")))
    assert house.table().face_down is card("5c")
    fixes(house, Fix("replace", 1, card("2c")))
    assert house.table().face_down is card("5c")


def test_a_peek_at_a_card_that_was_entered_follows_from_the_card() -> None:
    house = face_down("9s Kh 8d 5c")
    with pytest.raises(Refused, match="correct that card"):
        fixes(house, Fix("withdraw-peek"))
    fixes(house, Fix("replace", 4, card("As")))
    assert house.table().in_play.peek_said
    assert type(house.table().in_play.events[-1]) is HoleTurned


def test_a_dealer_who_looked_wrongly_withdraws_it_alone_until_something_followed() -> None:
    house = face_down("9s Kh 8d ?")
    house.at("t1", lambda table: table.peek(False, house.now))
    fixes(house, Fix("withdraw-peek"), approved_by="")
    house.at("t1", lambda table: table.peek(False, house.now))
    house.decide("ann", "stand")
    with pytest.raises(Refused, match="supervisor must approve"):
        fixes(house, Fix("withdraw-peek"), approved_by="")


def test_card_1_a_correction_counts_the_card_that_lies_face_down() -> None:
    house = face_down("9s 6h 8d 5c")
    decks, table = house.rules().decks, house.table()
    with pytest.raises(Refused, match="5c cannot come again"):
        fixes(house, *(Fix("insert", 1, card("5c")) for _ in range(decks)))
    assert codes(table.in_play).startswith("9s 6h 8d")


@pytest.mark.parametrize("asks", [False, True])
def test_the_table_s_rule_says_who_decides_again(asks: bool) -> None:
    house = live(after_correction="ask-affected" if asks else "decisions-stand")
    table = dealt(house, "9s 6h 9c")
    house.decide("ann", "stand")
    fixes(house, Fix("replace", 3, card("2c")))
    assert len(table.in_play.decisions_of(1)) == (0 if asks else 1)
    own = Window(table).for_player("ann", 0).corrected
    assert own is not None
    assert (own.seats[0].now.step < own.seats[0].was.step) is asks
