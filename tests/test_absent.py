"""A player who is away delays nobody (DSC-2), and nobody who is there gets less time."""

import pytest

from podium.basics.refusal import Refused
from podium.basics.words import language
from podium.house.table import TableConfig
from podium.house.table.pace import due
from podium.house.table.printed import table_rulebook
from podium.play.events import BettingClosed, TimeExpired
from podium.server.presence import Presence
from tests.floor import TestHouse, stadium
from tests.live_table import deal, live, new_game
from tests.test_insurance_time import ace_up, asked


def deciding(*players: str, **changes: object) -> TestHouse:
    """A live table where everybody is asked to play a hard 15."""
    house = live(**{"decision_seconds": 20, **changes})
    for player in players:
        house.player(player)
    new_game(house)
    for player in players:
        house.bet(player, 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "9s 7c 6d")
    assert house.table().phase() == "deciding"
    return house


def waits(house: TestHouse) -> int:
    """How long the table waits until it goes on by itself."""
    when = due(house.table(), house.lost.get)
    assert when is not None
    return when - house.now


def test_dsc_2_a_table_waits_three_seconds_for_a_lost_terminal_when_everybody_else_has_answered() -> None:
    house = deciding("ann", "bob")
    house.lost["ann"] = house.now
    assert waits(house) == 20_000, "Bob is there, and has his full time"
    house.now += 1_000
    house.decide("bob", "stand")
    assert waits(house) == 2_000
    house.step()
    played = house.table().in_play
    assert played.events[-1] == TimeExpired((1,))
    assert played.decisions_of(1) == [("stand", True)]
    assert house.table().phase() == "dealing"


def test_dsc_2_the_wait_begins_with_the_loss_and_ends_with_the_full_time() -> None:
    house = deciding("ann")
    house.now += 10_000
    house.lost["ann"] = house.now
    assert waits(house) == 3_000
    house.lost["ann"] = house.now + 9_000
    assert waits(house) == 10_000, "the deadline is never put off"
    del house.lost["ann"]
    assert waits(house) == 10_000


def test_dsc_2_a_player_who_comes_back_has_the_full_time() -> None:
    house = deciding("ann")
    house.lost["ann"] = house.now - 60_000
    assert waits(house) == 3_000
    house.now += 2_999
    house.lost.clear()
    assert waits(house) == 17_001


def test_dsc_2_each_question_has_the_wait_of_its_own() -> None:
    house = ace_up(players=1)
    house.lost["p1"] = house.now - 60_000
    assert asked(house) == {1: "insurance"}
    assert waits(house) == 3_000
    house.step()
    assert house.table().in_play.events[-1] == TimeExpired((1,))
    assert asked(house) == {1: "play"}
    assert waits(house) == 3_000


def test_dsc_2_who_has_answered_about_insurance_does_not_wait_for_the_absent_and_is_not_cut_short() -> None:
    house = ace_up(insurance_seconds=8)
    house.lost.update(p2=house.now, p3=house.now)
    house.now += 1_000
    house.decide("p1", "decline")
    assert asked(house)[1] == "play"
    house.step()
    assert house.table().in_play.events[-1] == TimeExpired((2, 3))
    assert waits(house) == 20_000
    assert house.table().in_play.decisions_of(1) == [("decline", False)]


def test_dsc_2_a_turn_of_an_absent_player_is_short_and_the_next_one_is_full() -> None:
    house = ace_up("match-up-blackjack", "9s 8s 7h 5c 6c 7d", 2, close_early=False)
    house.lost["p1"] = house.now
    assert asked(house) == {1: "play"}
    assert waits(house) == 3_000
    house.step()
    assert asked(house) == {2: "play"}
    assert waits(house) == 20_000


def test_dsc_2_a_leaver_delays_nobody_either() -> None:
    house = deciding("ann", "bob", absent_seconds=4)
    house.now += 5_000
    house.at("t1", lambda table: table.get_up("ann", house.now))
    assert waits(house) == 15_000
    house.decide("bob", "stand")
    assert waits(house) == 4_000
    again = house.restarted().table("t1")
    assert again.leaving == house.table().leaving == {1: house.now}
    house.house.sit_down("ann", "t1", None, house.now)
    assert waits(house) == 15_000, "whoever sits down again is there"


def test_dsc_2_the_time_of_a_correction_is_nobody_s() -> None:
    house = deciding("ann")
    house.lost["ann"] = house.now
    house.now += 1_000
    house.at("t1", lambda table: table.open_correction(house.now, by="dana"))
    assert due(house.table(), house.lost.get) is None
    house.now += 60_000
    house.at("t1", lambda table: table.abandon_correction(house.now, by="dana"))
    assert waits(house) == 2_000


def test_dsc_2_a_window_that_does_not_close_early_is_as_long_for_the_absent() -> None:
    house = deciding("ann", close_early=False)
    house.lost["ann"] = house.now
    assert waits(house) == 20_000


def test_dsc_2_betting_that_closes_early_does_not_wait_for_the_absent() -> None:
    house = TestHouse(t1=stadium(close_betting_early=True, betting_seconds=15))
    house.player("ann")
    house.player("bob")
    house.run_until("betting")
    house.lost["bob"] = house.now
    assert waits(house) == 15_000, "nobody has bet: there is nothing to deal for"
    house.now += 1_000
    house.bet("ann", 1_000)
    assert waits(house) == 2_000
    house.step()
    assert house.table().in_play.events[-1] == BettingClosed()


def test_dsc_2_a_replay_is_the_same() -> None:
    house = deciding("ann", "bob")
    house.lost.update(ann=house.now, bob=house.now)
    house.step()
    deal(house, "Td")
    house.at("t1", lambda table: table.confirm(house.now))
    again = house.restarted()
    played, replayed = house.table().round, again.table("t1").round
    assert played is not None
    assert replayed is not None
    assert replayed.events == played.events
    assert replayed.results == played.results
    assert {str(name): amount for name, amount in again.ledger} == house.balances()


# --- who is away ------------------------------------------------------------------------------------------------------


def test_dsc_2_after_a_start_everybody_who_was_expected_counts_as_there_for_the_full_time() -> None:
    presence = Presence(["ann", "bob"], 1_000)
    assert presence.lost_since("ann", 12_000) == 13_000
    presence.came("ann")
    assert presence.lost_since("ann", 12_000) is None
    presence.went("ann", 5_000)
    assert presence.lost_since("ann", 12_000) == 5_000, "Ann had come back, and went by herself"
    assert presence.lost_since("bob", 12_000) == 13_000
    assert presence.lost_since("carol", 12_000) is None
    presence.forget("bob")
    assert presence.lost_since("bob", 12_000) is None


def test_dsc_2_after_an_outage_of_the_store_whoever_was_lost_meanwhile_is_expected() -> None:
    presence = Presence([], 0)
    for player, gone in (("ann", 4_000), ("bob", 7_000)):
        presence.came(player)
        presence.went(player, gone)
    presence.came_back(since=6_000, now=9_000)
    assert presence.lost_since("ann", 12_000) == 4_000
    assert presence.lost_since("bob", 12_000) == 21_000


# --- the rest of it ---------------------------------------------------------------------------------------------------


def test_a_round_in_which_nobody_bets_is_ended_by_its_dealer_alone() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.at("t1", lambda table: table.void(house.now, by="dana", why="no-wagers"))
    assert house.table().phase() == "void"
    new_game(house)
    house.bet("ann", 1_000)
    with pytest.raises(Refused, match="supervisor must approve"):
        house.at("t1", lambda table: table.void(house.now, by="dana", why="no-wagers"))


@pytest.mark.parametrize("seconds", [-1, 3_601])
def test_a_wait_that_cannot_be_is_refused(seconds: float) -> None:
    with pytest.raises(Refused, match="absent_seconds"):
        TableConfig("mega-blackjack", absent_seconds=seconds).check()


@pytest.mark.parametrize(("code", "said"), [("en", "waits 2.5 s"), ("es", "espera 2.5 s"), ("zh", "等待 2.5 秒")])
def test_dsc_2_the_wait_is_printed(code: str, said: str) -> None:
    config = TableConfig("stadium-blackjack", absent_seconds=2.5)
    assert said in table_rulebook(config.to_game(), config).text(language(code))
