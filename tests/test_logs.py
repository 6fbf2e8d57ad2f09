"""EVT-5: the logs of a book on both stores, signed as they grow, and what is found when they are altered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.house.checkpoints import Signatory, house_name, prove_signatures, read_named
from podium.house.events import HouseStarted, encode
from podium.record.journal import Chain
from podium.record.store import (
    Append,
    Book,
    Damaged,
    Fenced,
    Reading,
    StoredLog,
    open_book,
    prove_checkpoint_ends,
    prove_checkpoints,
    read_checkpoint,
    restore,
    roots_at,
)
from podium.record.tlog import Checkpoint, NoteSigner, is_consistent, is_included, parse_note
from tests.history import write
from tests.test_papers import alter
from tests.test_tlog import mth

SECRET = bytes(range(32))
LENGTH = 1_500


@pytest.fixture
def book(place: str) -> Iterator[Book]:
    opened = open_book(place)
    yield opened
    opened.close()


class Growing:
    """A book with the stream of a house and that of a table."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.signatory = Signatory(SECRET)
        self.chains = {"house": Chain("house"), "table/t1": Chain("table/t1")}
        public = NoteSigner("n", SECRET).verifier.key.hex()
        self.add("house", 1, encode(HouseStarted("program", public)), kind="house-started")

    def add(self, stream: str, count: int, payload: bytes = b"{}", kind: str = "fact") -> None:
        chain = self.chains[stream]
        write(self.book, Append([chain.add(number, kind, payload) for number in range(count)]))

    def sign(self) -> list[str]:
        signed = self.signatory.sign(self.book, 5)
        write(self.book, Append(checkpoints=signed))
        return [each.checkpoint.stream for each in signed]


@pytest.fixture
def growing(book: Book) -> Growing:
    growing = Growing(book)
    growing.add("table/t1", LENGTH)
    growing.sign()
    return growing


def checkpoint_of(book: Reading, stream: str) -> Checkpoint:
    return next(read_checkpoint(stored) for stored in book.checkpoints() if stored.stream == stream)


# --- signing ---------------------------------------------------------------------------------------------------------------


def test_only_streams_that_grew_are_signed_anew(growing: Growing) -> None:
    assert growing.sign() == []
    growing.add("table/t1", 3)
    assert growing.sign() == ["table/t1"]
    growing.add("house", 1)
    growing.add("table/t1", 1)
    assert growing.sign() == ["house", "table/t1"]
    assert checkpoint_of(growing.book, "table/t1").size == LENGTH + 4


def test_a_checkpoint_is_the_root_of_the_entries_under_the_name_of_the_house(growing: Growing) -> None:
    hashes = growing.book.hashes("table/t1", limit=LENGTH)
    first = growing.book.entries("house")[0]
    found = checkpoint_of(growing.book, "table/t1")
    assert found == Checkpoint(f"podium/{first.hash.hex()[:16]}/table/t1", LENGTH, mth(hashes))
    assert prove_checkpoints(growing.book) == 2
    prove_checkpoint_ends(growing.book)
    prove_signatures(growing.book, read_named(growing.book))


def test_another_process_goes_on_where_the_last_one_signed(growing: Growing) -> None:
    """It reads the few nodes and entries that it needs, and not the stream."""
    growing.add("table/t1", 700)
    later = Counting(growing.book)
    signed = Signatory(SECRET).sign(later, 6)  # type: ignore[arg-type]  # all else is the book's
    assert later.read < 700 + 256 + 8
    write(growing.book, Append(checkpoints=signed))
    assert prove_checkpoints(growing.book) == 2


class Counting:
    """Counts the hashes that are read from a book."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.read = 0

    def hashes(self, stream: str, after: int = 0, limit: int = 10_000) -> list[bytes]:
        found = self._book.hashes(stream, after, limit)
        self.read += len(found)
        return found

    def __getattr__(self, name: str) -> object:
        return getattr(self._book, name)


def test_what_could_not_be_stored_is_signed_again(growing: Growing) -> None:
    growing.add("table/t1", 300)
    lost = growing.signatory.sign(growing.book, 7)
    growing.signatory.forget()
    growing.add("table/t1", 300)
    assert growing.sign() == ["table/t1"]
    assert checkpoint_of(growing.book, "table/t1").size == LENGTH + 600 > lost[0].checkpoint.size
    assert prove_checkpoints(growing.book) == 2


def test_a_checkpoint_of_more_than_is_durable_is_not_stored(growing: Growing, tmp_path: Path) -> None:
    longer = open_book(tmp_path / "longer.db")
    try:
        other = Growing(longer)
        other.add("table/t1", LENGTH + 1)
        signed = other.signatory.sign(longer, 8)
    finally:
        longer.close()
    [outcome] = growing.book.write([Append(checkpoints=[each._replace(nodes=()) for each in signed[1:]])])
    assert isinstance(outcome, Fenced)
    assert "the stream is shorter" in str(outcome)
    assert checkpoint_of(growing.book, "table/t1").size == LENGTH


# --- proofs ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("old", [1, 2, 255, 256, 257, 700, 1_024, LENGTH - 1, LENGTH])
def test_the_log_begins_with_what_it_was(growing: Growing, old: int) -> None:
    roots = roots_at(growing.book, "table/t1", [old, LENGTH])
    proof = StoredLog(growing.book, "table/t1").consistency(old, LENGTH)
    assert is_consistent(old, roots[old], LENGTH, roots[LENGTH], proof)


@pytest.mark.parametrize("sequence", [1, 256, 257, 1_000, LENGTH])
def test_an_entry_is_in_the_log(growing: Growing, sequence: int) -> None:
    [entry] = growing.book.hashes("table/t1", sequence - 1, 1)
    root = checkpoint_of(growing.book, "table/t1").root
    proof = StoredLog(growing.book, "table/t1").inclusion(sequence, LENGTH)
    assert is_included(entry, sequence - 1, LENGTH, root, proof)
    assert not is_included(bytes(32), sequence - 1, LENGTH, root, proof)


# --- whoever alters them -------------------------------------------------------------------------------------------------------


BLOB = {"sqlite": "zeroblob(32)", "postgres": "decode(repeat('00', 32), 'hex')"}
ALTERED = [
    ("UPDATE nodes SET hash = {0} WHERE stream = 'table/t1' AND number = 2", "Node 2 of level 8 of table/t1 was altered"),
    ("UPDATE nodes SET number = 9 WHERE stream = 'table/t1' AND number = 2", "Node 2 of level 8 of table/t1 was altered"),
    ("INSERT INTO nodes VALUES ('table/t9', 8, 0, {0})", "The nodes of table/t9 that are stored are not those"),
    ("INSERT INTO nodes VALUES ('table/t1', 3, 0, {0})", "The nodes of table/t1 that are stored are not those"),
    ("UPDATE checkpoints SET size = size - 1 WHERE stream = 'table/t1'", "is one of another"),
    ("UPDATE checkpoints SET stream = 'table/t2' WHERE stream = 'table/t1'", "The checkpoint of table/t2 at entry"),
    ("UPDATE checkpoints SET note = 'x' WHERE stream = 'table/t1'", "The checkpoint of table/t1 is not one"),
    ("DELETE FROM journal WHERE stream = 'table/t1' AND sequence = 1500", "table/t1 ends with entry 1499, but 1500"),
    ("UPDATE journal SET hash = {0} WHERE stream = 'table/t1' AND sequence = 1500", "table/t1 was rewritten: its first 1500"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "said"), ALTERED)
def test_evt_4_what_was_altered_in_a_log_is_named(growing: Growing, place: str, statement: str, said: str) -> None:
    alter(place, statement.format(BLOB["postgres" if place.startswith("postgresql") else "sqlite"]))
    with pytest.raises(Damaged, match=said):
        prove_checkpoints(growing.book)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE nodes SET hash = {0} WHERE stream = 'table/t1' AND number = 2", "table/t1 was rewritten"),
        ("DELETE FROM nodes WHERE stream = 'table/t1' AND number = 2", "does not follow from what is stored"),
        ("UPDATE journal SET hash = {0} WHERE stream = 'table/t1' AND sequence = 1500", "table/t1 was rewritten"),
        ("DELETE FROM journal WHERE stream = 'house'", "house was cut: 1 entries were signed, and it has 0"),
    ],
)
def test_int_2_a_start_finds_what_differs_from_the_last_checkpoint(
    growing: Growing, place: str, statement: str, said: str
) -> None:
    alter(place, statement.format(BLOB["postgres" if place.startswith("postgresql") else "sqlite"]))
    with pytest.raises(Damaged, match=said):
        prove_checkpoint_ends(growing.book)


def test_a_checkpoint_under_another_key_or_of_another_house_is_named(growing: Growing) -> None:
    named = read_named(growing.book)
    growing.add("table/t1", 1)
    growing.signatory = Signatory(bytes(32))
    growing.sign()
    assert prove_checkpoints(growing.book) == 2
    with pytest.raises(Damaged, match="The checkpoint of table/t1 is not signed by a key of this house"):
        prove_signatures(growing.book, named)


def test_a_false_signature_is_named(growing: Growing, place: str) -> None:
    [stored] = [each for each in growing.book.checkpoints() if each.stream == "house"]
    note = parse_note(stored.note)
    false = note._replace(signatures=(note.signatures[0]._replace(bytes=bytes(64)),))
    alter(place, f"UPDATE checkpoints SET note = '{false}' WHERE stream = 'house'")
    with pytest.raises(Damaged, match="The checkpoint of house is not sound"):
        prove_signatures(growing.book, read_named(growing.book))


# --- backups ---------------------------------------------------------------------------------------------------------------


def test_bak_2_checkpoints_are_in_a_backup(growing: Growing, tmp_path: Path) -> None:
    growing.book.back_up(tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "restored.db")
    restored = open_book(tmp_path / "restored.db")
    try:
        assert restored.checkpoints() == growing.book.checkpoints()
        assert restored.node_counts() == growing.book.node_counts() == {("table/t1", 8): LENGTH // 256}
        assert prove_checkpoints(restored) == 2
        assert house_name(restored) == house_name(growing.book)
    finally:
        restored.close()


def test_a_book_without_entries_signs_nothing(book: Book) -> None:
    assert Signatory(SECRET).sign(book, 1) == []
    with pytest.raises(Damaged, match="The stream house is empty"):
        house_name(book)
