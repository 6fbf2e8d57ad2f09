"""A busy day of a house, its record, and what was read out of it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from podium.house.reports import Records
from podium.record.store import Book, open_book
from tests.houses import all_games, busy_day, playing_house


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("record") / "podium.db"
    with playing_house(path, msgspec.structs.replace(all_games(), large_win=3_000, large_wager=2_500)) as playing:
        busy_day(playing)
    return path


@pytest.fixture
def book(record: Path) -> Iterator[Book]:
    opened = open_book(record, writable=False)
    yield opened
    opened.close()


@pytest.fixture
def records(book: Book) -> Records:
    followed = Records()
    followed.catch_up(book)
    return followed
