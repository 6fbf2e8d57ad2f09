"""Sessions and failed sign-ins are bounded, and people who have left are forgotten (SEC-1, SEC-8)."""

import asyncio
import threading
from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.house import limits as house_limits
from podium.house.people import NAMELESS_SESSION_MS, SESSION_MS, Enrolled, Invitation, Session
from podium.house.verify import verify
from podium.record.ledger import account
from podium.record.store import open_book
from podium.server import limits
from podium.server.known import Where
from podium.server.sessions import Sessions
from tests.server.served import PASSWORD, Browser, Served, a_house, until
from tests.server.test_cashier import desk
from tests.terminal import on_a_loop


async def look(served: Served, times: int = 3) -> None:
    """Runs the house's periodic check; the first run begins the list, the next ones go through it."""
    assert served.opened is not None
    for _ in range(times):
        await served.opened.doors.forget()


async def is_signed_in(browser: Browser) -> bool:
    return (await browser.get("/api/me")).body is not None


# --- sessions -----------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_whoever_signs_in_too_often_loses_the_oldest_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_SESSIONS_PER_PERSON."""
    monkeypatch.setattr(limits, "MAX_SESSIONS_PER_PERSON", 3)
    async with a_house(tmp_path) as served:
        browsers = [await served.operator()]
        for _ in range(3):
            browsers.append(await served.browser())
            await browsers[-1].done("/api/sign-in", name="operator", password=PASSWORD)
        assert [await is_signed_in(browser) for browser in browsers] == [False, True, True, True]
        guest, _ = await served.guest()
        assert await is_signed_in(guest)
        await served.restart()
        assert [await is_signed_in(served.moved(browser)) for browser in browsers] == [False, True, True, True]


@on_a_loop
async def test_a_house_full_of_guests_takes_no_more_until_one_has_been_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_NAMELESS_SESSIONS, MIN_IDLE_MS_OF_A_GUEST_WHO_GIVES_WAY, MAX_FORGOTTEN_GUESTS_AT_ONCE: staff still comes in."""
    monkeypatch.setattr(limits, "MAX_NAMELESS_SESSIONS", 3)
    monkeypatch.setattr(limits, "MAX_FORGOTTEN_GUESTS_AT_ONCE", 1)
    async with a_house(tmp_path) as served:
        guests = [(await served.guest())[0] for _ in range(3)]
        said = await (await served.browser()).post("/api/guest")
        assert said.reason == "The house is full: 3 guests and ticket holders are here. Come back later."
        players = set(served.house.players)
        await served.operator()
        served.later += limits.MIN_IDLE_MS_OF_A_GUEST_WHO_GIVES_WAY
        await guests[0].get("/api/shoes", table="t1")
        assert (await guests[0].get("/api/rounds")).status == 200  # whoever does something is not idle
        await served.guest()
        assert [await is_signed_in(guest) for guest in guests] == [True, False, True]
        await look(served)
        assert len(players & set(served.house.players)) == 2


@on_a_loop
async def test_a_guest_with_a_wager_in_play_does_not_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_NAMELESS_SESSIONS", 2)
    async with a_house(tmp_path) as served:
        (bets, _), (waits, _) = await served.guest(), await served.guest()
        async with await bets.terminal() as one, await waits.terminal() as other:
            for terminal in (one, other):
                await terminal.watch("t1")
                await terminal.join()
            await until(one, lambda: one.view.phase == "betting")
            await one.bet({"blackjack": 100})
            served.later += limits.MIN_IDLE_MS_OF_A_GUEST_WHO_GIVES_WAY
            await served.guest()
            assert (await is_signed_in(bets), await is_signed_in(waits)) == (True, False)


@on_a_loop
async def test_a_session_that_is_over_is_forgotten_and_one_that_goes_on_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_SWEPT_AT_ONCE: one look goes on where the last one ended."""
    monkeypatch.setattr(limits, "MAX_SWEPT_AT_ONCE", 1)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        cashier = await served.staff(operator, "cashier")
        leaving = await served.staff(operator, "auditor")
        await leaving.done("/api/sign-out")
        assert served.house.shelf.count(Session) == 3
        await look(served, 10)
        assert served.house.shelf.count(Session) == 2
        assert served.house.shelf.count(Invitation) == 0, "all of them are used"
        assert await is_signed_in(cashier)
        served.later += SESSION_MS
        await look(served, 10)
        assert served.house.shelf.count(Session) == 0
        assert served.opened is not None
        assert len(served.opened.doors.sessions) == 0
        assert not await is_signed_in(cashier)
        await served.restart()
        assert served.house.shelf.count(Session) == 0
        again = await served.browser()
        await again.done("/api/sign-in", name="operator", password=PASSWORD)


@on_a_loop
async def test_a_newcomer_to_a_full_house_costs_the_same_however_many_are_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise strangers who come in without a pause would keep the house busy searching for somebody who gives
    way."""
    monkeypatch.setattr(limits, "MAX_NAMELESS_SESSIONS", 30)
    monkeypatch.setattr(limits, "MAX_FORGOTTEN_GUESTS_AT_ONCE", 2)
    looked: list[str] = []
    find = Sessions.find

    def noted(self: Sessions, key: str) -> Session | None:
        looked.append(key)
        return find(self, key)

    async with a_house(tmp_path) as served:
        assert served.opened is not None
        guests = [(await served.guest())[0] for _ in range(30)]
        monkeypatch.setattr(Sessions, "find", noted)
        said = await (await served.browser()).post("/api/guest")
        assert said.reason.startswith("The house is full")
        assert len(looked) <= 4
        served.later += limits.MIN_IDLE_MS_OF_A_NEW_GUEST
        await guests[0].get("/api/rounds")
        looked.clear()
        assert (await (await served.browser()).post("/api/guest")).status == 200
        assert len(looked) <= 8
        assert [await is_signed_in(guest) for guest in guests[:4]] == [True, False, False, True]


@on_a_loop
async def test_many_who_are_gone_are_let_go_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_LET_GO_AT_ONCE: the tables have their turn in between."""
    monkeypatch.setattr(limits, "MAX_LET_GO_AT_ONCE", 3)
    slices: list[int] = []
    let_go = Sessions.let_go

    def noted(self: Sessions, players: list[str], documents: list[Session | Invitation], now: int) -> None:
        slices.append(max(len(players), len(documents)))
        let_go(self, players, documents, now)

    monkeypatch.setattr(Sessions, "let_go", noted)
    async with a_house(tmp_path) as served:
        for _ in range(8):
            guest, _ = await served.guest()
            await guest.done("/api/sign-out")
        await look(served)
        assert not served.house.players
        assert max(slices) == 3
        assert sum(slices) >= 8


# --- guests and players -------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_guest_who_left_is_forgotten_and_the_play_money_goes_back(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        stays, name = await served.guest()
        leaves, gone = await served.guest()
        await leaves.done("/api/sign-out")
        await look(served)
        assert set(served.house.players) == {name}
        assert served.house.credit(gone) == 0
        assert served.house.ledger[account("cage", "demonstration")] == -100_000
        served.later += NAMELESS_SESSION_MS
        await look(served)
        assert served.house.players == {}
        assert dict(served.house.ledger) == {}
        assert not await is_signed_in(stays)
        await served.restart()
        assert (served.house.players, dict(served.house.ledger)) == ({}, {})
    book = open_book(tmp_path / "podium.db", writable=False)
    try:
        verify(book)
    finally:
        book.close()


@on_a_loop
async def test_people_with_money_are_never_forgotten(tmp_path: Path) -> None:
    """A player who came with a ticket and let the session run out finds the credit at the cashier, however late."""
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=4_200))["number"]
        holder = await served.browser()
        name = (await holder.done("/api/sign-in/ticket", number=number))["name"]
        await player.done("/api/sign-out")
        served.later += 2 * NAMELESS_SESSION_MS
        await look(served, 5)
        assert name in served.house.players
        assert "ann" not in served.house.players, "she has no money here, and an account of her own"
        assert not await is_signed_in(holder)
        again = await served.browser()
        await again.done("/api/sign-in", name="carl", password=PASSWORD)
        assert (await again.get("/api/cashier/account", name=name)).body["credit"] == 4_200
        assert (await again.get("/api/cashier/account", name="ann")).body["credit"] == 0
        await again.done("/api/cashier/cash-out", name=name, amount=200)
        await look(served, 5)
        assert served.house.credit(name) == 4_000


@on_a_loop
async def test_a_full_house_admits_nobody_and_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_PLAYERS at the door."""
    monkeypatch.setattr(house_limits, "MAX_PLAYERS", 1)
    async with a_house(tmp_path) as served:
        await served.guest()
        sessions, balances = served.house.shelf.count(Session), dict(served.house.ledger)
        said = await (await served.browser()).post("/api/guest")
        assert said.reason == "The house is full: it has 1 players. Come back later."
        assert (served.house.shelf.count(Session), dict(served.house.ledger)) == (sessions, balances)


# --- the operator's book ------------------------------------------------------------------------------------------------


@on_a_loop
async def test_only_so_many_people_are_enrolled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_PEOPLE."""
    monkeypatch.setattr(house_limits, "MAX_PEOPLE", 2)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await operator.done("/api/people", name="carl", role="cashier")
        said = await operator.post("/api/people", name="dana", role="dealer")
        assert said.reason == "This house has 2 accounts, which is the limit."
        await operator.done("/api/people", name="carl", role="dealer")


@on_a_loop
async def test_only_so_many_terminals_are_enrolled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_TERMINALS: one that was dismissed makes room, and is forgotten only then."""
    monkeypatch.setattr(house_limits, "MAX_TERMINALS", 2)
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for name in ("wall-1", "wall-2"):
            await operator.done("/api/terminals", name=name)
        said = await operator.post("/api/terminals", name="wall-3")
        assert said.reason == "2 terminals are enrolled: dismiss one before you enrol another."
        await operator.ask("DELETE", "/api/terminals/wall-1")
        assert len((await operator.get("/api/terminals")).body) == 2
        await operator.done("/api/terminals", name="wall-3")
        assert {terminal.name for terminal in served.house.shelf.every(Enrolled)} == {"wall-2", "wall-3"}
        await served.restart()
        assert {terminal.name for terminal in served.house.shelf.every(Enrolled)} == {"wall-2", "wall-3"}


# --- failing ------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_failed_tries_are_counted_for_only_so_many_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_WATCHED_ADDRESSES, MAX_FAILURES_PER_MINUTE."""
    monkeypatch.setattr(limits, "MAX_WATCHED_ADDRESSES", 2)
    monkeypatch.setattr(limits, "MAX_FAILURES_PER_MINUTE", 3)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        doors = served.opened.doors
        for address in ("a", "b", "b", "c", "c", "c", "c"):
            with pytest.raises(Refused):
                await doors.sign_in(f"nobody-{address}", "wrong", address, Where())
        now = served.clock()
        assert {address: doors.passwords_tried.failed(address, now) for address in "abc"} == {"a": 0, "b": 2, "c": 3}
        with pytest.raises(Refused, match="Too many failed attempts"):
            await doors.sign_in("operator", "wrong", "c", Where())


@on_a_loop
async def test_wrong_passwords_at_terminals_are_counted_for_only_so_many_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_WATCHED_NAMES."""
    monkeypatch.setattr(limits, "MAX_WATCHED_NAMES", 2)
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        doors = served.opened.doors
        for name in ("ann", "bob", "bob", "cleo"):
            with pytest.raises(Refused):
                await doors.sign_in(name, "wrong", "1.2.3.4", Where("desk-1"))
        assert [doors._names_tried.strikes(name, "desk-1").wrong for name in ("ann", "bob", "cleo")] == [0, 2, 1]


@on_a_loop
async def test_only_so_many_passwords_wait_to_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_WAITING_PASSWORDS."""
    monkeypatch.setattr(limits, "MAX_WAITING_PASSWORDS", 2)
    async with a_house(tmp_path) as served:
        await served.operator()
        assert served.opened is not None
        go = threading.Event()
        waiting = [asyncio.create_task(served.opened.doors.hashed(go.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        browser = await served.browser()
        said = await browser.post("/api/sign-in", name="operator", password=PASSWORD)
        assert said.reason == "Too many people are signing in: try again in a moment (SEC-1)."
        go.set()
        await asyncio.gather(*waiting)
        await browser.done("/api/sign-in", name="operator", password=PASSWORD)
