"""What terminals can make grow: sockets, what waits to be sent, commands that wait, answers that are remembered (SEC-8)."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.record.store import Append
from podium.server import limits
from podium.server.gateway import Connection, Limits, Listen, aiohttp, broadcast, picows
from podium.server.serve import FILES_NEEDED, SPARE_FILES, room_for_connections
from podium.wire import commands
from podium.wire.codes import CloseCode
from tests.history import notes_of
from tests.terminal import Terminal, on_a_loop
from tests.test_gateway import house
from tests.test_protocol_fuzz import Served, Talker, served

gateways = pytest.mark.parametrize("listen", [picows.listen, aiohttp.listen], ids=["picows", "aiohttp"])

HUGE = "\u0080" * 7_000
"""In a message two bytes for each character; quoted in a refusal, five."""


def kept(here: Served) -> int:
    """Bytes of all answers that the house remembers."""
    return sum(len(answer) for terminal in here.floor._terminals.values() for answer in terminal.answers.values())


async def refused(talker: Talker, command: commands.Command | bytes) -> str:
    message = command if isinstance(command, bytes) else msgspec.json.encode(command)
    said = await talker.says(message)
    assert said["is"] == "refused", said
    reason: str = said["reason"]
    return reason


# --- answers ------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_what_is_remembered_of_refusals_does_not_grow_with_what_was_refused(tmp_path: Path) -> None:
    """MAX_REMEMBERED_ANSWERS_PER_TERMINAL, MAX_ANSWER_BYTES: 64 refused messages on each of 300 sockets once took 400 MB."""
    sockets, messages = 10, 64
    async with served(tmp_path, picows.listen) as here:
        before = kept(here)
        for number in range(sockets):
            talker = await here.sits(f"pam~{number}")
            for id in range(2, 2 + messages):
                assert HUGE[:20] not in await refused(talker, commands.Watch(id=id, table=HUGE))
        terminals = [terminal for key, terminal in here.floor._terminals.items() if key.startswith("pam~")]
        assert [len(terminal.answers) for terminal in terminals] == [
            limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL
        ] * sockets
        each = (kept(here) - before) / sockets / limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL
        assert each <= limits.MAX_ANSWER_BYTES
        # Of 300 sockets that is less than 5 MB.
        assert 300 * limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL * limits.MAX_ANSWER_BYTES < 5_000_000


BIG: list[dict[str, Any]] = [
    {"do": "watch", "table": HUGE},
    {"do": "decide", "round": 1, "step": 0, "decision": HUGE},
    {"do": "bet", "round": 1, "wagers": {HUGE: 5}},
    {"do": "bet", "round": 1, "wagers": {f"wager-{number}": 5 for number in range(800)}},
    {"do": "commit-cut", "shoe": 1, "commitment": HUGE},
    {"do": HUGE},
    {"do": "join", HUGE: 1},
    {"do": "card", "round": 1, "number": 1, "card": HUGE},
    {"do": "turn", "round": 1, "card": HUGE},
]


@on_a_loop
async def test_no_refusal_is_longer_than_an_answer_may_be(tmp_path: Path) -> None:
    """MAX_ANSWER_BYTES, for every refusal and every role."""
    async with served(tmp_path, picows.listen) as here:
        talkers = [await here.sits("ann~1"), await here.sits("dana~1")]
        for id, command in enumerate(BIG, 10):
            for talker in talkers:
                said = await talker.says(json.dumps({**command, "id": id}, ensure_ascii=False).encode())
                assert said["is"] == "refused", said
                assert len(msgspec.json.encode(said)) <= limits.MAX_ANSWER_BYTES


@on_a_loop
async def test_led_2_another_command_under_the_same_id_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path, picows.listen) as here:
        ann = await here.sits("ann~1")
        await ann.asks(commands.PlaceBet(id=2, round=1, wagers={"blackjack": 400}))
        before = await here.state()
        await ann.asks(commands.PlaceBet(id=2, round=1, wagers={"blackjack": 400}))
        in_other_bytes = await ann.says(
            b'{"wagers": {"blackjack": 400}, "round": 1, "id": 2, "do": "bet", "spots": []}'
        )
        assert in_other_bytes["is"] == "acknowledged"
        said = await refused(ann, commands.PlaceBet(id=2, round=1, wagers={"blackjack": 900}))
        assert said.startswith("The id 2 was used for another command")
        assert await here.state() == before


@on_a_loop
async def test_an_answer_that_is_forgotten_harms_nobody(tmp_path: Path) -> None:
    """LED-2 for commands: beyond what is remembered, a bet that stands is acknowledged again and not made twice."""
    async with served(tmp_path, picows.listen) as here:
        ann = await here.sits("ann~1")
        bet = commands.PlaceBet(id=2, round=1, wagers={"blackjack": 400})
        await ann.asks(bet)
        for id in range(3, 4 + limits.MAX_REMEMBERED_ANSWERS_PER_TERMINAL):
            await refused(ann, commands.Decide(id=id, round=1, step=0, decision="stand"))
        assert bet.id not in here.floor._terminals["ann~1"].answers
        before = await here.state()
        await ann.asks(bet)
        assert await here.state() == before


@on_a_loop
async def test_a_terminal_that_is_gone_is_forgotten_when_too_many_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_AWAY_TERMINALS."""
    monkeypatch.setattr(limits, "MAX_AWAY_TERMINALS", 2)
    async with served(tmp_path, picows.listen) as here:
        for number in range(5):
            talker = await here.sits(f"pam~{number}")
            talker.terminal.vanish()
            while any(terminal.key == f"pam~{number}" for terminal in here.floor._lines.values()):
                await asyncio.sleep(0.001)
        left = [key for key in here.floor._terminals if key.startswith("pam~")]
        assert left[-1] == "pam~4"
        assert len(left) <= 2 + len(here.floor._lines)


@on_a_loop
async def test_a_terminal_with_an_endless_key_is_served_and_not_known_again(tmp_path: Path) -> None:
    """MAX_TERMINAL_KEY_CHARS."""
    async with served(tmp_path, picows.listen) as here:
        for length, known in ((limits.MAX_TERMINAL_KEY_CHARS, True), (limits.MAX_TERMINAL_KEY_CHARS + 1, False)):
            key = f"pam~{'k' * length}"
            await here.sits(key)
            assert (key in here.floor._terminals) == known


# --- commands that wait -------------------------------------------------------------------------------------------------


@contextmanager
def a_slow_disk(here: Served) -> Iterator[Callable[[], None]]:
    """Nothing is written until it is let go."""
    go, write = threading.Event(), here.store._book.write

    def wait_and_write(appends: Sequence[Append]) -> list[Exception | None]:
        go.wait()
        return write(appends)

    here.store._book.write = wait_and_write  # type: ignore[method-assign]
    try:
        yield go.set
    finally:
        go.set()


async def answers_to(talker: Talker, *, count: int) -> list[dict[str, Any]]:
    """The next answers that a terminal hears, whatever it is shown in between."""
    answers: list[dict[str, Any]] = []
    while len(answers) < count:
        said = json.loads(await talker.terminal.hear())
        answers += [said] if said["is"] in ("refused", "acknowledged") else []
    return answers


@on_a_loop
async def test_only_so_many_commands_of_a_terminal_wait(tmp_path: Path) -> None:
    """MAX_WAITING_COMMANDS_PER_TERMINAL: what is refused for that may be sent again, and is carried out then."""
    most = limits.MAX_WAITING_COMMANDS_PER_TERMINAL
    async with served(tmp_path, picows.listen) as here:
        pam = await here.sits("pam~1")
        with a_slow_disk(here) as go:
            for id in range(2, 2 + most + 1):
                pam.terminal.say(msgspec.json.encode(commands.Join(id=id)))
            [busy] = await answers_to(pam, count=1)
            assert busy["reason"].startswith(f"{most} commands of this terminal wait for an answer")
            go()
            assert [each["is"] for each in await answers_to(pam, count=most)] == ["acknowledged"] * most
        await pam.asks(commands.Join(id=busy["id"]))


@on_a_loop
async def test_only_so_many_commands_wait_for_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_COMMANDS_PER_TABLE."""
    async with served(tmp_path, picows.listen) as here:
        ann, pam = await here.sits("ann~1"), await here.sits("pam~1")
        await ann.asks(commands.Join(id=50))  # the table has answered all that came before
        monkeypatch.setattr(limits, "MAX_WAITING_COMMANDS_PER_TABLE", 3)
        with a_slow_disk(here) as go:
            ann.terminal.say(msgspec.json.encode(commands.Join(id=2)))
            while not here.floor._terminals["ann~1"].pending or here.floor.podiums["t1"].waiting:
                await asyncio.sleep(0.001)
            for id in range(3, 7):
                ann.terminal.say(msgspec.json.encode(commands.Join(id=id)))
            [busy] = await answers_to(ann, count=1)
            assert busy["reason"].startswith("The table has too many commands to carry out")
            assert "too many commands" in await refused(pam, commands.Join(id=2))
            go()
            assert [each["is"] for each in await answers_to(ann, count=4)] == ["acknowledged"] * 4
        await pam.asks(commands.Join(id=2))


# --- sockets ------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_one_person_cannot_take_every_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_SOCKETS_PER_PERSON; walls are nobody's."""
    monkeypatch.setattr(limits, "MAX_SOCKETS_PER_PERSON", 3)
    async with served(tmp_path, picows.listen) as here:
        walls = [await here.sits("wall") for _ in range(5)]
        lines = [await here.sits("pam") for _ in range(4)]
        goodbye = await lines[0].terminal.goodbye()
        assert (goodbye.code, goodbye.reason) == (CloseCode.DONE, "you have connected elsewhere")
        for talker in (*lines[1:], *walls):
            assert (await talker.says(b'{"do":"ping","id":99}'))["is"] == "acknowledged"
        for talker in lines:
            talker.terminal.vanish()
        while "pam" in here.floor._of_person:
            await asyncio.sleep(0.001)


@gateways
@on_a_loop
async def test_a_full_house_takes_no_further_line(listen: Listen) -> None:
    """MAX_OPEN_SOCKETS, as the gateway's limit."""
    assert Limits().connections == limits.MAX_OPEN_SOCKETS
    async with house(listen, Limits(connections=2)) as (desk, port):
        for _ in range(2):
            await Terminal.connect(port)
        goodbye = await (await Terminal.connect(port)).goodbye()
        assert (goodbye.code, len(desk.present)) == (CloseCode.LATER, 2)
        assert goodbye.reason == "The house is full: all 2 lines are taken. Try again later."


@gateways
@on_a_loop
async def test_connections_never_take_the_last_open_files(listen: Listen) -> None:
    """A house that cannot open its own files has to stop: whoever comes when they are short gets 503."""
    async with house(listen, Limits(connections_in_all=2)) as (_, port):
        lines = [await Terminal.connect(port) for _ in range(2)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert (await reader.readline()).split()[1] == b"503"
        writer.close()
        lines[0].vanish()
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            if (await reader.readline()).split()[1] != b"503":
                break
            writer.close()
        writer.close()
        assert (FILES_NEEDED, room_for_connections() <= FILES_NEEDED - SPARE_FILES) == (
            Limits().connections_in_all + SPARE_FILES,
            True,
        )


@gateways
@on_a_loop
async def test_what_waits_for_all_terminals_together_is_bounded(listen: Listen) -> None:
    """MAX_UNSENT_BYTES: the terminal that is furthest behind goes, and whoever reads stays."""
    assert Limits().unsent_bytes_in_all == limits.MAX_UNSENT_BYTES
    message = b"x" * 60_000
    most = 2_000_000
    async with house(listen, Limits(unsent_bytes_in_all=most, unsent_bytes=10 * most)) as (desk, port):
        slow = [await Terminal.connect(port) for _ in range(3)]
        quick = await Terminal.connect(port)
        reading, ended = desk.present[-1], list(desk.present)
        for _ in range(400):
            broadcast(list(desk.present), message)
            assert await quick.hear() == message
            assert unsent(desk.present) <= most + len(desk.present) * len(message)
        assert reading in desk.present
        cut = [line for line in ended if line.ended is not None]
        assert {line.ended.reason for line in cut if line.ended} == {
            "Too much waits to be read by all terminals, and this one is furthest behind."
        }
        assert len(cut) == len(slow)


def unsent(lines: list[Connection]) -> int:
    return sum(line.unsent() for line in lines if line.ended is None)  # type: ignore[attr-defined]


@on_a_loop
async def test_a_line_is_kept_within_its_own_limits() -> None:
    """MAX_MESSAGE_BYTES, MAX_MESSAGES_PER_SECOND, MAX_MESSAGES_AT_ONCE, MAX_SILENT_SECONDS, MAX_UNSENT_BYTES_PER_SOCKET:
    each is reached in tests/test_gateway.py; these are the values that a house begins with."""
    assert Limits()[:4] == (
        limits.MAX_MESSAGE_BYTES,
        limits.MAX_MESSAGES_PER_SECOND,
        limits.MAX_MESSAGES_AT_ONCE,
        limits.MAX_UNSENT_BYTES_PER_SOCKET,
    )
    assert Limits().idle_seconds == limits.MAX_SILENT_SECONDS


@on_a_loop
async def test_what_was_noted_of_lines_that_were_cut_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_NOTED_FAULTS: forgetting means noting again, not staying silent."""
    monkeypatch.setattr(limits, "MAX_NOTED_FAULTS", 1)
    async with served(tmp_path, picows.listen) as here:
        for token in ("ann", "pam", "ann", "ann"):
            talker = await here.sits(token)
            talker.terminal.say(b'{"do":"\xff"}')
            await talker.terminal.goodbye()
        while here.floor._errands:
            await asyncio.sleep(0.001)
        assert [note.who for note in await here.store.read(notes_of)] == ["ann", "pam", "ann"]
        assert len(here.floor._faults) == 1
