"""Electronic transfers: credit moves between the house and a player's account in another system (MTR-1).

The other system, or a cashier for it, asks with a key of its own and with the reference that the transfer has there.
"""

import re
from typing import Final

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.house.house import House
from podium.record.ledger import Account, Transfer, TransferKind, account

ELSEWHERE: Final = account("electronic")
_REFERENCE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}")


def transfer_in(
    house: House, player: str, amount: int, now: int, *, key: str, by: str, reference: str, terminal: str = ""
) -> None:
    """Credits a player with an amount from the player's account elsewhere."""
    source, target = ELSEWHERE, account("credit", player)
    _moved(house, "electronic-in", player, amount, source, target, now, key, by, reference, terminal)


def transfer_out(
    house: House, player: str, amount: int, now: int, *, key: str, by: str, reference: str, terminal: str = ""
) -> None:
    """Sends a player's credit to the player's account elsewhere; never what is in play (CSH-2)."""
    source, target = account("credit", player), ELSEWHERE
    _moved(house, "electronic-out", player, amount, source, target, now, key, by, reference, terminal)


def _moved(
    house: House,
    kind: TransferKind,
    player: str,
    amount: int,
    source: Account,
    target: Account,
    now: int,
    key: str,
    by: str,
    reference: str,
    terminal: str,
) -> None:
    """Makes a transfer, once for each request (LED-2)."""
    house.check_amount(amount)
    if house.asked_before(key, kind, source, target, amount):
        return
    if not _REFERENCE.fullmatch(reference):
        raise Refused("transfer-reference", reference=shortened(reference), clause="EVT-1")
    if house.is_guest(player):
        raise Refused("transfer-guest", player=player)
    if source == ELSEWHERE:
        house.check_admitted(player, now)
    if target == ELSEWHERE:
        if house.held(player):
            raise Refused("transfer-attendant", win=house.held(player), clause="HP-1")
        house.check_cash_out(player, amount)
    transfer = Transfer(key, source, target, amount, kind, who=by, terminal=terminal)
    house.carry_out(transfer, player, now, reason=reference)


english(
    "refused",
    {
        "transfer-reference": (
            "{reference:quoted} is not a reference: it is what the other system calls the transfer, up to 64 letters, digits,"
            " dots, dashes, colons, slashes and @ signs."
        ),
        "transfer-guest": "{player} is a guest: play money is not transferred.",
        "transfer-attendant": "An attendant must pay a win of {win:money} before credit is transferred.",
    },
)
