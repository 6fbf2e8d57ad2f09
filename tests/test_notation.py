"""The round notation: what is written is read, and what cannot be read is refused with its line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.basics.refusal import Refused
from podium.play import notation
from podium.play.events import TimeExpired, Voided, WagersPlaced
from podium.play.round import Round
from podium.rules.games import game
from tests.table import Table, match_up_blackjack, stadium_blackjack

ROUND = """\
game stadium-blackjack
  decks = 8

seat 1 "p1" bets blackjack 1000, trilux 500; for the dealer blackjack 100; credit 100000
no more bets
card 9s to player 1
card 6h to dealer 1
card 2c to player 2
seat 1 decides double+dealer
card Td to community 1
card Kh to community 2
card 5d to community 3
result confirmed

seat 1 trilux: staked 500, returned 0. 9s 2c 6h: nothing that this wager pays.
seat 1 blackjack: staked 2000, returned 2000. Pushed: 21 against 21.
seat 1 blackjack for the dealer: staked 200, returned 200. Pushed: 21 against 21.
seat 1: staked 2700, returned 2200, tips 0, net -500.
"""


def test_a_round_is_written_as_it_was_read() -> None:
    assert notation.write(notation.read(ROUND)) == ROUND


def test_comments_and_empty_lines_are_passed_over() -> None:
    commented = ROUND.replace("no more bets\n", "# The bell rings.\n\nno more bets\n  # and they sit\n")
    assert notation.write(notation.read(commented)) == ROUND


def test_the_places_of_cards_and_the_settlement_may_be_left_out() -> None:
    bare = "\n".join(line.partition(" to ")[0] for line in ROUND.splitlines() if "staked" not in line)
    assert notation.write(notation.read(bare)) == ROUND


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("game stadium-blackjack", "stadium-blackjack", "A round begins with its game"),
        ("game stadium-blackjack", "game poker", "There is no game 'poker'"),
        ("  decks = 8", "  decks 8", "Line 2: an option is written like: decks = 8"),
        ("  decks = 8", "  decks = eight", "Line 2: 'eight' is not a value"),
        ("  decks = 8", "  decks = 7", "decks = 7 is not allowed"),
        ("card 6h to dealer 1", "card 6h to dealer 2", "Line 7: the card goes to dealer 1, not to 'dealer 2'."),
        ("card 6h to dealer 1", "card 6x to dealer 1", "Line 7: '6x' is not a card"),
        ("card 6h to dealer 1", "card 6h to player 1", "Line 7: the card goes to dealer 1"),
        ("seat 1 decides double+dealer", "seat 1 decides sit", "Line 9: p1: 'sit' is not a decision"),
        ("seat 1 decides double+dealer", "seat 1 decides split", "Line 9: p1 cannot split"),
        ("seat 1 decides double+dealer", "seat 2 decides hit", "Line 9: Seat 2 has no wager"),
        ("no more bets", "rien ne va plus", "Line 5: 'rien ne va plus' is not a line of a round"),
        ("blackjack 1000, trilux", "blackjack 1000; trilux", "Line 4: "),
        ("returned 2200", "returned 2300", "Line 18: the round was settled differently"),
        ("returned 0. 9s", "returned 0. 9d", "Line 15: the round was settled differently"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in ROUND
    with pytest.raises(Refused) as caught:
        notation.read(ROUND.replace(old, new))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "more", ["no more bets", "nonsense", "seat 1 decides hit", "seat 2: staked 0, returned 0, tips 0, net 0."]
)
def test_nothing_comes_after_the_settlement(more: str) -> None:
    with pytest.raises(Refused, match="Line 19"):
        notation.read(f"{ROUND}{more}\n")


@given(st.text(), st.text())
def test_any_name_and_any_reason_is_kept(name: str, reason: str) -> None:
    played = Round(game("stadium-blackjack"))
    played.apply(WagersPlaced(1, {"blackjack": 10}, name=name))
    played.apply(Voided(reason))
    assert notation.read(notation.write(played)).events == played.events


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"game stadium-blackjack\n{text}", f"game stadium-blackjack\n  {text}", f"{ROUND[:60]}{text}"):
        with suppress(Refused):
            notation.read(whole)


@pytest.mark.parametrize(
    "options",
    [
        {"paytable": 5},
        {"paytable": 5, "max_splits": 2},
        {"paytable": 5, "double_totals": [2, 20]},
        {"paytable": 5, "double_after_split": True},
        {"paytable": 2},
        {"side_bets": {}},
        {"limits": {"blackjack": [5, 500]}, "chip": 5},
        {"paytables": {"trilux": {"MINE": {"flush": "7:2", "straight": 12}}}, "side_bets": {"trilux": "MINE"}},
    ],
    ids=str,
)
def test_options_are_kept(options: dict[str, object]) -> None:
    played = Table("stadium-blackjack", options).bets(p1=10).round
    assert notation.read(notation.write(played)).game.rules == played.game.rules


def test_cards_that_left_the_shoe_before_are_kept() -> None:
    played = Table("stadium-blackjack", out="As As 2c").bets(p1=10).round
    assert notation.read(notation.write(played)).out == played.out


def test_a_hole_card_that_is_unknown_the_peek_and_the_turning_are_kept() -> None:
    played = (
        match_up_blackjack()
        .bets(p1=200)
        .dealt("9s Kd 9h ??")
        .peeked(blackjack=False)
        .decides(p1="stand")
        .turned("8c")
        .round
    )
    text = notation.write(played)
    assert "card unknown to hole card\npeek: no blackjack\n" in text
    assert "hole card turned: 8c" in text
    assert notation.read(text).events == played.events


def test_time_that_runs_out_for_some_and_for_all() -> None:
    table = stadium_blackjack().bets(p1=10, p2=10, p3=10).dealt("5s 6d 6h").times_out("p1", "p3")
    assert "time runs out for seat 1, seat 3\n" in notation.write(table.round)
    table.times_out()
    again = notation.read(notation.write(table.round))
    assert again.events[-2:] == [TimeExpired((1, 3)), TimeExpired()]


def test_a_correction_and_added_credit_are_kept() -> None:
    table = stadium_blackjack().bets(p1=10).dealt("5s 6d 6h").adds_credit("p1", 500).corrected(1, "9s")
    text = notation.write(table.round)
    assert "seat 1 adds credit 500\ncard 1 corrected to 9s\n" in text
    assert notation.read(text).events == table.round.events


def test_wagers_that_were_taken_back_are_kept() -> None:
    table = stadium_blackjack().bets(p1=10, p2=10).bet("p1", credit=None)
    text = notation.write(table.round)
    assert 'seat 1 "p1" bets nothing\n' in text
    assert notation.read(text).events == table.round.events
