"""Whatever talks to a running house: a terminal's side of the wire, and the swarm of bots.

Touches sockets and the clock.
"""

from podium.client.terminal import Disconnected, House, Turn, connect

__all__ = ["Disconnected", "House", "Turn", "connect"]
