"""Tables that run: rounds one after another, deadlines, shoes, dealers, and money that is where it belongs."""

import pytest

from podium.basics.cards import DECK, card, codes
from podium.basics.refusal import Refused
from podium.house.table import Table, TableConfig
from podium.house.table.correcting import Fix
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


def live(**changes: object) -> TestHouse:
    """A live table with a dealer at the podium and a counted shoe."""
    house = TestHouse(t1=stadium(dealer="live", **changes))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    return house


def deal(house: TestHouse, cards: str) -> None:
    for code in cards.split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]


def new_game(house: TestHouse) -> None:
    house.at("t1", lambda table: table.open_round(house.now))


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


# --- the live dealer ---------------------------------------------------------------------------------------------------


def test_a_live_round_from_new_game_to_confirm_result() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Tc")
    house.decide("ann", "stand")
    deal(house, "Td 5h")
    assert house.table().phase() == "confirming"
    assert credit(house.house, "ann") == OPENING - 1_000
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.table().phase() == "result"
    assert credit(house.house, "ann") == OPENING - 1_000


def test_card_1_a_live_shoe_cannot_give_a_card_more_often_than_it_holds_it() -> None:
    house = live()
    house.player("ann")
    for _ in range(2):
        new_game(house)
        house.bet("ann", 100)
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "9s 9s 9s")
        house.decide("ann", "stand")
        deal(house, "Ks" if house.table().round_number == 1 else "Kd")
        house.at("t1", lambda table: table.confirm(house.now))
    new_game(house)
    house.bet("ann", 100)
    house.at("t1", lambda table: table.close_bets(house.now))
    with pytest.raises(Refused, match="9s cannot come again"):
        deal(house, "9s")


def test_card_8_a_shoe_with_a_card_too_few_is_not_loaded() -> None:
    house = TestHouse(t1=stadium(dealer="live"))
    with pytest.raises(Refused, match="311 cards, but 6 decks have 312"):
        house.at("t1", lambda table: table.load_shoe(311, house.now, by="dana"))


def test_no_round_begins_without_a_shoe() -> None:
    house = TestHouse(t1=stadium(dealer="live"))
    with pytest.raises(Refused, match="A shoe of 6 decks is needed"):
        new_game(house)


def test_card_2_a_correction_settles_everybody_exactly_and_takes_back_what_a_wrong_card_paid() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "bet-the-set-21": 500}, {}, (), house.now)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    assert credit(house.house, "ann") == OPENING - 1_500 + 5_500
    house.at("t1", lambda table: table.correct(3, card("9d"), house.now, by="dana", reason="misread"))
    assert credit(house.house, "ann") == OPENING - 1_500
    assert house.table().in_play.seats[1].credit == OPENING - 1_500
    kinds = [transfer.kind for entry in house.store() for transfer in entry.transfers]
    assert "correction" in kinds
    assert sum(house.balances().values()) == 0


def test_card_3_a_correction_needs_a_reason_and_the_journal_says_who_and_why() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    with pytest.raises(Refused, match="needs a reason"):
        house.at("t1", lambda table: table.correct(2, card("9d"), house.now, by="dana", reason=" "))
    house.at("t1", lambda table: table.correct(2, card("9d"), house.now, by="dana", reason="misread"))
    explained = next(entry for entry in house.store() if entry.kind == "correction-explained")
    assert b'"by":"dana"' in explained.payload
    assert b"misread" in explained.payload


def corrects(house: TestHouse, number: int, code: str, approved_by: str = "") -> None:
    house.at(
        "t1",
        lambda table: table.correct(
            number, card(code), house.now, by="dana", reason="misread", approved_by=approved_by
        ),
    )


@pytest.mark.parametrize("followed_by", ["a card", "a decision", "a time-out"])
def test_card_3_a_dealer_corrects_a_card_alone_until_something_has_followed_it(followed_by: str) -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    corrects(house, 2, "7c")
    corrects(house, 2, "6d")
    if followed_by == "a card":
        deal(house, "5d")
    else:
        deal(house, "5d")
        corrects(house, 3, "4d")
        if followed_by == "a decision":
            house.decide("ann", "stand")
        else:
            house.at("t1", lambda table: table.run_out_of_time(house.now))
    number = 2 if followed_by == "a card" else 3
    with pytest.raises(Refused, match=r"A supervisor must approve it \(CARD-3\)"):
        corrects(house, number, "8h")
    corrects(house, number, "8h", approved_by="sue")
    with pytest.raises(Refused, match="supervisor must approve"):
        corrects(house, number, "9h")


@pytest.mark.parametrize(
    ("changes", "alone", "followed"),
    [
        ({}, True, False),
        ({"correction_approval": False}, True, True),
        ({"approvals": ("correct",)}, False, False),
        ({"approvals": ("correct",), "correction_approval": False}, False, False),
    ],
)
def test_card_3_the_table_s_policy_says_which_corrections_need_approval(
    changes: dict[str, object], alone: bool, followed: bool
) -> None:
    house = live(**changes)
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    table = house.table()
    last, first = (table.correction_needs_approval([Fix("replace", number, card("9d"))]) for number in (2, 1))
    assert (not last, not first) == (alone, followed)


def test_a_refused_correction_leaves_the_table_and_the_journal_as_they_were() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c")
    before = len(house.store())
    with pytest.raises(Refused, match="Card 9 cannot be corrected"):
        house.at("t1", lambda table: table.correct(9, card("9d"), house.now, by="dana", reason="misread"))
    assert len(house.store()) == before
    assert house.table().corrected is None


@pytest.mark.parametrize("after", ["bets", "first three", "decisions", "every card"])
def test_void_1_a_void_at_any_phase_restores_every_balance(after: str) -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.house.bet("ann", "t1", {"blackjack": 1_000, "royal-match-21": 700}, {"blackjack": 100}, (), house.now)
    if after != "bets":
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "5s 6c 6s")
    if after in ("decisions", "every card"):
        house.decide("ann", "double+dealer")
    if after == "every card":
        deal(house, "Td Th Kd")
        assert house.table().phase() == "confirming"
    house.at("t1", lambda table: table.void(house.now, by="dana", reason="card on the floor", approved_by="sue"))
    assert credit(house.house, "ann") == OPENING
    assert house.balances() == {"cage/main": -OPENING, "credit/ann": OPENING}
    assert house.table().notice.text == "card on the floor"


def test_card_6_a_void_needs_a_supervisor() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    house.bet("ann", 1_000)
    with pytest.raises(Refused, match="supervisor must approve"):
        house.at("t1", lambda table: table.void(house.now, by="dana", reason="misdeal"))
    assert house.table().phase() == "betting"


def test_a_new_dealer_takes_over_and_gets_the_tips_from_then_on() -> None:
    house = live()
    house.player("ann")
    for dealer in ("dana", "dora"):
        house.at("t1", lambda table, dealer=dealer: table.take_place(dealer, house.now))  # type: ignore[misc]
        new_game(house)
        house.house.bet("ann", "t1", {"blackjack": 100}, {"blackjack": 50}, (), house.now)
        house.at("t1", lambda table: table.close_bets(house.now))
        deal(house, "Ts 6c Td")
        house.decide("ann", "stand")
        deal(house, "Td 8h")
        house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.ledger[account("tips", "dana")] == 100
    assert house.house.ledger[account("tips", "dora")] == 100


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


def test_game_3_no_new_round_begins_while_one_is_in_play() -> None:
    house = live()
    house.player("ann")
    new_game(house)
    with pytest.raises(Refused, match="A round is in play"):
        new_game(house)


def test_a_refused_bet_moves_no_money_and_leaves_no_trace() -> None:
    house = TestHouse(t1=stadium())
    house.player("ann", credit=500)
    house.run_until("betting")
    before = len(house.store())
    with pytest.raises(Refused, match=r"more than the credit of 5\.00"):
        house.bet("ann", 501)
    assert len(house.store()) == before
    assert credit(house.house, "ann") == 500


def test_hp_1_a_large_win_is_held_for_an_attendant_and_locks_betting() -> None:
    house = TestHouse(t1=stadium(dealer="live", attendant_pays_from=100_000))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann", credit=200_000)
    new_game(house)
    house.bet("ann", 150_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    house.decide("ann", "stand")
    deal(house, "Td 8h")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.held("ann") == 150_000
    assert credit(house.house, "ann") == 200_000
    new_game(house)
    with pytest.raises(Refused, match="attendant must pay"):
        house.bet("ann", 100)
    house.house.attendant_paid("ann", house.now, key="a1", by="carl")
    assert house.house.held("ann") == 0
    house.bet("ann", 100)


@pytest.mark.parametrize(("limit", "held"), [(10_001, 0), (10_000, 10_000), (9_999, 10_000)])
def test_hp_1_a_win_of_exactly_the_limit_is_paid_by_an_attendant(limit: int, held: int) -> None:
    house = TestHouse(t1=stadium(dealer="live", attendant_pays_from=limit))
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(312, house.now, by="dana"))
    house.player("ann", credit=20_000)
    new_game(house)
    house.bet("ann", 10_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    deal(house, "Ts 6c Td")
    house.decide("ann", "stand")
    deal(house, "Td 8h")
    house.at("t1", lambda table: table.confirm(house.now))
    assert house.house.held("ann") == held
    assert credit(house.house, "ann") == 30_000 - held


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
