"""Bots on real sockets that write down everything that the house acknowledges."""

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import aiohttp

from podium.basics.refusal import Refused
from podium.client import Client, Turn, connect
from podium.wire.messages import WagerCard

PATIENCE = 300.0
"""A house that is being tortured is away now and then; a bot waits for it."""


class Seat(NamedTuple):
    """Where a guest's terminal connects, and with what."""

    name: str
    url: str | Sequence[str]
    """One address, or all those at which the house may be."""
    token: str


async def come_in(pages: str, guests: int) -> list[Seat]:
    """This many guests, each with play money."""
    seats = []
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        for _ in range(guests):
            async with session.post(f"{pages}/api/guest") as answer:
                name = (await answer.json())["name"]
                seats.append(Seat(name, f"{pages.replace('http', 'ws')}/ws", answer.cookies["podium"].value))
    return seats


class Bot:
    """Bets and decides at random; `acknowledged` is what it was told is done, as the witness writes it."""

    def __init__(self, seat: Seat, table: str, seed: str) -> None:
        self.seat = seat
        self.table = table
        self.chance = Random(seed)
        self.acknowledged: list[tuple[Any, ...]] = []
        self.refused: list[str] = []
        self.resting = False
        self.house: Client | None = None

    async def run(self) -> None:
        async with connect(self.seat.url, self.seat.token, patience=PATIENCE) as house:
            self.house = house
            await house.watch(self.table)
            await house.join()
            async for turn in house.turns():
                try:
                    await self._take(house, turn)
                except Refused as refusal:
                    self.refused.append(str(refusal))

    async def _take(self, house: Client, turn: Turn) -> None:
        name, number = self.seat.name, turn.table.round
        if turn.question is not None:
            affordable = [choice for choice, (least, _) in turn.question.allowed.items() if choice != "insure"]
            choice = self.chance.choice(affordable)
            await house.decide(choice)
            self.acknowledged.append(("decide", self.table, number, name, choice))
        elif not self.resting and house.rules is not None:
            wagers = {card.wager: self._amount(card) for card in house.rules.wagers if card.main}
            await house.bet(wagers)
            self.acknowledged.append(("bet", self.table, number, name, tuple(wagers.items()), (), ()))

    def _amount(self, card: WagerCard) -> int:
        return self.chance.choice(card.amounts) if card.amounts else max(card.least, card.chip)

    @property
    def credit(self) -> int | None:
        return self.house.seat.credit if self.house is not None and self.house.seat is not None else None


def check_acknowledged(bots: Sequence[Bot], facts: dict[tuple[Any, ...], int]) -> int:
    """INT-1: nothing that anybody was told is missing. How many things that were."""
    for bot in bots:
        missing = [fact for fact in bot.acknowledged if not facts.get(fact)]
        assert not missing, f"{bot.seat.name} was told of {missing}, which is not in the journal"
    return sum(len(bot.acknowledged) for bot in bots)


async def still_running(tasks: Sequence["asyncio.Task[None]"]) -> None:
    """A bot never ends by itself."""
    for task in tasks:
        if task.done():
            task.result()
            raise AssertionError("a bot has ended")
