"""Whole rounds with a live dealer: the dealer's hand in one browser, the players' in others.

The cards are those of the worked rounds in tests/rounds, so that what the screens say is known beforehand.
"""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen, shows

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]


def test_stadium_blackjack(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    """A community game."""
    podium, player = dealer("stadium-live", 312), guest("stadium-live")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    player.decide("hit")
    podium.deal("5c")
    shows(player.hand(), "9s", "5h", "5c")
    player.decide("stand")
    podium.deal("Td", "Kc")
    podium.confirm()

    player.sees_phase("result")
    assert player.results() == {"Blackjack": (500, "Dealer busted with 26.")}
    assert player.credit == 100_500 == house.credit_of(player.name)


def test_dynasty_blackjack(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    """The other community game."""
    podium, player = dealer("dynasty-live", 312), guest("dynasty-live")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("Ts", "7d", "9h")
    player.decide("stand")
    podium.deal("Kc")
    podium.confirm()

    player.sees_phase("result")
    assert player.results() == {"Blackjack": (500, "Your 19 beats dealer 17.")}
    assert player.credit == 100_500 == house.credit_of(player.name)


def test_match_up_blackjack(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    """Hands of the players' own, and a hole card that only the dealer has seen (MUB 11)."""
    podium, player = dealer("match-up-live", 312), guest("match-up-live")
    player.sit(1)
    podium.new_game()
    player.pick_chip(400)
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "Kd", "7h")
    podium.deal_face_down()
    podium.sees_phase("peeking")
    has_no_violation(podium.page)
    podium.looks(blackjack=False)
    player.decide("hit")
    shows(player.dealer(), "Kd", "?")
    has_no_violation(player.page)
    podium.deal("3c")
    player.decide("stand")
    podium.turns("6c")
    podium.deal("Qs")
    podium.confirm()

    player.sees_phase("result")
    assert player.results() == {"Blackjack": (400, "Dealer busted with 26.")}
    assert player.credit == 100_400 == house.credit_of(player.name)


def test_mega_blackjack(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    """The other game with hands of the players' own."""
    podium, player = dealer("mega-live", 312), guest("mega-live")
    player.sit(2)
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("Ts", "6d", "9h")
    podium.deal_face_down()
    expect(player.can_decide("stand")).to_be_enabled()
    has_no_violation(player.page)
    player.decide("stand")
    podium.turns("Kc")
    podium.deal("Qs")
    podium.confirm()

    player.sees_phase("result")
    assert player.results() == {"Blackjack": (500, "Dealer busted with 26.")}
    assert player.credit == 100_500 == house.credit_of(player.name)


def test_three_card_poker(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    podium, player = dealer("poker-live", 52), guest("poker-live")
    podium.new_game()
    player.pick_cards(4, 5, 6)
    player.bet("ante", "pair-plus")
    podium.no_more_bets()
    podium.deal("Qs", "7d", "2h", "9s", "9d", "4h", "5c", "6c", "8c")
    expect(player.page.get_by_test_id("total")).to_have_text("pair of nines", ignore_case=True)
    has_no_violation(player.page)
    player.decide("play")
    podium.deal("Qd", "7h", "2c")
    podium.confirm()

    player.sees_phase("result")
    beaten = "Your pair of nines beats the dealer's queen high."
    assert player.results(3) == {
        "Ante": (500, beaten),
        "Play": (500, beaten),
        "Pair Plus": (500, "Pair: pays 1 to 1."),
    }
    assert player.credit == 101_500 == house.credit_of(player.name)


def test_double_for_less(guest: Guest, dealer: Dealer, house: RunningHouse) -> None:
    """SBJ 5.c: the player names how much less; the dealer's wager stays as it was."""
    podium, player = dealer("for-less", 312), guest("for-less")
    podium.new_game()
    player.pick_chip(2500)
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("5s", "6d", "6h")
    player.page.get_by_test_id("for-less").click()
    player.page.get_by_test_id("amount").fill("1500")
    has_no_violation(player.page)
    player.page.get_by_role("button", name="Double +15.00").click()
    podium.deal("Tc", "Td", "Kc")
    podium.confirm()

    player.sees_phase("result")
    assert player.results() == {"Blackjack": (4000, "Dealer busted with 26.")}
    assert player.credit == 104_000 == house.credit_of(player.name)
