"""The Python client against a small scripted house on the real gateway."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Later, Refused
from podium.basics.words import Phrase
from podium.client import Disconnected, connect
from podium.client.shown import STALE
from podium.server.gateway import Connection
from podium.wire.codes import CloseCode
from podium.wire.commands import AnyCommand, Decide, Join, NewGame, PlaceBet, Watch
from podium.wire.messages import Acknowledged, Goodbye, History, Refusal
from tests.scripted import Scripted, at_the_table, drop_once, refusal, scripted
from tests.terminal import on_a_loop

# --- what is known ----------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_table_is_watched_and_joined() -> None:
    async with at_the_table() as (desk, house):
        assert (house.name, house.view.table, house.view.phase) == ("ann", "t1", "waiting")
        assert await house.join() == 4
        assert await house.ping() == 1_000
        assert desk.tokens[0].startswith("secret~")
        assert [command.id for command in desk.commands] == [1, 2, 3]


@on_a_loop
async def test_the_newest_state_is_kept() -> None:
    async with at_the_table() as (desk, house):
        old, new = desk.view(), desk.view()
        seat = desk.seat()
        desk.everybody(new)
        await house.changed()
        for message in (old, new, seat, seat, History(table="t2", rounds=[])):
            desk.everybody(message)
        while "t2" not in house.known:
            await house.changed()
        assert house.view == new
        assert house.seat == seat
        # The old view and the repetitions were nothing new.
        seen = house.changes
        for message in (old, new, seat, History(table="t2", rounds=[])):
            desk.everybody(message)
        await house.ping()
        assert house.changes == seen


@on_a_loop
async def test_what_changed_meanwhile_is_not_waited_for() -> None:
    async with at_the_table() as (desk, house):
        seen = house.changes
        desk.take_bets()
        await house.ping()
        assert await house.changed(since=seen) == seen + 2


@on_a_loop
async def test_a_message_of_a_later_version_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    async with at_the_table() as (desk, house):
        desk.lines[0].send(b'{"is":"fireworks","colour":"red"}')
        assert await house.ping() == 1_000
        assert "does not understand" in caplog.text


@on_a_loop
async def test_without_a_table_there_is_nothing_to_see() -> None:
    async with scripted() as (_, url), connect(url) as house:
        with pytest.raises(Refused, match="watch one first"):
            _ = house.view


# --- what is asked for --------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_refusal_is_raised_with_its_reason() -> None:
    async with at_the_table() as (_, house):
        with pytest.raises(Refused, match=r"^No more bets: the time for betting is over \(GAME-2\)\.$"):
            await house.bet({"blackjack": 500})
        with pytest.raises(Refused, match="The house has no tables"):
            await house.watch("t9")
        assert house.watching == "t1"
        with pytest.raises(Refused, match="No question is open"):
            await house.decide("hit")
        assert (await house.do(NewGame, round=2)).now == 1_000


def busy(desk: Scripted, kind: type[AnyCommand], times: int) -> Callable[[Connection, AnyCommand], bool]:
    """The house refuses a kind of command for the moment, so many times."""
    left = [times]

    def mishap(connection: Connection, command: AnyCommand) -> bool:
        if isinstance(command, kind) and left[0]:
            left[0] -= 1
            desk.send(refusal(command, Phrase("refused.table-busy"), later=True), connection)
            return True
        return False

    return mishap


@on_a_loop
async def test_a_command_that_is_refused_for_the_moment_is_sent_again_under_its_number() -> None:
    async with at_the_table() as (desk, house):
        desk.mishap = busy(desk, Join, 3)
        assert await house.join() == 4
        joins = [command for command in desk.commands if isinstance(command, Join)]
        assert len(joins) == 4
        assert len({command.id for command in joins}) == 1
        assert house.asked == {}


@on_a_loop
async def test_a_house_that_is_busy_for_too_long_is_an_answer_too() -> None:
    async with at_the_table(patience=0.5) as (desk, house):
        desk.mishap = busy(desk, Join, 1_000)
        with pytest.raises(Later, match="too many commands"):
            await house.join()


@on_a_loop
async def test_a_terminal_that_comes_back_asks_again_for_its_table() -> None:
    async with at_the_table() as (desk, house):
        desk.mishap = busy(desk, Watch, 3)
        seen = house.view.number
        house.drop()
        while house.view.number <= seen:
            await house.changed()
        assert house.asked == {}


@on_a_loop
async def test_a_terminal_whose_table_is_gone_ends_with_the_reason() -> None:
    async with at_the_table() as (desk, house):

        def gone(connection: Connection, command: AnyCommand) -> bool:
            if not isinstance(command, Watch):
                return False
            desk.send(refusal(command, Phrase("refused.no-tables")), connection)
            return True

        desk.mishap = gone
        house.drop()
        with pytest.raises(Disconnected, match="The house has no tables"):
            await house.changed(since=1_000)


@on_a_loop
async def test_each_turn_is_given_once() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        turns = house.turns()
        desk.take_bets()
        turn = await anext(turns)
        assert turn.question is None
        desk.show()  # others act, and the same is shown again
        await house.bet({"blackjack": 500})
        assert desk.staked == {"blackjack": 500}
        desk.show()
        for step in range(2):
            desk.ask("hit", "stand")
            turn = await anext(turns)
            assert turn.question is not None
            assert set(turn.question.allowed) == {"hit", "stand"}
            desk.show()
            await house.decide("hit")
            assert desk.commands[-1] == Decide(id=desk.commands[-1].id, round=2, step=step, decision="hit")
        desk.take_bets()
        assert (await anext(turns)).table.round == 3
        assert desk.done == {"Watch": 1, "Join": 1, "PlaceBet": 1, "Decide": 2}


@on_a_loop
async def test_betting_that_is_extended_is_another_turn() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        turns = house.turns()
        desk.deadline = 15_000
        desk.take_bets()
        first = await anext(turns)
        following = asyncio.ensure_future(anext(turns))
        desk.show()  # the same betting is no other turn
        await house.ping()
        assert not following.done()
        desk.deadline = 30_000
        desk.show()
        again = await following
        assert (again.question, again.table.round, again.table.deadline) == (None, first.table.round, 30_000)


@on_a_loop
async def test_a_question_that_a_correction_asks_again_is_given_again() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        turns = house.turns()
        desk.staked = {"blackjack": 500}
        desk.ask("hit", "stand")
        first = await anext(turns)
        following = asyncio.ensure_future(anext(turns))
        desk.asks = {}
        desk.show()
        await house.ping()
        desk.ask("hit", "stand")
        assert (await following).key == first.key


@on_a_loop
async def test_a_locked_terminal_is_given_no_turn() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        desk.take_bets()
        await house.ping()
        assert house.turn() is not None
        desk.everybody(msgspec.structs.replace(desk.seat(), locked=1_200_00))
        await house.ping()
        assert house.turn() is None


@on_a_loop
async def test_after_a_reconnection_there_is_no_turn_with_the_seat_of_before() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        desk.take_bets()
        await house.ping()
        assert house.turn() is not None
        [known] = house.known.values()
        for state in ("seat", "view"):
            fresh = getattr(known, state)
            setattr(known, state, msgspec.structs.replace(fresh, number=STALE))
            assert house.turn() is None  # its credit may be that of before the house was killed
            setattr(known, state, fresh)
        assert house.turn() is not None


# --- connections that are lost ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Watch, Join, PlaceBet, Decide])
@on_a_loop
async def test_a_command_whose_answer_was_lost_counts_once(kind: type[AnyCommand]) -> None:
    # It is sent again because the line was lost, and not because the answer was waited for too long.
    async with scripted() as (desk, url), connect(url, "secret", answer_seconds=100) as house:
        desk.mishap = drop_once(kind)
        await house.watch("t1")
        await house.join()
        desk.take_bets()
        turns = house.turns()
        await anext(turns)
        await house.bet({"blackjack": 500})
        desk.ask("hit")
        await anext(turns)
        await house.decide("hit")
        assert [desk.done[each] for each in ("Join", "PlaceBet", "Decide")] == [1, 1, 1]
        assert len(desk.tokens) == 2
        assert len(set(desk.tokens)) == 1, "the house knows the terminal again"
        sent_twice = [command for command in desk.commands if type(command) is kind]
        assert kind is Watch or sent_twice[0] == sent_twice[1]


@on_a_loop
async def test_a_line_that_breaks_is_opened_again_and_shows_the_table() -> None:
    async with at_the_table() as (desk, house):
        await house.join()
        desk.lines[0].close("The house restarts.", CloseCode.GOING_AWAY)
        desk.number = 0  # a house that was restarted counts from the beginning
        desk.round = 7
        while house.view.round != 7:
            await house.changed()
        assert house.view.number == 1


@on_a_loop
async def test_a_line_that_the_bot_drops_is_opened_again() -> None:
    async with at_the_table() as (desk, house):
        house.drop()
        seen = house.changes
        while len(desk.tokens) < 2 or not desk.lines:
            seen = await house.changed(since=seen)
        assert await house.ping() == 1_000
        assert desk.tokens[0] == desk.tokens[1]


@on_a_loop
async def test_every_message_is_heard_in_its_order_when_what_is_known_is_up_to_date() -> None:
    heard: list[tuple[str, bool]] = []
    async with scripted() as (desk, url):
        house = connect(url, heard=lambda message: heard.append((type(message).__name__, bool(house.asked))))
        async with house:
            await house.watch("t1")
            desk.everybody(desk.view())
            desk.everybody(msgspec.structs.replace(desk.view(), number=0))
            await house.ping()
    asked, told = True, False
    assert heard[:3] == [("Welcome", told), ("Acknowledged", asked), ("TableView", asked)]
    assert [name for name, _ in heard].count("TableView") == 3, "also one that is older than what is known"
    assert heard[-1] == ("Acknowledged", asked)


@on_a_loop
async def test_a_house_that_was_away_is_waited_for() -> None:
    async with scripted() as (desk, url), connect(url, "secret", answer_seconds=100) as house:
        await house.watch("t1")
        port = int(url.split(":")[2].split("/")[0])
        await desk.close()
        waiting = [asyncio.create_task(house.ping()), asyncio.create_task(house.join())]
        await asyncio.sleep(0.2)
        await desk.open(port)
        assert await asyncio.gather(*waiting) == [1_000, 4]


@on_a_loop
async def test_a_command_that_gets_lost_is_sent_again() -> None:
    async with at_the_table(answer_seconds=0.05) as (desk, house):
        desk.mishap = lambda _, command: len([each for each in desk.commands if each == command]) < 3
        assert await house.join() == 4
        assert desk.done["Join"] == 1
        assert len({command.id for command in desk.commands}) == 2


@on_a_loop
async def test_answers_that_come_twice_or_for_nothing_are_harmless() -> None:
    async with at_the_table() as (desk, house):
        for number in (1, 1, 99):
            desk.everybody(Acknowledged(id=number, now=5))
            desk.everybody(Refusal(id=number, reason="late", why=Phrase("refused.bets-over")))
        assert await house.ping() == 1_000


# --- the end ------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_house_that_ends_it_for_good_is_not_asked_again() -> None:
    async with at_the_table() as (desk, house):
        turns = house.turns()
        waiting = asyncio.ensure_future(anext(turns))
        desk.mishap = lambda *_: True
        asking = asyncio.ensure_future(house.ping())
        while len(desk.commands) < 2:
            await asyncio.sleep(0)
        why = Phrase("refused.session-ended", clause="SEC-3")
        desk.everybody(Goodbye(reason=str(why), why=why))
        desk.lines[0].close("session ended")
        for each in (waiting, asking):
            with pytest.raises(Disconnected, match=r"^This session was ended; sign in again \(SEC-3\)\.$"):
                await each
        with pytest.raises(Disconnected, match="This session was ended"):
            await house.bet({})
        assert len(desk.tokens) == 1


@on_a_loop
async def test_who_is_not_known_is_told_so() -> None:
    async with scripted() as (desk, url):

        def refuse(connection: Connection) -> bool:
            connection.close("Sign in first.")
            return True

        desk.greeting = refuse
        with pytest.raises(Disconnected, match=r"^Sign in first\.$"):
            async with connect(url):
                pytest.fail("nobody was let in")
        with pytest.raises(Disconnected, match="404: Not Found"):
            async with connect(url + "/elsewhere"):
                pytest.fail("nobody was let in")


@on_a_loop
async def test_an_address_where_nobody_listens() -> None:
    async with scripted() as (desk, url):
        await desk.close()
        with pytest.raises(Disconnected, match="does not answer"):
            async with connect(url):
                pytest.fail("nobody was let in")


@on_a_loop
async def test_patience_ends() -> None:
    async with at_the_table(patience=0.2) as (desk, house):
        await desk.close()
        with pytest.raises(Disconnected, match=r"away for 0\.2 seconds.*The house is closing"):
            await house.ping()


@on_a_loop
async def test_a_closed_client_answers_nobody() -> None:
    async with scripted() as (desk, url):
        async with connect(url) as house:
            await house.watch("t1")
            waiting = asyncio.ensure_future(house.changed())
            await asyncio.sleep(0)
        with pytest.raises(Disconnected, match="closed its connection"):
            await waiting
        with pytest.raises(Disconnected, match="closed its connection"):
            await house.ping()
        while desk.lines:
            await asyncio.sleep(0)


@on_a_loop
async def test_many_terminals_in_one_process() -> None:
    async with scripted() as (desk, url):

        async def play() -> None:
            async with connect(url, "secret") as house:
                await house.watch("t1")
                await house.join()
                async for _ in house.turns():
                    await house.bet({"blackjack": 500})
                    return

        playing = [asyncio.create_task(play()) for _ in range(200)]
        while desk.done["Join"] < 200:
            await asyncio.sleep(0.01)
        desk.take_bets()
        await asyncio.gather(*playing)
        assert desk.done["PlaceBet"] == 200


@on_a_loop
async def test_the_bot_of_the_page_plays() -> None:
    page = (Path(__file__).parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    body = source[source.index("    async with") : source.index("\nif __name__")]
    assert len(body.strip().splitlines()) <= 10
    bot: dict[str, Any] = {"__name__": "bot"}
    exec(source, bot)
    async with scripted() as (desk, url):
        playing = asyncio.create_task(bot["play"](url.replace("ws", "http", 1)[:-3], "t1", {"blackjack": 500}))
        while not desk.done["Join"]:
            await asyncio.sleep(0)
        desk.take_bets()
        while not desk.staked:
            await asyncio.sleep(0)
        desk.ask("hit", "stand")
        while desk.asks:
            await asyncio.sleep(0)
        assert desk.commands[-1] == Decide(id=4, round=2, step=0, decision="stand")
        desk.lines[0].close("The table closes.")
        with pytest.raises(Disconnected, match=r"^The table closes\.$"):
            await playing
