"""The floor's own work, in the browser: tables opened and closed, rules weighed before they go live, money by two people."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from podium.maths.families.blackjack import figures
from podium.rules.games import game
from tests.terminals.axe import has_no_violation
from tests.terminals.houses import OPTIONS, RunningHouse
from tests.terminals.screens import DealerScreen, FloorScreen, PlayerScreen, TillScreen

Guest = Callable[[str], PlayerScreen]
Dealer = Callable[[str, int], DealerScreen]
PageOf = Callable[[str], Page]

A_WHILE = 240_000
"""Milliseconds that the mathematics may take on a busy machine, kernels not yet compiled."""


def test_an_advantage_of_the_players_is_shown_exactly_before_it_goes_live(page_of: PageOf, house: RunningHouse) -> None:
    """DISP-7: dynasty-blackjack with the literal reading of its double gives the players an advantage."""
    floor = FloorScreen(page_of("operator"), house.address)
    floor.configure("dynasty-auto")
    floor.choose("double_adds", "2")
    expect(floor.preview).to_contain_text("Doubling adds twice your original wager")
    exact = figures(game("dynasty-blackjack", {**OPTIONS["dynasty-blackjack"], "double_adds": 2}))
    assert exact.house_edge < 0
    line = floor.preview.get_by_role("row", name=re.compile("^Blackjack"))
    expect(line).to_contain_text(f"{float(exact.returned) * 100:.4f} %", timeout=A_WHILE)
    expect(floor.preview.get_by_role("alert")).to_contain_text("Players would have the edge on: Blackjack.")
    has_no_violation(floor.page)
    floor.choose("double_adds", "1")
    expect(line).not_to_contain_text(f"{float(exact.returned) * 100:.4f} %", timeout=A_WHILE)
    expect(floor.preview.get_by_role("alert")).to_have_count(0)


def test_the_operator_allows_the_coach_and_players_see_it_at_once(
    guest: Guest, dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    podium, player = dealer("desk", 312), guest("desk")
    floor = FloorScreen(page_of("operator"), house.address)
    floor.configure("desk")
    floor.choose("coach", "true")
    floor.schedule()
    expect(floor.preview.get_by_role("alert")).to_contain_text("next round")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    expect(player.page.get_by_test_id("coach")).to_be_visible()


def test_a_table_is_paused_closed_and_opened(guest: Guest, page_of: PageOf, house: RunningHouse) -> None:
    """VOID-3: and everybody there is told so."""
    player, floor = guest("gates"), FloorScreen(page_of("supervisor"), house.address)
    row = floor.page.get_by_role("row", name=re.compile("^gates"))
    row.get_by_role("button", name="Pause").click()
    floor.gives_reason("break")
    player.sees_phase("paused")
    expect(player.page.get_by_test_id("phase")).to_contain_text("Table paused")
    expect(player.page.get_by_text("The table takes a break")).to_be_visible()
    row.get_by_role("button", name="Close").click()
    floor.gives_reason("end-of-day")
    player.sees_phase("closed")
    row.get_by_role("button", name="Open", exact=True).click()
    player.sees_phase("waiting")


def test_void_4_a_supervisor_voids_an_automated_round_and_everybody_is_told_why(
    guest: Guest, page_of: PageOf, house: RunningHouse
) -> None:
    player, floor = guest("ruled-auto"), FloorScreen(page_of("supervisor"), house.address)
    player.sees_phase("betting")
    before = player.credit
    player.bet("blackjack")
    assert player.credit < before
    expect(floor.page.get_by_test_id("correct-ruled-auto")).to_have_count(0)
    floor.page.get_by_test_id("void-ruled-auto").click()
    has_no_violation(floor.page)
    floor.gives_reason("malfunction")
    player.sees_phase("void")
    expect(player.page.get_by_text("Malfunction").first).to_be_visible()
    expect(player.page.get_by_test_id("credit")).to_have_text(f"{before / 100:,.2f}")
    expect(floor.page.get_by_test_id("void-ruled-auto")).to_have_count(0)


def test_void_4_a_supervisor_corrects_a_live_round_from_the_floor(
    guest: Guest, dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    podium, player = dealer("ruled-live", 312), guest("ruled-live")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d")
    floor = FloorScreen(page_of("supervisor"), house.address)
    page = floor.page
    page.get_by_test_id("correct-ruled-live").click()
    page.get_by_test_id("correct-1").click()
    page.get_by_test_id("correct-replace").click()
    page.get_by_test_id("rank-8").click()
    page.get_by_test_id("suit-s").click()
    floor.gives_reason("wrong-card")
    expect(podium.page.get_by_test_id("send-reason")).to_have_count(0)
    expect(player.page.get_by_text("wrong card entered").first).to_be_visible()


def test_what_the_stakes_can_cost_stands_beside_them(
    guest: Guest, dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    podium, player = dealer("exposed", 312), guest("exposed")
    podium.new_game()
    player.bet("blackjack")
    floor = FloorScreen(page_of("auditor"), house.address)
    row = floor.page.get_by_role("row", name=re.compile("^exposed"))
    deviation = figures(game("stadium-blackjack", OPTIONS["stadium-blackjack"])).standard_deviation
    # Three split hands of a blackjack that pays 1 to 1 each, all doubled: six wagers of 5.00.
    expect(row).to_contain_text(f"{deviation * 5:.2f}", timeout=A_WHILE)
    expect(row).to_contain_text("30.00")


def test_money_moves_at_the_cashier_with_a_second_person(page_of: PageOf, house: RunningHouse, guest: Guest) -> None:
    """CSH-1, SEC-6, TKT-1: a supervisor sees on the floor what the cashier asks for, and accepts that one act."""
    operator, supervisor = (
        FloorScreen(page_of("operator"), house.address),
        FloorScreen(page_of("supervisor"), house.address),
    )
    operator.open("people")
    operator.page.get_by_label("Name", exact=True).fill("rosa")
    operator.page.get_by_label("Role").select_option("player")
    operator.page.get_by_role("button", name="Add a person").click()
    expect(operator.page.get_by_test_id("invitation")).to_contain_text("/welcome#")
    expect(operator.page.get_by_role("row", name=re.compile("^rosa player"))).to_be_visible()

    till = TillScreen(page_of("cashier"), house.address)
    cashier = till.page
    till.find("rosa")
    till.fill("buy-in", "120")
    has_no_violation(cashier)
    # Whoever hits the button twice has booked once.
    till.confirm.dblclick()
    till.came("Booked", "0.00 \N{RIGHTWARDS ARROW} 120.00")
    has_no_violation(cashier)
    assert house.credit_of("rosa") == 120_00

    till.go_on()
    till.fill("adjust", "-20", "Counted twice")
    till.confirm.click()
    expect(cashier.get_by_test_id("waits")).to_contain_text("Adjust the credit of rosa by -20.00: Counted twice.")
    waiting = supervisor.page.get_by_test_id("approvals")
    expect(waiting).to_contain_text("Adjust the credit of rosa by -20.00: Counted twice.")
    expect(waiting).to_contain_text("Asked by cashier-")
    has_no_violation(supervisor.page)
    has_no_violation(cashier)
    request = waiting.get_by_role("listitem").filter(has_text="rosa")
    request.get_by_test_id("accept").click()
    till.came("Booked", "120.00 \N{RIGHTWARDS ARROW} 100.00")
    till.go_on()
    # That was for once. Another is refused, and of a third the cashier thinks better.
    till.fill("adjust", "-20", "Counted twice")
    till.confirm.click()
    request.get_by_test_id("refuse").click()
    till.came("Refused", "refused it. Nothing was done.")
    till.go_on()
    till.fill("adjust", "-20", "Counted twice")
    till.confirm.click()
    cashier.get_by_test_id("stop-waiting").click()
    till.came("Refused", "You stopped waiting. Nothing was done.")
    till.go_on()
    expect(cashier.get_by_test_id("account-credit")).to_have_text("100.00")


def test_tkt_3_a_ticket_is_seen_before_it_is_paid_and_a_paid_one_is_refused(
    page_of: PageOf, house: RunningHouse
) -> None:
    till = TillScreen(page_of("cashier"), house.address)
    cashier = till.page
    till.fill("issue-ticket", "40")
    till.confirm.click()
    till.came("Booked", "40.00")
    expect(cashier.get_by_test_id("ticket").locator("canvas, svg").first).to_be_visible()
    number = re.sub(r"\D", "", cashier.get_by_test_id("ticket-number").inner_text())
    till.next_guest()

    till.find(number)
    expect(cashier.get_by_test_id("ticket-amount")).to_have_text("40.00")
    has_no_violation(cashier)
    cashier.get_by_test_id("pay-ticket").click()
    till.confirm.click()
    till.came("Paid", "40.00")
    till.next_guest()

    till.find(number)
    expect(cashier.get_by_test_id("ticket-state")).to_have_text("This ticket has been paid already.")
    expect(cashier.get_by_test_id("pay-ticket")).to_be_disabled()
    till.next_guest()
    till.find("1" * 20)
    till.came("Refused", "Nothing was booked.")
    has_no_violation(cashier)


def test_led_2_a_booking_whose_answer_is_lost_is_sent_again_as_the_same(page_of: PageOf, house: RunningHouse) -> None:
    operator = FloorScreen(page_of("operator"), house.address)
    operator.open("people")
    operator.page.get_by_label("Name", exact=True).fill("lena")
    operator.page.get_by_label("Role").select_option("player")
    operator.page.get_by_role("button", name="Add a person").click()
    expect(operator.page.get_by_test_id("invitation")).to_contain_text("/welcome#")
    till = TillScreen(page_of("cashier"), house.address)
    till.find("lena")
    till.fill("buy-in", "50")

    def booked_and_lost(route: Route) -> None:
        route.fetch()
        route.abort()

    till.page.route("**/api/cashier/buy-in", booked_and_lost)
    till.confirm.click()
    till.came("No answer", "it is booked once")
    has_no_violation(till.page)
    till.page.unroute("**/api/cashier/buy-in")
    till.page.get_by_test_id("send-again").click()
    till.came("Booked", "50.00")
    assert house.credit_of("lena") == 50_00


def test_hp_1_an_attendant_pays_a_large_win_and_play_goes_on(
    guest: Guest, dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    podium, player = dealer("jackpot", 312), guest("jackpot")
    podium.new_game()
    player.bet("blackjack")
    podium.no_more_bets()
    podium.deal("As", "6d", "Kh")
    podium.confirm()
    expect(player.page.get_by_role("status").first).to_contain_text("to pay your win of 7.50 by hand")
    floor = FloorScreen(page_of("supervisor"), house.address)
    expect(floor.page.get_by_role("row", name=re.compile("^jackpot"))).to_contain_text("An attendant must pay 7.50")
    till = TillScreen(page_of("cashier"), house.address)
    till.find(player.name)
    till.page.get_by_test_id("attendant-pay").click()
    till.confirm.click()
    till.came("Paid", "7.50")
    expect(player.page.get_by_role("status").first).not_to_contain_text("by hand")
    podium.new_game()
    player.bet("blackjack")


def test_tips_are_shared_on_the_floor_and_paid_at_the_till(
    dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    podium, player, till = dealer("tipped", 312), page_of("player"), TillScreen(page_of("cashier"), house.address)
    name, tipped = (page.request.get("/api/me").json()["name"] for page in (player, podium.page))
    till.find(name)
    till.fill("buy-in", "100")
    till.confirm.click()
    till.came("Booked", "100.00")
    till.next_guest()
    player.goto(f"{house.address}/play?table=tipped")
    podium.new_game()
    player.get_by_test_id("spot-blackjack").click()
    player.get_by_test_id("for-dealer").click()
    player.get_by_test_id("spot-royal-match-21").click()
    expect(player.locator(".ghost")).to_have_count(0)
    podium.no_more_bets()
    podium.deal("Ks", "6d", "Qs")
    player.get_by_test_id("decide-stand").click()
    podium.deal("Td", "8c")
    podium.confirm()

    floor = FloorScreen(page_of("supervisor"), house.address)
    floor.open("reports")
    floor.page.get_by_role("combobox", name="Report", exact=True).select_option("tip-shares")
    expect(floor.page.get_by_role("row", name=re.compile(f"^{tipped}"))).to_be_visible()
    has_no_violation(floor.page)
    floor.page.get_by_test_id("share-tips").click()
    expect(floor.page.get_by_test_id("tips-shared")).to_contain_text(f"{tipped} receives")

    has_no_violation(till.page)
    till.page.get_by_test_id(f"pay-tips-{tipped}").click()
    has_no_violation(till.page)
    till.confirm.click()
    till.came("Paid", tipped)
    till.next_guest()
    expect(till.page.get_by_test_id(f"pay-tips-{tipped}")).to_have_count(0)


def test_a_round_of_several_players_is_recalled_player_by_player(
    guest: Guest, dealer: Dealer, page_of: PageOf, house: RunningHouse
) -> None:
    """REC-2: for a dispute the floor sees what each of them saw."""
    podium, one, other = dealer("recalled", 312), guest("recalled"), guest("recalled")
    podium.new_game()
    one.bet("blackjack")
    other.bet("blackjack")
    podium.no_more_bets()
    podium.deal("9s", "6d", "5h")
    one.decide("hit")
    other.decide("stand")
    podium.deal("5c")
    one.decide("stand")
    podium.deal("Td", "Kc")
    podium.confirm()

    floor = FloorScreen(page_of("supervisor"), house.address)
    floor.open("recall")
    floor.page.get_by_label("Table", exact=True).fill("recalled")
    floor.page.get_by_label("Round number").fill("1")
    floor.page.get_by_role("button", name="Find round").click()
    players = floor.page.get_by_role("group", name="Player").get_by_role("button")
    expect(players).to_have_count(2)
    has_no_violation(floor.page)
    first, second = players.all_inner_texts()
    for name in (second, first):
        floor.page.get_by_role("button", name=name, exact=True).click()
        expect(floor.page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
    floor.page.get_by_role("button", name=re.compile("^Round 1")).click()
    expect(floor.page.get_by_text("Dealer busted with 26.")).to_be_visible()
    has_no_violation(floor.page)
