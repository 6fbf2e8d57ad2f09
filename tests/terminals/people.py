"""The people of the house, who come in by the links that they are given (SEC-1)."""

import itertools
from typing import Final

from playwright.sync_api import Browser, Page

from tests.terminals.houses import RunningHouse

PASSWORD: Final = "correct horse battery"


class Staff:
    """The operator's book, in a browser of the operator's own."""

    def __init__(self, browser: Browser, house: RunningHouse) -> None:
        self._house: Final = house
        self._numbers: Final = itertools.count(1)
        self._operator: Final = browser.new_context(base_url=house.address).new_page()
        _choose_password(self._operator, house.invitation)

    def come_in(self, role: str, page: Page) -> Page:
        """Invite somebody of that role, who comes in at that page."""
        name = f"{role}-{next(self._numbers)}"
        answer = self._operator.request.post("/api/people", data={"name": name, "role": role})
        assert answer.ok, answer.text()
        _choose_password(page, self._house.address + "/welcome#" + answer.json()["invitation"].partition("#")[2])
        return page

    def approve(self, supervisor: Page) -> str:
        """A supervisor's approval: digits for a colleague's terminal."""
        answer = supervisor.request.post("/api/approvals")
        assert answer.ok, answer.text()
        code: str = answer.json()["code"]
        return code


def _choose_password(page: Page, invitation: str) -> None:
    page.goto(invitation)
    page.get_by_label("Password or PIN").fill(PASSWORD)
    page.get_by_label("Once more").fill(PASSWORD)
    page.get_by_role("button", name="Choose it").click()
    page.wait_for_url(lambda url: "/welcome" not in url)
