"""What a terminal is refused comes with a key and facts, so that it can be said in the language of whoever stands there."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.reasons import Reason
from podium.basics.refusal import Refused
from podium.client import Client
from podium.house import HouseConfig
from podium.wire.messages import Command, Decide, PlaceBet
from tests.server.served import QUICK, a_house, until
from tests.terminal import on_a_loop


async def refused(terminal: Client, command: type[Command], **fields: Any) -> Reason | None:
    with pytest.raises(Refused) as refusal:
        await terminal.do(command, **fields)
    return refusal.value.why


@on_a_loop
async def test_bets_and_decisions_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await until(terminal, lambda: terminal.view.phase == "betting")
            number = terminal.view.round
            assert await refused(terminal, PlaceBet, round=number, wagers={"blackjack": 100}) == Reason("seat-first")
            await terminal.join()
            for wagers, key, facts in (
                ({"blackjack": 50}, "wager-limits", {"amount": "50", "least": "100", "most": "100000"}),
                ({"blackjack": 100_000, "trilux": 1}, "credit-short", {"staked": "100001", "credit": "100000"}),
                ({"trilux": 100}, "wager-needs", {"wager": "trilux", "needed": "blackjack"}),
            ):
                why = await refused(terminal, PlaceBet, round=number, wagers=wagers)
                assert why is not None
                assert (why.key, why.facts | facts) == (key, why.facts)
            assert await refused(terminal, PlaceBet, round=7) == Reason(
                "round-over", {"round": "7", "now": str(number)}
            )
            assert await refused(terminal, Decide, round=number, step=3, decision="hit") == Reason("not-asked-now")


@on_a_loop
async def test_seats_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    seats = msgspec.structs.replace(QUICK, game="mega-blackjack", options={}, places=1)
    async with a_house(tmp_path, HouseConfig(guests=True, tables={"t1": seats, "t2": seats})) as served:
        first, _ = await served.guest()
        second, _ = await served.guest()
        async with await first.terminal() as sitting, await second.terminal() as other:
            for terminal in (sitting, other):
                await terminal.watch("t1")
            await sitting.join(1)
            for seat, why in (
                (1, Reason("seat-taken", {"seat": "1"})),
                (2, Reason("seat-unknown", {"seat": "2", "seats": "1"})),
                (None, Reason("seats-taken", {"seats": "1"})),
            ):
                with pytest.raises(Refused) as refusal:
                    await other.join(seat)
                assert refusal.value.why == why
            await sitting.watch("t2")
            with pytest.raises(Refused) as refusal:
                await sitting.join()
            assert refusal.value.why == Reason("seat-elsewhere", {"table": "t1"})


@on_a_loop
async def test_requests_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        said = await guest.post("/api/redeem", number="123")
        assert said.body["why"] == {"key": "ticket-digits", "facts": {"digits": "20", "typed": "3"}}
        said = await guest.post("/api/sign-in", name="mallory", password="x")
        assert said.body["why"] == {"key": "sign-in-wrong", "facts": {}}
