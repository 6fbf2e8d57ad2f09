"""Tickets at the desk and at the terminals: a ticket's record and its transfer become durable together.

A ticket is found by a key of its number and redeemed in memory, in one step. If a hundred redeem it at the same
moment, they are handled one after another, and one is paid (TKT-3).
"""

from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import tickets
from podium.house.events import Noted
from podium.house.house import CAGE, House
from podium.house.tickets import Ticket, Validation
from podium.record.ledger import account

DAY_MS: Final = 24 * 3_600_000
PLAY_MONEY: Final = "play money"
"""The site on a guest's ticket: it is worth credit for guests, not cash."""


def find(house: House, validation: Validation) -> Ticket | None:
    """The ticket of a number, if the house remembers it."""
    found = (house.shelf.find(Ticket, key) for key in validation.keys)
    return next((ticket for ticket in found if ticket is not None), None)


def look_up(house: House, validation: Validation) -> Ticket:
    """The ticket of a number, in any state; refuses a number that the house does not know (TKT-2)."""
    ticket = find(house, validation)
    if ticket is None:
        raise Refused("ticket-unknown", clause="TKT-2")
    return ticket


def sell(
    house: House, validation: Validation, worth: int, now: int, *, key: str, by: str, terminal: str = ""
) -> Ticket:
    """A cashier sells a ticket for cash."""
    house.check_amount(worth)
    known = _issued_before(house, key, worth)
    if known is not None:
        return known
    ticket, paid = tickets.issue(
        validation,
        request=key,
        worth=worth,
        paid_from=CAGE,
        site=house.config.name,
        terminal=terminal,
        now=now,
        valid_for=house.config.ticket_days * DAY_MS,
        who=by,
    )
    house.carry_out(paid, "", now, ticket=ticket.key)
    house.shelf.put(ticket, now)
    return ticket


def cash_out(house: House, player: str, validation: Validation, now: int, *, key: str, terminal: str = "") -> Ticket:
    """A player takes the whole credit away as a ticket."""
    known = _issued_before(house, key)
    if known is not None:
        return known
    worth = house.credit(player)
    house.check_cash_out(player, worth)
    if house.held(player):
        raise Refused("attendant-first", win=house.held(player), clause="HP-1")
    if not worth:
        raise Refused("no-credit")
    if worth > house.config.cash_out_limit:
        raise Refused("cash-out-limit", credit=worth, limit=house.config.cash_out_limit, clause="HP-1")
    ticket, paid = tickets.issue(
        validation,
        request=key,
        worth=worth,
        paid_from=account("credit", player),
        site=PLAY_MONEY if house.is_guest(player) else house.config.name,
        terminal=terminal,
        now=now,
        valid_for=house.config.ticket_days * DAY_MS,
    )
    house.carry_out(paid, player, now, ticket=ticket.key)
    house.shelf.put(ticket, now)
    return ticket


def redeem(house: House, player: str, validation: Validation, now: int, *, key: str, terminal: str = "") -> Ticket:
    """A ticket becomes a player's credit."""
    ticket = find(house, validation)
    known = _redeemed_before(house, ticket, key)
    if known is not None:
        return known
    if ticket is not None and (ticket.site == PLAY_MONEY) != house.is_guest(player):
        raise Refused("play-money")
    house.check_admitted(player, now)
    redeemed, paid = tickets.redeem(
        ticket, validation, paid_to=account("credit", player), terminal=terminal, now=now, who=player
    )
    house.carry_out(paid, player, now, request=key)
    house.shelf.put(redeemed, now)
    return redeemed


def check_redeemable(house: House, validation: Validation, now: int) -> None:
    """Refuses a ticket that nobody could redeem now (TKT-2)."""
    ticket = find(house, validation)
    tickets.redeem(ticket, validation, paid_to=CAGE, terminal="", now=now)


def pay(house: House, validation: Validation, now: int, *, key: str, by: str, terminal: str = "") -> Ticket:
    """A cashier pays a ticket in cash."""
    ticket = find(house, validation)
    known = _redeemed_before(house, ticket, key)
    if known is not None:
        return known
    if ticket is not None and ticket.site == PLAY_MONEY:
        raise Refused("play-money-no-cash")
    redeemed, paid = tickets.redeem(ticket, validation, paid_to=CAGE, terminal=terminal, now=now, who=by)
    house.carry_out(paid, "", now, request=key)
    house.shelf.put(redeemed, now)
    return redeemed


def take_back(
    house: House, validation: Validation, now: int, *, key: str, by: str, second: str, reason: str, terminal: str = ""
) -> Ticket:
    """A ticket that expired, or was spoilt, is made void by two people and paid in cash."""
    ticket = find(house, validation)
    known = _redeemed_before(house, ticket, key)
    if known is not None:
        return known
    if ticket is None or ticket.site == PLAY_MONEY:
        raise Refused("ticket-not-payable", clause="TKT-2")
    if not reason.strip():
        raise Refused("ticket-void-reason", clause="EVT-1")
    void, paid = tickets.make_void(ticket, paid_to=CAGE, terminal=terminal, now=now, who=by)
    house.carry_out(paid, "", now, request=key, second=second, reason=reason)
    house.shelf.put(void, now)
    source = f"ticket ending in {ticket.ending}"
    house.note(Noted("ticket-void", source, f"{by} and {second}", reason, f"{ticket.amount} outstanding", "void"), now)
    return void


def _issued_before(house: House, key: str, worth: int | None = None) -> Ticket | None:
    """The ticket that this very request issued; a different request under the same key is refused (LED-2)."""
    known = house.asked(key)
    if known is None:
        return None
    ticket = house.shelf.find(Ticket, house.requests.ticket(key))
    if ticket is None or known.id != ticket.transfers[0] or worth not in (None, ticket.amount):
        raise Refused("request-key-used", key=key, clause="LED-2")
    return ticket


def _redeemed_before(house: House, ticket: Ticket | None, key: str) -> Ticket | None:
    """The ticket, if this very request redeemed it."""
    known = house.asked(key)
    if known is not None and (ticket is None or known.id != ticket.transfers[1]):
        raise Refused("request-key-used", key=key, clause="LED-2")
    return ticket if known is not None else None


english(
    "refused",
    {
        "attendant-first": "An attendant must pay a win of {win:money} before you cash out.",
        "no-credit": "There is no credit to cash out.",
        "cash-out-limit": "A credit of {credit:money} is above {limit:money}: an attendant must pay it at the cashier.",
        "play-money": "Play money and real money do not mix: a guest's ticket is redeemed by a guest, any other by a player.",
        "play-money-no-cash": "This ticket is a guest's play money and is not paid in cash.",
        "ticket-not-payable": "No ticket with this validation number can be paid in cash.",
        "ticket-void-reason": "Making a ticket void needs a reason.",
    },
)
