"""Sound and motion tell what happened, once; both can be switched off, and the device's wish counts as well."""

from collections.abc import Callable
from typing import Final, Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]

COUNTED: Final = """
window.sounded = [];
window.moved = 0;
window.OscillatorNode = class extends OscillatorNode {
  constructor(context, options) { super(context, options); sounded.push(options.frequency); }
};
window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
  constructor(context, options) { super(context, options); sounded.push("card"); }
};
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) { moved += 1; return animate.apply(this, how); };
"""
"""Whatever sounds or moves is counted, and goes on as it would."""


def heard(player: PlayerScreen) -> list[float | str]:
    """What has sounded since this was last asked."""
    sounds: list[float | str] = player.page.evaluate("sounded.splice(0)")
    return sounds


def seen_moving(player: PlayerScreen) -> int:
    """How much has begun to move since this was last asked."""
    count: int = player.page.evaluate("[moved, moved = 0][0]")
    return count


@pytest.fixture
def sensed(profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse) -> Callable[[str], PlayerScreen]:
    """A guest who switches sound and motion on, as they are for everybody who switches nothing."""

    def sit(table: str, motion: Literal["reduce", "no-preference"] = "no-preference") -> PlayerScreen:
        context = profile(house)
        context.add_init_script(COUNTED)
        player = PlayerScreen(context, house.address, table)
        player.page.emulate_media(reduced_motion=motion)
        switch(player, "Sound")
        switch(player, "Motion")
        return player

    return sit


def switch(player: PlayerScreen, name: str) -> None:
    player.open_menu("settings")
    player.page.get_by_role("switch", name=name).click()
    player.close_menu()


def is_on(page: Page, name: str) -> bool:
    page.get_by_test_id("menu").click()
    page.get_by_test_id("menu-settings").click()
    on = page.get_by_role("switch", name=name).get_attribute("aria-checked") == "true"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    return on


def test_what_others_decide_neither_sounds_nor_moves(sensed: Guest, guest: Guest, dealer: Dealer) -> None:
    """A card is heard and travels when it is dealt; that the house shows it again is no news."""
    podium, player, other = dealer("signals", 312), sensed("signals"), guest("signals")
    podium.new_game()
    player.bet("blackjack")
    other.bet("blackjack")
    podium.no_more_bets()
    heard(player), seen_moving(player)
    podium.deal("9s", "6d", "5h")
    expect(player.can_decide("hit")).to_be_enabled()
    assert [sound for sound in heard(player) if sound == "card"] == ["card"] * 3
    assert seen_moving(player) >= 3  # the cards, and the total that comes with the second one

    other.decide("stand")
    expect(podium.page.locator(".next")).to_contain_text("Waiting for 1 decision")
    player.decide("hit")
    podium.sees_phase("dealing")
    expect(player.table).to_have_attribute("data-phase", "dealing")
    assert (heard(player), seen_moving(player)) == ([], 0)


def test_both_switches_switch_and_are_kept(sensed: Guest, dealer: Dealer) -> None:
    """Off is off at once and after the page is loaded again; switching on makes no noise about what lies there."""
    podium, player = dealer("switches", 312), sensed("switches")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s")
    expect(player.page.locator(".you [data-card='9s']")).to_have_count(1)
    heard(player), seen_moving(player)
    switch(player, "Sound")
    switch(player, "Motion")
    podium.deal("6d", "5h")
    expect(player.can_decide("stand")).to_be_enabled()
    assert (heard(player), seen_moving(player)) == ([], 0)

    player.page.reload()
    expect(player.can_decide("stand")).to_be_enabled()
    assert not is_on(player.page, "Sound")
    assert not is_on(player.page, "Motion")
    switch(player, "Sound")
    assert heard(player) == []


def test_a_device_that_wants_no_motion_gets_none(sensed: Callable[..., PlayerScreen], dealer: Dealer) -> None:
    """WCAG 2.3.3, whatever the player's own switch says."""
    podium, player = dealer("still", 312), sensed("still", "reduce")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    expect(player.can_decide("stand")).to_be_enabled()
    assert is_on(player.page, "Motion")
    assert seen_moving(player) == 0
