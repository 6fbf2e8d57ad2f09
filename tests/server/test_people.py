"""Coming in: links, passwords, lockout, sessions, duties."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.client import Disconnected
from podium.house.events import DocumentsFiled, decode
from podium.house.people import Person, Session
from podium.record.store import Reading, read_stream
from podium.wire.commands import TakePlace
from tests.server.served import CONFIG, PASSWORD, PIN, QUICK, a_house, until
from tests.terminal import on_a_loop

MINUTE = 60_000


def filed_together(book: Reading) -> list[set[str]]:
    """The kinds of documents that each entry of the house filed in one step."""
    events = (decode(entry.payload) for entry in read_stream(book, "house"))
    return [{each.kind for each in event.documents} for event in events if isinstance(event, DocumentsFiled)]


@on_a_loop
async def test_sec_1_the_first_operator_comes_by_a_link_that_works_once(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        link = served.opened.invitation
        operator = await served.operator()
        assert (await operator.get("/api/me")).body == {"name": "operator", "role": "operator", "active": True}
        stranger = await served.browser()
        assert link is not None
        again = await stranger.post("/api/invitations", token=link.partition("#")[2], password=PASSWORD)
        assert (again.status, again.reason) == (
            422,
            "This link was already used; it works once. Ask the operator for a new one.",
        )
        await served.restart()
        assert served.opened.invitation is None


@on_a_loop
async def test_a_link_that_was_never_used_is_replaced_at_the_next_start(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        assert served.opened is not None
        lost = served.opened.invitation
        await served.restart()
        assert served.opened.invitation not in (None, lost)
        assert lost is not None
        said = await (await served.browser()).post("/api/invitations", token=lost.partition("#")[2], password=PASSWORD)
        assert said.reason.startswith("This link was already used")
        await served.operator()


@on_a_loop
async def test_there_is_no_password_until_somebody_has_chosen_one(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        stranger = await served.browser()
        for password in ("", "operator", "admin", "password", PASSWORD):
            said = await stranger.post("/api/sign-in", name="operator", password=password)
            assert (said.status, said.reason) == (422, "The name or the password is wrong.")


@on_a_loop
async def test_sec_1_five_wrong_passwords_lock_an_account_and_are_significant_events(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        stranger = await served.browser()
        tries = [stranger.post("/api/sign-in", name="operator", password=f"wrong {at}") for at in range(5)]
        assert {said.reason for said in await asyncio.gather(*tries)} == {"The name or the password is wrong."}
        locked = await stranger.post("/api/sign-in", name="operator", password=PASSWORD)
        assert locked.reason == "Too many wrong passwords: try again in 15 minutes (SEC-1)."
        events = (await operator.get("/api/events")).body
        assert [event["kind"] for event in events].count("sign-in-failed") == 6
        assert [(event["who"], event["source"]) for event in events if event["kind"] == "locked-out"] == [
            ("operator", "127.0.0.1")
        ]
        await served.restart()
        again = await (await served.browser()).post("/api/sign-in", name="operator", password=PASSWORD)
        assert again.reason.startswith("Too many wrong passwords")
        served.later += 15 * MINUTE
        assert (await (await served.browser()).post("/api/sign-in", name="operator", password=PASSWORD)).status == 200


@on_a_loop
async def test_too_many_failures_from_one_address_are_not_even_looked_at(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        stranger = await served.browser()
        for at in range(30):
            await stranger.post("/api/sign-in", name=f"nobody-{at}", password="x")
        noted = len(await served.notes())
        said = await stranger.post("/api/sign-in", name="nobody", password="x")
        assert said.reason == "Too many failed attempts from here: wait a minute (SEC-1)."
        assert len(await served.notes()) == noted
        served.later += MINUTE
        said = await stranger.post("/api/sign-in", name="nobody", password="x")
        assert said.reason == "The name or the password is wrong."


@on_a_loop
async def test_sessions_survive_a_restart_and_end_at_sign_out(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.restart()
        operator = served.moved(operator)
        assert (await operator.get("/api/people")).status == 200
        [cookie] = [cookie.value for cookie in operator._session.cookie_jar]
        await operator.done("/api/sign-out")
        assert (await operator.get("/api/me")).body is None
        for _ in range(2):
            said = await operator.ask("GET", "/api/people", headers={"Cookie": f"podium={cookie}"})
            assert (said.status, said.reason) == (401, "Sign in first.")
            await served.restart()
            operator = served.moved(operator)


@pytest.mark.parametrize(("role", "minutes"), [("dealer", 5), ("cashier", 10), ("supervisor", 15)])
@on_a_loop
async def test_card_6_a_session_locks_when_nobody_does_anything(tmp_path: Path, role: str, minutes: int) -> None:
    async with a_house(tmp_path) as served:
        person = await served.staff(await served.operator(), role)
        for _ in range(3):
            served.later += (minutes - 1) * MINUTE
            assert (await person.get("/api/events")).status != 401
        served.later += minutes * MINUTE
        assert (await person.get("/api/events")).status == 401


@on_a_loop
async def test_card_6_what_a_screen_asks_by_itself_keeps_nobody_signed_in(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        for _ in range(5):
            assert (await dealer.get("/api/me")).body is not None
            served.later += MINUTE
        assert (await dealer.get("/api/me")).body is None


@on_a_loop
async def test_card_6_a_dealer_s_terminal_locks_at_the_podium(tmp_path: Path) -> None:
    live = msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(QUICK, dealer="live")})
    async with a_house(tmp_path, live) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        async with await dealer.terminal() as podium:
            await podium.watch("t1")
            await podium.do(TakePlace)
            assert served.house.table("t1").dealer == "dealer-1"
            served.later += 5 * MINUTE
            with pytest.raises(Disconnected, match="Sign in again"):
                await podium.do(TakePlace)


@on_a_loop
async def test_a_session_s_last_touch_is_stored_so_that_a_restart_locks_nobody_out(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for _ in range(4):
            served.later += 10 * MINUTE
            await operator.done("/api/people", name=f"d{served.later}", role="dealer")
        await served.restart()
        assert (await served.moved(operator).get("/api/people")).status == 200


@on_a_loop
async def test_sign_out_ends_the_terminal_too(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await guest.done("/api/sign-out")
            with pytest.raises(Disconnected, match="Sign in again"):
                await until(terminal, lambda: False)


@on_a_loop
async def test_players_sign_in_by_card_and_pin(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "player", "60000123")
        player = await served.browser()
        assert (await player.post("/api/sign-in", name="60000123", password="1111")).status == 422
        assert await player.done("/api/sign-in", name="60000123", password=PIN) == {
            "name": "60000123",
            "role": "player",
            "active": True,
        }


@on_a_loop
async def test_a_house_without_guests_receives_none_and_shows_no_wall_that_is_not_enrolled(tmp_path: Path) -> None:
    """SEC-3"""
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, guests=False)) as served:
        wall = await served.browser()
        assert (await wall.post("/api/guest")).reason.startswith("This house does not allow guests")
        assert (await wall.ask("GET", "/api/terminal?as=display")).status == 401
        operator = await served.operator()
        token = (await operator.done("/api/terminals", name="wall-1"))["token"]
        assert (await wall.post("/api/terminals/here", token="0" * 64)).reason.endswith("(SEC-3).")
        await wall.done("/api/terminals/here", token=token)
        said = await wall.ask("GET", "/api/terminal?as=display")
        assert said.body == {"socket": "/ws?as=display"}
        assert (await operator.ask("DELETE", "/api/terminals/wall-1")).status == 200
        assert (await wall.ask("GET", "/api/terminal?as=display")).status == 401


@on_a_loop
async def test_the_operator_changes_roles_and_closes_accounts_but_never_their_own(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        dealer = await served.staff(operator, "dealer", "dana")
        assert (await operator.post("/api/people", name="operator", role="operator", active=False)).reason == (
            "Nobody changes their own account: another operator must (SEC-2)."
        )
        await operator.done("/api/people", name="dana", role="supervisor")  # the second person of the house
        assert (await dealer.get("/api/me")).body is None
        assert (await dealer.done("/api/sign-in", name="dana", password=PASSWORD))["role"] == "supervisor"
        await operator.done("/api/people", name="dana", role="supervisor", active=False)
        assert (await dealer.post("/api/sign-in", name="dana", password=PASSWORD)).reason == (
            "This account is closed; ask the operator."
        )
        kinds = [event["kind"] for event in (await operator.get("/api/events")).body]
        assert kinds.count("person-changed") == 6


@pytest.mark.parametrize("name", ["guest-1", "ticket-9", "Dana Dealer", "", "../x"])
@on_a_loop
async def test_names_that_cannot_be(tmp_path: Path, name: str) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        assert (await operator.post("/api/people", name=name, role="dealer")).status == 422
        assert served.house.shelf.find(Person, name) is None


SEPARATE = [
    ("player", "POST", "/api/cashier/buy-in"),
    ("dealer", "POST", "/api/cashier/buy-in"),
    ("supervisor", "POST", "/api/cashier/buy-in"),
    ("operator", "POST", "/api/cashier/buy-in"),
    ("auditor", "POST", "/api/cashier/adjustments"),
    ("operator", "POST", "/api/cashier/adjustments"),
    ("cashier", "GET", "/api/approvals"),
    ("dealer", "GET", "/api/approvals"),
    ("dealer", "POST", "/api/approvals/0123456789abcdef"),
    ("cashier", "POST", "/api/approvals/0123456789abcdef/code"),
    ("player", "GET", "/api/approvals/mine"),
    ("cashier", "POST", "/api/people"),
    ("supervisor", "POST", "/api/people"),
    ("supervisor", "POST", "/api/floor/tables/t1/schedule"),
    ("cashier", "POST", "/api/cash-out"),
    ("operator", "POST", "/api/redeem"),
    ("dealer", "GET", "/api/floor/tables"),
    ("player", "GET", "/api/people"),
    ("cashier", "GET", "/api/events"),
    ("auditor", "POST", "/api/floor/tables/t1"),
]


@on_a_loop
async def test_sec_2_what_is_somebody_else_s_duty_is_refused_with_whose_it_is(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        people = {"operator": operator}
        for role in ("dealer", "supervisor", "cashier", "auditor", "player"):
            people[role] = await served.staff(operator, role)
        stranger = await served.browser()
        for role, method, path in SEPARATE:
            said = await people[role].ask(method, path)
            assert (said.status, path) == (403, path)
            assert f"The role {role} may not do this. Roles that may: " in said.reason
            assert (await stranger.ask(method, path)).reason == "Sign in first."


@on_a_loop
async def test_sec_2_who_deals_cannot_bet_and_who_bets_cannot_deal(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        dealer = await served.staff(await served.operator(), "dealer")
        guest, _ = await served.guest()
        async with await dealer.terminal() as podium, await guest.terminal() as terminal:
            await podium.watch("t1")
            await terminal.watch("t1")
            with pytest.raises(Refused, match=r"The role dealer may not do this. Roles that may: player \(SEC-2\)"):
                await podium.join()
            with pytest.raises(Refused, match=r"The role player may not do this. Roles that may: dealer \(SEC-2\)"):
                await terminal.do(TakePlace)


@on_a_loop
async def test_nothing_that_is_stored_has_a_token_or_a_password_in_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        [cookie] = [cookie.value for cookie in operator._session.cookie_jar]
        assert served.house.shelf.every(Session)
        await served.close()
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert b"operator" in stored
        assert cookie.encode() not in stored
        assert PASSWORD.encode() not in stored
        await served.open()


@pytest.mark.parametrize("how", ["closed", "role", "terminal"])
@on_a_loop
async def test_sec_1_an_account_and_its_sessions_end_in_one_step(tmp_path: Path, how: str) -> None:
    """A house that dies between the two would come back with an open session of a closed account."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        if how == "terminal":
            token = (await operator.done("/api/terminals", name="cage-1"))["token"]
            cage = await served.browser()
            await cage.done("/api/terminals/here", token=token)
            await served.staff(operator, "cashier")
            await cage.done("/api/sign-in", name="cashier-1", password=PASSWORD)
            assert (await operator.ask("DELETE", "/api/terminals/cage-1")).status == 200
        else:
            await served.staff(operator, "cashier")
            role, active = ("cashier", False) if how == "closed" else ("dealer", True)
            await operator.done("/api/people", name="cashier-1", role=role, active=active)
        assert served.opened is not None
        last = (await served.opened.store.read(filed_together))[-1]
        assert last == {"terminal" if how == "terminal" else "person", "session"}
