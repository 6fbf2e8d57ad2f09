"""Everybody who sends something, and how they come in."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any

import aiohttp

PASSWORD = "correct horse battery"
PIN = "2580"
STAFF = {
    "aud": "auditor",
    "sue": "supervisor",
    "dana": "dealer",
    "dick": "dealer",
    "carl": "cashier",
    "cora": "cashier",
    "hal": "host",
}
CARDS = {"ann": 250_000, "bob": 250_000, "cleo": 5_000}
"""Players with a card, and what they bought in for."""
BYSTANDERS = {"bea": 70_000, "ben": 123_456}
"""Players with money who are absent: only a cashier may touch their credit."""
GUESTS = 8
OPERATOR = "operator"
FULL = 429


@dataclass
class Persona:
    """Somebody who sends hostile messages, under a name of their own or under none."""

    name: str
    role: str
    token: str = ""
    keys: list[str] = field(default_factory=list)
    """Idempotency keys that were used."""
    history: list[bytes] = field(default_factory=list)
    """Messages that were sent."""
    coming_back: asyncio.Lock = field(default_factory=asyncio.Lock)

    def remember(self, chance: Random, message: bytes) -> None:
        if len(self.history) < 50:
            self.history.append(message)
        else:
            self.history[chance.randrange(50)] = message


class Desk:
    """Honest requests: signing in, enrolling, paying in."""

    def __init__(self, pages: str) -> None:
        self.pages = pages
        self.terminal = ""
        """The token of an enrolled terminal: a stranger's wrong passwords lock nobody out there."""
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Desk":
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._session is not None
        await self._session.close()

    async def ask(self, path: str, session: str = "", /, *, method: str = "POST", **body: Any) -> tuple[Any, str]:
        """The answer of a request that must be granted, and the token that came with it."""
        status, said, given = await self.attempt(path, session, method=method, **body)
        assert status == 200, (path, status, said)
        return said, given

    async def attempt(
        self, path: str, session: str = "", /, *, method: str = "POST", **body: Any
    ) -> tuple[int, Any, str]:
        assert self._session is not None
        cookies = {"podium": session} | ({"podium-terminal": self.terminal} if self.terminal else {})
        sent = body if method == "POST" else None
        async with self._session.request(method, self.pages + path, cookies=cookies, json=sent) as answer:
            said = await answer.json()
            return answer.status, said, answer.cookies["podium"].value if "podium" in answer.cookies else ""

    async def sign_in(self, name: str) -> str:
        password = PIN if name in CARDS or name in BYSTANDERS else PASSWORD
        return (await self.ask("/api/sign-in", name=name, password=password))[1]

    async def found(self, link: str) -> None:
        """The people of a new house, with their money."""
        token = (await self.ask("/api/invitations", token=link.partition("#")[2], password=PASSWORD))[1]
        second = ""
        for name, role in (STAFF | dict.fromkeys([*CARDS, *BYSTANDERS], "player")).items():
            person = {"name": name, "role": role}
            status, said, _ = await self.attempt("/api/people", token, **person)
            if status != 200:  # a role that checks others, and there is somebody to ask
                assert said["why"]["key"] == "refused.approval-waits", said
                [waiting] = (await self.ask("/api/approvals", second, method="GET"))[0]
                await self.ask(f"/api/approvals/{waiting['key']}", second, accept=True)
                said = (await self.ask("/api/people", token, **person))[0]
            chosen = PIN if role == "player" else PASSWORD
            own = (await self.ask("/api/invitations", token=said["invitation"].partition("#")[2], password=chosen))[1]
            second = second or own
        self.terminal = (await self.ask("/api/terminals", token, name="desk-1"))[0]["token"]
        till = await self.sign_in("carl")
        for name, amount in (CARDS | BYSTANDERS).items():
            await self.ask("/api/cashier/buy-in", till, name=name, amount=amount)

    async def renew(self, persona: Persona) -> None:
        """A session for somebody who has none, or had one that ended."""
        if persona.role in ("stranger", "display"):
            return
        if persona.role == "guest":
            status, said, token = await self.attempt("/api/guest")
            if status == FULL:  # with guests who came before: this one stays out for a while
                return
            assert status == 200, said
            persona.name, persona.token = said["name"], token
        else:
            password = PIN if persona.role == "player" else PASSWORD
            status, said, token = await self.attempt("/api/sign-in", name=persona.name, password=password)
            if status == FULL:  # so many tried wrong passwords from here that nobody may try for a minute
                return
            if status != 200:  # whoever chose not to play stays out (PROT-1)
                assert said["why"]["key"] == "refused.excluded-self", said
                return
            persona.token = token


def everybody() -> list[Persona]:
    """Strangers, displays, guests, players with a card and every role of the staff."""
    return [
        Persona("", "stranger"),
        Persona("", "display"),
        *(Persona("", "guest") for _ in range(GUESTS)),
        *(Persona(name, "player") for name in CARDS),
        *(Persona(name, role) for name, role in STAFF.items()),
        Persona(OPERATOR, "operator"),
    ]
