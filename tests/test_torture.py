"""INT-1, TIME-1: the real process under load, killed at random moments; `make torture` kills it more often."""

import asyncio
from pathlib import Path

from tests.torture.returning import restart_under_terminals
from tests.torture.torture import torture


def test_int_1_kill_9_of_the_real_house_loses_nothing_that_anybody_was_told(tmp_path: Path, place: str) -> None:
    """Bots at all five games on real sockets; they come back by themselves, and everything they were told is there."""
    database = place if place.startswith("postgresql") else ""
    outcome = asyncio.run(torture(tmp_path, database, kills=3, bots=12))
    assert outcome.acknowledged > 12
    assert outcome.rounds > 0


def test_int_2_every_terminal_comes_back_by_itself_when_the_house_restarts(tmp_path: Path) -> None:
    """200 terminals watch while the house is killed and started; `make torture` does it 100 times."""
    returned = asyncio.run(restart_under_terminals(tmp_path, "", restarts=3, terminals=200))
    assert returned.restarts == 3
