"""Tips to their end: the cage pays dealers what players gave them."""

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.house import CAGE, House
from podium.record.ledger import Transfer, account


def tips_of(house: House, dealer: str) -> int:
    """What a dealer was given and has not been paid."""
    return house.ledger[account("tips", dealer)]


def pay_tips(house: House, dealer: str, amount: int, now: int, *, key: str, by: str, terminal: str = "") -> None:
    """Pays a dealer's tips in cash. Nobody pays their own."""
    house.check_amount(amount)
    source = account("tips", dealer)
    if house.asked_before(key, "tip-paid", source, CAGE, amount):
        return
    if dealer == by:
        raise Refused("tips-own", clause="SEC-2")
    if amount > tips_of(house, dealer):
        raise Refused("tips-less", dealer=dealer, tips=tips_of(house, dealer), amount=amount)
    house.carry_out(Transfer(key, source, CAGE, amount, "tip-paid", who=by, terminal=terminal), "", now, reason=dealer)


english(
    "refused",
    {
        "tips-own": "Nobody pays their own tips.",
        "tips-less": "{dealer} has tips of {tips:money}, less than {amount:money}.",
    },
)
