"""What a gateway and the house say to each other. Written with msgpack, as arrays: most of it is other people's bytes."""

from typing import Final

import msgspec

VERSION: Final = 1
"""Counts up with every change of the frames; a gateway and a house of different versions refuse each other."""


class Frame(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that is said. Lines are numbered by the gateway; a number is never used again."""


class Source(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a connection comes from, as its gateway sees it."""

    address: str
    port: int
    tls: bool
    certificate: bytes
    """The certificate that the other end has proved to have, in DER; empty without one."""


class Hello(Frame, frozen=True, tag="hello"):
    """A gateway begins a link."""

    gateway: str
    """The subject at which it listens."""
    address: str
    version: int


class Accepted(Frame, frozen=True, tag="accepted"):
    """The house takes the link, and says what the gateway must know of its configuration."""

    proxies: tuple[str, ...]
    connections_per_address: int


class Leaving(Frame, frozen=True, tag="leaving"):
    """One end closes the link: its process ends."""


class Knocked(Frame, frozen=True, tag="knocked"):
    """A terminal asks for a line; `open`: it has one, from before this link."""

    line: int
    head: bytes
    """The head of its request."""
    source: Source
    open: bool


class LetIn(Frame, frozen=True, tag="let-in"):
    """The terminal may have its line."""

    line: int


class TurnedAway(Frame, frozen=True, tag="turned-away"):
    """The terminal may not have a line; `answer` is the whole HTTP response that says why."""

    line: int
    answer: bytes


class Opened(Frame, frozen=True, tag="opened"):
    """The line is open, after its handshake."""

    line: int


class Said(Frame, frozen=True, tag="said"):
    """A terminal said something."""

    line: int
    message: bytes


class Told(Frame, frozen=True, tag="told"):
    """The house says the same to some terminals."""

    lines: list[int]
    message: bytes


class Ending(Frame, frozen=True, tag="ending"):
    """The house closes a line."""

    line: int
    code: int
    reason: str


class Gone(Frame, frozen=True, tag="gone"):
    """A line or a browser's connection is closed."""

    line: int


class Visited(Frame, frozen=True, tag="visited"):
    """A browser has connected."""

    line: int
    source: Source


class Passed(Frame, frozen=True, tag="passed"):
    """Bytes of a browser's connection, in either direction."""

    line: int
    data: bytes


class Taken(Frame, frozen=True, tag="taken"):
    """So many bytes of a browser's connection have been passed on; the other end may send as many more."""

    line: int
    count: int


AnyFrame = (
    Hello
    | Accepted
    | Leaving
    | Knocked
    | LetIn
    | TurnedAway
    | Opened
    | Said
    | Told
    | Ending
    | Gone
    | Visited
    | Passed
    | Taken
)


class Packet(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Some frames of one link, numbered without a gap."""

    link: int
    number: int
    frames: list[AnyFrame]


class GatewayCard(msgspec.Struct, frozen=True):
    """A gateway that the house has a link with."""

    address: str
    lines: int


class Beacon(msgspec.Struct, frozen=True):
    """The house says twice a second that it is there."""

    instance: str
    """This opening of the house; another one has another name."""
    epoch: int
    """Counts up with each owner of the house; 0 where there is no lease."""
    since: int
    """When it opened, in milliseconds since 1970."""
    process: str
    gateways: list[GatewayCard] = []


encode_packet: Final = msgspec.msgpack.Encoder().encode
decode_packet: Final = msgspec.msgpack.Decoder(Packet).decode
encode_beacon: Final = msgspec.msgpack.Encoder().encode
decode_beacon: Final = msgspec.msgpack.Decoder(Beacon).decode


def beacon_subject(name: str) -> str:
    """Where the house of this name says that it is there."""
    return f"{name}.beacon"


def house_subject(name: str, instance: str) -> str:
    """Where an opening of the house listens to gateways."""
    return f"{name}.house.{instance}"


def gateway_subject(name: str, gateway: str) -> str:
    """Where a gateway listens to the house."""
    return f"{name}.gateway.{gateway}"
