"""The numbers of tickets: drawn by the system's generator, and filed and sealed with the keys of the tickets (TKT-1, SEC-7)."""

from base64 import b64decode, b64encode
from hashlib import sha256
from hmac import new
from itertools import count
from typing import Final

from podium.house.tickets import Ticket, Validation, draw_number, read_number, ticket_key
from podium.record.fair import Entropy
from podium.record.seal import SealBroken
from podium.record.store.keys import Keys, Ring


class TicketNumbers:
    """Draws numbers, and finds the keys of those that are shown."""

    def __init__(self, keys: Keys, entropy: Entropy) -> None:
        self._entropy: Final = entropy
        self._filing: Final = keys.tickets.derived("podium-ticket-key-2")
        self._seal: Final = keys.tickets.derived("podium-ticket-number-1").seal(entropy)
        self._before: Final = _derivation(keys.seal)

    def draw(self, request: str) -> Validation:
        """A new number for a request. Its further keys are those that an earlier version gave a ticket for this request, so
        that the request is found again after an upgrade."""
        number = draw_number(self._entropy)
        key = _filed(self._filing.current, number)
        sealed = b64encode(self._seal.close(number.encode(), _about(key))).decode()
        return Validation(number, (key, *self.before(request)), sealed)

    def before(self, request: str) -> tuple[str, ...]:
        """The keys that an earlier version may have given a ticket for this request."""
        return tuple(ticket_key(number) for number in self._derived(request))

    def shown(self, text: str) -> Validation:
        """Reads a number that somebody typed or scanned."""
        number = read_number(text)
        return Validation(number, (*(_filed(key, number) for key in self._filing.keys), ticket_key(number)))

    def number_of(self, ticket: Ticket, request: str) -> str:
        """The number of a ticket, when the request that issued it is repeated."""
        if ticket.sealed:
            return self._seal.open(b64decode(ticket.sealed), _about(ticket.key)).decode()
        for number in self._derived(request):
            if ticket_key(number) == ticket.key:
                return number
        raise SealBroken(f"The number of {_about(ticket.key)} is not known to the keys that this house has.")

    def _derived(self, request: str) -> list[str]:
        """The number that an earlier version may have derived from the seal's key for this request."""
        return [_derive(secret, request) for secret in self._before.keys]


def _filed(key: bytes, number: str) -> str:
    return new(key, number.encode(), sha256).hexdigest()


def _about(key: str) -> str:
    return f"ticket {key}"


def _derivation(seal: Ring) -> Ring:
    return Ring("tickets", tuple(sha256(b"podium-tickets-1\n" + key).digest() for key in seal.keys))


def _derive(secret: bytes, request: str) -> str:
    counter = count()
    return draw_number(lambda size: new(secret, f"{request}\n{next(counter)}\n".encode(), sha256).digest()[:size])
