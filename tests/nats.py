"""A real NATS server for tests."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

SERVER: Final = Path(sys.executable).parent / "nats-server"


@contextmanager
def a_nats_server(folder: Path) -> Iterator[str]:
    """Runs a server at a free port of this machine; gives its address."""
    port = _free_port()
    with (folder / "nats.log").open("wb") as log:
        server = subprocess.Popen([SERVER, "-a", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
        try:
            _wait_for(port)
            yield f"nats://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


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
