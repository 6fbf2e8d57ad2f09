"""A round that Podium has settled, settled again by the second reading of the rules (`tests/oracle`)."""

from collections.abc import Mapping
from typing import Any, Final

from podium.play.round import Round
from tests.oracle import Illegal, settle

PLACARD: Final = frozenset({"limits", "chip", "most_together", "toke_least", "most_payable", "most_payable_table"})
"""Options that decide which wagers are taken, and not what they return."""
FIGURES: Final = ("staked", "returned", "tips", "net")


def script_of(played: Round, options: Mapping[str, Any]) -> dict[str, Any]:
    """A round as the second engine takes it: the cards, the wagers and the decisions alone."""
    return {
        "game": played.game.name,
        "options": {name: value for name, value in options.items() if name not in PLACARD},
        "cards": " ".join(card.code for card in played.cards if card is not None),
        "players": [
            {
                "name": f"seat-{number}",
                "wagers": dict(seat.amounts),
                "for_dealer": dict(seat.for_dealer),
                "decisions": [decision for decision, _ in played.decisions_of(number)],
            }
            | ({"spots": list(seat.spots)} if seat.spots else {})
            for number, seat in sorted(played.seats.items())
        ],
    }


def settled_again(played: Round, options: Mapping[str, Any]) -> dict[str, Any]:
    """A round as the second engine settles it."""
    return settle(script_of(played, options))


def differences(played: Round, options: Mapping[str, Any]) -> list[str]:
    """Where the second engine settles a round otherwise; it is given the cards, the wagers and the decisions alone."""
    script = script_of(played, options)
    try:
        again = settle(script)
    except Illegal as illegal:
        return [f"the second engine refuses it: {illegal}: {script}"]
    found = []
    for number, due in zip(sorted(played.seats), again["players"], strict=True):
        result = played.results[number]
        settled = {figure: getattr(result, figure) for figure in FIGURES}
        expected = {figure: due[figure] for figure in FIGURES}
        if settled != expected:
            found.append(f"seat {number} is settled as {settled}, the second engine has {expected}: {script}")
    return found
