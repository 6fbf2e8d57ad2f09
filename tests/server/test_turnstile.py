"""A flood of requests does not hold up those who play: one request begins in each turn of the event loop."""

import asyncio

from podium.server.turnstile import Turnstile
from tests.terminal import on_a_loop


@on_a_loop
async def test_something_else_has_its_turn_between_two_requests() -> None:
    turnstile, order = Turnstile(), list[str]()

    async def request() -> None:
        await turnstile.enter()
        order.append("request")

    async def player() -> None:
        for _ in range(8):
            order.append("player")
            await asyncio.sleep(0)

    await asyncio.gather(*(request() for _ in range(6)), player())
    assert order.count("request") == 6
    assert "request request" not in " ".join(order[:12]), order


@on_a_loop
async def test_who_leaves_does_not_hold_up_the_others() -> None:
    turnstile = Turnstile()
    tasks = [asyncio.create_task(turnstile.enter()) for _ in range(20)]
    await asyncio.sleep(0)
    for task in tasks[1:15]:
        task.cancel()
    async with asyncio.timeout(5):
        await asyncio.gather(*tasks, return_exceptions=True)
        await turnstile.enter()
    assert [task.cancelled() for task in tasks] == [False] + [True] * 14 + [False] * 5
