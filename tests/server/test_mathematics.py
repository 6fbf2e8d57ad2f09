"""The workers of the house's mathematics: they answer what the commands say, refuse, come back, and end with the house."""

import asyncio
import os
import signal
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.maths.advice import worths
from podium.maths.largest import largest
from podium.maths.par_sheet import par
from podium.maths.patrons import Party, Patrons
from podium.maths.sight import BoxPosition
from podium.rules.games import GAMES, Game, game
from podium.rules.games.dynasty_blackjack import DynastyRules
from podium.rules.options import option
from podium.server.coach import Coach
from podium.server.mathematics import (
    MAX_WAITING,
    NICE_SOON,
    Configuration,
    FindLargest,
    FindReturns,
    FindWorths,
    Mathematics,
    MathsAnswer,
    MathsFailed,
    Worker,
)
from podium.server.theory import KnownReturns, Theory
from podium.server.worker import answered
from tests.terminal import on_a_loop

pytestmark = pytest.mark.usefixtures("compiled")

DLB = game("dynasty-blackjack", {"limits": {"blackjack": [500, 50_000]}, "double_totals": [9, 11]})
SIXTEEN = BoxPosition(("hit", "stand"), up=9, hand=(5, 9))


def sixteen_against(up: int) -> FindWorths:
    return FindWorths(Configuration.of(DLB), msgspec.structs.replace(SIXTEEN, up=up))


@dataclass(frozen=True, kw_only=True)
class Unread(DynastyRules):
    burns: bool = option(False, clause="XYZ 1", says={True: "A card is burned.", False: "No card is burned."})


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with an option that the mathematics does not read, which this process knows by its name."""
    of = replace(GAMES["dynasty-blackjack"], name="unread", rules=Unread())
    monkeypatch.setitem(GAMES, of.name, of)
    return of


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers answer here, by the same function that the process runs."""

    async def answer(self: Worker, question: bytes) -> MathsAnswer:
        return answered(question)

    monkeypatch.setattr(Worker, "_answer", answer)


@on_a_loop
async def test_a_worker_finds_what_the_commands_print() -> None:
    worker = Worker(NICE_SOON)
    try:
        sheet = await worker.ask(FindReturns(Configuration.of(DLB)), KnownReturns)
        told = par(DLB).to_dict()["wagers"]
        assert {name: wager.house_edge for name, wager in sheet.wagers.items()} == {
            name: wager["house_edge"] for name, wager in told.items()
        }
        most = await worker.ask(FindLargest(Configuration.of(DLB), 1000), int)
        assert most == largest(Patrons(DLB, (Party(1),), {"blackjack": 1000})).amount
        assert await worker.ask(sixteen_against(9), dict[str, float]) == worths(DLB, SIXTEEN)
    finally:
        await worker.close()
    assert worker.process_id is None


@on_a_loop
async def test_questions_are_answered_in_turn_and_few_wait() -> None:
    worker = Worker(NICE_SOON)
    try:
        found = await asyncio.gather(
            *(worker.ask(sixteen_against(up % 10), dict[str, float]) for up in range(MAX_WAITING))
        )
        assert found == [worths(DLB, msgspec.structs.replace(SIXTEEN, up=up % 10)) for up in range(MAX_WAITING)]
        asked = [asyncio.create_task(worker.ask(sixteen_against(5), dict[str, float])) for _ in range(MAX_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(MathsFailed, match=f"{MAX_WAITING} questions are open"):
            await worker.ask(sixteen_against(5), dict[str, float])
        await asyncio.gather(*asked)
    finally:
        await worker.close()


@on_a_loop
async def test_a_process_that_was_ended_is_started_again() -> None:
    worker = Worker(NICE_SOON)
    try:
        await worker.ask(sixteen_against(9), dict[str, float])
        first = worker.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert await worker.ask(sixteen_against(9), dict[str, float]) == worths(DLB, SIXTEEN)
        assert worker.process_id not in (first, None)
    finally:
        await worker.close()


@on_a_loop
async def test_whoever_stops_waiting_leaves_no_answer_behind() -> None:
    worker = Worker(NICE_SOON)
    try:
        asked = asyncio.create_task(worker.ask(FindReturns(Configuration.of(DLB)), KnownReturns))
        while worker.process_id is None:
            await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await worker.ask(sixteen_against(9), dict[str, float]) == worths(DLB, SIXTEEN)
    finally:
        await worker.close()


@on_a_loop
async def test_an_idle_worker_ends_its_process() -> None:
    worker = Worker(NICE_SOON, idle_seconds=0.05)
    try:
        await worker.ask(sixteen_against(9), dict[str, float])
        while worker.process_id is not None:
            await asyncio.sleep(0.01)
        assert await worker.ask(sixteen_against(9), dict[str, float]) == worths(DLB, SIXTEEN)
    finally:
        await worker.close()


@on_a_loop
async def test_a_refusal_and_an_error_are_told_apart(unread: Game, in_this_process: None) -> None:
    worker = Worker(NICE_SOON)
    with pytest.raises(Refused, match=r"does not read: burns = false \(XYZ 1\)"):
        await worker.ask(FindReturns(Configuration.of(unread)), KnownReturns)
    broken = FindWorths(Configuration.of(DLB), msgspec.structs.replace(SIXTEEN, beside=(99,)))
    with pytest.raises(MathsFailed, match="IndexError"):
        await worker.ask(broken, dict[str, float])


@on_a_loop
async def test_rules_that_the_mathematics_refuses_are_asked_for_once(
    unread: Game, in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    theory, learned = Theory(), list[int]()
    await theory.learn(unread, lambda: learned.append(1))
    assert (theory.returns(unread.fingerprint), learned) == ({}, [])
    assert not theory.working_on(unread.fingerprint)
    monkeypatch.setattr(theory.mathematics.returns, "ask", None)  # asking again would fail
    await theory.learn(unread, lambda: learned.append(2))


@on_a_loop
async def test_every_table_with_the_same_rules_hears_of_their_returns(
    in_this_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.maths.kept.find", lambda *_: None)
    theory, learned, all_here = Theory(), list[int](), asyncio.Event()
    ask = theory.mathematics.returns.ask

    async def ask_when_all_are_here(*asked: Any) -> Any:
        await all_here.wait()
        return await ask(*asked)

    monkeypatch.setattr(theory.mathematics.returns, "ask", ask_when_all_are_here)
    tables = [asyncio.create_task(theory.learn(DLB, partial(learned.append, table))) for table in (1, 2)]
    await asyncio.sleep(0)
    all_here.set()
    await asyncio.gather(*tables)
    assert sorted(learned) == [1, 2]
    assert theory.is_done(DLB.fingerprint)


@on_a_loop
async def test_the_coach_says_why_it_does_not_advise(unread: Game, in_this_process: None) -> None:
    coach = Coach(Mathematics())
    coach.begin(unread)
    while coach._errands:
        await asyncio.sleep(0)
    with pytest.raises(Refused, match=r"does not read: burns = false \(XYZ 1\)"):
        coach.ask(unread, SIXTEEN, lambda found: None)
