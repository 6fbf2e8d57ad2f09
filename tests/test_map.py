"""The map of the table, which its dealer alone is shown: who sits where with what, who is asked, what Confirm will pay."""

from pathlib import Path

from podium.basics.cards import card
from podium.play.events import WagersPlaced
from podium.play.mapped import seats_on_map
from podium.play.round import Round
from podium.rules.asking import Confirmation
from podium.rules.games import game
from podium.server.limits import MAX_SEATS_ON_MAP
from podium.server.show import table_map
from podium.wire.commands import Confirm, EnterCard
from tests.floor import credit
from tests.server.served import a_house, until
from tests.server.test_devices import HELD, at_the_table
from tests.table import match_up_blackjack, stadium_blackjack, three_card_poker
from tests.terminal import on_a_loop
from tests.test_paid_at_once import deal, dealt


def test_who_is_asked_who_has_decided_and_who_is_finished() -> None:
    table = stadium_blackjack().bets(p1=10_00, p2=20_00, p3=5_00).dealt("9s 6d 2c").decides(p2="stand", p3="double")
    first, second, third = seats_on_map(table.round, 9)
    assert (first.seat, first.staked, first.asked, first.decided, first.finished) == (1, 10_00, "play", 0, False)
    assert (second.asked, second.decided, second.finished) == ("", 1, True)
    assert (third.staked, third.asked, third.hands[0].doubled) == (10_00, "", True)
    assert [(seat.hands[0].cards, seat.hands[0].total) for seat in (first, second)] == [(["9s", "2c"], 11)] * 2


def test_mub_9_in_turns_one_seat_is_asked_and_its_hand_is_named() -> None:
    table = match_up_blackjack().bets(p1=4_00, p2=4_00).dealt("8s 6d 9c 8h 5d Th").decides(p1="split").dealt("3c")
    first, second = seats_on_map(table.round, 9)
    assert (first.asked, first.playing, len(first.hands), second.asked) == ("play", 0, 2, "")


def test_nine_cards_name_the_hand_and_what_was_decided() -> None:
    table = three_card_poker().bet("p1", 10_00, spots=(1, 2, 3)).bet("p2", 10_00, spots=(4, 5, 6))
    table.dealt("9s 9d 2c Kh Qh 5d 3s 7c 8d").decides(p1="play", p2="fold")
    first, second = seats_on_map(table.round, 9)
    assert first.hand is not None
    assert (first.hand.key, first.decision, second.decision) == ("hand.pair", "play", "fold")


def test_what_confirm_will_pay_is_what_comes_to_the_credit() -> None:
    """Ann's blackjack was paid with the card that completed the deal: Confirm pays only Bob."""
    house = dealt("As 9h 6d Kd Tc ?")
    shown = table_map("t1", 1, house.table().round)
    assert [(seat.returned, seat.pays) for seat in shown.seats] == [(40_00, None), (0, None)]
    assert shown.pays is None
    house.decide("bob", "stand")
    house.at("t1", lambda table: table.turn(card("Th"), house.now))
    deal(house, "2c")
    before = {name: credit(house.house, name) for name in ("ann", "bob")}
    shown = table_map("t1", 1, house.table().round)
    house.at("t1", lambda table: table.confirm(house.now))
    assert [seat.pays for seat in shown.seats] == [credit(house.house, name) - was for name, was in before.items()]
    assert (shown.pays, table_map("t1", 1, house.table().round).pays) == (20_00, None)


def test_a_full_hall_is_listed_up_to_the_limit_and_the_rest_counted() -> None:
    played = Round(game("stadium-blackjack"))
    for seat in range(1, MAX_SEATS_ON_MAP + 6):
        played.apply(WagersPlaced(seat, {"blackjack": 5_00}))
    played.close_betting()
    played.deal("9s 6d Kc")
    played.time_out()
    played.deal("Td 5s")
    assert isinstance(played.awaits, Confirmation)
    shown = table_map("t1", 1, played)
    assert (len(shown.seats), shown.left_out, shown.pays) == (MAX_SEATS_ON_MAP, 5, None)
    assert [seat.seat for seat in shown.seats] == list(range(1, MAX_SEATS_ON_MAP + 1))


@on_a_loop
async def test_the_dealer_is_shown_the_map_as_it_changes_and_a_player_never(tmp_path: Path) -> None:
    async with a_house(tmp_path, HELD) as served:
        podium, player, _ = await at_the_table(served, await served.operator())
        await until(podium, lambda: podium.table.map is not None and len(podium.table.map.seats) == 1)
        for number, code in enumerate(("9s", "6d", "Kc"), 1):
            await podium.do(EnterCard, round=1, number=number, card=code)
        await until(podium, lambda: podium.table.map.seats[0].asked == "play")  # type: ignore[union-attr]
        await player.decide("stand")
        await until(podium, lambda: podium.table.map.seats[0].finished)  # type: ignore[union-attr]
        for number, code in enumerate(("Td", "9c"), 4):
            await podium.do(EnterCard, round=1, number=number, card=code)
        await until(podium, lambda: podium.table.map.pays == 10_00)  # type: ignore[union-attr]
        await podium.do(Confirm, round=1)
        await until(podium, lambda: podium.table.map.seats[0].returned == 10_00)  # type: ignore[union-attr]
        assert player.table.map is None
        await player.__aexit__(None, None, None)
        await podium.__aexit__(None, None, None)
