"""Cards that an enrolled reader reads: shown to the dealer before they count, and kept where they were misread (CARD-11)."""

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house.table import Table
from podium.house.table.events import ReadingAnswered, decode
from podium.house.table.pace import due
from podium.server.show import Window
from tests.floor import TestHouse, stadium
from tests.test_live_shoes import _significant, begin, deal, do, live, load, same_after_restart


def dealing(**changes: object) -> TestHouse:
    house = live(stadium(dealer="live", reading_hold_seconds=2, **changes))
    load(house)
    begin(house)
    return house


def read(house: TestHouse, number: int, code: str, session: str = "s1") -> None:
    do(house, "read", "shoe-1", session, number, card(code))


def cards(house: TestHouse) -> list[str]:
    return [str(each) for each in house.table().in_play.cards]


def held(house: TestHouse) -> str:
    return Window(house.table()).for_dealer().card


def test_card_11_a_card_that_was_read_counts_after_the_hold_of_the_table() -> None:
    house = dealing()
    read(house, 1, "9s")
    assert (cards(house), held(house)) == ([], "9s")
    assert due(house.table()) == house.now + 2_000
    again = same_after_restart(house)
    assert Window(again.table("t1")).for_dealer() == Window(house.table()).for_dealer()
    house.step()
    assert (cards(house), held(house)) == (["9s"], "")


def test_card_11_the_next_reading_lets_the_one_before_it_count() -> None:
    house = dealing()
    read(house, 1, "9s")
    read(house, 2, "Ts")
    assert (cards(house), held(house)) == (["9s"], "Ts")


def test_card_11_the_same_reading_again_is_harmless_and_one_left_out_is_refused() -> None:
    house = dealing()
    for _ in range(3):
        read(house, 1, "9s")
    house.step()
    read(house, 1, "9s")
    assert (cards(house), held(house)) == (["9s"], "")
    with pytest.raises(Refused, match="reading 2 comes next"):
        read(house, 3, "Ts")
    read(house, 1, "9s", session="s2")  # a device that was switched on again: another card of the same face
    assert held(house) == "9s"


def test_card_11_the_dealer_corrects_a_misread_alone_and_the_record_keeps_what_was_read() -> None:
    house = dealing()
    read(house, 1, "9s")
    deal(house, "8s")
    assert (cards(house), held(house)) == (["8s"], "")
    answers = [
        happened
        for entry in house.streams()["table/t1"]
        if isinstance(happened := decode(entry.payload), ReadingAnswered)
    ]
    assert [(each.answer, each.by, each.read) for each in answers] == [("replaced", "dana", card("9s"))]
    [found] = _significant(house, "misread")
    assert (found.who, found.before) == ("dana", "9s")
    same_after_restart(house)


def test_card_11_a_stopped_reading_waits_for_the_dealer_and_no_other_card_is_read_meanwhile() -> None:
    house = dealing()
    read(house, 1, "9s")
    entry = Window(house.table()).for_dealer().reading
    do(house, "answer_reading", entry, "stop", by="dana")
    assert due(house.table()) is None
    read(house, 2, "Ts")  # does not count, and the dealer is told
    assert (cards(house), held(house)) == ([], "9s")
    assert Window(house.table()).for_dealer().unexpected == "shoe-1"
    same_after_restart(house)
    do(house, "answer_reading", entry, "count", by="dana")
    assert cards(house) == ["9s"]
    with pytest.raises(Refused, match="no longer held"):
        do(house, "answer_reading", entry, "drop", by="dana")


def test_card_11_a_dropped_reading_is_kept_in_the_record_and_counts_for_nothing() -> None:
    house = dealing()
    read(house, 1, "9s")
    do(house, "answer_reading", Window(house.table()).for_dealer().reading, "drop", by="dana")
    assert (cards(house), held(house)) == ([], "")
    assert [found.before for found in _significant(house, "misread")] == ["9s"]


def test_card_1_a_card_that_the_shoe_cannot_hold_was_misread_and_waits_for_the_dealer() -> None:
    house = live(stadium(dealer="live", burn_cards=1))
    load(house)
    for _ in range(6):
        do(house, "burn", 1, card("9s"), by="dana")
    begin(house)
    read(house, 1, "9s")
    shown = Window(house.table()).for_dealer()
    assert (shown.card, shown.counts_at) == ("9s", None)
    assert shown.why is not None
    assert shown.why.key == "refused.reading-impossible"
    deal(house, "8s")
    assert cards(house) == ["8s"]


def test_card_4_a_card_that_is_read_before_it_is_awaited_is_stored_without_its_face() -> None:
    house = live(stadium(dealer="live"))
    load(house)
    do(house, "open_round")
    read(house, 1, "9s")
    assert held(house) == ""
    assert b"9s" not in house.streams()["table/t1"][-1].payload
    [found] = _significant(house, "reading-unexpected")
    assert found.who == "shoe-1"


def test_card_11_a_burn_card_may_be_read() -> None:
    house = live(stadium(dealer="live", burn_cards=1))
    load(house)
    read(house, 1, "9s")
    house.step()
    begin(house)
    assert house.table().in_play.out == {card("9s"): 1}


def test_rng_8_a_card_that_is_held_lies_under_the_seal() -> None:
    house = dealing()
    read(house, 1, "9s")
    assert b"9s" not in house.streams()["table/t1"][-1].payload


def test_card_11_a_void_drops_what_was_held() -> None:
    house = dealing()
    read(house, 1, "9s")
    do(house, "void", by="dana", reason="misdeal", approved_by="sue")
    assert held(house) == ""


def test_card_11_a_snapshot_knows_the_last_reading_of_every_reader() -> None:
    house = live(stadium(dealer="live", burn_cards=1), snapshots=1)
    load(house)
    read(house, 1, "9s")
    house.step()
    do(house, "open_round")
    quick = Table("t1", house.shuffler)
    entries = house.streams()["table/t1"]
    start = max(at for at, entry in enumerate(entries) if entry.kind == "table-stood")
    for entry in entries[start:]:
        quick.apply(decode(entry.payload), entry.time)
    assert quick.readings.last == house.table().readings.last
