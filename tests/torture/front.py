"""Two gateways of a house and the NATS server between them, each of which is killed or paused."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.nats import NatsServer


class Front:
    """Where half of the bots connect."""

    def __init__(self, data: Path, ports: tuple[int, int]) -> None:
        self._data: Final = data
        self._ports: Final = ports
        self.nats: Final = NatsServer(data)
        self._gateways: Final[dict[int, subprocess.Popen[bytes]]] = {}

    def start(self) -> None:
        self.nats.start()
        for port in self._ports:
            self.start_gateway(port)

    @property
    def sockets(self) -> list[str]:
        """The addresses at which terminals connect."""
        return [f"ws://127.0.0.1:{port}/ws" for port in self._ports]

    @property
    def said(self) -> str:
        return (self._data / "gateways.log").read_text()

    def start_gateway(self, port: int) -> None:
        command = [sys.executable, "-m", "podium", "gateway", "--bus", self.nats.url, "--port", str(port)]
        with (self._data / "gateways.log").open("ab") as log:
            environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
            self._gateways[port] = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def kill_gateway(self, number: int) -> int:
        """Kills one of them; gives its port."""
        port = self._ports[number % len(self._ports)]
        self._gateways[port].kill()
        self._gateways[port].wait()
        return port

    def end(self) -> None:
        for gateway in self._gateways.values():
            gateway.send_signal(signal.SIGCONT)
            gateway.kill()
            gateway.wait()
        self.nats.kill()
