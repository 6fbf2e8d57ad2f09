"""SEC-4: whatever a terminal says, it gets a clear answer, and what must not change does not.

A real gateway on loopback, the real floor, house and store; what is said is drawn from a seed. Journal and ledger are
compared with what they were.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house import House, HouseConfig
from podium.house.shuffling import SealedShuffler
from podium.house.table import TableConfig
from podium.record.journal import Head
from podium.record.seal import Seal
from podium.record.store import GroupCommit, open_book
from podium.server.approvals import Act
from podium.server.floor import Floor
from podium.server.gateway import Limits, Listen, aiohttp, picows
from podium.server.handling import PLAYERS
from podium.server.terminals import Who
from podium.wire import commands
from podium.wire.codes import CloseCode
from tests.entropy import repeatable
from tests.fuzz.shapes import KINDS, garbage, mistyped, some_command
from tests.history import notes_of
from tests.terminal import BINARY, Terminal, on_a_loop

LIVE = TableConfig(game="match-up-blackjack", dealer="live", betting_seconds=3_600)
FREE = Limits(messages_per_second=1e6, burst=10**6)
"""A line on which anything may be said at any speed: the limits are tested apart."""
MESSAGES = 400
ROLES = {"pam": "player", "ann": "player", "dana": "dealer", "wall": "display", "carl": "cashier", "aud": "auditor"}


class People:
    """Everybody is who the token says, and nobody approves anything."""

    def identify(self, token: str, now: int, *, active: bool = False) -> Who | None:
        return Who(token, ROLES[token]) if token in ROLES else None

    def approve(self, act: Act, code: str, now: int) -> str:
        raise Refused("approval-unknown")


class Served:
    """A house that is served, and what it consists of."""

    def __init__(self, house: House, floor: Floor, store: GroupCommit, port: int) -> None:
        self.house = house
        self.floor = floor
        self.store = store
        self.port = port

    async def state(self) -> tuple[dict[str, Head], dict[Any, int]]:
        """Where every stream of the journal ends, and what every account stands at."""
        return await self.store.read(lambda book: (book.heads(), book.balances()))

    async def sits(self, token: str, *, watching: bool = True) -> "Talker":
        talker = Talker(await Terminal.connect(self.port, token=token))
        if watching:
            await talker.asks(commands.Watch(id=1, table="t1"))
        return talker


class Talker:
    """A terminal, and what it hears in answer."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    async def asks(self, command: commands.Command) -> None:
        """Something that is done."""
        said = await self.says(msgspec.json.encode(command))
        assert said["is"] == "acknowledged", said

    async def says(self, message: bytes | str) -> dict[str, Any]:
        """Anything; the answer to it."""
        self.terminal.say(message)
        while True:
            heard: dict[str, Any] = json.loads(await self.terminal.hear())
            if heard["is"] in ("acknowledged", "refused"):
                return heard


@asynccontextmanager
async def served(directory: Path, listen: Listen, limits: Limits = FREE) -> AsyncIterator[Served]:
    """A house with a live table; betting is open, Ann sits there and Dana deals."""
    entropy = repeatable("fuzz")
    store = GroupCommit(open_book(directory / "house.db"))
    shuffler = SealedShuffler(Seal(entropy(32), entropy), entropy)
    house = House(shuffler)
    now = 1_700_000_000_000
    house.configure(HouseConfig(tables={"t1": LIVE}), now)
    for player in ("ann", "pam"):
        house.admit(player, "card", now)
        house.pay_in(player, 50_000, now, key=f"in.{player}", by="carl")
    await store.append(house.take_entries())
    floor = Floor(house, store, shuffler, People(), lambda: now)
    running = asyncio.create_task(floor.run())
    gateway = await listen(floor, "127.0.0.1", 0, limits)
    try:
        here = Served(house, floor, store, gateway.port)
        dana, ann = await here.sits("dana"), await here.sits("ann")
        for command in (commands.TakePlace(id=2), commands.LoadShoe(id=3, cards=312), commands.NewGame(id=4, round=1)):
            await dana.asks(command)
        await ann.asks(commands.Join(id=2))
        yield here
        assert not running.done(), "the house has stopped"
    finally:
        Terminal.all_vanish()
        await gateway.close()
        running.cancel()
        await asyncio.wait([running])
        await store.close()


def check_refusal(said: dict[str, Any], message: bytes | str) -> None:
    """A refusal is a sentence, not a page, and says nothing of the program's inside."""
    assert said["is"] == "refused", (said, message)
    reason = said["reason"]
    assert reason.rstrip().endswith("."), (reason, message)
    assert 8 < len(reason) < 600, (reason, message)
    assert "Traceback" not in reason


gateways = pytest.mark.parametrize("listen", [picows.listen, aiohttp.listen], ids=["picows", "aiohttp"])


@gateways
@on_a_loop
async def test_sec_4_what_is_no_message_is_refused_and_changes_nothing(tmp_path: Path, listen: Listen) -> None:
    chance = Random("garbage")
    async with served(tmp_path, listen) as here:
        talkers = [await here.sits(token) for token in ("ann", "dana", "wall")]
        before = await here.state()
        for _ in range(MESSAGES):
            message = garbage(chance)
            check_refusal(await chance.choice(talkers).says(message), message)
        assert await here.state() == before


@gateways
@on_a_loop
async def test_sec_2_a_wrong_role_is_refused_whatever_it_asks_for(tmp_path: Path, listen: Listen) -> None:
    """SEC-2, SEC-5: displays, cashiers and auditors at a table, players who deal, dealers who bet: none of it is done."""
    chance = Random("roles")
    playing: list[type[commands.Command]] = list(PLAYERS)
    dealing = [kind for kind in KINDS if kind not in (*playing, commands.Watch, commands.Unwatch, commands.Ping)]
    async with served(tmp_path, listen) as here:
        before = await here.state()
        talkers = {token: await here.sits(token) for token in ("wall", "carl", "aud", "ann", "dana")}
        for number in range(10, 10 + MESSAGES):
            token = chance.choice(list(talkers))
            kinds = {"ann": dealing, "dana": playing}.get(token, [*playing, *dealing])
            command = some_command(chance, chance.choice(kinds), number) | {"table": ""}  # the one that is watched
            message = json.dumps(command).encode()
            said = await talkers[token].says(message)
            check_refusal(said, message)
            assert said["id"] == number
            assert "SEC-2" in said["reason"]
        assert await here.state() == before


@gateways
@on_a_loop
async def test_sec_4_a_wrong_phase_or_a_wrong_value_is_refused_and_changes_nothing(
    tmp_path: Path, listen: Listen
) -> None:
    """Betting is open: nobody is asked anything, no card is awaited, and these wagers are not taken."""
    chance = Random("phases")
    wrong_now: dict[str, list[type[commands.Command]]] = {
        "ann": [commands.PlaceBet, commands.Decide, commands.CommitCut, commands.OpenCut],
        "dana": [
            commands.EnterCard,
            commands.AnswerPeek,
            commands.TurnHole,
            commands.Confirm,
            commands.Correct,
            commands.LoadShoe,
            commands.BurnCard,
            commands.CountShoe,
        ],
        "pam": [commands.PlaceBet, commands.Decide, commands.Leave, commands.CommitCut, commands.OpenCut],
    }
    async with served(tmp_path, listen) as here:
        before = await here.state()
        talkers = {token: await here.sits(token) for token in wrong_now}
        for number in range(10, 10 + MESSAGES):
            token = chance.choice(list(talkers))
            kind = chance.choice(wrong_now[token])
            make = chance.choice([some_command, mistyped])
            message = json.dumps(make(chance, kind, number)).encode()
            check_refusal(await talkers[token].says(message), message)
        assert await here.state() == before


@gateways
@on_a_loop
async def test_sec_4_what_is_replayed_happens_once(tmp_path: Path, listen: Listen) -> None:
    """The same command again, many times, on several lines of one terminal, out of order: one bet, the same answers."""
    chance = Random("replayed")
    async with served(tmp_path, listen) as here:
        ann = await here.sits("ann~key")
        bets = [
            msgspec.json.encode(commands.PlaceBet(id=id, round=1, wagers={"blackjack": 200 * id - 200}))
            for id in (2, 3, 4)
        ]
        answers = [await ann.says(bet) for bet in bets]
        assert [answer["is"] for answer in answers] == ["acknowledged"] * 3
        before = await here.state()
        for _ in range(MESSAGES // 4):
            if chance.random() < 0.1:
                ann = await here.sits("ann~key", watching=False)
            at = chance.randrange(3)
            assert await ann.says(bets[at]) == answers[at]
        assert await here.state() == before
        assert here.house.credit("ann") == 50_000 - 600


@gateways
@on_a_loop
async def test_sec_4_out_of_order_is_refused(tmp_path: Path, listen: Listen) -> None:
    """The second card before the first, the second decision before the first question, a bet for the next round."""
    async with served(tmp_path, listen) as here:
        ann, dana = await here.sits("ann"), await here.sits("dana")
        await ann.asks(commands.PlaceBet(id=2, round=1, wagers={"blackjack": 400}))
        await dana.asks(commands.CloseBets(id=2, round=1))
        before = await here.state()
        for talker, command in (
            (dana, commands.EnterCard(id=3, round=1, number=2, card="As")),
            (dana, commands.EnterCard(id=4, round=2, number=1, card="As")),
            (dana, commands.Confirm(id=5, round=1)),
            (dana, commands.NewGame(id=6, round=3)),
            (ann, commands.Decide(id=3, round=1, step=1, decision="stand")),
            (ann, commands.Decide(id=4, round=1, step=0, decision="stand")),
            (ann, commands.PlaceBet(id=5, round=2, wagers={"blackjack": 500})),
            (ann, commands.PlaceBet(id=6, round=1, wagers={"blackjack": 1_000})),
        ):
            message = msgspec.json.encode(command)
            check_refusal(await talker.says(message), message)
        assert await here.state() == before


@gateways
@on_a_loop
async def test_sec_4_what_breaks_the_limits_is_disconnected_with_a_reason(tmp_path: Path, listen: Listen) -> None:
    """Too big, not text, too fast; whoever sits beside it notices nothing."""
    async with served(tmp_path, listen, Limits(messages_per_second=5, burst=40)) as here:
        beside = await here.sits("pam")
        before = await here.state()
        too_big = json.dumps({"do": "bet", "id": 2, "round": 1, "wagers": {"x" * 20_000: 1}})
        bet = msgspec.json.encode(commands.PlaceBet(id=2, round=1, wagers={"blackjack": 10**9}))
        for says, code in (
            (lambda terminal: terminal.say(too_big), CloseCode.TOO_BIG),
            (lambda terminal: terminal.say(bet, BINARY), CloseCode.NOT_TEXT),
            (lambda terminal: terminal.say(b'{"do":"\xff"}'), CloseCode.NOT_UTF8),
            (lambda terminal: [terminal.say(bet) for _ in range(200)], CloseCode.NOT_ALLOWED),
        ):
            ann = await here.sits("ann")
            says(ann.terminal)
            goodbye = await ann.terminal.goodbye()
            assert goodbye.code == code
            assert goodbye.reason.endswith(".")
        assert (await beside.says(b'{"do":"ping","id":9}'))["is"] == "acknowledged"
        heads, balances = await here.state()
        # EVT-1: it is noted, and once for a flood.
        assert heads["house"].sequence == before[0]["house"].sequence + 1
        [note] = await here.store.read(notes_of)
        assert (note.kind, note.who) == ("terminal-cut-off", "ann")
        assert note.reason == "A message may be 16,384 bytes long at most."
        assert (heads["table/t1"], balances) == (before[0]["table/t1"], before[1])


@on_a_loop
async def test_sec_3_a_terminal_that_nobody_knows_is_told_to_sign_in(tmp_path: Path) -> None:
    async with served(tmp_path, picows.listen) as here:
        before = await here.state()
        for token in ("", "nobody", "ann%20", "~ann", "x" * 500):
            stranger = await Terminal.connect(here.port, token=token)
            assert b"SEC-3" in await stranger.hear()
            stranger.say(msgspec.json.encode(commands.PlaceBet(id=1, round=1, wagers={"blackjack": 500})))
            await stranger.goodbye()
        assert await here.state() == before
