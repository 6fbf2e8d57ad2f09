"""What happens in a house apart from its tables: the stream `house` of the journal."""

from typing import Final, NamedTuple

import msgspec

from podium.house.config import HouseConfig
from podium.play.events import Event


class HouseConfigured(Event, frozen=True, tag="house-configured"):
    """The configuration of the house was entered or changed."""

    config: HouseConfig
    version: int
    by: str = ""


class HouseStarted(Event, frozen=True, tag="house-started"):
    """The program began to serve, after its self-checks passed (INT-2, VER-1)."""

    program: str
    """The fingerprint of the running program."""
    signer: str = ""
    """The public key of the checkpoints that it signs, in hexadecimal digits (EVT-5)."""
    keys: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The ids of the keys that the house has, by purpose, the current one first."""
    stamped: bool = False
    """Whether every document that lets somebody in has a stamp from here on (SEC-7)."""


class PlayerAdmitted(Event, frozen=True, tag="player-admitted"):
    """A player came in: by card, by ticket, or as a guest."""

    player: str
    how: str


class MoneyMoved(Event, frozen=True, tag="money-moved"):
    """Something happened at the cashier's desk; the entry carries the transfers."""

    what: str
    player: str
    amount: int
    by: str = ""
    second: str = ""
    """The second person, where two are needed (CSH-1)."""
    reason: str = ""
    before: int = 0
    after: int = 0
    request: str = ""
    """The key of the request, where the transfer has an id of its own."""
    ticket: str = ""
    """The key of the ticket that was issued for it."""


class Filing(NamedTuple):
    """The journal's record of one version of a document."""

    kind: str
    key: str
    version: int
    digest: str


class DocumentsFiled(Event, frozen=True, tag="documents-filed"):
    """People, sessions, tickets or terminals were stored: the chain has the digest of each (EVT-4)."""

    documents: tuple[Filing, ...]


class Forgotten(Event, frozen=True, tag="forgotten"):
    """Players who left without money, and documents that are no longer valid, were dropped from memory. They stay in the
    record."""

    players: tuple[str, ...] = ()
    documents: tuple[tuple[str, str], ...] = ()
    """Sessions, invitations and terminals, by kind and key."""


SNAPSHOT: Final = "house-stood"


class HouseSnapshot(Event, frozen=True, forbid_unknown_fields=True, tag=SNAPSHOT):
    """A snapshot of the house's own stream.

    A start replays only what follows it. A replay from the beginning gives exactly the same house, and the chain covers
    this entry like any other (EVT-4). Balances are in the ledger, tickets in the store.
    """

    entries: int
    """How many entries come before this one."""
    version: int
    config: HouseConfig
    running: bool
    players: dict[str, str]
    documents: tuple[Filing, ...]
    """The last version of every document in memory, by kind and key."""
    keys: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The ids of the keys at the last start."""
    stamped: bool = False
    """Whether every document that lets somebody in has a stamp."""


class Noted(Event, frozen=True, tag="noted"):
    """A significant event (EVT-1)."""

    kind: str
    """One of `NOTED`."""
    source: str
    who: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""


NOTED: Final = {
    "sign-in-failed": "somebody could not sign in",
    "locked-out": "an account was locked after repeated failures",
    "person-changed": "an account was made, changed or closed",
    "passkey-changed": "somebody added or removed a passkey",
    "terminal-enrolled": "a terminal was given a place in the house, or lost it",
    "terminal-cut-off": "a terminal was disconnected for what it sent",
    "approval-failed": "a supervisor's code was wrong, used already or too old",
    "approval-refused": "a second person refused what somebody asked for",
    "override": "a supervisor allowed what is not allowed otherwise",
    "ticket-refused": "a ticket was altered, unknown or redeemed already",
    "ticket-void": "a ticket was taken back by hand",
    "program-error": "something happened that a sound program never does",
    "outage": "the store, a table or the network stopped",
    "house-stopped": "the program ended as it was told to; where this is missing before a start, it was interrupted",
    "health-changed": "a part of the house got worse or better: a table, the disk, the store, the witness, the backups, the clock",
    "clock-changed": "the clock was set, or jumped",
    "integrity-checked": "the record was proved while the house was open",
    "integrity-failed": "the record did not prove itself",
    "backup-made": "a backup was written",
    "keys-changed": "the house has other keys than at its last start",
    "program-differs": "the program is not the one in the signed manifest",
    "certificate-changed": "the certificate was read again, because its files had changed",
    "certificate-refused": "the files of the certificate had changed and could not be used; the one of before stays in use",
}
"""The kinds of significant events that are recorded only by a note (EVT-1); all others have journal entries of their
own."""

HouseEvent = (
    HouseConfigured | HouseStarted | PlayerAdmitted | MoneyMoved | DocumentsFiled | Forgotten | HouseSnapshot | Noted
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[HouseEvent] = msgspec.json.Decoder(HouseEvent)


def encode(event: HouseEvent) -> bytes:
    return _encoder.encode(event)


def decode(text: bytes | str) -> HouseEvent:
    return _decoder.decode(text)
