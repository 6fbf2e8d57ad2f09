"""Terminals that the operator enrolled, and the meters of each (SEC-3, MTR-1)."""

from pathlib import Path
from typing import Any

import msgspec

from podium.basics.words import ENGLISH, Phrase
from podium.record.ledger import Transfer
from podium.record.meters import Meters
from podium.record.store import read_posted
from podium.server.known import UNENROLLED
from tests.server.served import Browser, Served, a_house, play
from tests.terminal import on_a_loop


def in_english(cell: Any) -> Any:
    """A phrase in words, and anything else as it is."""
    return ENGLISH.say(msgspec.convert(cell, Phrase)) if isinstance(cell, dict) else cell


async def enrolled(served: Served, operator: Browser, name: str) -> Browser:
    """A browser that is the terminal of that name."""
    told = await operator.done("/api/terminals", name=name)
    assert told["address"] == f"/terminal#{told['token']}"
    browser = await served.browser()
    assert await browser.done("/api/terminals/here", token=told["token"]) == {"name": name, "proves": False}
    return browser


async def at(served: Served, operator: Browser, terminal: str, role: str, name: str) -> Browser:
    """Somebody who signs in at an enrolled terminal."""
    browser = await enrolled(served, operator, terminal)
    invited = await operator.done("/api/people", name=name, role=role)
    password = "2580" if role == "player" else "correct horse battery"
    await browser.done("/api/invitations", token=invited["invitation"].partition("#")[2], password=password)
    return browser


async def posted(served: Served) -> list[Transfer]:
    assert served.opened is not None
    return [each.transfer for each in await served.opened.store.read(lambda book: list(read_posted(book)))]


@on_a_loop
async def test_mtr_1_mtr_2_every_transfer_counts_for_the_terminal_where_it_was_caused(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        cashier = await at(served, operator, "cage-1", "cashier", "carl")
        player = await at(served, operator, "seat-7", "player", "ann")
        await cashier.done("/api/cashier/buy-in", name="ann", amount=50_000)
        async with await player.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
        ticket = await player.done("/api/cash-out")
        assert ticket["terminal"] == "seat-7"
        await cashier.done("/api/cashier/tickets/pay", number=ticket["number"])
        again = await cashier.post("/api/cashier/tickets/pay", number=ticket["number"])
        assert "was already redeemed, at cage-1" in again.reason
        where = {(transfer.kind, transfer.terminal) for transfer in await posted(served)}
        assert where >= {
            ("cash-in", "cage-1"),
            ("stake", "seat-7"),
            ("ticket-out", "seat-7"),
            ("ticket-cashed", "cage-1"),
        }
        assert {terminal for _, terminal in where} == {"cage-1", "seat-7"}
        made = (await operator.get("/api/reports/meters")).body
        titles = [in_english(title) for title in made["columns"]]
        rows = [dict(zip(titles, map(in_english, row), strict=True)) for row in made["rows"]]
        assert {row["Where"] for row in rows} == {"house", "table t1", "terminal cage-1", "terminal seat-7"}
        assert all(row["Difference"] == 0 for row in rows)
        for meter in Meters.__struct_fields__:
            of = {row["Where"]: row["By the ledger"] for row in rows if row["Meter"] == meter}
            assert of["house"] == of["terminal cage-1"] + of["terminal seat-7"], meter
        csv = (await operator.ask("GET", "/api/reports/meters?format=csv")).body
        assert "terminal seat-7,coin_in," in csv
        assert "terminal cage-1,bills_in,0000050000," in csv


@on_a_loop
async def test_a_terminal_that_nobody_enrolled_counts_together_with_all_others_of_its_kind(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        await served.guest()
        await served.guest()
        assert [transfer.terminal for transfer in await posted(served)] == [UNENROLLED, UNENROLLED]
        operator = await served.operator()
        refused = await operator.post("/api/terminals", name=UNENROLLED)
        assert refused.reason.startswith("'unenrolled' is the name of every terminal that is not enrolled")


@on_a_loop
async def test_sec_3_whoever_is_signed_in_at_a_terminal_that_is_dismissed_must_sign_in_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        player = await at(served, operator, "seat-7", "player", "ann")
        assert (await player.get("/api/me")).body["name"] == "ann"
        assert (await operator.ask("DELETE", "/api/terminals/seat-7")).status == 200
        assert (await player.get("/api/me")).body is None
        await player.done("/api/sign-in", name="ann", password="2580")
        await served.restart()
        assert (await served.moved(player).get("/api/me")).body["name"] == "ann"


@on_a_loop
async def test_the_page_of_a_new_terminal_is_there(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        said = await (await served.browser()).get("/terminal")
        assert said.status == 200
        assert "/api/terminals/here" in said.body
