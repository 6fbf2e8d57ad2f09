"""Several boxes and several tables at one terminal, over a real socket."""

from pathlib import Path

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client.shown import own_view
from tests.server.served import CONFIG, QUICK, a_house, until
from tests.terminal import on_a_loop

SLOW = msgspec.structs.replace(QUICK, close_betting_early=False, betting_seconds=600)
HOUSE = msgspec.structs.replace(CONFIG, tables={f"t{number}": SLOW for number in range(1, 6)})


@on_a_loop
async def test_one_terminal_plays_at_several_tables_and_boxes_with_one_credit(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        guest, name = await served.guest()
        async with await guest.terminal() as terminal, await guest.terminal() as elsewhere:
            await terminal.watch("t1")
            await terminal.watch("t2", beside=True)
            for table in ("t1", "t2"):
                await terminal.join(table=table)
                assert await terminal.join(box=2, table=table) == 2
            await elsewhere.watch("t3")
            await until(terminal, lambda: all(known.view.phase == "betting" for known in terminal.known.values()))  # type: ignore[union-attr]
            await terminal.bet({"blackjack": 60_000}, table="t2", box=2)
            with pytest.raises(Refused, match=r"more than the credit of 400\.00"):
                await terminal.bet({"blackjack": 50_000}, table="t1")
            await terminal.bet({"blackjack": 30_000}, table="t1")
            await until(elsewhere, lambda: elsewhere.seat is not None and elsewhere.seat.credit == 10_000)
            await until(terminal, lambda: terminal.known["t1"].seat.credit == 10_000)  # type: ignore[union-attr]
            second = terminal.known["t2"].seat
            assert second is not None
            assert second.view is None
            assert own_view(second, 2).wagers == {"blackjack": 60_000}  # type: ignore[union-attr]
            terminal.drop()
            await terminal.bet({"blackjack": 5_000}, table="t2", box=1)
            assert served.house.credit(name) == 5_000
            await until(terminal, lambda: terminal.known["t2"].seat.view is not None)  # type: ignore[union-attr]


@on_a_loop
async def test_a_terminal_watches_four_tables_at_most_and_names_the_table(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            for table in ("t1", "t2", "t3", "t4"):
                await terminal.watch(table, beside=True)
            with pytest.raises(Refused, match="This terminal watches t1, t2, t3, t4"):
                await terminal.watch("t5", beside=True)
            with pytest.raises(Refused, match="Watch the table first"):
                await terminal.join(table="t5")
            await terminal.unwatch("t2")
            await terminal.watch("t5", beside=True)
            assert await terminal.join(table="t5") == 1
            await terminal.watch("t1")
            assert terminal.watched == ["t1"]
            with pytest.raises(Refused, match="Watch the table first"):
                await terminal.leave(table="t5")
