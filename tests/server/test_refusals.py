"""A refusal comes with a key and facts, so that a terminal can say it in its own language."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.basics.words import Fact, Phrase
from podium.client import Client
from podium.house import HouseConfig
from podium.wire.messages import Command, Decide, PlaceBet
from tests.server.served import QUICK, a_house, until
from tests.terminal import on_a_loop


def says(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"refused.{key}", facts)


async def refused(terminal: Client, command: type[Command], **fields: Any) -> Phrase:
    with pytest.raises(Refused) as refusal:
        await terminal.do(command, **fields)
    return refusal.value.phrase


@on_a_loop
async def test_bets_and_decisions_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await until(terminal, lambda: terminal.view.phase == "betting")
            number = terminal.view.round
            assert await refused(terminal, PlaceBet, round=number, wagers={"blackjack": 100}) == says("seat-first")
            await terminal.join()
            short = await refused(terminal, PlaceBet, round=number, wagers={"blackjack": 100_000, "trilux": 1})
            assert short == says(
                "credit-short", who=Phrase("place.seat", {"number": 1}), staked=100_001, credit=100_000
            )
            assert str(short) == "Seat 1: wagers of 1,000.01 are more than the credit of 1,000.00."
            for wagers, key, facts in (
                ({"blackjack": 50}, "wager-limits", {"amount": 50, "least": 100, "most": 100_000}),
                ({"trilux": 100}, "wager-needs", {"wager": "trilux", "needed": "blackjack"}),
            ):
                told = await refused(terminal, PlaceBet, round=number, wagers=wagers)
                why = told.facts["why"]
                assert isinstance(why, Phrase)
                assert (told.key, why.key) == ("refused.for-player", f"refused.{key}")
                assert why.facts | facts == why.facts
                assert why.clause
            assert await refused(terminal, PlaceBet, round=7) == says("round-over", round=7, now=number)
            assert await refused(terminal, Decide, round=number, step=3, decision="hit") == says("not-asked-now")


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
                (1, says("seat-taken", seat=1)),
                (2, says("seat-unknown", seat=2, seats=1)),
                (None, says("seats-taken", seats=1)),
            ):
                with pytest.raises(Refused) as refusal:
                    await other.join(seat)
                assert refusal.value.phrase == why
            with pytest.raises(Refused) as refusal:
                await sitting.join(box=2)
            assert refusal.value.phrase == says("boxes-taken", boxes=1)


@on_a_loop
async def test_requests_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        said = await guest.post("/api/redeem", number="123")
        facts = {"digits": 20, "typed": 3}
        assert said.body["why"] == {"key": "refused.ticket-digits", "facts": facts, "clause": "TKT-1"}
        assert said.reason == "A validation number has 20 digits; this has 3 characters (TKT-1)."
        said = await guest.post("/api/sign-in", name="mallory", password="x")
        assert said.body["why"] == {"key": "refused.sign-in-wrong"}
