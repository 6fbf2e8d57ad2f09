"""INT-1: a real process, killed at random moments while it writes; nothing that it acknowledged is ever missing."""

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from podium.record.ledger import account
from podium.record.store import Book, open_book, prove

KILLS = 5
HOUSE = Path(__file__).parent / "crashing_house.py"

Acknowledged = dict[tuple[str, int], str]


def run_and_kill(place: str, acknowledgements: int) -> Acknowledged:
    """Runs a house until it has acknowledged this many entries, kills it, and returns everything that it has acknowledged."""
    with subprocess.Popen([sys.executable, str(HOUSE), place], stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        lines = [house.stdout.readline() for _ in range(acknowledgements)]
        house.kill()
        lines += house.stdout.readlines()
    # The last line may have been torn by the kill: it then tells nothing.
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {(stream, int(sequence)): hash for stream, sequence, hash in whole}


def reopened(place: str) -> Book:
    """The book, once the database has noticed that its client is gone."""
    if place.startswith("postgresql"):
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
    return open_book(place)


def test_int_1_nothing_acknowledged_is_lost_by_kill_9(place: str) -> None:
    """Several times in a row on the same store: chain whole, money equal to its transfers, everything acknowledged there."""
    acknowledged: Acknowledged = {}
    for kill in range(KILLS):
        # Never at the same point of a batch: 1, 38, 149, ... acknowledgements after the start.
        acknowledged |= run_and_kill(place, 1 + 37 * kill * kill)
        book = reopened(place)
        try:
            proved = prove(book)
            stored = {
                (stream, entry.sequence): entry.hash.hex() for stream in book.heads() for entry in book.entries(stream)
            }
            assert acknowledged.items() <= stored.items()
            # An entry and its three transfers are there together, or not at all.
            assert proved.transfers == 3 * proved.entries == 3 * len(stored)
            assert book.balances()[account("bank", "t1")] == 100 * len(stored)
        finally:
            book.close()
    assert len(acknowledged) > 37 * (KILLS - 1) ** 2


def test_int_1_a_house_that_loses_its_database_goes_on_and_keeps_what_it_acknowledged(postgres_url: str) -> None:
    """The server's own connection is cut in the middle of writing, as if its machine had gone."""
    with subprocess.Popen([sys.executable, str(HOUSE), postgres_url], stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        lines = [house.stdout.readline() for _ in range(50)]
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        lines += [house.stdout.readline() for _ in range(500)]  # far more than the pipe and one batch held
        house.kill()
        lines += house.stdout.readlines()
    acknowledged = {tuple(line.split()) for line in lines if line.endswith("\n")}
    book = reopened(postgres_url)
    try:
        prove(book)
        stored = {
            (stream, str(entry.sequence), entry.hash.hex()) for stream in book.heads() for entry in book.entries(stream)
        }
        assert acknowledged <= stored
    finally:
        book.close()


@pytest.mark.parametrize("at", [1, 500])
def test_int_1_the_sqlite_files_as_they_lie_at_any_moment_are_a_whole_house(tmp_path: Path, at: int) -> None:
    """A second look without the help of a restart: the same files in another place, opened for the first time."""
    acknowledged = run_and_kill(str(tmp_path / "house.db"), at)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("house.db", "house.db-wal"):
        (moved / name).write_bytes((tmp_path / name).read_bytes())
    book = open_book(moved / "house.db")
    try:
        prove(book)
        stored = {(s, entry.sequence): entry.hash.hex() for s in book.heads() for entry in book.entries(s)}
        assert acknowledged.items() <= stored.items()
    finally:
        book.close()
