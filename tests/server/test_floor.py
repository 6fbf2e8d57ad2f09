"""The floor over HTTP: tables live, opened and closed, and rules that change with the next round."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.cards import cards
from podium.maths import three_card
from podium.record.fair import Proof, difference
from podium.rules.bets import ANTE_BONUS
from podium.server.theory import Theory
from tests.server.served import CONFIG, QUICK, Browser, a_house, play, until
from tests.terminal import on_a_loop


async def table(browser: Browser, name: str = "t1") -> dict[str, Any]:
    """A table as the floor sees it."""
    said = await browser.get("/api/floor/tables")
    assert said.status == 200, said
    found: dict[str, Any] = next(each for each in said.body if each["table"] == name)
    return found


@on_a_loop
async def test_the_floor_sees_handle_win_hold_and_the_bets_in_play(tmp_path: Path) -> None:
    slow = msgspec.structs.replace(QUICK, close_betting_early=False)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": slow})) as served:
        operator = await served.operator()
        empty = await table(operator)
        assert (empty["handle"], empty["win"], empty["hold"], empty["theory"]) == (0, 0, None, None)
        guest, name = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"blackjack": 5_000})
            await terminal.bet({"blackjack": 3_000})
            live = await table(operator)
            assert (live["handle"], live["exposure"], live["players"], live["phase"]) == (3_000, 3_000, 1, "betting")
            served.pass_time(60_000)
            await play(terminal, {}, lambda: terminal.view.phase == "result")
            after = await table(operator)
            assert after["win"] == 100_000 - served.house.credit(name) - served.house.held(name)
            assert after["hold"] == after["win"] / after["handle"]
        await served.restart()
        assert (await table(served.moved(operator)))["handle"] == after["handle"]


@on_a_loop
async def test_void_3_a_table_that_is_closed_says_why_and_opens_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        supervisor = await served.staff(operator, "supervisor")
        await supervisor.done("/api/floor/tables/t1", state="closed", reason="The shoe is being cleaned.")
        closed = await table(operator)
        notice = {"key": "reason.text", "facts": {"text": "The shoe is being cleaned."}}
        assert [alert["facts"] for alert in closed["alerts"]] == [{"notice": notice}]
        for state in ("paused", "closed"):
            refused = await operator.post("/api/floor/tables/t1", state=state, reason=" ")
            assert (refused.status, refused.reason) == (422, "To pause or close a table, give a reason.")
        paused = await operator.done("/api/floor/tables/t1", state="paused", why="break")
        notice = {"key": "reason.break"}
        assert (paused["phase"], [alert["facts"] for alert in paused["alerts"]]) == ("paused", [{"notice": notice}])
        await served.restart()
        assert not served.house.table("t1").is_open
        await served.moved(operator).done("/api/floor/tables/t1", state="open")
        assert served.house.table("t1").is_open
        said = await served.moved(operator).post("/api/floor/tables/none", state="open")
        assert said.reason == "There is no table 'none'. Tables: t1."


@on_a_loop
async def test_the_options_of_a_table_come_with_clause_values_and_words(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        options = {each["name"]: each for each in (await operator.get("/api/floor/tables/t1/options")).body}
        surrender = options["surrender"]
        assert (surrender["clause"], surrender["type"], surrender["value"]) == ("SBJ 5.f", "text", "on")
        assert "off" in surrender["values"]
        assert surrender["says"] == {"key": "option.surrender.on"}
        assert options["double_totals"]["allowed"] == {"key": "option.double_totals.accepts"}
        assert options["limits"]["value"] == {"blackjack": [100, 100_000]}


@on_a_loop
async def test_a_change_is_seen_before_it_is_made(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        preview = await operator.done("/api/floor/tables/t1/preview", options={"surrender": "off"})
        said = [part["said"] for chapter in preview["chapters"] for part in chapter["parts"]]
        assert {"key": "option.surrender.off"} in said
        assert preview["changed"] == {"surrender": "off"}
        assert preview["wagers"] == []
        assert preview["fingerprint"] != served.house.table("t1").upcoming.to_game().fingerprint
        assert served.house.table("t1").version == 1
        wrong = await operator.post("/api/floor/tables/t1/preview", options={"surrender": "maybe"})
        assert wrong.reason.startswith('surrender = "maybe" is not allowed (SBJ 5.f)')
        wrong = await operator.post("/api/floor/tables/t1/preview", options={"colour": "red"})
        assert wrong.reason.startswith("stadium-blackjack has no option 'colour'")
        wrong = await operator.post("/api/floor/tables/t1/schedule", settings={"betting_seconds": "long"})
        assert wrong.reason.startswith("The settings are not understood")
        wrong = await operator.post("/api/floor/tables/t1/schedule", settings={"betting_seconds": 0})
        assert wrong.reason.startswith("betting_seconds = 0.0 is not allowed")
        assert served.house.table("t1").version == 1


@on_a_loop
async def test_game_5_a_change_waits_for_the_next_round_and_is_versioned(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            before = terminal.view.fingerprint
            scheduled = await operator.done("/api/floor/tables/t1/schedule", options={"surrender": "off"})
            assert scheduled["version"] == 2
            assert scheduled["rules"] != before
            number = terminal.view.round
            await play(terminal, {"blackjack": 100}, lambda: terminal.view.phase == "result")
            assert (terminal.view.round, terminal.view.fingerprint) == (number, before)
            served.pass_time(60_000)
            await until(terminal, lambda: terminal.view.round > number)
            assert terminal.view.fingerprint == scheduled["rules"]
            await until(terminal, lambda: terminal.rules is not None and terminal.rules.options["surrender"] == "off")
        assert served.house.config.tables["t1"].options["surrender"] == "off"
        await served.restart()
        assert served.house.table("t1").game.rules.surrender == "off"


@on_a_loop
async def test_a_new_table_opens_at_once(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        config = {"game": "mega-blackjack", "betting_seconds": 1}
        assert (await operator.done("/api/floor/tables", name="mega-2", config=config))["title"]
        again = await operator.post("/api/floor/tables", name="mega-2", config=config)
        assert again.reason == "The table name 'mega-2' is already taken."
        wrong = await operator.post("/api/floor/tables", name="Mega 3", config=config)
        assert "a table is named with small letters" in wrong.reason
        wrong = await operator.post("/api/floor/tables", name="x", config={"game": "chess"})
        assert "chess" in wrong.reason
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("mega-2")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
        await served.restart()
        assert set(served.house.tables) == {"t1", "mega-2"}


@on_a_loop
async def test_disp_7_the_mathematics_is_asked_for_a_preview_and_for_the_hold(tmp_path: Path) -> None:
    """Three card poker is worked out quickest; the figures are those that `podium par` prints."""
    tables = {"t1": msgspec.structs.replace(QUICK, game="stadium-three-card-poker", options={})}
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables=tables)) as served:
        served.theory = Theory()
        await served.restart()
        operator = await served.operator()
        wagers: list[dict[str, Any]] = []
        while not wagers:
            wagers = (await operator.done("/api/floor/tables/t1/preview"))["wagers"]
        ante = next(line for line in wagers if line["wager"] == "ante")
        assert (ante["title"], ante["method"]) == ("Ante", "exact")
        assert abs(ante["return"] + ante["house_edge"] - 1) < 1e-9
        assert (await table(operator))["theory"] == 1 - ante["return"]


@on_a_loop
async def test_what_the_stakes_can_cost_is_worked_out_for_the_floor(tmp_path: Path) -> None:
    tables = {"t1": msgspec.structs.replace(QUICK, game="stadium-three-card-poker", options={})}
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables=tables)) as served:
        served.theory = Theory()
        await served.restart()
        operator = await served.operator()
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await until(terminal, lambda: terminal.view.phase == "betting")
            await terminal.bet({"ante": 1_000, "pair-plus": 500, "pair-plus@row-2": 100}, spots=(1, 2, 3))
            while (shown := await table(operator))["largest"] is None:  # who stays is waited for
                await asyncio.sleep(0.1)
        # A straight flush wins 1 + 1 + 5 for each unit of the ante, and 40 for each of Pair Plus, wherever it lies.
        assert (shown["exposure"], shown["largest"]) == (1_600, 7 * 1_000 + 40 * 600)
        spread = three_card.figures(ANTE_BONUS.paytables["A"]).standard_deviation * 1_000
        assert shown["spread"] == pytest.approx(spread + 2.849553443057313 * 600, abs=1)


@on_a_loop
async def test_rng_10_an_ended_shoe_proves_itself_over_http(tmp_path: Path) -> None:
    quick = msgspec.structs.replace(QUICK, game="stadium-three-card-poker", options={}, result_seconds=0)
    async with a_house(tmp_path, msgspec.structs.replace(CONFIG, tables={"t1": quick})) as served:
        guest, _ = await served.guest()
        async with await guest.terminal() as terminal:
            await terminal.watch("t1")
            await terminal.join()
            await play(terminal, {"ante": 500}, lambda: terminal.view.round > 2, spots=(1, 2, 3))
        shoes = (await guest.get("/api/shoes", table="t1")).body
        assert [shoe["number"] for shoe in shoes] == sorted((shoe["number"] for shoe in shoes), reverse=True)
        shoe = next(each for each in shoes if each["rounds"] == [1, 1])
        raw = (await guest.get("/api/proof", table="t1", shoe=shoe["number"])).body
        assert raw["commitment"] == shoe["commitment"]
        dealt = cards(raw.pop("dealt"))
        assert len(dealt) == 12
        assert difference(msgspec.convert(raw, Proof), dealt, decks=1) is None
        assert (await guest.get("/api/proof", table="t1", shoe=999)).reason == "No shoe '999' has ended at t1."
        before = shoes
        await served.restart()
        assert (await served.moved(guest).get("/api/shoes", table="t1")).body[-len(before) :] == before
