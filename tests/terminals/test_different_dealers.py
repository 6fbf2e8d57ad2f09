"""Two players at one community table, who split and double, and meet different dealers (SBJ 5.d, 7.d)."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen, shows


def test_one_splits_and_doubles_and_the_other_stands(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen], house: RunningHouse
) -> None:
    podium, splits, stands = dealer("split", 312), guest("split"), guest("split")
    podium.new_game()
    splits.bet("blackjack")
    stands.bet("blackjack")
    podium.no_more_bets()
    podium.deal("8s", "6d", "8h")
    expect(splits.can_decide("split")).to_contain_text("+5.00")
    splits.decide("split")
    stands.decide("stand")

    podium.deal("3c")
    expect(splits.hand(2)).to_be_visible()
    splits.decide("double")
    podium.deal("Tc")
    expect(splits.hand(1)).to_contain_text("21")
    expect(splits.hand(1)).to_contain_text("doubled")
    podium.deal("9c")
    splits.decide("stand")
    podium.deal("5h", "6h")
    podium.confirm()

    for player in (splits, stands):
        player.sees_phase("result")
    shows(splits.hand(1), "8s", "3c", "Tc")
    shows(splits.hand(2), "8h", "9c")
    shows(splits.dealer(), "6d", "5h", "6h")
    shows(stands.hand(), "8s", "8h")
    shows(stands.dealer(), "6d", "3c", "Tc")
    change, why = splits.results()["Blackjack"]
    assert change == 1000, "the hand that doubled won, and the other is a push"
    assert why == "Hand 1: Your 21 beats dealer 17. Hand 2: Pushed: 17 against 17."
    assert stands.results() == {"Blackjack": (-500, "Dealer 19 beats your 16.")}
    for player in (splits, stands):
        assert player.credit == 100_000 + player.total_change() == house.credit_of(player.name)
