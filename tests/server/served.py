"""A real house on loopback for tests: real pages, sockets, store and passwords, and a clock that a test can move on."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from aiohttp import ClientSession, CookieJar
from argon2 import PasswordHasher

from podium.basics.words import Phrase
from podium.client import Client, connect
from podium.house import HouseConfig
from podium.house.events import Noted
from podium.house.people import ROLES, Passwords, checks
from podium.house.table import TableConfig
from podium.server.clock import HouseClock, elapsed, system_clock
from podium.server.podium import Work
from podium.server.serve import Address, Open, close_house, open_house
from podium.server.theory import Theory
from tests.history import notes_of
from tests.server.declared import DeclaredAnswers

PASSWORD = "correct horse battery"
PIN = "2580"
QUICK = TableConfig(
    game="stadium-blackjack",
    options={"limits": {"blackjack": [100, 100_000]}, "dealer_wagers": True},
    betting_seconds=60,
    close_betting_early=True,
    insurance_seconds=60,
    decision_seconds=60,
    result_seconds=60,
    card_seconds=0,
    shuffle_seconds=0,
)
"""Nothing here depends on how fast a test is: betting closes when all have bet, and a test moves the clock itself."""
CONFIG = HouseConfig(name="Test house", guests=True, tables={"t1": QUICK})
CHECKING = [role for role in ROLES if checks(role)]
EASY = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Said(NamedTuple):
    """What the house answered."""

    status: int
    body: Any

    @property
    def reason(self) -> str:
        """The sentence of a refusal. Nothing else comes with it but the phrase that it says."""
        assert set(self.body) == {"reason", "why"}, self.body
        text: str = self.body["reason"]
        assert text == str(msgspec.convert(self.body["why"], Phrase))
        assert "Traceback" not in text
        assert text.endswith("."), text
        return text


class Browser:
    """Somebody's browser, with its own cookies."""

    def __init__(self, session: ClientSession, base: str, answers: DeclaredAnswers) -> None:
        self._session = session
        self.base = base
        self._answers = answers

    async def ask(self, method: str, path: str, **more: Any) -> Said:
        """Asks the house. Every JSON answer must be the one that its route declares."""
        async with self._session.request(method, self.base + path, **more) as response:
            if "json" not in response.headers.get("Content-Type", ""):
                return Said(response.status, await response.text())
            self._answers.check(method, path, response.status, await response.read())
            return Said(response.status, await response.json())

    async def get(self, path: str, **query: str | int) -> Said:
        return await self.ask("GET", path, params=query)

    async def post(self, path: str, key: str | None = None, **body: Any) -> Said:
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self.ask("POST", path, json=body, headers=headers)

    async def done(self, path: str, key: str | None = None, **body: Any) -> Any:
        """Asks for something that must be granted."""
        said = await self.post(path, key, **body)
        assert said.status == 200, said
        return said.body

    async def done_with(self, second: "Browser", path: str, key: str | None = None, **body: Any) -> Any:
        """Asks for something that a second person must approve: it waits, is accepted on that person's screen, and is done."""
        said = await self.post(path, key, **body)
        assert said.body["why"]["key"] == "refused.approval-waits", said
        await second.accept()
        return await self.done(path, key, **body)

    async def accept(self, *, accept: bool = True) -> Any:
        """Accepts what was asked for last."""
        waiting = (await self.get("/api/approvals")).body
        return await self.done(f"/api/approvals/{waiting[-1]['key']}", accept=accept)

    async def code(self) -> str:
        """A code for what was asked for last."""
        waiting = (await self.get("/api/approvals")).body
        return str((await self.done(f"/api/approvals/{waiting[-1]['key']}/code"))["code"])

    async def terminal(self, **options: Any) -> Client:
        """This browser's terminal, not yet connected."""
        said = await self.get("/api/terminal")
        assert said.status == 200, said
        return connect(f"{self.base.replace('http', 'ws')}{said.body['socket']}", self.token, **options)

    @property
    def token(self) -> str:
        """What the cookie holds by which this browser is signed in."""
        [cookie] = [cookie for cookie in self._session.cookie_jar if cookie.key in ("podium", "__Host-podium")]
        return cookie.value


class Served:
    """A house that is served."""

    def __init__(
        self, data: Path, config: HouseConfig | None, *, database: str = "", hasher: PasswordHasher = EASY
    ) -> None:
        self.data = data
        self.config: HouseConfig | None = config
        """None for a house that is there already."""
        self.database = database
        self.address = Address(port=0)
        self._hasher = hasher
        self.opened: Open | None = None
        self.later = 0
        """Milliseconds that have passed for the test alone."""
        self.set_by = 0
        """Milliseconds by which somebody has set the system's clock."""
        self.theory: Theory | None = None
        self._running: asyncio.Task[None] | None = None
        self._sessions: list[ClientSession] = []
        self.second: Browser | None = None
        """Who was let in by the operator alone, and approves whoever else gets a role that checks."""

    @property
    def house(self) -> Any:
        assert self.opened is not None
        return self.opened.house

    async def notes(self) -> list[Noted]:
        """What the journal has noted."""
        assert self.opened is not None
        return await self.opened.store.read(notes_of)

    def clock(self) -> int:
        """The system's time, as it is set."""
        return system_clock() + self.later + self.set_by

    def pass_time(self, milliseconds: int) -> None:
        """Lets time pass, and lets every table see that it did."""
        assert self.opened is not None
        self.later += milliseconds
        for podium in self.opened.floor.podiums.values():
            podium.put(Work(lambda now: None, lambda result: None, lambda refusal: None))

    async def open(self) -> None:
        self.opened = await open_house(
            self.data,
            self.address,
            config=self.config,
            database=self.database,
            passwords=Passwords(os.urandom, self._hasher),
            clock=HouseClock(self.clock, lambda: elapsed() + self.later),
            theory=self.theory,
        )
        self._running = asyncio.create_task(self.opened.floor.run())
        self.config = None

    async def close(self) -> None:
        assert self.opened is not None
        assert self._running is not None
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        await close_house(self.opened)

    async def restart(self) -> None:
        await self.close()
        await self.open()

    async def leave(self) -> None:
        for session in self._sessions:
            await session.close()
        await self.close()

    async def browser(self) -> Browser:
        session = ClientSession(cookie_jar=CookieJar(unsafe=True))
        self._sessions.append(session)
        return self._at(session)

    def moved(self, browser: Browser) -> Browser:
        """The same browser at the address that the house has after a restart."""
        return self._at(browser._session)

    def _at(self, session: ClientSession) -> Browser:
        assert self.opened is not None
        return Browser(session, f"http://127.0.0.1:{self.opened.port}", DeclaredAnswers(self.opened.reception))

    async def operator(self) -> Browser:
        """The first operator, who came by the link that the house printed."""
        assert self.opened is not None
        assert self.opened.invitation is not None
        browser = await self.browser()
        token = self.opened.invitation.partition("#")[2]
        await browser.done("/api/invitations", token=token, password=PASSWORD)
        return browser

    async def staff(self, operator: Browser, role: str, name: str = "") -> Browser:
        """Somebody whom the operator enrols, signed in."""
        asked = {"name": name or f"{role}-1", "role": role}
        if role in CHECKING and self.second is not None:
            enrolled = await operator.done_with(self.second, "/api/people", **asked)
        else:
            enrolled = await operator.done("/api/people", **asked)
        browser = await self.browser()
        token = enrolled["invitation"].partition("#")[2]
        await browser.done("/api/invitations", token=token, password=PIN if role == "player" else PASSWORD)
        if role in CHECKING and self.second is None:
            self.second = browser
        return browser

    async def guest(self) -> tuple[Browser, str]:
        browser = await self.browser()
        return browser, (await browser.done("/api/guest"))["name"]


async def until(terminal: Client, so: Callable[[], bool]) -> None:
    """Waits until the terminal has been shown that it is so."""
    while not so():
        await terminal.changed()


async def play(terminal: Client, wagers: dict[str, int], over: Callable[[], bool], **more: Any) -> None:
    """Bets in every round and makes the simplest decision each time, until the round is over."""
    answered: tuple[str, int, int, int, int | None] | None = None
    while not over():
        seen = terminal.changes
        turn = terminal.turn()
        if turn is None or turn.key == answered:
            await terminal.changed(since=seen)
            continue
        answered = turn.key
        if turn.question is None:
            await terminal.bet(wagers, **more)
        else:
            allowed = turn.question.allowed
            await terminal.decide(next(each for each in ("decline", "stand", "fold") if each in allowed))


@asynccontextmanager
async def a_house(data: Path, config: HouseConfig = CONFIG) -> AsyncIterator[Served]:
    served = Served(data, config)
    await served.open()
    try:
        yield served
    finally:
        await served.leave()
