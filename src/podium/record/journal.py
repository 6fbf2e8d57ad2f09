"""The journal: numbered entries, each chained to the one before it by a hash, so that every alteration is detected (EVT-4).

An entry is what happened and the money that it moved. The entries of one stream (a table, a cashier, the house itself)
follow each other without a gap; anybody with SHA-256 can check the chain of their hashes.
"""

from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

import msgspec

from podium.record.ledger import Transfer, with_flow

BEGINNING: Final = bytes(32)
"""The previous hash of the first entry of a stream."""

_FIXED: Final = Struct(">32sQQHHII")
_MARK: Final = b"podium-journal-1\n"
_encode: Final = msgspec.json.Encoder().encode
_decode_transfers: Final = msgspec.json.Decoder(tuple[Transfer, ...]).decode


class Entry(NamedTuple):
    """One fact of one stream. `money` are its transfers as JSON, exactly as they were hashed."""

    stream: str
    sequence: int
    """Starts at 1, without gaps."""
    time: int
    """Milliseconds since 1970, UTC."""
    kind: str
    payload: bytes
    money: bytes
    previous: bytes
    hash: bytes

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        return read_transfers(self.money)


def write_transfers(transfers: tuple[Transfer, ...]) -> bytes:
    """Encodes the transfers of an entry; empty when there are none."""
    return _encode(transfers) if transfers else b""


def read_transfers(money: bytes) -> tuple[Transfer, ...]:
    """The inverse of `write_transfers`."""
    return tuple([each if each.flow else with_flow(each) for each in _decode_transfers(money)]) if money else ()


def entry_hash(
    stream: str, sequence: int, time: int, kind: str, payload: bytes, money: bytes, previous: bytes
) -> bytes:
    """SHA-256 of the canonical form: a mark, the previous hash, sequence, time, four lengths, and then the four texts."""
    name, what = stream.encode(), kind.encode()
    fixed = _FIXED.pack(previous, sequence, time, len(name), len(what), len(payload), len(money))
    return sha256(b"".join((_MARK, fixed, name, what, payload, money))).digest()


class Head(NamedTuple):
    """The end of a stream: the number of its entries and the hash of the last one."""

    sequence: int = 0
    hash: bytes = BEGINNING


START: Final = Head()


class Chain:
    """The stream of one owner: makes the next entry from what has happened."""

    __slots__ = ("head", "stream")

    def __init__(self, stream: str, head: Head = START) -> None:
        self.stream: Final = stream
        self.head = head

    def add(self, time: int, kind: str, payload: bytes = b"", transfers: tuple[Transfer, ...] = ()) -> Entry:
        """Makes the next entry and moves the head of the chain to it."""
        sequence, previous = self.head.sequence + 1, self.head.hash
        money = write_transfers(transfers)
        hash = entry_hash(self.stream, sequence, time, kind, payload, money, previous)
        self.head = Head(sequence, hash)
        return Entry(self.stream, sequence, time, kind, payload, money, previous, hash)


def follow(head: Head, entry: Entry) -> Head:
    """The head after an entry, which must be intact and follow the head before; otherwise raises `BrokenChain`."""
    where = f"Entry {entry.sequence} of {entry.stream}"
    if entry.sequence != head.sequence + 1:
        raise BrokenChain(f"{where} stands where entry {head.sequence + 1} belongs.")
    if entry.previous != head.hash:
        raise BrokenChain(
            f"{where} follows {entry.previous.hex()}, but the entry before it is {head.hash.hex() if head.sequence else 'the beginning'}."
        )
    found = entry_hash(*entry[:7])
    if found != entry.hash:
        raise BrokenChain(
            f"{where} was altered: its hash is recorded as {entry.hash.hex()} and comes to {found.hex()}."
        )
    return Head(entry.sequence, entry.hash)


class BrokenChain(Exception):
    """A journal differs from what was written. The message says where it first differs."""
