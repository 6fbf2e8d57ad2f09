"""What happens in a house apart from its tables: the stream `house` of the journal."""

from typing import Final, NamedTuple

import msgspec

from podium.house.cash import CashDay
from podium.house.config import HouseConfig
from podium.house.protection import ExclusionKind, PlayLimits, Protected
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
    """Whether every document that lets somebody in must have a stamp from here on (SEC-7)."""
    tickets_stamped: bool = False
    """Whether every ticket must have one from here on."""


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
    """Players who left without money and documents that are no longer valid were dropped from memory. The record keeps them."""

    players: tuple[str, ...] = ()
    documents: tuple[tuple[str, str], ...] = ()
    """Sessions, invitations and terminals, by kind and key."""


class PlayerExcluded(Event, frozen=True, tag="player-excluded"):
    """PROT-1: somebody may not play for a time: the house excluded them, or they chose it themselves."""

    player: str
    at: int
    kind: ExclusionKind
    until: int
    """0 for no end."""
    by: str
    reason: str = ""


class ExclusionLifted(Event, frozen=True, tag="exclusion-lifted"):
    """Two people ended an exclusion before its time."""

    player: str
    kind: ExclusionKind
    by: str
    second: str
    reason: str


class LimitsChosen(Event, frozen=True, tag="limits-chosen"):
    """A player chose limits of their own. A lower limit holds at once, a higher one after a day."""

    player: str
    at: int
    chosen: PlayLimits


class AgeConfirmed(Event, frozen=True, tag="age-confirmed"):
    """PROT-1: the player, or a cashier who looked at a document, confirmed that the player is old enough."""

    player: str
    by: str


class PlayBegan(Event, frozen=True, tag="play-began"):
    """A player bet after a pause: a time of play began."""

    player: str
    at: int
    until: int
    """When the gaming day ends."""
    brought: int
    """What the player had in the house."""


class PlayEnded(Event, frozen=True, tag="play-ended"):
    """A player has left the tables, or has not bet for a while."""

    player: str
    at: int


class ReminderRead(Event, frozen=True, tag="reminder-read"):
    """A player read the reminder of how long and with what result they have played in the gaming day."""

    player: str
    at: int
    minutes: int
    lost: int
    """Below 0 where the player has won."""


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
    tickets_since: int = 0
    """The entry from which every ticket has one; 0 if none has."""
    protected: dict[str, Protected] = msgspec.field(default_factory=dict)
    """PROT-1: exclusions, own limits and the day of play, by player."""
    cash: dict[str, CashDay] | None = None
    """The cash of the gaming day, by player; None where the program of that time did not sum it."""


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
    "cash-large": "a player's cash of a gaming day, or a ticket, reached the amount that must be looked at",
    "cash-many": "a player bought in often on a gaming day, each time below that amount",
    "clock-changed": "the system's clock was set, or jumped; or the system no longer knows whether it is right",
    "integrity-checked": "the record was proved while the house was open",
    "integrity-failed": "the record did not prove itself",
    "backup-made": "a backup was written",
    "archive-made": "what tables recorded long ago was moved from the book into an archive",
    "copy-failed": "a backup or an archive could not be copied elsewhere",
    "keys-changed": "the house has other keys than at its last start",
    "program-differs": "the program is not the one in the signed manifest",
    "certificate-changed": "the certificate was read again, because its files had changed",
    "certificate-refused": "the files of the certificate had changed and could not be used; the previous one stays in use",
}
"""The kinds of significant events that are recorded only by a note (EVT-1); all others have journal entries of their
own."""

HouseEvent = (
    HouseConfigured
    | HouseStarted
    | PlayerAdmitted
    | MoneyMoved
    | DocumentsFiled
    | Forgotten
    | HouseSnapshot
    | Noted
    | PlayerExcluded
    | ExclusionLifted
    | LimitsChosen
    | AgeConfirmed
    | PlayBegan
    | PlayEnded
    | ReminderRead
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[HouseEvent] = msgspec.json.Decoder(HouseEvent)


def encode(event: HouseEvent) -> bytes:
    return _encoder.encode(event)


def decode(text: bytes | str) -> HouseEvent:
    return _decoder.decode(text)
