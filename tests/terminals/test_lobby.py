"""The lobby while others play: the name of a table, what its dealer had, its rules, and who one is."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen


def test_the_lobby_shows_a_table_as_it_is_played(
    guest: Callable[[str], PlayerScreen],
    dealer: Callable[[str, int], DealerScreen],
    profile: Callable[[RunningHouse], BrowserContext],
    house: RunningHouse,
) -> None:
    """Its name, who sits there, and after a round what the dealer had."""
    podium, player = dealer("lobby", 312), guest("lobby")
    lobby = profile(house).new_page()
    lobby.goto(f"{house.address}/play")
    entry = lobby.get_by_test_id("table-lobby")
    expect(lobby.get_by_test_id("road-lobby")).to_have_count(0)
    player.sit(2)
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("Ts", "6d", "9h")
    podium.deal_face_down()
    expect(entry).to_contain_text("lobby")
    player.decide("stand")
    podium.turns("Kc")
    podium.deal("Qs")
    podium.confirm()
    expect(lobby.get_by_test_id("road-lobby").locator(".had")).to_have_text(["bust"])
    name = lobby.request.get("/api/me").json()["name"]
    expect(lobby.get_by_test_id("who")).to_contain_text(name)
    has_no_violation(lobby)
    lobby.get_by_test_id("rules-poker-wall").click()
    placard = lobby.get_by_role("dialog")
    expect(placard.get_by_text("Paytables TCP-10 A/D")).to_be_visible()
    expect(placard.get_by_text("Limits: ").first).to_be_visible()
    has_no_violation(lobby)
    placard.get_by_role("button", name="Close").click()
    expect(lobby.get_by_test_id("table-lobby")).to_be_visible()
    player.page.get_by_role("button", name="Add a table").click()
    expect(player.page.get_by_test_id("table-lobby")).to_contain_text("You sit here")
    assert player.page.get_by_test_id("lobby-credit").inner_text() == "1,005.00"
