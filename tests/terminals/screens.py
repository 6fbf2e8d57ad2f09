"""The four screens as people use them: what can be tapped and what is seen, in the words of the floor."""

import re

from playwright.sync_api import BrowserContext, Locator, Page, expect


def amount(text: str) -> int:
    """An amount on a screen in minor units: `1,240.00`, or a change with its sign."""
    return int(text.translate({ord(","): "", ord("."): "", ord("\N{PLUS-MINUS SIGN}"): "", ord("\N{MINUS SIGN}"): "-"}))


def cards(place: Locator) -> Locator:
    """The cards that lie there, in order; empty places are none."""
    return place.locator("[data-card]:not([data-card=''])")


def shows(place: Locator, *codes: str) -> None:
    """These cards lie there, in this order, and no others."""
    for number, code in enumerate(codes):
        expect(cards(place).nth(number)).to_have_attribute("data-card", code)
    expect(cards(place)).to_have_count(len(codes))


def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"^({'|'.join(words)})$")


class PlayerScreen:
    """A player's terminal at a table."""

    def __init__(self, context: BrowserContext, address: str, table: str) -> None:
        self.page = context.new_page()
        self.page.goto(f"{address}/play")
        self.page.get_by_test_id(f"table-{table}").click()
        self.table = self.page.get_by_test_id("table")
        self.said = self.page.locator(".said[role=status]")
        self.result = self.page.get_by_test_id("result")

    @property
    def name(self) -> str:
        """By which the house knows this player."""
        name: str = self.page.request.get("/api/me").json()["name"]
        return name

    # --- what is seen -----------------------------------------------------------------------------------------------

    def sees_phase(self, *phases: str) -> None:
        expect(self.table).to_have_attribute("data-phase", _any_of(phases))

    @property
    def phase(self) -> str:
        return self.table.get_attribute("data-phase") or ""

    @property
    def credit(self) -> int:
        shown = self.page.get_by_test_id("credit")
        expect(shown).to_have_text(re.compile(r"\d"))  # a dash, as long as the house has not said it
        return amount(shown.inner_text())

    def dealer(self) -> Locator:
        """The dealer's hand as it is for this player."""
        return self.page.locator("section.dealer")

    def hand(self, number: int = 1) -> Locator:
        return self.page.locator("section.you .hand").nth(number - 1)

    def results(self, count: int = 1) -> dict[str, tuple[int, str]]:
        """What each wager changed, and why, once at least `count` of them are shown."""
        lines = self.result.get_by_role("listitem")
        expect(lines.nth(count - 1)).to_be_visible()
        found = {}
        for line in lines.all():
            wager, change = line.locator("strong").inner_text(), line.locator(".said").inner_text().split()[-1]
            found[wager] = amount(change), line.locator(".why").inner_text()
        return found

    def total_change(self) -> int:
        return amount(self.page.locator("footer .net strong").inner_text())

    # --- what is done -----------------------------------------------------------------------------------------------

    def sit(self, seat: int) -> None:
        self.page.get_by_test_id(f"sit-{seat}").click()

    def pick_chip(self, value: int) -> None:
        self.page.get_by_test_id(f"chip-{value}").click()

    def bet(self, *wagers: str) -> None:
        """A chip on each spot, until the house has acknowledged all of them."""
        for wager in wagers:
            self.page.get_by_test_id(f"spot-{wager}").click()
        expect(self.page.locator("footer .bet")).not_to_contain_text("sent")
        expect(self.page.locator(".ghost")).to_have_count(0)

    def pick_cards(self, *locations: int) -> None:
        for location in locations:
            self.page.get_by_test_id(f"location-{location}").click()

    def can_decide(self, decision: str) -> Locator:
        return self.page.get_by_test_id(f"decide-{decision}")

    def decide(self, decision: str) -> None:
        self.can_decide(decision).click()

    def decide_until_the_result(self, *preferred: str) -> list[str]:
        """Answers whatever is asked with the first of these that the rules allow, until the round is over."""
        made: list[str] = []
        over = self.page.locator("[data-phase=result]")
        while True:
            answers = {name: self.page.locator(f"[data-testid='decide-{name}']:enabled") for name in preferred}
            asked = self.page.locator(".decisions button:enabled")
            expect(over.or_(asked).first).to_be_visible()
            if over.count():
                return made
            made.append(next(name for name, answer in answers.items() if answer.count()))
            answers[made[-1]].click()

    def open_menu(self, entry: str) -> None:
        self.page.get_by_test_id("menu").click()
        self.page.get_by_test_id(f"menu-{entry}").click()

    def close_menu(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)


class DealerScreen:
    """The dealer's terminal."""

    def __init__(self, page: Page, address: str, table: str) -> None:
        self.page = page
        self.page.goto(f"{address}/dealer?table={table}")
        self.place = page.locator(".dealer")
        self.dealt = page.locator("footer .cards [data-card]")

    def take_place(self, counted: int) -> None:
        """Stands at the podium and loads a shoe that was counted."""
        self.page.get_by_test_id("take-place").click()
        keys = self.page.locator("footer .keys")
        keys.get_by_role("button", name="Load a shoe").click()
        self.page.get_by_test_id("counted").fill(str(counted))
        self.page.get_by_role("dialog").get_by_role("button", name="Load a shoe").click()
        expect(self.page.get_by_role("dialog")).to_have_count(0)

    def sees_phase(self, *phases: str) -> None:
        expect(self.place).to_have_attribute("data-phase", _any_of(phases))

    def new_game(self) -> None:
        self.page.get_by_test_id("new-game").click()
        self.sees_phase("betting")

    def no_more_bets(self) -> None:
        self.page.get_by_test_id("close-bets").click()
        self.sees_phase("dealing")

    def deal(self, *codes: str) -> None:
        """Types cards as they are dealt; each is asked for before it is typed."""
        for code in codes:
            field = self.page.get_by_test_id("card-typed")
            expect(field).to_be_focused()
            before = self.dealt.count()
            self.page.keyboard.type(code)
            self.page.keyboard.press("Enter")
            expect(self.dealt).to_have_count(before + 1)

    def deal_face_down(self) -> None:
        self.page.get_by_test_id("face-down").click()

    def looks(self, *, blackjack: bool) -> None:
        self.page.get_by_test_id("peek-yes" if blackjack else "peek-no").click()

    def turns(self, code: str) -> None:
        """Turns the hole card."""
        self.sees_phase("turning")
        expect(self.page.get_by_test_id("card-typed")).to_be_focused()
        self.page.keyboard.type(code)
        self.page.keyboard.press("Enter")
        expect(self.place).not_to_have_attribute("data-phase", "turning")

    def confirm(self) -> None:
        self.page.get_by_test_id("confirm").click()
        self.sees_phase("result")

    def correct(self, number: int, code: str) -> None:
        """The card of that number was another."""
        self.page.get_by_test_id("correct").click()
        self.page.get_by_test_id(f"correct-{number}").click()
        self.page.get_by_test_id("correct-replace").click()
        sheet = self.page.get_by_role("dialog")
        sheet.get_by_test_id(f"rank-{code[0]}").click()
        sheet.get_by_test_id(f"suit-{code[1]}").click()
        self.page.get_by_test_id("why-wrong-card").click()
        self.page.get_by_test_id("send-reason").click()
        self.goes_on()

    def ask_for_void(self, says: str = "card exposed early") -> None:
        """Asks for a void, which waits for a supervisor. `says`: the reason in the dealer's language."""
        self.page.get_by_test_id("void").click()
        self.page.get_by_test_id("why-exposed").click()
        self.page.get_by_test_id("send-reason").click()
        expect(self.page.get_by_test_id("waits")).to_contain_text(says)

    def type_code(self, code: str) -> None:
        """A supervisor's code for what waits."""
        self.page.get_by_test_id("approval").fill(code)
        self.page.get_by_test_id("send-code").click()

    def goes_on(self) -> None:
        """What waited was done, and the sheet is closed."""
        expect(self.page.get_by_role("dialog")).to_have_count(0)


class FloorScreen:
    """The floor's screen, for somebody who is signed in."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.page.goto(f"{address}/floor")

    def open(self, tab: str) -> None:
        self.page.get_by_test_id(f"tab-{tab}").click()

    def configure(self, table: str) -> None:
        self.page.get_by_test_id(f"configure-{table}").click()

    def choose(self, option: str, value: str) -> None:
        """Another value for an option of the rules; what it comes to is shown at once."""
        self.page.get_by_label(option, exact=True).select_option(value)

    @property
    def preview(self) -> Locator:
        return self.page.locator("section.preview")

    def schedule(self) -> None:
        self.page.get_by_test_id("schedule").click()

    def gives_reason(self, why: str) -> None:
        """Chooses a reason of the list for what is being decided."""
        self.page.get_by_test_id(f"why-{why}").click()
        self.page.get_by_test_id("send-reason").click()
        expect(self.page.get_by_test_id("send-reason")).to_have_count(0)


class DisplayScreen:
    """The wall above the podium of a table."""

    def __init__(self, page: Page, address: str, table: str) -> None:
        self.page = page
        self.page.goto(f"{address}/display/{table}")
        self.wall = page.locator(".display")
        self.cards = page.locator("main")

    def sees_phase(self, *phases: str) -> None:
        expect(self.wall).to_have_attribute("data-phase", _any_of(phases))


class TillScreen:
    """A cashier's till."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.goto(f"{address}/floor")
        page.get_by_test_id("tab-cashier").click()
        self.confirm = page.get_by_test_id("till-confirm")

    def find(self, typed: str) -> None:
        """An account by its name, or a ticket by its number."""
        self.page.get_by_label("Name, card or ticket").fill(typed)
        self.page.keyboard.press("Enter")

    def fill(self, act: str, amount: str, text: str = "") -> None:
        """Up to where it is confirmed."""
        self.page.get_by_test_id(act).click()
        self.page.get_by_label("Amount").fill(amount)
        if text:
            self.page.get_by_label("Reason").fill(text)
        self.page.keyboard.press("Enter")

    def came(self, word: str, says: str) -> None:
        expect(self.page.get_by_test_id("outcome")).to_have_text(word)
        expect(self.page.get_by_role("alertdialog")).to_contain_text(says)

    def go_on(self) -> None:
        self.page.get_by_test_id("outcome-next").click()

    def next_guest(self) -> None:
        self.page.get_by_test_id("next-guest").last.click()
