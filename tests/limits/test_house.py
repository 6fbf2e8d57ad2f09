"""What a house keeps in memory: tables, seats, bets, players, requests for money (LED-2), and people with money for
good."""

import pytest

from podium.basics.refusal import Refused
from podium.house import House, HouseConfig, limits, read_config
from podium.house.config import check
from podium.house.house import PLAY_CAGE
from podium.house.limits import MAX_ENTRIES_BETWEEN_SNAPSHOTS
from podium.house.requests import CarriedOut
from podium.house.table import Table
from podium.record.ledger import LedgerFault, account
from tests.floor import OPENING, TestHouse, credit, stadium

# --- tables -------------------------------------------------------------------------------------------------------------


def test_a_house_has_only_so_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_TABLES, in the file and on the floor."""
    monkeypatch.setattr(limits, "MAX_TABLES", 2)
    tables = "".join(f'[tables.t{number}]\ngame = "mega-blackjack"\n' for number in range(3))
    with pytest.raises(Refused, match="There are 3 tables: a house has at most 2"):
        read_config(tables)
    house = TestHouse(t1=stadium(), t2=stadium())
    with pytest.raises(Refused, match="a house has at most 2"):
        house.house.configure_table("t3", stadium(), house.now, by="olga")
    assert set(house.house.tables) == {"t1", "t2"}
    check(HouseConfig(tables={"t1": stadium()}))


def test_a_table_has_only_so_many_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_SEATS_PER_TABLE; a player who sits there may ask again."""
    monkeypatch.setattr(limits, "MAX_SEATS_PER_TABLE", 2)
    house = TestHouse(t1=stadium())
    for name in ("ann", "bob"):
        house.player(name)
    with pytest.raises(Refused, match="All 2 seats of this table are taken"):
        house.player("cat")
    assert house.house.sit_down("ann", "t1", None, house.now) == 1
    house.at("t1", lambda table: table.get_up("bob", house.now))
    assert house.house.sit_down("cat", "t1", None, house.now) == 2


def test_a_bet_is_changed_only_so_often_in_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_BETS_PER_ROUND: the round's events do not grow with what a player taps."""
    monkeypatch.setattr(limits, "MAX_BETS_PER_ROUND", 3)
    house = TestHouse(t1=stadium())
    for name in ("ann", "bob"):
        house.player(name)
    house.run_until("betting")
    for amount in (100, 200, 300):
        house.bet("ann", amount)
    with pytest.raises(Refused, match="You have changed your bet 3 times in this round: it stays as it is"):
        house.bet("ann", 400)
    house.bet("bob", 100)
    assert house.table().staked("ann") == 300
    house.run_until("result")
    house.run_until("betting")
    house.bet("ann", 400)
    assert house.table().staked("ann") == 400


def test_past_rounds_and_ended_shoes_of_a_table_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_SHOWN_ROUNDS_PER_TABLE, MAX_ENDED_SHOES_PER_TABLE."""
    monkeypatch.setattr(limits, "MAX_SHOWN_ROUNDS_PER_TABLE", 3)
    monkeypatch.setattr(limits, "MAX_ENDED_SHOES_PER_TABLE", 2)
    house = TestHouse(t1=stadium(game="stadium-three-card-poker"))  # one deck, shuffled for every round
    house.player("ann")
    for _ in range(5):
        house.run_until("betting")
        house.house.bet("ann", "t1", {"ante": 500}, {}, (), house.now)
        house.run_until("result")
    table: Table = house.table()
    assert [each.round for each in table.history] == [3, 4, 5]
    assert list(table.shoes) == [3, 4]


# --- players ------------------------------------------------------------------------------------------------------------


def test_only_so_many_players_are_kept_in_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_PLAYERS; a known player may come again."""
    monkeypatch.setattr(limits, "MAX_PLAYERS", 2)
    house = TestHouse(t1=stadium())
    for name in ("ann", "bob"):
        house.house.admit(name, "card", house.now)
    with pytest.raises(Refused, match="The house is full: it has 2 players"):
        house.house.admit("cat", "card", house.now)
    house.house.admit("ann", "card", house.now)
    house.house.forget(["bob"], (), house.now)
    house.house.admit("cat", "card", house.now)
    assert set(house.house.players) == {"ann", "cat"}


def test_people_with_money_or_a_seat_are_never_forgotten() -> None:
    house = TestHouse(t1=stadium())
    house.player("seated", credit=OPENING)
    house.house.pay_out("seated", OPENING, house.now, key="o1", by="carl")
    for name in ("rich", "gone"):
        house.house.admit(name, "card", house.now)
    house.house.pay_in("rich", 1, house.now, key="i1", by="carl")
    house.house.forget(["seated", "rich", "gone", "nobody"], (), house.now)
    assert set(house.house.players) == {"seated", "rich"}
    assert house.restarted().players == house.house.players


def test_a_win_that_an_attendant_must_pay_is_money_too() -> None:
    house = TestHouse(t1=stadium())
    house.house.admit("ann", "card", house.now)
    house.house.ledger._balances[account("attendant", "ann")] = 5
    assert not house.house.has_left("ann")


def test_a_forgotten_player_who_comes_again_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_FORGOTTEN_AT_ONCE: more are let go by further entries."""
    monkeypatch.setattr(limits, "MAX_FORGOTTEN_AT_ONCE", 2)
    house = TestHouse(t1=stadium())
    names = [f"guest-{number}" for number in range(5)]
    for name in names:
        house.house.admit(name, "guest", house.now)
    house.house.forget(names, (), house.now)
    assert house.house.players == {}
    entries = [entry for entry in house.store() if entry.kind == "forgotten"]
    assert len(entries) == 3
    house.house.admit("guest-1", "ticket", house.now)
    assert house.restarted().players == {"guest-1": "ticket"}


def test_the_play_money_of_a_guest_who_is_gone_goes_back() -> None:
    house = TestHouse(t1=stadium())
    house.house.admit("guest-1", "guest", house.now)
    house.house.pay_in("guest-1", 700, house.now, key="welcome.guest-1", by="house")
    house.house.admit("ann", "card", house.now)
    house.house.pay_in("ann", 500, house.now, key="i1", by="carl")
    for player in ("guest-1", "ann"):
        house.house.take_back_play_money(player, house.now)
    assert house.balances() == {"credit/ann": 500, "cage/main": -500}
    assert house.house.ledger[PLAY_CAGE] == 0
    house.house.sit_down("guest-1", "t1", None, house.now)
    house.house.pay_in("guest-1", 700, house.now, key="i2", by="house")
    house.house.take_back_play_money("guest-1", house.now)
    assert credit(house.house, "guest-1") == 700, "whoever has a seat is not gone"


# --- requests (LED-2) ---------------------------------------------------------------------------------------------------


def test_led_2_a_house_that_has_forgotten_a_request_does_not_pay_before_the_ledger_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MAX_REMEMBERED_REQUESTS: beyond them the house does not guess."""
    monkeypatch.setattr(limits, "MAX_REMEMBERED_REQUESTS", 3)
    house = TestHouse(t1=stadium())
    desk: House = house.house
    desk.admit("ann", "card", house.now)
    for number in range(4):
        desk.pay_in("ann", 100, house.now, key=f"k{number}", by="carl")
    assert len(desk.requests) == 3
    desk.pay_in("ann", 100, house.now, key="k3", by="carl")
    with pytest.raises(LedgerFault, match="nobody has looked it up"):
        desk.pay_in("ann", 100, house.now, key="k0", by="carl")
    done = next(transfer for entry in house.store() for transfer in entry.transfers if transfer.id == "k0")
    with desk.requests.looked_up("k0", CarriedOut(done, "")):
        desk.pay_in("ann", 100, house.now, key="k0", by="carl")
        with pytest.raises(Refused, match="was used for another request"):
            desk.pay_out("ann", 100, house.now, key="k0", by="carl")
    assert credit(desk, "ann") == 400
    with desk.requests.looked_up("k9", None):
        desk.pay_in("ann", 100, house.now, key="k9", by="carl")
    assert credit(desk, "ann") == 500


def test_led_2_what_was_done_meanwhile_counts_more_than_what_was_looked_up() -> None:
    """Somebody looked, and while they waited the same request was carried out for somebody else."""
    house = TestHouse(t1=stadium())
    house.house.requests.complete = False
    for _ in range(2):
        with house.house.requests.looked_up("k1", None):
            house.house.pay_in("ann", 100, house.now, key="k1", by="carl")
    assert credit(house.house, "ann") == 100


def test_a_snapshot_comes_after_so_many_entries() -> None:
    """MAX_ENTRIES_BETWEEN_SNAPSHOTS is what a house begins with; tests/limits/test_snapshot.py reaches it."""
    begins_with = House.__init__.__kwdefaults__ or {}
    assert begins_with["snapshot_every"] == MAX_ENTRIES_BETWEEN_SNAPSHOTS
    assert begins_with["house_snapshot_every"] == MAX_ENTRIES_BETWEEN_SNAPSHOTS
