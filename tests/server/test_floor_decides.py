"""VOID-4: a supervisor voids any table's round, and corrects a live one, from the floor's screen."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.cli.verify import verify_house
from podium.client import Client
from podium.wire.commands import AbandonCorrection, Correct, EnterCard, NewGame, ReplaceCard, Void
from tests.server.served import CONFIG, PASSWORD, QUICK, Browser, Served, a_house, until
from tests.server.test_approvals import dealing, leave
from tests.terminal import on_a_loop

TABLE = "/api/floor/tables/t1"
MALFUNCTION: dict[str, Any] = {"why": "malfunction", "reason": "the screen froze"}
SAID = {"key": "reason.both", "facts": {"reason": {"key": "reason.malfunction"}, "text": "the screen froze"}}
SLOW = msgspec.structs.replace(
    CONFIG, tables={"t1": msgspec.structs.replace(QUICK, card_seconds=60, close_betting_early=False)}
)
LIVE = msgspec.structs.replace(
    CONFIG,
    tables={
        "t1": msgspec.structs.replace(QUICK, dealer="live", close_betting_early=False, approvals=("void", "correct"))
    },
)
A_STEP = 61_000


async def supervisor(served: Served) -> Browser:
    return await served.staff(await served.operator(), "supervisor", "sue")


def balances(served: Served) -> dict[str, int]:
    return {str(name): amount for name, amount in dict(served.house.ledger).items() if amount}


async def a_step(served: Served) -> None:
    """The table does what is due by now, and it is durable."""
    assert served.opened is not None
    served.pass_time(A_STEP)
    await served.opened.floor.at_table("t1", lambda now: None)


async def comes_to(served: Served, terminal: Client, phase: str) -> dict[str, int]:
    """Bets, also for the dealer, until the automated table has come to that phase with it; returns the balances before."""
    table, before = served.house.table("t1"), balances(served)
    while table.phase() != phase or not table.round.seats:
        if table.phase() == "betting" and not table.round.seats:
            await until(terminal, lambda: terminal.view.round == table.round_number)
            before = balances(served)
            await terminal.bet({"blackjack": 1_000, "trilux": 500}, for_dealer={"blackjack": 100})
        else:
            await a_step(served)
    return before


@pytest.mark.parametrize("phase", ["betting", "dealing", "deciding", "confirming"])
def test_void_4_a_supervisor_voids_an_automated_round_in_each_phase_and_the_shoe_is_proven(
    phase: str, tmp_path: Path
) -> None:
    voids_an_automated_round(tmp_path, phase)
    assert verify_house(str(tmp_path)) == 0


@on_a_loop
async def voids_an_automated_round(data: Path, phase: str) -> None:
    async with a_house(data, SLOW) as served:
        sue = await supervisor(served)
        guest, _ = await served.guest()
        table = served.house.table("t1")
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            before = await comes_to(served, terminal, phase)
            number = table.round_number
            [seen] = (await sue.get("/api/floor/tables")).body
            assert seen["round"] == number
            assert (await sue.post(f"{TABLE}/void", round=number)).reason == "A void needs a reason (EVT-1)."
            voided = await sue.done(f"{TABLE}/void", round=number, **MALFUNCTION)
            assert (voided["phase"], voided["round"], voided["exposure"]) == ("void", 0, 0)
            assert balances(served) == before
            await until(terminal, lambda: terminal.view.phase == "void")
            assert msgspec.to_builtins(terminal.view.notice) == SAID
            assert await sue.done(f"{TABLE}/void", round=number, **MALFUNCTION) == voided  # asked again: void once
            other = await sue.post(f"{TABLE}/void", round=number, why="dispute")
            assert other.body["why"]["key"] == "refused.no-round"
            [event] = (await sue.get("/api/events", kind="void")).body
            assert (event["who"], event["reason"]) == ("sue", f"round {number}: malfunction: the screen froze")
            [told] = [each for each in (await guest.get("/api/rounds", table="t1")).body if each["round"] == number]
            assert told["status"] == "void"
            await next_round(served, terminal, number)
            late = await sue.post(f"{TABLE}/void", round=number, **MALFUNCTION)
            assert late.reason.startswith(f"Round {number} is over")
            assert table.phase() == "betting"
            shoe = table.shoe_number
            while table.shoe_number == shoe:  # until it is revealed, with the cards of the void round in it
                await comes_to(served, terminal, "betting")
                await a_step(served)


async def next_round(served: Served, terminal: Client, number: int) -> None:
    """The automated dealer goes on by itself."""
    while served.house.table("t1").round_number == number:
        await a_step(served)
    await until(terminal, lambda: terminal.view.round == number + 1 and terminal.view.phase == "betting")


@on_a_loop
async def test_void_4_the_cards_of_an_automated_table_are_proven_and_not_corrected(tmp_path: Path) -> None:
    async with a_house(tmp_path, SLOW) as served:
        sue = await supervisor(served)
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await comes_to(served, terminal, "deciding")
            number = served.house.table("t1").round_number
            fixes = [{"fix": "replace", "number": 1, "card": "As"}]
            corrects: dict[str, dict[str, Any]] = {
                "correction/begin": {},
                "correction/abandon": {},
                "correction": {"fixes": fixes, "why": "wrong-card"},
            }
            for path, more in corrects.items():
                said = await sue.post(f"{TABLE}/{path}", round=number, **more)
                assert said.reason == (
                    "The cards of an automated table are proven by its shoe and cannot be corrected: void the round (VOID-4)."
                )
            paused = await sue.done(TABLE, state="paused", why="dispute")
            assert paused["alerts"][0]["facts"] == {"notice": {"key": "reason.dispute"}}
            assert served.house.table("t1").phase() == "deciding"


@on_a_loop
async def test_void_4_a_supervisor_voids_a_live_round_without_a_second_person_and_nobody_else_does(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        sue = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        assert (await operator.post(f"{TABLE}/void", round=1, **MALFUNCTION)).status == 403
        with pytest.raises(Refused, match="A second person must approve"):
            await podium.do(Void, round=1, reason="misdeal")
        await sue.done(f"{TABLE}/void", round=1, **MALFUNCTION)
        assert served.house.table("t1").phase() == "void"
        [event] = (await sue.get("/api/events", kind="void")).body
        assert event["who"] == "sue"
        await podium.do(NewGame, round=2)
        await leave(podium, seat)


async def the_dealer_cannot_end_it(podium: Client) -> None:
    """The dealer may be whom the supervisor's correction concerns."""
    fixes = [ReplaceCard(1, "8s")]
    for kind, told in (
        (AbandonCorrection, {}),
        (AbandonCorrection, {"correction": 1}),
        (Correct, {"fixes": fixes, "correction": 1, "why": "wrong-card"}),
        (Void, {"why": "misdeal"}),
    ):
        with pytest.raises(Refused, match="sue corrects this round from the floor: a supervisor ends it there"):
            await podium.do(kind, round=1, **told)


@on_a_loop
async def test_void_4_a_supervisor_corrects_a_live_round_while_the_table_waits(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        sue = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        begun = await sue.done(f"{TABLE}/correction/begin", round=1)
        assert (begun["correction"], begun["cards"]) == (1, ["9s", "7h"])
        [seen] = (await sue.get("/api/floor/tables")).body
        assert seen["correction"] == 1
        assert seen["alerts"][0] == {"key": "alert.correcting", "facts": {"by": "sue"}}
        with pytest.raises(Refused, match="A card is being corrected: the table waits"):
            await podium.do(EnterCard, round=1, number=3, card="2c")
        await the_dealer_cannot_end_it(podium)
        left = await sue.done(f"{TABLE}/correction/abandon", round=1, correction=1)
        assert left["correction"] == 0
        again = await sue.done(f"{TABLE}/correction/begin", round=1)
        form: dict[str, Any] = {
            "round": 1,
            "correction": again["correction"],
            "fixes": [{"fix": "replace", "number": 1, "card": "8s"}],
        }
        assert (await sue.post(f"{TABLE}/correction", **form)).reason == "A correction needs a reason (CARD-3)."
        done = await sue.done(f"{TABLE}/correction", **form, why="wrong-card")
        await until(seat, lambda: seat.view.corrected is not None)
        assert (done["correction"], seat.view.cards) == (0, ["8s", "7h"])
        assert await sue.done(f"{TABLE}/correction", **form, why="wrong-card") == done  # asked again: corrected once
        assert msgspec.to_builtins(seat.view.corrected.reason) == {"key": "reason.wrong-card"}
        [event] = (await sue.get("/api/events", kind="correction")).body
        assert event["who"] == "sue"
        await leave(podium, seat)


@on_a_loop
async def test_card_6_a_supervisor_who_deals_the_round_does_not_decide_about_it(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        sue = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        await operator.done_with(sue, "/api/people", name="dana", role="supervisor")
        dana = await served.browser()
        await dana.done("/api/sign-in", name="dana", password=PASSWORD)
        said = await dana.post(f"{TABLE}/void", round=1, **MALFUNCTION)
        assert said.reason == "You are at the podium of this table: another supervisor must decide (CARD-6)."
        await leave(podium, seat)
