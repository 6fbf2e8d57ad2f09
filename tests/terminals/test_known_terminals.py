"""SEC-3 in a real browser: the key of a known terminal never leaves it, and a stolen cookie is of no use."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.conftest import NAME
from tests.terminals.houses import RunningHouse, quick
from tests.terminals.people import PASSWORD
from tests.terminals.screens import FloorScreen

KEPT = """async () => {
    const asked = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
    const database = await asked(indexedDB.open("podium", 1));
    const key = await asked(database.transaction("device").objectStore("device").get("key"));
    const out = await crypto.subtle.exportKey("pkcs8", key).then(() => "exported", (error) => error.name);
    return [key.type, key.extractable, out];
}"""


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[RunningHouse]:
    """A house in which only known terminals do anything with money."""
    house = RunningHouse(tmp_path, {"one": quick("stadium-blackjack", "live")}, known_terminals="all", hosts=(NAME,))
    house.open()
    yield house
    house.close()


def become(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_role("status")).to_contain_text("It proves by a key of its own which device it is.")


def sign_in(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def choose_password(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_label("Password or PIN").fill(PASSWORD)
    page.get_by_label("Once more").fill(PASSWORD)
    page.get_by_role("button", name="Choose it").click()
    page.wait_for_url(lambda url: "/welcome" not in url)


def test_sec_3_the_whole_way_of_a_known_terminal(
    strict: RunningHouse, browser: Browser, profile: Callable[[RunningHouse], BrowserContext], tmp_path: Path
) -> None:
    office = profile(strict).new_page()
    become(office, strict.first_terminal)
    assert office.evaluate(KEPT) == ["private", False, "InvalidAccessError"]
    choose_password(office, strict.invitation)
    floor = FloorScreen(office, strict.address)
    sign_in(office, "operator")
    expect(office.get_by_text("operator, operator")).to_be_visible()
    floor.open("people")
    expect(office.get_by_role("row", name="first-terminal")).to_contain_text("yes")
    has_no_violation(office)

    # An export is a request like any other.
    floor.open("reports")
    with office.expect_download() as downloaded:
        office.get_by_role("button", name="Export").first.click()
    downloaded.value.save_as(tmp_path / "report.csv")
    assert list(csv.reader((tmp_path / "report.csv").read_text().splitlines()))

    # All cookies of that browser, in another one.
    thief = browser.new_context(base_url=strict.address)
    thief.add_cookies(office.context.cookies())  # type: ignore[arg-type]
    page = thief.new_page()
    FloorScreen(page, strict.address)
    sign_in(page, "operator")
    expect(page.get_by_role("alert")).to_contain_text("Staff of this house work at its known terminals only")
    assert page.request.get("/api/people").status == 401
    thief.close()

    # The office still works, also after it is loaded again.
    office.reload()
    expect(office.get_by_text("operator, operator")).to_be_visible()


def test_sec_3_a_dealer_s_podium_is_a_known_terminal(
    strict: RunningHouse, profile: Callable[[RunningHouse], BrowserContext]
) -> None:
    """The dealer's screen opens its line with a proof, and again when the house comes back."""
    office = profile(strict).new_page()
    become(office, strict.first_terminal)
    choose_password(office, strict.invitation)
    floor = FloorScreen(office, strict.address)
    sign_in(office, "operator")
    links = {}
    for name, role in (("sue", "supervisor"), ("dora", "dealer")):
        floor.open("people")
        office.get_by_label("Name").fill(name)
        office.get_by_label("Role").select_option(role)
        office.get_by_role("button", name="Add a person").click()
        expect(office.get_by_role("row", name=name)).to_be_visible()
        links[name] = office.get_by_test_id("invitation").inner_text()
    office.get_by_test_id("terminal-name").fill("podium-1")
    office.get_by_test_id("enrol").click()
    podium = profile(strict).new_page()
    become(podium, office.get_by_test_id("terminal-address").inner_text())
    choose_password(podium, links["dora"])
    expect(podium).to_have_url(f"{strict.address}/dealer")
    sign_in(podium, "dora")
    expect(podium.get_by_role("heading", name="Choose a table")).to_be_visible()
    strict.kill()
    strict.open()
    podium.reload()
    expect(podium.get_by_role("heading", name="Choose a table")).to_be_visible()


def test_sec_3_without_a_secure_context_a_browser_cannot_become_a_known_terminal(
    strict: RunningHouse, profile: Callable[[RunningHouse], BrowserContext]
) -> None:
    page = profile(strict).new_page()
    page.goto(strict.first_terminal.replace("127.0.0.1", NAME))
    expect(page.get_by_role("status")).to_contain_text("This browser can keep no key here")


def test_a_new_guest_s_console_is_clean(house: RunningHouse, profile: Callable[[RunningHouse], BrowserContext]) -> None:
    """The page does not ask for a line before it is let in."""
    said: list[str] = []
    context = profile(house)
    context.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page = context.new_page()
    page.goto("/play")
    expect(page.get_by_test_id("table-stadium-live")).to_be_visible()
    assert said == []
