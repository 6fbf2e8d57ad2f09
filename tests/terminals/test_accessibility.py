"""axe-core finds no violation on any screen, in any of the phases that a round goes through."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.terminals.axe import violations
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, DisplayScreen, FloorScreen, PlayerScreen

MENU = ("help", "history", "fairness", "settings", "cash-out")
OPERATOR = ("tables", "people", "events", "recall", "reports")


class Looks:
    """Looks at pages, and remembers what was found where."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def at(self, page: Page, what: str) -> None:
        self.found += [f"{what}: {violation}" for violation in violations(page)]


def test_table_dealer_and_wall_through_a_round(
    guest: Callable[[str], PlayerScreen],
    dealer: Callable[[str, int], DealerScreen],
    profile: Callable[[RunningHouse], BrowserContext],
    house: RunningHouse,
) -> None:
    looks = Looks()
    podium, player = dealer("screens", 312), guest("screens")
    wall = DisplayScreen(profile(house).new_page(), house.address, "screens")

    def look(phase: str) -> None:
        player.sees_phase(phase)
        wall.sees_phase(phase)
        for who, page in (("player", player.page), ("dealer", podium.page), ("wall", wall.page)):
            looks.at(page, f"{who}, {phase}")

    look("waiting")
    podium.new_game()
    player.bet("blackjack")
    look("betting")
    podium.no_more_bets()
    podium.deal("9s")
    look("dealing")
    podium.deal("6d", "5h")
    look("deciding")
    podium.page.get_by_test_id("correct").click()
    looks.at(podium.page, "correction")
    podium.page.keyboard.press("Escape")
    expect(podium.page.get_by_role("dialog")).to_have_count(0)
    player.decide("stand")
    podium.deal("Tc", "Kc")
    look("confirming")
    podium.confirm()
    look("result")
    for entry in MENU:
        player.open_menu(entry)
        looks.at(player.page, entry)
        player.close_menu()
    assert looks.found == []


def test_lobby_and_games_with_seats_and_nine_cards(
    guest: Callable[[str], PlayerScreen], profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    looks = Looks()
    player = guest("match-up-live")
    expect(player.page.get_by_test_id("sit-7")).to_be_visible()
    looks.at(player.page, "seats to choose")
    player.page.goto("/play?table=poker-live")
    expect(player.page.get_by_test_id("location-1")).to_be_visible()
    looks.at(player.page, "nine cards")
    player.page.goto("/play")
    expect(player.page.get_by_test_id("table-poker-live")).to_be_visible()
    looks.at(player.page, "lobby")
    stranger = profile(house).new_page()
    for screen in ("dealer", "floor", "welcome"):
        stranger.goto(f"/{screen}")
        expect(stranger.get_by_role("button").first).to_be_visible()
        looks.at(stranger, f"{screen} for a stranger")
    assert looks.found == []


def test_every_page_of_the_floor(page_of: Callable[[str], Page], house: RunningHouse) -> None:
    looks = Looks()
    floor = FloorScreen(page_of("operator"), house.address)
    floor.configure("screens")
    expect(floor.page.get_by_label("surrender", exact=True)).to_be_visible()
    looks.at(floor.page, "configuration")
    for tab in OPERATOR:
        floor.open(tab)
        expect(floor.page.get_by_role("tabpanel")).to_be_visible()
        looks.at(floor.page, tab)
    cashier = FloorScreen(page_of("cashier"), house.address)
    cashier.open("cashier")
    expect(cashier.page.get_by_role("tabpanel")).to_be_visible()
    looks.at(cashier.page, "cashier")
    assert looks.found == []
