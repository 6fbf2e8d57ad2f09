"""Keys and ticket numbers that are the same in every run."""

from hashlib import sha256

from podium.record.store.keys import PURPOSES, Keys, Ring
from podium.server.numbers import TicketNumbers
from tests.entropy import repeatable

KEYS = Keys(*(Ring(purpose, (sha256(purpose.encode()).digest(),)) for purpose in PURPOSES))


def ticket_numbers(name: str, keys: Keys = KEYS) -> TicketNumbers:
    return TicketNumbers(keys, repeatable(name))
