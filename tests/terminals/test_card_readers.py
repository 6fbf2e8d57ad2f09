"""A reader that types like a keyboard, and an enrolled one: what the dealer's page hears and shows (CARD-11, CARD-10)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.server.test_devices import adapter
from tests.terminals.axe import has_no_violation
from tests.terminals.houses import RunningHouse
from tests.terminals.people import Staff
from tests.terminals.screens import DealerScreen, PlayerScreen, shows

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]


def scan(page: Page, code: str) -> None:
    """As a reader does: real key events, at once, to whatever has the focus."""
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_card_11_a_scan_is_heard_whatever_has_the_focus_and_with_a_sheet_open(guest: Guest, dealer: Dealer) -> None:
    podium, player = dealer("readers", 312), guest("readers")
    page = podium.page
    scan(page, "Kh")
    expect(page.locator("main .said")).to_contain_text("no card is awaited now")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()

    page.locator("h1").click()  # a tap on the felt
    scan(page, "9s")
    expect(page.get_by_test_id("flash").locator("[data-card]")).to_have_attribute("data-card", "9s")
    expect(podium.dealt).to_have_count(1)

    podium.correct(1, "8s")
    page.get_by_test_id("correct").focus()
    scan(page, "6d")
    expect(podium.dealt).to_have_count(2)
    expect(page.get_by_role("dialog")).to_have_count(0)  # the key that has the focus was not pressed

    page.get_by_test_id("void").click()
    reason = page.get_by_test_id("reason")
    reason.fill("exposed")
    scan(page, "5h")
    expect(podium.dealt).to_have_count(3)
    expect(reason).to_have_value("exposed")
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    shows(player.hand(), "8s", "5h")

    page.get_by_test_id("cut-card").click()
    for screen in (podium.page, player.page):
        expect(screen.get_by_test_id("last-of-shoe")).to_contain_text("the last round of the shoe")
    has_no_violation(page)
    player.decide("stand")
    page.get_by_test_id("load-shoe").click()  # the shoe has run out in mid-round
    page.get_by_test_id("load").click()
    podium.goes_on()
    scan(page, "Td")
    expect(podium.dealt).to_have_count(4)
    podium.deal("Kc")
    podium.confirm()
    player.sees_phase("result")


class CardShoe:
    """An enrolled shoe behind the adapter program, which says each card that it reads once it is stored."""

    def __init__(self, say: Callable[[str], str]) -> None:
        self._say = say
        self._read = 0

    def reads(self, *codes: str) -> None:
        for code in codes:
            self._read += 1
            assert self._say(f"CARD {self._read} {code}") == f"OK {self._read}"


@contextmanager
def a_shoe(house: RunningHouse, staff: Staff, table: str) -> Iterator[CardShoe]:
    with adapter(house.address, staff.terminal(f"shoe-{table}", reads=table)) as process:
        lines, answers = process.stdin, process.stdout
        assert lines is not None
        assert answers is not None

        def say(line: str) -> str:
            lines.write(f"{line}\n")
            lines.flush()
            return answers.readline().strip()

        assert answers.readline().strip() == f"READY {table}"
        assert say("HELLO evening") == f"READY {table}"
        yield CardShoe(say)


def test_card_11_the_dealer_sees_each_card_that_was_read_and_counts_stops_corrects_or_drops_it(
    guest: Guest, dealer: Dealer, house: RunningHouse, staff: Staff
) -> None:
    podium, player = dealer("held", 52), guest("held")
    page = podium.page
    held, card = page.get_by_test_id("held"), page.get_by_test_id("held").locator("[data-card]")
    with a_shoe(house, staff, "held") as shoe:
        podium.new_game()
        player.bet("ante")
        shoe.reads("2c")  # a card falls out of the shoe while bets are taken
        expect(page.get_by_test_id("reading-unexpected")).to_contain_text(
            "shoe-held has read a card that was not awaited"
        )
        podium.no_more_bets()

        shoe.reads("9s")
        expect(card).to_have_attribute("data-card", "9s")
        expect(held).to_contain_text("Read by shoe-held. It counts in")
        has_no_violation(page)
        expect(podium.dealt).to_have_count(0)
        page.get_by_test_id("reading-count").click()
        expect(podium.dealt).to_have_count(1)
        expect(held).to_have_count(0)

        shoe.reads("Kh")  # it was the queen
        page.get_by_test_id("reading-stop").click()
        expect(held).to_contain_text("Stopped. Enter the real card, or drop the reading.")
        has_no_violation(page)
        podium.deal("Qh")
        expect(held).to_have_count(0)

        shoe.reads("9s")  # which lies on the table already
        expect(held).to_contain_text("The reader must have misread: the shoe no longer holds that card")
        expect(page.get_by_test_id("reading-count")).to_have_count(0)
        page.get_by_test_id("reading-drop").click()
        expect(held).to_have_count(0)
        expect(podium.dealt).to_have_count(2)

        shoe.reads("5d", "5c")  # the next reading lets the one before count
        expect(podium.dealt).to_have_count(3)
        expect(card).to_have_attribute("data-card", "5c")
        page.reload()
        expect(card).to_have_attribute("data-card", "5c")
        page.get_by_test_id("reading-count").click()
        expect(podium.dealt).to_have_count(4)
        expect(player.page.locator("[data-card=Qh]").first).to_be_visible()
    assert house.cards_of("held", 1) == ["9s", "Qh", "5d", "5c"]


def test_card_4_a_card_that_is_read_for_the_place_face_down_is_shown_to_nobody(
    guest: Guest, dealer: Dealer, house: RunningHouse, staff: Staff
) -> None:
    podium, player = dealer("held-down", 312), guest("held-down")
    page = podium.page
    player.sit(1)
    with a_shoe(house, staff, "held-down") as shoe:
        podium.new_game()
        player.bet("blackjack")
        podium.no_more_bets()
        shoe.reads("9s", "6h", "8d", "Kc")
        expect(podium.dealt).to_have_count(3)
        held = page.get_by_test_id("held")
        expect(held.locator("[data-card]")).to_have_attribute("data-card", "?")
        assert "Kc" not in page.content()
        page.get_by_test_id("reading-count").click()
        expect(podium.dealt).to_have_count(4)
        player.decide("stand")  # and the house, which knows the card, turns it
        shoe.reads("Ts")
        page.get_by_test_id("reading-count").click()
        podium.confirm()
    player.sees_phase("result")
    assert house.cards_of("held-down", 1) == ["9s", "6h", "8d", "Kc", "Ts"]
