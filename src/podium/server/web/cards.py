"""Answers that several routes give."""

import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase
from podium.house import ticketing
from podium.house.house import House
from podium.house.people import Role
from podium.house.tickets import State, Ticket, shown_number


class Done(msgspec.Struct, frozen=True):
    """The request was carried out; there is nothing to return."""


class RefusalCard(msgspec.Struct, frozen=True):
    """The answer to a request that is refused."""

    reason: str
    """One sentence in English."""
    why: Phrase
    """The same as a key with facts and the clause, which a terminal says in any language."""


def refusal_card(refusal: Refused) -> RefusalCard:
    return RefusalCard(str(refusal), refusal.phrase)


class PersonCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person with an account."""

    name: str
    role: Role
    active: bool
    """Whether the person may sign in."""
    invitation: str = ""
    """For a new person: the link to hand over, with which a password is chosen."""


class AccountCard(msgspec.Struct, frozen=True):
    """A player's account."""

    name: str
    credit: int
    locked: int
    """A win that an attendant must pay by hand (HP-1)."""
    play_money: bool
    """Whether the credit is a guest's, which is worth no cash."""
    debt: int
    """What the player owes the house, because money was taken back that had already been spent (CARD-2)."""
    excluded: bool
    """Whether the player may not play now (PROT-1): credit is paid out, and none is sold."""
    age_needed: bool
    """Whether the player's age must be confirmed first (PROT-1)."""


def account_card(house: House, name: str, now: int) -> AccountCard:
    is_guest, known = house.is_guest(name), house.protection.of(name)
    return AccountCard(
        name=name,
        credit=house.credit(name),
        locked=house.held(name),
        play_money=is_guest,
        debt=house.debt(name),
        excluded=house.protection.exclusion(name, now) is not None,
        age_needed=bool(house.config.least_age) and not is_guest and not known.age_confirmed,
    )


class DebtCard(msgspec.Struct, frozen=True):
    """Somebody who owes the house money."""

    name: str
    debt: int


class TicketCard(msgspec.Struct, frozen=True):
    """A ticket as it is printed (TKT-1)."""

    number: str
    """The validation number in groups of four digits."""
    amount: int
    site: str
    play_money: bool
    """Whether it was a guest's credit, which is worth no cash."""
    issued: int
    expires: int
    terminal: str
    """The terminal or desk that issued it."""
    state: State


def ticket_card(ticket: Ticket, number: str) -> TicketCard:
    return TicketCard(
        number=shown_number(number),
        amount=ticket.amount,
        site=ticket.site,
        play_money=ticket.site == ticketing.PLAY_MONEY,
        issued=ticket.issued,
        expires=ticket.expires,
        terminal=ticket.terminal,
        state=ticket.state,
    )


class TicketNumber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ticket by its validation number, with or without blanks and dashes."""

    number: str
