"""The people of the house, who come in by the links that they are given (SEC-1)."""

import itertools
from typing import Final

from playwright.sync_api import Browser, Page

from tests.terminals.houses import RunningHouse

CHECKING: Final = ("supervisor", "operator", "auditor")
PASSWORD: Final = "correct horse battery"
PIN: Final = "582913"


class Staff:
    """The operator's book, in a browser of the operator's own."""

    def __init__(self, browser: Browser, house: RunningHouse) -> None:
        self._house: Final = house
        self._numbers: Final = itertools.count(1)
        self._operator: Final = browser.new_context(base_url=house.address).new_page()
        _choose_password(self._operator, house.invitation)
        self._second: Page | None = None
        # The operator lets in one second person alone, who approves whoever else gets a role that checks (SEC-2).
        self._second = self.come_in("supervisor", browser.new_context(base_url=house.address).new_page())

    def come_in(self, role: str, page: Page) -> Page:
        """Invites somebody of that role, who comes in at that page."""
        name = f"{role}-{next(self._numbers)}"
        asked = {"name": name, "role": role}
        answer = self._operator.request.post("/api/people", data=asked)
        if self._second is not None and role in CHECKING:
            accept(self._second)
            answer = self._operator.request.post("/api/people", data=asked)
        assert answer.ok, answer.text()
        link = self._house.address + "/welcome#" + answer.json()["invitation"].partition("#")[2]
        _choose_password(page, link, PIN if role == "player" else PASSWORD)
        return page

    def terminal(self, name: str, **more: str) -> str:
        """Enrols a terminal, or a reader that `reads` at a table, and returns its token."""
        answer = self._operator.request.post("/api/terminals", data={"name": name, **more})
        assert answer.ok, answer.text()
        return str(answer.json()["token"])


def accept(second: Page) -> None:
    """Accepts what was asked for last."""
    [*_, last] = second.request.get("/api/approvals").json()
    answer = second.request.post(f"/api/approvals/{last['key']}", data={"accept": True})
    assert answer.ok, answer.text()


def _choose_password(page: Page, invitation: str, secret: str = PASSWORD) -> None:
    page.goto(invitation)
    page.get_by_label("Password or PIN").fill(secret)
    page.get_by_label("Once more").fill(secret)
    page.get_by_role("button", name="Choose it").click()
    page.wait_for_url(lambda url: "/welcome" not in url)
