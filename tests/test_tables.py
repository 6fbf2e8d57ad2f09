"""Tables that run: rounds one after another, deadlines, rules, shoes and seats; and each comes back from its journal."""

import pytest

from podium.basics.cards import DECK, card, codes
from podium.basics.refusal import Refused
from podium.house.table import Table, TableConfig
from podium.house.table.events import (
    CutCommitted,
    CutOpened,
    RoundOpened,
    ShoeEnded,
    ShoeShuffled,
    decode,
    encode,
)
from podium.house.table.pace import due
from podium.play.round import Round
from podium.record.fair import Proof, cut_commitment, difference
from podium.record.ledger import account
from podium.rules.asking import Decisions
from podium.rules.games import GAMES
from tests.floor import OPENING, TestHouse, credit, stadium
from tests.live_table import deal, live, new_game

# --- the automated dealer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_automated_dealer_plays_round_after_round_of_every_game(game: str) -> None:
    house = TestHouse(t1=TableConfig(game))
    for name in ("ann", "bob"):
        house.player(name)
    for number in range(1, 4):
        house.run_until("betting")
        assert house.table().round_number == number
        house.bet("ann", 200)
        house.bet("bob", 400)
        house.run_until("result")
        assert house.house.ledger[account("in-play", "t1", "ann")] == 0
    assert sum(house.balances().values()) == 0


def test_a_round_without_a_wager_is_not_dealt_and_betting_stays_open() -> None:
    house = TestHouse(t1=stadium(betting_seconds=10))
    house.player("ann")
    house.run_until("betting")
    first = house.table().deadline
    house.step()
    assert house.table().phase() == "betting"
    assert house.table().deadline == (first or 0) + 10_000


def test_an_empty_table_waits_without_writing_until_somebody_sits_down() -> None:
    house = TestHouse(t1=stadium())
    house.run_until("betting")
    assert due(house.table()) is None
    house.now += 3_600_000
    house.player("ann")
    house.step()
    assert house.table().deadline == house.now + 15_000
    house.bet("ann", 100)


def test_betting_closes_early_where_everybody_has_bet_and_the_table_is_configured_so() -> None:
    house = TestHouse(t1=stadium(close_betting_early=True))
    house.player("ann")
    house.player("bob")
    house.run_until("betting")
    opened = house.now
    house.bet("ann", 100)
    house.bet("bob", 100)
    house.step()
    assert (house.table().phase(), house.now) == ("dealing", opened)


def test_the_next_card_waits_for_the_whole_window_where_it_does_not_close_early() -> None:
    house = TestHouse(t1=stadium(close_early=False, decision_seconds=30))
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.run_until("deciding", steps=50)
    deadline = house.table().deadline
    while house.table().phase() == "deciding":
        asked = house.table().in_play.awaits
        assert isinstance(asked, Decisions)
        allowed = asked[house.table().seats["ann"]].allowed
        house.decide("ann", "decline" if "decline" in allowed else "stand")
    assert house.table().phase() == "dealing"
    house.step()
    assert house.now == deadline


# --- deadlines --------------------------------------------------------------------------------------------------------


def test_no_bet_is_taken_after_the_deadline_even_before_the_table_has_noticed() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.now = house.table().deadline or 0
    with pytest.raises(Refused, match="time for betting is over"):
        house.bet("ann", 100)
    assert credit(house.house, "ann") == OPENING


def test_time_1_deadlines_survive_a_restart_in_the_middle_of_a_round() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.run_until("deciding")
    again = house.restarted().table("t1")
    assert (again.phase(), again.deadline, again.window) == ("deciding", house.table().deadline, house.table().window)
    assert again.round_number == house.table().round_number


# --- the rules in force (GAME-5, VER-1) -------------------------------------------------------------------------------


def test_game_5_a_change_of_rules_waits_for_the_next_round() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    before = house.table().game
    assert before is not None
    house.bet("ann", 100)
    changed = stadium(options={"blackjack_pays": "6:5"})
    house.at("t1", lambda table: table.configure(changed, house.now, by="olga"))
    house.run_until("result")
    played = house.table().round
    assert played is not None
    assert played.game.fingerprint == before.fingerprint
    house.run_until("betting")
    assert house.table().in_play.game.fingerprint == changed.to_game().fingerprint
    opened = [decode(entry.payload) for entry in house.store() if entry.kind == "round-opened"]
    assert [one.version for one in opened if isinstance(one, RoundOpened)] == [1, 2]


def test_game_5_a_round_keeps_its_times_and_its_limits() -> None:
    """Not its rules alone: whoever bet knew how long a decision may take, and which win an attendant pays."""
    house = TestHouse(t1=stadium(decision_seconds=20, attendant_pays_from=50_000))
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    changed = stadium(decision_seconds=7, attendant_pays_from=1)
    house.at("t1", lambda table: table.configure(changed, house.now, by="olga"))
    house.run_until("deciding")
    assert house.table().window == 20_000
    assert house.table().configured.attendant_pays_from == 50_000
    house.run_until("betting")
    house.bet("ann", 100)
    house.run_until("deciding")
    assert house.table().window == 7_000
    assert house.table().configured.attendant_pays_from == 1


def test_ver_1_every_round_records_the_fingerprint_of_its_rules() -> None:
    house = TestHouse(t1=stadium())
    house.run_until("betting")
    opened = [decode(entry.payload) for entry in house.store() if entry.kind == "round-opened"]
    assert isinstance(opened[0], RoundOpened)
    assert opened[0].fingerprint == stadium().to_game().fingerprint


def test_a_configuration_that_cannot_run_a_table_is_refused_and_changes_nothing() -> None:
    house = TestHouse(t1=stadium())
    with pytest.raises(Refused, match="decks = 7 is not allowed"):
        house.at("t1", lambda table: table.configure(stadium(options={"decks": 7}), house.now))
    assert house.table().upcoming == stadium()


def test_void_3_a_closed_table_finishes_its_round_and_begins_no_other() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.at("t1", lambda table: table.close(house.now, by="olga", reason="closing for the night"))
    house.run_until("closed")
    assert due(house.table()) is None
    with pytest.raises(Refused, match="The table is closed"):
        house.at("t1", lambda table: table.open_round(house.now))
    assert house.table().round_number == 1
    assert len(house.table().history) == 1


def test_void_3_a_paused_table_takes_no_bets_and_goes_on_where_it_was() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.at("t1", lambda table: table.close(house.now, by="olga", reason="The table is paused.", paused=True))
    assert (house.table().phase(), house.restarted().table("t1").phase()) == ("paused", "paused")
    with pytest.raises(Refused, match="The table is closed"):
        house.bet("ann", 100)
    house.at("t1", lambda table: table.open(house.now, by="olga"))
    assert house.table().phase() == "betting"
    house.bet("ann", 100)
    house.run_until("result")
    assert house.table().round_number == 1


# --- the shoe of the automated dealer (RNG) ----------------------------------------------------------------------------


def shoes(house: TestHouse) -> list[tuple[ShoeShuffled, Proof, list[str]]]:
    """Every finished shoe with its proof and the cards that came from it."""
    finished = []
    committed: dict[str, str] = {}
    numbers: dict[str, str] = {}
    dealt: list[str] = []
    shuffled: ShoeShuffled | None = None
    for entry in house.streams()["table/t1"]:
        match decode(entry.payload):
            case ShoeShuffled() as fresh:
                shuffled, committed, numbers, dealt = fresh, {}, {}, []
            case CutCommitted(terminal, commitment):
                committed[terminal] = commitment
            case CutOpened(terminal, number):
                numbers[terminal] = number
            case ShoeEnded(_, reveal) if shuffled is not None and reveal is not None:
                finished.append((shuffled, Proof(shuffled.commitment, committed, numbers, reveal), dealt))
        if entry.kind == "card-dealt":
            dealt.append(str(decode(entry.payload).card))  # type: ignore[union-attr]
    return finished


def test_rng_10_a_shoe_is_committed_to_before_betting_and_proves_its_cards_when_it_has_ended() -> None:
    house = TestHouse(t1=TableConfig("stadium-three-card-poker"))
    house.player("ann")
    for _ in range(3):
        house.run_until("betting")
        house.bet("ann", 100)
        house.run_until("result")
    house.run_until("betting")
    finished = shoes(house)
    assert len(finished) == 3
    for _, proof, dealt in finished:
        assert len(dealt) == 12
        assert difference(proof, [card(code) for code in dealt], decks=1) is None
    kinds = [entry.kind for entry in house.streams()["table/t1"]]
    assert kinds.index("shoe-shuffled") < kinds.index("round-opened")


def order_after_cut(number: str) -> str:
    """The order of the first shoe when its only player cuts with that number."""
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.step()
    shoe = house.table().shoe
    assert shoe is not None
    assert shoe.shuffle is not None
    promise = cut_commitment(shoe.shuffle.commitment, "seat-1", number)
    house.at("t1", lambda table: table.commit_to_cut("ann", 1, promise, house.now))
    with pytest.raises(Refused, match="not before"):
        house.at("t1", lambda table: table.open_cut("ann", 1, number, house.now))
    house.step()
    house.at("t1", lambda table: table.open_cut("ann", 1, number, house.now))
    assert sorted(shoe.order or (), key=str) == sorted(DECK * 6, key=str)
    return codes(shoe.order or ())


def test_the_players_cut_the_shoe_and_the_cut_changes_the_order() -> None:
    assert order_after_cut("11" * 32) == order_after_cut("11" * 32)
    assert order_after_cut("11" * 32) != order_after_cut("22" * 32)


def test_a_shoe_whose_cut_is_held_back_is_laid_open_and_not_dealt_and_the_terminal_is_barred_once() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.step()
    house.at("t1", lambda table: table.commit_to_cut("ann", 1, "ab" * 32, house.now))
    house.run_until("betting")
    assert house.table().shoe_number == 2
    (_, proof, dealt), *_ = shoes(house)
    assert (proof.reveal.number, dealt) == (1, [])
    kinds = [entry.kind for entry in house.streams()["table/t1"]]
    assert kinds.count("shoe-shuffled") == 2


def test_rng_8_the_journal_holds_no_card_that_is_not_dealt() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    shoe = house.table().shoe
    assert shoe is not None
    assert shoe.order is not None
    assert shoe.shuffle is not None
    written = b"".join(entry.payload for entry in house.store())
    assert codes(shoe.shuffle.order[:6]).encode() not in written
    assert shoe.shuffle.nonce.hex().encode() not in written


def test_rng_7_what_players_bet_never_changes_which_card_comes() -> None:
    dealt = []
    for stakes in ((100, 0), (100, 40_000), (2_500, 300)):
        house = TestHouse(t1=stadium())
        for name in ("ann", "bob"):
            house.player(name)
        house.run_until("betting")
        for name, stake in zip(("ann", "bob"), stakes, strict=True):
            if stake:
                house.bet(name, stake)
        house.run_until("result")
        dealt.append(house.table().history[-1].layout)
    assert dealt[0] == dealt[1] == dealt[2]


def test_the_cut_card_ends_a_shoe() -> None:
    house = TestHouse(t1=stadium(penetration=0.1))
    house.player("ann")
    for _ in range(8):
        house.run_until("betting")
        house.bet("ann", 100)
        house.run_until("result")
    assert house.table().shoe_number > 1
    for shuffled, proof, dealt in shoes(house):
        assert len(dealt) >= 31
        assert difference(proof, [card(code) for code in dealt], decks=shuffled.decks) is None


@pytest.mark.parametrize(
    ("game", "cards", "own_time"),
    [("match-up-blackjack", "9s 8s 7d 9h 8h 6d", True), ("stadium-blackjack", "9s 7d 9h", False)],
)
def test_seats_that_act_in_turn_have_a_time_each(game: str, cards: str, own_time: bool) -> None:
    house = live(game=game, decision_seconds=10)
    house.player("ann")
    house.player("bob")
    new_game(house)
    house.bet("ann", 200)
    house.bet("bob", 200)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, cards)
    began = house.now
    assert house.table().deadline == began + 10_000
    house.now += 4_000
    house.decide("ann", "stand")
    assert house.table().deadline == (house.now if own_time else began) + 10_000


# --- seats -------------------------------------------------------------------------------------------------------------


def test_a_table_with_seats_takes_no_more_players_than_it_has() -> None:
    house = TestHouse(t1=TableConfig("mega-blackjack"))
    for number in range(7):
        house.player(f"p{number}")
    with pytest.raises(Refused, match="All 7 seats of this table are taken"):
        house.player("late")


def test_a_seat_that_is_taken_is_refused() -> None:
    house = TestHouse(t1=TableConfig("mega-blackjack"))
    house.player("ann", seat=3)
    with pytest.raises(Refused, match="Seat 3 is taken"):
        house.player("bob", seat=3)


def test_dsc_2_who_leaves_in_mid_round_keeps_the_seat_until_the_round_is_over() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.at("t1", lambda table: table.get_up("ann", house.now))
    assert "ann" in house.table().seats
    house.run_until("result")
    assert "ann" not in house.table().seats
    assert house.house.ledger[account("in-play", "t1", "ann")] == 0


# --- replay ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_int_1_a_table_comes_back_from_its_journal_at_every_moment(game: str) -> None:
    house = TestHouse(t1=TableConfig(game))
    house.player("ann")
    house.player("bob")
    seen = set()
    for _ in range(300):
        table = house.table()
        if table.phase() == "betting" and not table.in_play.seats:
            house.bet("ann", 200)
            house.bet("bob", 400)
        again = house.restarted()
        back = again.table("t1")
        assert (back.phase(), back.deadline, back.round_number) == (table.phase(), table.deadline, table.round_number)
        assert dict(again.ledger) == dict(house.house.ledger)
        seen.add(table.phase())
        if {"betting", "dealing", "deciding", "result"} <= seen:
            break
        house.step()
    assert {"betting", "dealing", "deciding", "result"} <= seen


def test_happenings_are_written_and_read_without_loss() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.run_until("result")
    for entry in house.streams()["table/t1"]:
        assert encode(decode(entry.payload)) == entry.payload


def test_a_refused_bet_moves_no_money_and_leaves_no_trace() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann", credit=500)
    house.run_until("betting")
    before = len(house.store())
    with pytest.raises(Refused, match=r"more than the credit of 5\.00"):
        house.bet("ann", 501)
    assert len(house.store()) == before
    assert credit(house.house, "ann") == 500


def test_a_table_is_a_fold_of_its_own_happenings_alone() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann")
    house.run_until("betting")
    house.bet("ann", 100)
    house.run_until("deciding")
    again = Table("t1", house.shuffler)
    for entry in house.streams()["table/t1"]:
        assert again.apply(decode(entry.payload), entry.time) == entry.transfers
    assert isinstance(again.round, Round)
    assert again.round.events == house.table().in_play.events
