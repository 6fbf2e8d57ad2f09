"""A short history of a house, as the tests of the stores write it."""

from podium.house.events import Noted, decode
from podium.house.state import HOUSE
from podium.record.journal import Chain
from podium.record.ledger import Transfer, account
from podium.record.store import Append, Book, Document, Reading, read_stream

CAGE = account("cage", "desk")


def buy_in(name: str, player: str, amount: int) -> Transfer:
    return Transfer(name, CAGE, account("credit", player), amount, "cash-in", who="carl")


def stake(name: str, player: str, amount: int) -> Transfer:
    return Transfer(
        name, account("credit", player), account("in-play", "t1", player), amount, "stake", table="t1", round="7"
    )


def write(book: Book, *appends: Append) -> None:
    """Writes appends, none of which may fail."""
    assert book.write(appends) == [None] * len(appends)


def add(chain: Chain, *transfers: Transfer, payload: bytes = b"{}", kind: str = "fact") -> Append:
    return Append([chain.add(1_700_000_000_000, kind, payload, transfers)])


def some_history(book: Book) -> Chain:
    """A few facts with money and documents."""
    chain, other = Chain("t1"), Chain("cashier")
    write(book, add(other, buy_in("b1", "ann", 500), buy_in("b2", "bob", 300)))
    write(
        book, add(chain, stake("s1", "ann", 200)), add(chain, payload=b"\x00\xff\n\t\\N"), add(other, kind="übergabe")
    )
    write(book, Append(documents=[Document("person", "ann", 1, 5, b"one")]))
    write(book, Append(documents=[Document("person", "ann", 2, 6, b"two"), Document("person", "bob", 1, 6, b"b")]))
    return chain


def notes_of(book: Reading) -> list[Noted]:
    """The significant events that nothing but a note records (EVT-1), oldest first."""
    events = [decode(entry.payload) for entry in read_stream(book, HOUSE)]
    return [event for event in events if isinstance(event, Noted)]
