"""A start costs the same after a year as after a day: what was proved while the house was open is not proved again (INT-2, INT-5)."""

from pathlib import Path

import pytest

from podium.record.journal import Chain
from podium.record.store import Damaged, open_book, prove, prove_end
from podium.record.store.past import MAX_UNREAD_MS
from podium.record.store.sqlite import SqliteBook, connect
from podium.server.patrol import DAY_MS, go_through
from tests.history import add, buy_in, write
from tests.server.served import a_house
from tests.terminal import on_a_loop

BEGAN = 1_700_000_000_000
DAY_OF_ENTRIES = 100
PAGE = 4096
LEAF = 0x0A
"""The first byte of a page that holds rows of a table without row ids."""


def play(path: Path, chain: Chain, days: int) -> None:
    book = open_book(path)
    first = chain.head.sequence + 1
    for day in range(first, first + days * DAY_OF_ENTRIES, DAY_OF_ENTRIES):
        bought = [buy_in(f"b{number}", f"p{number % 7}", 1) for number in range(day, day + DAY_OF_ENTRIES)]
        write(book, *(add(chain, each, payload=b"x" * 200) for each in bought))
    book.close()


def house_file(tmp_path: Path, *, days: int) -> tuple[Path, Chain]:
    path, chain = tmp_path / "house.db", Chain("t1")
    play(path, chain, days)
    return path, chain


def break_old_pages(path: Path) -> None:
    """Damages pages of the journal that a start reads only if it reads all pages."""
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(0, len(data), PAGE) if data[at] == LEAF and b"x" * 200 in data[at : at + PAGE]]
    for at in leaves[5:8]:
        data[at : at + PAGE] = b"\xaa" * PAGE
    path.write_bytes(data)


def steps_of_a_start(path: Path) -> int:
    """The work of the database for the checks of a start, in steps of its virtual machine."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with pytest.MonkeyPatch.context() as patch:

        def counting(*args: object, **more: object) -> object:
            made = connect(*args, **more)  # type: ignore[arg-type]
            made.set_progress_handler(count, 10)
            return made

        patch.setattr("podium.record.store.sqlite.connect", counting)
        book = open_book(path)
        prove_end(book)
        book.close()
    return steps


def test_int_2_a_start_costs_the_same_however_long_the_past_is(tmp_path: Path) -> None:
    path, chain = house_file(tmp_path, days=11)
    go_through(path, BEGAN)
    after_days = steps_of_a_start(path)
    play(path, chain, 20)
    grown = steps_of_a_start(path)
    go_through(path, BEGAN)
    after_weeks = steps_of_a_start(path)
    assert after_weeks < 1.05 * after_days
    assert grown > 1.2 * after_days
    path.with_name("house.db.proved").unlink()
    assert steps_of_a_start(path) > 2 * after_weeks


def test_int_2_what_is_younger_than_the_past_is_added_up(tmp_path: Path) -> None:
    path, chain = house_file(tmp_path, days=2)
    go_through(path, BEGAN)
    play(path, chain, 1)
    book = SqliteBook(path)
    past = book.past()
    assert past is not None
    assert past.position == 2 * DAY_OF_ENTRIES
    prove_end(book)
    book._writing().connection.execute("UPDATE balances SET amount = amount + 1 WHERE account = 'credit/p3'")
    with pytest.raises(Damaged, match="credit/p3 stands at"):
        prove_end(book)
    with pytest.raises(Damaged, match="credit/p3 stands at"):
        go_through(path, BEGAN)
    book.close()


def test_int_5_a_page_of_the_past_that_broke_is_found_by_the_patrol_and_by_the_proof(tmp_path: Path) -> None:
    path, _ = house_file(tmp_path, days=20)
    go_through(path, BEGAN)
    break_old_pages(path)
    book = open_book(path)
    with pytest.raises(Damaged):
        go_through(path, BEGAN + DAY_MS)
    go_through(path, BEGAN + DAY_MS - 1)  # not yet due
    with pytest.raises(Damaged):
        prove(book)
    book.close()
    path.with_name("house.db.proved").unlink()
    with pytest.raises(Damaged):
        open_book(path)


@pytest.mark.parametrize("harm", ["torn", "of another book", "long ago"])
def test_int_5_a_past_that_cannot_be_trusted_is_none(tmp_path: Path, harm: str) -> None:
    path, _ = house_file(tmp_path, days=20)
    note = path.with_name("house.db.proved")
    go_through(path, BEGAN - MAX_UNREAD_MS - 1 if harm == "long ago" else BEGAN)
    if harm == "torn":
        note.write_bytes(note.read_bytes()[:-1] + b"?")
    if harm == "of another book":
        for each in set(tmp_path.iterdir()) - {note}:
            each.unlink()
        chain = Chain("t1")
        write(book := open_book(path), add(chain, buy_in("other", "zoe", 1)))
        book.close()
        play(path, chain, 20)
    break_old_pages(path)
    with pytest.raises(Damaged):
        open_book(path)


@on_a_loop
async def test_int_5_a_patrol_that_finds_damage_stops_the_house_and_notes_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        assert served.opened.patrol is not None
        await served.opened.patrol.look()
        assert (tmp_path / "podium.db.proved").exists()
        await served.opened.patrol.look()
        floor = served.opened.floor
        assert floor.failed is not None
        assert not floor.failed.done()
        with connect(tmp_path / "podium.db", "rw") as connection:
            connection.execute("INSERT INTO balances VALUES ('credit/nobody', 5, 1)")
        connection.close()
        await served.opened.patrol.look()
        assert isinstance(floor.failed.exception(), Damaged)
        assert "integrity-failed" in {note.kind for note in await served.notes()}
