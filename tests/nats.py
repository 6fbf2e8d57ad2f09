"""A real NATS server for tests."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

SERVER: Final = Path(sys.executable).parent / "nats-server"


class NatsServer:
    """A server at a port of this machine that stays the same."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._port: Final = _free_port()
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The process of the server; 0 where it does not run."""
        return 0 if self._server is None else self._server.pid

    def start(self) -> None:
        with (self._folder / "nats.log").open("ab") as log:
            command = [str(SERVER), "-a", "127.0.0.1", "-p", str(self._port)]
            self._server = subprocess.Popen(command, stdout=log, stderr=log)
        _wait_for(self._port)

    def signal(self, number: signal.Signals) -> None:
        assert self._server is not None
        self._server.send_signal(number)

    def kill(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.wait()


@contextmanager
def a_nats_server(folder: Path) -> Iterator[str]:
    """Runs a server; gives its address."""
    server = NatsServer(folder)
    server.start()
    try:
        yield server.url
    finally:
        server.kill()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    until = monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert monotonic() < until, "the NATS server did not start"
            sleep(0.05)
        else:
            return
