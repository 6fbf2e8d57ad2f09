"""Hostile terminals: what they say is made from the commands that the wire declares and from what they were shown."""

import asyncio
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from podium.basics.cards import DECK
from podium.wire import commands
from podium.wire.codes import CloseCode
from tests.fuzz.claims import Claim, Claims, Found, command_claim
from tests.fuzz.people import Persona
from tests.fuzz.shapes import HUGE, KINDS, WRONG, Pools, garbage, hostile, some_command, understood
from tests.terminal import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Frame, Terminal, a_frame

MESSAGES_PER_LINE = 90
"""Fewer than a terminal may send at once, so that most lines are not cut off for their rate."""
PATIENCE_SECONDS = 60
PLAYING: list[type[commands.Command]] = [
    commands.Join, commands.PlaceBet, commands.Decide, commands.Leave, commands.Advise, commands.CommitCut, commands.OpenCut
]  # fmt: skip
DEALING = [kind for kind in KINDS if kind not in (*PLAYING, commands.Watch, commands.Ping)]
AT_TABLE: dict[str, list[type[commands.Command]]] = {
    "guest": PLAYING,
    "player": PLAYING,
    "dealer": DEALING,
    "supervisor": [commands.Void, commands.Correct],
}
CARDS = [card.code for card in DECK]


class Line:
    """One line of a persona, from its opening to its end."""

    def __init__(self, port: int, persona: Persona, claims: Claims, tables: list[str], chance: Random) -> None:
        self._port = port
        self.persona = persona
        self._claims = claims
        self._tables = tables
        self._chance = chance
        self._understood: dict[int, set[Claim | None]] = {}
        """What may be meant by an answer: several things, where a number was used twice."""
        self._table: dict[str, Any] = {}
        self._seat: dict[str, Any] = {}
        self._rules: dict[str, Any] = {}
        self._answered: set[int] = set()
        self._news = asyncio.Event()
        self._number = 1
        self.sent = 0
        self.refused = self.acknowledged = 0
        self.ended: int | None = None
        """The code with which the house ended the line."""
        self.signed_out = False

    async def talk(self, others: list[Persona], most: int) -> None:
        """Sends up to `most` messages, and leaves in one way or another."""
        chance = self._chance
        tab = chance.choice(["", "", "one", "two", "x" * 70])
        display = self.persona.role == "display"
        token = f"{self.persona.token}~{tab}" if tab and self.persona.token else self.persona.token
        terminal = await Terminal.request(self._port, "/ws?as=display" if display else "/ws", token)
        self.sent += 1
        if terminal.status != 101:
            raise Found(f"a line was refused with {terminal.status}: {terminal.head}")
        hearing = asyncio.create_task(self._hear(terminal))
        try:
            if chance.random() < 0.9:
                self._say(terminal, json.dumps({"do": "watch", "id": 1, "table": chance.choice(self._tables)}).encode())
            while self.sent < most and not hearing.done():
                for _ in range(chance.randint(1, 12)):
                    self._say_something(terminal, others)
                await self._barrier(terminal, hearing)
            if not hearing.done() and chance.random() < 0.5:
                terminal.say(struct.pack("!H", 1000), CLOSE)
                await asyncio.wait([hearing], timeout=PATIENCE_SECONDS)
        except ConnectionError:
            pass
        finally:
            terminal.vanish()
            hearing.cancel()
            with suppress(asyncio.CancelledError):
                await hearing

    # --- what is said -----------------------------------------------------------------------------------------------

    def _say(self, terminal: Terminal, message: bytes) -> None:
        command = understood(message, commands.AnyCommand)
        if command is not None:
            claim = command_claim(self.persona.name, command)
            self._understood.setdefault(command.id, set()).add(claim)
            self._claims.ask(claim)
        self.persona.remember(self._chance, message)
        terminal.say(message)
        self.sent += 1

    def _say_something(self, terminal: Terminal, others: list[Persona]) -> None:
        chance, way = self._chance, self._chance.random()
        if way < 0.84:
            self._say(terminal, hostile(chance, self._command()))
        elif way < 0.90 and self.persona.history:
            self._say(terminal, chance.choice(self.persona.history))
        elif way < 0.94 and (history := chance.choice(others).history):
            self._say(terminal, chance.choice(history))
        elif way < 0.99:
            self._say(terminal, garbage(chance))
        else:
            self._break_the_line(terminal)

    def _command(self) -> dict[str, Any]:
        chance = self._chance
        own = AT_TABLE.get(self.persona.role, KINDS)
        kind: type[commands.Command] = chance.choice(own if chance.random() < 0.7 else KINDS)
        self._number += 1
        number = self._number if chance.random() < 0.95 else chance.choice([*HUGE, self._number - 1])
        return some_command(chance, kind, number, self._pools())

    def _pools(self) -> Pools:
        """What makes sense now, by what the line was shown; and what does not."""
        table, view = self._table, self._seat.get("view") or {}
        number = table.get("round", 0)
        question = view.get("question") or {}
        names = [card["wager"] for card in self._rules.get("wagers", [])] or ["blackjack"]
        mains = [card["wager"] for card in self._rules.get("wagers", []) if card["main"]] or names
        amounts = [500, 1_000, 500, 1_000, 100, 1, 10**9]
        bets: list[dict[str, int]] = [{wager: amount} for wager in mains for amount in amounts]
        bets += [{mains[0]: 500, wager: 500} for wager in names] + [{}, {"nothing": 1}]
        cards = table.get("cards", [])
        shoe = (table.get("shoe") or {}).get("number", 0)
        return {
            **WRONG,
            "round": [number] * 6 + [number + 1] * 3 + [0, 1, 10**9],
            "table": [*self._tables, *self._tables, "nowhere", ""],
            "wagers": bets,
            "for_dealer": [{}, {}, {}, {mains[0]: 100}],
            "spots": [[], [], [1, 2, 3], [4, 4, 4], [0, 10]],
            "step": [view.get("step", 0), 0, 1, 99],
            "decision": [*question.get("allowed", {}), "hit", "stand", "fold", "play", "decline", "insure:1", ""],
            "shoe": [shoe, shoe, shoe + 1, 0],
            "commitment": ["00" * 32, "ab" * 32, "zz" * 32, ""],
            "open-cut.number": ["ff" * 32, "", "0x"],
            "number": [len(cards) + 1] * 6 + [1, len(cards), 50],
            "card": [*CARDS, "unknown", "1z", ""],
            "cards": [312, 416, 0, 52],
            "seat": [None, None, 1, 2, 3, 4, 5, 99],
        }

    def _break_the_line(self, terminal: Terminal) -> None:
        """Sends frames that are malformed, or that a terminal may not send."""
        chance = self._chance
        ways: list[Callable[[], bytes]] = [
            lambda: a_frame(chance.randbytes(20), BINARY),
            lambda: a_frame(chance.randbytes(125), PING),
            lambda: a_frame(b"", PONG),
            lambda: a_frame(b"more", CONTINUATION),
            lambda: a_frame(b'{"do":"ping","id":1}', masked=False),
            lambda: a_frame(b'{"do":"ping","id":1}', first=chance.choice([0xC0, 0xA0, 0x90])),
            lambda: a_frame(b"x", chance.choice([3, 7, 11, 15])),
            lambda: a_frame(b'{"do":"\xff"}'),
            lambda: a_frame(b"x" * 20_000),
            lambda: bytes([0x81, 0xFF]) + struct.pack("!Q", 2 ** chance.choice([20, 40, 62])) + b"abcd",
            lambda: a_frame(b'{"do":"ping","id":1}')[: chance.randint(1, 10)],
            lambda: a_frame(b'{"do":', first=0),
            lambda: a_frame(chance.randbytes(1), CLOSE),
            lambda: a_frame(struct.pack("!H", chance.choice([0, 999, 1005, 5000])) + b"\xff", CLOSE),
            lambda: chance.randbytes(chance.randint(1, 200)),
        ]
        terminal.write(chance.choice(ways)())
        self.sent += 1

    async def _barrier(self, terminal: Terminal, hearing: "asyncio.Task[None]") -> None:
        """Until the house has answered a question that anybody may ask; half a frame may keep it from hearing one."""
        self._number += 1
        number = 2**40 + self._number
        terminal.say(json.dumps({"do": "ping", "id": number}).encode())
        self.sent += 1
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while number not in self._answered and not hearing.done():
            self._news.clear()
            waiting = asyncio.create_task(self._news.wait())
            done, _ = await asyncio.wait([waiting, hearing], timeout=1, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if not done:
                if asyncio.get_running_loop().time() > until:
                    raise Found(f"{self.persona.role}: a ping was not answered within {PATIENCE_SECONDS} seconds")
                terminal.write(b"\x00" * 2_000)  # fills up a frame that was cut off, and ends the line
        if hearing.done():
            hearing.result()

    # --- what is heard ----------------------------------------------------------------------------------------------

    async def _hear(self, terminal: Terminal) -> None:
        try:
            while True:
                frame = await terminal.frame()
                if frame.opcode == CLOSE:
                    self._goodbye(frame)
                    return
                if frame.opcode == PING:
                    terminal.say(frame.payload, PONG)
                elif frame.opcode == TEXT:
                    self._heard(frame.payload)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            self._news.set()

    def _goodbye(self, frame: Frame) -> None:
        self.ended = frame.code
        if frame.code == CloseCode.MISTAKE:
            raise Found(f"the house made a mistake: {frame.reason}; the last messages were {self.persona.history[-5:]}")
        self.signed_out = "sign in" in frame.reason

    def _heard(self, message: bytes) -> None:
        if message.startswith(b'{"is":"acknowledged"'):
            said = json.loads(message)
            self.acknowledged += 1
            self._answered.add(said["id"])
            meant = self._understood.get(said["id"], set())
            if len(meant) == 1:
                self._claims.answered(*meant)
            self._news.set()
        elif message.startswith(b'{"is":"refused"'):
            self._check_refusal(json.loads(message))
        elif message.startswith(b'{"is":"table"'):
            self._table = json.loads(message)
        elif message.startswith(b'{"is":"seat"'):
            self._seat = json.loads(message)
        elif message.startswith(b'{"is":"rules"'):
            self._rules = json.loads(message)

    def _check_refusal(self, said: dict[str, Any]) -> None:
        """A refusal is a sentence, not a page, and says nothing of the program's inside."""
        self.refused += 1
        reason = said["reason"]
        if not reason or "Traceback" in reason or len(reason) > 1_024:
            raise Found(f"a refusal is no sentence: {said}")
        self._answered.add(said["id"])
