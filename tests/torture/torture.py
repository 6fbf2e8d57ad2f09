"""Kills the house again and again while people play, and checks everything each time."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from podium.client import connect
from podium.house import House, HouseConfig
from podium.house.table import TableConfig
from podium.record.ledger import account
from tests.torture.bots import Bot, check_acknowledged, come_in, still_running
from tests.torture.house import TABLES, ServedHouse, free_port

CREDIT = 1_000_000_00

Tasks = Sequence["asyncio.Task[None]"]


def _config(tables: dict[str, TableConfig]) -> HouseConfig:
    return HouseConfig(guests=True, guest_credit=CREDIT, tables=tables)


class Outcome(NamedTuple):
    """The result of a torture."""

    kills: int
    acknowledged: int
    entries: int
    rounds: int


async def torture(data: Path, database: str, *, kills: int, bots: int, seed: int = 0) -> Outcome:
    """Kills at random moments, with bots at all five games."""
    chance = Random(f"torture {seed}")
    house = ServedHouse(data, database, free_port(chance), _config(TABLES))
    house.start()
    players = await _players(house, TABLES, bots, seed)
    tasks = [asyncio.create_task(player.run()) for player in players]
    try:
        for _ in range(kills):
            await _told(_sum(players) + chance.randrange(bots), players, tasks)
            await asyncio.sleep(chance.uniform(0, 0.7))
            house.kill()
            restored, proved = house.prove()
            assert house.witness is not None
            acknowledged = check_acknowledged(players, house.witness.facts)
            house.start()
            await _same_deadlines(house, restored)
        await settle(players, tasks)
        house.kill()
        _, proved = house.prove()
        house.verify()
        assert house.witness is not None
        acknowledged = check_acknowledged(players, house.witness.facts)
        for player in players:
            stands = house.witness.balances[account("credit", player.seat.name)]
            assert player.credit == stands, f"{player.seat.name} sees {player.credit}, stored is {stands}"
        return Outcome(kills, acknowledged, proved.entries, house.witness.rounds)
    finally:
        await _end(house, tasks)


async def crowd(data: Path, database: str, *, bots: int, rounds: int) -> Outcome:
    """One table with a crowd on real sockets; killed once in the middle, and nothing is lost."""
    tables = {
        "stadium-1": TableConfig(game="stadium-blackjack", betting_seconds=8, decision_seconds=8, card_seconds=0.1)
    }
    house = ServedHouse(data, database, free_port(Random("crowd")), _config(tables))
    house.start()
    players = await _players(house, tables, bots, 0)
    tasks = [asyncio.create_task(player.run()) for player in players]
    try:
        for wanted in range(1, rounds + 1):
            await _told(wanted * bots, players, tasks)
            if wanted == rounds // 2:
                house.kill()
                house.prove()
                house.start()
        await settle(players, tasks)
        house.kill()
        _, proved = house.prove()
        house.verify()
        assert house.witness is not None
        acknowledged = check_acknowledged(players, house.witness.facts)
        return Outcome(1, acknowledged, proved.entries, house.witness.rounds)
    finally:
        await _end(house, tasks)


async def _players(house: ServedHouse, tables: dict[str, TableConfig], bots: int, seed: int) -> list[Bot]:
    """Bots at all tables in turn, as far as a table has seats."""
    seats = await come_in(house.pages, bots)
    places = {name: config.seats for name, config in tables.items()}
    taken = dict.fromkeys(places, 0)
    players = []
    for number, seat in enumerate(seats):
        free = [name for name, most in places.items() if most is None or taken[name] < most]
        table = free[number % len(free)]
        taken[table] += 1
        players.append(Bot(seat, table, f"{seed} {number}"))
    return players


def _sum(players: Sequence[Bot]) -> int:
    return sum(len(player.acknowledged) for player in players)


async def _told(things: int, players: Sequence[Bot], tasks: Tasks) -> None:
    """Waits until the bots have this many acknowledgements in all."""
    await _until(lambda: _sum(players) >= things, tasks)


async def _until(holds: Callable[[], bool], tasks: Tasks) -> None:
    while not holds():
        await still_running(tasks)
        await asyncio.sleep(0.02)


async def _same_deadlines(house: ServedHouse, restored: House) -> None:
    """TIME-1: a table whose betting is open still is open until the same moment, in the same round."""
    seats = await come_in(house.pages, 1)
    async with connect(seats[0].url, seats[0].token) as terminal:
        for name, table in restored.tables.items():
            view = await terminal.watch(name)
            assert view.round >= table.round_number
            if table.phase() == "betting" and table.deadline is not None and view.now < table.deadline:
                assert (view.round, view.deadline) == (table.round_number, table.deadline)


async def settle(players: list[Bot], tasks: Tasks) -> None:
    """Stops the betting, and waits until every round has come to its end."""
    for player in players:
        player.resting = True

    def at_rest(player: Bot) -> bool:
        seat = player.house.seat if player.house is not None and player.house.watching else None
        if seat is None or player.house is None or player.house.table.view is None:
            return False
        return seat.view is None and player.house.view.phase == "betting" and seat.round == player.house.view.round

    await _until(lambda: all(map(at_rest, players)), tasks)


async def _end(house: ServedHouse, tasks: Tasks) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if house.running:
        house.kill()
