"""The cage pays dealers their tips, once each (LED-2)."""

from pathlib import Path

from podium.cli.verify import verify_house
from podium.house.tipping import divided
from podium.record.ledger import Transfer, account, kind_of
from podium.wire.commands import LeavePlace, TakePlace
from tests.server.served import Served, a_house, play
from tests.server.test_approvals import LIVE
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


@on_a_loop
async def test_tips_that_are_taken_back_after_they_were_paid_are_owed_and_not_given_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        cashier, supervisor = (
            await served.staff(operator, "cashier", "carl"),
            await served.staff(operator, "supervisor"),
        )
        await given(served, 5_000)
        await cashier.done("/api/cashier/tips/pay", "k1", name="dana", amount=5_000)

        def take_back(now: int) -> None:
            owed = Transfer("owed", account("debt", "dana"), TIPS, 2_000, "debt")
            for transfer in (owed, Transfer("back", TIPS, account("bank", "t1"), 2_000, "tip")):
                served.house.carry_out(transfer, "", now)

        assert served.opened is not None
        await served.opened.reception.floor.in_house(take_back, None)
        report = (await supervisor.get("/api/reports/tips")).body
        assert report["rows"] == [["dana", 5_000, 2_000, 3_000, 0, 5_000]]


@on_a_loop
async def test_tips_of_a_shift_are_shared_once_by_the_time_at_the_podium(tmp_path: Path) -> None:
    async with a_house(tmp_path, LIVE) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor", "sue")
        dana, drew = await served.staff(operator, "dealer", "dana"), await served.staff(operator, "dealer", "drew")
        begun = served.clock()
        for dealer, minutes in ((dana, 2), (drew, 1)):
            async with await dealer.terminal() as podium:
                await podium.watch("t1")
                await podium.do(TakePlace)
                served.pass_time(minutes * 60_000)
                await podium.do(LeavePlace)
        await given(served, 1_000)
        served.pass_time(1_000)
        until = served.clock()
        for _ in range(2):
            shares = await supervisor.done("/api/floor/tips/share", since=begun, until=until)
            assert [(each["name"], each["minutes"], each["share"]) for each in shares] == [
                ("dana", 2, 667),
                ("drew", 1, 333),
            ]
            assert (served.house.ledger[TIPS], served.house.ledger[account("tips", "drew")]) == (667, 333)
        again = await supervisor.post("/api/floor/tips/share", since=begun + 1, until=until)
        assert "Tips of that time were shared already" in again.reason
        rows = (await supervisor.get("/api/reports/tips")).body["rows"]
        assert rows == [["dana", 1_000, 0, 1_000, -333, 0], ["drew", 0, 0, 0, 333, 0]]
        shown = (await supervisor.get("/api/reports/tip-shares")).body["rows"]
        assert shown == [["dana", 2, 1_000, 667, -333], ["drew", 1, 0, 333, 333]]
        await served.restart()
        assert served.house.ledger[account("tips", "drew")] == 333


def test_what_cannot_be_divided_goes_to_the_largest_remainders() -> None:
    assert divided(100, {"dana": 1, "drew": 1, "dora": 1}) == {"dana": 34, "dora": 33, "drew": 33}
    assert divided(7, {"dana": 0, "drew": 5}) == {"dana": 0, "drew": 7}
    assert divided(7, {}) == {}


@on_a_loop
async def test_what_a_guest_gives_is_play_money_that_nobody_is_paid_for(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, name = await served.guest()
        own = account("tips", name)

        def given_by_guests() -> int:
            if served.house.table("t1").phase() not in ("betting", "deciding"):
                served.pass_time(61_000)
            return int(served.house.ledger[own])

        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"blackjack": 1_000}, lambda: given_by_guests() > 0, for_dealer={"blackjack": 100})
        assert [
            str(each) for each, amount in dict(served.house.ledger).items() if kind_of(each) == "tips" and amount
        ] == [own]
        operator = await served.operator()
        cashier, supervisor = (
            await served.staff(operator, "cashier", "carl"),
            await served.staff(operator, "supervisor", "sue"),
        )
        assert (await cashier.get("/api/cashier/tips")).body == []
        paid = await cashier.post("/api/cashier/tips/pay", name=name, amount=100)
        assert paid.reason == "What a guest gave is play money and is not paid in cash."
        assert (await supervisor.get("/api/reports/tips")).body["rows"] == []
        begun = served.clock() - 3_600_000
        assert (await supervisor.post("/api/floor/tips/share", since=begun)).body["why"][
            "key"
        ] == "refused.tips-nothing"
    assert verify_house(str(tmp_path)) == 0
