"""MUB 7, MUB 8: bonus wagers are settled seat by seat, from the dealer's right to left, before insurance and the peek."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house import House
from podium.house.table import Table, TableConfig
from podium.house.table.correcting import Fix
from podium.house.table.events import BonusesSettled, Happening, decode
from podium.house.table.money import SINCE_PLAY_TIPS
from podium.play.reasons import Reason
from podium.record.journal import Entry
from podium.record.ledger import account
from podium.server.show import Window
from tests.floor import OPENING, TestHouse, credit
from tests.test_paid_at_once import at, deal

MATCH_UP = TableConfig(game="match-up-blackjack", dealer="live", attendant_pays_from=0)
BETS = {"ann": {"match-up": 100, "three-card-bonus": 100}, "bob": {}, "carol": {"match-up": 100}}
PAIR_FOR_ANN_AND_CAROL = "9s 7h 5d 9d 2c 8c 9h ?"
"""Ann has a nine, Carol too, and the dealer's up card is a nine."""


def betting(bets: dict[str, dict[str, int]] = BETS, brings: Mapping[str, int] = MappingProxyType({})) -> TestHouse:
    house = TestHouse(t1=MATCH_UP)
    at(house, lambda table: table.take_place("dana", house.now))
    at(house, lambda table: table.load_shoe(312, house.now, by="dana"))
    at(house, lambda table: table.open_round(house.now))
    for name, more in bets.items():
        house.player(name, credit=brings.get(name, OPENING))
        house.bet(name, 1_000, "t1", **more)
    at(house, lambda table: table.close_bets(house.now))
    return house


def dealt(codes: str, *, brings: Mapping[str, int] = MappingProxyType({})) -> TestHouse:
    house = betting(brings=brings)
    deal(house, codes)
    return house


def correct(house: TestHouse, fixes: list[Fix]) -> None:
    reason = Reason("wrong-card")
    at(house, lambda table: table.correct_cards(fixes, house.now, by="dana", reason=reason, approved_by="sue"))


def happened(house: TestHouse) -> list[tuple[Entry, Happening]]:
    return [(entry, decode(entry.payload)) for entry in house.store() if entry.stream == "table/t1"]


def settled(house: TestHouse) -> list[tuple[Entry, int]]:
    return [(entry, event.seat) for entry, event in happened(house) if isinstance(event, BonusesSettled)]


def test_mub_7_each_seat_s_bonuses_are_an_event_of_their_own_from_right_to_left() -> None:
    house = dealt(PAIR_FOR_ANN_AND_CAROL)
    assert [seat for _, seat in settled(house)] == [3, 1], "seat 2 has no bonus wager"
    for (entry, _), player in zip(settled(house), ("carol", "ann"), strict=True):
        owners = {name for move in entry.transfers for name in (str(move.debit), str(move.credit)) if player in name}
        assert owners == {f"credit/{player}", f"in-play/t1/{player}"}
        assert not any(other in str(entry.transfers) for other in set(BETS) - {player})
    entries = [entry for entry, _ in happened(house)]
    assert [entry.kind for entry in entries[-3:]] == ["card-dealt", "bonuses-settled", "bonuses-settled"]
    assert not entries[-3].transfers, "the last card moves nothing by itself"


def test_mub_8_bonuses_are_settled_before_insurance_and_the_peek() -> None:
    house = dealt("9s 7h 5d Ad 2c 8c 9h ?")
    kinds = [entry.kind for entry, _ in happened(house)]
    assert kinds[-2:] == ["bonuses-settled", "bonuses-settled"]
    assert house.table().phase() == "deciding"
    ten_up = dealt("9s 7h 5d Td 2c 8c 9h Kc")
    assert [entry.kind for entry, _ in happened(ten_up)][-3:] == ["bonuses-settled", "bonuses-settled", "hole-peeked"]


def test_mub_7_what_was_paid_is_in_the_credit_when_the_next_is_asked() -> None:
    """One unsuited match pays 3 to 1; Ann's 9-2 against a nine is no three card bonus."""
    house = dealt(PAIR_FOR_ANN_AND_CAROL)
    assert credit(house.house, "ann") == OPENING - 1_200 + 100 + 300
    assert credit(house.house, "carol") > OPENING - 1_100
    assert house.house.ledger[account("in-play", "t1", "ann")] == 1_000


def test_card_2_a_correction_takes_bonuses_back_in_one_act_and_nobody_s_credit_is_negative() -> None:
    """Ann was paid 3 to 1, and has staked it on a double: what is taken back and lacks is a debt."""
    house = dealt(PAIR_FOR_ANN_AND_CAROL, brings={"ann": 1_900})
    house.decide("ann", "double")
    assert credit(house.house, "ann") == 100
    before = len(settled(house))
    correct(house, [Fix("replace", 4, card("6c"))])
    assert len(settled(house)) == before, "one act"
    assert (credit(house.house, "ann"), house.house.debt("ann")) == (0, 300)
    assert all(amount >= 0 for name, amount in house.balances().items() if name.startswith("credit/"))
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_card_2_bonuses_that_a_correction_takes_away_are_settled_anew_when_the_cards_are_there() -> None:
    """One card too many was entered: without it the deal is not complete, and the bonuses are open again."""
    house = dealt(PAIR_FOR_ANN_AND_CAROL.replace(" ?", " 4c"))
    correct(house, [Fix("remove", 2)])
    assert house.house.ledger[account("in-play", "t1", "carol")] == 1_100
    first = len(settled(house))
    deal(house, "4s")
    assert len(settled(house)) > first
    assert dict(house.restarted().ledger) == dict(house.house.ledger)


def test_a_void_returns_what_the_bonuses_moved() -> None:
    house = dealt(PAIR_FOR_ANN_AND_CAROL)
    at(house, lambda table: table.void(house.now, by="dana", reason="misdeal", approved_by="sue"))
    assert [credit(house.house, player) for player in BETS] == [OPENING] * 3


def test_mub_7_every_terminal_is_told_the_order_and_who_won() -> None:
    house = dealt(PAIR_FOR_ANN_AND_CAROL)
    shown = Window(house.table()).for_everybody(house.now).bonuses
    assert [(each.seat, each.won) for each in shown] == [(3, True), (1, True)]
    lost = dealt("9s 7h 5d 9d 2c 8c 4h ?")
    assert [(each.seat, each.won) for each in Window(lost.table()).for_everybody(lost.now).bonuses] == [
        (3, False),
        (1, True),
    ]
    assert not Window(betting().table()).for_everybody(house.now).bonuses


@pytest.mark.parametrize("seats", [2, 7])
def test_mub_7_the_order_is_right_to_left_whoever_bet_first(seats: int) -> None:
    names = [f"p{number}" for number in range(1, seats + 1)]
    house = TestHouse(t1=MATCH_UP)
    at(house, lambda table: table.take_place("dana", house.now))
    at(house, lambda table: table.load_shoe(312, house.now, by="dana"))
    at(house, lambda table: table.open_round(house.now))
    for number, name in enumerate(names, 1):
        house.player(name, seat=number)
    for name in sorted(names, key=lambda name: (name[-1] in "246", name)):
        house.bet(name, 1_000, "t1", **{"match-up": 100})
    at(house, lambda table: table.close_bets(house.now))
    deck = [f"{rank}{suit}" for rank in "2345678" for suit in "shd"]
    deal(house, " ".join(deck[:seats]) + " 9c " + " ".join(deck[seats : 2 * seats]) + " ?")
    order = [seat for _, seat in settled(house)]
    assert order == list(range(seats, 0, -1))
    assert all(right > left for right, left in pairwise(order))


def test_a_round_of_a_program_before_is_replayed_as_it_was_paid() -> None:
    """Its accounting is in the entry with which it was opened."""
    house = TestHouse(t1=MATCH_UP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("podium.house.table.table.ACCOUNTING", SINCE_PLAY_TIPS)
        at(house, lambda table: table.take_place("dana", house.now))
        at(house, lambda table: table.load_shoe(312, house.now, by="dana"))
        at(house, lambda table: table.open_round(house.now))
    house.player("ann")
    house.bet("ann", 1_000, "t1", **{"match-up": 100})
    at(house, lambda table: table.close_bets(house.now))
    deal(house, "9s 9d 2c ?")
    assert not settled(house)
    assert [entry.kind for entry, _ in happened(house)][-1] == "card-dealt"
    assert happened(house)[-1][0].transfers
    again: House = house.restarted()
    assert dict(again.ledger) == dict(house.house.ledger)


def test_a_record_with_bonuses_in_another_order_is_refused() -> None:
    house = dealt(PAIR_FOR_ANN_AND_CAROL)
    [first, _] = [at for at, (_, event) in enumerate(happened(house)) if isinstance(event, BonusesSettled)]
    table = Table("t1", house.shuffler)
    for entry, event in happened(house)[:first]:
        table.apply(event, entry.time)
    with pytest.raises(Refused, match="side bets of seat 1 are not the next"):
        table.apply(BonusesSettled(1), house.now)
    table.apply(BonusesSettled(3), house.now)
