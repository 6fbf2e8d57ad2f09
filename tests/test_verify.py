"""`podium verify` proves a house, and names whatever was altered in it."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.cli import proving
from podium.house.table.events import Happening, RoundOpened, ShoeEnded, decode, encode
from podium.house.verify import Difference, Verified, verify
from podium.play.events import CardDealt
from podium.record.fair import Reveal
from podium.record.journal import Chain, Entry
from podium.record.store import open_book, restore
from tests.forging import Database
from tests.houses import PlayingHouse, play_everything, playing_house


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house that has played; tests work on copies."""
    path = tmp_path_factory.mktemp("record") / "podium.db"
    with playing_house(path) as playing:
        play_everything(playing)
    return path


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(record, tmp_path / "podium.db"))


@pytest.fixture(params=["sqlite", "postgres"])
def on_each_store(request: pytest.FixtureRequest, record: Path, tmp_path: Path) -> str:
    """A copy of the record in each kind of store."""
    if request.param == "sqlite":
        return str(shutil.copy(record, tmp_path / "podium.db"))
    url = str(request.getfixturevalue("postgres_url"))
    book = open_book(record, writable=False)
    book.back_up(tmp_path / "backup")
    book.close()
    restore(tmp_path / "backup", url)
    return url


def verified(path: Path | str) -> Verified:
    book = open_book(path, writable=False)
    try:
        with book.at_one_moment() as still:
            return verify(still)
    finally:
        book.close()


def test_a_sound_house_is_proved(record: Path) -> None:
    found = verified(record)
    assert (found.tables, found.in_play) == (5, 1)
    assert found.rounds == 5 * 12 + 14
    assert found.shoes >= 5
    assert found.cards > 200
    assert found.in_use == 5
    assert found.store.entries == sum(head.sequence for head in found.heads.values())


def test_a_sound_house_is_proved_on_every_store(place: str) -> None:
    with playing_house(place) as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play("dynasty-blackjack-1", 2)
        assert verified(place).rounds == 2
        playing.play("dynasty-blackjack-1", 1)
        assert verified(place).rounds == 3


def test_rng_10_with_the_key_the_shoes_in_use_are_proved_too(record: Path) -> None:
    with_key = playing_house(record.with_name("other.db"))
    with with_key as other:
        book = open_book(record, writable=False)
        assert verify(book, other.shuffler).opened_with_key == 5
        book.close()


def test_a_house_is_proved_while_it_plays(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
        book = open_book(tmp_path / "podium.db", writable=False)
        with book.at_one_moment() as still:
            before = still.heads()
            playing.play("dynasty-blackjack-1", 3)
            assert verify(still).heads == before
        book.close()


def test_rng_10_card_8_a_table_that_changes_its_dealer_lays_the_shuffle_open(tmp_path: Path) -> None:
    name = "dynasty-blackjack-1"
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots(name)
        playing.play(name, 2)
        give_to(playing, "live")
        with pytest.raises(Refused, match="load a counted one"):
            playing.house.table(name).open_round(playing.now)
        playing.play(name, 3)
        give_to(playing, "automated")
        playing.play(name, 2)
        found = verify(playing.book)
        assert (found.rounds, found.live_shoes) == (7, 1)
        assert found.shoes >= 1


def give_to(playing: PlayingHouse, dealer: Literal["automated", "live"]) -> None:
    config, name = playing.house.config, "dynasty-blackjack-1"
    other = msgspec.structs.replace(config.tables[name], dealer=dealer)
    playing.house.configure(msgspec.structs.replace(config, tables={**config.tables, name: other}), playing.now)


# --- whoever alters a stored row -----------------------------------------------------------------------------------------

TEXT = "substr({0}, 1, length({0}) - 1) || char(unicode(substr({0}, -1)) + 1)"
BYTES = "CAST(substr({0}, 1, length({0}) - 1) || char((unicode(substr({0}, -1)) + 1) % 128) AS BLOB)"
NUMBER = "{0} + 1"
COLUMNS = {
    "journal": {"time": NUMBER, "kind": TEXT, "payload": BYTES, "money": BYTES, "previous": "zeroblob(32)", "hash": "zeroblob(32)"},
    "transfers": {
        "stream": TEXT, "sequence": NUMBER, "time": NUMBER, "debit": TEXT, "credit": TEXT, "amount": NUMBER,
        "kind": TEXT, '"table"': TEXT, "round": TEXT, "terminal": "'t9'", "who": "'mallory'", "id": TEXT,
    },
    "balances": {"account": TEXT, "amount": NUMBER},
}  # fmt: skip
PLACES = [(table, column) for table, columns in COLUMNS.items() for column in columns]


@pytest.mark.parametrize(("table", "column"), PLACES)
def test_evt_4_a_change_of_any_column_is_named(copy: Path, table: str, column: str) -> None:
    file = sqlite3.connect(copy)
    where = "length(money) > 0" if table == "journal" else "amount <> 0"
    if column == '"table"' or column == "round":
        where = "round <> ''"
    keys = {"journal": "stream, sequence", "transfers": "position", "balances": "account"}[table]
    rows = file.execute(f"SELECT {keys} FROM {table} WHERE {where}").fetchall()
    row = rows[len(rows) // 3]
    named = " AND ".join(f"{key} = ?" for key in keys.split(", "))
    changed = COLUMNS[table][column].format(column)
    with file:
        assert file.execute(f"UPDATE {table} SET {column} = {changed} WHERE {named}", row).rowcount == 1
    file.close()
    said = {
        "journal": rf"^Entry {row[-1]} of {row[0]} ",
        "transfers": "^The ledger has",
        "balances": r" stands at -?\d+, but",
    }
    with pytest.raises(Difference, match=said[table]):
        verified(copy)


@pytest.mark.parametrize("table", ["journal", "transfers"])
def test_evt_4_a_row_that_is_gone_is_missed(on_each_store: str, table: str) -> None:
    first = "stream = 'table/dynasty-blackjack-1' AND sequence = 9" if table == "journal" else "position = 20"
    assert Database(on_each_store).run(f"DELETE FROM {table} WHERE {first}") == 1
    with pytest.raises(Difference):
        verified(on_each_store)


# --- whoever alters the record and makes the whole chain anew --------------------------------------------------------------


def forge(path: Path | str, stream: str, alter: Callable[[Happening], Happening | None]) -> None:
    """Alters the first entry that `alter` takes, and gives every entry after it a correct hash again."""
    book = open_book(path, writable=False)
    entries = book.entries(stream, limit=1_000_000)
    book.close()
    Database(str(path)).run(
        "UPDATE journal SET payload = ?, previous = ?, hash = ? WHERE stream = ? AND sequence = ?",
        [
            (entry.payload, entry.previous, entry.hash, stream, entry.sequence)
            for entry in forged(entries, Chain(stream), alter)
        ],
    )


def forged(entries: list[Entry], chain: Chain, alter: Callable[[Happening], Happening | None]) -> Iterator[Entry]:
    done = False
    for entry in entries:
        payload = entry.payload
        other = None if done else alter(decode(payload))
        if other is not None:
            payload, done = encode(other), True
        yield chain.add(entry.time, entry.kind, payload, entry.transfers)
    assert done


def another_suit(happening: Happening) -> Happening | None:
    if not isinstance(happening, CardDealt) or happening.card is None:
        return None
    return CardDealt(card(happening.card.rank + "cdhs"[("cdhs".index(happening.card.suit) + 1) % 4]))


def another_order(happening: Happening) -> Happening | None:
    if not isinstance(happening, ShoeEnded) or happening.reveal is None:
        return None
    first, second, *rest = happening.reveal.order.split()
    reveal = happening.reveal
    return ShoeEnded(
        happening.shoe, Reveal(reveal.table, reveal.number, " ".join([second, first, *rest]), reveal.nonce)
    )


def never_opened(happening: Happening) -> Happening | None:
    return ShoeEnded(happening.shoe) if isinstance(happening, ShoeEnded) else None


def other_rules(happening: Happening) -> Happening | None:
    if not isinstance(happening, RoundOpened):
        return None
    return RoundOpened(happening.round, happening.deadline, happening.version, "0" * 64)


def other_version(happening: Happening) -> Happening | None:
    if not isinstance(happening, RoundOpened):
        return None
    return RoundOpened(happening.round, happening.deadline, 7, happening.fingerprint)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (another_suit, r"Shoe 1 of dynasty-blackjack-1: card 1 was .., but .. was due"),
        (another_order, "Shoe 1 of dynasty-blackjack-1 is not the one committed to"),
        (never_opened, r"was never laid open \(RNG-10\)"),
        (other_rules, r"The rules that the round was opened with are not those of its configuration \(VER-1\)"),
        (other_version, r"records version 7 of the configuration, but version 1 was in force \(VER-1\)"),
    ],
)
def test_rng_10_ver_1_a_forged_record_with_a_whole_chain_is_named(
    on_each_store: str, alter: Callable[[Happening], Happening | None], said: str
) -> None:
    forge(on_each_store, "table/dynasty-blackjack-1", alter)
    with pytest.raises(Difference, match=said):
        verified(on_each_store)


def test_a_forged_card_that_changes_a_payment_is_named_by_its_entry(copy: Path) -> None:
    def better(happening: Happening) -> Happening | None:
        return CardDealt(card("Ac")) if isinstance(happening, CardDealt) and happening.card is not card("Ac") else None

    forge(copy, "table/stadium-three-card-poker-1", better)
    with pytest.raises(
        Difference, match=r"Entry \d+ of table/stadium-three-card-poker-1|Shoe \d+ of stadium-three-card"
    ):
        verified(copy)


def proved_apart(path: Path) -> Verified:
    book = open_book(path, writable=False)
    try:
        with book.at_one_moment() as still:
            return proving.proved(still, str(path.parent))
    finally:
        book.close()


def test_a_long_record_is_proved_by_several_processes_as_by_one(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "APART_FROM_ENTRIES", 1)
    assert proved_apart(copy) == verified(copy)
    forge(copy, "table/dynasty-blackjack-1", another_suit)
    with pytest.raises(Difference, match=r"Shoe 1 of dynasty-blackjack-1: card 1 was .., but .. was due"):
        proved_apart(copy)
