"""Approvals between people, over HTTP and at the podium (SEC-6, SEC-2, CSH-1, CARD-6)."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.house.pending import Pending
from podium.house.people import Person
from podium.wire.commands import CloseBets, Correct, EnterCard, LoadShoe, NewGame, PlaceBet, TakePlace, Void
from tests.server.served import CONFIG, PASSWORD, QUICK, Browser, Served, a_house
from tests.server.test_cashier import desk
from tests.terminal import on_a_loop

FOUND: dict[str, Any] = {"name": "ann", "amount": 5, "reason": "found"}
LIVE = msgspec.structs.replace(
    CONFIG, tables={"t1": msgspec.structs.replace(QUICK, dealer="live", close_betting_early=False)}
)


async def adjust(cashier: Browser, **more: Any) -> str:
    said = await cashier.post("/api/cashier/adjustments", **{**FOUND, **more})
    return "done" if said.status == 200 else said.reason


WAITS = "A second person must approve this first: adjust the credit of ann by 0.05: found (CSH-1)."


# --- a restart ----------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_sec_6_a_restart_loses_no_request_and_no_approval_and_lets_none_happen_twice(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        assert await adjust(cashier) == WAITS
        await served.restart()
        cashier, supervisor = served.moved(cashier), served.moved(supervisor)
        [waiting] = (await supervisor.get("/api/approvals")).body
        assert (waiting["asker"], waiting["said"]["facts"]["amount"]) == ("carl", 5)
        [mine] = (await cashier.get("/api/approvals/mine")).body
        assert (mine["key"], mine["state"]) == (waiting["key"], "waiting")
        await supervisor.accept()
        await served.restart()
        cashier, supervisor = served.moved(cashier), served.moved(supervisor)
        [mine] = (await cashier.get("/api/approvals/mine")).body
        assert (mine["state"], mine["by"]) == ("accepted", "sue")
        assert (await adjust(cashier, amount=6)).startswith("A second person must approve this first")
        assert await adjust(cashier) == "done"
        await served.restart()
        cashier = served.moved(cashier)
        assert await adjust(cashier) == WAITS
        assert served.house.credit("ann") == 5
        assert not [each for each in (await cashier.get("/api/approvals/mine")).body if each["state"] == "accepted"]


@on_a_loop
async def test_sec_6_the_void_of_a_live_round_still_waits_after_a_restart(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        with pytest.raises(Refused, match="A second person must approve"):
            await podium.do(Void, round=1, reason="misdeal")
        await leave(podium, seat)
        await served.restart()
        supervisor = served.moved(supervisor)
        [waiting] = (await supervisor.get("/api/approvals")).body
        assert (waiting["said"]["key"], waiting["asker"]) == ("act.void-round", "dana")


@on_a_loop
async def test_sec_6_what_is_over_is_forgotten_and_the_record_proves_itself(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        await adjust(cashier)
        await supervisor.accept()
        assert await adjust(cashier) == "done"
        await adjust(cashier, amount=7)
        assert [each.over for each in served.house.shelf.every(Pending)] == [True, False]
        assert served.opened is not None
        await served.opened.doors.forget()
        assert [each.said.facts["amount"] for each in served.house.shelf.every(Pending)] == [7]
    assert run(["verify", str(tmp_path)]) == 0


# --- at the desk --------------------------------------------------------------------------------------------------------


@on_a_loop
async def test_sec_6_a_supervisor_sees_the_act_with_its_amount_and_who_asks_and_accepts_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        assert await adjust(cashier) == WAITS
        [waiting] = (await supervisor.get("/api/approvals")).body
        assert (waiting["asker"], waiting["state"]) == ("carl", "waiting")
        assert waiting["said"] == {
            "key": "act.adjust",
            "facts": {"player": "ann", "amount": 5, "reason": "found"},
        }
        [mine] = (await cashier.get("/api/approvals/mine")).body
        assert (mine["key"], mine["state"]) == (waiting["key"], "waiting")
        await supervisor.done(f"/api/approvals/{waiting['key']}", accept=True)
        [mine] = (await cashier.get("/api/approvals/mine")).body
        assert (mine["state"], mine["by"]) == ("accepted", "sue")
        assert (await adjust(cashier, amount=6)).startswith("A second person must approve this first")
        assert await adjust(cashier) == "done"
        assert await adjust(cashier) == WAITS
        assert served.house.credit("ann") == 5


@on_a_loop
async def test_sec_6_what_a_supervisor_refuses_is_not_done_and_is_a_significant_event(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        await adjust(cashier)
        await supervisor.accept(accept=False)
        [mine] = (await cashier.get("/api/approvals/mine")).body
        assert (mine["state"], mine["by"]) == ("refused", "sue")
        assert await adjust(cashier) == WAITS
        [noted] = [note for note in await served.notes() if note.kind == "approval-refused"]
        assert (noted.source, noted.who, noted.reason) == (
            "ann",
            "sue",
            "Adjust the credit of ann by 0.05: found. Asked for by carl.",
        )


@on_a_loop
async def test_sec_6_a_code_fits_the_request_that_it_was_given_for(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, supervisor, _ = await desk(served)
        await adjust(cashier)
        code = await supervisor.code()
        assert len(code) == 6
        assert code.isdecimal()
        assert "does not fit this request" in await adjust(cashier, amount=500_000, approval=code)
        assert await adjust(cashier, approval=code) == "done"
        assert "does not fit this request" in await adjust(cashier, approval=code)
        await adjust(cashier)
        late = await supervisor.code()
        served.later += 2 * 60_000
        assert await adjust(cashier, approval=late) == (
            "That code has expired: it is valid for two minutes. Ask for a new one (SEC-6)."
        )
        assert served.house.credit("ann") == 5
        assert [note.kind for note in await served.notes()].count("approval-failed") == 3


@pytest.mark.parametrize("how", ["closed", "another role", "signed out", "asker signed out"])
@on_a_loop
async def test_sec_6_an_approval_ends_with_either_s_account(tmp_path: Path, how: str) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        cashier = await served.staff(operator, "cashier", "carl")
        supervisor = await served.staff(operator, "supervisor", "sue")
        await served.staff(operator, "player", "ann")
        await adjust(cashier)
        await supervisor.accept()
        match how:
            case "closed":
                await operator.done("/api/people", name="sue", role="supervisor", active=False)
            case "another role":
                await operator.done("/api/people", name="sue", role="dealer")
            case "signed out":
                await supervisor.done("/api/sign-out")
            case "asker signed out":
                await cashier.done("/api/sign-out")
                await cashier.done("/api/sign-in", name="carl", password=PASSWORD)
        assert await adjust(cashier) == WAITS
        assert served.house.credit("ann") == 0


@on_a_loop
async def test_sec_6_nobody_approves_their_own_request_under_a_role_that_came_later(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        cashier = await served.staff(operator, "cashier", "carl")
        await served.staff(operator, "player", "ann")
        await adjust(cashier)
        [waiting] = (await supervisor.get("/api/approvals")).body
        await operator.done_with(supervisor, "/api/people", name="carl", role="supervisor")
        await cashier.done("/api/sign-in", name="carl", password=PASSWORD)
        assert (await cashier.get("/api/approvals")).body == []
        assert (await cashier.post(f"/api/approvals/{waiting['key']}", accept=True)).status == 422
        assert served.house.shelf.find(Person, "carl").held == ("cashier",)


@on_a_loop
async def test_sec_2_only_whoever_has_the_duty_approves(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "supervisor", "sue")
        auditor = await served.staff(operator, "auditor", "aud")
        cashier = await served.staff(operator, "cashier", "carl")
        await served.staff(operator, "player", "ann")
        await adjust(cashier)
        [mine] = (await cashier.get("/api/approvals/mine")).body
        for other in (auditor, operator):
            assert (await other.get("/api/approvals")).body == []
            said = await other.post(f"/api/approvals/{mine['key']}", accept=True)
            assert said.reason == "This request is for somebody with other duties to approve (SEC-2)."
        assert await adjust(cashier) == WAITS


# --- at the podium ------------------------------------------------------------------------------------------------------


async def dealing(served: Served, operator: Browser) -> Any:
    """A dealer at the podium, with a card on the table."""
    dealer = await served.staff(operator, "dealer", "dana")
    player, _ = await served.guest()
    podium, seat = await dealer.terminal(), await player.terminal()
    await podium.__aenter__()
    await seat.__aenter__()
    for each in (podium, seat):
        await each.watch("t1")
    await podium.do(TakePlace)
    await podium.do(LoadShoe, cards=312)
    await seat.join()
    await podium.do(NewGame, round=1)
    await seat.do(PlaceBet, round=1, wagers={"blackjack": 500})
    await podium.do(CloseBets, round=1)
    for number, code in enumerate(("9s", "7h"), start=1):
        await podium.do(EnterCard, round=1, number=number, card=code)
    return podium, seat


async def leave(*terminals: Any) -> None:
    for each in terminals:
        await each.__aexit__(None, None, None)


@on_a_loop
async def test_card_6_a_supervisor_approves_the_void_of_one_round(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        with pytest.raises(Refused, match=r"void round 1 at t1, with 5\.00 at stake: misdeal"):
            await podium.do(Void, round=1, reason="misdeal")
        [waiting] = (await supervisor.get("/api/approvals")).body
        assert (waiting["said"]["key"], waiting["asker"]) == ("act.void-round", "dana")
        await supervisor.accept()
        with pytest.raises(Refused, match="A second person must approve"):
            await podium.do(Void, round=1, reason="I lost")
        await podium.do(Void, round=1, reason="misdeal")
        assert served.house.table("t1").phase() == "void"
        [event] = (await supervisor.get("/api/events", kind="void")).body
        assert event["who"] == "dana, approved by sue"
        await leave(podium, seat)


@on_a_loop
async def test_card_3_a_dealer_corrects_the_last_card_alone_and_an_earlier_one_with_a_supervisor(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        await podium.do(Correct, round=1, number=2, card="8h", reason="misread")
        earlier = {"round": 1, "number": 1, "card": "4d", "reason": "misread"}
        with pytest.raises(Refused, match="correct card 1 of round 1 at t1 from 9s to 4d"):
            await podium.do(Correct, **earlier)
        code = await supervisor.code()
        with pytest.raises(Refused, match="does not fit this request"):
            await podium.do(Correct, approval=code, **{**earlier, "card": "Ad"})
        await podium.do(Correct, approval=code, **earlier)
        cards = [str(card) for card in served.house.table("t1").in_play.cards]
        assert cards == ["4d", "8h"]
        await leave(podium, seat)


@on_a_loop
async def test_sec_6_the_approval_of_a_correction_is_for_its_round(tmp_path: Path) -> None:
    """A dealer who got one kept it for the next round, in which the same card by its number decides about other stakes."""
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        podium, seat = await dealing(served, operator)
        earlier = {"number": 1, "card": "4d", "reason": "misread"}
        for number in (1, 2):
            if number == 2:
                await next_round_dealt(podium, seat, supervisor)
            with pytest.raises(Refused, match=f"correct card 1 of round {number} at t1 from 9s to 4d"):
                await podium.do(Correct, round=number, **earlier)
            if number == 1:
                await supervisor.accept()
        assert [str(card) for card in served.house.table("t1").in_play.cards] == ["9s", "7h"]
        await leave(podium, seat)


async def next_round_dealt(podium: Any, seat: Any, supervisor: Browser) -> None:
    await supervisor.done("/api/floor/tables/t1/void", round=1, why="misdeal")
    await podium.do(NewGame, round=2)
    await seat.do(PlaceBet, round=2, wagers={"blackjack": 5_000})
    await podium.do(CloseBets, round=2)
    for number, code in enumerate(("9s", "7h"), start=1):
        await podium.do(EnterCard, round=2, number=number, card=code)


def invitation(served: Served) -> str | None:
    assert served.opened is not None
    return served.opened.invitation


# --- roles that check (SEC-2) -------------------------------------------------------------------------------------------


GRANTS = "A second person must approve this first: give {name} the role {role} (SEC-2)."


@on_a_loop
async def test_sec_2_the_first_operator_lets_in_one_second_person_alone_and_everybody_else_with_that_one(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for role in ("dealer", "cashier", "player"):
            await operator.done("/api/people", name=f"{role}-1", role=role)
        link = (await operator.done("/api/people", name="sue", role="supervisor"))["invitation"]
        said = await operator.post("/api/people", name="sam", role="auditor")
        assert said.reason == (
            "sue must choose a password first: the second person of a house approves everybody else who gets a role that "
            "checks others (SEC-2)."
        )
        link = (await operator.done("/api/people/sue/invitation"))["invitation"]  # a lost link is no lock-out
        second = await served.browser()
        await second.done("/api/invitations", token=link.partition("#")[2], password=PASSWORD)
        for role in ("supervisor", "operator", "auditor"):
            said = await operator.post("/api/people", name=f"{role}-2", role=role)
            assert said.reason == GRANTS.format(name=f"{role}-2", role=role)
            assert served.house.shelf.find(Person, f"{role}-2") is None
        await operator.done("/api/people", name="dealer-2", role="dealer")


TAKEN_ALONE: list[tuple[str, dict[str, Any]]] = [
    ("/api/people", {"name": "carl", "role": "supervisor"}),
    ("/api/people", {"name": "carl", "role": "supervisor", "active": False}),
    ("/api/people", {"name": "new", "role": "operator"}),
    ("/api/people", {"name": "sue", "role": "operator"}),
    ("/api/people", {"name": "sam", "role": "supervisor", "active": True}),
    ("/api/people/sue/invitation", {}),
]


@pytest.mark.parametrize("sue_is_closed", [False, True])
@on_a_loop
async def test_sec_2_whoever_makes_accounts_does_not_get_a_second_duty_by_it(
    tmp_path: Path, sue_is_closed: bool
) -> None:
    """Not by a new account, another role, reopening one, nor a link to somebody's; nor by closing the second person first."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "supervisor", "sue")
        await served.staff(operator, "supervisor", "sam")
        await served.staff(operator, "cashier", "carl")
        await operator.done("/api/people", name="sam", role="supervisor", active=False)
        if sue_is_closed:
            await operator.done("/api/people", name="sue", role="supervisor", active=False)
        before = {person.key: (person.role, person.active) for person in served.house.shelf.every(Person)}
        for path, body in TAKEN_ALONE:
            said = await operator.post(path, **body)
            assert said.status == 422, (path, body)
        assert {person.key: (person.role, person.active) for person in served.house.shelf.every(Person)} == before
        for pending in (await operator.get("/api/approvals/mine")).body:
            own = await operator.post(f"/api/approvals/{pending['key']}", accept=True)
            assert own.reason == "Nobody approves their own request: a second person must (SEC-6)."


@on_a_loop
async def test_sec_2_nobody_approves_what_is_done_to_their_own_account(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        await operator.post("/api/people", name="sue", role="operator")
        assert (await supervisor.get("/api/approvals")).body == []
        [asked] = (await operator.get("/api/approvals/mine")).body
        assert (await supervisor.post(f"/api/approvals/{asked['key']}", accept=True)).status == 422


@on_a_loop
async def test_sec_2_a_role_that_two_granted_says_so_in_the_record(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "supervisor", "sue")
        await served.staff(operator, "auditor", "aud")
        told = {note.source: note.who for note in await served.notes() if note.reason == "enrolled"}
        assert told == {"sue": "operator", "aud": "operator, approved by sue"}


@on_a_loop
async def test_sec_2_the_last_one_left_is_joined_by_whoever_starts_the_house(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "supervisor", "sue")
        await served.restart()
        assert invitation(served) is None
        operator = served.moved(operator)
        await operator.done("/api/people", name="sue", role="supervisor", active=False)
        assert (await operator.post("/api/people", name="sam", role="supervisor")).status == 422
        await served.restart()
        assert invitation(served) is not None
        second, operator = await served.operator(), served.moved(operator)
        assert (await second.get("/api/me")).body["name"] == "operator-2"
        await operator.done_with(second, "/api/people", name="sam", role="supervisor")
        await served.restart()
        assert invitation(served) is None
