"""Podium's settlement and the oracle's, side by side."""

import json
from collections.abc import Iterator
from typing import Any

from podium.basics.refusal import Refused
from podium.play.script import settle as podium_settles
from tests.oracle.illegal import Illegal
from tests.oracle.options import POKER
from tests.oracle.rounds import Script, settle

FIGURES = ["name", "staked", "returned", "tips", "net"]
LINE = ["wager", "for", "staked", "returned", "outcome"]


def differences(script: Script) -> list[str]:
    """Everything that Podium and the oracle see differently in a script, in words; empty if they agree."""
    refused = illegal = None
    podiums: dict[str, Any] = {}
    oracles: dict[str, Any] = {}
    try:
        podiums = json.loads(podium_settles(json.dumps(script)))
    except Refused as refusal:
        refused = str(refusal)
    try:
        oracles = settle(script)
    except Illegal as reason:
        illegal = str(reason)
    if refused is not None and illegal is not None:
        return []
    if refused is not None or illegal is not None:
        return [f"Podium refuses: {refused}; the oracle refuses: {illegal}"]
    return list(compare(script["game"], podiums, oracles))


def compare(game: str, podiums: dict[str, Any], oracles: dict[str, Any]) -> Iterator[str]:
    if podiums["cards_dealt"] != oracles["cards_dealt"]:
        yield f"cards_dealt: Podium {podiums['cards_dealt']}, oracle {oracles['cards_dealt']}"
    for podium, oracle in zip(podiums["players"], oracles["players"], strict=True):
        facts, expected = facts_of(podium, game), facts_of(oracle, game)
        for key, value in expected.items():
            if facts[key] != value and value is not None:
                yield f"{oracle['name']} {key}: Podium {facts[key]}, oracle {value}"


def facts_of(player: dict[str, Any], game: str) -> dict[str, Any]:
    """What is compared of a player, in one form for both."""
    lines = [line for line in player["wagers"] if line["staked"] or line["returned"]]
    facts = {key: player[key] for key in FIGURES}
    facts["wagers"] = sorted(tuple(line[key] for key in LINE) for line in lines)
    if game == POKER:
        # The contract names no total for three cards, and no order for cards that were chosen by their spots.
        facts["hands"] = [(sorted(hand["cards"].split()), hand["result"]) for hand in player["hands"]]
        return facts
    facts["hands"] = player.get("hands") or []
    # None for a player of the oracle's who has no hand: whom such a player met is nowhere said.
    facts["dealer"] = player.get("dealer")
    return facts
