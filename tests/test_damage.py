"""INT-5: damaged storage stops the house and keeps its bytes; a torn last write is the one nobody was told of (INT-1)."""

import os
from pathlib import Path

import pytest

from podium.record.journal import Chain
from podium.record.store import Damaged, Unavailable, open_book, prove
from podium.record.store.sqlite import SqliteBook
from podium.record.store.wal import first_lost_commit
from tests.history import add, buy_in, write


def house_file(tmp_path: Path, entries: int = 300) -> Path:
    path = tmp_path / "house.db"
    book = open_book(path)
    chain = Chain("t1")
    for number in range(entries):
        write(book, add(chain, buy_in(f"b{number}", "ann", 1), payload=b"x" * 100))
    book.close()
    return path


@pytest.mark.parametrize("harm", ["header", "middle", "short", "empty", "other"])
def test_int_5_a_damaged_file_is_refused_and_its_bytes_kept(tmp_path: Path, harm: str) -> None:
    path = house_file(tmp_path)
    data = bytearray(path.read_bytes())
    assert len(data) > 20 * 4096
    match harm:
        case "header":
            data[:16] = bytes(16)
        case "middle":
            data[4096 * 5 : 4096 * 12] = b"\xaa" * 4096 * 7
        case "short":
            del data[len(data) // 2 :]
        case "empty":
            data.clear()
        case "other":
            data[68:72] = b"ELSE"
    path.write_bytes(data)
    with pytest.raises(Damaged, match=r"house\.db"):
        open_book(path)
    assert path.read_bytes() == bytes(data)


def test_int_5_a_flipped_bit_inside_a_row_is_found_by_the_chain(tmp_path: Path) -> None:
    path = house_file(tmp_path)
    data = bytearray(path.read_bytes())
    at = data.index(b"x" * 100) + 50
    data[at] ^= 1
    path.write_bytes(data)
    book = open_book(path, writable=False)
    with pytest.raises(Damaged, match="was altered"):
        prove(book)
    book.close()


def copy_of_a_running_house(tmp_path: Path) -> tuple[Path, bytearray]:
    """The files as they lie while the house runs, with everything still in the log."""
    running, copied = tmp_path / "running", tmp_path / "copied"
    running.mkdir()
    copied.mkdir()
    book = open_book(running / "house.db")
    chain = Chain("t1")
    for number in range(20):
        write(book, add(chain, buy_in(f"b{number}", "ann", 1)))
    (copied / "house.db").write_bytes((running / "house.db").read_bytes())
    log = bytearray((running / "house.db-wal").read_bytes())
    book.close()
    return copied / "house.db", log


def test_int_5_a_damaged_log_is_refused_where_sqlite_would_forget_commits(tmp_path: Path) -> None:
    path, log = copy_of_a_running_house(tmp_path)
    log[len(log) // 2] ^= 1
    path.with_name("house.db-wal").write_bytes(log)
    with pytest.raises(Damaged, match="committed writes after it"):
        open_book(path)
    assert path.with_name("house.db-wal").read_bytes() == bytes(log)


def test_int_5_a_commit_after_a_damaged_one_proves_that_it_was_acknowledged(tmp_path: Path) -> None:
    """A commit is on the disk before the next one begins. A damaged last commit alone cannot be told from a torn write."""
    _, log = copy_of_a_running_house(tmp_path)
    page = int.from_bytes(log[8:12])
    frames = list(range(32, len(log), 24 + page))
    ends = [
        at for at in frames if any(log[at + 4 : at + 8])
    ]  # a frame that ends a commit names the size of the database
    for after, found in ((3, True), (2, True), (1, True), (0, False)):
        damaged = bytearray(log)
        damaged[ends[-1 - after] + 24] ^= 1
        assert (first_lost_commit(bytes(damaged)) is not None) is found, after


def test_int_1_a_torn_last_commit_is_the_one_that_was_not_acknowledged(tmp_path: Path) -> None:
    path, log = copy_of_a_running_house(tmp_path)
    path.with_name("house.db-wal").write_bytes(log[:-100])
    book = open_book(path)
    assert book.heads()["t1"].sequence == 19
    prove(book)
    book.close()


def test_int_5_a_log_without_its_file_is_refused(tmp_path: Path) -> None:
    path, log = copy_of_a_running_house(tmp_path)
    path.unlink()
    path.with_name("house.db-wal").write_bytes(log)
    with pytest.raises(Damaged, match="is missing"):
        open_book(path)


def test_a_full_disk_refuses_and_loses_nothing(tmp_path: Path) -> None:
    """SQLite's own limit of pages stands for the disk."""
    book = SqliteBook(tmp_path / "house.db")
    chain = Chain("t1")
    write(book, add(chain))
    connection = book._writing().connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    good = chain.head
    outcomes = book.write([add(chain, payload=b"x" * 500_000), add(Chain("t2"))])
    assert [type(each) for each in outcomes] == [Unavailable, Unavailable]
    assert "disk is full" in str(outcomes[0])
    connection.execute("PRAGMA max_page_count = 1000000")
    write(book, add(Chain("t1", good)), add(Chain("t2")))
    prove(book)
    book.close()


def test_a_running_house_is_read_even_while_its_log_changes(tmp_path: Path) -> None:
    """The log of a running house may look torn at any moment; only a stopped one is judged by it."""
    book = open_book(tmp_path / "house.db")
    chain = Chain("t1")
    for number in range(20):
        write(book, add(chain, buy_in(f"b{number}", "ann", 1)))
    log = tmp_path / "house.db-wal"
    whole = log.read_bytes()
    torn = bytearray(whole)
    torn[len(torn) // 2] ^= 1
    log.write_bytes(torn)
    reader = open_book(tmp_path / "house.db", writable=False)
    reader.close()
    log.write_bytes(whole)
    book.close()
    open_book(tmp_path / "house.db").close()


# --- what makes a write durable -----------------------------------------------------------------------------------------


def test_int_1_every_commit_is_synced_before_it_is_acknowledged(tmp_path: Path) -> None:
    """SQLite's `synchronous = FULL` (2) syncs the log after each commit; less than that can lose one."""
    book = SqliteBook(tmp_path / "house.db")
    writer = book._writing()
    assert writer.connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert writer.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    book.close()


def test_bak_1_a_backup_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = SqliteBook(tmp_path / "house.db")
    write(book, add(Chain("t1"), buy_in("b1", "ann", 1)))
    synced: list[tuple[str, int]] = []
    names = {"file": tmp_path / "backup.new", "directory": tmp_path}

    def fsync(opened: int) -> None:
        about = os.fstat(opened)
        for name, path in names.items():
            if path.exists() and os.path.samestat(path.stat(), about):
                synced.append((name, about.st_size if name == "file" else int((tmp_path / "backup").exists())))

    monkeypatch.setattr(os, "fsync", fsync)
    book.back_up(tmp_path / "backup")
    book.close()
    # The whole file first, then its name.
    assert synced == [("file", (tmp_path / "backup").stat().st_size), ("directory", 1)]
