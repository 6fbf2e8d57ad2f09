"""Cards, and their text form."""

import pickle

import pytest

from podium.basics.cards import DECK, card, cards, codes
from podium.basics.refusal import Refused


def test_there_are_52_cards_and_one_object_for_each() -> None:
    assert len({one.code for one in DECK}) == len(set(DECK)) == 52
    assert all(card(one.code) is one for one in DECK)


def test_a_card_stays_the_same_object_when_it_is_copied() -> None:
    assert all(pickle.loads(pickle.dumps(one)) is one for one in DECK)


@pytest.mark.parametrize(
    ("code", "points", "order", "name"),
    [
        ("As", 1, 14, "ace of spades"),
        ("Kd", 10, 13, "king of diamonds"),
        ("Th", 10, 10, "ten of hearts"),
        ("9c", 9, 9, "nine of clubs"),
        ("2c", 2, 2, "two of clubs"),
    ],
)
def test_a_card_knows_its_value_its_order_and_its_name(code: str, points: int, order: int, name: str) -> None:
    one = card(code)
    assert (one.points, one.order, one.name, str(one)) == (points, order, name, code)


@pytest.mark.parametrize("code", ["", "A", "as", "AS", "10s", "1s", "Ax", "sA", "As ", "Asd", "♠A"])
def test_what_is_no_card_is_refused_with_how_cards_are_written(code: str) -> None:
    with pytest.raises(Refused, match="like As or Td"):
        card(code)


@pytest.mark.parametrize("thing", [None, 7, [], {}, b"As"])
def test_what_is_not_even_text_is_refused(thing: object) -> None:
    with pytest.raises(Refused, match="is not a card"):
        card(thing)  # type: ignore[arg-type]  # the point of the test


def test_several_cards_are_separated_by_blanks() -> None:
    assert codes(cards("  As Td\n9h\t2c ")) == "As Td 9h 2c"
    assert cards("") == []
