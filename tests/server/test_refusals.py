"""A refusal comes with a key and facts, so that a terminal can say it in its own language."""

import asyncio
from pathlib import Path
from typing import Any
from zlib import compress

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.basics.words import Fact, Phrase
from podium.client import Client
from podium.house import HouseConfig
from podium.wire.commands import Command, Decide, PlaceBet
from tests.server.served import QUICK, a_house, until
from tests.terminal import on_a_loop


def says(key: str, **facts: Fact) -> Phrase:
    return Phrase(f"refused.{key}", facts)


async def refused(terminal: Client, command: type[Command], **fields: Any) -> Phrase:
    with pytest.raises(Refused) as refusal:
        await terminal.do(command, **fields)
    return refusal.value.phrase


@on_a_loop
async def test_bets_and_decisions_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await until(terminal, lambda: terminal.view.phase == "betting")
            number = terminal.view.round
            assert await refused(terminal, PlaceBet, round=number, wagers={"blackjack": 100}) == says("seat-first")
            await terminal.join()
            short = await refused(terminal, PlaceBet, round=number, wagers={"blackjack": 100_000, "trilux": 1})
            assert short == says(
                "credit-short", who=Phrase("place.seat", {"number": 1}), staked=100_001, credit=100_000
            )
            assert str(short) == "Seat 1: wagers of 1,000.01 are more than the credit of 1,000.00."
            for wagers, key, facts in (
                ({"blackjack": 50}, "wager-limits", {"amount": 50, "least": 100, "most": 100_000}),
                ({"trilux": 100}, "wager-needs", {"wager": "trilux", "needed": "blackjack"}),
            ):
                told = await refused(terminal, PlaceBet, round=number, wagers=wagers)
                why = told.facts["why"]
                assert isinstance(why, Phrase)
                assert (told.key, why.key) == ("refused.for-player", f"refused.{key}")
                assert why.facts | facts == why.facts
                assert why.clause
            assert await refused(terminal, PlaceBet, round=7) == says("round-over", round=7, now=number)
            assert await refused(terminal, Decide, round=number, step=3, decision="hit") == says("not-asked-now")


@on_a_loop
async def test_seats_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    seats = msgspec.structs.replace(QUICK, game="mega-blackjack", options={}, places=1)
    async with a_house(tmp_path, HouseConfig(guests=True, tables={"t1": seats, "t2": seats})) as served:
        first, _ = await served.guest()
        second, _ = await served.guest()
        async with await first.terminal() as sitting, await second.terminal() as other:
            for terminal in (sitting, other):
                await terminal.watch("t1")
            await sitting.join(1)
            for seat, why in (
                (1, says("seat-taken", seat=1)),
                (2, says("seat-unknown", seat=2, seats=1)),
                (None, says("seats-taken", seats=1)),
            ):
                with pytest.raises(Refused) as refusal:
                    await other.join(seat)
                assert refusal.value.phrase == why
            with pytest.raises(Refused) as refusal:
                await sitting.join(box=2)
            assert refusal.value.phrase == says("boxes-taken", boxes=1)


@on_a_loop
async def test_requests_are_refused_with_a_key_and_facts(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        said = await guest.post("/api/redeem", number="123")
        facts = {"digits": 20, "typed": 3}
        assert said.body["why"] == {"key": "refused.ticket-digits", "facts": facts, "clause": "TKT-1"}
        assert said.reason == "A validation number has 20 digits; this has 3 characters (TKT-1)."
        said = await guest.post("/api/sign-in", name="mallory", password="x")
        assert said.body["why"] == {"key": "refused.sign-in-wrong"}


@on_a_loop
async def test_the_last_day_of_the_calendar_is_refused(tmp_path: Path) -> None:
    """It has no end; a report of it was a mistake of the house."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for path in ("/api/events", "/api/reports/significant-events"):
            for days in ({"from": "9999-12-31"}, {"to": "9999-12-31"}):
                said = await operator.get(path, **days)
                assert (said.status, said.reason) == (422, "'9999-12-31' is not a day: write it like 2026-05-28.")
        assert not [note for note in await served.notes() if note.kind == "program-error"]


@on_a_loop
async def test_a_compressed_body_is_not_unpacked(tmp_path: Path) -> None:
    """No terminal sends one; one that was not what it said was a mistake of the house."""
    async with a_house(tmp_path) as served:
        browser = await served.browser()
        for body in (b"{}", compress(b'{"name": "ann", "password": "0000"}'), compress(b" " * 10_000_000)):
            headers = {"Content-Encoding": "deflate", "Content-Type": "application/json"}
            said = await browser.ask("POST", "/api/sign-in", data=body, headers=headers)
            assert (said.status, said.body["why"]["key"]) == (422, "refused.request-not-understood")
        assert not [note for note in await served.notes() if note.kind == "program-error"]


@on_a_loop
async def test_headers_that_are_no_text_are_answered_with_a_sentence(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for method, path, header, status in (
            (b"GET", b"/api/me", b"Cookie: podium=\xfe\xff", 200),
            (b"GET", b"/api/terminal", b"Cookie: podium=\xfe\xff", 401),
            (b"GET", b"/api/terminal?as=display", b"Cookie: podium-terminal=\xfe", 200),
            (b"POST", b"/api/guest", b"Origin: http://\xd4", 403),
            (b"POST", b"/api/guest", b"Idempotency-Key: \xd4", 200),
            (b"GET", b"/api/me", b"Host: \xd427.0.0.1", 421),
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
            host = b"" if header.startswith(b"Host") else b"Host: localhost\r\n"
            headers = host + b"Connection: close\r\nContent-Length: 0\r\n" + header
            writer.write(method + b" " + path + b" HTTP/1.1\r\n" + headers + b"\r\n\r\n")
            assert int((said := await reader.read()).split()[1]) == status, said
            writer.close()
        assert not [note for note in await served.notes() if note.kind == "program-error"]


@on_a_loop
async def test_a_body_that_breaks_off_is_no_mistake_of_the_house(tmp_path: Path) -> None:
    """Any stranger can hang up in the middle."""
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        for rest in ("Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\n{"):
            _, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
            writer.write(f"POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\n{rest}".encode())
            await asyncio.sleep(0.1)
            writer.transport.abort()
        reader, writer = await asyncio.open_connection("127.0.0.1", served.opened.port)
        chunked = "POST /api/sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n"
        writer.write(chunked.encode())
        assert (await reader.read()).split()[1] == b"400"
        writer.close()
        await asyncio.sleep(0.1)
        assert not [note for note in await served.notes() if note.kind == "program-error"]
