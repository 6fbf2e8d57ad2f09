"""Tickets: credit on paper, which the holder can redeem once (TKT-1 to TKT-3).

The validation number is as good as money, so the store cannot tell it: a record is filed under a keyed hash of it, and has
its last digits, and the number itself only under a seal. Somebody who reads the store cannot print a ticket.
"""

from hashlib import sha256
from typing import Final, Literal, NamedTuple

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.record.fair import Entropy
from podium.record.ledger import Account, Transfer, TransferKind, account, kind_of

RANDOM_DIGITS: Final = 18
"""Two check digits follow: a number has twenty digits, in five groups of four."""

TICKETS: Final = account("tickets")

State = Literal["outstanding", "redeemed", "void"]


class Ticket(msgspec.Struct, frozen=True):
    """The record of a ticket."""

    key: str
    """The keyed hash of its validation number, by which the record is found; before there were keys for tickets, a plain one."""
    ending: str
    """The last four digits, by which people refer to it."""
    site: str
    terminal: str
    issued: int
    amount: int
    expires: int
    state: State = "outstanding"
    settled: int = 0
    """When it was redeemed or made void."""
    settled_at: str = ""
    """The terminal or desk where that happened."""
    paid_by: str = ""
    """The id of the transfer that paid for it. Empty for a ticket of an earlier version, whose transfer has the ticket's key."""
    sealed: str = ""
    """Its sealed number, to be shown again when the request is repeated."""
    stamp: str = ""
    """Filled where it is stored (`house/stamps.py`)."""

    @property
    def transfers(self) -> tuple[str, str]:
        """The ids of its two transfers: the one that paid for it and the one that paid it out. Each happens once."""
        out, back = transfers_of(self.key)
        return self.paid_by or out, back


class Validation(NamedTuple):
    """A validation number with the keys that its record may have. They are made outside the house, with the key of the tickets."""

    number: str
    keys: tuple[str, ...]
    """The key of a new ticket first; then those under which an earlier key or an earlier version filed it."""
    sealed: str = ""
    """The number under the seal, for a ticket that is to be issued."""


def draw_number(entropy: Entropy) -> str:
    """A new validation number, every one equally likely."""
    while True:
        drawn = int.from_bytes(entropy(8))
        # 64 bits hold the range 18 times; numbers beyond that are drawn again.
        if drawn < 18 * 10**RANDOM_DIGITS:
            digits = f"{drawn % 10**RANDOM_DIGITS:0{RANDOM_DIGITS}d}"
            return digits + _check_digits(digits)


def _check_digits(digits: str) -> str:
    """Check digits by ISO 7064, MOD 97-10: they detect every wrong digit and every swap of two digits."""
    return f"{98 - int(digits) * 100 % 97:02d}"


def read_number(text: str) -> str:
    """Reads a validation number as typed or scanned, with or without spaces and dashes."""
    digits = text.replace(" ", "").replace("-", "")
    if len(digits) != RANDOM_DIGITS + 2 or not (digits.isascii() and digits.isdecimal()):
        raise Refused("ticket-digits", digits=RANDOM_DIGITS + 2, typed=len(digits), clause="TKT-1")
    if _check_digits(digits[:RANDOM_DIGITS]) != digits[RANDOM_DIGITS:]:
        raise Refused("ticket-check", clause="TKT-1")
    return digits


def shown_number(number: str) -> str:
    """The number as it is printed.

    >>> shown_number("12345678901234567890")
    '1234 5678 9012 3456 7890'
    """
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def ticket_key(number: str) -> str:
    """The key of a ticket's record in earlier versions: a plain hash, which anybody can compute from the number."""
    return sha256(f"podium-ticket-1\n{number}\n".encode()).hexdigest()


def transfers_of(key: str) -> tuple[str, str]:
    """The ids of a ticket's two transfers by its key. A ticket that names the transfer that paid for it has only the second."""
    return f"ticket/{key}/out", f"ticket/{key}/in"


def issue(
    validation: Validation,
    *,
    request: str,
    worth: int,
    paid_from: Account,
    site: str,
    terminal: str,
    now: int,
    valid_for: int,
    who: str = "",
) -> tuple[Ticket, Transfer]:
    """Makes a ticket for a player's credit or for cash at a cage, and the transfer that pays for it, under the request's id."""
    if type(worth) is not int or worth < 1:
        raise Refused("ticket-worth", worth=shortened(str(worth)))
    ending = validation.number[-4:]
    ticket = Ticket(
        validation.keys[0],
        ending,
        site,
        terminal,
        now,
        worth,
        now + valid_for,
        paid_by=request,
        sealed=validation.sealed,
    )
    kind: TransferKind = "ticket-sold" if kind_of(paid_from) == "cage" else "ticket-out"
    paid = Transfer(request, paid_from, TICKETS, worth, kind, terminal=terminal, who=who)
    return ticket, paid


def redeem(
    ticket: Ticket | None, validation: Validation, *, paid_to: Account, terminal: str, now: int, who: str = ""
) -> tuple[Ticket, Transfer]:
    """Redeems a ticket: the redeemed ticket and the one transfer that pays it, or a refusal with the reason (TKT-2).

    `ticket` is the record that was found under one of the number's keys. The transfer's id is the ticket's own, so it pays once
    however many terminals ask at the same moment.
    """
    if ticket is None or ticket.key not in validation.keys:
        raise Refused("ticket-unknown", clause="TKT-2")
    _check_open(ticket, now)
    redeemed = msgspec.structs.replace(ticket, state="redeemed", settled=now, settled_at=terminal)
    kind: TransferKind = "ticket-cashed" if kind_of(paid_to) == "cage" else "ticket-in"
    paid = Transfer(ticket.transfers[1], TICKETS, paid_to, ticket.amount, kind, terminal=terminal, who=who)
    return redeemed, paid


def _check_open(ticket: Ticket, now: int) -> None:
    if ticket.state == "redeemed":
        raise Refused("ticket-redeemed", ending=ticket.ending, place=ticket.settled_at, clause="TKT-2")
    if ticket.state == "void":
        raise Refused("ticket-void", ending=ticket.ending, clause="TKT-2")
    if now >= ticket.expires:
        raise Refused("ticket-expired", ending=ticket.ending, clause="TKT-2")


def make_void(ticket: Ticket, *, paid_to: Account, terminal: str, now: int, who: str) -> tuple[Ticket, Transfer]:
    """Takes back a ticket that was not printed or has expired. The floor decides where the money goes."""
    if ticket.state != "outstanding":
        raise Refused("ticket-not-outstanding", ending=ticket.ending)
    void = msgspec.structs.replace(ticket, state="void", settled=now, settled_at=terminal)
    kind: TransferKind = "ticket-cashed" if kind_of(paid_to) == "cage" else "ticket-in"
    # The same id as redeeming: a ticket is paid once, either way.
    return void, Transfer(ticket.transfers[1], TICKETS, paid_to, ticket.amount, kind, terminal=terminal, who=who)


english(
    "refused",
    {
        "ticket-digits": "A validation number has {digits} digits; this has {typed} characters.",
        "ticket-check": "This validation number has a wrong digit: its check digits do not match.",
        "ticket-worth": "A ticket cannot be worth {worth:quoted}: it is a whole number of minor units, 1 or more.",
        "ticket-unknown": "This ticket is unknown here: no ticket with this validation number was issued.",
        "ticket-redeemed": "The ticket ending in {ending} was already redeemed, at {place}.",
        "ticket-void": "The ticket ending in {ending} was made void.",
        "ticket-expired": "The ticket ending in {ending} has expired and can no longer be redeemed; ask at the cashier.",
        "ticket-not-outstanding": (
            "The ticket ending in {ending} was already redeemed or made void: only an outstanding ticket can be made void."
        ),
    },
)
