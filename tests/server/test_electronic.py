"""Electronic transfers: credit from and to a player's account elsewhere, over HTTP (MTR-1, LED-2, CSH-2)."""

import asyncio
from pathlib import Path
from typing import Any

from podium.record.ledger import account
from tests.server.served import Browser, a_house
from tests.terminal import on_a_loop

ELSEWHERE = account("electronic")


async def meters(auditor: Browser) -> list[int]:
    made = (await auditor.get("/api/reports/meters")).body
    shown = {row[1]: int(row[2]) for row in made["rows"] if row[0]["key"] == "report.where.house"}
    return [shown["electronic_transfers_in"], shown["electronic_transfers_out"], shown["drop"]]


@on_a_loop
async def test_mtr_1_credit_comes_from_elsewhere_and_goes_back_once_each(tmp_path: Path) -> None:
    """A host system asks, repeats itself, and the house restarts in between: every transfer happens once."""
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "player", "ann")
        host = await served.staff(operator, "host", "wallet")
        auditor = await served.staff(operator, "auditor", "aude")
        into: dict[str, Any] = {"name": "ann", "amount": 70_000, "reference": "W-17"}
        said = await asyncio.gather(*(host.post("/api/transfers/in", "k1", **into) for _ in range(10)))
        assert {each.body["credit"] for each in said} == {70_000}
        other = await host.post("/api/transfers/in", "k1", **{**into, "amount": 1})
        assert other.reason.endswith("a new request needs a key of its own (LED-2).")
        await served.restart()
        host, auditor = served.moved(host), served.moved(auditor)
        assert (await host.done("/api/transfers/in", "k1", **into))["credit"] == 70_000
        back = await host.done("/api/transfers/out", "k2", name="ann", amount=30_000, reference="W-18")
        assert back["credit"] == 40_000
        assert served.house.ledger[ELSEWHERE] == -40_000
        assert await meters(auditor) == [70_000, 30_000, 0]
        made = (await auditor.get("/api/reports/electronic-transfers")).body
        assert [row[1:] for row in made["rows"]] == [
            ["ann", "wallet", "W-17", 70_000, None],
            ["ann", "wallet", "W-18", None, 30_000],
        ]


@on_a_loop
async def test_a_transfer_that_cannot_be_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await served.staff(operator, "player", "ann")
        cashier = await served.staff(operator, "cashier", "carl")
        await cashier.done("/api/transfers/in", "k1", name="ann", amount=5_000, reference="W-1")
        refused: list[tuple[dict[str, Any], str]] = [
            ({"name": "ann", "amount": 5_001, "reference": "W-2"}, "The credit is 50.00, less than 50.01."),
            ({"name": "ann", "amount": 0, "reference": "W-2"}, "'0' is not an amount"),
            ({"name": "ann", "amount": 100, "reference": ""}, "'' is not a reference"),
            ({"name": "bob", "amount": 100, "reference": "W-2"}, "No player is known here by the name 'bob'"),
        ]
        for body, why in refused:
            assert why in (await cashier.post("/api/transfers/out", None, **body)).reason
        assert served.house.credit("ann") == 5_000
