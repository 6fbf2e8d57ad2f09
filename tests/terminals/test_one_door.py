"""A terminal over plain HTTP at a name of the network, and over TLS through a reverse proxy."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, expect

from tests.certificates import Authority
from tests.proxies import tls_proxy
from tests.terminals.conftest import NAME
from tests.terminals.houses import RunningHouse
from tests.terminals.screens import PlayerScreen


def test_a_page_without_a_secure_context_cuts_the_shoe_and_checks_its_proof(
    browser: Browser, house: RunningHouse
) -> None:
    """Over http at a name that is not localhost a browser has no `crypto.subtle`."""
    context = browser.new_context(base_url=house.address.replace("127.0.0.1", NAME))
    try:
        player = PlayerScreen(context, house.address.replace("127.0.0.1", NAME), "named")
        assert player.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        cutters: list[str] = []
        ended = 0
        while not cutters:
            player.sees_phase("betting")
            player.page.get_by_test_id("spot-ante").click()  # betting closes with it
            player.decide_until_the_result("play")
            for shoe in player.page.request.get(f"{house.address}/api/shoes?table=named").json():
                proof = player.page.request.get(f"{house.address}/api/proof?table=named&shoe={shoe['number']}").json()
                cutters, ended = (list(proof["cut_commitments"]), shoe["number"]) if not cutters else (cutters, ended)
        assert cutters[0].startswith("seat-")
        player.open_menu("fairness")
        player.page.get_by_test_id(f"check-{ended}").click()
        expect(player.page.get_by_text("The seal, the shuffle and the cards agree.", exact=True)).to_be_visible()
    finally:
        context.close()


@contextmanager
def proxy_before(house: RunningHouse, folder: Path) -> Iterator[str]:
    """The address of a proxy with TLS, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()

    def do(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    around = tls_proxy(Authority().issue(folder, NAME), int(house.address.rpartition(":")[2]))
    try:
        proxy = do(around.__aenter__())
        yield f"https://{NAME}:{proxy.port}"
    finally:
        do(around.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def test_a_terminal_plays_through_a_proxy_with_tls(browser: Browser, house: RunningHouse, tmp_path: Path) -> None:
    """Pages and WebSocket by one address; the policy of the pages lets everything of them run."""
    with proxy_before(house, tmp_path) as address:
        context = browser.new_context(base_url=address, ignore_https_errors=True)
        said: list[str] = []
        context.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        try:
            player = PlayerScreen(context, address, "proxied")
            player.sees_phase("betting")
            player.page.get_by_test_id("spot-blackjack").click()  # betting closes with it
            player.decide_until_the_result("decline", "stand")
            assert player.results()
            [cookie] = context.cookies()
            assert (cookie["name"], cookie["secure"], cookie["httpOnly"]) == ("__Host-podium", True, True)
            assert player.page.evaluate("document.cookie") == ""
            assert said == []
        finally:
            context.close()
