"""The cashier's desk and tickets, over HTTP: money that moves once."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.house.tickets import TICKETS, Ticket
from podium.record.ledger import account
from podium.server import limits
from podium.server.known import UNENROLLED
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, play, until
from tests.terminal import on_a_loop

CAGE = account("cage", "main")


async def desk(served: Served) -> tuple[Browser, Browser, Browser]:
    """A cashier, a supervisor, and a player with a card."""
    operator = await served.operator()
    cashier = await served.staff(operator, "cashier", "carl")
    supervisor = await served.staff(operator, "supervisor", "sue")
    return cashier, supervisor, await served.staff(operator, "player", "ann")


@on_a_loop
async def test_led_2_a_request_with_the_same_key_happens_once(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, _ = await desk(served)
        first = [cashier.post("/api/cashier/buy-in", "k1", name="ann", amount=50_000) for _ in range(20)]
        assert {said.body["credit"] for said in await asyncio.gather(*first)} == {50_000}
        other = await cashier.post("/api/cashier/buy-in", "k1", name="ann", amount=60_000)
        assert other.reason.endswith("a new request needs a key of its own (LED-2).")
        await served.restart()
        cashier = served.moved(cashier)
        assert (await cashier.done("/api/cashier/buy-in", "k1", name="ann", amount=50_000))["credit"] == 50_000
        assert (await cashier.done("/api/cashier/buy-in", name="ann", amount=50_000))["credit"] == 100_000
        assert (await cashier.done("/api/cashier/buy-in", name="ann", amount=50_000))["credit"] == 150_000
        assert served.house.ledger[CAGE] == -150_000


@on_a_loop
async def test_two_people_may_use_the_same_key(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "player", "ann")
        for name in ("carl", "cora"):
            cashier = await served.staff(operator, "cashier", name)
            await cashier.done("/api/cashier/buy-in", "1", name="ann", amount=100)
        assert served.house.credit("ann") == 200


@on_a_loop
async def test_a_key_with_a_dot_is_nobody_else_s(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "player", "ann")
        for name, key in (("carl", "b.k1"), ("carl.b", "k1")):
            cashier = await served.staff(operator, "cashier", name)
            await cashier.done("/api/cashier/buy-in", key, name="ann", amount=100)
        assert served.house.credit("ann") == 200


@on_a_loop
async def test_a_cash_out_above_the_limit_needs_a_supervisor(tmp_path: Path) -> None:
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, cash_out_limit=10_000)) as served:
        cashier, supervisor, _ = await desk(served)
        await cashier.done("/api/cashier/buy-in", name="ann", amount=50_000)
        assert (await cashier.done("/api/cashier/cash-out", name="ann", amount=10_000))["credit"] == 40_000
        said = await cashier.post("/api/cashier/cash-out", "big", name="ann", amount=10_001)
        assert said.reason == (
            "A second person must approve this first: pay 100.01 of the credit of ann in cash (CSH-1)."
        )
        paid = await cashier.done_with(supervisor, "/api/cashier/cash-out", "big", name="ann", amount=40_000)
        assert paid["credit"] == 0
        again = await cashier.done("/api/cashier/cash-out", "big", name="ann", amount=40_000)
        assert again["credit"] == 0
        assert served.house.ledger[CAGE] == 0


@on_a_loop
async def test_csh_1_an_adjustment_has_two_people_a_reason_and_the_values(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        await cashier.done("/api/cashier/buy-in", name="ann", amount=1_000)
        asked: dict[str, Any] = {"name": "ann", "amount": -300, "reason": "paid twice"}
        assert (await cashier.post("/api/cashier/adjustments", **asked)).reason == (
            "A second person must approve this first: adjust the credit of ann by -3.00: paid twice (CSH-1)."
        )
        await supervisor.accept()
        for _ in range(2):
            after = await cashier.done("/api/cashier/adjustments", "a1", **asked)
            assert after["credit"] == 700
        assert served.opened is not None
        entries = await served.opened.store.read(lambda book: book.entries("house"))
        [moved] = [msgspec.json.decode(entry.payload) for entry in entries if b"paid twice" in entry.payload]
        assert (moved["by"], moved["second"], moved["before"], moved["after"]) == ("carl", "sue", 1_000, 700)


@on_a_loop
async def test_nobody_is_paid_who_is_not_known(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, _ = await desk(served)
        for name in ("nobody", "sue", "carl", "../x", ""):
            said = await cashier.post("/api/cashier/buy-in", name=name, amount=1)
            assert said.reason == f"No player is known here by the name {name!r}."
            assert (await cashier.get("/api/cashier/account", name=name)).status == 422


# --- tickets -----------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_tkt_1_a_ticket_carries_site_terminal_time_amount_number_and_expiry(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, _ = await desk(served)
        ticket = await cashier.done("/api/cashier/tickets", amount=12_345)
        assert (ticket["amount"], ticket["site"], ticket["terminal"]) == (12_345, "Test house", UNENROLLED)
        assert ticket["expires"] - ticket["issued"] == 180 * 24 * 3_600_000
        assert [len(part) for part in ticket["number"].split()] == [4] * 5
        await served.close()
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert ticket["number"].replace(" ", "").encode() not in stored, "whoever reads the store can print no ticket"
        await served.open()


@on_a_loop
async def test_tkt_3_a_hundred_simultaneous_redemptions_pay_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_FAILURES_PER_MINUTE", 1_000)
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=7_000))["number"]
        asked = [player.post("/api/redeem", number=number) for _ in range(60)]
        asked += [cashier.post("/api/cashier/tickets/pay", number=number) for _ in range(20)]
        asked += [(await served.browser()).post("/api/sign-in/ticket", number=number) for _ in range(20)]
        answers = await asyncio.gather(*asked)
        assert [said.status for said in answers].count(200) == 1
        assert {said.reason.partition(",")[0] for said in answers if said.status != 200} == {
            f"The ticket ending in {number[-4:]} was already redeemed"
        }
        assert served.house.ledger[TICKETS] == 0
        await served.restart()
        again = await served.moved(player).post("/api/redeem", number=number)
        assert "was already redeemed" in again.reason
        assert sum(amount for _, amount in served.house.ledger) == 0


@on_a_loop
async def test_led_2_tickets_too_happen_once_for_their_key(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        numbers = {(await cashier.done("/api/cashier/tickets", "t", amount=500))["number"] for _ in range(3)}
        assert len(numbers) == 1
        other = await cashier.post("/api/cashier/tickets", "t", amount=501)
        assert other.reason.endswith("a new request needs a key of its own (LED-2).")
        [number] = numbers
        await served.restart()
        cashier, player = served.moved(cashier), served.moved(player)
        assert (await cashier.done("/api/cashier/tickets", "t", amount=500))["number"] == number
        for _ in range(3):
            assert (await player.done("/api/redeem", "r", number=number))["credit"] == 500
        for _ in range(3):
            assert (await player.done("/api/cash-out", "c"))["amount"] == 500
        assert served.house.credit("ann") == 0
        assert served.house.ledger[TICKETS] == 500


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("1234", "A validation number has 20 digits; this has 4 characters (TKT-1)."),
        ("1" * 20, "This validation number has a wrong digit: its check digits do not match (TKT-1)."),
        (f"{10**18 - 1}28", "This ticket is unknown here: no ticket with this validation number was issued (TKT-2)."),
    ],
)
@on_a_loop
async def test_tkt_2_a_ticket_that_is_none_is_refused_with_the_reason(tmp_path: Path, number: str, reason: str) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        assert (await player.post("/api/redeem", number=number)).reason == reason
        assert (await cashier.post("/api/cashier/tickets/pay", number=number)).reason == reason
        stranger = await served.browser()
        assert (await stranger.post("/api/sign-in/ticket", number=number)).reason == reason
        assert (await stranger.get("/api/me")).body is None
        assert [note.kind for note in await served.notes()].count("ticket-refused") == 3


@on_a_loop
async def test_a_ticket_signs_a_player_in_with_its_credit_for_as_long_as_it_takes(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, _ = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=4_200))["number"]
        player = await served.browser()
        name = (await player.done("/api/sign-in/ticket", number=number))["name"]
        assert (await cashier.get("/api/cashier/account", name=name)).status == 200
        served.later += 10 * 24 * 3_600_000
        await served.restart()
        ticket = await served.moved(player).done("/api/cash-out")
        assert (ticket["amount"], ticket["site"]) == (4_200, "Test house")


@on_a_loop
async def test_play_money_never_becomes_cash(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, player = await desk(served)
        guest, name = await served.guest()
        ticket = await guest.done("/api/cash-out")
        assert (ticket["amount"], ticket["site"]) == (100_000, "play money")
        number = ticket["number"]
        assert (await cashier.post("/api/cashier/tickets/pay", number=number)).reason == (
            "This ticket is a guest's play money and is not paid in cash."
        )
        assert (await player.post("/api/redeem", number=number)).reason.startswith(
            "Play money and real money do not mix"
        )
        real = (await cashier.done("/api/cashier/tickets", amount=10))["number"]
        assert (await guest.post("/api/redeem", number=real)).reason.startswith("Play money and real money do not mix")
        asked: dict[str, Any] = {"name": name, "amount": 5, "reason": "x"}
        await cashier.post("/api/cashier/adjustments", **asked)
        await supervisor.accept()
        assert (await cashier.post("/api/cashier/adjustments", **asked)).reason.endswith("play money is not adjusted.")
        again = await (await served.browser()).done("/api/sign-in/ticket", number=number)
        assert served.house.is_guest(again["name"])
        assert served.house.ledger[CAGE] == -10


@on_a_loop
async def test_csh_2_no_cash_out_with_wagers_in_play(tmp_path: Path) -> None:
    slow = msgspec.structs.replace(QUICK, close_betting_early=False)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": slow})) as served:
        cashier, _, _ = await desk(served)
        guest, name = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"blackjack": 1_000})
            for said in (
                await guest.post("/api/cash-out"),
                await cashier.post("/api/cashier/cash-out", name=name, amount=1),
            ):
                assert said.reason == "There are wagers in play: cash out when the round is over (CSH-2)."
            assert served.house.credit(name) == 99_000
            await cashier.done("/api/cashier/buy-in", name=name, amount=500)
            await until(terminal, lambda: terminal.seat is not None and terminal.seat.credit == 99_500)


@on_a_loop
async def test_hp_1_a_large_win_is_paid_by_hand_and_the_terminal_is_free_again(tmp_path: Path) -> None:
    low = msgspec.structs.replace(QUICK, attendant_pays_from=1, result_seconds=0)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": low})) as served:
        cashier, _, _ = await desk(served)
        guest, name = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 100}, lambda: served.house.held(name) > 0)
            held = served.house.held(name)
            locked = (await cashier.get("/api/cashier/account", name=name)).body
            assert locked["locked"] == held
            assert (await guest.post("/api/cash-out")).reason.endswith("before you cash out (HP-1).")
            for _ in range(2):
                assert (await cashier.done("/api/cashier/attendant-pay", "p", name=name))["locked"] == 0
            again = await cashier.post("/api/cashier/attendant-pay", "q", name=name)
            assert again.reason == f"{name} has no win that an attendant must pay."
            assert (await guest.done("/api/cash-out"))["amount"] == served.house.ledger[TICKETS]
            assert sum(amount for _, amount in served.house.ledger) == 0


@on_a_loop
async def test_the_record_of_a_ticket_and_its_money_are_in_one_append(tmp_path: Path) -> None:
    """TKT-3, INT-1: whatever was stored at a crash, ticket and transfer agree."""
    async with a_house(tmp_path) as served:
        cashier, _, _ = await desk(served)
        assert served.opened is not None
        seen: list[tuple[int, int]] = []
        append = served.opened.store.append

        async def watched(entries=(), *, documents=()):  # type: ignore[no-untyped-def]
            moved = sum(len(entry.transfers) for entry in entries)
            seen.append((moved, sum(document.kind == "ticket" for document in documents)))
            await append(entries, documents=documents)

        served.opened.store.append = watched  # type: ignore[method-assign]
        number = (await cashier.done("/api/cashier/tickets", amount=100))["number"]
        await cashier.done("/api/cashier/tickets/pay", number=number)
        assert [both for both in seen if any(both)] == [(1, 1), (1, 1)]
        [ticket] = served.house.shelf.every(Ticket)
        assert ticket.state == "redeemed"
