"""CARD-4, CARD-5: no card is known to anybody before the close of betting is durable, and none is shown before it is itself."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from podium.record.store import GroupCommit
from tests.server.served import CONFIG, QUICK, a_house, play, until
from tests.terminal import on_a_loop

AT_ONCE = msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(QUICK, card_seconds=0)})


@on_a_loop
async def test_card_4_no_card_is_drawn_in_the_turn_that_closes_betting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[list[str]] = []
    append = GroupCommit.append

    async def recorded(store: GroupCommit, entries: list, **more: object) -> None:  # type: ignore[type-arg]
        written.append([entry.kind for entry in entries if entry.stream == "table/t1"])
        await append(store, entries, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(GroupCommit, "append", recorded)
    async with a_house(tmp_path, AT_ONCE) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await play(terminal, {"blackjack": 100}, lambda: served.house.table("t1").round_number > 1)
    closing = [kinds for kinds in written if "betting-closed" in kinds]
    assert closing
    assert all("card-dealt" not in kinds for kinds in closing)
    assert any("card-dealt" in kinds for kinds in written)


@on_a_loop
async def test_card_5_nobody_is_shown_a_card_before_it_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, may_go_on = asyncio.Event(), asyncio.Event()
    append = GroupCommit.append

    async def slow(store: GroupCommit, entries: list, **more: object) -> None:  # type: ignore[type-arg]
        if any(entry.kind == "card-dealt" for entry in entries):
            writing.set()
            await may_go_on.wait()
        await append(store, entries, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(GroupCommit, "append", slow)
    async with a_house(tmp_path, AT_ONCE) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"blackjack": 100})
            await writing.wait()
            assert served.house.table("t1").in_play.cards
            await asyncio.sleep(0.3)
            assert not terminal.view.layout.player
            may_go_on.set()
            await until(terminal, lambda: bool(terminal.view.layout.player))
