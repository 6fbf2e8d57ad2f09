"""Numbers of the house and its tables that terminals are told, so that no terminal has them written into it."""

from pathlib import Path

import msgspec

from podium.client import Client
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.wire.commands import LoadShoe, TakePlace
from podium.wire.messages import AnyMessage, RulesInForce, Welcome
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, play
from tests.terminal import on_a_loop


def with_table(table: TableConfig) -> HouseConfig:
    return msgspec.structs.replace(CONFIG, tables={"t1": table})


async def welcomed(browser: Browser) -> Welcome:
    """The first message that the house sends to a browser's terminal."""
    heard: list[AnyMessage] = []
    async with await browser.terminal(heard=heard.append):
        first = heard[0]
    assert isinstance(first, Welcome)
    return first


async def rules_at(terminal: Client) -> RulesInForce:
    await terminal.watch("t1")
    assert terminal.rules is not None
    return terminal.rules


@on_a_loop
async def test_card_6_a_dealer_s_terminal_is_told_when_it_locks(tmp_path: Path) -> None:
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, idle_minutes=3)) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        guest, _ = await served.guest()
        assert (await welcomed(dealer)).idle_minutes == 3
        assert (await welcomed(guest)).idle_minutes == 0, "a player's terminal does not lock"


@on_a_loop
async def test_card_8_a_dealer_is_told_how_many_cards_a_shoe_has(tmp_path: Path) -> None:
    eight = msgspec.structs.replace(QUICK, dealer="live", options={**QUICK.options, "decks": 8})
    async with a_house(tmp_path, with_table(eight)) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        async with await dealer.terminal() as terminal:
            rules = await rules_at(terminal)
            assert rules.shoe_cards == 416
            await terminal.do(TakePlace)
            await terminal.do(LoadShoe, cards=rules.shoe_cards)


async def seats_told(served: Served) -> int | None:
    guest, _ = await served.guest()
    async with await guest.terminal() as terminal:
        return (await rules_at(terminal)).seats


@on_a_loop
async def test_seats_are_those_of_the_game_or_fewer_where_the_table_has_fewer(tmp_path: Path) -> None:
    match_up = TableConfig("match-up-blackjack")
    async with a_house(tmp_path / "game", with_table(match_up)) as served:
        assert await seats_told(served) == 7
    async with a_house(tmp_path / "table", with_table(msgspec.structs.replace(match_up, places=5))) as served:
        assert await seats_told(served) == 5
    async with a_house(tmp_path / "community", with_table(QUICK)) as served:
        assert await seats_told(served) is None


@on_a_loop
async def test_rec_2_a_round_is_recalled_with_the_seats_that_the_table_had(tmp_path: Path) -> None:
    async with a_house(tmp_path, with_table(msgspec.structs.replace(QUICK, places=3))) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
        [recalled] = (await guest.get("/api/rounds", table="t1")).body
        assert recalled["seats"] == 3
