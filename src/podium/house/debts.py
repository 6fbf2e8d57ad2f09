"""Debts: a payment was taken back after the player had spent it, so the player owes it to the house.

A debt is paid from the credit or in cash, or forgiven by two people (docs/decisions/credit-from-outside.md).
"""

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.house import House, check_two_people
from podium.record.ledger import Transfer, account


def pay_debt(
    house: House,
    player: str,
    amount: int,
    now: int,
    *,
    key: str,
    by: str,
    in_cash: bool = False,
    terminal: str = "",
) -> None:
    """Pays a debt, in part or whole: from the credit, or in cash."""
    house.check_amount(amount)
    debit = house.cage_for(player) if in_cash else account("credit", player)
    target = account("debt", player)
    if house.asked_before(key, "debt-paid", debit, target, amount):
        return
    _check_debt(house, player, amount)
    if not in_cash and amount > house.credit(player):
        raise Refused("credit-less", credit=house.credit(player), amount=amount)
    house.carry_out(Transfer(key, debit, target, amount, "debt-paid", who=by, terminal=terminal), player, now)


def forgive_debt(
    house: House,
    player: str,
    amount: int,
    now: int,
    *,
    key: str,
    by: str,
    second: str,
    reason: str,
    terminal: str = "",
) -> None:
    """Forgives a debt, in part or whole; it takes two people and a reason, like every adjustment (CSH-1)."""
    house.check_amount(amount)
    debit, target = account("adjustments"), account("debt", player)
    if house.asked_before(key, "debt-forgiven", debit, target, amount):
        return
    check_two_people(by, second, reason)
    _check_debt(house, player, amount)
    transfer = Transfer(key, debit, target, amount, "debt-forgiven", who=by, terminal=terminal)
    house.carry_out(transfer, player, now, second=second, reason=reason)


def _check_debt(house: House, player: str, amount: int) -> None:
    if amount > house.debt(player):
        raise Refused("debt-less", player=player, debt=house.debt(player), amount=amount)


english("refused", {"debt-less": "{player} owes {debt:money}, less than {amount:money}."})
