"""DISP-9, DISP-10: a terminal shows the cards of its table, and whatever is pressed there, however fast, does no harm."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.terminals.houses import RunningHouse, quick
from tests.terminals.people import Staff
from tests.terminals.screens import DealerScreen, PlayerScreen, cards, shows

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]

PRESSES: Final = 60
STORM: Final = """async ([seed, presses]) => {
  let state = seed;
  const draw = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const done = new Set();
  for (let press = 0; press < presses; press++) {
    const buttons = [...document.querySelectorAll("button:enabled")].filter((each) => !each.closest("header"));
    const button = buttons[draw(buttons.length)];
    done.add(button?.dataset.testid ?? "");
    button?.click();
    if (draw(3) === 0) button?.click();
    if (draw(4) === 0) await new Promise((resume) => setTimeout(resume, draw(40)));
  }
  return [...done];
}"""
"""Presses buttons of a page in an order that `seed` draws, several in one moment, but none of its header, which lead away. Returns them."""


def lying(player: PlayerScreen) -> list[str]:
    """The cards that the terminal shows, wherever they lie."""
    places = cards(player.dealer()).all() + cards(player.hand()).all()
    return sorted(each.get_attribute("data-card") or "" for each in places)


def press(page: Page, seed: int) -> set[str]:
    pressed: list[str] = page.evaluate(STORM, [seed, PRESSES])
    return set(pressed)


def test_disp_9_the_cards_that_an_automated_table_drew_are_those_on_the_terminal(
    guest: Guest, house: RunningHouse
) -> None:
    player = guest("drawn")
    player.sees_phase("betting")
    player.bet("blackjack")
    player.decide_until_the_result("decline", "stand")
    drawn = house.cards_of("drawn", 1)
    assert len(drawn) >= 3
    assert lying(player) == sorted(drawn)


def test_disp_9_each_card_lies_where_it_was_dealt_and_a_corrected_one_as_it_is(
    guest: Guest, dealer: Dealer, house: RunningHouse
) -> None:
    podium, player, other = dealer("shown", 312), guest("shown"), guest("shown")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    for each in (player, other):
        shows(each.dealer(), "6d")
    shows(player.hand(), "9s", "5h")
    podium.correct(2, "7d")
    shows(player.dealer(), "7d")
    player.page.reload()
    shows(player.dealer(), "7d")
    shows(player.hand(), "9s", "5h")
    player.decide("stand")
    podium.deal("Td")
    podium.confirm()
    for each in (player, other):
        each.sees_phase("result")
        shows(each.dealer(), "7d", "Td")
    assert lying(player) == sorted(house.cards_of("shown", 1))


@pytest.fixture
def small_house(tmp_path: Path) -> Iterator[RunningHouse]:
    """A house of its own: whoever presses anything comes to every table."""
    house = RunningHouse(
        tmp_path,
        {
            "automated": quick("stadium-blackjack", result_seconds=0.2),
            "live": quick("stadium-blackjack", "live", correction_approval=False),
        },
    )
    house.open()
    yield house
    house.close()


def test_disp_10_whoever_presses_anything_at_any_speed_does_no_harm(
    browser: Browser, profile: Callable[[RunningHouse], BrowserContext], small_house: RunningHouse
) -> None:
    """A player at both tables, and the dealer meanwhile: no page fails, and every amount is that of the record, which proves itself."""
    house = small_house
    dealer = Staff(browser, house).come_in("dealer", profile(house).new_page())
    podium = DealerScreen(dealer, house.address, "live")
    podium.take_place(312)
    player = PlayerScreen(profile(house), house.address, "automated")
    player.sees_phase("betting")
    name, by_player, by_dealer = player.name, set[str](), set[str]()
    for seed in range(1, 7):
        by_player |= press(player.page, seed)
        by_dealer |= press(podium.page, seed)
        if seed % 2:
            player.page.reload()
            podium.page.reload()
            expect(podium.place).to_be_visible()
    assert "spot-blackjack" in by_player
    assert "new-game" in by_dealer
    player.page.goto(f"{house.address}/play")
    player.page.get_by_test_id("table-automated").click()
    player.sees_phase("betting", "deciding")
    assert 0 <= player.credit == house.credit_of(name)
    assert house.proves()
