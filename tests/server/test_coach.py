"""Advice over the wire: what the mathematics says of what the player sees, where the operator allows it, and not too late."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client import Client
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.maths.advice import worths
from podium.maths.shoe import ACE
from podium.maths.sight import ArrayPosition, BoxPosition
from podium.rules.games import game
from podium.server.coach import Coach
from podium.server.limits import MAX_WAITING_POSITIONS
from podium.server.mathematics import Mathematics
from podium.wire.commands import Advise, CloseBets, EnterCard, LoadShoe, NewGame, TakePlace
from podium.wire.messages import Advice
from tests.server.served import Served, a_house, until
from tests.terminal import on_a_loop

pytestmark = pytest.mark.usefixtures("compiled")

LIVE = TableConfig(
    game="stadium-blackjack",
    dealer="live",
    betting_seconds=600,
    insurance_seconds=600,
    decision_seconds=600,
    coach=True,
    options={"chip": 100},
)


class Podium:
    """A live table, its dealer and its players, each over a terminal of their own."""

    def __init__(self, dealer: Client, cards: int) -> None:
        self.dealer = dealer
        self.cards = cards
        self.players: list[Client] = []

    async def begin(self) -> None:
        await self.dealer.watch("t1")
        await self.dealer.do(TakePlace)
        await self.dealer.do(LoadShoe, cards=self.cards)
        await self.dealer.do(NewGame, round=1)

    async def deal(self, codes: str, *, close: bool = True) -> None:
        if close:
            await self.dealer.do(CloseBets, round=1)
        out = len(self.dealer.view.cards)
        for number, code in enumerate(codes.split(), out + 1):
            await self.dealer.do(EnterCard, round=1, number=number, card=code)
        await until(self.dealer, lambda: len(self.dealer.view.cards) == out + len(codes.split()))


async def is_asked(player: Client) -> None:
    await until(player, lambda: bool(player.seat and player.seat.view and player.seat.view.question))


async def advised(player: Client) -> Advice:
    """What a player who is asked something is told of it."""
    await is_asked(player)
    await player.advise()
    step = player.seat.view.step if player.seat and player.seat.view else 0
    await until(player, lambda: (told := player.known["t1"].advice) is not None and told.step == step)
    found = player.known["t1"].advice
    assert found is not None
    return found


@asynccontextmanager
async def at_podium(
    data: Path, config: TableConfig, *, players: int = 1, cards: int = 312
) -> AsyncIterator[tuple[Podium, Served]]:
    async with a_house(data, HouseConfig(guests=True, tables={"t1": config})) as served:
        operator = await served.operator()
        dealer = await served.staff(operator, "dealer")
        async with await dealer.terminal() as at_shoe:
            podium = Podium(at_shoe, cards)
            for _ in range(players):
                guest, _ = await served.guest()
                podium.players.append(await (await guest.terminal()).__aenter__())
            await podium.begin()
            for player in podium.players:
                await player.watch("t1")
                await player.join()
                await until(player, lambda player=player: player.view.phase == "betting")  # type: ignore[misc]
            yield podium, served
            for player in podium.players:
                await player.__aexit__(None, None, None)


@on_a_loop
async def test_every_answer_is_worth_what_the_mathematics_says(tmp_path: Path) -> None:
    of = game("stadium-blackjack", {"chip": 100})
    async with at_podium(tmp_path, LIVE) as (podium, _):
        [player] = podium.players
        await player.bet({"blackjack": 2_000})
        await podium.deal("8s Ah 8d")
        early = await advised(player)
        assert early.worth == worths(of, BoxPosition(("decline", "insure"), ACE, (7, 7), about="insurance"))
        assert early.best == "decline"
        await player.decide("decline")
        first = await advised(player)
        choices = tuple(sorted(first.worth))
        assert set(choices) == {"hit", "stand", "double", "split", "surrender"}
        assert first.worth == worths(of, BoxPosition(choices, ACE, (7, 7)))
        assert first.amounts == {choice: round(worth * 2_000) for choice, worth in first.worth.items()}
        assert first.worth[first.best] == max(first.worth.values())
        await player.decide("split")
        await podium.deal("3c", close=False)
        split = await advised(player)
        seen = BoxPosition(tuple(sorted(split.worth)), ACE, (2, 7), (7,), pair=7, splits=1)
        assert split.worth == worths(of, seen)


@on_a_loop
async def test_three_card_poker_is_advised_with_nine_cards_in_sight(tmp_path: Path) -> None:
    config = msgspec.structs.replace(LIVE, game="stadium-three-card-poker", options={})
    async with at_podium(tmp_path, config, cards=52) as (podium, _):
        [player] = podium.players
        await player.bet({"ante": 500}, spots=(1, 5, 9))
        await podium.deal("Qs 2c 3c 4c 6h 5c 9h 9s 4d")
        told = await advised(player)
        seen = ArrayPosition(("4d", "6h", "Qs"), ("2c", "3c", "4c", "5c", "9h", "9s"))
        assert told.worth == worths(game("stadium-three-card-poker"), seen)
        assert (told.best, told.amounts["fold"]) == ("fold", -500)


@on_a_loop
async def test_two_who_see_the_same_are_told_the_same_for_their_own_wagers(tmp_path: Path) -> None:
    async with at_podium(tmp_path, LIVE, players=2) as (podium, _):
        one, other = podium.players
        await one.bet({"blackjack": 1_000})
        await other.bet({"blackjack": 100_000})
        await podium.deal("6s Th 5d")
        small, all_in = await asyncio.gather(advised(one), advised(other))
        assert small.worth == all_in.worth
        assert small.best == "double"
        # The whole credit lies on the table, so nothing is left to double with.
        assert all_in.best == "hit"
        assert all_in.amounts["hit"] == pytest.approx(100 * small.amounts["hit"], abs=50)


@on_a_loop
async def test_there_is_no_advice_where_the_operator_does_not_allow_it(tmp_path: Path) -> None:
    async with at_podium(tmp_path, msgspec.structs.replace(LIVE, coach=False)) as (podium, _):
        [player] = podium.players
        assert player.known["t1"].rules is not None
        assert not player.known["t1"].rules.coach
        await player.bet({"blackjack": 1_000})
        await podium.deal("6s Th 5d")
        await is_asked(player)
        with pytest.raises(Refused, match="the operator has not allowed it"):
            await player.advise()


@on_a_loop
async def test_advice_is_for_the_question_that_is_asked_now_and_for_players(tmp_path: Path) -> None:
    async with at_podium(tmp_path, LIVE) as (podium, _):
        [player] = podium.players
        await player.bet({"blackjack": 1_000})
        for wrong in ({"round": 1, "step": 0}, {"round": 0, "step": 0}):
            with pytest.raises(Refused, match="that question is not open now"):
                await player.do(Advise, **wrong)
        await podium.deal("6s Th 5d")
        await is_asked(player)
        with pytest.raises(Refused, match="that question is not open now"):
            await player.do(Advise, round=1, step=1)
        with pytest.raises(Refused, match="The role dealer may not do this"):
            await podium.dealer.do(Advise, round=1, step=0)


@on_a_loop
async def test_an_answer_that_comes_too_late_is_told_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Any] = []
    monkeypatch.setattr(Coach, "ask", lambda self, rules, seen, tell: waiting.append(tell))
    async with at_podium(tmp_path, LIVE) as (podium, _):
        [player] = podium.players
        await player.bet({"blackjack": 1_000})
        await podium.deal("6s Th 5d")
        await is_asked(player)
        await player.advise()
        await player.decide("stand")
        waiting[0]({"stand": 0.0})
        await player.ping()  # whatever was said before it has arrived
        assert player.known["t1"].advice is None


@on_a_loop
async def test_equal_positions_are_worked_out_once_and_only_so_many_wait() -> None:
    mathematics = Mathematics()
    coach, told = Coach(mathematics), list[dict[str, float]]()
    of = game("stadium-blackjack")
    choices = ("hit", "stand")
    try:
        for up in range(10):
            for _ in range(3):
                coach.ask(of, BoxPosition(choices, up, (5, 9)), told.append)
        for value in range(MAX_WAITING_POSITIONS - 10):
            coach.ask(of, BoxPosition(choices, 5, (5, 9), (value % 10,) * (1 + value // 10)), told.append)
        with pytest.raises(Refused, match="too many questions"):
            coach.ask(of, BoxPosition(choices, 5, (5, 8)), told.append)
        while len(told) < 30 + MAX_WAITING_POSITIONS - 10:
            await asyncio.sleep(0.01)
        again: list[dict[str, float]] = []
        coach.ask(of, BoxPosition(choices, 9, (5, 9)), again.append)
        assert again == [worths(of, BoxPosition(choices, 9, (5, 9)))]
    finally:
        coach.close()
        await mathematics.close()


@on_a_loop
async def test_the_coach_begins_again_when_its_process_was_ended() -> None:
    mathematics = Mathematics()
    coach, told = Coach(mathematics), list[dict[str, float]]()
    of = game("stadium-three-card-poker")
    seen = ArrayPosition(("4d", "6h", "Qs"), ("2c", "3c", "4c", "5c", "9h", "9s"))
    try:
        coach.ask(of, seen, told.append)
        while not told:
            await asyncio.sleep(0.01)
        assert mathematics.advice.process_id is not None
        os.kill(mathematics.advice.process_id, signal.SIGKILL)
        other = msgspec.structs.replace(seen, own=("4d", "6h", "Ks"))
        coach.ask(of, other, told.append)
        while len(told) < 2:
            await asyncio.sleep(0.01)
        assert told[1] == worths(of, other)
    finally:
        coach.close()
        await mathematics.close()
