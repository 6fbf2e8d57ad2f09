"""The swarm against a real house on loopback: an honest one, and some that are not."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client.swarm import Plan, Tally
from podium.client.swarm.crowd import swarm
from podium.client.swarm.report import as_data, as_text
from podium.client.swarm.strategies import STRATEGIES, read_mix
from podium.client.swarm.wall import Wall
from podium.house import DEMONSTRATION, HouseConfig
from podium.play.views import Layout
from podium.rules.games import game
from podium.server import floor, handling
from podium.server.serve import Address, Open, close_house, open_house
from podium.server.show import Window
from podium.wire.commands import PlaceBet
from podium.wire.messages import Seated, Shoe, TableView
from tests.terminal import on_a_loop

QUICK = {
    "betting_seconds": 0.4,
    "insurance_seconds": 0.4,
    "decision_seconds": 0.4,
    "card_seconds": 0,
    "result_seconds": 0.1,
    "shuffle_seconds": 0,
}

FIVE_GAMES = msgspec.structs.replace(
    DEMONSTRATION,
    tables={name: msgspec.structs.replace(table, **QUICK) for name, table in DEMONSTRATION.tables.items()},
)


@asynccontextmanager
async def a_house(data: Path, config: HouseConfig = FIVE_GAMES) -> AsyncIterator[Open]:
    opened = await open_house(data, Address(port=0), config=config)
    running = asyncio.create_task(opened.floor.run())
    try:
        yield opened
        assert not running.done()
    finally:
        running.cancel()
        await asyncio.wait([running])
        await close_house(opened)


async def swarmed(data: Path, **plan: Any) -> Tally:
    async with a_house(data) as opened:
        return await swarm(Plan(port=opened.port, grace=20, **plan))


def told(tally: Tally) -> str:
    return "\n".join(finding.what for finding in tally.findings)


# --- an honest house ---------------------------------------------------------------------------------------------------


@on_a_loop
async def test_every_settlement_of_all_five_games_is_the_bots_own(tmp_path: Path) -> None:
    tally = await swarmed(tmp_path, bots=25, rounds=3, seconds=40, mix=dict.fromkeys(STRATEGIES, 1))
    assert tally.well, as_text(tally)
    assert set(tally.rounds) == set(FIVE_GAMES.tables)
    assert tally.checked >= (25 - tally.locked) * 3  # a large win waits for an attendant, and its bot with it
    assert tally.missed == 0
    assert tally.lies > 0
    assert tally.refused.total() >= tally.lies


@on_a_loop
async def test_lost_lines_and_departures_lose_nothing(tmp_path: Path) -> None:
    tally = await swarmed(tmp_path, bots=10, seconds=6, drops=60, departures=20)
    assert tally.well, as_text(tally)
    assert tally.drops > 0
    assert tally.returns > 0
    assert tally.left > 0
    assert tally.arrived > 10
    assert tally.checked > 0


@on_a_loop
async def test_every_settlement_is_the_bots_own_at_several_boxes_and_tables(tmp_path: Path) -> None:
    tally = await swarmed(
        tmp_path,
        bots=6,
        seconds=8,
        boxes=3,
        tables_each=2,
        drops=6,
        tables=("blackjack-1", "three-1"),
        mix=dict.fromkeys(STRATEGIES, 1),
    )
    assert tally.well, as_text(tally)
    assert set(tally.rounds) == {"blackjack-1", "three-1"}
    played = sum(len(rounds) for rounds in tally.rounds.values())
    assert tally.bets > 6 * played / 2, "hardly anybody bet at more than one box"
    assert tally.checked > 30


@on_a_loop
async def test_a_house_that_settles_a_further_box_wrongly_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(seat: Seated) -> Seated:
        further = [
            msgspec.structs.replace(box, view=_pays_one_more(msgspec.structs.replace(seat, view=box.view)).view)
            for box in seat.further
        ]
        return msgspec.structs.replace(seat, further=tuple(further))

    monkeypatch.setattr(Window, "for_player", also(change))
    tally = await swarmed(tmp_path, bots=2, seconds=3, boxes=2, tables=("blackjack-1",), mix={"stand": 1})
    assert "The house settled" in told(tally)


@on_a_loop
async def test_a_house_that_counts_the_boxes_of_a_player_wrongly_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(seat: Seated) -> Seated:
        staked = sum(box.view.staked for box in seat.further if box.view)
        return msgspec.structs.replace(seat, credit=seat.credit + staked)

    monkeypatch.setattr(Window, "for_player", also(change))
    tally = await swarmed(tmp_path, bots=2, seconds=3, boxes=2, tables=("blackjack-1",), mix={"stand": 1})
    assert "the house says" in told(tally)


@on_a_loop
async def test_bots_without_a_seat_watch(tmp_path: Path) -> None:
    tally = await swarmed(tmp_path, bots=9, seconds=3, tables=("match-1",))
    assert tally.well, as_text(tally)
    assert tally.watched == 2
    assert set(tally.rounds) == {"match-1"}


@on_a_loop
async def test_the_report_has_a_percentile_of_every_time(tmp_path: Path) -> None:
    tally = await swarmed(tmp_path, bots=6, rounds=1, seconds=20, mix={"basic": 1}, tables=("blackjack-1", "three-1"))
    data = as_data(tally)
    assert {"connect", "bet", "decision", "broadcast"} <= set(data["milliseconds"])
    for figures in data["milliseconds"].values():
        assert figures["p50"] <= figures["p90"] <= figures["p99"] <= figures["max"]
    assert "No findings" in as_text(tally)
    assert msgspec.json.decode(msgspec.json.encode(data)) == data


def test_a_run_that_lost_its_bots_is_not_called_right() -> None:
    tally = Tally(arrived=3, most_at_once=3)
    tally.lost["The house closed the line."] += 32_896
    assert not tally.well
    assert "No findings" not in as_text(tally)
    assert "32,896 bots were lost for good" in as_text(tally)


@pytest.fixture
def deaf() -> Iterator[None]:
    """A Ctrl-C that comes when the swarm has ended already must not end the tests."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("times", [1, 2])
@on_a_loop
async def test_ctrl_c_ends_it_after_the_round_and_a_second_one_at_once(tmp_path: Path, times: int) -> None:
    async with a_house(tmp_path) as opened:
        playing = asyncio.create_task(swarm(Plan(port=opened.port, bots=4, seconds=60, tables=("three-1",))))
        # After the second round everybody has seen the result of the first.
        while len(opened.house.table("three-1").history) < 2:
            await asyncio.sleep(0.05)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.01)
        tally = await playing
    assert tally.well, as_text(tally)
    assert tally.checked > 0


# --- houses that are wrong ---------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_house_that_plays_by_other_rules_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wall, "game", lambda *_: game("stadium-blackjack", {"surrender": "off"}))
    tally = await swarmed(tmp_path, bots=5, rounds=3, seconds=30, tables=("blackjack-1",), mix={"basic": 1})
    assert "the house allowed" in told(tally)
    assert tally.findings[0].notation.startswith("game stadium-blackjack\n")
    assert "No findings" not in as_text(tally)


def also(change: Callable[[Seated], Seated]) -> Callable[..., Seated]:
    """What a seat is shown, changed."""
    show = Window.for_player
    return lambda self, player, credit, **more: change(show(self, player, credit, **more))


def _pays_one_more(seat: Seated) -> Seated:
    if seat.view is None or not seat.view.settled:
        return seat
    first, *rest = seat.view.settled
    settled = [msgspec.structs.replace(first, returned=first.returned + 1), *rest]
    return msgspec.structs.replace(seat, view=msgspec.structs.replace(seat.view, settled=settled))


def _keeps_one_back(seat: Seated) -> Seated:
    return msgspec.structs.replace(seat, credit=seat.credit - 1) if seat.view and seat.view.settled else seat


def _forgets_the_bet(seat: Seated) -> Seated:
    return msgspec.structs.replace(seat, view=None)


def _shows_another_bet(seat: Seated) -> Seated:
    if seat.view is None:
        return seat
    return msgspec.structs.replace(seat, view=msgspec.structs.replace(seat.view, wagers={"ante": 50_000}))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_pays_one_more, "The house settled"),
        (_keeps_one_back, "the house says"),
        (_forgets_the_bet, "An acknowledged bet is not shown"),
        (_shows_another_bet, "acknowledged was"),
    ],
)
@on_a_loop
async def test_a_house_that_shows_a_seat_wrongly_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Seated], Seated], found: str
) -> None:
    monkeypatch.setattr(Window, "for_player", also(change))
    tally = await swarmed(tmp_path, bots=3, seconds=3, tables=("three-1",), mix={"stand": 1})
    assert found in told(tally)
    assert not tally.well


@on_a_loop
async def test_a_house_that_takes_what_it_must_refuse_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def takes_everything(*asked: Any) -> object:
        try:
            return handling.carry_out(*asked)
        except Refused:
            return None

    monkeypatch.setattr(floor, "carry_out", takes_everything)
    tally = await swarmed(tmp_path, bots=4, rounds=3, seconds=20, tables=("three-1",), mix={"liar": 1})
    assert "The house acknowledged what it must refuse" in told(tally)


@on_a_loop
async def test_a_house_that_loses_a_bet_after_acknowledging_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loses_bets(*asked: Any) -> object:
        return None if isinstance(asked[4], PlaceBet) else handling.carry_out(*asked)

    monkeypatch.setattr(floor, "carry_out", loses_bets)
    async with a_house(tmp_path) as opened:
        tally = await swarm(Plan(port=opened.port, bots=2, seconds=1, grace=1, tables=("three-1",), mix={"stand": 1}))
    assert "A round did not end" in told(tally)


@on_a_loop
async def test_states_that_do_not_rise_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show = Window.for_everybody

    def always_the_first(self: Window, now: int) -> TableView:
        return msgspec.structs.replace(show(self, now), number=1)

    monkeypatch.setattr(Window, "for_everybody", always_the_first)
    tally = await swarmed(tmp_path, bots=2, seconds=1, tables=("three-1",), mix={"stand": 1})
    assert "State 1 of the table came after state 1" in told(tally)


# --- what is asked of it ------------------------------------------------------------------------------------------------


def test_a_mix_is_shares_of_strategies() -> None:
    assert read_mix("random=3, basic=5,stand") == {"random": 3, "basic": 5, "stand": 1}


@pytest.mark.parametrize(
    ("mix", "why"),
    [("genius=1", "there is no strategy 'genius'"), ("basic=many", "not a share"), ("basic=0", "above 0")],
)
def test_a_mix_that_cannot_be_is_refused(mix: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_mix(mix)


@on_a_loop
async def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"there is no such table\. The tables are blackjack-1"):
        await swarmed(tmp_path, tables=("roulette-1",))


@on_a_loop
async def test_a_house_that_is_not_there_is_said_in_a_sentence() -> None:
    with pytest.raises(Refused, match=r"No house answers at http://127\.0\.0\.1:1"):
        await swarm(Plan(port=1))


@on_a_loop
async def test_several_processes_add_up_what_they_saw(tmp_path: Path) -> None:
    async with a_house(tmp_path) as opened:
        command = f"-m podium swarm --port {opened.port} --bots 5 --rounds 1 --table three-1 --processes 2 --json"
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command.split(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        said, complained = await process.communicate()
    assert process.returncode == 0, complained.decode()
    data = msgspec.json.decode(said)
    assert data["arrived"] == 5
    assert data["settlements"]["checked"] >= 5
    assert data["findings"]["count"] == 0


def test_a_result_that_is_shown_on_while_the_next_shoe_is_shuffled_counts_once() -> None:
    """The wall counted its cards into the next shoe too, and found one too many there."""
    tally = Tally()
    wall, own = Wall(tally), game("stadium-blackjack")
    wall._games[own.fingerprint] = own

    def result(number: int, at: int, shoe: int, cards: list[str], dealt: int = 52) -> TableView:
        return TableView(
            table="t1", number=at, now=at, phase="result", round=number, fingerprint=own.fingerprint,
            layout=Layout(), shoe=Shoe(shoe, 312, dealt), cards=cards,
        )  # fmt: skip

    wall.saw(result(1, 1, 1, ["8h"]), 0.0)
    wall.saw(result(1, 2, 2, ["8h"], dealt=0), 0.1)
    wall.saw(result(2, 3, 2, ["8h"] * 6), 0.2)
    wall.saw(result(0, 4, 2, ["8h"], dealt=0), 0.2)  # nobody saw it while its own shoe lay there
    assert not tally.found
    wall.saw(result(3, 5, 2, ["8h"]), 0.3)
    assert told(tally) == "8h came 7 times from shoe 2."
