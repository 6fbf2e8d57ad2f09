"""EVT-1: whatever must be found again is recorded by the running house, and found by its interface (EVT-4)."""

import asyncio
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.cli.backups import back_up
from podium.cli.verify import verify_house
from podium.house.people import MAX_FAILED_SIGN_INS
from podium.record.store import Damaged, Unavailable
from podium.server.serve import Address, Open, serve
from podium.server.slips import SLIPS, waiting
from tests.server.served import CONFIG, Browser, a_house, play
from tests.server.test_cashier import desk
from tests.terminal import on_a_loop

HOUR = 3_600_000


async def events(browser: Browser, **query: str) -> list[dict[str, Any]]:
    """The significant events that somebody finds, the newest first; each with time, source, who, reason, before, after."""
    found = (await browser.get("/api/events", **query)).body
    assert all(event["time"] > 0 and event["source"] for event in found)
    return list(found)


async def event(browser: Browser, kind: str) -> dict[str, Any]:
    [found] = await events(browser, kind=kind)
    return found


def alter(data: Path, statement: str) -> None:
    file = sqlite3.connect(data / "podium.db")
    with file:
        assert file.execute(statement).rowcount == 1
    file.close()


# --- people, terminals, overrides --------------------------------------------------------------------------------------


@on_a_loop
async def test_evt_1_failed_sign_ins_and_the_lock_out(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        stranger = await served.browser()
        for _ in range(MAX_FAILED_SIGN_INS):
            await stranger.post("/api/sign-in", name="operator", password="not it")
        failed = await events(operator, kind="sign-in-failed")
        assert len(failed) == MAX_FAILED_SIGN_INS
        assert {(each["source"], each["who"]) for each in failed} == {("127.0.0.1", "operator")}
        assert (await event(operator, "locked-out"))["reason"] == "too many wrong passwords"


@on_a_loop
async def test_evt_1_people_and_terminals_that_change(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await operator.done("/api/people", name="carl", role="cashier")
        await operator.done("/api/people", name="carl", role="dealer")
        [changed] = await events(operator, kind="person-changed", text="changed")
        assert (changed["who"], changed["before"], changed["after"]) == ("operator", "cashier, open", "dealer, open")
        await operator.done("/api/terminals", name="wall-1")
        enrolled = await event(operator, "terminal-enrolled")
        assert (enrolled["source"], enrolled["who"], enrolled["reason"]) == ("wall-1", "operator", "enrolled")


@on_a_loop
async def test_evt_1_an_override_an_adjustment_and_a_wrong_code(tmp_path: Path) -> None:
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, cash_out_limit=10_000)) as served:
        cashier, supervisor, _ = await desk(served)
        await cashier.done("/api/cashier/buy-in", name="ann", amount=50_000)
        await cashier.post("/api/cashier/cash-out", name="ann", amount=20_000, approval="000000")
        failed = await event(supervisor, "approval-failed")
        assert (failed["source"], failed["who"]) == ("ann", "carl")
        assert failed["reason"] == (
            "That code does not fit this request: ask for a new one (SEC-6). Pay 200.00 of the credit of ann in cash."
        )
        await cashier.done_with(supervisor, "/api/cashier/cash-out", name="ann", amount=20_000)
        override = await event(supervisor, "override")
        assert (override["source"], override["who"]) == ("ann", "sue")
        assert (override["reason"], override["before"], override["after"]) == (
            "a cash-out of 20000 by carl",
            "50000",
            "30000",
        )
        await cashier.done_with(supervisor, "/api/cashier/adjustments", name="ann", amount=-500, reason="paid twice")
        adjusted = await event(supervisor, "adjustment")
        assert (adjusted["who"], adjusted["reason"]) == ("carl and sue", "paid twice")
        assert (adjusted["before"], adjusted["after"]) == ("30000", "29500")


@on_a_loop
async def test_evt_1_a_ticket_that_is_refused_and_one_that_is_made_void(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=700))["number"]
        served.pass_time(200 * 24 * HOUR)
        await cashier.done("/api/sign-in", name="carl", password="correct horse battery")
        await supervisor.done("/api/sign-in", name="sue", password="correct horse battery")
        expired = await cashier.post("/api/cashier/tickets/pay", number=number)
        assert "has expired" in expired.reason
        assert (await event(supervisor, "ticket-refused"))["who"] == "carl"
        asked = {"number": number, "reason": "expired, player known"}
        assert (await cashier.post("/api/cashier/tickets/void", **asked)).reason == (
            f"A second person must approve this first: void the ticket ending in {number[-4:]} and pay its 7.00: "
            "expired, player known (CSH-1)."
        )
        await supervisor.accept()
        voided = await cashier.done("/api/cashier/tickets/void", "v1", **asked)
        assert (voided["state"], voided["amount"]) == ("void", 700)
        assert (await cashier.done("/api/cashier/tickets/void", "v1", **asked)) == voided
        void = await event(supervisor, "ticket-void")
        assert (void["who"], void["reason"]) == ("carl and sue", "expired, player known")
        assert (void["before"], void["after"]) == ("700 outstanding", "void")


# --- configuration, rounds -----------------------------------------------------------------------------------------------


@on_a_loop
async def test_evt_1_a_large_wager_counts_by_the_amounts_that_are_configured(tmp_path: Path) -> None:
    """The house was told of lower amounts while it was open: the next round is looked at with them."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        guest, name = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
            assert await events(operator, kind="large-wager") == []
            lower = msgspec.structs.replace(served.house.config, large_wager=1_000)
            await served.opened.floor.in_house(lambda now: served.house.configure(lower, now, by="operator"))  # type: ignore[union-attr]
            served.pass_time(60_000)
            await play(
                terminal, {"blackjack": 1_000}, lambda: terminal.view.round == 2 and terminal.view.phase == "result"
            )
        large = await event(operator, "large-wager")
        assert (large["source"], large["who"], large["reason"]) == ("t1", name, "round 2")
        assert int(large["after"]) >= 1_000
        changed = (await events(operator, kind="configuration-changed", source="house"))[0]
        assert (changed["before"], changed["after"]) == ('{"large_wager":100000}', '{"large_wager":1000}')


# --- the program, the store ----------------------------------------------------------------------------------------------


@on_a_loop
async def test_evt_1_a_program_error_is_noted_without_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()

        def broken() -> None:
            raise ZeroDivisionError("a token nobody should read")

        assert served.opened is not None
        monkeypatch.setattr(served.opened.reception.enrolment, "people", broken)
        assert (await operator.get("/api/people")).status == 500
        noted = await event(operator, "program-error")
        assert noted["source"] == "/api/people"
        assert noted["reason"].startswith("ZeroDivisionError in test_significant.py, line ")


@on_a_loop
async def test_evt_1_a_mistake_at_a_terminal_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        guest, name = await served.guest()

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        assert served.opened is not None
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            with monkeypatch.context() as patched:
                patched.setattr(served.opened.floor, "_carry_out", broken)
                joining = asyncio.create_task(terminal.join())
                while not await events(operator, kind="program-error"):
                    await asyncio.sleep(0)
            await joining
        noted = await event(operator, "program-error")
        assert (noted["source"], noted["who"]) == ("unenrolled", name)


@on_a_loop
async def test_evt_1_a_stop_is_noted_and_so_is_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.restart()
        operator = served.moved(operator)
        assert (await event(operator, "house-stopped"))["reason"] == "the program was told to end"
        assert await events(operator, kind="outage") == []

        async def dies(_: object) -> None: ...

        with monkeypatch.context() as patched:
            patched.setattr("podium.server.serve.note_end", dies)
            await served.restart()
        outage = await event(served.moved(operator), "outage")
        assert outage["reason"].startswith("the program had been interrupted")
        assert outage["before"] <= outage["after"]
        assert len(await events(served.moved(operator), kind="house-stopped")) == 1


@on_a_loop
async def test_evt_1_a_store_that_fails_stops_the_house_which_notes_it_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: asyncio.Future[Open] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(serve(tmp_path, Address(port=0), config=CONFIG, said=opened.set_result))
    house = await opened

    async def full(*_: object, **__: object) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(house.store, "append", full)
    with suppress(Unavailable):
        await house.floor.keep()
    with pytest.raises(Unavailable):
        await serving
    assert len(waiting(tmp_path)) == 1
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        [interrupted, failed] = sorted(await events(operator, kind="outage"), key=lambda each: each["source"])
        assert (failed["source"], failed["reason"][:18]) == ("podium serve", "The disk is full. ")
        assert interrupted["source"] == "house"
        assert waiting(tmp_path) == []


@on_a_loop
async def test_evt_1_a_clock_that_is_set_is_noted(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        assert served.opened is not None
        vigil = served.opened.reception.vigil
        await vigil.look()
        assert await events(operator, kind="clock-changed") == []
        served.set_by += 60_000
        await vigil.look()
        await vigil.look()
        on = await event(operator, "clock-changed")
        assert on["reason"].startswith("the clock was set on by ")
        assert on["before"] < on["after"]
        served.set_by -= 60_000
        await vigil.look()
        back = (await events(operator, kind="clock-changed", text="set back"))[0]
        assert back["before"] > back["after"]


@on_a_loop
async def test_evt_1_a_clock_that_stands_before_the_journal_is_noted_at_the_start(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        served.set_by -= 10_000
        await served.restart()
        noted = await event(served.moved(operator), "clock-changed")
        assert noted["reason"] == "the clock stands before the last entry of the journal"
        assert noted["before"] > noted["after"]


# --- the record ----------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_evt_1_a_proof_and_a_backup_are_noted(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        auditor = await served.staff(operator, "auditor", "aud")
        assert (await operator.post("/api/record/proof")).status == 403
        proved = await auditor.done("/api/record/proof")
        assert proved["documents"] > 0
        checked = await event(auditor, "integrity-checked")
        assert (checked["who"], checked["reason"]) == ("aud", "no difference was found")
        assert checked["after"].startswith(f"{proved['entries']} entries, ")
        assert (await auditor.post("/api/record/backups")).status == 403
        made = await operator.done("/api/record/backups")
        assert Path(made["file"]).stat().st_size == made["bytes"]
        backup = await event(operator, "backup-made")
        assert (backup["who"], backup["after"]) == ("operator", made["sha256"])


@on_a_loop
async def test_evt_1_a_backup_by_another_program_is_noted_by_the_house(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        assert await asyncio.to_thread(back_up, str(tmp_path), tmp_path / "night.backup") == 0
        assert served.opened is not None
        await served.opened.reception.vigil.look()
        noted = await event(operator, "backup-made")
        assert noted["source"] == "podium backup"
        assert noted["reason"].startswith("night.backup (at ")
        assert len(noted["after"]) == 64
        assert list((tmp_path / SLIPS).iterdir()) == []


@on_a_loop
async def test_evt_1_int_5_a_record_that_does_not_prove_itself_is_noted_and_stops_play(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        auditor = await served.staff(operator, "auditor", "aud")
        alter(tmp_path, "UPDATE journal SET time = time + 1 WHERE stream = 'table/t1' AND sequence = 1")
        assert await asyncio.to_thread(verify_house, str(tmp_path)) == 1
        assert served.opened is not None
        await served.opened.reception.vigil.look()
        assert (await event(auditor, "integrity-failed"))["source"] == "podium verify"
        said = await auditor.post("/api/record/proof")
        assert said.reason.startswith("The record does not prove itself: Entry 1 of table/t1 was altered")
        [failed, _] = await events(auditor, kind="integrity-failed")
        assert failed["who"] == "aud"
        assert said.reason == f"The record does not prove itself: {failed['reason']}"
        assert (await operator.get("/api/health")).status == 503


@on_a_loop
async def test_evt_1_int_2_a_start_that_was_refused_is_noted_by_the_next_one(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
    altered = "UPDATE balances SET amount = amount {} 1 WHERE account = 'cage/demonstration'"
    async with a_house(tmp_path) as served:
        await served.guest()
    alter(tmp_path, altered.format("+"))
    with pytest.raises(Damaged, match="cage/demonstration stands at"):
        await serve(tmp_path, Address(port=0))
    alter(tmp_path, altered.format("-"))
    async with a_house(tmp_path) as served:
        operator = await served.browser()
        await operator.done("/api/sign-in", name="operator", password="correct horse battery")
        noted = await event(operator, "integrity-failed")
        assert noted["source"] == "podium serve"
        assert noted["reason"].startswith("cage/demonstration stands at ")


@on_a_loop
async def test_a_slip_that_cannot_be_thrown_away_is_noted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        assert await asyncio.to_thread(back_up, str(tmp_path), tmp_path / "night.backup") == 0
        assert served.opened is not None
        with monkeypatch.context() as patched:
            patched.setattr(Path, "unlink", lambda *_, **__: None)
            await served.opened.reception.vigil.look()
            await served.opened.reception.vigil.look()
        assert len(waiting(tmp_path)) == 1
        await event(operator, "backup-made")


def test_what_is_no_slip_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / SLIPS).mkdir()
    (tmp_path / SLIPS / "1.json").write_text("{")
    (tmp_path / SLIPS / "2.json").write_text('{"time":1,"note":{"event":"noted","kind":"gossip","source":"x"}}')
    assert waiting(tmp_path) == []
    assert len(list((tmp_path / SLIPS).iterdir())) == 2
