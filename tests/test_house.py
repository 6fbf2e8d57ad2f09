"""The house: everybody's money, asked for once or a hundred times."""

from collections.abc import Callable

import msgspec
import pytest

from podium.basics.cards import card, cards
from podium.basics.refusal import Refused
from podium.house import DEMONSTRATION, House, HouseConfig, read_config, ticketing, write_config
from podium.house.table.events import SNAPSHOT
from podium.house.table.money import FLOWS, Flows
from podium.record.journal import BrokenChain, Chain
from podium.record.ledger import ROUND_FLOWS, LedgerFault
from tests.floor import OPENING, TestHouse, credit, stadium
from tests.simulator.state import written
from tests.ticket_numbers import ticket_numbers


def test_buy_in_and_cash_out_move_money_between_cage_and_credit() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.house.pay_out("ann", 30_000, house.now, key="o1", by="carl")
    assert house.balances() == {"cage/main": -70_000, "credit/ann": 70_000}


def test_led_2_a_request_that_is_sent_again_happens_once() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    for _ in range(3):
        house.house.pay_out("ann", OPENING, house.now, key="o1", by="carl")
    assert house.balances() == {}
    with pytest.raises(Refused, match="was used for another request"):
        house.house.pay_out("ann", 1, house.now, key="o1", by="carl")


def test_led_2_an_adjustment_the_other_way_is_another_request() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    people = {"by": "carl", "second": "sue", "reason": "miscounted"}
    house.house.adjust("ann", 500, house.now, key="a1", **people)
    with pytest.raises(Refused, match="was used for another request"):
        house.house.adjust("ann", -500, house.now, key="a1", **people)
    assert credit(house.house, "ann") == OPENING + 500


def test_led_2_a_win_paid_to_another_player_is_another_request() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.player("bob")
    house.house.pay_in("ann", 500, house.now, key="k1", by="carl")
    with pytest.raises(Refused, match="was used for another request"):
        house.house.attendant_paid("bob", house.now, key="k1", by="carl")


@pytest.mark.parametrize("amount", [2**63, 2**200, 1_000_000_01])
def test_sec_8_one_act_at_the_desk_moves_no_more_than_the_house_allows(amount: int) -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    before = house.balances()
    acts: list[Callable[[], object]] = [
        lambda: house.house.pay_in("ann", amount, house.now, key="k1", by="carl"),
        lambda: house.house.pay_out("ann", amount, house.now, key="k2", by="carl"),
        lambda: house.house.adjust("ann", amount, house.now, key="k3", by="carl", second="sue", reason="miscounted"),
        lambda: ticketing.sell(house.house, ticket_numbers("t").draw("k4"), amount, house.now, key="k4", by="carl"),
    ]
    for act in acts:
        with pytest.raises(Refused, match=r"above the limit of 1,000,000\.00 for one act at the desk"):
            act()
    assert house.balances() == before


def test_led_2_also_after_a_restart() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    again = house.restarted()
    again.pay_in("ann", OPENING, house.now, key="buy-in.ann", by="cashier")
    assert credit(again, "ann") == OPENING


def test_csh_2_no_cash_out_with_wagers_in_play() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    with pytest.raises(Refused, match="CSH-2"):
        house.house.pay_out("ann", 100, house.now, key="o1", by="carl")


def test_nobody_cashes_out_more_than_the_credit() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    with pytest.raises(Refused, match="less than"):
        house.house.pay_out("ann", OPENING + 1, house.now, key="o1", by="carl")


@pytest.mark.parametrize("amount", [0, -5, True, 1.5])
def test_an_amount_is_whole_and_above_zero(amount: int) -> None:
    house = TestHouse(t1=stadium())
    with pytest.raises(Refused, match="not an amount"):
        house.house.pay_in("ann", amount, house.now, key="i1", by="carl")


def test_more_credit_in_mid_round_can_be_staked_in_it() -> None:
    house = TestHouse(t1=stadium(dealer="live"))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann", credit=1_000)
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    for one in cards("5s 6c 6s"):
        house.at("t1", lambda table, one=one: table.deal(one, house.now))  # type: ignore[misc]
    with pytest.raises(Refused, match=r"costs 10\.00, and the credit is 0\.00"):
        house.decide("ann", "double")
    house.house.pay_in("ann", 1_000, house.now, key="i2", by="carl")
    house.decide("ann", "double")
    assert credit(house.house, "ann") == 0


def test_csh_1_an_adjustment_needs_two_people_and_a_reason() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    for second, reason in (("", "lost chips"), ("carl", "lost chips"), ("sue", "  ")):
        with pytest.raises(Refused, match="CSH-1"):
            house.house.adjust("ann", 500, house.now, key="a1", by="carl", second=second, reason=reason)
    house.house.adjust("ann", -500, house.now, key="a1", by="carl", second="sue", reason="paid twice")
    assert credit(house.house, "ann") == OPENING - 500
    moved = next(entry for entry in house.store() if b"paid twice" in entry.payload)
    assert b'"before":100000' in moved.payload
    assert b'"after":99500' in moved.payload


def test_a_player_sits_at_four_tables_at_most() -> None:
    house = TestHouse(**{f"t{number}": stadium() for number in range(1, 6)})
    house.player("ann")
    for name in ("t2", "t3", "t4"):
        house.house.sit_down("ann", name, None, house.now)
    with pytest.raises(Refused, match="You sit at t1, t2, t3, t4: leave one of these tables first"):
        house.house.sit_down("ann", "t5", None, house.now)
    house.at("t2", lambda table: table.get_up("ann", house.now))
    assert house.house.sit_down("ann", "t5", None, house.now) == 1


def test_evt_4_an_entry_that_was_altered_is_found_when_the_house_starts() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    streams = house.streams()
    entry = streams["table/t1"][2]
    streams["table/t1"][2] = entry._replace(payload=entry.payload.replace(b"t1", b"t2") + b" ")
    again = type(house.house)(house.shuffler)
    with pytest.raises(BrokenChain, match="was altered"):
        again.restore(streams)


def test_a_happening_that_would_move_other_money_now_is_found() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    streams = house.streams()
    forged = Chain("table/t1")
    streams["table/t1"] = [
        forged.add(entry.time, entry.kind, entry.payload, () if entry.kind == "wagers-placed" else entry.transfers)
        for entry in streams["table/t1"]
    ]
    again = type(house.house)(house.shuffler)
    with pytest.raises(LedgerFault, match="moved other money"):
        again.restore(streams)


def test_a_journal_whose_transfers_have_no_flow_yet_comes_back_the_same() -> None:
    house = after_some_rounds()
    streams = house.streams()
    older = Chain("table/t1")
    streams["table/t1"] = [
        older.add(
            entry.time,
            entry.kind,
            entry.payload,
            tuple(msgspec.structs.replace(transfer, flow="") for transfer in entry.transfers),
        )
        for entry in streams["table/t1"]
    ]
    assert not any(b"flow" in entry.money for entry in streams["table/t1"])
    again = House(house.shuffler)
    again.restore(streams)
    assert written(again.table("t1")) == written(house.table())
    assert again.table("t1").handle == 12 * 300 + 500


def test_every_flow_of_a_round_has_its_place_in_the_ledger() -> None:
    assert Flows._fields == tuple(FLOWS) == ROUND_FLOWS


def after_some_rounds() -> TestHouse:
    """A house in the middle of a round, whose table was written down several times."""
    house = TestHouse(30, t1=stadium())
    for name in ("ann", "bob"):
        house.player(name)
    for _ in range(12):
        house.run_until("betting")
        house.bet("ann", 300)
        house.run_until("result")
    house.run_until("betting")
    house.bet("bob", 500)
    return house


def test_int_1_a_house_that_begins_where_its_table_stood_is_the_same() -> None:
    house = after_some_rounds()
    entries = house.streams()["table/t1"]
    snapshot = [entry for entry in entries if entry.kind == SNAPSHOT]
    assert len(snapshot) > 2
    again = House(house.shuffler)
    tail = house.streams() | {"table/t1": entries[snapshot[-1].sequence - 1 :]}
    again.restore(tail, dict(house.house.ledger))
    assert written(again.table("t1")) == written(house.table())
    assert dict(again.ledger) == dict(house.house.ledger)
    for either in (again, house.house):
        either.bet("ann", "t1", {"blackjack": 700}, {}, (), house.now)
    assert [entry.hash for entry in again.take_entries()] == [entry.hash for entry in house.store()[-1:]]


def test_evt_4_a_table_that_was_written_down_otherwise_than_it_stood_is_found() -> None:
    house = after_some_rounds()
    streams = house.streams()
    forged = Chain("table/t1")
    streams["table/t1"] = [
        forged.add(entry.time, entry.kind, entry.payload.replace(b'"2":"bob"', b'"2":"ann"'), entry.transfers)
        if entry.kind == SNAPSHOT
        else forged.add(entry.time, entry.kind, entry.payload, entry.transfers)
        for entry in streams["table/t1"]
    ]
    again = House(house.shuffler)
    with pytest.raises(Refused, match="differs from its snapshot after"):
        again.restore(streams)


# --- configuration -----------------------------------------------------------------------------------------------------


def test_a_configuration_is_written_and_read_without_loss() -> None:
    assert read_config(write_config(DEMONSTRATION)) == DEMONSTRATION


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x =", "not TOML"),
        ("colour = 1", "unknown field `colour`. The keys here are name"),
        ('[tables.A]\ngame = "mega-blackjack"', "small letters"),
        ('[tables.a]\ngame = "chess"', "There is no game 'chess'"),
        ('[tables.a]\ngame = "mega-blackjack"\nspeed = 1', "unknown field `speed`. The keys here are game"),
        ('[tables.a]\ngame = "mega-blackjack"\n[tables.a.options]\ndecks = 3', "decks = 3 is not allowed"),
        ('[tables.a]\ngame = "mega-blackjack"\nbetting_seconds = 0', "more than 0"),
        ('[tables.a]\ngame = "mega-blackjack"\npenetration = 1.5', "0.1 to 0.9"),
        ("ticket_days = 0", "1 to 3650"),
    ],
)
def test_a_mistake_in_a_configuration_is_explained(text: str, said: str) -> None:
    with pytest.raises(Refused, match=said.replace("`", ".")):
        read_config(text)


def test_the_demonstration_house_opens_all_five_games() -> None:
    house = TestHouse(**DEMONSTRATION.tables)
    assert {table.upcoming.game for table in house.house.tables.values()} == {
        config.game for config in DEMONSTRATION.tables.values()
    }
    assert len(house.house.tables) == 5
    assert HouseConfig().tables == {}


def test_mtr_1_game_2_a_game_counts_for_the_terminal_where_its_bet_was_made() -> None:
    """What a double adds and what the game wins belong to the terminal of the bet, also when the player went elsewhere."""
    house = TestHouse(t1=stadium(dealer="live"))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    house.player("ann")
    for amount, terminal in ((500, "t-1"), (1_000, "t-2"), (0, "t-1"), (1_000, "t-2")):
        house.house.bet("ann", "t1", {"blackjack": amount} if amount else {}, {}, (), house.now, terminal=terminal)
    house.at("t1", lambda table: table.close_bets(house.now))
    for code in "6s 5d 5c".split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]
    house.decide("ann", "double")
    for code in "Ts Kd 9h".split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]
    house.at("t1", lambda table: table.confirm(house.now))
    moved = [transfer for entry in house.store() for transfer in entry.transfers if transfer.table]
    assert [(transfer.kind, transfer.amount, transfer.terminal) for transfer in moved] == [
        ("stake", 500, "t-1"),
        ("stake", 500, "t-2"),
        ("stake-back", 1_000, "t-1"),
        ("stake", 1_000, "t-2"),
        ("stake", 1_000, "t-2"),
        ("stake-back", 2_000, "t-2"),
        ("win", 2_000, "t-2"),
    ]
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_a_table_that_was_closed_before_its_first_round_stays_closed() -> None:
    """Its configuration is not in force yet, and it is not new for that."""
    house = TestHouse(t1=stadium(), t2=stadium())
    house.house.at_table("t1", lambda table: table.close(house.now, by="ops", paused=True))
    house.house.configure(msgspec.structs.replace(house.house.config, name="Another"), house.now, by="ops")
    assert [table.is_open for table in house.house.tables.values()] == [False, True]


def test_a_table_that_the_configuration_leaves_out_is_closed() -> None:
    house = TestHouse(t1=stadium(), t2=stadium())
    without = msgspec.structs.replace(house.house.config, tables={"t2": stadium()})
    house.house.configure(without, house.now, by="ops")
    assert [table.is_open for table in house.house.tables.values()] == [False, True]
    assert house.table().notice.said.key == "reason.not-configured", "every terminal says it in its own language"


def test_a_closed_table_stays_closed_when_another_is_configured() -> None:
    house = TestHouse(t1=stadium())
    house.table().close(house.now, by="olga", reason="cleaning", paused=False)
    house.house.configure_table("t2", stadium(), house.now, by="olga")
    assert not house.table().is_open
    assert house.house.table("t2").is_open
