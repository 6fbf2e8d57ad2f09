"""The cage pays dealers their tips, once each (LED-2)."""

from pathlib import Path

from podium.record.ledger import Transfer, account
from tests.server.served import Served, a_house
from tests.terminal import on_a_loop

TIPS, CAGE = account("tips", "dana"), account("cage", "main")


async def given(served: Served, amount: int) -> None:
    """A dealer was given tips."""

    def give(now: int) -> None:
        served.house.carry_out(Transfer("tip", account("bank", "t1"), TIPS, amount, "tip"), "", now)

    assert served.opened is not None
    await served.opened.reception.floor.in_house(give, None)


@on_a_loop
async def test_tips_are_paid_once_and_no_more_than_there_are(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        cashier = await served.staff(await served.operator(), "cashier", "carl")
        await given(served, 5_000)
        assert (await cashier.get("/api/cashier/tips")).body == [{"name": "dana", "tips": 5_000}]
        for _ in range(3):
            assert (await cashier.done("/api/cashier/tips/pay", "k1", name="dana", amount=3_000))["tips"] == 2_000
        less = await cashier.post("/api/cashier/tips/pay", "k2", name="dana", amount=3_000)
        assert less.reason == "dana has tips of 20.00, less than 30.00."
        assert (served.house.ledger[TIPS], served.house.ledger[CAGE]) == (2_000, 3_000)
        await served.restart()
        assert served.house.ledger[TIPS] == 2_000
