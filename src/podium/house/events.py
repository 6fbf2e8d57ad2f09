"""What happens in a house besides its tables: in the stream `house` of the journal."""

import msgspec

from podium.events import Event
from podium.house.config import HouseConfig


class HouseConfigured(Event, frozen=True, tag="house-configured"):
    """The configuration of the house was entered or changed."""

    config: HouseConfig
    version: int
    by: str = ""


class HouseStarted(Event, frozen=True, tag="house-started"):
    """The program began to serve, after its self-checks passed (INT-2, VER-1)."""

    program: str
    """The fingerprint of the running program."""


class PlayerAdmitted(Event, frozen=True, tag="player-admitted"):
    """A player came in: by card, by ticket, or as a guest."""

    player: str
    how: str


class MoneyMoved(Event, frozen=True, tag="money-moved"):
    """Something at the cashier's desk; the transfers stand beside it."""

    what: str
    player: str
    amount: int
    by: str = ""
    second: str = ""
    """The second person, where two are needed (CSH-1)."""
    reason: str = ""
    before: int = 0
    after: int = 0


class Noted(Event, frozen=True, tag="noted"):
    """A significant event (EVT-1)."""

    kind: str
    source: str
    who: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""


HouseEvent = HouseConfigured | HouseStarted | PlayerAdmitted | MoneyMoved | Noted

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[HouseEvent] = msgspec.json.Decoder(HouseEvent)


def encode(event: HouseEvent) -> bytes:
    return _encoder.encode(event)


def decode(text: bytes | str) -> HouseEvent:
    return _decoder.decode(text)
