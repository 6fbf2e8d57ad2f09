"""LED-2 beyond what is in memory: the ledger knows every request for good, and no ticket is paid twice."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from podium.house import House, limits
from podium.house.tickets import TICKETS, Ticket
from podium.record.store import Damaged
from podium.server.terminals import Who
from podium.server.web import Reception
from tests.server.served import Browser, Served, a_house
from tests.server.test_cashier import desk
from tests.terminal import on_a_loop
from tests.test_papers import alter


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that remembers next to nothing, and writes snapshots all the time."""
    monkeypatch.setattr(limits, "MAX_REMEMBERED_REQUESTS", 1)
    monkeypatch.setattr(limits, "MAX_REMEMBERED_TICKETS", 1)
    defaults = House.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "house_snapshot_every", 5)


async def forget(served: Served, cashier: Browser) -> None:
    """Makes other requests until nothing about the previous one is in memory."""
    for _ in range(2):
        await cashier.done("/api/cashier/buy-in", name="ann", amount=1)
        await cashier.done("/api/cashier/tickets", amount=1)
    assert len(served.house.requests) <= limits.MAX_REMEMBERED_REQUESTS
    assert served.house.shelf.count(Ticket) <= limits.MAX_REMEMBERED_TICKETS


def key_of(served: Served, number: str) -> str:
    """The key of a ticket's record."""
    assert served.opened is not None
    return served.opened.reception.numbers.shown(number).keys[0]


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("restart", [False, True])
@on_a_loop
async def test_led_2_a_request_that_is_forgotten_happens_once_all_the_same(tmp_path: Path, restart: bool) -> None:
    """MAX_REMEMBERED_REQUESTS."""
    async with a_house(tmp_path) as served:
        cashier, supervisor, player = await desk(served)
        await cashier.done("/api/cashier/buy-in", "k1", name="ann", amount=5_000)
        await cashier.done("/api/cashier/cash-out", "k2", name="ann", amount=1_000)
        adjusting = {"name": "ann", "amount": -500, "reason": "paid twice"}
        await cashier.done_with(supervisor, "/api/cashier/adjustments", "k3", **adjusting)
        await forget(served, cashier)
        if restart:
            await served.restart()
            cashier, player = served.moved(cashier), served.moved(player)
        before = dict(served.house.ledger)
        for _ in range(2):
            await cashier.done("/api/cashier/buy-in", "k1", name="ann", amount=5_000)
            await cashier.done("/api/cashier/cash-out", "k2", name="ann", amount=1_000)
            await cashier.done("/api/cashier/adjustments", "k3", **adjusting)
        for path, key, more in (
            ("/api/cashier/buy-in", "k1", {"name": "ann", "amount": 5_001}),
            ("/api/cashier/cash-out", "k1", {"name": "ann", "amount": 5_000}),
            ("/api/cashier/tickets", "k2", {"amount": 1_000}),
        ):
            refused = await cashier.post(path, key, **more)
            assert refused.reason.endswith("a new request needs a key of its own (LED-2)."), (path, refused)
        assert dict(served.house.ledger) == before
        await cashier.done("/api/cashier/buy-in", "k9", name="ann", amount=5_000)
        assert dict(served.house.ledger) != before


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("restart", [False, True])
@on_a_loop
async def test_led_2_tkt_3_a_ticket_that_is_forgotten_is_paid_once_all_the_same(tmp_path: Path, restart: bool) -> None:
    """MAX_REMEMBERED_TICKETS."""
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", "t", amount=500))["number"]
        other = (await cashier.done("/api/cashier/tickets", "o", amount=70))["number"]
        await forget(served, cashier)
        assert served.house.shelf.find(Ticket, key_of(served, number)) is None
        credit = served.house.credit("ann")
        await player.done("/api/redeem", "r", number=number)
        await forget(served, cashier)
        if restart:
            await served.restart()
            cashier, player = served.moved(cashier), served.moved(player)
        before = dict(served.house.ledger)
        # The same requests again get the same answers.
        assert (await cashier.done("/api/cashier/tickets", "t", amount=500))["number"] == number
        assert (await player.done("/api/redeem", "r", number=number))["credit"] == credit + 500 + 2
        # Another request for the same ticket, and another ticket under the same key, are refused.
        for said in (
            await player.post("/api/redeem", "r2", number=number),
            await cashier.post("/api/cashier/tickets/pay", number=number),
            await (await served.browser()).post("/api/sign-in/ticket", number=number),
        ):
            assert "was already redeemed" in said.reason
        changed = await cashier.post("/api/cashier/tickets", "t", amount=501)
        assert changed.reason.endswith("a new request needs a key of its own (LED-2).")
        assert dict(served.house.ledger) == before
        await player.done("/api/redeem", number=other)
        assert served.house.ledger[TICKETS] == before[TICKETS] - 70


@pytest.mark.usefixtures("forgetful")
@on_a_loop
async def test_tkt_3_fifty_at_once_redeem_a_forgotten_ticket_and_one_is_paid(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=500))["number"]
        await forget(served, cashier)
        before = served.house.credit("ann")
        served.later += 60_000
        said = await asyncio.gather(*(player.post("/api/redeem", f"r{at}", number=number) for at in range(25)))
        assert sorted(each.status for each in said) == [200] + [422] * 24
        again = await asyncio.gather(
            *(cashier.post("/api/cashier/buy-in", "b", name="ann", amount=7) for _ in range(25))
        )
        assert {each.status for each in again} == {200}
        assert served.house.credit("ann") == before + 500 + 7
        assert sum(amount for _, amount in served.house.ledger) == 0


@pytest.mark.usefixtures("forgetful")
@on_a_loop
async def test_int_5_a_ticket_altered_in_the_store_is_not_paid_and_stops_the_house(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier, _, player = await desk(served)
        number = (await cashier.done("/api/cashier/tickets", amount=500))["number"]
        await forget(served, cashier)
        key = key_of(served, number)
        body = "CAST(replace(CAST(body AS TEXT), '\"amount\":500', '\"amount\":900') AS BLOB)"
        alter(
            str(tmp_path / "podium.db"), f"UPDATE documents SET body = {body} WHERE kind = 'ticket' AND key = '{key}'"
        )
        before = served.house.credit("ann")
        assert (await player.post("/api/redeem", number=number)).status == 500
        assert served.house.credit("ann") == before
        assert served.opened is not None
        failed = served.opened.floor.failed
        assert failed is not None
        assert isinstance(failed.exception(), Damaged)


async def earlier_key(self: Reception, request: web.Request, who: Who, *, ticket: object = None) -> str:
    """The key of a request as earlier versions stored it: a dot could stand in the name, in the own key, or between them."""
    return f"desk.{who.name}.{request.headers['Idempotency-Key']}"


@pytest.mark.parametrize("forgets", [False, True])
@on_a_loop
async def test_led_2_a_dotted_request_of_an_earlier_version_happens_once(
    tmp_path: Path, request: pytest.FixtureRequest, forgets: bool
) -> None:
    if forgets:
        request.getfixturevalue("forgetful")
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        carl = await served.staff(operator, "cashier", "carl")
        other = await served.staff(operator, "cashier", "carl.b")
        ann = await served.staff(operator, "player", "ann")
        with pytest.MonkeyPatch.context() as earlier:
            earlier.setattr(Reception, "key", earlier_key)
            await carl.done("/api/cashier/buy-in", "b.1", name="ann", amount=5_000)
            sold = await carl.done("/api/cashier/tickets", "b.2", amount=300)
            redeemed = await ann.done("/api/redeem", "b.3", number=sold["number"])
            cashed_out = await ann.done("/api/cash-out", "b.4")
            paid = await carl.done("/api/cashier/tickets/pay", "b.5", number=cashed_out["number"])
        await served.restart()
        carl, other, ann = served.moved(carl), served.moved(other), served.moved(ann)
        if forgets:
            await forget(served, carl)
            await ann.done("/api/cash-out")
        balances = dict(served.house.ledger)
        again = await carl.done("/api/cashier/buy-in", "b.1", name="ann", amount=5_000)
        assert again["credit"] == redeemed["credit"] - cashed_out["amount"] == 0
        assert (await carl.done("/api/cashier/tickets", "b.2", amount=300))["number"] == sold["number"]
        assert (await ann.done("/api/redeem", "b.3", number=sold["number"]))["credit"] == 0
        assert (await ann.done("/api/cash-out", "b.4"))["number"] == cashed_out["number"]
        assert await carl.done("/api/cashier/tickets/pay", "b.5", number=cashed_out["number"]) == paid
        assert dict(served.house.ledger) == balances
        # carl.b with the key 1 had the same form, and did nothing yet.
        await other.done("/api/cashier/buy-in", "1", name="ann", amount=5_000)
        assert served.house.credit("ann") == 5_000
        assert (await other.done("/api/cashier/buy-in", "1", name="ann", amount=5_000))["credit"] == 5_000
