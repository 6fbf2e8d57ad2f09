"""INT-1, INT-5: SQLite and GroupCommit themselves on a disk that fails at every step; `make torture` tries more of it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from podium.record.journal import Chain, Entry
from podium.record.store import Append, Damaged, Document, Unavailable, open_book
from podium.record.store.sqlite import SqliteBook, SqliteWriter
from tests.failing_disk.disk import Content, FailingDisk, FailingFiles, Step
from tests.failing_disk.living import BOOK, LAST, LOG, Judge, Lost, begun_house
from tests.failing_disk.trying import (
    TABLES,
    cut_power,
    cut_power_again_and_again,
    cut_power_at_the_beginning,
    flip,
    leave_remains,
    played,
    refuse_some,
)
from tests.failing_disk.vfs import NAME, VFS
from tests.history import add, write


@pytest.fixture(scope="module")
def begun() -> Content:
    return begun_house()


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


@pytest.mark.parametrize("table", TABLES)
def test_int_1_a_power_failure_at_any_step_of_a_round_loses_nothing_acknowledged(
    begun: Content, judge: Judge, table: str
) -> None:
    """Every unsynced write may be there, torn, out of order or gone; the house opens, comes back and verifies."""
    assert cut_power(played(begun, table), judge, times=2)["whole"] > 150


def test_int_1_a_power_failure_while_a_book_is_made_leaves_none_or_a_whole_one() -> None:
    assert cut_power_at_the_beginning(2) > 60


def test_int_1_power_failures_one_after_another_lose_nothing(begun: Content, judge: Judge) -> None:
    for seed in range(6):
        cut_power_again_and_again(begun, judge, seed)


@pytest.mark.parametrize("seed", [3, 9])
def test_int_5_the_remains_of_a_torn_commit_are_not_taken_for_damage(begun: Content, judge: Judge, seed: int) -> None:
    """The log would go on over the remains of the first failure, and a second failure would seem to have lost commits."""
    left = leave_remains(begun, TABLES[0], Random(seed))
    cut_power(played(left, TABLES[0]), judge, times=6, every=7)


@pytest.mark.parametrize("kind", ["full", "error"])
def test_int_1_what_the_house_says_of_a_write_that_was_refused_is_true(begun: Content, judge: Judge, kind: str) -> None:
    """A step in each run, of every kind: writes and syncs of the log, of the file and of the note beside it."""
    seen = refuse_some(begun, "match-up-blackjack-1", judge, kind, every=7)
    assert {"write -wal", "sync -wal", "write ", "sync ", "write .last", "sync .last"} <= seen.keys()


def test_int_1_a_commit_whose_last_sync_failed_may_be_kept_and_the_house_says_so() -> None:
    """It is in the log, and a power failure may keep it: only the book that is opened again can tell."""
    disk = FailingDisk()
    VFS.insert(disk)
    book = SqliteBook(BOOK, files=FailingFiles(disk, NAME))
    chain = Chain("t1")
    write(book, add(chain))
    disk.fault = lambda number, step: "error" if (step.kind, step.name) == ("sync", LOG) else None
    [outcome] = book.write([add(chain)])
    assert isinstance(outcome, Unavailable)
    assert str(outcome).endswith("It is not known whether this was kept.")
    *_, (_, cut) = disk.histories()
    ends = {_end_of(cut.left(Random(seed) if seed else None)) for seed in range(20)}
    assert ends == {1, 2}
    disk.fault = lambda number, step: "full"
    book.close()


def _end_of(content: Content) -> int:
    disk = FailingDisk(content)
    VFS.insert(disk)
    book = SqliteBook(BOOK, files=FailingFiles(disk, NAME))
    end = book.heads()["t1"].sequence
    book.close()
    return end


@pytest.mark.parametrize("name", [LOG, str(BOOK)])
def test_int_5_what_a_disk_lost_after_a_sync_that_lied_is_found(begun: Content, judge: Judge, name: str) -> None:
    def lies(step: Step) -> bool:
        return step.name == name

    disk = played(begun, *TABLES[:2], lies=lies)
    assert ("sync", LAST) in {(step.kind, step.name) for step in disk.steps}
    found = cut_power(disk, judge, times=2, every=2, whole=False)
    assert found["found"] > 5


def test_int_5_a_flipped_bit_anywhere_is_found_or_harmless(begun: Content, judge: Judge) -> None:
    disk = played(begun, TABLES[3], log_pages=4000)
    content, acknowledged = disk.crash(), disk.acknowledged_after(len(disk.steps))
    chance = Random("bits")

    def bits(name: str, count: int, last: int = 10**9) -> list[int]:
        size = 8 * len(content[name])
        return [chance.randrange(max(0, size - 8 * last), size) for _ in range(count)]

    # In the log everything counts; of the last commits SQLite itself would say nothing.
    found = flip(content, LOG, bits(LOG, 40) + bits(LOG, 60, last=3 * 4120), judge, acknowledged)
    assert found["harmless"] <= 2, found
    assert flip(content, str(BOOK), bits(str(BOOK), 60), judge, acknowledged)["found"] > 5
    # A note that cannot be read says nothing, and the one before it still holds.
    assert set(flip(content, LAST, bits(LAST, 20), judge, acknowledged)) == {"harmless"}


def test_int_5_a_log_that_is_gone_is_missed(begun: Content, judge: Judge) -> None:
    disk = played(begun, TABLES[0], log_pages=4000)
    content, acknowledged = disk.crash(), disk.acknowledged_after(len(disk.steps))
    without = {name: data for name, data in content.items() if name != LOG}
    assert "it had acknowledged entry" in judge.judge(without, acknowledged, whole=False)
    with pytest.raises(Lost, match="was acknowledged, and is gone"):
        judge.judge({name: data for name, data in without.items() if name != LAST}, acknowledged, whole=False)


def test_int_5_the_last_two_commits_cannot_disappear_from_a_real_file(tmp_path: Path) -> None:
    """One flipped bit in the second-last commit opened the book at entry 18 of 20, and nothing said so."""
    book = open_book(tmp_path / "house.db")
    chain = Chain("t1")
    for _ in range(20):
        write(book, add(chain))
    book.rest()
    files = {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")}
    book.close()
    page = 24 + int.from_bytes(files["house.db-wal"][8:12])
    for back in range(1, 7):
        copied = tmp_path / str(back)
        copied.mkdir()
        log = bytearray(files["house.db-wal"])
        log[len(log) - back * page + 100] ^= 1
        for name, data in {**files, "house.db-wal": bytes(log)}.items():
            (copied / name).write_bytes(data)
        with pytest.raises(Damaged):
            open_book(copied / "house.db")


def test_int_1_the_failing_disk_tells_a_store_that_does_not_sync_from_one_that_does(
    begun: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = SqliteWriter.__init__

    def careless(self: SqliteWriter, connection: object) -> None:
        made(self, connection)  # type: ignore[arg-type]
        self.connection.execute("PRAGMA synchronous = OFF")

    monkeypatch.setattr(SqliteWriter, "__init__", careless)
    with pytest.raises(Lost):
        cut_power(played(begun, TABLES[0]), Judge(), times=2)


def test_a_note_too_long_for_its_place_leaves_the_one_before(tmp_path: Path) -> None:
    book = SqliteBook(tmp_path / "house.db")
    write(book, add(Chain("t1")))
    noted = book._last.read()
    assert noted is not None
    assert noted.ends.keys() == {"t1"}
    write(book, *[add(Chain(f"{number} " + "t" * 60_000)) for number in range(5)])
    assert book._last.read() == noted
    book.close()
    open_book(tmp_path / "house.db").close()


def test_int_5_every_stream_and_a_document_are_missed_when_they_are_gone(tmp_path: Path) -> None:
    book = SqliteBook(tmp_path / "house.db")
    write(book, add(Chain("t1")), add(Chain("t2")))
    write(book, Append(documents=[Document("person", "ann", 1, 5, b"one")]))
    book.close()
    whole = (tmp_path / "house.db").read_bytes()
    for table, gone in (("journal", "entry 1 of t1"), ("documents", "version 1 of person ann")):
        (tmp_path / "house.db").write_bytes(whole)
        with closing(sqlite3.connect(tmp_path / "house.db")) as altered:
            altered.execute(f"DELETE FROM {table} WHERE {'stream' if table == 'journal' else 'key'} IN ('t1', 'ann')")
            altered.commit()
        with pytest.raises(Damaged, match=gone):
            open_book(tmp_path / "house.db")


def test_int_5_a_book_without_its_file_but_with_its_note_is_refused(tmp_path: Path) -> None:
    book = open_book(tmp_path / "house.db")
    entry: Entry = Chain("t1").add(1, "fact", b"{}")
    assert book.write([Append([entry])]) == [None]
    book.close()
    (tmp_path / "house.db").unlink()
    with pytest.raises(Damaged, match=r"is missing, but house\.db\.last is there"):
        open_book(tmp_path / "house.db")
