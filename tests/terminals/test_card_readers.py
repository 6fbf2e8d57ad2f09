"""A reader that types like a keyboard, and an enrolled one: what the dealer's page hears and shows (CARD-11, CARD-10)."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.screens import DealerScreen, PlayerScreen, shows

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]


def scan(page: Page, code: str) -> None:
    """As a reader does: real key events, at once, to whatever has the focus."""
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_card_11_a_scan_is_heard_whatever_has_the_focus_and_with_a_sheet_open(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("readers", 312), guest("readers")
    page = podium.page
    scan(page, "Kh")
    expect(page.locator("main .said")).to_contain_text("no card is awaited now")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()

    page.locator("h1").click()  # a tap on the felt
    scan(page, "9s")
    expect(page.get_by_test_id("flash").locator("[data-card]")).to_have_attribute("data-card", "9s")
    expect(podium.dealt).to_have_count(1)

    podium.correct(1, "8s")
    page.get_by_test_id("correct").focus()
    scan(page, "6d")
    expect(podium.dealt).to_have_count(2)
    expect(page.get_by_role("dialog")).to_have_count(0)  # the key that has the focus was not pressed

    page.get_by_test_id("void").click()
    reason = page.get_by_test_id("reason")
    reason.fill("exposed")
    scan(page, "5h")
    expect(podium.dealt).to_have_count(3)
    expect(reason).to_have_value("exposed")
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    shows(player.hand(), "8s", "5h")

    page.get_by_test_id("cut-card").click()
    for screen in (podium.page, player.page):
        expect(screen.get_by_test_id("last-of-shoe")).to_contain_text("the last round of the shoe")
    has_no_violation(page)
    player.decide("stand")
    page.get_by_test_id("load-shoe").click()  # the shoe has run out in mid-round
    page.get_by_test_id("load").click()
    podium.goes_on()
    scan(page, "Td")
    expect(podium.dealt).to_have_count(4)
    podium.deal("Kc")
    podium.confirm()
    player.sees_phase("result")
