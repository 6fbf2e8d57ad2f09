"""Plays one round at a real house on this machine, and writes every message of it to docs/examples/conversation.jsonl.

The house's clock stands still and its randomness repeats, so that the same program gives the same file.

python scripts/conversation.py            write the file
python scripts/conversation.py --print    print it, and write nothing
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import structlog

from podium.house import HouseConfig
from podium.house.table import TableConfig
from podium.record.fair import Entropy
from podium.server.clock import HouseClock
from podium.server.serve import Address, close_house, open_house

FILE = Path(__file__).resolve().parent.parent / "docs" / "examples" / "conversation.jsonl"
NOW = 1_767_225_600_000
"""The first moment of 2026 by UTC."""
TABLE = "blackjack-1"
STAKE = 500
QUICK = TableConfig(
    game="stadium-blackjack",
    options={"limits": {"blackjack": [500, 50_000]}, "chip": 100},
    close_betting_early=True,
    result_seconds=60,
    card_seconds=0,
    shuffle_seconds=0,
)
"""Betting ends when everybody has bet, and cards follow each other at once: no message waits for time to pass."""

Step = dict[str, Any]


class Terminal:
    """A terminal that notes what it says and hears."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = count(1)
        self.steps: list[Step] = []

    async def say(self, do: str, **fields: Any) -> None:
        command = {"do": do, "id": next(self._ids), **fields}
        self.steps.append({"from": "terminal", "message": command})
        await self._socket.send_json(command)

    async def hear(self, until: Callable[[Step], bool]) -> Step:
        """Notes messages until the one that is waited for, which it returns."""
        while True:
            message: Step = await self._socket.receive_json(timeout=30)
            self.steps.append({"from": "house", "message": message})
            if until(message):
                return message

    async def play(self) -> None:
        """Watches the table, joins it, bets in the first round, and stands at every question until it is over."""
        await self.hear(_is("welcome"))
        await self.say("watch", table=TABLE)
        await self.hear(_is("seat"))
        await self.say("join")
        seat = await self.hear(lambda message: message["is"] == "seat" and message["seat"] is not None)
        await self.say("bet", round=seat["round"], wagers={"blackjack": STAKE})
        while True:
            seat = await self.hear(lambda message: message["is"] == "seat" and bool(_to_do(message)))
            view = seat["view"]
            if "settled" in view:
                return
            answer = "decline" if view["question"]["about"] == "insurance" else "stand"
            # `step` is left out for 0 in both directions.
            step = {"step": view["step"]} if "step" in view else {}
            await self.say("decide", round=seat["round"], **step, decision=answer)


def _is(kind: str) -> Callable[[Step], bool]:
    return lambda message: message["is"] == kind


def _to_do(seat: Step) -> Any:
    view = seat.get("view", {})
    return view.get("question") or view.get("settled")


def repeatable(name: str) -> Entropy:
    """Bytes that depend on nothing but the name and how many were drawn before."""
    drawn = count()

    def entropy(length: int) -> bytes:
        blocks = [sha256(f"{name} {next(drawn)}".encode()).digest() for _ in range(-(-length // 32))]
        return b"".join(blocks)[:length]

    return entropy


async def conversation() -> list[Step]:
    """The way in over HTTP, then the round over the socket."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("warning"))
    config = HouseConfig(name="The house of the page", guests=True, tables={TABLE: QUICK})
    with TemporaryDirectory() as data:
        opened = await open_house(
            Path(data) / "data",
            Address(port=0),
            config=config,
            clock=HouseClock(lambda: NOW, lambda: 0),
            entropy=repeatable("conversation"),
        )
        running = asyncio.create_task(opened.floor.run())
        try:
            while opened.house.table(TABLE).phase() != "betting":
                await asyncio.sleep(0.01)
            return await _conversation(f"http://127.0.0.1:{opened.port}")
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await close_house(opened)


async def _conversation(address: str) -> list[Step]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        async with session.post(f"{address}/api/guest") as answer:
            person = await answer.json()
            cookie = answer.cookies["podium"].value
        steps: list[Step] = [
            {"from": "terminal", "request": "POST /api/guest"},
            {"from": "house", "status": answer.status, "cookie": f"podium={cookie}", "body": person},
            {"from": "terminal", "request": "GET /ws?tab=a1b2c3d4", "cookie": f"podium={cookie}"},
        ]
        headers = {"Cookie": f"podium={cookie}"}
        async with session.ws_connect(f"{address}/ws?tab=a1b2c3d4", headers=headers) as socket:
            terminal = Terminal(socket)
            await terminal.play()
        for step in terminal.steps:
            # The rules of play in words are long, and the same as `podium rules` prints.
            if "chapters" in step.get("message", {}):
                step["message"]["chapters"] = []
        return [*steps, *terminal.steps]


def text() -> str:
    """One line for each message."""
    return "".join(f"{json.dumps(step, ensure_ascii=False)}\n" for step in asyncio.run(conversation()))


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--print", action="store_true", help="print it, and write nothing")
    if options.parse_args().print:
        sys.stdout.write(text())
    else:
        FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
