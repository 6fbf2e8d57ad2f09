"""Player protection (PROT-1): limits, exclusions, breaks and reminders, which nothing passes: no box, table, decision or restart."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house import House, electronic, protecting, ticketing
from podium.house.protection import IDLE_PLAY_MS, LATER_MS, MINUTE_MS, NO_LIMITS, PlayLimits
from podium.record.ledger import account, kind_of, names_of
from tests.floor import OPENING, TestHouse, stadium
from tests.ticket_numbers import ticket_numbers

DAY_MS = 24 * 60 * MINUTE_MS


def a_house(*, every: int = 10_000, config: dict[str, Any] | None = None, **changes: Any) -> TestHouse:
    """Two tables where ann sits with three boxes, and bob."""
    quick = {"betting_seconds": 10, "decision_seconds": 10, "result_seconds": 1, **changes}
    house = TestHouse(every, t1=stadium(**quick), t2=stadium(game="stadium-three-card-poker", **quick))
    if config:
        house.house.configure(msgspec.structs.replace(house.house.config, **config), house.now)
    for name in ("ann", "bob"):
        house.house.admit(name, "card", house.now)
        house.house.pay_in(name, OPENING, house.now, key=f"buy-in.{name}", by="carl")
    return house


def sit(house: TestHouse) -> TestHouse:
    for player in ("ann", "bob"):
        for table in ("t1", "t2"):
            house.house.sit_down(player, table, None, house.now)
    house.house.sit_down("ann", "t1", None, house.now, box=2)
    return house


def open_tables(house: TestHouse, *names: str) -> None:
    """Until bets are taken, with time left."""
    for name in names or ("t1", "t2"):
        found = house.table(name)
        while found.phase() != "betting" or found.deadline is None or found.deadline <= house.now:
            house.step(name)


def choose(house: TestHouse, **limits: int) -> None:
    protecting.choose_limits(house.house, "ann", PlayLimits(**limits), house.now)


def bet(house: TestHouse, amount: int, table: str = "t1", box: int | None = None) -> None:
    wager = "blackjack" if table == "t1" else "ante"
    house.house.bet("ann", table, {wager: amount}, {}, (), house.now, box=box)


# --- limits ---------------------------------------------------------------------------------------------------------------


def test_prot_1_a_limit_of_stakes_binds_all_boxes_and_tables_together() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, stake=10_000)
    bet(house, 4_000)
    bet(house, 2_000, box=2)
    with pytest.raises(Refused, match=r"100.00 at stake at once; 40.00 is left"):
        bet(house, 2_500, "t2")  # an ante asks for as much again
    bet(house, 2_000, "t2")
    with pytest.raises(Refused, match=r"0.00 is left"):
        bet(house, 4_100)
    bet(house, 500)  # less is never refused
    bet(house, 4_000)


def test_prot_1_a_limit_of_loss_counts_what_lies_on_the_tables_as_lost() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, loss=9_000)
    bet(house, 5_000)
    bet(house, 1_500, "t2")
    with pytest.raises(
        Refused, match=r"a loss of 90.00 in a gaming day; with what lies on the tables 10.00 is left of it"
    ):
        bet(house, 1_100, box=2)
    bet(house, 1_000, box=2)


def test_prot_1_money_that_comes_and_goes_at_the_desk_is_not_won_or_lost() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, loss=5_000)
    bet(house, 5_000)
    house.house.pay_in("ann", 70_000, house.now, key="more", by="carl")
    electronic.transfer_in(house.house, "ann", 5_000, house.now, key="e", by="carl", reference="x")
    with pytest.raises(Refused, match=r"0.00 is left"):
        bet(house, 500, box=2)
    house.run_until("result")
    house.run_until("betting")
    lost = OPENING + 75_000 - house.house.credit("ann")
    assert house.house.lost_today("ann", house.now) == lost
    house.house.pay_out("ann", 30_000, house.now, key="less", by="carl")
    drawn = ticket_numbers("t").draw("ticket")
    ticketing.cash_out(house.house, "ann", drawn, house.now, key="ticket")
    assert house.house.credit("ann") == 0
    assert house.house.lost_today("ann", house.now) == lost


def test_prot_1_a_double_or_an_insurance_passes_no_limit_and_play_is_reserved_with_the_ante() -> None:
    """At any hand that comes: whatever is asked, what is decided keeps the limit, and a hand of poker may always go on."""
    asked = set()
    for seed in range(12):
        house = sit(a_house())
        open_tables(house)
        most = 2_000 + 500 * (seed % 3)
        choose(house, stake=most)
        bet(house, 1_000)
        bet(house, 500, "t2")
        for table, choices in (("t1", ("insure", "double", "split", "stand", "no-insurance")), ("t2", ("play",))):
            for _ in range(60):
                found = house.table(table)
                if found.phase() in ("result", "waiting"):
                    break
                if found.phase() in ("deciding", "insurance"):
                    for choice in choices:
                        try:
                            house.house.decide("ann", table, choice, house.now)
                        except Refused as refusal:
                            if "at stake at once" in str(refusal):
                                asked.add(f"{table} {choice}")
                            continue
                        break
                assert in_play(house.house, "ann") <= most
                house.step(table)
    assert not {each for each in asked if each.startswith("t2")}, "a hand of poker could not go on"
    assert {each for each in asked if each.startswith("t1")}, "no decision ever met the limit"


def in_play(house: House, player: str) -> int:
    return sum(amount for name, amount in house.ledger if kind_of(name) == "in-play" and names_of(name)[1] == player)


def test_prot_1_a_lower_limit_holds_at_once_and_a_higher_one_after_a_day() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, stake=5_000, loss=20_000)
    choose(house, stake=8_000, loss=10_000)
    limits = house.house.protection.limits
    assert limits("ann", house.now) == PlayLimits(stake=5_000, loss=10_000)
    assert limits("ann", house.now + LATER_MS - 1) == PlayLimits(stake=5_000, loss=10_000)
    assert limits("ann", house.now + LATER_MS) == PlayLimits(stake=8_000, loss=10_000)
    choose(house)  # none at all is the highest there is
    assert limits("ann", house.now) == PlayLimits(stake=5_000, loss=10_000)
    assert limits("ann", house.now + LATER_MS) == NO_LIMITS
    choose(house, stake=6_000)  # changing one's mind begins the day anew, and the lower one stays
    assert limits("ann", house.now + LATER_MS - 1).stake == 5_000
    assert limits("bob", house.now) == NO_LIMITS


def test_prot_1_the_first_limits_hold_at_once() -> None:
    house = sit(a_house())
    choose(house, stake=5_000, minutes=60)
    assert house.house.protection.limits("ann", house.now) == PlayLimits(stake=5_000, minutes=60)


def test_prot_1_time_of_play_runs_over_all_tables_and_ends_with_a_pause() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, minutes=30)
    bet(house, 500)
    day = house.house.protection.day("ann", house.now)
    assert day is not None
    began = house.now
    house.run_until("result")
    house.now = began + 10 * MINUTE_MS - 1
    protecting.end_idle_play(house.house, house.now)
    assert "ann" in house.house.protection.playing(), "ten minutes are not over"
    house.now = began + IDLE_PLAY_MS
    protecting.end_idle_play(house.house, house.now)
    assert "ann" not in house.house.protection.playing()
    house.now += 60 * MINUTE_MS  # nobody plays
    open_tables(house, "t2")
    bet(house, 500, "t2")
    house.now += 20 * MINUTE_MS - 30_000
    open_tables(house, "t1")
    bet(house, 500)
    house.now += 60_000
    open_tables(house, "t1")
    with pytest.raises(Refused, match="30 minutes of play in a gaming day: they are used up"):
        bet(house, 500)


def test_prot_1_another_gaming_day_begins_anew_and_the_day_is_the_houses() -> None:
    house = sit(a_house(config={"day_begins": "06:00"}))
    open_tables(house)
    choose(house, loss=1_000)
    bet(house, 1_000)
    day = house.house.protection.day("ann", house.now)
    assert day is not None
    assert day.until == 6 * 60 * MINUTE_MS, "at six in the morning of the first of January 1970"
    assert house.house.protection.day("ann", day.until - 1) == day
    assert house.house.protection.day("ann", day.until) is None


def test_prot_1_a_reminder_stops_the_next_wager_until_it_is_read() -> None:
    house = sit(a_house(config={"reminder_minutes": 30}))
    open_tables(house)
    bet(house, 500)
    protecting.read_reminder(house.house, "ann", house.now)  # none is due: nothing happens
    house.now += 30 * MINUTE_MS
    open_tables(house)
    with pytest.raises(Refused, match="read the reminder before you bet again"):
        bet(house, 500)
    protecting.read_reminder(house.house, "ann", house.now)
    bet(house, 500)
    choose(house, reminder=10)  # a player may want it more often
    house.now += 10 * MINUTE_MS
    assert house.house.protection.is_reminder_due("ann", house.now, 30)
    kinds = [entry.kind for entry in house.store()]
    assert kinds.count("reminder-read") == 1


# --- exclusions -----------------------------------------------------------------------------------------------------------


def refused_everything(house: TestHouse, match: str) -> None:
    """Somebody who is excluded can neither sit, nor bet, nor bring money; what they have is paid out."""
    acts: list[Callable[[], object]] = [
        lambda: house.house.sit_down("ann", "t1", None, house.now),
        lambda: bet(house, 500),
        lambda: house.house.pay_in("ann", 500, house.now, key="x", by="carl"),
        lambda: electronic.transfer_in(house.house, "ann", 500, house.now, key="x", by="carl", reference="r"),
        lambda: house.house.check_admitted("ann", house.now),
    ]
    for act in acts:
        with pytest.raises(Refused, match=match):
            act()


def test_prot_1_whoever_is_excluded_plays_no_more_and_is_paid_out() -> None:
    house = sit(a_house())
    open_tables(house)
    numbers = ticket_numbers("t")
    sold = numbers.draw("sold")
    ticketing.sell(house.house, sold, 700, house.now, key="sold", by="carl")
    protecting.exclude_by_house(house.house, "ann", 0, house.now, by="sue", reason="asked by the family")
    refused_everything(house, "ann may not play in this house")
    with pytest.raises(Refused, match="may not play"):
        ticketing.redeem(house.house, "ann", sold, house.now, key="redeem")
    house.house.pay_out("ann", OPENING, house.now, key="all", by="carl")
    assert house.house.credit("ann") == 0
    house.house.bet("bob", "t1", {"blackjack": 500}, {}, (), house.now)


def test_prot_1_a_round_in_play_is_finished_and_the_seat_is_free_after_it() -> None:
    house = sit(a_house())
    open_tables(house)
    bet(house, 500)
    protecting.take_break(house.house, "ann", 24, house.now)
    assert house.table().seats["ann"]
    house.run_until("result")
    house.run_until("betting")
    assert "ann" not in house.table().seats
    assert "ann" not in house.table("t2").seats


def test_prot_1_what_players_choose_for_themselves_nobody_takes_back() -> None:
    house = a_house()
    protecting.exclude_self(house.house, "ann", 365, house.now)
    refused_everything(house, "chose not to play until 1971-01-01 00:16")
    acts: list[Callable[[], None]] = [
        lambda: protecting.exclude_self(house.house, "ann", 180, house.now),
        lambda: protecting.lift(house.house, "ann", house.now, by="sue", second="olga", reason="she asks"),
    ]
    for act in acts:
        with pytest.raises(Refused, match="holds to its end"):
            act()
    with pytest.raises(Refused, match="not offered"):
        protecting.exclude_self(house.house, "ann", 1, house.now)
    house.now += 365 * DAY_MS
    house.house.sit_down("ann", "t1", None, house.now)


def test_prot_1_a_break_ends_by_itself_and_an_exclusion_behind_it_does_not() -> None:
    house = a_house()
    protecting.take_break(house.house, "ann", 2, house.now)
    protecting.exclude_by_house(house.house, "ann", 30, house.now, by="sue", reason="a dispute")
    refused_everything(house, "may not play in this house until 1970-01-31")
    protecting.lift(house.house, "ann", house.now, by="sue", second="olga", reason="settled")
    refused_everything(house, "chose not to play until 1970-01-01 02:16")
    house.now += 2 * 60 * MINUTE_MS
    house.house.sit_down("ann", "t1", None, house.now)
    with pytest.raises(Refused, match="is not excluded"):
        protecting.lift(house.house, "ann", house.now, by="sue", second="olga", reason="again")


@pytest.mark.parametrize("hours", [0, -1, 721])
def test_prot_1_a_break_lasts_an_hour_to_thirty_days(hours: int) -> None:
    house = a_house()
    with pytest.raises(Refused, match="1 to 720 hours"):
        protecting.take_break(house.house, "ann", hours, house.now)


def test_prot_1_guests_with_play_money_are_told_that_nothing_applies_and_have_no_limits() -> None:
    house = a_house(config={"guests": True, "least_age": 21})
    house.house.admit("gus", "guest", house.now)
    house.house.pay_in("gus", 1_000, house.now, key="g", by="house")
    house.house.sit_down("gus", "t1", None, house.now)
    acts: list[Callable[[], None]] = [
        lambda: protecting.choose_limits(house.house, "gus", PlayLimits(loss=1), house.now),
        lambda: protecting.take_break(house.house, "gus", 1, house.now),
        lambda: protecting.confirm_age(house.house, "gus", house.now, by="gus"),
    ]
    for act in acts:
        with pytest.raises(Refused, match="You play with play money"):
            act()


def test_prot_1_an_age_is_confirmed_once_before_anybody_sits_down() -> None:
    house = a_house(config={"least_age": 21})
    with pytest.raises(Refused, match="at least 21 years old"):
        house.house.sit_down("ann", "t1", None, house.now)
    protecting.confirm_age(house.house, "ann", house.now, by="ann")
    house.house.sit_down("ann", "t1", None, house.now)
    checked = a_house(config={"least_age": 21, "age_checked": True})
    with pytest.raises(Refused, match="Show a document at the cashier"):
        protecting.confirm_age(checked.house, "ann", checked.now, by="ann")
    protecting.confirm_age(checked.house, "ann", checked.now, by="carl")
    checked.house.sit_down("ann", "t1", None, checked.now)


# --- restarts -------------------------------------------------------------------------------------------------------------


def test_prot_1_a_restart_changes_nothing() -> None:
    house = sit(a_house(config={"reminder_minutes": 5}))
    open_tables(house)
    choose(house, loss=9_000, stake=7_000, minutes=100)
    choose(house, loss=12_000)
    bet(house, 2_000)
    house.run_until("result")
    house.now += 6 * MINUTE_MS
    house.run_until("betting")
    protecting.read_reminder(house.house, "ann", house.now)
    bet(house, 1_000)
    again = house.restarted()
    assert again.protection.whole() == house.house.protection.whole()
    assert again.lost_today("ann", house.now) == house.house.lost_today("ann", house.now)
    with pytest.raises(Refused, match="at stake at once"):
        again.bet("ann", "t1", {"blackjack": 7_100}, {}, (), house.now)


def test_prot_1_a_snapshot_of_the_house_keeps_it_all() -> None:
    house = sit(a_house())
    open_tables(house)
    choose(house, loss=9_000)
    bet(house, 2_000)
    protecting.exclude_self(house.house, "bob", 180, house.now)
    snapshot = house.house._snapshot()
    from_it = House(house.shuffler)
    from_it._apply(snapshot, (), house.now)
    assert from_it.protection.whole() == house.house.protection.whole() != {}
    assert [name for name, _ in from_it.protection.excluded(house.now)] == ["bob"]


def test_prot_1_whoever_was_forgotten_comes_back_with_the_same_day() -> None:
    """Who has lost everything and leaves is dropped from memory; the limit must not begin anew with the next buy-in."""
    house = sit(a_house())
    open_tables(house)
    choose(house, loss=3_000)
    bet(house, 1_000)
    house.run_until("result")
    house.run_until("betting")
    lost = house.house.lost_today("ann", house.now)
    house.house.pay_out("ann", house.house.credit("ann"), house.now, key="all", by="carl")
    for table in ("t1", "t2"):
        house.at(table, lambda table: table.get_up("ann", house.now))
    house.house.forget(["ann"], [], house.now)
    assert "ann" not in house.house.players
    house.house.admit("ann", "card", house.now)
    house.house.pay_in("ann", 10_000, house.now, key="back", by="carl")
    assert house.house.lost_today("ann", house.now) == lost
    assert house.house.protection.limits("ann", house.now).loss == 3_000


@pytest.mark.parametrize("seed", range(6))
def test_prot_1_no_walk_through_boxes_tables_decisions_desk_and_restarts_passes_a_limit(seed: int) -> None:
    """The loss is summed here from the transfers themselves, the stake from the accounts in play."""
    chance = Random(seed)
    house = sit(a_house())
    choose(house, loss=20_000, stake=8_000)
    met = 0
    for _ in range(160):
        act = chance.choice(["bet", "bet", "bet", "decide", "step", "step", "step", "desk", "restart"])
        table = chance.choice(["t1", "t2"])
        try:
            match act:
                case "bet":
                    box = chance.choice([None, 2]) if table == "t1" else None
                    bet(house, 100 * chance.randint(5, 70), table, box)
                case "decide":
                    choice = chance.choice(["double", "split", "stand", "hit", "insure", "play"])
                    house.house.decide("ann", table, choice, house.now)
                case "desk":
                    key = f"d{chance.random()}"
                    house.house.pay_in("ann", chance.randint(1, 9_000), house.now, key=key, by="carl")
                case "restart":
                    house.house = house.restarted()
                case "step":
                    house.step(table)
        except Refused as refusal:
            met += "Your own limit" in str(refusal)
        except AssertionError:
            pass  # the table waits for somebody
        assert in_play(house.house, "ann") <= 8_000
        assert lost_by_transfers(house) <= 20_000
    assert met, "no limit was ever met"


def lost_by_transfers(house: TestHouse) -> int:
    """What a player has lost since the first wager, with what lies on the tables, by the tables' own transfers."""
    own, lost = account("credit", "ann"), 0
    for entry in house.store():
        if entry.stream != "house":
            lost += sum(each.amount * ((each.debit == own) - (each.credit == own)) for each in entry.transfers)
    return lost
