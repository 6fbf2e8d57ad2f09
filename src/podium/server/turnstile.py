"""Lets requests in one at a time, so that a flood of them does not hold up play."""

import asyncio
from collections import deque
from typing import Final


class Turnstile:
    """Admits one request per turn of the event loop, so that everything else that is ready runs in between. Otherwise a seated
    player's command would wait for all requests that arrived together."""

    def __init__(self) -> None:
        self._waiting: Final[deque[asyncio.Future[None]]] = deque()
        self._turning = False

    async def enter(self) -> None:
        """Returns at once if nobody else came in this turn of the loop; otherwise waits for its turn."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _turn(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # its browser may be gone
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._turn)
                return
        self._turning = False
