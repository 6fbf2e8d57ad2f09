"""Everybody reads the terminal in their own language: what is refused, the rules, and the choice itself."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]
PageOf = Callable[[str], Page]


def test_a_player_is_refused_in_spanish_and_reads_the_rules_in_spanish(guest: Guest) -> None:
    player = guest("words")
    player.open_menu("settings")
    player.page.get_by_test_id("language").select_option("es")
    player.close_menu()
    player.open_menu("cash-out")
    dialog = player.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("123")
    dialog.get_by_role("button", name="Canjear").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Un número de validación tiene 20 cifras; este tiene 3")
    player.close_menu()
    player.open_menu("help")
    expect(player.page.get_by_test_id("rules-english")).to_contain_text("El texto en inglés es el que obliga")
    rules = player.page.get_by_test_id("rules-text")
    expect(rules).to_contain_text("Se reparte de un sabot de 6 barajas corrientes de 52 cartas. SBJ intro")
    words = rules.inner_text().split("Los ajustes de esta mesa")[0].replace("Bet the Set 21", "")
    assert not re.findall(r"\b(?:the|your|you|dealer|wager|card)\b", words, re.IGNORECASE)


def test_a_dealer_is_refused_in_chinese(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("words", 312), guest("words")
    podium.page.evaluate("localStorage.setItem('podium.settings', JSON.stringify({language: 'zh'}))")
    podium.page.reload()
    podium.new_game()
    expect(podium.page.get_by_test_id("close-bets")).to_be_disabled()  # nobody has bet
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "Th")
    podium.ask_for_void("牌过早翻开")
    expect(podium.page.get_by_test_id("waits")).to_contain_text("作废")
    podium.type_code("000000")
    expect(podium.page.get_by_test_id("waits").get_by_role("alert")).to_contain_text("该代码不适用于此请求")


def test_whoever_signs_in_chooses_the_language(page_of: PageOf, house: RunningHouse) -> None:
    """Dealers and the floor as well; the terminal keeps it."""
    page = page_of("supervisor")
    page.context.clear_cookies()
    page.goto(f"{house.address}/floor")
    page.get_by_test_id("language").select_option("zh")
    expect(page.get_by_test_id("sign-in").get_by_role("button").first).to_have_text("登录")
    page.reload()
    expect(page.get_by_test_id("sign-in").get_by_role("button").first).to_have_text("登录")
    has_no_violation(page)
