"""The HTTP door of a simulated house: the real routes, asked without a socket."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from podium.house import HouseConfig
from podium.server.arrivals import Arrivals
from podium.server.cookies import SESSION
from podium.server.devices import Devices
from podium.server.floor import Floor
from podium.server.tokens import Tokens
from podium.server.vigil import Vigil
from podium.server.web import Reception, application
from tests.simulator.disk import SimulatedStore
from tests.ticket_numbers import KEYS, ticket_numbers


class Desk:
    """What a browser can ask the house; nobody's password is checked, since everybody is who the token says."""

    def __init__(self, floor: Floor, admission: Any, store: SimulatedStore, entropy: Any) -> None:
        unused: Any = None
        """Enrolment stands behind routes that nobody asks for here."""
        devices = Devices(floor.house, Tokens(KEYS, entropy), entropy, floor.clock)
        signing: Any = SimpleNamespace(failing_since=None)
        vigil = Vigil(unused, floor, Path("/"), Path("simulated"), signing)
        door: Any = (floor, admission, unused, devices, unused, store, vigil, Arrivals(HouseConfig))
        reception = Reception(*door, entropy=entropy, numbers=ticket_numbers("simulated"))
        self._application = application(reception)
        self._application.freeze()

    async def get(self, token: str, address: str) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        headers = {"Host": "localhost", "Cookie": f"{SESSION}={token}"}
        request = make_mocked_request("GET", address, headers=headers, app=self._application)
        response = await self._application._handle(request)
        assert isinstance(response, web.Response)
        body = response.body
        return response.status, body if isinstance(body, bytes) else b""
