"""Signing in over HTTP: a guest or a person gets the pass with which a terminal connects."""

import asyncio
import ssl
from random import uniform
from types import TracebackType
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import aiohttp
import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.wire.messages import TableCard

SIGN_INS_AT_ONCE: Final = 32
"""Bots that sign in at the same time; the others queue."""
TOO_MANY_REQUESTS: Final = 429
WAIT_SECONDS: Final = 5
"""Between two attempts when too many come at once, unless the house says how long to wait."""


class Pass(NamedTuple):
    """What a terminal connects with: `connect(*admitted)`."""

    url: str
    token: str


class _ChallengeBody(msgspec.Struct):
    challenge: str


class _RefusalBody(msgspec.Struct):
    why: Phrase


class Door:
    """The HTTP side of the house at an address like `http://localhost:8000`. Refusals carry the house's sentence."""

    def __init__(self, address: str, *, tls: ssl.SSLContext | None = None) -> None:
        self._address: Final = address.rstrip("/")
        self._tls: Final = tls
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Door":
        connector = aiohttp.TCPConnector(limit=SIGN_INS_AT_ONCE, ssl=self._tls or True)
        # Each bot is a different person, so cookies must not be shared.
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def tables(self) -> list[TableCard]:
        """The tables of the house."""
        body, _ = await self._ask("GET", "/api/tables")
        return msgspec.json.decode(body, type=list[TableCard])

    async def guest(self) -> Pass:
        """Comes in as a guest with play money. If too many come at once, it waits and tries again."""
        return self._pass(await self._ask("POST", "/api/guest"))

    async def sign_in(self, name: str, password: str) -> Pass:
        """Comes in by name and password, or by card number and PIN."""
        return self._pass(await self._ask("POST", "/api/sign-in", {"name": name, "password": password}))

    async def become(self, token: str, public_key: str, proof: str) -> None:
        """Becomes the enrolled terminal with this token, which proves itself by a key from then on."""
        await self._ask("POST", "/api/terminals/here", {"token": token, "public_key": public_key, "proof": proof})

    async def challenge(self) -> str:
        """The challenge for the next proof of a known terminal."""
        body, _ = await self._ask("GET", "/api/terminals/challenge")
        return msgspec.json.decode(body, type=_ChallengeBody).challenge

    def _pass(self, answered: tuple[bytes, str]) -> Pass:
        address = urlsplit(self._address)
        return Pass(f"{'wss' if address.scheme == 'https' else 'ws'}://{address.netloc}/ws", answered[1])

    async def _ask(self, method: str, path: str, body: Any = None) -> tuple[bytes, str]:
        """The body of the answer, and the token in the cookie that came with it."""
        assert self._session is not None
        while True:
            try:
                async with self._session.request(method, f"{self._address}{path}", json=body) as answer:
                    said = await answer.read()
                    if answer.status < 400:
                        return said, next((morsel.value for morsel in answer.cookies.values()), "")
                    if answer.status != TOO_MANY_REQUESTS:
                        raise _refusal(said) or Refused("house-answers", method=method, path=path, status=answer.status)
                    wait = answer.headers.get("Retry-After", "")
            except aiohttp.ClientError as error:
                raise Refused("no-house", address=self._address, error=str(error)) from None
            await asyncio.sleep(uniform(0.5, 1) * (int(wait) if wait.isdecimal() else WAIT_SECONDS))


def _refusal(body: bytes) -> Refused | None:
    try:
        return Refused.saying(msgspec.json.decode(body, type=_RefusalBody).why)
    except msgspec.MsgspecError:
        return None


english(
    "refused",
    {
        "house-answers": "{method} {path}: the house answers {status}.",
        "no-house": "No house answers at {address}: {error}. Start one with: podium serve",
    },
)
