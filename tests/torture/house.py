"""`podium serve` as a process that is killed, and what its store holds while it is dead."""

import os
import socket
import subprocess
import sys
from heapq import merge
from pathlib import Path
from random import Random
from typing import IO

import psycopg

from podium.house import House, HouseConfig, write_config
from podium.house.shuffling import SealedShuffler
from podium.house.table import TableConfig
from podium.record.store import Book, Proved, Reading, open_book, prove, read_stream
from podium.record.store.keys import default_folder, read_ring
from tests.simulator.witness import Witness

PACE = {
    "betting_seconds": 0.6,
    "insurance_seconds": 0.5,
    "decision_seconds": 0.5,
    "result_seconds": 0.1,
    "card_seconds": 0.01,
    "shuffle_seconds": 0.05,
    "penetration": 0.3,
}
LIMITS = {"limits": {"blackjack": [500, 50_000]}, "chip": 100}
TABLES = {
    "stadium-1": TableConfig(game="stadium-blackjack", options=LIMITS, **PACE),  # type: ignore[arg-type]
    "dynasty-1": TableConfig(game="dynasty-blackjack", options=LIMITS, **PACE),  # type: ignore[arg-type]
    "mega-1": TableConfig(game="mega-blackjack", options=LIMITS, **PACE),  # type: ignore[arg-type]
    "match-1": TableConfig(game="match-up-blackjack", **PACE),  # type: ignore[arg-type]
    "three-1": TableConfig(game="stadium-three-card-poker", **PACE),  # type: ignore[arg-type]
}


def free_port(chance: Random) -> int:
    """A free port, below those that the system gives to outgoing connections."""
    while True:
        port = chance.randrange(20_000, 32_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


class ServedHouse:
    """A house on disk, and the process that serves it while there is one."""

    def __init__(self, data: Path, database: str, port: int, config: HouseConfig) -> None:
        self.data = data
        data.mkdir(parents=True, exist_ok=True)
        self.database = database
        self.port = port
        self._config = data / "podium.toml"
        self._config.write_text(write_config(config))
        self.invitation = ""
        """The link of the first operator, where the house printed one."""
        self._process: subprocess.Popen[str] | None = None
        self._log: IO[str] | None = None
        self.proof: Proof | None = None

    @property
    def witness(self) -> Witness | None:
        return None if self.proof is None else self.proof.witness

    @property
    def pages(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Serves, and returns when the house says that it is open."""
        self._log = (self.data / "log").open("a")
        command = [sys.executable, "-m", "podium", "serve", "--data", str(self.data), "--config", str(self._config)]
        command += ["--port", str(self.port)] + (["--database", self.database] if self.database else [])
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.invitation = line.strip() if "/welcome#" in line else self.invitation
            if "Ctrl-C" in line:
                return
        raise AssertionError(f"The house did not open: {(self.data / 'log').read_text()[-2_000:]}")

    @property
    def memory(self) -> int:
        """The bytes of memory that the process holds now."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024

    def kill(self) -> None:
        """`kill -9`: no farewell, no last write."""
        process = self._process
        assert process is not None
        assert process.poll() is None, f"The house has stopped: {(self.data / 'log').read_text()[-3_000:]}"
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        assert self._log is not None
        self._log.close()
        self._process = None

    # --- while it is dead -------------------------------------------------------------------------------------------

    def book(self) -> Book:
        if self.database:
            with psycopg.connect(self.database, autocommit=True) as connection:
                # The server notices late that a client was killed; what it had not committed is not there.
                connection.execute(
                    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            return open_book(self.database)
        return open_book(next(self.data.glob("*.db")))

    def verify(self) -> None:
        """`podium verify`: every round played again, every shuffle against its commitment and its cards."""
        command = [sys.executable, "-m", "podium", "verify", self.database or str(self.data)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def prove(self) -> tuple[House, Proved]:
        """The store proves itself, the journal gives the same house as before and more, and both agree."""
        self.proof = self.proof or Proof(default_folder(self.data))
        book = self.book()
        try:
            return self.proof.look(book)
        finally:
            book.close()


class Proof:
    """Looks at a store again and again, beside a witness that counts all money for itself."""

    def __init__(self, keys: Path) -> None:
        self._shuffler = SealedShuffler(read_ring("seal", keys / "seal.key").seal(os.urandom), os.urandom)
        self.witness = Witness(self._shuffler)
        self._seen: dict[str, int] = {}

    def look(self, book: Reading) -> tuple[House, Proved]:
        """The store proves itself, the journal gives the same house as before and more, and both agree."""
        proved = prove(book)
        streams = {name: list(read_stream(book, name)) for name in book.heads()}
        balances = book.balances()
        house = House(self._shuffler)
        house.restore(streams)
        assert dict(house.ledger) == balances
        new = [streams[name][self._seen.get(name, 0) :] for name in sorted(streams, key=lambda name: name != "house")]
        for entry in merge(*new, key=lambda entry: entry.time):  # money goes from one stream to another, and back
            self.witness.sees(entry)
        self._seen = {name: len(entries) for name, entries in streams.items()}
        self.witness.compare(house.tables, balances, "after a fault")
        return house, proved
