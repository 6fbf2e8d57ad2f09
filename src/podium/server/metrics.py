"""Metrics for Prometheus: load and latency of the house."""

from collections.abc import Callable
from functools import cache
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from podium.server.health import STATES, HealthCard
from podium.wire.commands import AnyCommand

TURNS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
"""Buckets for the seconds of a turn, from taking the commands to showing the result."""


class Metrics:
    """The figures of one house."""

    def __init__(self, terminals: Callable[[], int]) -> None:
        self._registry: Final = CollectorRegistry()
        connected = Gauge("podium_terminals", "Terminals that are connected.", registry=self._registry)
        connected.set_function(lambda: float(terminals()))
        commands = Counter("podium_commands", "Commands of terminals.", ["command"], registry=self._registry)
        self._of_command: Final = cache(lambda kind: commands.labels(str(kind.__struct_config__.tag)))
        """The counter of each kind of command."""
        self.refusals: Final = Counter("podium_refusals", "Commands that were refused.", registry=self._registry)
        self._turns: Final = Histogram(
            "podium_turn_seconds",
            "A table's turn, until what happened is durable and shown.",
            buckets=TURNS,
            registry=self._registry,
        )
        self.entries: Final = Counter("podium_entries_stored", "Entries of the journal.", registry=self._registry)
        self.rounds: Final = Counter("podium_rounds_opened", "Rounds.", ["table"], registry=self._registry)
        self._health: Final = Gauge(
            "podium_health", "A part of the house: 0 well, 1 warning, 2 failing.", ["part"], registry=self._registry
        )
        self._free: Final = Gauge("podium_disk_free_bytes", "Left on the disk of the house.", registry=self._registry)
        self.requests: Final = Counter("podium_requests", "HTTP requests.", ["status"], registry=self._registry)

    def command(self, command: AnyCommand) -> None:
        self._of_command(type(command)).inc()

    def turn(self, seconds: float) -> None:
        self._turns.observe(seconds)

    def health(self, card: HealthCard) -> None:
        for part, (state, _) in card.parts().items():
            self._health.labels(part).set(STATES.index(state))
        self._health.labels("house").set(STATES.index(card.state))
        self._free.set(card.disk.free_bytes)

    def text(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self._registry)
