"""Gateways in processes of their own: terminals and browsers connect there, and a bus carries what they say to the house.

The bus delivers, and nothing else is believed of it: what it loses, repeats or brings late breaks the link between a gateway and
the house; a new one is made, and terminals send again what was not answered. What is acknowledged is in the journal. No
terminal speaks with the bus.

`frames` has what is said, `link` keeps it in order, `house_end` and `gateway_end` are the two sides, and `nats` is the driver.
"""

from collections.abc import Callable
from typing import Protocol


class Bus(Protocol):
    """Carries messages by subject to whoever listens there; it may lose, repeat or reorder them."""

    async def publish(self, subject: str, message: bytes) -> None:
        """Sends a message to everybody who listens to the subject. Raises OSError where the bus takes nothing more."""

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:
        """Calls `heard` with each message of a subject."""

    async def close(self) -> None:
        """Leaves the bus, after what was published is sent."""
