"""Passkeys in a real browser, with an authenticator that the browser simulates (SEC-1)."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.people import PASSWORD
from tests.terminals.screens import FloorScreen


def authenticator(page: Page) -> None:
    """A device that keeps passkeys, whose owner always touches it and is recognised."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    line.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_sec_1_somebody_of_the_staff_adds_a_passkey_signs_in_with_it_and_removes_it(
    page_of: Callable[[str], Page], profile: Callable[[RunningHouse], BrowserContext], house: RunningHouse
) -> None:
    name = page_of("cashier").request.get("/api/me").json()["name"]
    address = house.address.replace("127.0.0.1", "localhost")  # a passkey belongs to a name, not to a number
    page = profile(house).new_page()
    authenticator(page)
    floor = FloorScreen(page, address)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    floor.open("my-account")
    page.get_by_label("Name of this device").fill("My phone")
    page.get_by_test_id("add-passkey").click()
    expect(page.get_by_role("row", name="My phone")).to_be_visible()
    has_no_violation(page)

    page.get_by_role("button", name="Sign out").click()
    has_no_violation(page)
    page.get_by_test_id("by-passkey").click()
    expect(page.get_by_text(f"{name}, cashier")).to_be_visible()

    floor.open("my-account")
    page.get_by_role("row", name="My phone").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("row", name="My phone")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_test_id("by-passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("This passkey is not known here")
    kinds = [each["kind"] for each in page_of("supervisor").request.get("/api/events").json()]
    assert kinds.count("passkey-changed") == 2
