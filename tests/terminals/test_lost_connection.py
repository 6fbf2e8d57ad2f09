"""Losing the connection in the middle of a round: it is said at once, no bets are taken, and all comes back by itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse, quick
from tests.terminals.neighbours import Neighbour
from tests.terminals.screens import DealerScreen, PlayerScreen, cards, shows

UNLOADED = "window.neverLoadedAgain = true"
LOADED_ONCE = "window.neverLoadedAgain === true"


def test_a_terminal_without_a_network_comes_back_to_the_same_round(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen], house: RunningHouse
) -> None:
    podium, player = dealer("lost", 312), guest("lost")
    lost = player.page.get_by_test_id("link-lost")
    player.page.evaluate(UNLOADED)
    podium.new_game()
    player.bet("blackjack")

    player.page.context.set_offline(True)
    expect(lost).to_contain_text("No bets are taken")
    expect(player.page.get_by_test_id("spot-blackjack")).to_be_disabled()
    has_no_violation(player.page)
    player.page.context.set_offline(False)
    expect(lost).to_have_count(0)
    expect(player.page.get_by_test_id("staked")).to_have_text("5.00")

    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    expect(player.can_decide("stand")).to_be_enabled()
    player.page.context.set_offline(True)
    expect(lost).to_be_visible()
    expect(player.can_decide("stand")).to_be_disabled()
    player.page.context.set_offline(False)
    expect(lost).to_have_count(0)
    shows(player.hand(), "9s", "5h")
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()

    assert player.results() == {"Blackjack": (500, "Dealer busted with 26.")}
    assert player.credit == house.credit_of(player.name)
    assert player.page.evaluate(LOADED_ONCE)


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[RunningHouse]:
    """A house that is killed."""
    house = RunningHouse(tmp_path, {"one": quick("dynasty-blackjack")})
    house.open()
    yield house
    house.close()


def test_a_house_that_was_killed_goes_on_where_it_was(
    profile: Callable[[RunningHouse], BrowserContext], fragile: RunningHouse
) -> None:
    with Neighbour(fragile.address, "one") as neighbour:
        player = PlayerScreen(profile(fragile), fragile.address, "one")
        player.page.evaluate(UNLOADED)
        player.sees_phase("betting")
        player.bet("blackjack")
        before = player.page.locator("p.phase").inner_text()
        neighbour.leaves()
    player.sees_phase("deciding", "result")
    phase, first = player.phase, cards(player.hand()).first.get_attribute("data-card")

    fragile.kill()
    expect(player.page.get_by_test_id("link-lost")).to_be_visible()
    fragile.open()
    expect(player.page.get_by_test_id("link-lost")).to_have_count(0)
    player.sees_phase(phase)
    assert cards(player.hand()).first.get_attribute("data-card") == first
    player.decide_until_the_result("decline", "stand")

    assert len(player.results()) == 1
    assert player.page.locator("p.phase").inner_text().split()[:2] == before.split()[:2]
    assert player.credit == 100_000 + player.total_change() == fragile.credit_of(player.name)
    assert player.page.evaluate(LOADED_ONCE)
