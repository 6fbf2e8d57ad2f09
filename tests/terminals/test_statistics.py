"""What a player finds about the last rounds, and what the dealer finds about the table, while both play."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.terminals.axe import has_no_violation
from tests.terminals.screens import DealerScreen, PlayerScreen, cards

SIZES = [(320, 568), (360, 640), (740, 360), (960, 540), (1920, 1080)]


def test_the_player_finds_own_rounds_as_the_credit_has_them(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, player = dealer("statistics", 312), guest("statistics")
    page = player.page
    for codes in ("Ts 9d 9h 9s", "9c 6d Kc Td 5s", "2s 6h 4c Tc Ks"):
        podium.new_game()
        page.get_by_test_id("favourites").click()
        if codes.startswith("Ts"):
            page.keyboard.press("Escape")
            player.bet("blackjack")
            page.get_by_test_id("favourites").click()
            page.get_by_test_id("favourite-keep").click()
            has_no_violation(page)
            page.keyboard.press("Escape")
        else:
            page.get_by_test_id("favourite-1").click()
        expect(page.locator(".ghost")).to_have_count(0)
        expect(page.get_by_test_id("staked")).to_have_text("5.00")
        podium.no_more_bets()
        first, second, third, *more = codes.split()
        podium.deal(first, second, third)
        player.decide("stand")
        podium.deal(*more)
        podium.confirm()
        player.sees_phase("result")
    change = player.credit - 100_000
    player.open_menu("statistics")
    expect(page.get_by_test_id("own-road").get_by_role("listitem")).to_have_count(3)
    sums = page.get_by_test_id("own-sums")
    expect(sums).to_contain_text("15.00")
    expect(sums).to_contain_text(f"{change / 100:.2f}".lstrip("-"))
    past = page.get_by_test_id("past").get_by_role("listitem")
    expect(past).to_have_count(3)
    expect(past.last).to_contain_text("18")
    assert cards(past.last).count() == 4
    has_no_violation(page)
    player.close_menu()
    player.open_menu("settings")
    for setting in ("Large text", "Left-handed layout"):
        page.get_by_role("switch", name=setting).click()
    has_no_violation(page)
    player.close_menu()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-text", "large")
    expect(page.locator("body")).to_have_attribute("data-hand", "left")


def test_the_dealer_sees_who_is_asked_and_what_confirm_pays_at_every_size(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, first, second = dealer("map", 312), guest("map"), guest("map")
    page = podium.page
    first.sit(1)
    second.sit(2)
    podium.new_game()
    first.bet("blackjack")
    second.bet("blackjack")
    expect(page.get_by_test_id("map-seat-2")).to_contain_text("5.00")
    podium.no_more_bets()
    podium.deal("Ts", "9s", "6d", "9h", "8h")
    podium.deal_face_down()
    expect(page.get_by_test_id("map-seat-1")).to_contain_text("deciding")
    first.decide("stand")
    expect(page.get_by_test_id("map-seat-1")).to_contain_text("finished")
    expect(page.get_by_test_id("map-seat-2")).to_contain_text("17")
    second.decide("stand")
    podium.turns("Kc")
    podium.deal("2s")
    expect(page.get_by_test_id("map-pays")).to_have_text("It pays 10.00")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for seat in (1, 2):
            place = page.get_by_test_id(f"map-seat-{seat}")
            place.scroll_into_view_if_needed()
            box = place.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        has_no_violation(page)
    podium.confirm()
    expect(page.get_by_test_id("map-seat-1")).to_contain_text("+5.00")
    expect(page.get_by_test_id("map-seat-2")).to_contain_text("\N{MINUS SIGN}5.00")
    assert first.credit == 100_500
    assert second.credit == 99_500
