"""Money and settlement where other tests do not come: `make coverage` wants every line and branch of them reached."""

import pytest

from podium.basics.money import MAX_ODDS_CHARS, Odds
from podium.basics.refusal import Refused
from podium.house.calendar import DayRule
from podium.house.cash import CASH, CashDays
from podium.house.table.money import flows_of
from podium.record.ledger import Transfer, account
from podium.record.limits import MAX_ROUNDS_IN_A_METER
from podium.record.meters import Meters
from podium.rules.bets import ANTE_BONUS, BETS, BLACKJACK, PAIR_PLUS, PLAY
from podium.rules.bets.bet import Sees
from podium.rules.games import game
from podium.rules.results import SeatResult, WagerResult, because, together
from podium.rules.seat import Seat
from podium.rules.wagers import check_limits, check_wagers
from tests.metering import read_meters

STAKE, PLAYED, BANK = account("credit", "ann"), account("in-play", "t1", "ann"), account("bank", "t1")


def lost(number: int) -> list[Transfer]:
    """A stake of 5.00 that is lost."""
    return [
        Transfer(f"t1.{number}.s", STAKE, PLAYED, 500, "stake", table="t1", round=str(number), flow="stake"),
        Transfer(f"t1.{number}.l", PLAYED, BANK, 500, "stake-lost", table="t1", round=str(number), flow="stake_lost"),
    ]


def test_mtr_1_games_of_rounds_that_are_no_longer_remembered_are_counted() -> None:
    rounds = MAX_ROUNDS_IN_A_METER + 5
    meters = read_meters(transfer for number in range(rounds) for transfer in lost(number))
    assert (meters.coin_in, meters.games_played, meters.games_won) == (500 * rounds, rounds, 0)


def test_mtr_1_a_debt_that_a_round_makes_is_no_flow_of_the_table() -> None:
    debt = Transfer("t1.1.debt", account("debt", "ann"), STAKE, 700, "debt", table="t1", round="1")
    assert read_meters([debt]) == Meters()


def test_mtr_1_a_tip_that_goes_back_between_dealers_is_no_game() -> None:
    dana, dora = (account("tips", name) for name in ("dana", "dora"))
    moved = Transfer("t1.1.t", dana, dora, 100, "tip", table="t1", round="1", flow="tip_of_stake")
    assert read_meters([moved]).games_played == 0


@pytest.mark.parametrize(("credit", "held"), [(None, 5_000), (9_000, 5_000), (2_000, 2_000)])
def test_hp_1_in_rounds_of_earlier_programs_a_large_win_is_held_at_the_end(credit: int | None, held: int) -> None:
    """As much of it as the player still has."""
    seat = Seat(1, {"royal-match-21": 200}, {}, brought=None if credit is None else credit + 200 - 5_200)
    seat.settled.append(WagerResult("royal-match-21", "player", 200, 5_200))
    flows = flows_of(seat, attendant_pays_from=5_000, over=True)
    assert (flows.stake, flows.stake_back, flows.win, flows.win_held) == (200, 200, 5_000 - held, held)
    assert flows_of(seat, attendant_pays_from=5_001, over=True).win_held == 0


def test_cash_that_a_dealer_takes_from_tips_is_no_player_s_cash() -> None:
    days = CashDays()
    moved = [Transfer("t", account("tips", "ann"), CASH, 500, "tip-paid"), Transfer("i", CASH, STAKE, 700, "cash-in")]
    days.moved(moved, 0, DayRule())
    assert (days.of("ann", 0).taken, days.of("ann", 0).paid) == (700, 0)


def test_a_bet_of_nothing_is_refused() -> None:
    chosen = game("stadium-blackjack")
    with pytest.raises(Refused, match="There is no wager"):
        check_wagers(chosen.rules, chosen.offers, {}, {})


def test_sbj_a_hand_without_a_blackjack_loses_to_one() -> None:
    assert BLACKJACK.of(21, False, 21, True, 2, 0) is None
    assert BLACKJACK.of(21, True, 21, True, 2, 0) == "push"


def test_parts_of_a_wager_are_put_together_with_their_reasons_and_breakage() -> None:
    parts = [
        WagerResult("blackjack", "player", 300, 0, why=(because("bust", yours=22),)),
        WagerResult("blackjack", "dealer", 100, 200, 200),
        WagerResult("blackjack", "dealer", 50, 100, 100),
        WagerResult("blackjack", "player", 301, 602, why=(because("win", yours=20),), breakage="1/2"),
    ]
    own, dealers = together(parts)
    assert (own.staked, own.returned, own.outcome, own.breakage) == (601, 602, "win", "1/2")
    assert [why.key for why in own.why] == ["why.bust", "why.win"]
    assert (dealers.staked, dealers.tips) == (150, 300)


def test_the_largest_odds_and_the_longest_way_to_write_them_are_taken() -> None:
    assert Odds.read("100000:1000") == Odds(100_000, 1_000)
    longest = "2".rjust(MAX_ODDS_CHARS, "0")
    assert Odds.read(f"{longest}:1") == Odds(2, 1)
    with pytest.raises(Refused):
        Odds.read(f"0{longest}:1")


def test_what_goes_to_the_dealers_does_not_come_back_to_the_player() -> None:
    seat = SeatResult(
        (), None, (WagerResult("blackjack", "player", 300, 600), WagerResult("blackjack", "dealer", 100, 200, 200))
    )
    assert (seat.staked, seat.tips, seat.returned, seat.net) == (400, 200, 600, 200)


def test_a_bet_and_a_seat_say_what_they_are() -> None:
    assert repr(BLACKJACK) == "Bet('blackjack')"
    assert Sees.FIRST_TWO.as_fact().key == "rules.sees.first-two"
    seat = Seat(7, {"blackjack": 500}, {})
    assert repr(seat) == "<Seat 7: staked 500, credit unlimited>"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({}, "must list outcomes with their odds"),
        ([["pair", 1]], "must list outcomes with their odds"),
        ({"five aces": 100}, "'five aces' is not one of its outcomes"),
        ({"pair": -1}, "odds of '-1' are out of range"),
    ],
)
def test_a_paytable_that_cannot_be_read_is_refused(lines: object, said: str) -> None:
    with pytest.raises(Refused, match=said):
        PAIR_PLUS.read_paytable("X", lines)


def test_tcp_a_paytable_is_named_by_a_name() -> None:
    with pytest.raises(Refused, match="it is the name of a paytable"):
        game("stadium-three-card-poker", {"pair_plus": 3})


def test_tcp_7_the_table_takes_play_and_the_ante_bonus_with_an_ante() -> None:
    rules = game("stadium-three-card-poker").rules
    assert rules.takes(PLAY)
    assert rules.takes(ANTE_BONUS)
    assert not rules.takes(BETS["trilux"])
    assert rules.follow_up({"ante": 500, "pair-plus": 100}) == 500
    assert rules.follow_up({"pair-plus": 100}) == 0


def test_mub_of_the_amounts_that_a_table_takes_the_highest_that_fits_is_offered() -> None:
    most = {"most_payable": 2_000, "wager_amounts": [200, 1_000]}
    chosen = game("match-up-blackjack", most)
    rules, offers = chosen.rules, chosen.offers
    assert [rules.pays_most(offers["blackjack"], amount) for amount in (200, 1_000)] == [2_000, 10_000]
    with pytest.raises(Refused, match=r"of at most 2\.00 is accepted"):
        check_limits(rules, offers, {"blackjack": 1_000}, {})
    check_limits(rules, offers, {"blackjack": 200}, {})
