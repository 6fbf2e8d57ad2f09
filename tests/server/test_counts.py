"""Counts travel alone: whoever misses some, or comes in between, sees the same as everybody else."""

from itertools import pairwise
from pathlib import Path

import msgspec

from podium.wire.messages import AnyMessage, Counts, Seated, TableView
from tests.server.served import CONFIG, QUICK, a_house, until
from tests.terminal import on_a_loop

SLOW = msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(QUICK, close_betting_early=False)})


@on_a_loop
async def test_a_bet_is_counted_for_everybody_without_the_whole_table(tmp_path: Path) -> None:
    async with a_house(tmp_path, SLOW) as served:
        first, second = [(await served.guest())[0] for _ in range(2)]
        heard: list[AnyMessage] = []
        async with await first.terminal(heard=heard.append) as watcher, await second.terminal() as player:
            await watcher.watch("t1")
            await player.watch("t1")
            await player.join()
            await until(player, lambda: player.view.phase == "betting")
            await player.bet({"blackjack": 500})
            await until(watcher, lambda: watcher.view.betting == 1)  # all who watch have been shown the same table
            before = sum(isinstance(message, TableView) for message in heard)
            await player.bet({"blackjack": 1_000})
            await until(watcher, lambda: watcher.view.total_bets == 1_000)
            assert sum(isinstance(message, TableView) for message in heard) == before
            assert any(isinstance(message, Counts) for message in heard)
        async with await first.terminal() as late:
            await late.watch("t1")
            assert (late.view.betting, late.view.total_bets) == (1, 1_000)


@on_a_loop
async def test_an_own_view_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with a_house(tmp_path, SLOW) as served:
        guest, _ = await served.guest()
        heard: list[AnyMessage] = []
        async with await guest.terminal(heard=heard.append) as player:
            await player.watch("t1")
            await player.join()
            await until(player, lambda: player.view.phase == "betting")
            await player.bet({"blackjack": 1_000})
            await until(player, lambda: player.seat is not None and player.seat.view is not None)
            own = [msgspec.structs.replace(seat, number=0) for seat in heard if isinstance(seat, Seated)]
            assert all(one != other for one, other in pairwise(own))
