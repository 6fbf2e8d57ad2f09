"""CARD-4, RNG-8: a card that lies face down lies under the seal, in the journal and wherever the journal goes."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from podium.basics.cards import Card, card, cards
from podium.basics.refusal import Refused
from podium.house.reports import Records
from podium.house.shuffling import SealedShuffler
from podium.house.table import Table, TableConfig
from podium.house.table.events import EndedShoe, Happening, TableSnapshot, decode, encode
from podium.house.table.shoes import proof_of
from podium.house.verify import Difference, verify
from podium.play.events import CardCorrected, CardDealt, CardsCorrected, HolePeeked, HoleTurned
from podium.record.fair import difference
from podium.record.journal import Chain, Entry
from podium.record.seal import Seal
from podium.record.store import open_book
from podium.rules.asking import HoleCard, NextCard, Peek
from tests.correcting import correct_card
from tests.entropy import repeatable
from tests.floor import TestHouse
from tests.hidden import hole_card
from tests.houses import playing_house
from tests.simulator.disk import Disk

NAMED = re.compile(rb'"([2-9TJQKA][shdc])"')


def live(game: str = "match-up-blackjack", *, snapshot_every: int = 10_000) -> TestHouse:
    """A live table with a dealer, a counted shoe and one player."""
    house = TestHouse(snapshot_every, t1=TableConfig(game, dealer="live", approvals=()))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(52 * house.rules().decks, house.now, by="dana"))
    house.player("ann")
    return house


def dealt(house: TestHouse, codes: str) -> None:
    """A new round in which these cards come out; `?` is a hole card that the dealer does not enter."""
    house.at("t1", lambda table: table.open_round(house.now))
    house.bet("ann", 200)
    house.at("t1", lambda table: table.close_bets(house.now))
    enter(house, codes)


def enter(house: TestHouse, codes: str) -> None:
    for code in codes.split():
        face = None if code == "?" else card(code)
        house.at("t1", lambda table, face=face: table.deal(face, house.now))  # type: ignore[misc]


def automated(game: str = "match-up-blackjack") -> TestHouse:
    """An automated table at which a player decides against a card that lies face down."""
    house = TestHouse(t1=TableConfig(game))
    house.player("ann")
    play_until_asked(house, lambda table: not table.in_play.dealing.insuring)
    return house


def play_until_asked(house: TestHouse, wanted: Callable[[Table], bool]) -> None:
    """Until a player decides, in a round as it is wanted."""
    for _ in range(50):
        house.run_until("betting")
        house.bet("ann", 200)
        while house.table().phase() not in ("deciding", "result"):
            house.step()
        if house.table().phase() == "deciding" and wanted(house.table()):
            return
        house.run_until("result")
    raise AssertionError("no such round came")


def stored_cards(house: TestHouse) -> list[str]:
    """Every card that whoever reads the journal finds there, without the key."""
    return [code.decode() for entry in house.store() for code in NAMED.findall(entry.payload)]


def reading(entries: list[Entry]) -> Disk:
    disk = Disk(lambda entry: None)
    disk.write(entries)
    return disk


def last(house: TestHouse) -> Happening:
    return decode(house.streams()["table/t1"][-1].payload)


# --- the automated dealer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["match-up-blackjack", "mega-blackjack"])
def test_rng_8_the_automated_dealers_hole_card_is_stored_when_it_is_turned(game: str) -> None:
    house = automated(game)
    hole, open_cards = hole_card(house.table()), house.table().in_play.cards_out
    assert hole is not None
    assert stored_cards(house)[-len(open_cards) :] == [each.code for each in open_cards]
    dealt_face_down = [decode(entry.payload) for entry in house.store() if entry.kind == "card-dealt"][-1]
    assert dealt_face_down == CardDealt(None)
    house.run_until("result")
    assert HoleTurned(hole) in [decode(entry.payload) for entry in house.store() if entry.kind == "hole-turned"]
    shoe = house.table().shoe
    assert shoe is not None
    assert shoe.order is not None
    assert Counter(shoe.order[: shoe.dealt]) == shoe.out


def test_rng_8_the_round_itself_does_not_know_the_hole_card() -> None:
    played = automated().table().in_play
    assert played.cards.count(None) == 1
    assert getattr(played.dealing, "_hole", "missing") is None


def test_int_1_a_restart_in_mid_round_goes_on_to_the_same_card_and_the_same_result() -> None:
    house = automated()
    again = house.restarted().tables["t1"]
    assert (again.face_down, again.in_play.events) == (house.table().face_down, house.table().in_play.events)


def test_rng_10_a_hole_card_that_was_never_turned_has_left_the_shoe_and_the_shoe_still_proves_itself() -> None:
    house = automated()
    hole = hole_card(house.table())
    house.at("t1", lambda table: table.void(house.now, by="sam", reason="a malfunction", approved_by="sue"))
    shoe = house.table().shoe
    assert shoe is not None
    gone = shoe.dealt
    assert gone == shoe.out.total() + 1
    house.run_until("betting")
    house.bet("ann", 200)
    house.run_until("dealing")
    house.step()
    assert shoe.order is not None
    assert house.table().in_play.cards[0] is shoe.order[gone]
    house.run_until("result")
    house.at("t1", lambda table: table.end_shoe(house.now))
    entries = house.streams()["table/t1"]
    [ended] = [shoe for shoe in house.table().shoes.values() if shoe.rounds != (0, 0)]
    assert isinstance(ended, EndedShoe)
    proof = proof_of(ended, entries[ended.first - 1 : ended.last])
    assert proof.dealt.split().count("?") == 1
    faces = [None if code == "?" else card(code) for code in proof.dealt.split()]
    assert difference(proof, faces) is None
    assert cards(proof.reveal.order)[proof.dealt.split().index("?")] is hole
    assert verify(reading(house.store()), house.shuffler).shoes == len(house.table().shoes)


# --- a live dealer ----------------------------------------------------------------------------------------------------


def test_rng_8_a_hole_card_that_a_dealer_enters_is_stored_under_the_seal_and_turned_by_itself() -> None:
    house = live()
    dealt(house, "9s 6h 8d Kd")
    assert (stored_cards(house), house.table().face_down) == (["9s", "6h", "8d"], card("Kd"))
    assert house.restarted().tables["t1"].face_down is card("Kd")
    house.decide("ann", "stand")
    assert last(house) == HoleTurned(card("Kd"))
    assert isinstance(house.table().in_play.awaits, NextCard)
    enter(house, "Tc")
    house.at("t1", lambda table: table.confirm(house.now))
    assert verify(reading(house.store()), house.shuffler).rounds == 1
    assert verify(reading(house.store())).rounds == 1


def test_mub_11_the_house_looks_at_a_hole_card_that_it_knows_and_asks_for_one_that_it_does_not() -> None:
    house = live()
    dealt(house, "9s Kh 8d 6d")
    assert last(house) == HolePeeked(blackjack=False)
    house.decide("ann", "stand")
    assert last(house) == HoleTurned(card("6d"))
    house = live()
    dealt(house, "9s Kh 8d ?")
    assert isinstance(house.table().in_play.awaits, Peek)


def test_mub_11_a_blackjack_under_a_ten_is_turned_at_once() -> None:
    house = live()
    dealt(house, "9s Kh 8d As")
    assert house.table().phase() == "confirming"
    assert house.table().in_play.face_up[-1].card is card("As")


def test_rng_8_a_house_that_has_lost_its_key_asks_the_dealer_for_the_card() -> None:
    house = live()
    dealt(house, "9s 6h 8d Kd")
    other = repeatable("another key")
    house.shuffler._seal = Seal(other(32), other)  # type: ignore[misc]
    house.decide("ann", "stand")
    assert isinstance(house.table().in_play.awaits, HoleCard)
    house.at("t1", lambda table: table.turn(card("Kd"), house.now))
    assert house.table().in_play.face_up[3].card is card("Kd")


def test_card_1_a_card_that_lies_face_down_counts_among_those_that_are_out() -> None:
    house = live("mega-blackjack")
    decks = house.rules().decks
    for _ in range(decks - 1):
        dealt(house, "9s 6h 8d ?")
        house.at("t1", lambda table: table.void(house.now, by="dana", reason="misdeal"))
    dealt(house, "9h 6h 8d 9s")
    house.decide("ann", "hit")
    with pytest.raises(Refused, match="9s cannot come again"):
        enter(house, "9s")


@pytest.mark.parametrize(("first", "before"), [("Kd", "Kd"), ("?", "unknown")])
def test_card_2_a_correction_of_a_card_that_lies_face_down_is_under_the_seal_too(first: str, before: str) -> None:
    house = live()
    dealt(house, f"9s 6h 8d {first}")
    house.at("t1", lambda table: correct_card(table, 4, card("5c"), house.now, by="dana", reason="misread"))
    assert isinstance(last(house), CardsCorrected)
    assert stored_cards(house) == ["9s", "6h", "8d"]
    assert house.table().face_down is card("5c")
    assert corrections(house) == [("unknown", "unknown")]
    house.decide("ann", "stand")
    assert house.table().in_play.face_up[3].card is card("5c")
    enter(house, "Tc")
    house.at("t1", lambda table: table.confirm(house.now))
    assert corrections(house) == [(before, "5c")]


def corrections(house: TestHouse) -> list[tuple[str, str]]:
    records = Records()
    records.catch_up(reading(list(house.store())))
    return [(event.before, event.after) for event in records.significant.search(kind="correction")]


def test_card_2_a_correction_to_an_unknown_card_is_only_for_one_that_lies_face_down() -> None:
    house = live()
    dealt(house, "9s 6h 8d Kd")
    with pytest.raises(Refused, match="lies face up"):
        house.table().in_play.apply(CardCorrected(1, None))


def test_rng_8_a_snapshot_names_no_card_that_nobody_saw() -> None:
    house = live(snapshot_every=1)
    dealt(house, "9s 6h 8d Kd")
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="misdeal"))
    house.at("t1", lambda table: table.open_round(house.now))
    snapshot = last(house)
    assert isinstance(snapshot, TableSnapshot)
    assert (sorted(snapshot.shoe.out.split()), snapshot.shoe.unseen) == (["6h", "8d", "9s"], 1)
    assert house.restarted().tables["t1"].shoe is not None


# --- what a proof finds -----------------------------------------------------------------------------------------------


def altered(house: TestHouse, change: Callable[[Happening], Happening]) -> Disk:
    """The same record with other happenings, and chains that are whole."""
    chains: dict[str, Chain] = {}
    entries = []
    for entry in house.store():
        chain = chains.setdefault(entry.stream, Chain(entry.stream))
        payload = entry.payload if entry.stream == "house" else encode(change(decode(entry.payload)))
        entries.append(chain.add(entry.time, entry.kind, payload, entry.transfers))
    return reading(entries)


def test_rng_8_with_the_key_a_card_that_was_turned_and_is_not_the_one_under_the_seal_is_found() -> None:
    house = live()
    dealt(house, "9s 6h 8d Kd")
    house.decide("ann", "stand")
    forged = altered(house, lambda each: HoleTurned(card("Qd")) if isinstance(each, HoleTurned) else each)
    verify(forged)
    with pytest.raises(Difference, match="turns a card over that is not the one of entry"):
        verify(forged, house.shuffler)


def test_rng_10_an_automated_dealer_who_lied_about_a_blackjack_is_found() -> None:
    """The round was void before the card was turned, so that nothing but the shoe tells."""
    house = automated()
    house.run_until("result")
    play_until_asked(house, lambda table: any(isinstance(event, HolePeeked) for event in table.in_play.events))
    house.at("t1", lambda table: table.void(house.now, by="sam", reason="a malfunction", approved_by="sue"))
    peeks = sum(entry.kind == "hole-peeked" for entry in house.store())

    def lie(happening: Happening) -> Happening:
        nonlocal peeks
        peeks -= isinstance(happening, HolePeeked)
        return HolePeeked(not happening.blackjack) if isinstance(happening, HolePeeked) and not peeks else happening

    lied = altered(house, lie)
    with pytest.raises(Difference, match=r"what the dealer said of card \d+ is not true"):
        verify(lied, house.shuffler)
    assert verify(reading(house.store()), house.shuffler).opened_with_key == 1


# --- disk and backup --------------------------------------------------------------------------------------------------


def test_rng_8_bak_1_the_files_of_a_house_in_mid_round_and_its_backup_hold_no_card_that_lies_face_down(
    tmp_path: Path,
) -> None:
    """Database, write-ahead log and backup, byte by byte: no card of this shoe but those that lie face up."""
    path = tmp_path / "podium.db"
    with playing_house(path) as playing:
        table = playing.house.tables["match-up-blackjack-1"]
        playing.seat_bots(table.name, 2)
        playing.play_until(table.name, lambda table: table.phase() == "deciding" and not_seen(table))
        hole = hole_card(table)
        assert hole is not None
        book = open_book(path, writable=False)
        book.back_up(tmp_path / "backup.jsonl")
        book.close()
        holding = [file for file in tmp_path.iterdir() if table_is_in(file.read_bytes())]
        assert {file.name for file in holding} >= {"backup.jsonl"}
        for file in tmp_path.iterdir():
            found = re.findall(rb"[^\w]card[^\w]{1,5}([2-9TJQKA][shdc])[^\w]", file.read_bytes())
            assert hole.code.encode() not in found, file.name


def not_seen(table: Table) -> bool:
    """Whether the card that lies face down is none of those that were dealt at any table of the house."""
    hole: Card | None = hole_card(table)
    return hole is not None and hole not in table.in_play.cards_out and table.round_number == 1


def table_is_in(text: bytes) -> bool:
    return b"card-dealt" in text


def test_the_key_alone_opens_a_card_and_only_in_its_place() -> None:
    entropy = repeatable("seal")
    sealing = SealedShuffler(Seal(entropy(32), entropy), entropy)
    sealed = sealing.seal_card("t1", 7, card("Kd"))
    assert sealing.open_card("t1", 7, sealed) is card("Kd")
    assert len(sealed) == len(sealing.seal_card("t1", 8, card("2c")))
    for table, entry in (("t2", 7), ("t1", 8)):
        with pytest.raises(Exception, match="does not open"):
            sealing.open_card(table, entry, sealed)
