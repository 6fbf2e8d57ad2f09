"""Training tables: play money alone, in no report of money, and what the dealers' practice came to."""

from pathlib import Path

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client import Client, connect
from podium.house import HouseConfig
from podium.house.reports.playmoney import PlayMoney
from podium.house.reports.practice import PRACTICE
from podium.wire.commands import (
    CloseBets,
    Confirm,
    Correct,
    EnterCard,
    LoadShoe,
    NewGame,
    PlaceBet,
    ReadCard,
    ReplaceCard,
    TakePlace,
)
from tests.floor import TestHouse, stadium
from tests.server.served import Browser, a_house
from tests.server.test_approvals import LIVE, leave
from tests.terminal import on_a_loop

TRAINING = HouseConfig(
    name="School",
    guests=True,
    large_win=100,
    large_wager=100,
    tables={
        "t1": msgspec.structs.replace(
            LIVE.tables["t1"], training=True, reading_hold_seconds=600, correction_approval=False, approvals=()
        )
    },
)


def test_real_money_does_not_sit_down_at_a_training_table() -> None:
    house = TestHouse(t1=stadium(dealer="live", training=True))
    with pytest.raises(Refused, match="only guests with play money"):
        house.player("ann")
    house.house.admit("guest-1", "guest", house.now)
    house.house.pay_in("guest-1", 10_000, house.now, key="g", by="house")
    house.house.sit_down("guest-1", "t1", None, house.now)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    with pytest.raises(Refused, match="no wagers for the dealer"):
        house.house.bet("guest-1", "t1", {"blackjack": 500}, {"blackjack": 500}, (), house.now)
    house.house.bet("guest-1", "t1", {"blackjack": 500}, {}, (), house.now)


def test_game_5_real_money_is_not_staked_in_the_last_round_of_training() -> None:
    """The table has stopped training, but this round began before, and counts as practice."""
    house = TestHouse(t1=stadium(dealer="live", training=True))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.house.configure_table("t1", stadium(dealer="live"), house.now, by="olga")
    with pytest.raises(Refused, match="only guests with play money"):
        house.player("ann")
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="a test", approved_by="sue"))
    house.player("ann")
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 5_00)


def test_a_training_table_has_a_live_dealer() -> None:
    with pytest.raises(Refused, match="a training table needs dealer = live"):
        stadium(training=True).check()


@on_a_loop
async def test_the_practice_of_a_dealer_is_reported_and_is_in_no_report_of_money(tmp_path: Path) -> None:
    async with a_house(tmp_path, TRAINING) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor")
        token = (await operator.done("/api/terminals", name="shoe-1", reads="t1"))["token"]
        dealer, (player, _) = await served.staff(operator, "dealer", "dana"), await served.guest()
        podium, seat = await dealer.terminal(), await player.terminal()
        await podium.__aenter__()
        await seat.__aenter__()
        for each in (podium, seat):
            await each.watch("t1")
        await podium.do(TakePlace)
        await podium.do(LoadShoe, cards=312)
        await seat.join()
        await podium.do(NewGame, round=1)
        await seat.do(PlaceBet, round=1, wagers={"blackjack": 500})
        await podium.do(CloseBets, round=1)
        await check_floor(supervisor)
        await practise(served.opened.port, token, podium)  # type: ignore[union-attr]
        while seat.turn() is None:
            await seat.changed()
        await seat.decide("stand")
        await podium.do(EnterCard, round=1, number=4, card="8d")
        swap = (ReplaceCard(number=4, card="8c"),)
        await podium.do(Correct, round=1, fixes=swap, why="wrong-card")
        await podium.do(Confirm, round=1)
        made = (await supervisor.get("/api/reports/dealer-practice")).body
        names = [column.name for column in PRACTICE.columns]
        [row] = [dict(zip(names, row, strict=True)) for row in made["rows"]]
        assert (row["dealer"], row["rounds"], row["cards"], row["read"], row["caught"]) == ("dana", 1, 4, 2, 1)
        assert (row["corrected"], row["unexpected"]) == (1, 0)
        await check_floor(supervisor)
        for money in ("table-win", "game-performance"):
            found = (await supervisor.get(f"/api/reports/{money}")).body["rows"]
            assert not [row for row in found if "t1" in row or "stadium-blackjack" in row], (money, found)
        assert seat.seat is not None
        assert seat.seat.credit > 100_000, "the guest must win, or nothing is shown of large wins"
        for money in ("large-wins", "player-sessions", "operator-liability", "meters"):
            assert (await supervisor.get(f"/api/reports/{money}")).body["rows"] == [], money
        events = (await supervisor.get("/api/reports/significant-events")).body["rows"]
        assert not [row for row in events if {"large-win", "large-wager"} & {str(cell) for cell in row}], events
        await leave(podium, seat)


async def check_floor(supervisor: Browser) -> None:
    """The live figures of the floor are of money: a training table has none."""
    assert (await supervisor.get("/api/reports/table-win")).body["rows"] == [], "the play money is no drop"
    [shown] = (await supervisor.get("/api/floor/tables")).body
    assert shown["training"]
    assert [shown[figure] for figure in ("handle", "win", "hold", "exposure", "spread", "largest")] == [
        0,
        0,
        None,
        0,
        None,
        None,
    ]


async def practise(port: int, token: str, podium: Client) -> None:
    """A shoe that reads two cards, the second of them wrong; the dealer catches it, and enters the third by hand."""
    async with connect(f"ws://127.0.0.1:{port}/ws", token) as shoe:
        await shoe.watch("t1")
        await shoe.do(ReadCard, session="s", number=1, card="9s")
        await shoe.do(ReadCard, session="s", number=2, card="6d")
    await podium.do(EnterCard, round=1, number=2, card="Qd")
    await podium.do(EnterCard, round=1, number=3, card="Ts")


def test_game_5_a_table_that_stops_training_counts_from_its_next_round_on() -> None:
    house = TestHouse(t1=stadium(dealer="live", training=True))
    house.house.admit("guest-1", "guest", house.now)
    house.house.pay_in("guest-1", 10_000, house.now, key="g", by="house")
    house.house.sit_down("guest-1", "t1", None, house.now)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    play_money = PlayMoney()
    stakes = []
    for number in (1, 2):
        house.at("t1", lambda table: table.open_round(house.now))
        house.house.bet("guest-1", "t1", {"blackjack": 500}, {}, (), house.now)
        if number == 1:
            house.house.configure_table("t1", stadium(dealer="live"), house.now, by="olga")
        house.at("t1", lambda table: table.void(house.now, by="dana", reason="a test", approved_by="sue"))
    for entry in house.streams()["table/t1"]:
        play_money.follow_table("t1", entry)
        stakes += [transfer for transfer in entry.transfers if transfer.kind == "stake"]
    assert [(stake.round, play_money.moved(stake)) for stake in stakes] == [("1", True), ("2", False)]
