"""What the dealer puts right is seen by whoever plays: a correction, and a round that is void."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, FloorScreen, PlayerScreen, shows


def test_a_correction_and_a_void_round_are_seen_by_the_player(
    guest: Callable[[str], PlayerScreen],
    dealer: Callable[[str, int], DealerScreen],
    page_of: Callable[[str], Page],
    house: RunningHouse,
) -> None:
    podium, player, supervisor = dealer("mistakes", 312), guest("mistakes"), page_of("supervisor")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    expect(player.hand()).to_contain_text("14")

    podium.correct(3, "Ah")
    expect(player.hand()).to_contain_text("20")
    shows(player.hand(), "9s", "Ah")
    key = podium.page.get_by_test_id("correct")
    key.focus()
    podium.page.keyboard.press("Enter")
    expect(podium.page.get_by_role("dialog")).to_have_count(1)
    podium.page.keyboard.press("Escape")
    expect(podium.page.get_by_role("dialog")).to_have_count(0)
    expect(key).to_be_focused()  # the keyboard is where it was
    player.decide("stand")
    podium.deal("Tc")

    podium.ask_for_void()
    floor = FloorScreen(supervisor, house.address).page
    request = floor.get_by_role("listitem").filter(has_text="Void round 1 at mistakes")
    request.get_by_test_id("give-code").click()
    code = request.get_by_test_id("code").inner_text()
    podium.type_code("000000" if code != "000000" else "000001")
    expect(podium.page.get_by_test_id("waits").get_by_role("alert")).to_contain_text("does not fit this request")
    has_no_violation(podium.page)
    podium.type_code(code)
    podium.goes_on()
    player.sees_phase("void")
    expect(player.said).to_contain_text("Card exposed early")
    expect(player.page.locator("footer .net")).to_contain_text("returned")
    has_no_violation(player.page)
    assert player.credit == 100_000 == house.credit_of(player.name)


def test_a_dealer_ends_a_round_in_which_nobody_bets_alone(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, player = dealer("nobody", 312), guest("nobody")
    podium.new_game()
    podium.page.get_by_test_id("end-round").click()
    expect(podium.page.get_by_role("dialog")).to_contain_text("Nobody has bet")
    podium.page.get_by_test_id("why-no-wagers").click()
    has_no_violation(podium.page)
    podium.page.get_by_test_id("send-reason").click()
    podium.goes_on()
    podium.sees_phase("void")
    expect(player.said).to_contain_text("Nobody bets")
