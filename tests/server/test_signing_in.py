"""Signing in under attack: tries in flight, floods, lockout, new passwords (SEC-1)."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from podium.basics.refusal import Refused
from podium.house.people import MAX_FAILED_SIGN_INS, Person
from podium.server import limits
from podium.server.doors import HASHING_THREADS, Doors
from podium.server.known import Where
from tests.server.served import PASSWORD, Browser, Served, a_house
from tests.terminal import on_a_loop

FLOOD = 400


class Held:
    """The check of passwords, which a test holds up; it counts how many were checked."""

    def __init__(self, doors: Doors) -> None:
        self.begun = 0
        self.go = threading.Event()
        self._doors = doors
        self._matches = doors.passwords.matches

    def matches(self, person: Person | None, password: str) -> bool:
        self.begun += 1
        self.go.wait(20)
        return self._matches(person, password)

    async def busy(self, tries: int = 1) -> None:
        """Until so many are being checked."""
        while self.begun < tries:
            await asyncio.sleep(0.001)


@contextmanager
def held(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    holding = Held(doors)
    monkeypatch.setattr(doors.passwords, "matches", holding.matches)
    try:
        yield holding
    finally:
        holding.go.set()


def doors_of(served: Served) -> Doors:
    assert served.opened is not None
    return served.opened.doors


async def enrolled(served: Served, operator: Browser, name: str) -> Browser:
    """A browser that is an enrolled terminal."""
    browser = await served.browser()
    token = (await operator.done("/api/terminals", name=name))["token"]
    await browser.done("/api/terminals/here", token=token)
    return browser


def outcome(tried: object) -> str:
    return str(tried) if isinstance(tried, Refused) else type(tried).__name__


# --- tries in flight ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", [PASSWORD, "wrong password"])
@on_a_loop
async def test_a_try_in_flight_does_not_open_an_account_that_was_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        dealer = await served.staff(operator, "dealer", "dana")
        with held(doors_of(served), monkeypatch) as holding:
            stranger = await served.browser()
            trying = asyncio.create_task(stranger.post("/api/sign-in", name="dana", password=password))
            await holding.busy()
            await operator.done("/api/people", name="dana", role="dealer", active=False)
            holding.go.set()
            assert (await trying).status == 422
        assert served.house.shelf.find(Person, "dana").active is False
        assert (await stranger.get("/api/me")).body is None
        assert (await dealer.get("/api/me")).body is None
        await served.restart()
        assert served.house.shelf.find(Person, "dana").active is False


@on_a_loop
async def test_a_try_with_a_password_that_was_replaced_meanwhile_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "dealer", "dana")
        link = (await operator.done("/api/people/dana/invitation"))["invitation"]
        with held(doors_of(served), monkeypatch) as holding:
            stranger = await served.browser()
            trying = asyncio.create_task(stranger.post("/api/sign-in", name="dana", password=PASSWORD))
            await holding.busy()
            token = link.partition("#")[2]
            await (await served.browser()).done("/api/invitations", token=token, password="another sentence")
            holding.go.set()
            assert (await trying).reason == "This account was changed in the meantime: try again."
        assert (await stranger.get("/api/me")).body is None


@on_a_loop
async def test_a_link_of_an_account_that_is_closed_sets_no_password(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        link = (await operator.done("/api/people", name="dana", role="dealer"))["invitation"]
        await operator.done("/api/people", name="dana", role="dealer", active=False)
        said = await (await served.browser()).post(
            "/api/invitations", token=link.partition("#")[2], password="another sentence"
        )
        assert said.reason.startswith("This link was already used")
        assert served.house.shelf.find(Person, "dana").password == ""


# --- floods -------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_flood_from_one_address_is_not_hashed_and_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
        doors = doors_of(served)
        with held(doors, monkeypatch) as holding:
            flood = [
                asyncio.create_task(doors.sign_in(f"nobody-{at}", "wrong password", "6.6.6.6", Where()))
                for at in range(FLOOD)
            ]
            await holding.busy(HASHING_THREADS)
            honest = asyncio.create_task(doors.sign_in("operator", PASSWORD, "10.0.0.1", Where()))
            await asyncio.sleep(0.05)
            holding.go.set()
            assert (await honest).who.name == "operator"
            tried = [outcome(each) for each in await asyncio.gather(*flood, return_exceptions=True)]
        assert holding.begun == limits.MAX_WAITING_PASSWORDS_PER_ADDRESS + 1
        assert set(tried) == {
            "The name or the password is wrong.",
            "Too many people are signing in: try again in a moment (SEC-1).",
        }


@on_a_loop
async def test_a_flood_from_everywhere_leaves_room_for_enrolled_terminals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
        doors = doors_of(served)
        with held(doors, monkeypatch) as holding:
            flood = [
                asyncio.create_task(doors.sign_in(f"nobody-{at}", "wrong password", f"6.6.{at}.6", Where()))
                for at in range(FLOOD)
            ]
            await holding.busy(HASHING_THREADS)
            with pytest.raises(Refused, match="Too many people are signing in"):
                await doors.sign_in("operator", PASSWORD, "10.0.0.2", Where())
            honest = asyncio.create_task(doors.sign_in("operator", PASSWORD, "10.0.0.1", Where("desk-1")))
            await asyncio.sleep(0.05)
            holding.go.set()
            assert (await honest).who.name == "operator"
            await asyncio.gather(*flood, return_exceptions=True)
            assert holding.begun == limits.MAX_WAITING_PASSWORDS + 1
            # To be told that the house is busy costs nothing: nobody is locked out by it.
            assert doors.passwords_tried.failed("10.0.0.2", served.clock()) == 0
            assert (await doors.sign_in("operator", PASSWORD, "10.0.0.2", Where())).who.name == "operator"


@on_a_loop
async def test_many_tries_at_once_for_one_name_are_no_more_tries_than_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
        doors = doors_of(served)
        with held(doors, monkeypatch) as holding:
            tries = [
                asyncio.create_task(doors.sign_in("operator", f"wrong {at}", f"6.6.{at}.6", Where()))
                for at in range(100)
            ]
            await holding.busy(HASHING_THREADS)
            await asyncio.sleep(0.05)
            holding.go.set()
            told = [outcome(each) for each in await asyncio.gather(*tries, return_exceptions=True)]
        assert holding.begun == MAX_FAILED_SIGN_INS
        assert told.count("The name or the password is wrong.") == MAX_FAILED_SIGN_INS
        assert set(told) == {
            "The name or the password is wrong.",
            "Too many attempts to sign in with this name at once: try again in a moment (SEC-1).",
        }


@on_a_loop
async def test_one_address_has_only_so_many_tries_in_a_minute_also_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_FAILURES_PER_MINUTE", 3)
    async with a_house(tmp_path) as served:
        doors = doors_of(served)
        tries = [doors.sign_in(f"nobody-{at}", "wrong password", "6.6.6.6", Where()) for at in range(20)]
        told = [outcome(each) for each in await asyncio.gather(*tries, return_exceptions=True)]
        assert told.count("The name or the password is wrong.") == 3
        assert told.count("Too many failed attempts from here: wait a minute (SEC-1).") == 17


# --- lockout ------------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_stranger_does_not_lock_the_operator_out_of_an_enrolled_terminal(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        office = await enrolled(served, await served.operator(), "office")
        stranger = await served.browser()
        for _ in range(MAX_FAILED_SIGN_INS):
            await stranger.post("/api/sign-in", name="operator", password="wrong password")
        elsewhere = await stranger.post("/api/sign-in", name="operator", password=PASSWORD)
        assert elsewhere.reason.startswith("Too many wrong passwords")
        await office.done("/api/sign-in", name="operator", password=PASSWORD)
        still = await stranger.post("/api/sign-in", name="operator", password=PASSWORD)
        assert still.reason.startswith("Too many wrong passwords"), "what succeeds there gives a stranger no more tries"


@on_a_loop
async def test_five_wrong_passwords_at_an_enrolled_terminal_lock_the_account_there_alone(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        desk, office = await enrolled(served, operator, "desk"), await enrolled(served, operator, "office")
        for _ in range(MAX_FAILED_SIGN_INS):
            await desk.post("/api/sign-in", name="operator", password="wrong password")
        said = await desk.post("/api/sign-in", name="operator", password=PASSWORD)
        assert said.reason == "Too many wrong passwords: try again in 15 minutes (SEC-1)."
        await office.done("/api/sign-in", name="operator", password=PASSWORD)
        assert [note.who for note in await served.notes() if note.kind == "locked-out"] == ["operator"]
        served.later += 15 * 60_000
        await desk.done("/api/sign-in", name="operator", password=PASSWORD)


@on_a_loop
async def test_names_that_nobody_has_are_locked_like_others(tmp_path: Path) -> None:
    """Otherwise five tries would tell whether there is such an account."""
    async with a_house(tmp_path) as served:
        await served.operator()
        stranger = await served.browser()
        told = [
            [(await stranger.post("/api/sign-in", name=name, password="wrong password")).reason for _ in range(6)]
            for name in ("operator", "nobody")
        ]
        assert told[0] == told[1]


@on_a_loop
async def test_tickets_and_passwords_are_counted_apart(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        await served.operator()
        stranger = await served.browser()
        for at in range(limits.MAX_FAILURES_PER_MINUTE):
            await stranger.post("/api/sign-in/ticket", number=f"{at:018d}")
        said = await stranger.post("/api/sign-in/ticket", number="0" * 18)
        assert said.reason.startswith("Too many failed attempts from here")
        await stranger.done("/api/sign-in", name="operator", password=PASSWORD)


# --- new passwords ------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_a_new_password_by_a_link_ends_the_sessions_of_the_old_one(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        old = await served.staff(operator, "dealer", "dana")
        link = (await operator.done("/api/people/dana/invitation"))["invitation"]
        assert (await old.get("/api/me")).body is not None
        fresh = await served.browser()
        await fresh.done("/api/invitations", token=link.partition("#")[2], password="another sentence")
        assert (await old.get("/api/me")).body is None
        assert (await fresh.get("/api/me")).body["name"] == "dana"


@on_a_loop
async def test_a_person_changes_the_own_password_with_the_old_one_and_other_sessions_end(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        here = await served.staff(operator, "dealer", "dana")
        elsewhere = await served.browser()
        await elsewhere.done("/api/sign-in", name="dana", password=PASSWORD)
        wrong = await here.post("/api/me/password", old="wrong password", new="another sentence")
        assert wrong.reason == "The name or the password is wrong."
        weak = await here.post("/api/me/password", old=PASSWORD, new="short")
        assert weak.reason.startswith("A password has ten characters")
        await here.done("/api/me/password", old=PASSWORD, new="another sentence")
        assert (await here.get("/api/me")).body["name"] == "dana"
        assert (await elsewhere.get("/api/me")).body is None
        assert (await elsewhere.post("/api/sign-in", name="dana", password=PASSWORD)).status == 422
        await elsewhere.done("/api/sign-in", name="dana", password="another sentence")
        guest, _ = await served.guest()
        assert (await guest.post("/api/me/password", old="", new="2580")).reason.startswith("There is no password")


@on_a_loop
async def test_an_old_password_is_guessed_no_more_often_than_at_the_door(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        here = await served.staff(await served.operator(), "dealer", "dana")
        for _ in range(MAX_FAILED_SIGN_INS):
            await here.post("/api/me/password", old="wrong password", new="another sentence")
        said = await here.post("/api/me/password", old=PASSWORD, new="another sentence")
        assert said.reason.startswith("Too many wrong passwords")
