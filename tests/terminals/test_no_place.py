"""A player for whom there is no place reads why, is asked nothing over and over, and finds the way to another table."""

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext, WebSocket, expect

from tests.terminals.houses import RunningHouse
from tests.terminals.screens import PlayerScreen


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
