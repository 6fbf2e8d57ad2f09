"""The whole evening: a house with live tables, its people, and the proof afterwards."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp
from msgspec.structs import replace

from podium.basics.refusal import Refused
from podium.client import Client, Turn, connect
from podium.client.swarm.strategies import anything, at_random
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.rules.games import game
from tests.evening.dealer import Dealer
from tests.fuzz.people import PASSWORD, Desk
from tests.oracle import settle
from tests.torture.bots import PATIENCE, Seat, come_in
from tests.torture.house import ServedHouse, free_port

LIVE: Final = TableConfig(
    game="stadium-blackjack",
    dealer="live",
    betting_seconds=5,
    insurance_seconds=2,
    decision_seconds=2,
    absent_seconds=0.5,
    result_seconds=0,
)
LIMITS: Final = {"limits": {"blackjack": [500, 50_000]}, "chip": 100}
TABLES: Final = {
    "stadium": replace(LIVE, options=LIMITS, burn_cards=1),
    "dynasty": replace(LIVE, game="dynasty-blackjack", options=LIMITS, shuffler="continuous"),
    "mega": replace(LIVE, game="mega-blackjack", options=LIMITS, after_correction="ask-affected"),
    "match": replace(LIVE, game="match-up-blackjack"),
    "three": replace(LIVE, game="stadium-three-card-poker"),
}
SUPERVISOR: Final = "sue"
AUDITOR: Final = "aud"
PLAYERS_AT_A_TABLE: Final = 4
OK, UNKNOWN, TOO_MANY = 200, 404, 429
SLEEPS: Final = 0.05
"""How often a player lets the time run out."""


@dataclass
class Evening:
    """What happened, and what was found wrong."""

    rounds: int = 0
    seats: int = 0
    voided: int = 0
    kills: int = 0
    approved: int = 0
    mistakes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


async def evening(data: Path, *, rounds: int, kills: int, seed: int, errs: float = 0.08) -> Evening:
    """Plays this many rounds at each table, with this many kills on the way; recalls and settles every one of them."""
    chance = Random(seed)
    config = HouseConfig(name="An evening", guests=True, tables=TABLES)
    house = ServedHouse(data, "", free_port(chance), config)
    house.start()
    dealers = [
        Dealer(table, game(each.game).rules.decks, f"{seed} {table}", errs=errs) for table, each in TABLES.items()
    ]
    played = Evening()
    try:
        async with Desk(house.pages) as desk:
            await desk.found(house.invitation)
            tasks = [asyncio.create_task(_supervise(desk, played))]
            tasks += [
                asyncio.create_task(_deal(house, await _own_table(desk, number), dealer))
                for number, dealer in enumerate(dealers)
            ]
            for table in TABLES:
                for number in range(PLAYERS_AT_A_TABLE):
                    tasks.append(asyncio.create_task(_play(house, table, Random(f"{seed} {table} {number}"))))
            await _watch_over(house, dealers, tasks, played, rounds=rounds, kills=kills, chance=chance)
            await _prove(desk, dealers, played)
    finally:
        if house.running:
            house.kill()
    house.verify()
    for dealer in dealers:
        played.mistakes += dealer.mistakes
        played.refused += dealer.refused
    return played


# --- the people -------------------------------------------------------------------------------------------------------


async def _own_table(desk: Desk, number: int) -> str:
    """The session of a dealer of that table."""
    name = f"dealer-{number + 1}"
    operator = (await desk.ask("/api/sign-in", name="operator", password=PASSWORD))[1]
    said = (await desk.ask("/api/people", operator, name=name, role="dealer"))[0]
    return (await desk.ask("/api/invitations", token=said["invitation"].partition("#")[2], password=PASSWORD))[1]


async def _deal(house: ServedHouse, token: str, dealer: Dealer) -> None:
    async with connect(f"{house.pages.replace('http', 'ws')}/ws", token, patience=PATIENCE) as client:
        await dealer.run(client)


async def _play(house: ServedHouse, table: str, chance: Random) -> None:
    """Guests who bet anything and answer anything, or now and then nothing; when one has lost everything, another one
    comes."""
    while True:
        with suppress(OSError, aiohttp.ClientError):  # the house is away
            [guest] = await come_in(house.pages, 1)
            await _play_as(guest, table, chance)
        await asyncio.sleep(0.2)


async def _play_as(guest: Seat, table: str, chance: Random) -> None:
    async with connect(guest.url, guest.token, patience=PATIENCE) as client:
        await client.watch(table)
        await client.join()
        if client.rules is not None and client.rules.boxes > 1:
            await client.join(box=2)
        async for turn in client.turns():
            with suppress(Refused):  # too late, or too little credit: nothing was staked
                if not await _take(client, turn, chance):
                    await client.leave()
                    return


async def _take(client: Client, turn: Turn, chance: Random) -> bool:
    """Takes a turn; returns False if the credit is not enough to play on."""
    await asyncio.sleep(chance.uniform(0, 0.05))
    if turn.question is not None:
        decision = at_random(turn, chance)
        if decision is not None and chance.random() >= SLEEPS:
            await client.decide(decision, box=turn.box)
    elif client.rules is not None:
        stakes = anything(client.rules, turn.seat.credit, chance)
        if stakes is None:
            return False
        await client.bet(stakes.wagers, for_dealer=stakes.for_dealer, spots=stakes.spots, box=turn.box)
    return True


async def _supervise(desk: Desk, played: Evening) -> None:
    """Accepts whatever waits, like a supervisor at the tables."""
    token = await desk.sign_in(SUPERVISOR)
    while True:
        await asyncio.sleep(0.1)
        with suppress(OSError, AssertionError):  # the house is away, or somebody withdrew the request
            for waiting in (await desk.ask("/api/approvals", token, method="GET"))[0]:
                await desk.ask(f"/api/approvals/{waiting['key']}", token, accept=True)
                played.approved += 1


async def _watch_over(
    house: ServedHouse,
    dealers: list[Dealer],
    tasks: list["asyncio.Task[None]"],
    played: Evening,
    *,
    rounds: int,
    kills: int,
    chance: Random,
) -> None:
    """Waits until every table has its rounds; kills the house on the way."""
    moments = sorted(chance.randrange(1, rounds * len(dealers)) for _ in range(kills))
    try:
        while min(len(dealer.ended) for dealer in dealers) < rounds:
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done():
                    task.result()
            if moments and sum(len(dealer.ended) for dealer in dealers) >= moments[0]:
                moments.pop(0)
                house.kill()
                house.start()
                played.kills += 1
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# --- the proof --------------------------------------------------------------------------------------------------------


async def _prove(desk: Desk, dealers: list[Dealer], played: Evening) -> None:
    """Recalls every round, and settles it a second time from the cards that really lay on the table."""
    token = await desk.sign_in(AUDITOR)
    for dealer in dealers:
        for number in sorted(dealer.dealt):
            said = await _recall(desk, token, dealer.table, number)
            if said:
                played.findings += _compare(dealer, number, said[0]["record"], played)
            elif dealer.dealt[number]:
                played.findings.append(f"{dealer.table} {number}: dealt, and not recalled")


async def _recall(desk: Desk, token: str, table: str, number: int) -> list[dict[str, Any]]:
    """The round of that number, once for each player; empty where nobody bet."""
    while True:
        status, said, _ = await desk.attempt(f"/api/recall?table={table}&round={number}", token, method="GET")
        if status == OK:
            return list(said)
        if status == UNKNOWN:
            return []
        assert status == TOO_MANY, said
        await asyncio.sleep(1)


def _compare(dealer: Dealer, number: int, record: dict[str, Any], played: Evening) -> Iterator[str]:
    where = f"{dealer.table} {number}"
    if record["difference"]:
        yield f"{where}, {record['status']}: {record['difference']}"
    if record["status"] == "void":
        played.voided += 1
        for player in record["players"]:
            if player["credit_before"] != player["credit_after"]:
                yield f"{where}: void, and {player['player']} has {player['credit_after']}, not {player['credit_before']}"
    if record["status"] not in ("settled", "corrected"):
        return
    dealt, recalled = dealer.dealt[number], record["cards"].split()
    if any(code not in (known, "unknown") for known, code in zip(dealt, recalled, strict=False)) or len(recalled) > len(
        dealt
    ):
        yield f"{where}: dealt {' '.join(dealt)}, recalled {record['cards']}"
        return
    played.rounds += 1
    seats = sorted(record["players"], key=lambda player: player["seat"])
    played.seats += len(seats)
    script = {
        "game": record["game"],
        "options": {key: value for key, value in TABLES[dealer.table].options.items() if key not in ("limits", "chip")},
        "cards": " ".join(dealt),
        "players": [
            {
                "name": f"seat-{player['seat']}",
                "wagers": player.get("wagers", {}),
                "for_dealer": player.get("for_dealer", {}),
                "decisions": [decision for decision, _ in player.get("decisions", [])],
            }
            | ({"spots": player["spots"]} if player.get("spots") else {})
            for player in seats
        ],
    }
    settled = settle(script)
    for player, again in zip(seats, settled["players"], strict=True):
        for figure in ("staked", "returned", "net"):
            if player[figure] != again[figure]:
                yield f"{where} seat {player['seat']}: {figure} {player[figure]}, the oracle has {again[figure]}"
        if player["credit_after"] - player["credit_before"] + player.get("held", 0) != again["net"]:
            moved = player["credit_after"] - player["credit_before"]
            yield f"{where} seat {player['seat']}: the credit moved by {moved}, the oracle has {again['net']}"
