"""Which wagers a seat may place together."""

from collections.abc import Mapping
from typing import Any, Literal

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english, phrase
from podium.rules.placard import Offer, Rules


def check_wagers(
    rules: Rules, offers: Mapping[str, Offer], amounts: Mapping[str, Any], for_dealer: Mapping[str, Any]
) -> None:
    """Refuses wagers that the rules do not allow, by themselves or together, whatever their amounts."""
    for wager, amount in (*amounts.items(), *for_dealer.items()):
        if wager not in offers:
            raise Refused("wager-unknown", wager=shortened(wager), clause=rules.wagering_clause, wagers=offers)
        if type(amount) is not int or amount < 1:
            raise offers[wager].not_whole(amount)
    if not amounts and not for_dealer:
        raise Refused("wager-none", wager=rules.main.name, clause=rules.wagering_clause)
    _check_own(rules, offers, amounts)
    if for_dealer:
        _check_tokes(rules, offers, amounts, for_dealer)


def check_limits(
    rules: Rules,
    offers: Mapping[str, Offer],
    amounts: Mapping[str, int],
    for_dealer: Mapping[str, int],
    *,
    elsewhere: int = 0,
    others: int = 0,
) -> None:
    """Refuses wagers above or below the limits of the table, before they are taken.

    `elsewhere` is what the player's other boxes can win in this round, `others` what everybody else's wagers can.
    """
    for wager, amount in amounts.items():
        offers[wager].check(amount)
    for wager, amount in for_dealer.items():
        offers[wager].check(amount, least=max(rules.toke_least, offers[wager].chip))
    for name, most in rules.most_together.items():
        together = sum(amount for wager, amount in amounts.items() if name in (wager, offers[wager].bet.name))
        if together > most:
            raise Refused("wager-together", wager=name, amount=together, most=most, clause="placard")
    if rules.most_payable and rules.over_payable == "refuse":
        stakes = [*amounts.items(), *for_dealer.items()]
        _check_payable("player", rules, offers, stakes, rules.most_payable - elsewhere)
    if rules.most_payable_table:
        stakes = [*amounts.items(), *for_dealer.items()]
        _check_payable("table", rules, offers, stakes, rules.most_payable_table - elsewhere - others)


def _check_payable(
    whose: Literal["player", "table"],
    rules: Rules,
    offers: Mapping[str, Offer],
    stakes: list[tuple[str, int]],
    left: int,
) -> None:
    """Refuses wagers that could win more than what is left, and says which amount would be accepted."""
    payable = rules.payable(offers, stakes)
    if payable <= left:
        return
    wager, amount = max(stakes, key=lambda stake: rules.pays_most(offers[stake[0]], stake[1]))
    offer = offers[wager]
    fits = _fitting(rules, offer, amount, left - (payable - rules.pays_most(offer, amount)))
    instead = phrase("pattern.accepted-amount", wager=wager, fits=fits)
    if fits < offer.least:
        instead = phrase("pattern.accepted-without", wager=wager)
    if whose == "player":
        raise Refused("payable-player", payable=payable, left=max(left, 0), instead=instead, clause="placard")
    raise Refused("payable-table", payable=payable, left=max(left, 0), instead=instead, clause="placard")


def _fitting(rules: Rules, offer: Offer, amount: int, rest: int) -> int:
    """The highest amount below this one whose winnings are no more than what is left; 0 if there is none."""
    if offer.amounts:
        return max((each for each in offer.amounts if rules.pays_most(offer, each) <= rest), default=0)
    low, high = 0, amount // offer.chip  # in chips: `low` fits, `high` does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rules.pays_most(offer, middle * offer.chip) <= rest else (low, middle)
    return low * offer.chip


def _check_own(rules: Rules, offers: Mapping[str, Offer], amounts: Mapping[str, Any]) -> None:
    main = rules.main.name
    for wager in amounts:
        if main not in amounts:
            raise Refused("wager-needs", wager=wager, needed=main, clause=rules.wagering_clause)
        needed = offers[wager].bet.needs
        if needed is not None and needed not in amounts:
            raise Refused("wager-needs", wager=wager, needed=needed, clause=offers[wager].bet.clause)


def _check_tokes(
    rules: Rules, offers: Mapping[str, Offer], amounts: Mapping[str, Any], for_dealer: Mapping[str, Any]
) -> None:
    """SBJ 3: the main wager for the dealer needs the player's own; a side bet for the dealer needs none."""
    if not rules.takes_tokes:
        raise Refused("for-dealer-not-taken", clause=rules.tokes_clause)
    main = rules.main.name
    for wager in for_dealer:
        if wager == main and main not in amounts:
            raise Refused("for-dealer-needs-own", wager=main, clause=rules.tokes_clause)
        needed = offers[wager].bet.needs
        if needed is not None and needed not in amounts and needed not in for_dealer:
            raise Refused("for-dealer-needs", wager=wager, needed=needed, clause=offers[wager].bet.clause)


english(
    "pattern",
    {
        "accepted-amount": "with the others as they are, {wager:wager} of at most {fits:money} is accepted",
        "accepted-without": "{wager:wager} is not accepted together with the others",
    },
)
english(
    "refused",
    {
        "wager-unknown": "there is no wager {wager:quoted} at this table ({clause}): it takes {wagers}.",
        "wager-together": "{wager:wager} comes to {amount:money} on all lines ({clause}): at most {most:money} is taken together.",
        "payable-player": (
            "these wagers could win {payable:money} in one round, and this table has {left:money} left to pay one player ({clause}):"
            " {instead}."
        ),
        "payable-table": (
            "these wagers could win {payable:money} in one round, and this table has {left:money} left to pay ({clause}):"
            " {instead}."
        ),
        "wager-none": "there is no wager: {wager:wager} is needed to take part ({clause}).",
        "wager-needs": "{wager:wager} needs a wager on {needed:wager} ({clause}).",
        "for-dealer-not-taken": "wagers for the dealer are not taken at this table ({clause}).",
        "for-dealer-needs-own": "{wager:wager} for the dealer needs the player's own wager ({clause}).",
        "for-dealer-needs": "{wager:wager} for the dealer needs a wager on {needed:wager}, the player's or the dealer's ({clause}).",
    },
)
