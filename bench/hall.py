"""A full hall: 10,000 players bet at once at one table, and every bet is acknowledged when it is durable.

Everything but the sockets is real: messages are decoded, carried out in a round, put into journal and ledger, stored, and
answered. It stands beside the store alone, which is given the same number of entries in the same run.
"""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import msgspec

from bench.durable import TERMINALS, TURNS, seconds
from podium.house import House, HouseConfig
from podium.house.shuffling import SealedShuffler
from podium.house.table import TableConfig
from podium.record.seal import Seal
from podium.record.store import GroupCommit, open_book
from podium.server.approvals import Act
from podium.server.floor import Floor
from podium.server.garbage import collect_when_calm
from podium.server.terminals import Who
from podium.wire.codes import CloseCode
from podium.wire.commands import Join, PlaceBet, Watch
from podium.wire.messages import Acknowledged, AnyMessage, Refusal, TableView

TABLE: Final = TableConfig(
    "stadium-blackjack",
    betting_seconds=3600,
    close_betting_early=True,
    decision_seconds=0.001,
    insurance_seconds=0.001,
    result_seconds=0,
    card_seconds=0,
    shuffle_seconds=0,
)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(AnyMessage).decode


class Admission:
    """Everybody is a player, whose name is the token."""

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        return Who(token, "player")

    def approve(self, act: Act, code: str, now: int) -> str:
        return code


class Line:
    """A terminal without a network: it counts its answers, and knows which round is open."""

    ended = None

    def __init__(self, token: str, hall: "Hall") -> None:
        self.token = self.peer = token
        self._hall: Final = hall

    def send(self, message: bytes) -> None:
        if message.startswith((b'{"is":"acknowledged"', b'{"is":"refused"')):
            self._hall.answered(_decode(message))
        elif message.startswith(b'{"is":"table"') and self is self._hall.lines[0]:
            self._hall.shown(_decode(message))

    def close(self, reason: str, code: CloseCode = CloseCode.DONE) -> None:
        raise RuntimeError(f"A terminal was sent away: {reason}")


class Hall:
    """All terminals, and the clock that runs from the first tap to the last answer."""

    def __init__(self, floor: Floor) -> None:
        self._floor: Final = floor
        self._waiting = 0
        self._answered = asyncio.Event()
        self._round = 0
        self._betting = asyncio.Event()
        self._id = 0
        self.lines = [Line(f"p{number}", self) for number in range(TERMINALS)]
        for line in self.lines:
            floor.opened(line)

    def answered(self, answer: AnyMessage) -> None:
        if isinstance(answer, Refusal):
            raise RuntimeError(answer.reason)
        assert isinstance(answer, Acknowledged)
        self._waiting -= 1
        if not self._waiting:
            self._answered.set()

    def shown(self, view: AnyMessage) -> None:
        assert isinstance(view, TableView)
        if view.phase == "betting" and view.round > self._round:
            self._round = view.round
            self._betting.set()

    async def everybody(self, command: Watch | Join | PlaceBet) -> float:
        """Lets every terminal send the same command. Returns the seconds until all are answered."""
        self._id += 1
        message = _encode(msgspec.structs.replace(command, id=self._id))
        self._waiting = len(self.lines)
        self._answered.clear()
        began = perf_counter()
        for line in self.lines:
            self._floor.heard(line, message)
        await self._answered.wait()
        return perf_counter() - began

    async def bet(self) -> float:
        await self._betting.wait()
        self._betting.clear()
        return await self.everybody(PlaceBet(id=0, round=self._round, wagers={"blackjack": 1_000, "trilux": 500}))


def clock() -> int:
    return int(perf_counter() * 1000)


async def play(where: Path) -> dict[str, float]:
    """Seconds for all bets of a round, and for everything between two rounds' bets."""
    store = GroupCommit(open_book(where))
    shuffler = SealedShuffler(Seal(os.urandom(32), os.urandom), os.urandom)
    house = House(shuffler)
    house.configure(HouseConfig(tables={"t1": TABLE}), clock())
    for number in range(TERMINALS):
        house.admit(f"p{number}", "card", clock())
        house.pay_in(f"p{number}", 1_000_000, clock(), key=f"in.{number}", by="desk")
    floor = Floor(house, store, shuffler, Admission(), clock)
    await floor.keep()
    # As in a served house, whose garbage collector leaves what lives long alone.
    tasks = [asyncio.create_task(floor.run()), asyncio.create_task(collect_when_calm(house.tables.values()))]
    await asyncio.sleep(0)
    hall = Hall(floor)
    await hall.everybody(Watch(id=0, table="t1"))
    took = {"joins": await hall.everybody(Join(id=0))}
    began = perf_counter()
    took["bets"] = sum([await hall.bet() for _ in range(TURNS)])
    took["rounds"] = perf_counter() - began
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    floor.coach.close()
    await floor.mathematics.close()
    await store.close()
    return took


def main() -> None:
    with TemporaryDirectory(prefix="podium-bench-", dir=os.environ.get("PODIUM_BENCH_DIR")) as directory:
        alone = seconds(Path(directory) / "store.db", bare=False)
        took = asyncio.run(play(Path(directory) / "hall.db"))
    bets = TERMINALS * TURNS
    print(f"{TERMINALS:,} players at one table of Stadium Blackjack, SQLite")
    print(f"  joining: {TERMINALS / took['joins']:,.0f} acknowledgements a second")
    print(
        f"  betting: {bets / took['bets']:,.0f} acknowledgements a second, {alone / took['bets']:.2f} of the store alone"
    )
    print(
        f"  a whole round, from the first bet to the next: {took['rounds'] / TURNS:.2f} s, of which {took['bets'] / TURNS:.2f} s are bets"
    )
