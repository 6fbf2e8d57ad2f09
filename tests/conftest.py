"""Hypothesis tries the same examples in every run and ignores the clock, so a red test is red for everybody.

`pytest --hypothesis-profile=explore` tries new and more examples instead.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from podium.basics import words
from podium.maths.advice import begin
from podium.rules.games import game
from tests.postgres import new_database, postgres_running

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1_000, deadline=None)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this run and stopped with it."""
    with postgres_running() as address:
        yield address


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of a new database."""
    with new_database(postgres_server) as address:
        yield address


@pytest.fixture
def made_up_words() -> Iterator[None]:
    """Forgets the words that a test declares after it."""
    declared = words._declared
    before = dict(declared)
    yield
    declared.clear()
    declared.update(before)
    words.ENGLISH._said.cache_clear()


@pytest.fixture(scope="session")
def compiled() -> None:
    """The mathematics of advice, compiled and kept on disk: the coach of a house finds it there, and need not take as
    long as a first start does."""
    for name in ("stadium-blackjack", "stadium-three-card-poker"):
        begin(game(name))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store can be opened: every test that uses it runs on both databases."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return str(tmp_path / "house.db")
