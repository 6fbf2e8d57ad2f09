"""MGB: a blackjack is paid instantly where the dealer cannot have one, even money when taken, busts collected at once."""

from typing import Any

import msgspec

from podium.basics.cards import card
from podium.house.table import TableConfig
from podium.house.table.events import RoundOpened
from podium.house.table.events import decode as decode_table
from tests.correcting import correct_card
from tests.floor import OPENING, TestHouse, credit

MEGA = TableConfig(game="mega-blackjack", dealer="live", attendant_pays_from=0)


def dealt(codes: str, players: int = 2, config: TableConfig = MEGA) -> TestHouse:
    house = TestHouse(t1=config)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    for name in ("ann", "bob")[:players]:
        house.player(name)
        house.bet(name, 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, codes)
    return house


def deal(house: TestHouse, codes: str) -> None:
    for code in codes.split():
        face = None if code == "?" else card(code)
        house.at("t1", lambda table, face=face: table.deal(face, house.now))  # type: ignore[misc]


def at(house: TestHouse, do: Any) -> None:
    house.at("t1", do)


def test_mgb_a_blackjack_is_paid_with_the_card_that_completes_the_deal() -> None:
    """Ann has a blackjack against a six: she is paid while Bob still decides."""
    house = dealt("As 5h 6d Kd 5c ?")
    assert house.table().in_play.awaits
    assert credit(house.house, "ann") == OPENING + 3_000
    assert credit(house.house, "bob") == OPENING - 1_000
    last = next(entry for entry in reversed(house.store()) if entry.transfers)
    assert last.kind == "card-dealt"
    assert {transfer.kind for transfer in last.transfers} == {"stake-back", "win"}


def test_mgb_against_a_ten_a_blackjack_is_paid_after_the_peek() -> None:
    house = dealt("As 5h Td Kd 5c ?")
    assert credit(house.house, "ann") == OPENING - 1_000
    at(house, lambda table: table.peek(False, house.now))
    assert credit(house.house, "ann") == OPENING + 3_000


def test_mgb_even_money_is_paid_when_it_is_taken() -> None:
    house = dealt("As 9h Ad Kd 5c ?")
    house.decide("ann", "even-money")
    assert credit(house.house, "ann") == OPENING + 1_000
    assert house.table().in_play.dealing.insuring


def test_mgb_a_bust_is_collected_when_it_happens() -> None:
    house = dealt("Ts 5h 6d 9d 5c ?")
    house.decide("ann", "hit")
    deal(house, "Kd")
    assert house.balances()["bank/t1"] == 1_000
    assert "in-play/t1/ann" not in house.balances()


def test_mgb_the_result_pays_nothing_twice_and_replays() -> None:
    house = dealt("As Th 6d Kd 9c 5s")
    house.decide("bob", "stand")
    deal(house, "Kh")
    at(house, lambda table: table.confirm(house.now))
    assert (credit(house.house, "ann"), credit(house.house, "bob")) == (OPENING + 3_000, OPENING - 1_000)
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_card_2_a_correction_unwinds_what_was_paid_at_once() -> None:
    """Ann's ace was a nine; she had cashed nothing out, so it comes back from her credit."""
    house = dealt("As 5h 6d Kd 5c ?")
    at(
        house,
        lambda table: correct_card(table, 1, card("9s"), house.now, by="dana", reason="misread", approved_by="sue"),
    )
    assert credit(house.house, "ann") == OPENING - 1_000
    house.decide("ann", "stand")
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_int_1_rounds_of_earlier_programs_are_paid_when_they_are_confirmed() -> None:
    """A round that was opened without the accounting of today pays as it did then."""
    house = dealt("As 5h 6d Kd 5c ?")
    streams = house.streams()
    events = [decode_table(entry.payload) for entry in streams["table/t1"]]
    older = TestHouse(t1=MEGA)
    table = older.table()
    transfers: list[Any] = []
    for event, entry in zip(events, streams["table/t1"], strict=True):
        older_event = msgspec.structs.replace(event, accounting=0) if isinstance(event, RoundOpened) else event
        if entry.sequence > table.happened:
            transfers += table.apply(older_event, entry.time)
    assert [transfer.kind for transfer in transfers] == ["stake", "stake"]
