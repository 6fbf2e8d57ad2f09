"""A scripted house: it answers a client over a real WebSocket, and the test decides what goes wrong."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiohttp import web

from podium.basics.words import Phrase
from podium.client import Client, connect
from podium.house.table.phase import Phase
from podium.play.views import Layout, QuestionView, SeatView
from podium.server.gateway import Connection, Gateway, picows
from podium.wire.codes import CloseCode
from podium.wire.commands import AnyCommand, Decide, Join, NewGame, Ping, PlaceBet, Watch
from podium.wire.messages import Acknowledged, Message, Refusal, Seated, TableView, Welcome

Answer = Acknowledged | Refusal


def refusal(command: AnyCommand, why: Phrase, *, later: bool = False) -> Refusal:
    return Refusal(id=command.id, reason=str(why), why=why, later=later)


class Scripted:
    """A house with one table, whose every misfortune is in the script."""

    def __init__(self) -> None:
        self.lines: list[Connection] = []
        self.tokens: list[str] = []
        self.commands: list[AnyCommand] = []
        self.done: Counter[str] = Counter()
        """What was carried out, and how often."""
        self.mishap: Callable[[Connection, AnyCommand], bool] = lambda connection, command: False
        """Whether the answer to a command is not sent; it may do worse."""
        self.greeting: Callable[[Connection], bool] = lambda connection: False
        """Whether a terminal that connects is not said welcome."""
        self.number = 0
        self.round = 1
        self.step = 0
        self.deadline: int | None = None
        self.phase: Phase = "waiting"
        self.staked: dict[str, int] = {}
        self.asks: dict[str, tuple[int, int]] = {}
        self.seated: int | None = None
        self._answers: dict[tuple[str, int], Answer] = {}
        self._gateway: Gateway | None = None

    # --- the desk of the gateway

    def opened(self, connection: Connection) -> None:
        self.lines.append(connection)
        self.tokens.append(connection.token)
        if not self.greeting(connection):
            self.send(Welcome(name="ann", role="player", now=1, version="1", tables=[]), connection)

    def heard(self, connection: Connection, message: bytes) -> None:
        command = msgspec.json.decode(message, type=AnyCommand)
        self.commands.append(command)
        key = (connection.token, command.id)
        if key not in self._answers:
            self._answers[key] = self._carry_out(command)
        if not self.mishap(connection, command):
            self.send(self._answers[key], connection)
            if isinstance(command, Watch):
                self.send(self.view(), connection)
                self.send(self.seat(), connection)

    def closed(self, connection: Connection) -> None:
        self.lines.remove(connection)

    def _carry_out(self, command: AnyCommand) -> Answer:
        match command:
            case Watch(table="t1") | Ping() | NewGame():
                pass
            case Watch():
                return refusal(command, Phrase("refused.no-tables"))
            case Join():
                self.seated = 4
            case PlaceBet():
                if self.phase != "betting" or command.round != self.round:
                    return refusal(command, Phrase("refused.bets-over", clause="GAME-2"))
                self.staked = command.wagers
            case Decide():
                self.asks = {}
                self.step += 1
            case _:
                return refusal(command, Phrase("refused.not-done-at-table"))
        self.done[type(command).__name__] += 1
        return Acknowledged(id=command.id, now=1_000, seat=self.seated)

    # --- what the script lets happen

    def send(self, message: Message, connection: Connection) -> None:
        connection.send(msgspec.json.encode(message))

    def everybody(self, message: Message) -> None:
        for line in self.lines:
            self.send(message, line)

    def view(self) -> TableView:
        self.number += 1
        return TableView(
            table="t1",
            number=self.number,
            now=1,
            phase=self.phase,
            round=self.round,
            fingerprint="r",
            layout=Layout(),
            deadline=self.deadline,
        )

    def seat(self) -> Seated:
        question = QuestionView("play", 0, self.asks) if self.asks else None
        own = SeatView(4, 100, self.staked, step=self.step, question=question) if self.staked else None
        return Seated(table="t1", number=self.number, round=self.round, credit=100, seat=self.seated, view=own)

    def show(self) -> None:
        self.everybody(self.view())
        self.everybody(self.seat())

    def take_bets(self) -> None:
        self.round += 1
        self.phase, self.staked, self.step, self.asks = "betting", {}, 0, {}
        self.show()

    def ask(self, *answers: str) -> None:
        self.phase = "deciding"
        self.asks = dict.fromkeys(answers, (0, 0))
        self.show()

    async def open(self, port: int = 0) -> int:
        pages = web.Application()
        pages.router.add_post("/api/guest", let_in)
        self._gateway = await picows.listen(self, "127.0.0.1", port, pages=pages)
        return self._gateway.port

    async def close(self) -> None:
        if self._gateway is not None:
            await self._gateway.close()
            self._gateway = None


async def let_in(_: web.Request) -> web.Response:
    """A door at which everybody is let in."""
    response = web.json_response({"name": "guest-1", "role": "player", "active": True})
    response.set_cookie("podium", "secret")
    return response


@asynccontextmanager
async def scripted() -> AsyncIterator[tuple[Scripted, str]]:
    desk = Scripted()
    port = await desk.open()
    try:
        yield desk, f"ws://127.0.0.1:{port}/ws"
    finally:
        await desk.close()
    assert desk.lines == [], "everybody took leave"


@asynccontextmanager
async def at_the_table(**options: Any) -> AsyncIterator[tuple[Scripted, Client]]:
    async with scripted() as (desk, url), connect(url, "secret", **options) as house:
        await house.watch("t1")
        yield desk, house


def drop_once(kind: type[AnyCommand]) -> Callable[[Connection, AnyCommand], bool]:
    """The line breaks just after a command was carried out, before its answer: once."""
    left = [kind]

    def mishap(connection: Connection, command: AnyCommand) -> bool:
        if left and isinstance(command, left[0]):
            left.clear()
            connection.close("The house stumbles.", CloseCode.GOING_AWAY)
            return True
        return False

    return mishap
