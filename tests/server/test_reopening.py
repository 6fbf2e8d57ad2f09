"""VOID-4: a settled round is reopened by two people, settled again or voided, and both settlements are kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.cli.verify import verify_house
from podium.client import Client
from podium.house.reports.recall import settled
from podium.house.reports.rounds import round_of_number
from podium.house.table import Table, TableConfig
from podium.house.table.reopening import reopen
from podium.play.reasons import Reason
from podium.record.ledger import account
from podium.wire.commands import CloseBets, Confirm, Decide, EnterCard, LoadShoe, NewGame, PlaceBet, TakePlace
from tests.houses import playing_house
from tests.server.served import CONFIG, QUICK, Browser, Served, a_house, until
from tests.server.test_floor_decides import SLOW, a_step, comes_to, next_round
from tests.terminal import on_a_loop

REOPENING = "/api/floor/tables/t1/reopening"
LIVE = msgspec.structs.replace(QUICK, dealer="live", close_betting_early=False)
TOLD: dict[str, Any] = {"round": 1, "telling": 2, "why": "wrong-card"}
BUST: list[dict[str, Any]] = [{"fix": "replace", "number": 5, "card": "Kh"}]
"""The dealer's last card was a king, not a five: 26 and not 21."""


def tables(**changes: Any) -> Any:
    t2 = TableConfig(game="stadium-blackjack", dealer="live", options=LIVE.options)
    return msgspec.structs.replace(CONFIG, tables={"t1": msgspec.structs.replace(LIVE, **changes), "t2": t2})


class Evening:
    """A live table with a dealer, a supervisor, a cashier and a player with a card."""

    def __init__(self, served: Served, **people: Any) -> None:
        self.served = served
        self.operator: Browser = people["operator"]
        self.sue: Browser = people["sue"]
        self.carl: Browser = people["carl"]
        self.dana: Browser = people["dana"]
        self.pat: Browser = people["pat"]
        self.podium: Client = people["podium"]
        self.seat: Client = people["seat"]

    @property
    def table(self) -> Any:
        return self.served.house.table("t1")

    def credit(self, name: str = "pat") -> int:
        return int(self.served.house.credit(name))

    async def plays(self, codes: str = "Ts 6c 9h Td 5h", *, decides: str = "stand", **wagers: int) -> None:
        """A round to its result: the player has 19, and stands."""
        number = self.table.round_number + 1
        await self.podium.do(NewGame, round=number)
        await self.seat.do(PlaceBet, round=number, wagers=wagers or {"blackjack": 1_000})
        await self.podium.do(CloseBets, round=number)
        for place, code in enumerate(codes.split(), start=1):
            await self.podium.do(EnterCard, round=number, number=place, card=code)
            if place == 3 and decides:
                await self.seat.do(Decide, round=number, decision=decides)
        await self.podium.do(Confirm, round=number)

    async def leaves(self) -> None:
        for each in (self.podium, self.seat):
            await each.__aexit__(None, None, None)


async def evening(served: Served) -> Evening:
    operator = await served.operator()
    sue, carl, dana = [
        await served.staff(operator, role, name)
        for role, name in (("supervisor", "sue"), ("cashier", "carl"), ("dealer", "dana"))
    ]
    pat = await served.staff(operator, "player", "pat")
    await carl.done("/api/cashier/buy-in", "in-1", name="pat", amount=100_000)
    podium, seat = await dana.terminal(), await pat.terminal()
    for each in (podium, seat):
        await each.__aenter__()
        await each.watch("t1")
    await podium.do(TakePlace)
    await podium.do(LoadShoe, cards=312)
    await seat.join()
    people = {"operator": operator, "sue": sue, "carl": carl, "dana": dana, "pat": pat}
    return Evening(served, podium=podium, seat=seat, **people)


def on_an_evening(**changes: Any) -> Callable[[Callable[[Evening], Any]], Callable[[Path], None]]:
    """Plays a test in a served house, and proves its record afterwards."""

    def decorate(test: Callable[[Evening], Any]) -> Callable[[Path], None]:
        @on_a_loop
        async def play(data: Path) -> None:
            async with a_house(data, tables(**changes)) as served:
                here = await evening(served)
                await test(here)
                await here.leaves()

        def run(tmp_path: Path) -> None:
            play(tmp_path)
            assert verify_house(str(tmp_path)) == 0

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate


@on_an_evening()
async def test_void_4_a_dealer_and_a_supervisor_settle_a_confirmed_round_again(here: Evening) -> None:
    await here.plays()
    assert here.credit() == 99_000
    [listed] = (await here.dana.get(REOPENING)).body
    assert (listed["round"], listed["telling"], listed["corrects"]) == (1, 2, True)
    [shown] = (await here.dana.get(REOPENING, round=1)).body
    assert shown["cards"] == ["Ts", "6c", "9h", "Td", "5h"]
    asked = await here.dana.post(REOPENING, **TOLD, fixes=BUST)
    assert asked.reason == (
        "A second person must approve this first: settle round 1 at t1 again, which was confirmed: card 5 is Kh. Players get "
        "20.00 and give back 0.00, of which 0.00 has been spent already. wrong card entered (SEC-6)."
    )
    [waiting] = (await here.sue.get("/api/approvals")).body
    assert (waiting["asker"], waiting["said"]["facts"]["paid"]) == ("dana", 2_000)
    await here.sue.accept()
    done = await here.dana.done(REOPENING, **TOLD, fixes=BUST)
    assert done == {"table": "t1", "round": 1, "telling": 2, "void": False, "paid": 2_000, "taken": 0, "owed": 0}
    assert await here.dana.done(REOPENING, **TOLD, fixes=BUST) == done  # sent again: it is told once
    assert here.credit() == 101_000
    await until(here.seat, lambda: here.seat.known["t1"].notices is not None)
    [notice] = here.seat.known["t1"].notices.notices  # type: ignore[union-attr]
    assert (notice.round, notice.was, notice.now, notice.credit, notice.owed) == (1, -1_000, 1_000, 2_000, 0)
    assert [(each.was, each.now) for each in notice.cards] == [("5h", "Kh")]
    await until(here.seat, lambda: here.seat.view.retelling is not None)
    assert here.seat.view.cards[-1] == "Kh"
    assert here.seat.seat.view.returned == 2_000  # type: ignore[union-attr]
    await until(here.seat, lambda: here.seat.seat.credit == 101_000)  # type: ignore[union-attr]
    await both_tellings_are_recalled(here)
    await meters_agree(here)


@on_an_evening()
async def test_void_4_a_guest_s_tip_is_play_money_also_where_a_round_is_told_again(here: Evening) -> None:
    """It was lost in the first settlement, and would have become a real tip in the second."""
    guest, name = await here.served.guest()
    ledger = here.served.house.ledger
    async with await guest.terminal() as seat:
        await seat.watch("t1")
        await seat.join()
        await here.podium.do(NewGame, round=1)
        await seat.do(PlaceBet, round=1, wagers={"blackjack": 1_000}, for_dealer={"blackjack": 100})
        await here.podium.do(CloseBets, round=1)
        for place, code in enumerate("Ts 6c 9h Td 5h".split(), start=1):
            await here.podium.do(EnterCard, round=1, number=place, card=code)
            if place == 3:
                await seat.do(Decide, round=1, decision="stand")
        await here.podium.do(Confirm, round=1)
        assert (ledger[account("tips", "dana")], ledger[account("tips", name)]) == (0, 0)
        await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
    assert (ledger[account("tips", "dana")], ledger[account("tips", name)]) == (0, 200)


async def both_tellings_are_recalled(here: Evening) -> None:
    [told] = (await here.sue.get("/api/recall", table="t1", round=1)).body
    record = told["record"]
    [first] = record["earlier"]
    assert told["status"] == "corrected"
    assert [each["players"][0]["net"] for each in (first, record)] == [-1_000, 1_000]
    assert [each["cards"].split()[-1] for each in (first, record)] == ["5h", "Kh"]
    assert not record["difference"]
    assert not first["difference"]
    assert any(step["said"]["key"] == "event.reopened" for step in record["steps"])
    assert told["steps"][-1]["view"]["returned"] == 2_000
    [own] = (await here.pat.get("/api/rounds", table="t1")).body
    assert own["record"]["earlier"][0]["players"][0]["net"] == -1_000
    [event] = (await here.sue.get("/api/events", kind="reopened")).body
    assert (event["who"], event["before"], event["after"]) == ("dana, approved by sue", "-1000", "1000")


async def meters_agree(here: Evening) -> None:
    """MTR-3: coin in - coin out - attendant paid is what the bank has won."""
    rows = (await here.sue.get("/api/reports/meters")).body["rows"]
    shown = {meter: value for where, meter, _, value, _, _ in rows if where.get("facts") == {"name": "t1"}}
    bank = here.served.house.ledger[account("bank", "t1")]
    assert shown["coin_in"] - shown["coin_out"] - shown["attendant_paid_jackpots"] == bank
    assert (shown["games_played"], shown["games_won"]) == (here.table.round_number, 1)
    [played] = [row for row in (await here.sue.get("/api/reports/table-win")).body["rows"] if row[0] == "t1"]
    assert played[6] == bank


@on_an_evening()
async def test_void_4_what_was_spent_meanwhile_is_a_debt_and_never_a_negative_credit(here: Evening) -> None:
    await here.plays("Ts 6c 9h Td 9h")  # the dealer busts: it is paid
    assert here.credit() == 101_000
    ticket = await here.pat.done("/api/cash-out", "ticket-1")
    await here.carl.done("/api/cashier/tickets/pay", "paid-1", number=ticket["number"])
    assert here.credit() == 0
    lost = [{"fix": "replace", "number": 5, "card": "5h"}]
    said = await here.dana.post(REOPENING, **TOLD, fixes=lost)
    assert "give back 20.00, of which 20.00 has been spent already" in said.reason
    await here.sue.accept()
    done = await here.dana.done(REOPENING, **TOLD, fixes=lost)
    assert (done["taken"], done["owed"]) == (2_000, 2_000)
    assert (here.credit(), here.served.house.debt("pat")) == (0, 2_000)
    assert (await here.carl.get("/api/cashier/debts")).body == [{"name": "pat", "debt": 2_000}]
    assert (await here.sue.get("/api/cashier/debts")).body == [{"name": "pat", "debt": 2_000}]
    await until(here.seat, lambda: here.seat.known["t1"].notices is not None)
    [notice] = here.seat.known["t1"].notices.notices  # type: ignore[union-attr]
    assert (notice.was, notice.now, notice.credit, notice.owed) == (1_000, -1_000, 0, 2_000)


@on_an_evening(attendant_pays_from=5_000)
async def test_hp_1_a_win_that_an_attendant_paid_by_hand_is_owed_when_the_round_is_void(here: Evening) -> None:
    await here.plays("Ts 6c 9h Td 9h", blackjack=10_000)
    assert here.served.house.held("pat") == 10_000
    await here.carl.done("/api/cashier/attendant-pay", "win-1", name="pat")
    void: dict[str, Any] = {"round": 1, "telling": 2, "void": True, "why": "dispute"}
    done = await here.dana.done_with(here.sue, REOPENING, **void)
    assert (done["taken"], done["owed"]) == (10_000, 10_000)
    assert (here.credit(), here.served.house.held("pat"), here.served.house.debt("pat")) == (100_000, 0, 10_000)
    assert here.served.house.ledger[account("bank", "t1")] == 0
    rows = (await here.sue.get("/api/reports/meters")).body["rows"]
    shown = {meter: value for where, meter, _, value, _, _ in rows if where.get("facts") == {"name": "t1"}}
    assert (shown["coin_in"], shown["coin_out"], shown["attendant_paid_jackpots"]) == (10_000, 10_000, 0)
    assert (shown["games_played"], here.table.handle) == (0, 0)


@on_an_evening(attendant_pays_from=5_000)
async def test_hp_1_a_win_that_becomes_large_is_held_for_an_attendant(here: Evening) -> None:
    await here.plays(blackjack=10_000)
    await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
    assert (here.credit(), here.served.house.held("pat")) == (100_000, 10_000)
    await until(here.seat, lambda: here.seat.seat.locked == 10_000)  # type: ignore[union-attr]


@on_an_evening()
async def test_void_4_the_next_round_goes_on_and_counts_its_shoe_by_the_right_cards(here: Evening) -> None:
    """Five decks and one more five of hearts: the sixth was entered wrongly in round 1."""
    for _ in range(6):
        await here.plays()
    await here.podium.do(NewGame, round=7)
    await here.seat.do(PlaceBet, round=7, wagers={"blackjack": 1_000})
    await here.podium.do(CloseBets, round=7)
    with pytest.raises(Refused, match="5h cannot come again"):
        await here.podium.do(EnterCard, round=7, number=1, card="5h")
    done = await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
    assert (done["paid"], here.table.phase()) == (2_000, "dealing")
    await here.podium.do(EnterCard, round=7, number=1, card="5h")
    assert here.table.in_play.seats[1].staked == 1_000
    full = [{"fix": "replace", "number": 5, "card": "Ts"}]
    told: dict[str, Any] = {"round": 2, "telling": 2, "why": "wrong-card"}
    assert "Ts cannot come again" in (await here.dana.post(REOPENING, **told, fixes=full)).reason
    [seven] = (await here.sue.get("/api/recall", table="t1", round=7)).body
    assert not seven["record"]["difference"]
    await here.served.restart()
    assert here.table.in_play.cards[0].code == "5h"
    assert here.table.shoe.out == here.served.house.table("t1").shoe.out


@on_an_evening()
async def test_void_4_a_player_who_left_is_told_on_coming_back_even_after_a_restart(here: Evening) -> None:
    await here.plays()
    await here.seat.leave()
    await here.seat.__aexit__(None, None, None)
    await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
    await here.podium.do(NewGame, round=2)
    await here.served.restart()
    pat = here.served.moved(here.pat)
    back = await pat.terminal()
    await back.__aenter__()
    here.seat = back
    await until(back, lambda: "t1" in back.known and back.known["t1"].notices is not None)
    [notice] = back.known["t1"].notices.notices  # type: ignore[union-attr]
    assert (notice.round, notice.now) == (1, 1_000)
    read: dict[str, Any] = {"table": "t1", "round": 1, "telling": 2}
    await pat.done("/api/notices/read", **read)
    await until(back, lambda: not back.known["t1"].notices.notices)  # type: ignore[union-attr]
    await pat.done("/api/notices/read", **read)  # asked again: it is noted once
    assert not here.served.house.table("t1").tellings.unread


@on_an_evening()
async def test_void_4_a_player_at_another_table_sees_it_there(here: Evening) -> None:
    await here.plays()
    other = await here.pat.terminal()
    async with other:
        await other.watch("t2")
        await other.join()
        await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
        await until(other, lambda: "t1" in other.known and other.known["t1"].notices is not None)
        await until(other, lambda: other.known["t2"].seat.credit == 101_000)  # type: ignore[union-attr]


@on_an_evening()
async def test_void_4_a_round_is_told_a_third_time_and_stays_void(here: Evening) -> None:
    await here.plays()
    await here.dana.done_with(here.sue, REOPENING, **TOLD, fixes=BUST)
    late = await here.dana.post(REOPENING, **TOLD, fixes=[{"fix": "replace", "number": 5, "card": "8h"}], reason="no")
    assert late.reason == "Round 1 was reopened by somebody else meanwhile: look at it again (VOID-4)."
    void: dict[str, Any] = {"round": 1, "telling": 3, "void": True, "why": "dispute"}
    await here.dana.done_with(here.sue, REOPENING, **void)
    assert here.credit() == 100_000
    [told] = (await here.sue.get("/api/recall", table="t1", round=1)).body
    assert [each["status"] for each in told["record"]["earlier"]] == ["settled", "settled"]
    assert told["status"] == "void"
    again = await here.dana.post(REOPENING, round=1, telling=4, fixes=BUST, why="dispute")
    assert again.reason == "Round 1 is void and cannot be settled again (VOID-4)."
    assert (await here.dana.get(REOPENING)).body == []
    [row] = [row for row in (await here.sue.get("/api/reports/table-win")).body["rows"] if row[0] == "t1"]
    assert row[2:4] == [0, 1]


@on_an_evening(reopen_minutes=2)
async def test_void_4_a_result_stands_after_its_time(here: Evening) -> None:
    await here.plays()
    here.served.pass_time(121_000)
    assert (await here.dana.get(REOPENING)).body == []
    said = await here.dana.post(REOPENING, **TOLD, fixes=BUST)
    assert said.reason.startswith("Round 1 cannot be reopened any more: a result stands after 2 minutes")


@on_an_evening()
async def test_void_4_what_cannot_be_reopened_is_refused_in_a_sentence(here: Evening) -> None:
    await here.plays()
    for more, sentence in (
        ({"fixes": BUST, "why": ""}, "Reopening a round needs a reason (EVT-1)."),
        ({}, "A reopened round is either corrected or void: enter what is corrected, or void it (VOID-4)."),
        (
            {"fixes": BUST, "void": True},
            "A reopened round is either corrected or void: enter what is corrected, or void it (VOID-4).",
        ),
        ({"fixes": BUST, "round": 9}, "Round 9 at 't1' was never settled: there is nothing to reopen (VOID-4)."),
    ):
        assert (await here.dana.post(REOPENING, **{**TOLD, **more})).reason == sentence
    short = [{"fix": "replace", "number": 5, "card": "Ah"}]  # 17 or 7: the dealer would draw again
    soft = await here.dana.post(REOPENING, **TOLD, fixes=[{"fix": "remove", "number": 5}])
    assert soft.reason.startswith("With these cards the round would not be finished: it awaits ")
    assert (await here.dana.post(REOPENING, **TOLD, fixes=short)).body["why"]["key"] == "refused.approval-waits"
    assert (await here.carl.post(REOPENING, **TOLD, fixes=BUST)).status == 403
    assert (await here.pat.post(REOPENING, **TOLD, fixes=BUST)).status == 403
    assert here.credit() == 99_000
    assert here.table.tellings.of(1) == 1


@on_an_evening()
async def test_sec_6_the_dealer_of_the_round_is_not_the_second_person(here: Evening) -> None:
    await here.plays()
    sam = await here.served.staff(here.operator, "supervisor", "sam")
    await here.sue.post(REOPENING, **TOLD, fixes=BUST)
    assert (await here.sue.get("/api/approvals")).body == []
    await sam.accept()
    await here.sue.done(REOPENING, **TOLD, fixes=BUST)
    assert here.credit() == 101_000


def test_void_4_the_table_itself_lets_nobody_reopen_a_round_alone(tmp_path: Path) -> None:
    """Whatever asks it: no second person, and the same person twice, are refused."""
    with playing_house(tmp_path / "podium.db") as playing:
        name = "stadium-blackjack-1"
        playing.seat_bots(name)
        playing.play(name)
        line = round_of_number(playing.book, name, 1)
        assert line is not None
        reopening = reopen(settled(playing.book, line), [], Reason("malfunction"), void=True)

        def reopened_by(second: str) -> None:
            def reopens(table: Table) -> None:
                table.reopen(reopening, playing.now, by="sue", approved_by=second)

            playing.house.at_table(name, reopens)

        for second in ("", "sue"):
            with pytest.raises(Refused, match=r"\(VOID-4\)"):
                reopened_by(second)
            assert playing.house.table(name).tellings.of(1) == 1
        reopened_by("sam")
        assert playing.house.table(name).tellings.of(1) == 2


def test_void_4_two_supervisors_void_an_automated_round_after_its_result(tmp_path: Path) -> None:
    voids_after_the_result(tmp_path)
    assert verify_house(str(tmp_path)) == 0


@on_a_loop
async def voids_after_the_result(data: Path) -> None:
    async with a_house(data, SLOW) as served:
        operator = await served.operator()
        sue, sam = [await served.staff(operator, "supervisor", name) for name in ("sue", "sam")]
        guest, name = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await comes_to(served, terminal, "betting")
            before = served.house.credit(name) + 1_600
            while served.house.table("t1").phase() not in ("result", "void"):
                await a_step(served)
            number = served.house.table("t1").round_number
            [listed] = (await sue.get(REOPENING)).body
            assert (listed["round"], listed["corrects"]) == (number, False)
            told: dict[str, Any] = {"round": number, "telling": 2, "why": "malfunction"}
            proven = await sue.post(REOPENING, **told, fixes=[{"fix": "replace", "number": 1, "card": "As"}])
            assert proven.reason == (
                "The cards of an automated table are proven by its shoe and cannot be corrected: void the round (VOID-4)."
            )
            await sue.done_with(sam, REOPENING, **told, void=True)
            assert served.house.credit(name) == before
            assert served.house.table("t1").phase() == "void"
            await next_round(served, terminal, number)
            shoe = served.house.table("t1").shoe_number
            while served.house.table("t1").shoe_number == shoe:
                await comes_to(served, terminal, "betting")
                await a_step(served)
