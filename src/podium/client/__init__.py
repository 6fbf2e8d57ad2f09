"""Clients of a running house: a terminal's side of the wire, the swarm of bots, and a witness of its record.

Touches sockets and the clock; a witness also the files of its folder.
"""

from podium.client.door import Door, Pass
from podium.client.shown import Turn
from podium.client.terminal import Client, Disconnected, connect

__all__ = ["Client", "Disconnected", "Door", "Pass", "Turn", "connect"]
