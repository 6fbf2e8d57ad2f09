"""What the floor changes and what the wall shows, seen from the table; and the player who takes the money home."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, DisplayScreen, FloorScreen, PlayerScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]


def test_rules_are_changed_for_the_next_round_and_not_for_this_one(
    guest: Guest, dealer: Dealer, page_of: Callable[[str], Page], house: RunningHouse
) -> None:
    """GAME-5, with what the change comes to before it is made."""
    podium, player, floor = dealer("rules", 312), guest("rules"), FloorScreen(page_of("operator"), house.address)
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()

    floor.configure("rules")
    floor.choose("surrender", '"off"')
    expect(floor.preview).to_contain_text("Surrender is not offered.")
    floor.schedule()
    expect(floor.preview.get_by_role("alert")).to_contain_text("next round")

    podium.deal("9s", "6d", "5h")
    expect(player.can_decide("surrender")).to_be_enabled()
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9d", "6c", "5s")
    expect(player.can_decide("stand")).to_be_enabled()
    expect(player.can_decide("surrender")).to_be_disabled()  # the others keep their places


def test_a_player_cashes_out_between_wagers_and_the_ledger_agrees(
    guest: Guest, dealer: Dealer, house: RunningHouse
) -> None:
    """CSH-2: not with wagers in play; then the whole credit becomes a ticket."""
    podium, player = dealer("cash", 312), guest("cash")
    podium.new_game()
    player.bet("blackjack")
    player.open_menu("cash-out")
    expect(player.page.get_by_test_id("cash-out")).to_be_disabled()
    player.close_menu()
    podium.no_more_bets()
    podium.deal("9s", "6d", "Th")
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()

    player.sees_phase("result")
    player.open_menu("cash-out")
    player.page.get_by_test_id("cash-out").click()
    ticket = player.page.get_by_test_id("ticket")
    expect(ticket).to_contain_text("1,005.00")
    player.close_menu()
    expect(player.page.get_by_test_id("credit")).to_have_text("0.00")
    assert house.credit_of(player.name) == 0


def test_the_wall_shows_the_round(
    guest: Guest, dealer: Dealer, profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    podium, player = dealer("wall", 312), guest("wall")
    wall = DisplayScreen(profile(house).new_page(), house.address, "wall")
    podium.new_game()
    wall.sees_phase("betting")
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "Th")
    wall.sees_phase("deciding")
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()
    wall.sees_phase("result")
    for code in ("9s", "6d", "Th", "Tc", "Kc"):
        expect(wall.cards.locator(f"[data-card={code!r}]").first).to_be_visible()
    assert player.name not in wall.page.content()
    assert player.credit == 100_500
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        wall.page.set_viewport_size({"width": width, "height": height})
        assert bottom_of(wall.page.locator(".join")) <= top_of(wall.page.locator("footer")), "the way in is whole"


def top_of(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"]


def bottom_of(place: Locator) -> float:
    box = place.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_sec_3_a_browser_becomes_a_terminal_and_is_nothing_again(
    page_of: Callable[[str], Page], profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    floor = FloorScreen(page_of("operator"), house.address)
    floor.open("people")
    floor.page.get_by_test_id("terminal-name").fill("kiosk-7")
    floor.page.get_by_test_id("enrol").click()
    shown = floor.page.get_by_test_id("terminal-address")
    expect(shown).to_contain_text("/terminal#")
    address = shown.inner_text()
    kiosk = profile(house).new_page()
    kiosk.goto(address)
    expect(kiosk.get_by_role("status")).to_contain_text("This browser is the terminal kiosk-7 from now on.")
    row = floor.page.get_by_role("row").filter(has_text="kiosk-7")
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    kiosk.goto("about:blank")
    kiosk.goto(address)
    expect(kiosk.get_by_role("status")).to_contain_text("No terminal was enrolled")
