"""Stadium Three Card Poker's clauses about the dealer terminal and the timers, at a table that runs."""

import json
import re

import pytest

from podium.basics.refusal import Refused
from podium.basics.words import codes
from podium.house.table import TableConfig
from podium.house.table.pace import due
from tests.clauses.documents import ROOT
from tests.clauses.test_dlb_time import deal
from tests.floor import OPENING, TestHouse, credit

NINE = "Qs Kd Ah 3c 4d 6h 8s Jc Tc"


def three_card(**changes: object) -> TestHouse:
    """A table with its dealer, at which ann sits."""
    house = TestHouse(t1=TableConfig(game="stadium-three-card-poker", dealer="live", **changes))  # type: ignore[arg-type]
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.player("ann")
    return house


def bets_closed(**changes: object) -> TestHouse:
    house = three_card(**changes)
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    return house


def test_tcp_1_the_dealer_begins_the_betting_round_and_nothing_else_does() -> None:
    house = three_card()
    assert due(house.table(), house.lost.get) is None
    with pytest.raises(Refused):
        house.bet("ann", 1_000)
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 1_000)
    assert house.table().phase() == "betting"


@pytest.mark.parametrize("seconds", [9, 40])
def test_tcp_4_the_first_packet_is_awaited_when_the_countdown_expires(seconds: int) -> None:
    house = three_card(betting_seconds=seconds)
    house.at("t1", lambda table: table.open_round(house.now))
    opened = house.now
    house.bet("ann", 1_000)
    with pytest.raises(Refused):
        deal(house, "Qs")
    house.step()
    assert (house.now, house.table().phase()) == (opened + seconds * 1_000, "dealing")
    deal(house, NINE)
    assert house.table().phase() == "deciding"


@pytest.mark.parametrize("seconds", [5, 25])
def test_tcp_7_the_opportunity_to_play_is_timed_and_ends_with_a_fold(seconds: int) -> None:
    house = bets_closed(decision_seconds=seconds)
    deal(house, NINE)
    asked = house.now
    house.step()
    assert house.now == asked + seconds * 1_000
    assert house.table().in_play.decisions_of(1) == [("fold", True)]
    assert credit(house.house, "ann") == OPENING - 1_000


def test_tcp_10_the_dealer_confirms_and_the_system_pays_and_takes() -> None:
    """Q-K-A against a dealer who does not qualify: the ante and its bonus 1 to 1, and the play wager back."""
    house = bets_closed()
    deal(house, NINE)
    house.decide("ann", "play")
    deal(house, "2d 5d 9c")
    assert (house.table().phase(), due(house.table(), house.lost.get)) == ("confirming", None)
    assert credit(house.house, "ann") == OPENING - 2_000
    house.at("t1", lambda table: table.confirm(house.now))
    assert credit(house.house, "ann") == OPENING + 2_000


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize(
    ("rule", "button"),
    [
        ("wagers.new-game", "new-game"),
        ("settlement.confirm", "confirm"),
        ("settlement.confirm-result", "confirm-result"),
    ],
)
def test_tcp_10_the_rules_call_the_dealers_buttons_what_the_terminal_calls_them(
    language: str, rule: str, button: str
) -> None:
    words = json.loads((ROOT / "src" / "podium" / "languages" / f"{language}.json").read_text(encoding="utf-8"))
    assert words[f"ui.{button}"] in re.findall('["«“](.+?)["»”]', words[f"rules.{rule}"])
