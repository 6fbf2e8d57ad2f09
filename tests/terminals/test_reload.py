"""A page that is loaded again is where it was: the bets in play, the question that is asked, and the last bet to repeat."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.terminals.screens import DealerScreen, PlayerScreen


def test_a_page_that_is_loaded_again_knows_the_bets_the_question_and_the_last_bet(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, player = dealer("reload", 312), guest("reload")
    podium.new_game()
    player.bet("blackjack", "trilux")
    player.page.reload()
    expect(player.page.get_by_test_id("staked")).to_have_text("10.00")
    podium.no_more_bets()
    podium.deal("9s", "6d", "Th")
    expect(player.can_decide("stand")).to_be_enabled()
    player.page.reload()
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()
    podium.new_game()
    player.sees_phase("betting")
    expect(player.page.get_by_test_id("rebet")).to_be_enabled()
    player.page.reload()
    player.page.get_by_test_id("rebet").click()
    expect(player.page.get_by_test_id("staked")).to_have_text("10.00")
    expect(player.page.locator(".ghost")).to_have_count(0)
    player.page.get_by_role("button", name="Double all bets").click()
    expect(player.page.get_by_test_id("staked")).to_have_text("20.00")
    player.page.get_by_role("button", name="Undo").click()
    expect(player.page.get_by_test_id("staked")).to_have_text("10.00")
    player.page.get_by_role("button", name="Clear").click()
    expect(player.page.get_by_test_id("staked")).to_have_text("0.00")


def test_rec_1_a_finished_round_is_replayed_step_by_step(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, player = dealer("replay", 312), guest("replay")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("8s", "6d", "8h")
    player.decide("split")
    podium.deal("3c")
    player.decide("stand")
    podium.deal("Tc")
    player.decide("stand")
    podium.deal("Tc", "Kc")
    podium.confirm()
    player.open_menu("history")
    sheet = player.page.get_by_role("dialog")
    sheet.get_by_role("button", name="Round 1").click()
    hands = sheet.locator("section.you .hand")
    expect(hands).to_have_count(2)
    expect(sheet.get_by_test_id("result")).to_be_visible()
    expect(sheet.get_by_text("Paytables Blackjack 3:2")).to_be_visible()
    back, on = sheet.get_by_role("button", name="Previous step"), sheet.get_by_role("button", name="Next step")
    seen = 1
    while back.is_enabled():
        back.click()
        seen += 1
    expect(sheet.locator("[aria-live]").first).to_contain_text(f"Step 1 of {seen}")
    for _ in range(seen - 1):
        on.click()
    expect(on).to_be_disabled()
    expect(hands).to_have_count(2)
