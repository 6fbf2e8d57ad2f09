"""A player for whom there is no place reads why, is asked nothing over and over, and finds the way to another table."""

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext, WebSocket, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import DealerScreen, PlayerScreen


def test_a_full_table_says_so_once_and_shows_the_way_to_the_others(
    guest: Callable[[str], PlayerScreen], profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    first = guest("full")
    first.sees_phase("betting")
    expect(first.page.get_by_test_id("spot-blackjack")).to_be_enabled()

    late = profile(house).new_page()
    joins: list[str] = []

    def listen(socket: WebSocket) -> None:
        def sent(frame: str | bytes) -> None:
            if json.loads(frame).get("do") == "join":
                joins.append(str(frame))

        socket.on("framesent", sent)

    late.on("websocket", listen)
    late.goto(f"{house.address}/play?table=full")
    expect(late.get_by_test_id("no-place").get_by_role("alert")).to_have_text("All 1 seats of this table are taken.")
    late.wait_for_timeout(2_000)
    assert len(joins) == 1
    expect(late.get_by_test_id("link-lost")).to_have_count(0)

    late.get_by_test_id("ask-again").click()
    expect(late.get_by_test_id("ask-again")).to_be_enabled()
    assert len(joins) == 2
    late.get_by_test_id("other-tables").click()
    expect(late.get_by_test_id("table-stadium-auto")).to_be_visible()


def test_mgb_toke_bets_a_player_wagers_for_the_dealer_where_all_seats_are_taken(
    guest: Callable[[str], PlayerScreen], dealer: Callable[[str, int], DealerScreen]
) -> None:
    podium, first, late = dealer("toked", 312), guest("toked"), guest("toked")
    first.sit(1)
    expect(late.page.get_by_test_id("no-place").get_by_role("alert")).to_have_text("All seats of this table are taken.")
    late.page.get_by_test_id("toke-alone").click()
    podium.new_game()
    expect(late.page.get_by_test_id("spot-buster")).to_be_enabled()
    expect(late.page.get_by_test_id("spot-blackjack")).to_be_disabled()
    has_no_violation(late.page)
    before = late.credit
    late.bet("buster")
    staked = before - late.credit
    assert staked > 0
    first.bet("blackjack")
    podium.no_more_bets()
    podium.deal("Ts", "6h", "9d")
    podium.deal_face_down()
    first.decide("stand")
    podium.turns("5c")
    podium.deal("2s", "Kh")
    podium.confirm()
    late.sees_phase("result")
    assert late.credit == before - staked
    expect(late.result).to_contain_text("goes to the dealers")
