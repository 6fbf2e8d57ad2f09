"""DSC-2: an interruption of the house itself cuts nobody short, because the time stands still while the house does."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from podium.basics.refusal import Refused
from podium.basics.words import language
from podium.client import Client
from podium.house.table import TableConfig
from podium.house.table.events import TimeGivenBack, decode
from podium.house.table.pace import act
from podium.house.table.printed import table_rulebook
from podium.record.store import Away
from tests.floor import TestHouse, stadium
from tests.live_table import live, new_game
from tests.server.served import a_house, until
from tests.server.test_absent import a_table, asked, until_asked
from tests.server.test_seats import seated
from tests.terminal import on_a_loop
from tests.test_absent import deciding
from tests.test_cut import POKER, commit, open_up, play_round, waiting
from tests.test_readings import dealing, held, read


def interrupted(house: TestHouse, seconds: float) -> TestHouse:
    """The house is killed at its last entry, and comes back from its journal, as every start does it."""
    stopped = max(entry.time for entry in house.store())
    house.house = house.restarted()
    house.now = stopped + round(seconds * 1000)
    house.house.resume(stopped, house.now)
    return house


def left(house: TestHouse) -> float:
    deadline = house.table().deadline
    assert deadline is not None
    return (deadline - house.now) / 1000


def given_back(house: TestHouse) -> list[TimeGivenBack]:
    events = [decode(entry.payload) for entry in house.store() if entry.stream == "table/t1"]
    return [event for event in events if isinstance(event, TimeGivenBack)]


@pytest.mark.parametrize("seconds", [1, 19, 3600])
def test_dsc_2_what_was_left_of_the_time_to_decide_is_left_after_an_outage(seconds: float) -> None:
    house = deciding("ann", "bob")
    house.now += 6_000
    house.decide("bob", "stand")
    assert left(house) == 14
    interrupted(house, seconds)
    assert left(house) == 14
    assert not act(house.table(), house.now, house.shuffler), "nothing is due at the return"
    assert [event.left for event in given_back(house)] == [14_000]
    again = house.restarted().table("t1")
    assert (again.deadline, again.window) == (house.table().deadline, house.table().window)
    house.decide("ann", "stand")
    assert house.table().in_play.decisions_of(1) == [("stand", False)]


def test_dsc_2_a_bet_that_was_waited_for_is_taken_after_an_outage() -> None:
    house = live(betting_seconds=15)
    house.player("ann")
    new_game(house)
    interrupted(house, 100)
    assert left(house) == 15
    house.bet("ann", 1_000)
    assert house.table().staked("ann") == 1_000


@pytest.mark.parametrize(("least", "has"), [(5, 5), (0, 1), (60, 20)])
def test_dsc_2_after_an_outage_there_is_time_to_come_back_and_never_more_than_the_whole(
    least: float, has: float
) -> None:
    house = deciding("ann", "bob", resume_seconds=least)
    house.now += 19_000
    house.decide("bob", "stand")
    interrupted(house, 30)
    assert left(house) == has


def test_dsc_2_several_outages_give_the_same_time_once() -> None:
    house = deciding("ann")
    interrupted(house, 30)
    interrupted(house, 30)
    assert left(house) == 20
    house.now += 20_000
    house.step()
    assert house.table().in_play.decisions_of(1) == [("stand", True)], "the time does end"


def test_dsc_2_a_table_that_nobody_plays_at_or_that_lost_no_time_records_nothing() -> None:
    empty = TestHouse(t1=stadium())
    empty.run_until("betting")
    interrupted(empty, 60)
    waiting_for_dealer = live()
    waiting_for_dealer.player("ann")
    interrupted(waiting_for_dealer, 60)
    at_once = deciding("ann")
    at_once.house.resume(at_once.now, at_once.now)
    assert not [event for house in (empty, waiting_for_dealer, at_once) for event in given_back(house)]


def test_dsc_2_a_correction_that_was_open_keeps_the_time_of_those_who_are_asked() -> None:
    house = deciding("ann")
    house.now += 5_000
    house.at("t1", lambda table: table.open_correction(house.now, by="dana"))
    interrupted(house, 60)
    house.at("t1", lambda table: table.abandon_correction(house.now, by="dana"))
    assert left(house) == 15


def test_card_11_a_card_that_was_read_before_an_outage_is_shown_again_before_it_counts() -> None:
    house = dealing()
    read(house, 1, "9s")
    interrupted(house, 60)
    assert held(house) == "9s"
    assert not act(house.table(), house.now, house.shuffler)
    house.step()
    assert [str(card) for card in house.table().in_play.cards] == ["9s"]


def test_rng_10_nobody_is_barred_from_the_cut_because_the_house_was_away() -> None:
    house = TestHouse(t1=POKER)
    house.player("ann")
    play_round(house, "ann")
    waiting(house)
    commit(house, "ann", device="phone of ann")
    house.step()  # the list of commitments is closed
    interrupted(house, 60)
    assert not act(house.table(), house.now, house.shuffler)
    open_up(house, "ann")
    house.run_until("betting")
    assert not house.table().barred


@pytest.mark.parametrize(
    ("code", "least", "said"),
    [
        ("en", 5, "at least 5 s"),
        ("en", 0, "you have the time that was left."),
        ("es", 7.5, "al menos 7.5 s"),
        ("zh", 5, "至少 5 秒"),
    ],
)
def test_dsc_2_the_rule_for_interruptions_is_printed(code: str, least: float, said: str) -> None:
    config = TableConfig("stadium-blackjack", resume_seconds=least)
    assert said in table_rulebook(config.to_game(), config).text(language(code))


def test_a_time_after_interruptions_that_cannot_be_is_refused() -> None:
    with pytest.raises(Refused, match="resume_seconds"):
        TableConfig("mega-blackjack", resume_seconds=-1).check()


def is_asked(terminal: Client) -> bool:
    turn = terminal.turn()
    return turn is not None and turn.question is not None


@on_a_loop
async def test_dsc_2_while_the_store_is_away_no_time_runs_and_what_was_left_is_left(tmp_path: Path) -> None:
    """Real terminals; the book refuses to answer until the test lets it."""
    async with a_house(tmp_path, a_table(decision_seconds=300, resume_seconds=30)) as served:
        ann, _ = await served.guest()
        bob, _ = await served.guest()
        one, two = await seated(ann), await seated(bob)
        await until_asked(served, one, two)
        both, table = asked(served), served.house.table("t1")
        for terminal in (one, two):
            await until(terminal, partial(is_asked, terminal))
        assert served.opened is not None
        store, floor = served.opened.store, served.opened.floor
        book, back = store._book, asyncio.Event()
        writes, reconnects = book.write, book.reconnect

        def when_back(do: Any, *given: Any) -> Any:
            if not back.is_set():
                raise Away("The store does not answer.")
            return do(*given)

        book.write = partial(when_back, writes)  # type: ignore[method-assign]
        book.reconnect = partial(when_back, reconnects)  # type: ignore[method-assign]
        served.pass_time(100_000)
        answer = asyncio.create_task(one.decide("stand"))
        async with asyncio.timeout(20):
            while not floor.stands_still:
                await asyncio.sleep(0.01)
        before = table.deadline - floor.clock()
        served.pass_time(400_000)
        await asyncio.sleep(0.3)
        assert not [each for each in table.round.events if type(each).__name__ == "TimeExpired"]
        back.set()
        await asyncio.wait_for(answer, 20)
        async with asyncio.timeout(20):
            while table.deadline < floor.clock():
                await asyncio.sleep(0.01)
        assert asked(served) == both - {1}
        assert before - 5_000 < table.deadline - floor.clock() <= before + 5_000
        await until(two, partial(is_asked, two))
        await two.decide("stand")
        assert table.round.decisions_of(2)[-1] == ("stand", False)
        for terminal in (one, two):
            await terminal.__aexit__(None, None, None)
