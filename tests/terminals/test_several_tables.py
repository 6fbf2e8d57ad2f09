"""Several tables at one terminal: side by side on a kiosk, tabs on a phone; one that waits out of view calls."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.screens import DealerScreen, PlayerScreen, amount

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]

KIOSK, PHONE = (1920, 1080), (390, 844)
CALLS = re.compile(r"\bcalls\b")
ASKED = re.compile(r"\basked\b")


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def place(page: Page, table: str) -> Locator:
    return page.get_by_test_id(f"place-{table}")


def tab(page: Page, table: str, box: int = 1) -> Locator:
    return page.get_by_test_id(f"box-{table}-{box}")


def add_table(page: Page, table: str) -> None:
    page.get_by_test_id("add-table").click()
    page.get_by_test_id(f"table-{table}").click()


def inside(part: Locator, whole: Locator) -> None:
    """A part lies within its own table, and nothing lies over it."""
    part.scroll_into_view_if_needed()
    inner, outer = part.bounding_box(), whole.bounding_box()
    assert inner is not None
    assert outer is not None
    assert inner["x"] >= outer["x"] - 1
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
    assert inner["y"] >= outer["y"] - 1
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    part.click(trial=True)


def test_tables_are_side_by_side_on_a_kiosk_and_tabs_on_a_phone(guest: Guest, dealer: Dealer) -> None:
    first, second = dealer("beside-1", 312), dealer("beside-2", 312)
    page = guest("beside-1").page
    resize(page, KIOSK)
    add_table(page, "beside-2")
    one, other = place(page, "beside-1"), place(page, "beside-2")
    for podium in (first, second):
        podium.new_game()
    for table in (one, other):
        table.get_by_test_id("spot-blackjack").click()
        expect(table.locator(".ghost")).to_have_count(0)
    before = amount(one.get_by_test_id("credit").inner_text())
    assert amount(other.get_by_test_id("credit").inner_text()) == before, "one credit for both"
    first.no_more_bets()
    first.deal("9s", "6d", "8h")
    expect(one).to_have_class(ASKED)
    expect(other).not_to_have_class(ASKED)
    for answer in ("stand", "hit", "double", "surrender"):
        inside(one.get_by_test_id(f"decide-{answer}"), one)
    has_no_violation(page)

    resize(page, PHONE)
    expect(one).to_have_count(0)
    expect(tab(page, "beside-1")).to_have_class(CALLS)
    expect(tab(page, "beside-1")).to_contain_text("Your turn")
    expect(tab(page, "beside-1").locator(".figures")).to_have_text(re.compile(r"\d+ s"))
    tab(page, "beside-1").click()
    expect(tab(page, "beside-1")).not_to_have_class(CALLS)
    page.get_by_test_id("decide-stand").click()
    first.deal("Td", "8c")
    first.confirm()
    expect(place(page, "beside-1").get_by_test_id("table")).to_have_attribute("data-phase", "result")
    tab(page, "beside-2").click()
    expect(place(page, "beside-2").get_by_test_id("table")).to_have_attribute("data-phase", "betting")


def test_four_tables_fit_on_a_kiosk_and_a_further_box_calls(guest: Guest, dealer: Dealer) -> None:
    podium = dealer("beside-3", 312)
    page = guest("beside-3").page
    resize(page, KIOSK)
    for table in ("beside-1", "beside-2", "beside-4"):
        add_table(page, table)
    expect(page.get_by_test_id("add-table")).to_have_count(0)
    tab(page, "beside-3").click()
    page.get_by_test_id("add-box").click()
    expect(tab(page, "beside-3", 2)).to_have_attribute("aria-current", "true")
    podium.new_game()
    here = place(page, "beside-3")
    for box in (2, 1):
        tab(page, "beside-3", box).click()
        here.get_by_test_id("spot-blackjack").click()
        expect(here.locator(".ghost")).to_have_count(0)
        expect(here.get_by_test_id("staked")).not_to_have_text("0.00")
    podium.no_more_bets()
    podium.deal("9s", "6d", "8h")
    expect(tab(page, "beside-3", 2)).to_have_class(CALLS)
    for answer in ("stand", "hit"):
        inside(here.get_by_test_id(f"decide-{answer}"), here)
    has_no_violation(page)
    here.get_by_test_id("decide-stand").click()
    tab(page, "beside-3", 2).click()
    here.get_by_test_id("decide-stand").click()
    expect(here).not_to_have_class(ASKED)
    shown = [place(page, f"beside-{number}").bounding_box() for number in (1, 2, 3, 4)]
    assert len({(box["x"], box["y"]) for box in shown if box}) == 4, "two rows of two"
