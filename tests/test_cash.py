"""Cash is summed by player and gaming day, and what must be looked at is noted once."""

from pathlib import Path
from typing import Any

import msgspec

from podium.house import House, electronic, ticketing
from podium.house.cash import CashDay
from podium.house.events import Noted, decode
from podium.house.reports import Records, day, report
from podium.record.store import open_book
from tests.floor import TestHouse, stadium
from tests.houses import NOON, playing_house
from tests.ticket_numbers import ticket_numbers

DAY_MS = 86_400_000


def a_house(**changes: Any) -> TestHouse:
    house = TestHouse(t1=stadium())
    wanted = {"cash_report": 10_000_00, "cash_buy_ins": 3, **changes}
    house.house.configure(msgspec.structs.replace(house.house.config, **wanted), house.now)
    house.player("ann", credit=100)
    return house


def buy_in(house: TestHouse, amount: int, player: str = "ann") -> None:
    house.house.pay_in(player, amount, house.now, key=f"k{len(house.store())}.{amount}.{player}", by="carl")


def noted(house: TestHouse) -> list[tuple[str, str, str, str]]:
    found = [decode(entry.payload) for entry in house.store() if entry.kind == "noted"]
    return [(each.kind, each.source, each.before, each.after) for each in found if isinstance(each, Noted)]


def test_a_sum_of_the_day_that_reaches_the_amount_is_noted_once() -> None:
    house = a_house(cash_buy_ins=0)
    buy_in(house, 5_000_00)
    buy_in(house, 4_998_99)
    assert noted(house) == []
    buy_in(house, 1)
    assert noted(house) == [("cash-large", "ann", "999999", "1000000")]
    buy_in(house, 9_000_00)
    assert len(noted(house)) == 1, "it was said"


def test_what_is_paid_is_a_sum_of_its_own() -> None:
    house = a_house(cash_buy_ins=0)
    buy_in(house, 9_000_00)
    house.house.pay_out("ann", 9_000_00, house.now, key="o1", by="carl")
    assert noted(house) == []
    electronic.transfer_in(house.house, "ann", 2_000_00, house.now, key="e", by="carl", reference="e")
    house.house.pay_out("ann", 1_000_00, house.now, key="o2", by="carl")
    assert noted(house) == [("cash-large", "ann", "900000", "1000000")]


def test_many_small_buy_ins_are_noted_and_a_large_one_among_them_is_noted_as_such() -> None:
    house = a_house()
    buy_in(house, 100_00)
    assert noted(house) == []
    buy_in(house, 200_00)
    assert noted(house) == [("cash-many", "ann", "10100", "30100")]
    buy_in(house, 200_00)
    assert len(noted(house)) == 1
    other = a_house()
    buy_in(other, 10_000_00)
    buy_in(other, 100_00)
    assert [kind for kind, *_ in noted(other)] == ["cash-large"]


def test_another_gaming_day_begins_at_nothing_and_another_player_too() -> None:
    house = a_house(day_begins="06:00", cash_buy_ins=0)
    buy_in(house, 9_998_00)
    house.house.admit("bob", "card", house.now)
    buy_in(house, 9_998_00, "bob")
    house.now = 6 * 3_600_000
    buy_in(house, 9_998_00)
    assert noted(house) == []
    assert house.house.cash.of("ann", house.now) == CashDay(house.now + DAY_MS, 9_998_00, 0, 1, 9_998_00)
    assert house.house.cash.of("bob", house.now).taken == 0


def test_play_money_is_no_cash() -> None:
    house = a_house(cash_report=1, cash_buy_ins=0)
    house.house.admit("gus", "guest", house.now)
    buy_in(house, 500, "gus")
    assert [source for _, source, *_ in noted(house)] == ["ann"]
    assert house.house.cash.of("gus", house.now).taken == 0


def test_a_ticket_names_nobody_and_counts_by_its_own_amount() -> None:
    house = a_house(cash_buy_ins=0)
    for amount in (9_999_00, 10_000_00):
        ticketing.sell(
            house.house, ticket_numbers("t").draw(str(amount)), amount, house.now, key=str(amount), by="carl"
        )
    assert noted(house) == [("cash-large", "cage", "0", "1000000")]


def test_a_restart_and_a_snapshot_keep_the_sums() -> None:
    house = a_house()
    buy_in(house, 9_000_00)
    assert house.restarted().cash.whole() == house.house.cash.whole() != {}
    from_it = House(house.shuffler)
    from_it._apply(house.house._snapshot(), (), house.now)
    assert from_it.cash.whole() == house.house.cash.whole()
    again = house.restarted()
    again.pay_in("ann", 1_000_00, house.now, key="later", by="carl")
    kinds = [entry.kind for entry in again.take_entries()]
    assert kinds == ["money-moved", "noted", "noted"], "the sum, and the third buy-in"


def test_the_report_lists_every_player_s_cash(tmp_path: Path) -> None:
    path = tmp_path / "podium.db"
    with playing_house(path) as playing:
        house = playing.house
        house.admit("ann", "card", NOON)
        house.pay_in("ann", 300_00, NOON, key="a", by="carl")
        house.pay_in("ann", 200_00, NOON, key="b", by="carl")
        house.pay_out("ann", 400_00, NOON, key="c", by="carl")
        ticketing.sell(house, ticket_numbers("r").draw("d"), 70_00, NOON, key="d", by="carl")
        playing.store()
    book = open_book(path, writable=False)
    made = report("cash-by-player", book, Records(), day("2026-05-28"), NOON)
    book.close()
    assert made.rows == (("", 70_00, 1, 70_00, 0), ("ann", 500_00, 2, 300_00, 400_00))
    assert made.total is not None
    assert made.total[1:] == (570_00, 3, None, 400_00)
