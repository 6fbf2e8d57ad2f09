"""The HTTP door of a simulated house: the real routes, asked without a socket."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
from aiohttp import StreamReader, web
from aiohttp.base_protocol import BaseProtocol
from aiohttp.test_utils import make_mocked_request

from podium.house import HouseConfig
from podium.house.reports import Records
from podium.server.arrivals import Arrivals
from podium.server.clerks.questions import Question, answered
from podium.server.clock import HouseClock
from podium.server.cookies import SESSION
from podium.server.floor import Floor
from podium.server.known import KnownTerminals
from podium.server.tokens import Tokens
from podium.server.vigil import Vigil
from podium.server.web import Reception, application
from tests.simulator.disk import SimulatedStore
from tests.ticket_numbers import KEYS, ticket_numbers


class SimulatedClerk:
    """Answers from the simulated disk what a clerk answers from the book."""

    def __init__(self, store: SimulatedStore) -> None:
        self._store = store
        self._records = Records()

    async def ask(self, question: Question, by: str) -> bytes:
        return await self._store.read(lambda book: b"".join(answered(question, book, self._records)))


class Desk:
    """What a browser can ask the house; nobody's password is checked, since everybody is who the token says."""

    def __init__(self, floor: Floor, admission: Any, store: SimulatedStore, entropy: Any, clock: HouseClock) -> None:
        unused: Any = None
        """Enrolment stands behind routes that nobody asks for here."""
        known_terminals = KnownTerminals(floor.house, Tokens(KEYS, entropy), entropy, floor.clock)
        signing: Any = SimpleNamespace(failing_since=None)
        vigil = Vigil(unused, floor, Path("/"), Path("simulated"), signing, clock)
        door: Any = (
            floor,
            admission,
            unused,
            known_terminals,
            unused,
            SimulatedClerk(store),
            vigil,
            Arrivals(HouseConfig),
        )
        reception = Reception(*door, entropy=entropy, numbers=ticket_numbers("simulated"))
        self._application = application(reception)
        self._application.freeze()

    async def get(self, token: str, address: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        headers = {"Host": "localhost", "Cookie": f"{SESSION}={token}"}
        return await self._answer(make_mocked_request("GET", address, headers=headers, app=self._application))

    async def post(self, token: str, address: str, body: dict[str, Any]) -> tuple[int, bytes]:
        """The same for something that is asked to be done."""
        headers = {"Host": "localhost", "Cookie": f"{SESSION}={token}", "Content-Type": "application/json"}
        headers |= {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
        loop = asyncio.get_running_loop()
        payload = StreamReader(BaseProtocol(loop), 2**16, loop=loop)
        payload.feed_data(msgspec.json.encode(body))
        payload.feed_eof()
        return await self._answer(
            make_mocked_request("POST", address, headers=headers, payload=payload, app=self._application)
        )

    async def _answer(self, request: web.Request) -> tuple[int, bytes]:
        response = await self._application._handle(request)
        assert isinstance(response, web.Response)
        body = response.body
        return response.status, body if isinstance(body, bytes) else b""
