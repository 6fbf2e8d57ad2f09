"""A campaign: batches of hostile messages against one house, each drawn from the seed, with a look at everything in between."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

import msgspec

from podium.client.door import Door, Pass
from podium.client.swarm.crowd import Crowd, Plan
from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.record.ledger import account
from podium.record.store import read_stream
from podium.server.serve import Address, close_house, open_house
from podium.server.web import AnyRoute, every_route
from tests.fuzz.claims import Claims, Found, request_claim
from tests.fuzz.http import Browser, Requests, Seen
from tests.fuzz.people import BYSTANDERS, CARDS, Desk, Persona, everybody
from tests.fuzz.wire import MESSAGES_PER_LINE, Line
from tests.server.declared import DeclaredAnswers
from tests.torture.house import PACE, TABLES, ServedHouse, free_port

GUEST_CREDIT = 1_000_000_00
LIVE = TableConfig(game="match-up-blackjack", dealer="live", betting_seconds=2, decision_seconds=2, insurance_seconds=2)
PLAYED = {name: msgspec.structs.replace(table, attendant_pays_from=0) for name, table in TABLES.items()}
CONFIG = HouseConfig(
    guests=True,
    guest_credit=GUEST_CREDIT,
    guests_at_once=400,
    tables={**PLAYED, "live-1": LIVE, "spare-1": TableConfig(game="stadium-blackjack", **PACE)},  # type: ignore[arg-type]
)
HONEST_BOTS = 15
LINES = 24
"""The number of terminals that talk at the same time."""
BROWSERS = 10
HTTP_SHARE = 0.3
"""The share of messages that go over HTTP."""
SETTLED_SECONDS = 30
"""Seconds within which an honest round must be settled while nobody sends anything else."""
MAX_GROWTH = 1.25
"""How much more memory the house may hold at the end than when a tenth was sent: it has all its caches by then."""
PAGE_CACHE_BYTES = 64 * 2**20
"""The pages of the book that SQLite keeps in memory, as it grows."""
SPARE_BYTES = 16 * 2**20
"""For what the limits in docs/limits.md let grow in the house itself: answers for terminals that may come back, players, requests.
The indexes of rounds and events are a clerk's, and have their own limits."""
LONG = 800_000
"""From so many messages on, the second half of a run shows whether memory is flat: the pages of the book in memory reach their limit
before."""
MAX_BYTES_PER_MESSAGE = 32
"""By which the house may grow in the second half of a long run, on average: 25 were measured. What still fills up then has its limits in
docs/limits.md: requests that moved money, answers for terminals that may come back, tokens, and dead objects until the next look."""


class Progress(msgspec.Struct):
    """How far a campaign has come; on disk after every batch."""

    seed: int
    sent: int = 0
    batch: int = 0
    wire: int = 0
    http: int = 0
    statuses: dict[str, int] = {}
    endings: dict[str, int] = {}
    acknowledged: int = 0
    refused: int = 0
    settled: int = 0
    """Rounds of honest bots that they played again to the same result."""
    memory: list[tuple[int, int]] = []
    """Messages sent, and the bytes that the house held then."""
    seconds: float = 0


class HonestDoor(Door):
    """Lets the honest bots in, and writes down who they are."""

    def __init__(self, address: str, claims: Claims) -> None:
        super().__init__(address)
        self._claims = claims

    async def guest(self) -> Pass:
        answered = await self._ask("POST", "/api/guest")
        self._claims.ask(("bot", msgspec.json.decode(answered[0])["name"]))
        return self._pass(answered)


class Campaign:
    """One house under attack."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self._kept = folder / "progress.json"
        found = msgspec.json.decode(self._kept.read_bytes(), type=Progress) if self._kept.exists() else None
        self.progress = found or Progress(seed)
        if self.progress.seed != seed:
            raise SystemExit(f"{folder} holds a run with the seed {self.progress.seed}.")
        data = folder / "house"
        data.mkdir(exist_ok=True)
        self.house = ServedHouse(data, "", free_port(Random(os.urandom(8))), CONFIG)
        self.claims = Claims(folder / "claims.jsonl")
        self.personas = everybody()
        self._seen = Seen()
        self._tables = [*PLAYED, "live-1"]
        self._log_read = 0

    async def run(self, messages: int, batch: int) -> Progress:
        """Sends messages in batches up to that total; then proves the house."""
        routes, answers = await routes_of_a_house()
        self._requests = Requests(routes, self._tables, self._seen)
        self._answers = answers
        self.house.start()
        try:
            async with Desk(self.house.pages) as desk, HonestDoor(self.house.pages, self.claims) as door:
                await self._open(desk)
                crowd = Crowd(
                    Plan(port=self.house.port, bots=HONEST_BOTS, seconds=10**9, tables=tuple(PLAYED), think=0.05),
                    door,
                    [card for card in await door.tables() if card.table in PLAYED],
                )
                playing = asyncio.create_task(crowd.run())
                try:
                    while self.progress.sent < messages:
                        await self._batch(desk, crowd, min(batch, messages - self.progress.sent))
                        if playing.done():
                            playing.result()
                finally:
                    crowd.stop.set()
                    await playing
                self._check_the_honest(crowd)
            self.house.kill()
            self._prove()
        finally:
            self.claims.close()
            if self.house.running:
                self.house.kill()
        return self.progress

    async def _open(self, desk: Desk) -> None:
        kept = self.folder / "terminal"
        if self.house.invitation:
            for name, amount in (CARDS | BYSTANDERS).items():
                body = {"name": name, "amount": amount}
                self.claims.ask(request_claim("carl", "/api/cashier/buy-in", body))
            await desk.found(self.house.invitation)
            kept.write_text(desk.terminal)
        desk.terminal = kept.read_text()
        for persona in self.personas:
            await desk.renew(persona)

    # --- a batch ----------------------------------------------------------------------------------------------------

    async def _batch(self, desk: Desk, crowd: Crowd, size: int) -> None:
        began, progress = monotonic(), self.progress
        seed = f"{progress.seed}.{progress.batch}"
        http = int(size * HTTP_SHARE)
        shares = [(http * (n + 1) // BROWSERS) - (http * n // BROWSERS) for n in range(BROWSERS)]
        lines = size - http
        spoken = [(lines * (n + 1) // LINES) - (lines * n // LINES) for n in range(LINES)]
        try:
            async with asyncio.TaskGroup() as tasks:
                for number, share in enumerate(shares):
                    tasks.create_task(self._browse(desk, Random(f"{seed}.http.{number}"), share))
                for number, share in enumerate(spoken):
                    tasks.create_task(self._speak(desk, Random(f"{seed}.wire.{number}"), share))
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None
        progress.batch += 1
        progress.sent += size
        progress.seconds += monotonic() - began
        await self._check(desk, crowd)
        self._kept.write_bytes(msgspec.json.encode(progress))

    async def _browse(self, desk: Desk, chance: Random, share: int) -> None:
        browser = Browser(self.house.port, self._requests, self._answers, self.claims, self._seen)
        for _ in range(share):
            persona = chance.choice(self.personas)
            status = await browser.ask(persona, self.personas, chance)
            self.progress.statuses[str(status)] = self.progress.statuses.get(str(status), 0) + 1
            if status == 401 and persona.token and chance.random() < 0.2:
                await self._come_back(desk, persona)
        browser.close()
        self.progress.http += share

    async def _speak(self, desk: Desk, chance: Random, share: int) -> None:
        left = share
        while left > 0:
            persona = chance.choice(self.personas)
            line = Line(self.house.port, persona, self.claims, self._tables, chance)
            await line.talk(self.personas, min(left, chance.randint(5, MESSAGES_PER_LINE)))
            left -= max(1, line.sent)
            self.progress.wire += line.sent
            self.progress.acknowledged += line.acknowledged
            self.progress.refused += line.refused
            code = str(line.ended)
            self.progress.endings[code] = self.progress.endings.get(code, 0) + 1
            if line.signed_out and persona.token:
                await self._come_back(desk, persona)

    async def _come_back(self, desk: Desk, persona: Persona) -> None:
        async with persona.coming_back:
            status, me, _ = await desk.attempt("/api/me", persona.token, method="GET")
            if status == 200 and me is None:
                await desk.renew(persona)

    # --- looking ----------------------------------------------------------------------------------------------------

    async def _check(self, desk: Desk, crowd: Crowd) -> None:
        """Checks that the house is well, that its log and journal report no error, and that honest people play as if
        nobody else were here."""
        progress = self.progress
        if not self.house.running:
            raise Found(f"the house has stopped: {self._log()[-3_000:]}")
        health = (await desk.ask("/api/health", method="GET"))[0]
        if not health["well"]:
            raise Found("the house is not well")
        with suppress(ValueError):
            [auditor] = [persona for persona in self.personas if persona.role == "auditor"]
            await self._come_back(desk, auditor)
            events = (await desk.ask("/api/events?kind=program-error", auditor.token, method="GET"))[0]
            if events:
                raise Found(f"the house noted its own mistakes: {events[:3]}")
        self._read_log()
        self._check_the_honest(crowd)
        await self._still_played(crowd)
        progress.settled += crowd.tally.checked
        crowd.tally.checked = 0
        progress.memory.append((progress.sent, self.house.memory))

    def _check_the_honest(self, crowd: Crowd) -> None:
        if crowd.tally.found or crowd.tally.lost:
            raise Found(f"an honest bot found {crowd.tally.findings[:3]}, and was lost by {crowd.tally.lost}")

    async def _still_played(self, crowd: Crowd) -> None:
        """Waits for an honest round, because a short batch may end before it does."""
        try:
            async with asyncio.timeout(SETTLED_SECONDS):
                while not crowd.tally.checked:
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise Found("no honest round was settled") from None

    def _log(self) -> str:
        return (self.house.data / "log").read_text()

    def _read_log(self) -> None:
        with (self.house.data / "log").open() as log:
            log.seek(self._log_read)
            for line in log:
                if "Traceback" in line or '"level":"error"' in line.replace(" ", ""):
                    raise Found(f"the log tells of a mistake: {line[:3_000]}")
            self._log_read = log.tell()

    # --- afterwards -------------------------------------------------------------------------------------------------

    def _prove(self) -> None:
        """The journal against what was asked for, the balances against the witness's own sums, and `podium verify`."""
        restored, _ = self.house.prove()
        witness = self.house.witness
        assert witness is not None
        witness.finish()
        book = self.house.book()
        try:
            moved = self.claims.check_desk(read_stream(book, "house"), GUEST_CREDIT)
        finally:
            book.close()
        asked = self.claims.asked
        bots = {claim[1] for claim in asked if claim[0] == "bot"}
        hostile = {claim[1] for claim in asked if claim[0] in ("bet", "decide", "join")}
        self.claims.check_tables(witness.facts, hostile, bots)
        for name in BYSTANDERS:
            has = sum(witness.balances[account(kind, name)] for kind in ("credit", "attendant", "debt"))
            if has != witness.fortunes[name]:
                raise Found(f"{name} has {has}, and should have {witness.fortunes[name]}")
        if not moved or restored.config.name != CONFIG.name:
            raise Found("no money moved at all: the campaign reached nothing")
        self.house.verify()
        self._check_memory()

    def _check_memory(self) -> None:
        memory = self.progress.memory
        early = [held for sent, held in memory if sent >= self.progress.sent / 10]
        if early and memory[-1][1] > early[0] * MAX_GROWTH + PAGE_CACHE_BYTES + SPARE_BYTES:
            raise Found(f"memory grew from {early[0]:,} to {memory[-1][1]:,} bytes: {json.dumps(memory)}")
        half = [held for sent, held in memory if sent >= self.progress.sent / 2]
        per_message = (memory[-1][1] - half[0]) / (self.progress.sent / 2) if half else 0
        if self.progress.sent >= LONG and per_message > MAX_BYTES_PER_MESSAGE:
            raise Found(
                f"memory still grows by {per_message:.0f} bytes a message in the second half: {json.dumps(memory)}"
            )


async def routes_of_a_house() -> tuple[list[AnyRoute], DeclaredAnswers]:
    """Every route of a house, and what they declare: an empty house is opened for a moment to list them."""
    with TemporaryDirectory() as data:
        opened = await open_house(Path(data) / "data", Address(port=0), config=HouseConfig(name="nowhere"))
        try:
            listed = every_route(opened.reception)
            return [route for routes in listed.values() for route in routes], DeclaredAnswers(opened.reception)
        finally:
            await close_house(opened)
