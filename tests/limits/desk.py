"""A house with a real book whose desk is busy: people sign in and out, money moves, tickets are sold and paid."""

from collections.abc import Iterator
from contextlib import contextmanager

from podium.house import House, HouseConfig, ticketing
from podium.house.events import Noted
from podium.house.people import Session, begin_session, end_session, new_person
from podium.house.shuffling import SealedShuffler
from podium.house.tickets import Validation
from podium.record.seal import Seal
from podium.record.store import Append, Book, open_book
from tests.entropy import repeatable
from tests.floor import stadium
from tests.ticket_numbers import ticket_numbers

NOW = 1_780_000_000_000
NEVER = 10**9


class BusyDesk:
    """The house, its book, and what happens at its desk."""

    def __init__(self, book: Book, house_snapshot_every: int) -> None:
        self.book = book
        self.shuffler = SealedShuffler(Seal(bytes(32), repeatable("desk seal")), repeatable("desk shoe"))
        self.house = self.opened(house_snapshot_every)
        self.now = NOW
        self._numbers = ticket_numbers("desk tickets")
        self._tokens = 0
        self.house.configure(HouseConfig(tables={"t1": stadium()}), self.now)
        self.house.started("program", self.now)
        for name in ("olga", "carl"):
            self.house.shelf.put(new_person(name, name, "cashier"), self.now)
        self.keep()

    def opened(self, house_snapshot_every: int = NEVER) -> House:
        return House(self.shuffler, house_snapshot_every=house_snapshot_every)

    def keep(self) -> None:
        documents = self.house.take_documents()
        assert self.book.write([Append(self.house.take_entries(), documents)]) == [None]
        self.house.shelf.saved(documents)

    def comes_back(self, house_snapshot_every: int = NEVER) -> House:
        """The house as it starts from its book."""
        again = self.opened(house_snapshot_every)
        again.come_back(self.book)
        return again

    # --- what happens -----------------------------------------------------------------------------------------------

    def sign_in(self) -> Session:
        self._tokens += 1
        session = begin_session(new_person("carl", "carl", "cashier"), f"token {self._tokens}", "", self.now)
        self.house.shelf.put(session, self.now)
        self.keep()
        return session

    def sell(self, key: str, worth: int = 500) -> Validation:
        """A ticket; its number."""
        number = self._numbers.draw(key)
        ticketing.sell(self.house, number, worth, self.now, key=key, by="carl")
        self.keep()
        return number

    def buy_in(self, player: str, key: str, amount: int = 100) -> None:
        self.house.admit(player, "card", self.now)
        self.house.pay_in(player, amount, self.now, key=key, by="carl")
        self.keep()

    def visit(self, number: int) -> None:
        """Somebody comes, plays nothing, and leaves with all the money: nothing about them need stay in memory."""
        self.now += 1_000
        player, session = f"p{number}", self.sign_in()
        self.buy_in(player, f"in.{number}")
        self.house.pay_out(player, 100, self.now, key=f"out.{number}", by="carl")
        self.house.note(Noted("override", player, "sue", "for a test"), self.now)
        self.house.shelf.put(end_session(session), self.now)
        self.keep()
        found = self.house.shelf.find(Session, session.key)
        assert found is not None
        self.house.forget([player], [found], self.now)
        self.keep()


@contextmanager
def busy_desk(place: str, house_snapshot_every: int = 30) -> Iterator[BusyDesk]:
    book = open_book(place)
    try:
        yield BusyDesk(book, house_snapshot_every)
    finally:
        book.close()
