"""The way in: a guest's credit, and the address of a terminal's WebSocket."""

from types import TracebackType
from typing import Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

import aiohttp
import msgspec

from podium.basics.refusal import Refused
from podium.basics.words import Phrase, english
from podium.wire.messages import TableCard

SIGN_INS_AT_ONCE: Final = 32
"""Bots that sign in at the same time; the others queue."""


class Pass(NamedTuple):
    """What a bot connects with."""

    url: str
    token: str


class _Terminal(msgspec.Struct):
    socket: str


class _Refusal(msgspec.Struct):
    why: Phrase


class Door:
    """The HTTP side of a house. Refusals carry the house's sentence."""

    def __init__(self, host: str, port: int) -> None:
        self._address: Final = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Door":
        connector = aiohttp.TCPConnector(limit=SIGN_INS_AT_ONCE)
        # Each bot is a different guest, so cookies must not be shared.
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def tables(self) -> list[TableCard]:
        body, _ = await self._ask("GET", "/api/tables")
        return msgspec.json.decode(body, type=list[TableCard])

    async def guest(self) -> Pass:
        """Come in as a guest with play money."""
        _, cookie = await self._ask("POST", "/api/guest")
        body, _ = await self._ask("GET", "/api/terminal?as=player", cookie)
        address = urlsplit(msgspec.json.decode(body, type=_Terminal).socket)
        return Pass(f"{address.scheme}://{address.netloc}{address.path}", parse_qs(address.query)["token"][0])

    async def _ask(self, method: str, path: str, cookie: str = "") -> tuple[bytes, str]:
        """The body of the answer, and the cookie that came with it."""
        assert self._session is not None
        headers = {"Cookie": cookie} if cookie else {}
        try:
            async with self._session.request(method, f"{self._address}{path}", headers=headers) as answer:
                body = await answer.read()
                if answer.status >= 400:
                    raise _refusal(body) or Refused("house-answers", method=method, path=path, status=answer.status)
                return body, "; ".join(f"{name}={morsel.value}" for name, morsel in answer.cookies.items())
        except aiohttp.ClientError as error:
            raise Refused("no-house", address=self._address, error=str(error)) from None


def _refusal(body: bytes) -> Refused | None:
    try:
        return Refused.saying(msgspec.json.decode(body, type=_Refusal).why)
    except msgspec.MsgspecError:
        return None


english(
    "refused",
    {
        "house-answers": "{method} {path}: the house answers {status}.",
        "no-house": "No house answers at {address}: {error}. Start one with: podium serve",
    },
)
