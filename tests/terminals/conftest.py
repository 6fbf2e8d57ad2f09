"""One browser and one house for all tests here; every person in it has a browser profile of their own."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from tests.terminals.houses import OPTIONS, RunningHouse, quick
from tests.terminals.people import Staff
from tests.terminals.screens import DealerScreen, PlayerScreen

ROOT: Final = Path(__file__).parents[2]
FLAGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP podium.test 127.0.0.1",
]
NAME: Final = "podium.test"
"""A name that leads to this machine for the browser of these tests alone."""
PATIENCE: Final = 30_000
"""Milliseconds that a busy machine may take to show what it shows at once otherwise."""
STILL: Final = """{"language": "en", "sound": false, "motion": false}"""

TABLES: Final = {
    "stadium-auto": quick("stadium-blackjack"),
    "dynasty-auto": quick("dynasty-blackjack"),
    "mega-auto": quick("mega-blackjack"),
    "match-up-auto": quick("match-up-blackjack"),
    "poker-auto": quick("stadium-three-card-poker"),
    "poker-wall": quick("stadium-three-card-poker"),
    "stadium-live": quick("stadium-blackjack", "live"),
    "dynasty-live": quick("dynasty-blackjack", "live"),
    "mega-live": quick("mega-blackjack", "live"),
    "match-up-live": quick("match-up-blackjack", "live"),
    "poker-live": quick("stadium-three-card-poker", "live"),
    "split": quick("stadium-blackjack", "live"),
    "lost": quick("stadium-blackjack", "live"),
    "mistakes": quick("stadium-blackjack", "live"),
    "nobody": quick("stadium-blackjack", "live"),
    "readers": quick("stadium-blackjack", "live"),
    "held": quick("stadium-three-card-poker", "live", reading_hold_seconds=600),
    "held-down": quick("mega-blackjack", "live", reading_hold_seconds=600),
    "school": quick("stadium-blackjack", "live", training=True, boxes=2, shuffler="continuous"),
    "cash": quick("stadium-blackjack", "live"),
    "rules": quick("stadium-blackjack", "live"),
    "wall": quick("stadium-blackjack", "live"),
    "screens": quick("stadium-blackjack", "live"),
    "coached": quick("stadium-blackjack", "live", coach=True),
    "desk": quick("stadium-blackjack", "live"),
    "exposed": quick("stadium-blackjack", "live"),
    "jackpot": quick("stadium-blackjack", "live", attendant_pays_from=500),
    "gates": quick("stadium-blackjack", "live"),
    "reload": quick("stadium-blackjack", "live"),
    "replay": quick("stadium-blackjack", "live"),
    "words": quick("stadium-blackjack", "live"),
    **{f"coached-{width}": quick("stadium-blackjack", "live", coach=True) for width in (320, 360, 390, 740, 1920)},
    "uncoached": quick("stadium-blackjack", "live"),
    "for-less": quick("stadium-blackjack", "live", options={**OPTIONS["stadium-blackjack"], "double_for_less": True}),
    "recalled": quick("stadium-blackjack", "live"),
    **{f"small-{width}": quick("stadium-blackjack", "live") for width in (320, 640, 740)},
    **{f"room-{width}": quick("stadium-blackjack", "live") for width in (320, 360, 740, 960, 1920)},
    "poker-lines": quick("stadium-three-card-poker"),
    "late": quick("stadium-blackjack", "live", decision_seconds=1),
    "full": quick("stadium-blackjack", places=1),
    "toked": quick("mega-blackjack", "live", places=1, options={"dealer_wagers": True}),
    "tipped": quick("stadium-blackjack", "live", options={"dealer_wagers": True}),
    **{f"beside-{number}": quick("stadium-blackjack", "live", boxes=2) for number in (1, 2, 3, 4)},
    "signals": quick("stadium-blackjack", "live"),
    "map": quick("mega-blackjack", "live"),
    "statistics": quick("stadium-blackjack", "live"),
    "lobby": quick("mega-blackjack", "live"),
    "switches": quick("stadium-blackjack", "live"),
    "still": quick("stadium-blackjack", "live"),
    "named": quick("stadium-three-card-poker", shuffle_seconds=2, result_seconds=4),
    "proxied": quick("stadium-blackjack"),
    "ruled-auto": quick("stadium-blackjack", close_betting_early=False),
    "ruled-live": quick("stadium-blackjack", "live"),
    "drawn": quick("stadium-blackjack"),
    "shown": quick("stadium-blackjack", "live", correction_approval=False),
}
"""Every test plays at a table of its own."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = subprocess.run([ROOT / "scripts" / "browser"], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.fail(found.stderr.strip(), pytrace=False)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found.stdout.strip(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    house = RunningHouse(tmp_path_factory.mktemp("house"), TABLES, hosts=(NAME,), proxies=("127.0.0.1",))
    house.open()
    yield house
    house.close()


@pytest.fixture
def profile(browser: Browser) -> Iterator[Callable[[RunningHouse], BrowserContext]]:
    """Somebody's own browser. Whatever a page throws while the test runs fails it."""
    contexts: list[BrowserContext] = []
    thrown: list[str] = []

    def make(house: RunningHouse) -> BrowserContext:
        settings: StorageState = {
            "cookies": [],
            "origins": [{"origin": house.address, "localStorage": [{"name": "podium.settings", "value": STILL}]}],
        }
        context = browser.new_context(
            base_url=house.address,
            viewport={"width": 1280, "height": 800},
            storage_state=settings,
        )
        context.set_default_timeout(PATIENCE)
        context.on("weberror", lambda error: thrown.append(str(error.error)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert thrown == []


@pytest.fixture
def guest(profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse) -> Callable[[str], PlayerScreen]:
    """A guest who picks a table in the lobby."""
    return lambda table: PlayerScreen(profile(house), house.address, table)


@pytest.fixture(scope="package")
def staff(browser: Browser, house: RunningHouse) -> Staff:
    """The operator, and everybody whom the operator invites."""
    return Staff(browser, house)


@pytest.fixture
def page_of(
    profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse, staff: Staff
) -> Callable[[str], Page]:
    """A page where somebody of that role has come in by an invitation."""
    return lambda role: staff.come_in(role, profile(house).new_page())


@pytest.fixture
def dealer(page_of: Callable[[str], Page], house: RunningHouse) -> Callable[[str, int], DealerScreen]:
    """A dealer who stands at a table, with a shoe of so many cards loaded."""

    def stand(table: str, counted: int) -> DealerScreen:
        screen = DealerScreen(page_of("dealer"), house.address, table)
        screen.take_place(counted)
        return screen

    return stand
