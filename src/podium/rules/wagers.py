"""Which wagers a seat may place together."""

from collections.abc import Mapping
from typing import Any

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.rules.placard import Offer, Rules


def check_wagers(
    rules: Rules, offers: Mapping[str, Offer], amounts: Mapping[str, Any], for_dealer: Mapping[str, Any]
) -> None:
    """Refuses wagers that the table does not take, one by one or together."""
    for wager, amount in (*amounts.items(), *for_dealer.items()):
        if wager not in offers:
            raise Refused("wager-unknown", wager=shortened(wager), clause=rules.wagering_clause, wagers=offers)
        offers[wager].check(amount)
    if not amounts and not for_dealer:
        raise Refused("wager-none", wager=rules.main.name, clause=rules.wagering_clause)
    _check_own(rules, offers, amounts)
    if for_dealer:
        _check_tokes(rules, offers, amounts, for_dealer)


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
    "refused",
    {
        "wager-unknown": "there is no wager {wager:quoted} at this table ({clause}): it takes {wagers}.",
        "wager-none": "there is no wager: {wager:wager} is needed to take part ({clause}).",
        "wager-needs": "{wager:wager} needs a wager on {needed:wager} ({clause}).",
        "for-dealer-not-taken": "wagers for the dealer are not taken at this table ({clause}).",
        "for-dealer-needs-own": "{wager:wager} for the dealer needs the player's own wager ({clause}).",
        "for-dealer-needs": "{wager:wager} for the dealer needs a wager on {needed:wager}, the player's or the dealer's ({clause}).",
    },
)
