"""Requests that nobody should send, and what the operator looks at."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from podium.server.log import LEVEL, log
from tests.server.served import PASSWORD, a_house, play
from tests.terminal import on_a_loop

MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"x"',
    b"{}",
    b"\xff\xfe",
    b'{"name": 7, "password": []}',
    b'{"name": "x", "password": "y", "admin": true}',
    b"[" * 60_000,
    b'{"amount": 1e999}',
    b'{"name": "ann", "amount": "100"}',
    b'{"name": "ann", "amount": 1.5}',
    b'{"name": "ann", "amount": 99999999999999999999999999}',
    b'{"name": "\\u0000", "amount": -5}',
    b'{"number": "\\ud800"}',
    b'{"state": "burning"}',
    b'{"options": [1]}',
    b'{"name": "x", "config": {"game": "stadium-blackjack", "options": {"decks": {"a": {}}}}}',
]


@on_a_loop
async def test_sec_4_a_malformed_request_is_refused_in_one_sentence_and_changes_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        people = {"operator": operator, "stranger": await served.browser(), "player": (await served.guest())[0]}
        for role in ("cashier", "supervisor"):
            people[role] = await served.staff(operator, role)
        paths = {
            "stranger": ["/api/sign-in", "/api/sign-in/ticket", "/api/invitations", "/api/terminals/here"],
            "player": ["/api/redeem"],
            "cashier": [
                "/api/cashier/buy-in",
                "/api/cashier/cash-out",
                "/api/cashier/tickets",
                "/api/cashier/tickets/pay",
                "/api/cashier/adjustments",
                "/api/cashier/attendant-pay",
            ],
            "operator": [
                "/api/people",
                "/api/terminals",
                "/api/floor/tables",
                "/api/floor/tables/t1",
            ],
        }
        balances = dict(served.house.ledger)
        for role, listed in paths.items():
            for path in listed:
                for body in MALFORMED:
                    served.later += 3_000  # nobody is asked to wait for having failed too often
                    said = await people[role].ask("POST", path, data=body)
                    assert said.status in (400, 422), (path, body, said)
                    assert "\n" not in said.reason
        assert dict(served.house.ledger) == balances
        assert set(served.house.tables) == {"t1"}


@on_a_loop
async def test_a_request_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        said = await (await served.browser()).ask("POST", "/api/sign-in", data=b" " * 100_000)
        assert said.status == 413
        assert said.reason.startswith("The request is too long")


@on_a_loop
async def test_another_site_cannot_ask_in_somebody_s_name(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, name = await served.guest()
        for origin in ("https://elsewhere.example", "null", "http://127.0.0.1:1"):
            said = await guest.ask("POST", "/api/cash-out", headers={"Origin": origin})
            assert said.status == 403
            assert said.reason.startswith(
                f"This request comes from a page of {origin!r}, and the house is at 'http://127."
            )
        assert served.house.credit(name) == 100_000
        assert served.opened is not None
        own = {"Origin": f"http://127.0.0.1:{served.opened.port}"}
        assert (await guest.ask("POST", "/api/cash-out", headers=own)).status == 200


@on_a_loop
async def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        browser = await served.browser()
        assert (await browser.get("/api/nothing")).reason == "There is nothing at /api/nothing."
        assert (await browser.get("/api/sign-in")).reason == "/api/sign-in does not take GET. It takes: POST."
        assert (await browser.get("/api/shoes", table="x")).reason == "There is no table 'x'. Tables: t1."


@pytest.mark.parametrize("key", ["", "x" * 65, "a b", "ä", "../1"])
@on_a_loop
async def test_an_idempotency_key_is_short_and_plain(tmp_path: Path, key: str) -> None:
    async with a_house(tmp_path) as served:
        guest, name = await served.guest()
        said = await guest.post("/api/cash-out", key)
        assert said.reason.startswith("An Idempotency-Key has up to 64")
        assert served.house.credit(name) == 100_000


@on_a_loop
async def test_the_page_of_an_invitation_is_there_before_any_terminal_is_built(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        said = await (await served.browser()).get("/welcome")
        assert said.status == 200
        assert "/api/invitations" in said.body


@on_a_loop
async def test_prometheus_reads_what_the_house_does(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 100}, lambda: terminal.view.phase == "result")
            text = (await guest.get("/metrics")).body
        for line in (
            "podium_terminals 1.0",
            'podium_commands_total{command="bet"} 1.0',
            'podium_rounds_opened_total{table="t1"} 1.0',
            'podium_requests_total{status="200"} 2.0',
        ):
            assert line in text.splitlines()
        assert "podium_turn_seconds_bucket" in text
        assert 'podium_health{part="table t1"} 0.0' in text.splitlines()
        health = (await guest.get("/api/health")).body
        assert (health["well"], [table["table"] for table in health["tables"]]) == (True, ["t1"])


@on_a_loop
async def test_ver_1_the_program_is_shown_and_another_one_than_before_is_seen_at_the_start(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        served.house.started("another program", served.clock())
        assert served.opened is not None
        await served.opened.floor.keep()
        await served.restart()
        operator = served.moved(operator)
        about = (await operator.get("/api/house")).body
        assert (about["name"], about["address"]) == ("Test house", "")
        program = about["program"]
        started = (await operator.get("/api/events", kind="house-started")).body
        assert (started[0]["before"], started[0]["after"]) == ("another program", program)


@on_a_loop
async def test_a_house_that_cannot_store_stops_and_says_so(tmp_path: Path) -> None:
    """INT-1: what it did is not acknowledged, and it must come back from its journal."""
    async with a_house(tmp_path) as served:
        guest, name = await served.guest()
        assert served.opened is not None
        await served.opened.store.close()
        said = await guest.post("/api/cash-out")
        assert (said.status, said.reason) == (503, "The house has stopped: it could not store what it did.")
        assert (await guest.get("/api/health")).status == 503
        await served.restart()
        assert served.house.credit(name) == 100_000


@pytest.fixture
def everything_is_logged() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("debug"))
    yield
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(LEVEL))


@pytest.mark.usefixtures("everything_is_logged")
@on_a_loop
async def test_the_log_has_no_secret(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        assert served.opened.invitation is not None
        secrets = [served.opened.invitation.partition("#")[2], PASSWORD]
        operator = await served.operator()
        secrets += [cookie.value for cookie in operator._session.cookie_jar]
        guest, _ = await served.guest()
        secrets.append((await guest.done("/api/cash-out"))["number"])
        await (await served.browser()).post("/api/sign-in", name="operator", password="a wrong password")
        log.info("an example", token=secrets[0], code="123456", cards="As Kd")
    told = capfd.readouterr().err
    lines = [json.loads(line) for line in told.splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert {"method", "path", "status", "milliseconds"} <= set(requests[-1])
    for secret in [*secrets, "a wrong password", "123456", "As Kd"]:
        assert secret not in told
