"""Rounds, significant events and reports over HTTP."""

from pathlib import Path

from tests.server.served import Browser, Served, a_house, play
from tests.terminal import on_a_loop


async def played(served: Served) -> tuple[Browser, str]:
    """A guest who has played a round."""
    guest, name = await served.guest()
    async with await guest.terminal() as terminal:
        await terminal.watch("t1")
        await terminal.join()
        await play(terminal, {"blackjack": 1_000}, lambda: terminal.view.phase == "result")
    return guest, name


@on_a_loop
async def test_rec_1_a_player_recalls_the_rounds_and_sees_them_step_by_step(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        guest, name = await played(served)
        [recalled] = (await guest.get("/api/rounds", table="t1")).body
        assert (recalled["round"], recalled["status"], recalled["dealing"]) == (1, "settled", "community")
        assert recalled["credit_before"] == 100_000
        assert recalled["credit_after"] == served.house.credit(name)
        steps = recalled["steps"]
        assert steps[0]["event"]["key"] == "event.bets"
        assert steps[0]["event"]["facts"]["stakes"][0]["facts"] == {"wager": "blackjack", "amount": 1_000}
        assert [step["phase"] for step in steps][:2] == ["betting", "dealing"]
        assert steps[-1]["phase"] == "result"
        assert steps[-1]["view"]["staked"] == 1_000
        [part] = recalled["record"]["players"]
        assert part["settled"] == steps[-1]["view"]["settled"]
        assert {"wager", "whose", "staked", "returned", "outcome", "why"} <= set(part["settled"][0])
        stranger, _ = await served.guest()
        assert (await stranger.get("/api/rounds", table="t1")).body == []


@on_a_loop
async def test_rec_2_the_floor_recalls_any_round(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        auditor = await served.staff(operator, "auditor")
        guest, name = await played(served)
        [recalled] = (await auditor.get("/api/recall", table="t1", round=1)).body
        assert (recalled["player"], recalled["record"]["difference"]) == (name, "")
        for number in ("7", "x", "-1", "9" * 40):
            said = await auditor.get("/api/recall", table="t1", round=number)
            assert said.reason == f"There is no round {number!r} at 't1'."
        assert (await guest.get("/api/recall", table="t1", round=1)).status == 403


@on_a_loop
async def test_evt_1_what_happened_on_the_floor_is_found_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await operator.done("/api/floor/tables/t1/schedule", options={"surrender": "off"})
        await operator.done("/api/floor/tables/t1", state="closed", reason="cleaning")
        await (await served.browser()).post("/api/sign-in", name="mallory", password="x")
        events = (await operator.get("/api/events")).body
        assert [event["kind"] for event in events][:3] == ["sign-in-failed", "table-closed", "configuration-changed"]
        [changed] = [event for event in events if event["source"] == "t1" and event["before"]]
        assert (changed["who"], '"surrender":"off"' in changed["after"]) == ("operator", True)
        [failed] = (await operator.get("/api/events", who="mallory")).body
        assert (failed["source"], failed["reason"]) == ("127.0.0.1", "The name or the password is wrong.")
        assert (await operator.get("/api/events", **{"from": "2020-01-01", "to": "2020-01-02"})).body == []
        assert (await operator.get("/api/events", **{"from": "soon"})).reason.startswith("'soon' is not a day")


@on_a_loop
async def test_rep_1_reports_as_json_and_csv(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await played(served)
        listed = (await operator.get("/api/reports")).body
        assert "table-win" in [each["name"] for each in listed]
        for each in listed:
            made = (await operator.get(f"/api/reports/{each['name']}")).body
            assert made["title"] == each["title"]
            assert all(len(row) == len(made["columns"]) for row in made["rows"])
        win = (await operator.get("/api/reports/table-win")).body
        assert win["rows"][0][0] == "t1"
        text = (await operator.get("/api/reports/table-win", format="csv")).body
        assert text.startswith("Report,")
        assert (await operator.get("/api/reports/nothing")).reason.startswith("There is no report 'nothing'")


@on_a_loop
async def test_rep_1_periods_are_gaming_days_of_the_house_and_nothing_is_ignored(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        await played(served)
        assert served.opened is not None
        card = (await operator.get("/api/calendar")).body
        assert (card["time_zone"], card["day_begins"], card["shift"], len(card["shifts"])) == ("UTC", "00:00", 1, 1)
        for period in ("day", "month", "year", "shift"):
            made = (await operator.get("/api/reports/table-win", period=period)).body
            assert made["rows"][0][0] == "t1"
            assert made["from"] < served.opened.floor.clock() < made["to"]
            assert (await operator.get("/api/events", period=period)).body
        assert (await operator.get("/api/reports/table-win", period="day", day="2020-01-01")).body["rows"] == []
        for asked, sentence in (
            ({"period": "week"}, "The request is not understood"),
            ({"perod": "month"}, "The request is not understood"),
            ({"period": "day", "from": "2026-05-01"}, "Give a period with its day, or a span with its ends, not both."),
            ({"period": "shift", "shift": 2}, f"{card['today']} has no shift 2: its shifts are 1 to 1."),
        ):
            for path in ("/api/reports/table-win", "/api/events"):
                said = await operator.get(path, **asked)
                assert (said.status, said.reason.startswith(sentence)) == (422, True), said
        for path in ("/api/reports", "/api/calendar", "/api/rounds", "/api/recall"):
            assert (await operator.get(path, period="month")).status in (422, 403)


@on_a_loop
async def test_rec_2_the_record_of_a_round_is_there_once_with_the_players_beside_it(tmp_path: Path) -> None:
    async with a_house(tmp_path) as served:
        auditor = await served.staff(await served.operator(), "auditor")
        _, name = await played(served)
        [recalled] = (await auditor.get("/api/recall", table="t1", round=1)).body
        assert name in [part["player"] for part in recalled["record"]["players"]]
        [own] = (await auditor.get("/api/recall", table="t1", round=1, player=name)).body
        assert own["player"] == name
        said = await auditor.get("/api/recall", table="t1", round=1, player="nobody")
        assert said.reason == "nobody did not bet in round 1 at t1."
        [found] = (await auditor.get("/api/recall/search", player=name)).body
        assert (found["table"], found["round"]) == ("t1", 1)
        card = recalled["record"]["cards"].split()[0]
        assert (await auditor.get("/api/recall/search", cards=card, staked=found["staked"])).body == [found]
        assert (await auditor.get("/api/recall/search", staked=found["staked"] + 1)).body == []
        assert (await auditor.get("/api/recall/search", cards="Zz")).status == 422
        assert (await auditor.get("/api/recall/search", period="day")).status == 422
