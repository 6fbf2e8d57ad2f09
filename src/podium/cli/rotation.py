"""`podium keys`: which keys a house has, and new ones."""

import os
from pathlib import Path

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.store.address import is_address
from podium.record.store.keys import PURPOSES, KeyFolder, KeySource, find_ring, source_of


def list_keys(where: str, keys: str) -> None:
    """Prints the ids of the keys that a house has, by purpose."""
    source = _source(where, keys)
    for purpose in PURPOSES:
        ring = find_ring(source, purpose, None if is_address(where) else Path(where))
        if ring is None:
            print(f"{purpose}: no key; {source.named(purpose)} does not exist.")
        else:
            earlier = f", earlier {' '.join(ring.ids[1:])}" if ring.ids[1:] else ""
            print(f"{purpose}: current {ring.ids[0]}{earlier}")


def rotate_key(purpose: str, where: str, keys: str) -> None:
    """Draws a new current key for a purpose."""
    source = _source(where, keys)
    known = next((each for each in PURPOSES if each == purpose), None)
    if known is None:
        raise Refused("not-a-purpose", purpose=shortened(purpose), purposes=PURPOSES)
    if not isinstance(source, KeyFolder):
        raise Refused("keys-rotated-elsewhere", source=source.named(known))
    ring = source.rotate(known)
    print(f"{known}: current {ring.ids[0]}, earlier {' '.join(ring.ids[1:])}")
    print(
        "The house uses the new key from its next start on, and notes the change. Keep a copy of it in another place."
    )


def _source(where: str, keys: str) -> KeySource:
    return source_of(keys, None if is_address(where) else Path(where), os.urandom)


english(
    "refused",
    {
        "not-a-purpose": "{purpose:quoted} is not a purpose of a key. Purposes: {purposes}.",
        "keys-rotated-elsewhere": "{source} is not a folder: draw a new key there, and put it before the others.",
    },
)
