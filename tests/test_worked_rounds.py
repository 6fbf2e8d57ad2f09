"""The hundred worked rounds come out as they were worked, from Podium and from the second reading of the rules alike."""

import json
from pathlib import Path
from typing import Any

import pytest

from podium.play.script import settle
from tests import oracle

ROUNDS = [json.loads(line) for line in (Path(__file__).parent / "data" / "rounds.jsonl").read_text().splitlines()]
NAMES = [f"{number}-{each['script']['game']}" for number, each in enumerate(ROUNDS, start=1)]


def in_short(settled: dict[str, Any]) -> dict[str, Any]:
    """The figures that the worked rounds give: no hands, and no line that staked and returned nothing."""
    return {"cards_dealt": settled["cards_dealt"], "players": [figures(player) for player in settled["players"]]}


def figures(player: dict[str, Any]) -> dict[str, Any]:
    lines = {(line["wager"], line["for"]): (line["staked"], line["returned"]) for line in player["wagers"]}
    return {key: player[key] for key in ("name", "staked", "returned", "tips", "net")} | {
        "wagers": {line: amounts for line, amounts in lines.items() if any(amounts)}
    }


@pytest.mark.parametrize("each", ROUNDS, ids=NAMES)
def test_podium_settles_the_worked_round(each: dict[str, Any]) -> None:
    assert in_short(json.loads(settle(json.dumps(each["script"])))) == in_short(each["expect"])


@pytest.mark.parametrize("each", ROUNDS, ids=NAMES)
def test_the_oracle_settles_the_worked_round(each: dict[str, Any]) -> None:
    assert in_short(oracle.settle(each["script"])) == in_short(each["expect"])


def test_there_are_twenty_rounds_of_each_game() -> None:
    games = [each["script"]["game"] for each in ROUNDS]
    assert {game: games.count(game) for game in games} == dict.fromkeys(games, 20)
    assert len(ROUNDS) == 100
