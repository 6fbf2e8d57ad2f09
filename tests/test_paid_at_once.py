"""MGB: a blackjack is paid instantly where the dealer cannot have one, even money when taken, busts collected at once."""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house.table import Table, TableConfig
from podium.house.table.events import HandSettled, RoundOpened
from podium.house.table.events import decode as decode_table
from podium.play.views import seat_view
from podium.rules.asking import Confirmation, Decisions, HoleCard, NextCard, Peek
from podium.server.show import Window
from tests.correcting import correct_card
from tests.floor import OPENING, TestHouse, credit
from tests.still_at_stake import at_stake

MEGA = TableConfig(game="mega-blackjack", dealer="live", attendant_pays_from=0)


def betting(config: TableConfig = MEGA) -> TestHouse:
    house = TestHouse(t1=config)
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    for name in ("ann", "bob"):
        house.player(name)
    return house


def dealt(codes: str) -> TestHouse:
    house = betting()
    for name in ("ann", "bob"):
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
    assert last.kind == "hand-settled"
    assert {transfer.kind for transfer in last.transfers} == {"stake-back", "win"}


def test_mgb_a_record_with_hands_in_another_order_is_refused() -> None:
    house = dealt("As 5h 6d Kd 5c ?")
    record = [(entry, decode_table(entry.payload)) for entry in house.store() if entry.stream == "table/t1"]
    [at] = [place for place, (_, event) in enumerate(record) if isinstance(event, HandSettled)]
    table = Table("t1", house.shuffler)
    for entry, event in record[:at]:
        table.apply(event, entry.time)
    with pytest.raises(Refused, match="Hand 1 of seat 2 is not the next one to be settled"):
        table.apply(HandSettled(2, 0), house.now)
    table.apply(HandSettled(1, 0), house.now)


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
        if entry.sequence > table.happened and not isinstance(event, HandSettled):
            transfers += table.apply(older_event, entry.time)
    assert [transfer.kind for transfer in transfers] == ["stake", "stake"]


# --- the hands of a split -----------------------------------------------------------------------------------------------


def split(*more: str, tokes: int = 0, config: TableConfig = MEGA) -> TestHouse:
    """Ann splits tens against a six; Bob stands behind her with a five and a five."""
    house = betting(config)
    house.house.bet("ann", "t1", {"blackjack": 1_000}, {"blackjack": tokes} if tokes else {}, (), house.now)
    house.bet("bob", 1_000)
    at(house, lambda table: table.close_bets(house.now))
    deal(house, "Ts 5h 6d Td 5c ?")
    house.decide("ann", "split")
    for does in more:
        if does in ("hit", "stand", "double", "split"):
            house.decide("ann", does)
        else:
            deal(house, does)
    return house


def hands_settled(house: TestHouse) -> list[tuple[int, int, dict[str, int]]]:
    """Seat, hand and what was moved to and from whom, by each event."""
    found = []
    for entry in house.store():
        event = decode_table(entry.payload) if entry.stream == "table/t1" else None
        if isinstance(event, HandSettled):
            moved = {f"{one.debit} {one.credit}": one.amount for one in entry.transfers}
            found.append((event.seat, event.hand, moved))
    return found


def test_mgb_each_hand_of_a_split_is_collected_when_it_busts() -> None:
    house = split("4c", "hit", "9c")
    assert hands_settled(house) == [(1, 0, {"in-play/t1/ann bank/t1": 1_000})]
    assert house.balances()["in-play/t1/ann"] == 1_000
    for does in ("5d", "hit", "8c"):
        house.decide("ann", does) if does == "hit" else deal(house, does)
    assert [(seat, hand) for seat, hand, _ in hands_settled(house)] == [(1, 0), (1, 1)]
    assert "in-play/t1/ann" not in house.balances()
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_mgb_a_doubled_hand_of_a_split_is_collected_with_what_was_added() -> None:
    house = split("2c", "double", "Kc")
    assert hands_settled(house) == [(1, 0, {"in-play/t1/ann bank/t1": 2_000})]


def test_mgb_a_toke_is_collected_with_the_hand_that_carries_it() -> None:
    """The dealer's wager lies on the first hand; the second is Ann's alone."""
    house = split("4c", "hit", "9c", "5d", "hit", "8c", tokes=100)
    [(_, _, first), (_, _, second)] = hands_settled(house)
    assert (sum(first.values()), sum(second.values())) == (1_100, 1_000)


def test_mgb_the_terminals_show_each_hand_as_it_is_collected() -> None:
    house = split("4c", "hit", "9c")
    shown = Window(house.table()).for_everybody(house.now).layout.seats[1]
    assert [(hand.state, hand.returned) for hand in shown] == [("bust", 0), ("", None)]
    own = seat_view(house.table().in_play, 1)
    assert [hand.returned for hand in own.hands] == [0, None]
    assert [(line.wager, line.staked, line.returned) for line in own.settled] == [("blackjack", 1_000, 0)]


def test_card_2_a_correction_of_a_split_takes_a_bust_back_in_one_act() -> None:
    """The nine that busted the first hand was a six: 20, and Ann goes on with her second."""
    house = split("4c", "hit", "9c", "5d")
    at(
        house,
        lambda table: correct_card(table, 8, card("6s"), house.now, by="dana", reason="misread", approved_by="sue"),
    )
    assert house.balances()["in-play/t1/ann"] == 2_000
    assert house.balances().get("bank/t1", 0) == 0
    for player in ("ann", "ann", "bob"):
        house.decide(player, "stand")
    at(house, lambda table: table.turn(card("Kh"), house.now))
    deal(house, "Ks")
    at(house, lambda table: table.confirm(house.now))
    assert credit(house.house, "ann") == OPENING + 2_000
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_card_2_a_bust_that_a_correction_makes_is_collected_with_it_and_not_again() -> None:
    house = split("4c", "hit", "6c", "stand", "5d")
    at(
        house,
        lambda table: correct_card(table, 8, card("9s"), house.now, by="dana", reason="misread", approved_by="sue"),
    )
    assert house.balances()["bank/t1"] == 1_000
    house.decide("bob", "stand")
    assert not hands_settled(house), "the correction is one act"
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_mgb_a_capped_table_collects_each_hand_and_cuts_the_whole_wager() -> None:
    """One hand busts, the other wins: what is paid of the wager is what a table cuts, once."""
    rules = {"most_payable": 1_500, "over_payable": "cap"}
    house = split("4c", "hit", "9c", "Ah", config=TableConfig(game="mega-blackjack", dealer="live", options=rules))
    assert house.balances()["bank/t1"] == 1_000
    house.decide("bob", "stand")
    at(house, lambda table: table.turn(card("Kh"), house.now))
    deal(house, "2s")
    at(house, lambda table: table.confirm(house.now))
    assert credit(house.house, "ann") == OPENING - 2_000 + 2_500


def test_int_1_splits_of_earlier_programs_are_collected_together() -> None:
    """Rounds that were opened with the accounting before collect all hands of a box with the card that ends the last."""
    house = split("4c", "hit", "9c", "5d", "hit", "8c")
    older = TestHouse(t1=MEGA)
    table, collected = older.table(), []
    for entry in house.streams()["table/t1"]:
        event = decode_table(entry.payload)
        if entry.sequence <= table.happened or isinstance(event, HandSettled):
            continue
        older_event = msgspec.structs.replace(event, accounting=4) if isinstance(event, RoundOpened) else event
        collected += [
            (entry.kind, one.amount) for one in table.apply(older_event, entry.time) if one.kind == "stake-lost"
        ]
    assert collected == [("card-dealt", 2_000)]


def test_mgb_what_lies_at_stake_is_what_the_oracle_says_after_every_event() -> None:
    """Random cards and decisions: pairs often, so that splits and their busts are met."""
    split_busts = 0
    for seed in range(60):
        random = Random(f"at stake {seed}")
        house = betting()
        for name in ("ann", "bob"):
            house.house.bet(
                name, "t1", {"blackjack": 1_000, "buster": 100}, random.choice([{}, {"blackjack": 200}]), (), house.now
            )
        at(house, lambda table, house=house: table.close_bets(house.now))
        ranks = random.choice(["8T", "A8T", "6789TA", "23456789TJQKA"])
        while not isinstance(house.table().in_play.awaits, HoleCard | Confirmation):
            _go_on(house, random, ranks)
            for name in ("ann", "bob"):
                assert house.balances().get(f"in-play/t1/{name}", 0) == at_stake(house.table(), name) or _first(house)
        split_busts += sum(hand > 0 for _, hand, _ in hands_settled(house))
        assert dict(house.restarted().ledger) == dict(house.house.ledger)
    assert split_busts > 20


def _first(house: TestHouse) -> bool:
    """Whether the first cards are still being dealt."""
    return at_stake(house.table(), "ann") is None


def _go_on(house: TestHouse, random: Random, ranks: str) -> None:
    awaits = house.table().in_play.awaits
    if isinstance(awaits, Peek):
        at(house, lambda table: table.peek(False, house.now))
    elif isinstance(awaits, Decisions):
        [seat, question] = next(iter(awaits.items()))
        choices = [choice for choice in question.allowed if not choice.endswith(("AMOUNT", "stand"))] or ["stand"]
        liked = [choice for choice in choices if choice.startswith("split")] or choices
        house.decide(house.table().players[seat], random.choice(liked))
    else:
        takes_any = isinstance(awaits, NextCard) and awaits.place.where != "hole-card"
        with suppress(Refused):  # no more of that card
            deal(house, random.choice(ranks) + random.choice("shdc") if takes_any else "?")
