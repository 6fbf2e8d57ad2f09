"""Player protection at a real house (PROT-1): two terminals at once, sign-in, the cashier, the floor, a restart."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.house import HouseConfig
from podium.house.protection import IDLE_PLAY_MS, MINUTE_MS
from tests.server.served import PIN, QUICK, Browser, Served, a_house, until
from tests.terminal import on_a_loop

SLOW = msgspec.structs.replace(QUICK, close_betting_early=False, betting_seconds=3_600)
HOUSE = HouseConfig(
    name="Test house",
    tables={"t1": SLOW, "t2": SLOW},
    help_line={"en": "Call 0800 1.", "es": "Llame al 0800 1."},
    reminder_minutes=40,
)


DAY_MS = 24 * 60 * MINUTE_MS


async def people(served: Served) -> dict[str, Browser]:
    """Everybody who is needed; ann has money."""
    operator = await served.operator()
    roles = {"ann": "player", "carl": "cashier", "sue": "supervisor", "aude": "auditor"}
    found = {name: await served.staff(operator, role, name) for name, role in roles.items()}
    await found["carl"].done("/api/cashier/buy-in", name="ann", amount=100_000)
    return {**found, "olga": operator}


@on_a_loop
async def test_prot_1_two_terminals_at_once_do_not_pass_a_limit(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        who = await people(served)
        await who["ann"].done("/api/protection/limits", stake=50_000, loss=80_000)
        async with await who["ann"].terminal() as one, await who["ann"].terminal() as other:
            for terminal, table in ((one, "t1"), (other, "t2")):
                await terminal.watch(table)
                await terminal.join()
                await until(terminal, lambda terminal=terminal: terminal.view.phase == "betting")  # type: ignore[misc]
            bets = [terminal.bet({"blackjack": 30_000}) for terminal in (one, other)]
            came = await asyncio.gather(*bets, return_exceptions=True)
            [refused] = [each for each in came if each is not None]
            assert isinstance(refused, Refused)
            assert "200.00 is left" in str(refused)
            card = (await who["ann"].get("/api/protection")).body
            assert (card["at_stake"], card["limits"]["stake"]) == (30_000, 50_000)
        await served.restart()
        left = "t1" if came[0] is not None else "t2"
        async with await served.moved(who["ann"]).terminal() as terminal:
            await terminal.watch(left)
            await until(terminal, lambda: terminal.view.phase == "betting")
            with pytest.raises(Refused, match=r"at stake at once; 200.00 is left"):
                await terminal.bet({"blackjack": 30_000})


@on_a_loop
async def test_prot_1_whoever_is_excluded_cannot_sign_in_and_the_cashier_pays_out(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        who = await people(served)
        await who["sue"].done("/api/floor/exclusions", name="ann", reason="a dispute", days=30)
        assert (await who["ann"].get("/api/protection")).status == 401, "the session is over"
        for attempt in range(2):
            browser = await served.browser()
            said = await browser.post("/api/sign-in", name="ann", password=PIN)
            assert "ann may not play in this house until" in said.reason, attempt
            await served.restart()
            who = {name: served.moved(browser) for name, browser in who.items()}
        account = (await who["carl"].get("/api/cashier/account", name="ann")).body
        assert account["excluded"]
        assert "may not play" in (await who["carl"].post("/api/cashier/buy-in", name="ann", amount=1)).reason
        assert (await who["carl"].done("/api/cashier/cash-out", name="ann", amount=100_000))["credit"] == 0
        listed = (await who["aude"].get("/api/floor/exclusions")).body
        assert [(each["name"], each["kind"], each["by"], each["reason"]) for each in listed] == [
            ("ann", "house", "sue", "a dispute")
        ]
        await who["sue"].done_with(who["olga"], "/api/floor/exclusions/lift", name="ann", reason="settled")
        browser = await served.browser()
        assert (await browser.done("/api/sign-in", name="ann", password=PIN))["name"] == "ann"
        kinds = [each["kind"] for each in (await who["aude"].get("/api/events")).body]
        assert {"excluded-house", "exclusion-lifted", "sign-in-failed"} <= set(kinds)
        report = (await who["aude"].get("/api/reports/player-protection")).body
        assert [row[1:3] for row in report["rows"]] == [["ann", "excluded-house"], ["ann", "exclusion-lifted"]]


@on_a_loop
async def test_prot_1_a_player_takes_a_break_and_a_round_in_play_is_played_to_its_end(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        who = await people(served)
        async with await who["ann"].terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"blackjack": 30_000})
            await who["ann"].done("/api/protection/break", hours=24)
            with pytest.raises(Refused, match="chose not to play until"):
                await terminal.bet({"blackjack": 40_000})
            card = (await who["ann"].get("/api/protection")).body
            assert card["excluded"]["kind"] == "break"
            assert card["help_line"]["es"] == "Llame al 0800 1."
        served.pass_time(25 * 60 * MINUTE_MS)
        browser = await served.browser()
        assert (await browser.done("/api/sign-in", name="ann", password=PIN))["name"] == "ann"


@on_a_loop
async def test_prot_1_a_reminder_says_the_time_and_the_result_and_the_vigil_ends_idle_play(tmp_path: Path) -> None:
    async with a_house(tmp_path, HOUSE) as served:
        served.pass_time(DAY_MS - served.clock() % DAY_MS)  # just after midnight: the gaming day does not end meanwhile
        who = await people(served)
        async with await who["ann"].terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"blackjack": 30_000})
            for _ in range(2):
                served.pass_time(20 * MINUTE_MS)
                assert (await who["ann"].get("/api/rounds")).status == 200  # somebody is there
            with pytest.raises(Refused, match="40 minutes today: read the reminder"):
                await terminal.bet({"blackjack": 40_000})
            card = (await who["ann"].get("/api/protection")).body
            assert (card["reminder_due"], card["minutes"], card["lost"]) == (True, 40, 0)
            read = await who["ann"].done("/api/protection/reminder")
            assert not read["reminder_due"]
            await terminal.bet({"blackjack": 40_000})
            await terminal.bet({})
            await terminal.leave()
        await served.opened.reception.vigil.look()  # type: ignore[union-attr]
        assert served.house.protection.playing() == []
        served.pass_time(IDLE_PLAY_MS)


@on_a_loop
async def test_prot_1_a_house_for_players_with_an_account_lets_nobody_in_by_a_ticket_alone(tmp_path: Path) -> None:
    config = msgspec.structs.replace(HOUSE, tickets_play=False, least_age=21)
    async with a_house(tmp_path, config) as served:
        who = await people(served)
        ticket = await who["carl"].done("/api/cashier/tickets", amount=5_000)
        stranger = await served.browser()
        assert "have an account" in (await stranger.post("/api/sign-in/ticket", number=ticket["number"])).reason
        async with await who["ann"].terminal() as terminal:
            await terminal.watch("t1")
            with pytest.raises(Refused, match="at least 21 years old"):
                await terminal.join()
            assert (await who["ann"].get("/api/protection")).body["age"] == "asked"
            assert (await who["ann"].done("/api/protection/age"))["age"] == "confirmed"
            await terminal.join()


@on_a_loop
async def test_prot_1_a_guest_is_told_that_nothing_applies(tmp_path: Path) -> None:
    async with a_house(tmp_path, msgspec.structs.replace(HOUSE, guests=True)) as served:
        guest, _ = await served.guest()
        card = (await guest.get("/api/protection")).body
        assert (card["applies"], card["next_reminder"]) == (False, 40)
        assert "play money" in (await guest.post("/api/protection/limits", loss=5)).reason
