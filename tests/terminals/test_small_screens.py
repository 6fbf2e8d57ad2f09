"""A phone on its side, and a page that somebody enlarges: nothing is lost (WCAG 1.4.4, 1.4.10)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.screens import DealerScreen, PlayerScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]

SIZES = {"a phone on its side": (740, 360), "a laptop at 200 %": (640, 400), "a laptop at 400 %": (320, 200)}


def comes_whole_into_view(place: Locator, width: int, height: int) -> None:
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= height
    place.click(trial=True)  # and nothing lies over it


@pytest.mark.parametrize("size", SIZES)
def test_cards_and_answers_can_be_seen(guest: Guest, dealer: Dealer, size: str) -> None:
    width, height = SIZES[size]
    table = f"small-{width}"
    podium, player = dealer(table, 312), guest(table)
    player.page.set_viewport_size({"width": width, "height": height})
    podium.new_game()
    comes_whole_into_view(player.page.get_by_test_id("spot-super-3"), width, height)
    player.bet("blackjack")
    comes_whole_into_view(player.page.get_by_role("button", name="Clear"), width, height)
    podium.no_more_bets()
    podium.deal("9s", "6d", "9h")
    for answer in ("stand", "hit", "double", "split", "surrender"):
        comes_whole_into_view(player.can_decide(answer), width, height)
    for card in ("9s", "6d", "9h"):
        shown = player.page.locator(f".side [data-card='{card}']")
        comes_whole_into_view(shown, width, height) if card != "9s" else shown.scroll_into_view_if_needed()
        box = shown.bounding_box()
        assert box is not None
        assert box["width"] >= 24
    expect(player.page.get_by_test_id("credit")).to_be_visible()
    has_no_violation(player.page)


ROOMS = {
    "a small phone": (320, 568, 52),
    "a phone": (360, 640, 56),
    "a phone lying down": (740, 360, 44),
    "a low screen": (960, 540, 70),
    "a kiosk": (1920, 1080, 96),
}
"""Width and height in pixels, and how wide a card is at least."""


@pytest.mark.parametrize("room", ROOMS)
def test_cards_get_the_room_and_keep_their_size_from_the_first_card_to_the_result(
    guest: Guest, dealer: Dealer, room: str
) -> None:
    width, height, least = ROOMS[room]
    podium, player = dealer(f"room-{width}", 312), guest(f"room-{width}")
    page = player.page
    page.set_viewport_size({"width": width, "height": height})
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "2h")
    stand = player.can_decide("stand").bounding_box()
    seen = [card_width(player, "2h")]
    assert seen[0] >= least
    expect(player.hand().get_by_test_id("hand-stake").locator(".chip")).to_have_count(1)
    player.decide("hit")
    podium.deal("5c")
    expect(player.can_decide("stand")).to_be_enabled()
    assert player.can_decide("stand").bounding_box() == stand
    seen.append(card_width(player, "2h"))
    player.decide("stand")
    expect(page.get_by_test_id("phase")).not_to_contain_text("Your turn")
    podium.deal("4d", "Kh")
    podium.confirm()
    seen.append(card_width(player, "2h"))
    assert max(seen) - min(seen) <= 1
    for place in (player.hand(), player.dealer()):
        total = place.get_by_test_id("total")
        comes_whole_into_view(total, width, height)
        assert page.locator(".felt").evaluate("felt => felt.scrollHeight - felt.clientHeight") <= 4
    expect(player.hand().get_by_test_id("hand-result")).to_contain_text("\N{MINUS SIGN}5.00")
    has_no_violation(page)


def card_width(player: PlayerScreen, code: str) -> float:
    box = player.page.locator(f"section.you [data-card='{code}']").bounding_box()
    assert box is not None
    return box["width"]


def test_every_line_of_three_card_poker_is_a_target_of_44_pixels(guest: Guest) -> None:
    player = guest("poker-lines")
    player.sees_phase("betting")
    for width, height, _ in ROOMS.values():
        player.page.set_viewport_size({"width": width, "height": height})
        for line in player.page.locator("[data-testid*='@']").all():
            line.scroll_into_view_if_needed()
            box = line.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 43.5
            line.click(trial=True)


def test_what_the_house_decided_because_time_ran_out_is_said(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("late", 312), guest("late")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("Ks", "6d", "9h")
    expect(player.page.get_by_test_id("by-house")).to_have_text("Time ran out: the house stood for you.")
