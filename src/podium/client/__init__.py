"""Clients of a running house: a terminal's side of the wire, and the swarm of bots.

Touches sockets and the clock.
"""

from podium.client.door import Door, Pass
from podium.client.terminal import Client, Disconnected, Turn, connect

__all__ = ["Client", "Disconnected", "Door", "Pass", "Turn", "connect"]
