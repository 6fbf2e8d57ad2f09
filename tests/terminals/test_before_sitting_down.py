"""Before sitting down: rules, limits and returns without an identity at an enrolled terminal, and the placard on the wall."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.terminals.houses import RunningHouse, quick
from tests.terminals.people import Staff
from tests.terminals.screens import DealerScreen, DisplayScreen, PlayerScreen

Profile = Callable[[RunningHouse], BrowserContext]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """A house without guests."""
    house = RunningHouse(tmp_path_factory.mktemp("strict"), {"poker": quick("stadium-three-card-poker")}, guests=False)
    house.open()
    yield house
    house.close()


def test_disp_3_rules_limits_and_returns_are_read_without_an_identity(
    browser: Browser, profile: Profile, strict: RunningHouse
) -> None:
    token = Staff(browser, strict).terminal("place-1")
    context = profile(strict)
    page = context.new_page()
    page.goto("/play")
    page.get_by_test_id("rules-poker").click()
    expect(page.get_by_test_id("placards")).to_have_count(0)  # this browser is no terminal of the house (SEC-3)
    context.request.post("/api/terminals/here", data={"token": token})
    page.reload()
    page.get_by_test_id("rules-poker").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_text("Paytables TCP-10 A/D")).to_be_visible()
    expect(sheet.get_by_text("Pair Plus").first).to_be_visible()
    expect(sheet.get_by_text("The paytables of this table have the designator TCP-10 A/D.")).to_be_visible()


def test_the_wall_shows_the_placard(profile: Profile, house: RunningHouse) -> None:
    """Limits, decks, paytables and designators, while bets are taken."""
    wall = DisplayScreen(profile(house).new_page(), house.address, "poker-wall")
    placard = wall.page.get_by_test_id("placard")
    expect(placard.get_by_text("Paytables TCP-10 A/D")).to_be_visible()
    expect(placard.get_by_text("Shoe of 52 cards")).to_be_visible()
    expect(placard.get_by_text("TCP-6B3")).to_be_visible()


def test_a_training_table_is_marked_on_every_screen(
    profile: Profile, house: RunningHouse, page_of: Callable[[str], Page], guest: Callable[[str], PlayerScreen]
) -> None:
    """Nobody, at the table or in front of the wall, mistakes its money for real money."""
    player = guest("school")
    podium = DealerScreen(page_of("dealer"), house.address, "school")
    wall = DisplayScreen(profile(house).new_page(), house.address, "school")
    for page in (player.page, podium.page, wall.page):
        expect(page.get_by_test_id("training")).to_have_text("Training: play money")
    table = wall.page.get_by_test_id("at-this-table")
    expect(table).to_contain_text("Shuffled continuously by machine")
    expect(table).to_contain_text("up to 2 boxes for each player")
    other = DisplayScreen(profile(house).new_page(), house.address, "rules")
    expect(other.page.get_by_test_id("at-this-table")).to_contain_text("up to 3 boxes")
    expect(other.page.get_by_test_id("training")).to_have_count(0)
