"""A live table for tests: a dealer at the podium, a counted shoe, and cards dealt by name."""

from podium.basics.cards import card
from tests.floor import TestHouse, stadium


def live(**changes: object) -> TestHouse:
    """A live table with a dealer at the podium and a counted shoe."""
    house = TestHouse(t1=stadium(dealer="live", **changes))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    return house


def deal(house: TestHouse, cards: str) -> None:
    for code in cards.split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]


def new_game(house: TestHouse) -> None:
    house.at("t1", lambda table: table.open_round(house.now))
