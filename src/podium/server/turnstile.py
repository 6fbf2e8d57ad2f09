"""Lets requests in one at a time, so that a flood of them does not hold up those who play."""

import asyncio
from collections import deque
from typing import Final


class Turnstile:
    """One request in each turn of the event loop: between two of them everything else that is ready has its turn.

    Without it, all requests that arrive together are begun together, and the command of a player who sits at a table waits for
    all of them.
    """

    def __init__(self) -> None:
        self._waiting: Final[deque[asyncio.Future[None]]] = deque()
        self._turning = False

    async def enter(self) -> None:
        """Returns at once if nobody else came in this turn of the loop; otherwise when it is this one's turn."""
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
            if not turn.done():  # its browser may have left
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._turn)
                return
        self._turning = False
