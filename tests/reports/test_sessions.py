"""Player sessions at several boxes and several tables, and in several stays (REP-2)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.house.reports import Records, between, report
from podium.record.ledger import account
from podium.record.store import Append, Book, open_book
from tests.floor import TestHouse, stadium


class Evening:
    """A house of two tables, its book, and a player who is looked for in the report."""

    def __init__(self, book: Book) -> None:
        self.house = TestHouse(t1=stadium(boxes=3), t2=stadium(boxes=3))
        self.house.player("ann", credit=50_000)
        self._book = book
        self._written = 0

    def sit_down(self, table: str, box: int) -> None:
        self.house.house.sit_down("ann", table, None, self.house.now, box=box)

    def get_up(self, table: str, box: int | None = None) -> None:
        self.house.at(table, lambda table: table.get_up("ann", self.house.now, box=box))

    def play(self, table: str, *boxes: int) -> None:
        """A round in which these boxes stake 10.00 each and stand."""
        self.house.run_until("betting", table)
        for box in boxes:
            self.house.house.bet("ann", table, {"blackjack": 1_000}, {}, (), self.house.now, box=box)
        self.house.run_until("result", table)

    def sessions(self) -> list[dict[str, Any]]:
        entries = self.house.store()[self._written :]
        self._written += len(entries)
        assert self._book.write([Append(entries)]) == [None]
        made = report("player-sessions", self._book, Records(), between(0, self.house.now + 1), self.house.now)
        return [dict(zip([column.name for column in made.columns], row, strict=True)) for row in made.rows]

    @property
    def credit(self) -> int:
        return self.house.house.ledger[account("credit", "ann")]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    book = open_book(tmp_path / "podium.db")
    yield Evening(book)
    book.close()


def test_rep_2_all_boxes_of_a_player_at_a_table_are_one_session(evening: Evening) -> None:
    begun = evening.house.now
    evening.sit_down("t1", 2)
    evening.play("t1", 1, 2)
    evening.get_up("t1", 1)
    evening.play("t1", 2)
    evening.get_up("t1")
    [session] = evening.sessions()
    assert (session["since"], session["rounds"], session["staked"]) == (begun, 2, 3_000)
    assert session["until"] is not None
    assert session["bought_in"] + session["net"] == evening.credit


def test_rep_2_each_table_and_each_stay_is_a_session_of_its_own(evening: Evening) -> None:
    evening.house.now += 10
    evening.sit_down("t2", 1)
    evening.sit_down("t2", 2)
    evening.play("t1", 1)
    evening.play("t2", 1, 2)
    evening.get_up("t2")
    evening.house.now += 60_000
    evening.sit_down("t2", 1)
    evening.play("t1", 1)
    evening.play("t2", 1)
    made = evening.sessions()
    assert [(each["table"], each["rounds"], each["staked"]) for each in made] == [
        ("t1", 2, 2_000),
        ("t2", 1, 2_000),
        ("t2", 1, 1_000),
    ]
    first, second, third = made
    assert first["until"] is None
    assert second["until"] < third["since"]
    assert first["bought_in"] == 50_000
    assert sum(each["bought_in"] + each["net"] for each in made) == evening.credit


def test_rep_2_who_comes_back_before_the_round_is_over_begins_a_session(evening: Evening) -> None:
    evening.house.run_until("betting")
    evening.house.bet("ann", 1_000)
    evening.get_up("t1")
    evening.house.now += 10
    evening.sit_down("t1", 1)
    evening.house.run_until("result")
    made = evening.sessions()
    assert [each["until"] is None for each in made] == [False, True]
    assert sum(each["bought_in"] + each["net"] for each in made) == evening.credit
