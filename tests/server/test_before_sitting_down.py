"""Before sitting down: rules, limits and returns without an identity, and rules that change are told first (DISP-3, GAME-5)."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.server.show import coming
from tests.floor import TestHouse, stadium
from tests.server.served import a_house
from tests.terminal import on_a_loop

STRICT = HouseConfig(
    tables={"t1": TableConfig(game="stadium-three-card-poker", options={"limits": {"ante": [500, 10_000]}})}
)


@on_a_loop
async def test_disp_3_rules_are_open_to_anybody_at_an_enrolled_terminal(tmp_path: Path) -> None:
    """And to nobody at a browser that the house does not know (SEC-3)."""
    async with a_house(tmp_path, STRICT) as served:
        operator = await served.operator()
        stranger = await served.browser()
        assert (await stranger.ask("GET", "/api/rules?table=t1")).status == HTTPStatus.UNAUTHORIZED
        enrolled = await served.browser()
        token = (await operator.done("/api/terminals", name="place-7"))["token"]
        await enrolled.done("/api/terminals/here", token=token)
        shown = (await enrolled.get("/api/rules", table="t1")).body
        assert shown["designator"] == "TCP-10 A/D"
        ante = shown["wagers"][0]
        assert (ante["wager"], ante["least"], ante["most"]) == ("ante", 500, 10_000)
        assert len(shown["chapters"]) > 3
        assert "There is no table" in (await enrolled.get("/api/rules", table="t9")).reason


def test_game_5_everybody_is_told_of_a_rule_before_it_applies() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    assert coming(house.table()) == ()
    changed = stadium(options={"surrender": "off", "decks": 8}, betting_seconds=30)
    house.house.configure(HouseConfig(tables={"t1": changed}), house.now)
    said = {phrase.key for phrase in coming(house.table())}
    assert said == {"option.surrender.off", "option.decks", "coming.times"}
    house.bet("ann", 500)
    house.run_until("result")
    assert coming(house.table()), "the round in play ends by the rules that it began with"
    house.run_until("betting")
    assert coming(house.table()) == ()
    other = msgspec.structs.replace(changed, game="mega-blackjack", options={})
    house.house.configure(HouseConfig(tables={"t1": other}), house.now)
    assert [phrase.key for phrase in coming(house.table())] == ["coming.game"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"boxes": 2}, ["rules.table.boxes"]),
        ({"absent_seconds": 5}, ["rules.table.absent"]),
        ({"insurance_seconds": 4}, ["coming.insurance"]),
        ({"places": 5}, ["coming.seats"]),
        ({"shuffler": "continuous"}, ["rules.table.shuffler.continuous"]),
        ({"after_correction": "ask-affected"}, ["rules.table.after-correction.ask-affected"]),
        ({"training": True}, ["rules.table.training"]),
        ({"coach": True}, []),
    ],
    ids=lambda each: next(iter(each), "") if isinstance(each, dict) else "",
)
def test_game_5_what_the_table_decides_beside_its_game_is_told_before_it_applies(
    change: dict[str, Any], said: list[str]
) -> None:
    before = stadium(dealer="live")
    house = TestHouse(t1=before)
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.house.configure(HouseConfig(tables={"t1": msgspec.structs.replace(before, **change)}), house.now)
    assert [phrase.key for phrase in coming(house.table())] == said


def test_game_5_a_training_table_that_becomes_an_ordinary_one_says_that_wagers_are_real() -> None:
    house = TestHouse(t1=stadium(dealer="live", training=True))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.house.configure(HouseConfig(tables={"t1": stadium(dealer="live")}), house.now)
    assert [phrase.key for phrase in coming(house.table())] == ["coming.training-ends"]
