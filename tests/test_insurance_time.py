"""Insurance and even money have a time of their own; the time for deciding begins when the last seat has answered."""

import pytest

from podium.basics.cards import card
from podium.basics.refusal import Refused
from podium.house import House
from podium.house.table import TableConfig
from podium.house.table.events import TableConfigured, decode, encode
from podium.house.table.pace import due
from podium.play.events import HolePeeked, TimeExpired
from podium.record.journal import Chain, Head
from podium.rules.asking import Decisions
from tests.correcting import correct_card
from tests.floor import TestHouse

SECONDS = {"insurance_seconds": 5, "decision_seconds": 20}


def ace_up(game: str = "stadium-blackjack", cards: str = "9s Ah 5c", players: int = 3, **more: object) -> TestHouse:
    """A live table with the dealer's ace up, and everybody asked about insurance."""
    house = TestHouse(t1=TableConfig(**{"game": game, "dealer": "live", **SECONDS, **more}))  # type: ignore[arg-type]
    decks = house.rules().decks
    house.at("t1", lambda table: table.take_place("dana", house.now))
    house.at("t1", lambda table: table.load_shoe(52 * decks, house.now, by="dana"))
    house.at("t1", lambda table: table.open_round(house.now))
    for number in range(1, players + 1):
        house.player(f"p{number}", seat=number)
        house.bet(f"p{number}", 1_000)
    house.at("t1", lambda table: table.close_bets(house.now))
    for code in cards.split():
        house.at("t1", lambda table, code=code: table.deal(card(code), house.now))  # type: ignore[misc]
    return house


def asked(house: TestHouse) -> dict[int, str]:
    """What every seat that is asked is asked about."""
    awaits = house.table().in_play.awaits
    assert isinstance(awaits, Decisions)
    return {seat: question.about for seat, question in awaits.items()}


def test_while_insurance_is_asked_the_deadline_is_that_of_insurance() -> None:
    house = ace_up()
    assert house.table().deadline == house.now + 5_000
    assert house.table().window == 5_000
    house.now += 2_000
    house.decide("p1", "decline")
    assert asked(house) == {1: "play", 2: "insurance", 3: "insurance"}
    assert house.table().deadline == house.now + 3_000


def test_the_time_for_deciding_begins_when_the_last_seat_has_answered() -> None:
    house = ace_up()
    house.now += 1_000
    for player, answer in (("p1", "insure"), ("p2", "decline"), ("p3", "decline")):
        house.decide(player, answer)
    assert asked(house) == {1: "play", 2: "play", 3: "play"}
    assert house.table().deadline == house.now + 20_000
    house.now += 4_000
    house.decide("p1", "stand")
    assert house.table().deadline == house.now + 16_000


def test_sbj_5_h_iii_only_seats_that_have_not_answered_time_out_of_insurance() -> None:
    house = ace_up()
    house.decide("p1", "insure")
    house.step()
    played = house.table().in_play
    assert played.events[-1] == TimeExpired((2, 3))
    assert asked(house) == {1: "play", 2: "play", 3: "play"}
    assert played.decisions_of(1) == [("insure", False)]
    assert played.decisions_of(2) == [("decline", True)]
    assert house.table().deadline == house.now + 20_000
    house.step()
    assert played.events[-1] == TimeExpired()
    assert played.decisions_of(1) == [("insure", False), ("stand", True)]


@pytest.mark.parametrize("game", ["match-up-blackjack", "mega-blackjack"])
def test_mub_10_own_hands_are_insured_together_and_then_played_in_turns(game: str) -> None:
    players = min(2, TableConfig(game).to_game().rules.places or 2)
    cards = "9s 8s Ah 5c 6c 7d" if players == 2 else "9s Ah 5c 7d"
    house = ace_up(game, cards, players)
    opened = house.now
    house.now += 1_000
    house.decide("p1", "decline")
    if players == 2:
        assert house.table().deadline == opened + 5_000
        house.step()
        assert house.table().in_play.events[-2] == TimeExpired((2,))
    assert house.table().in_play.events[-1] == HolePeeked(blackjack=False)
    assert asked(house) == {1: "play"}
    assert house.table().deadline == house.now + 20_000
    house.now += 3_000
    house.decide("p1", "hit")
    house.at("t1", lambda table: table.deal(card("2d"), house.now))
    assert house.table().deadline == house.now + 20_000


def test_more_credit_gives_nobody_more_time() -> None:
    house = ace_up("match-up-blackjack", "9s 8s Ah 5c 6c 7d", 2)
    deadline = house.table().deadline
    house.now += 1_000
    house.house.pay_in("p2", 500, house.now, key="more", by="cashier")
    assert house.table().deadline == deadline


def test_a_window_that_does_not_close_early_keeps_the_next_card_until_it_is_over() -> None:
    house = ace_up(cards="Ks Ah Ac", players=1, close_early=False, dealer="live")
    deadline = house.table().deadline
    house.decide("p1", "even-money")
    assert house.table().deadline == deadline


def test_card_2_a_corrected_ace_opens_and_ends_the_time_for_insurance() -> None:
    house = ace_up()
    house.decide("p1", "decline")
    house.now += 1_000
    approved = {"by": "dana", "approved_by": "sue"}
    house.at("t1", lambda table: correct_card(table, 2, card("Kh"), house.now, reason="misread", **approved))
    assert asked(house) == {1: "play", 2: "play", 3: "play"}
    assert house.table().deadline == house.now + 20_000
    house.at("t1", lambda table: correct_card(table, 2, card("Ah"), house.now, reason="it was the ace", **approved))
    assert asked(house) == {1: "insurance", 2: "insurance", 3: "insurance"}
    assert house.table().deadline == house.now + 5_000


def test_time_1_the_deadline_of_insurance_survives_a_restart() -> None:
    house = ace_up()
    house.now += 1_000
    house.decide("p1", "insure")
    again = house.restarted().table("t1")
    assert (again.deadline, again.window) == (house.table().deadline, 5_000)
    assert due(again) == due(house.table())
    house.step()
    again = house.restarted().table("t1")
    assert (again.deadline, again.window) == (house.now + 20_000, 20_000)


def test_a_journal_in_which_time_ran_out_for_everybody_at_once_still_plays() -> None:
    house = ace_up()
    house.decide("p1", "decline")
    streams = house.streams()
    written = streams["table/t1"]
    chain = Chain("table/t1", Head(written[-1].sequence, written[-1].hash))
    written.append(chain.add(house.now, "time-expired", encode(TimeExpired())))
    again = House(house.shuffler)
    again.restore(streams)
    assert again.table("t1").in_play.decisions_of(1) == [("decline", False), ("stand", True)]
    assert again.table("t1").in_play.decisions_of(2) == [("decline", True)]


def test_a_configuration_of_before_has_a_time_for_insurance() -> None:
    old = b'{"event":"table-configured","version":1,"config":{"game":"stadium-blackjack","decision_seconds":9}}'
    happened = decode(old)
    assert isinstance(happened, TableConfigured)
    assert happened.config.insurance_seconds == TableConfig("stadium-blackjack").insurance_seconds
    assert decode(encode(happened)) == happened
    with pytest.raises(Refused, match="insurance_seconds = 0"):
        TableConfig("stadium-blackjack", insurance_seconds=0).check()
