"""Which wagers a seat may place together."""

from collections.abc import Mapping
from typing import Any

from podium.basics.reasons import because
from podium.basics.refusal import Refused, shortened
from podium.rules.placard import Offer, Placard


def check_wagers(
    rules: Placard, offers: Mapping[str, Offer], amounts: Mapping[str, Any], for_dealer: Mapping[str, Any]
) -> None:
    """Refuse wagers that the table does not take, by themselves or together."""
    for wager, amount in (*amounts.items(), *for_dealer.items()):
        if wager not in offers:
            raise Refused(
                f"there is no wager {shortened(wager)!r} at this table ({rules.wagering_clause}): it takes {', '.join(offers)}."
            )
        offers[wager].check(amount)
    if not amounts and not for_dealer:
        raise Refused(because("wager-none", wager=rules.main.name, clause=rules.wagering_clause))
    _check_own(rules, offers, amounts)
    if for_dealer:
        _check_tokes(rules, offers, amounts, for_dealer)


def _check_own(rules: Placard, offers: Mapping[str, Offer], amounts: Mapping[str, Any]) -> None:
    main = rules.main.name
    for wager in amounts:
        if main not in amounts:
            raise _needs(wager, main, rules.wagering_clause)
        needed = offers[wager].bet.needs
        if needed is not None and needed not in amounts:
            raise _needs(wager, needed, offers[wager].bet.clause)


def _needs(wager: str, needed: str, clause: str) -> Refused:
    why = because("wager-needs", wager=wager, needed=needed, clause=clause)
    return Refused(f"{wager} needs {_a(needed)} wager ({clause}).", why)


def _check_tokes(
    rules: Placard, offers: Mapping[str, Offer], amounts: Mapping[str, Any], for_dealer: Mapping[str, Any]
) -> None:
    """SBJ 3: the main wager for the dealer needs the player's own; a side bet for the dealer needs none."""
    if not rules.takes_tokes:
        raise Refused(because("for-dealer-not-taken", clause=rules.tokes_clause))
    main = rules.main.name
    for wager in for_dealer:
        if wager == main and main not in amounts:
            raise Refused(
                f"a {main} wager for the dealer needs the player's own ({rules.tokes_clause}).",
                because("for-dealer-needs", wager=main, needed=main, clause=rules.tokes_clause),
            )
        needed = offers[wager].bet.needs
        if needed is not None and needed not in amounts and needed not in for_dealer:
            raise Refused(
                f"{wager} for the dealer needs {_a(needed)} wager, the player's or the dealer's ({offers[wager].bet.clause}).",
                because("for-dealer-needs", wager=wager, needed=needed, clause=offers[wager].bet.clause),
            )


def _a(wager: str) -> str:
    return f"{'an' if wager[0] in 'aeiou' else 'a'} {wager}"
