"""Tips: the cage pays dealers what players gave them."""

from collections.abc import Iterator, Mapping

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house.house import CAGE, House
from podium.record.ledger import Transfer, account


def tips_of(house: House, dealer: str) -> int:
    """The tips of a dealer that have not been paid out."""
    return house.ledger[account("tips", dealer)]


def pay_tips(house: House, dealer: str, amount: int, now: int, *, key: str, by: str, terminal: str = "") -> None:
    """Pays a dealer's tips in cash. Nobody may pay their own."""
    house.check_amount(amount)
    source = account("tips", dealer)
    if house.asked_before(key, "tip-paid", source, CAGE, amount):
        return
    if house.is_guest(dealer):
        raise Refused("tips-play-money")
    if dealer == by:
        raise Refused("tips-own", clause="SEC-2")
    if amount > tips_of(house, dealer):
        raise Refused("tips-less", dealer=dealer, tips=tips_of(house, dealer), amount=amount)
    house.carry_out(Transfer(key, source, CAGE, amount, "tip-paid", who=by, terminal=terminal), "", now, reason=dealer)


def divided(pool: int, worked: Mapping[str, int]) -> dict[str, int]:
    """Divides a pool in proportion to the time that everybody worked. What is left after rounding down goes to the
    largest remainders, in the order of names where they are equal."""
    whole = sum(worked.values())
    if not whole:
        return {}
    exact = {dealer: divmod(pool * time, whole) for dealer, time in sorted(worked.items())}
    parts = {dealer: share for dealer, (share, _) in exact.items()}
    left = pool - sum(parts.values())
    for dealer in sorted(exact, key=lambda dealer: -exact[dealer][1])[:left]:
        parts[dealer] += 1
    return parts


def share_tips(
    house: House, given: Mapping[str, int], worked: Mapping[str, int], span: tuple[int, int], now: int, *, by: str
) -> dict[str, int]:
    """Shares the tips of a span of time among the dealers who stood at a podium then; returns each one's share. Tips
    that were already paid out are not shared, and a span is shared once."""
    since, until = span
    if house.asked(f"tips.{since}.{until}.1"):
        return divided(sum(amount for amount in given.values() if amount > 0), worked)
    pool = {dealer: min(amount, tips_of(house, dealer)) for dealer, amount in given.items() if amount > 0}
    if not sum(pool.values()) or not sum(worked.values()):
        raise Refused("tips-nothing")
    parts = divided(sum(pool.values()), worked)
    gives = {dealer: amount - parts.get(dealer, 0) for dealer, amount in sorted(pool.items())}
    gets = {dealer: share - pool.get(dealer, 0) for dealer, share in sorted(parts.items())}
    for number, (giver, taker, amount) in enumerate(_moved(gives, gets), 1):
        source, target = account("tips", giver), account("tips", taker)
        transfer = Transfer(f"tips.{since}.{until}.{number}", source, target, amount, "tip-shared", who=by)
        house.carry_out(transfer, "", now, reason=f"{giver} to {taker}")
    return parts


def _moved(gives: dict[str, int], gets: dict[str, int]) -> Iterator[tuple[str, str, int]]:
    """The transfers between dealers that give everybody their share."""
    for giver in [dealer for dealer, amount in gives.items() if amount > 0]:
        for taker in [dealer for dealer, amount in gets.items() if amount > 0]:
            amount = min(gives[giver], gets[taker])
            if amount:
                yield giver, taker, amount
                gives[giver] -= amount
                gets[taker] -= amount


english(
    "refused",
    {
        "tips-nothing": "There is nothing to share: no tips of that time are left, or nobody stood at a podium.",
        "tips-play-money": "What a guest gave is play money and is not paid in cash.",
        "tips-own": "Nobody pays their own tips.",
        "tips-less": "{dealer} has tips of {tips:money}, less than {amount:money}.",
    },
)
