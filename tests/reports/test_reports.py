"""Reports and significant events, from the record of a house that has really played."""

import csv
import io
import json
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH, Phrase, as_written, codes, declared, language
from podium.house.events import NOTED
from podium.house.reports import (
    REPORTS,
    AskedInterval,
    Interval,
    Records,
    as_csv,
    between,
    day,
    interval_of,
    report,
)
from podium.house.reports.postings import entries_in, posted_in
from podium.house.reports.records import WagerTotals, totals_of
from podium.house.reports.report import NO_ACTIVITY, Column, Sheet, not_a_formula
from podium.house.reports.significant import KINDS as EVENTS
from podium.maths.par_sheet import par
from podium.record.journal import Entry
from podium.record.ledger import account, kind_of, names_of
from podium.record.meters import Meters
from podium.record.store import Book, Posted, open_book
from podium.rules.games import GAMES, Game
from tests.houses import NOON, all_games, playing_house
from tests.reports import all_rounds, rows
from tests.table import match_up_blackjack

HOUR = 3_600_000
TODAY = day("2026-05-28")


# --- intervals and the form of a report --------------------------------------------------------------------------------------


def test_rep_1_a_day_is_from_midnight_to_midnight() -> None:
    assert Interval(as_written("2026-05-28"), 1_779_926_400_000, 1_780_012_800_000) == TODAY
    assert TODAY.since < NOON < TODAY.until


def test_an_interval_that_means_nothing_is_refused() -> None:
    with pytest.raises(Refused, match="is not a day: write it like 2026-05-28"):
        day("28.5.2026")
    with pytest.raises(Refused, match="begins before it ends"):
        between(5, 5)


def test_rep_1_a_report_has_title_interval_time_made_and_rows(book: Book, records: Records) -> None:
    for name, title in REPORTS.items():
        made = report(name, book, records, TODAY, NOON + HOUR)
        assert (made.title, made.interval, made.made) == (title, TODAY.title, NOON + HOUR)
        # Nobody practised here or set a limit; tests/test_training.py and tests/test_protection.py have those who did.
        assert bool(made.rows) == (name not in ("dealer-practice", "player-protection"))
        said = list(csv.reader(io.StringIO(as_csv(made))))
        assert said[0] == ["Report", ENGLISH.say(title)]
        assert ["Made", "2026-05-28T13:00:00.000Z"] in said
        header = said.index([ENGLISH.say(column.title) for column in made.columns])
        assert len(said) == header + 1 + max(1, len(made.rows)) + (made.total is not None)
        assert len(rows(made)) == len(made.rows)


NAMED = {"game": "game", "wager": "wager", "event": "report.event", "meter": "report.meter"}
"""The columns whose cells are names, and where the words for them stand."""


@pytest.mark.parametrize("code", codes())
def test_rep_1_a_report_is_said_in_every_language(book: Book, records: Records, code: str) -> None:
    said = language(code)
    for name in REPORTS:
        made = report(name, book, records, TODAY, NOON + HOUR)
        assert said.heading(made.title)
        assert made.note is None or said.sentence(made.note)
        assert all(said.heading(column.title) for column in made.columns)
        for column, cells in zip(made.columns, zip(*made.rows, strict=True), strict=bool(made.rows)):
            for cell in cells:
                if isinstance(cell, Phrase):
                    assert said.say(cell)
                elif column.kind in NAMED and cell:
                    assert f"{NAMED[column.kind]}.{str(cell).partition('@')[0]}" in said


def test_evt_1_every_kind_of_event_has_words() -> None:
    assert NOTED.keys() < EVENTS.keys()
    assert {f"report.meter.{meter}" for meter in Meters.__struct_fields__} < declared().keys()


def test_rep_1_no_activity_is_said(book: Book, records: Records) -> None:
    before = day("2020-01-01")
    for name in REPORTS:
        made = report(name, book, records, before, NOON)
        assert made.rows == ()
        assert made.says == NO_ACTIVITY
        assert as_csv(made).rstrip().endswith("no activity")
    with pytest.raises(Refused, match="There is no report 'gossip': the reports are game-performance, "):
        report("gossip", book, records, before, NOON)


def test_a_cell_never_becomes_a_formula() -> None:
    title = as_written("s")
    columns = (Column("a", title), Column("b", title, "amount"), Column("c", title, "share"))
    written = as_csv(Sheet("s", title, columns).filled(TODAY, NOON, [("=1+1", -5, 0.25), ('say "x"', None, None)]))
    for formula in ("=1", "+1", "-1", "@a", "\t=1", "\n=1", "\N{FULLWIDTH EQUALS SIGN}1"):
        assert not_a_formula(formula) == f"'{formula}"
    assert "'=1+1,-5,0.250000\r\n" in written
    assert '"say ""x""",,\r\n' in written


def test_an_index_that_follows_is_the_one_that_reads_everything(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        following = Records()
        playing.seat_bots("mega-blackjack-1")
        for _ in range(4):
            playing.play("mega-blackjack-1", 1)
            following.catch_up(playing.book)
            following.follow(playing.book.entries("table/mega-blackjack-1"))  # again: nothing happens twice
        whole = Records()
        whole.catch_up(playing.book)
        for name in REPORTS:
            assert report(name, playing.book, following, TODAY, NOON) == report(name, playing.book, whole, TODAY, NOON)


# --- the reports -------------------------------------------------------------------------------------------------------------


def test_rep_2_table_win_is_what_the_banks_hold(book: Book, records: Records) -> None:
    made = report("table-win", book, records, TODAY, NOON)
    banks = {names_of(name)[0]: amount for name, amount in book.balances().items() if kind_of(name) == "bank"}
    in_play = records.recall(book, "mega-blackjack-1", 13)
    early = sum(payment.staked - payment.returned for part in in_play.players for payment in part.settled)
    won = {row["table"]: row["win"] for row in rows(made)}
    won["mega-blackjack-1"] += early
    assert won == {table: banks.get(table, 0) for table in won}
    assert len(won) == 5
    by_name = {row["table"]: row for row in rows(made)}
    assert by_name["dynasty-blackjack-1"]["void"] == 1
    assert by_name["dynasty-blackjack-1"]["rounds"] == 12
    assert by_name["dynasty-blackjack-1"]["drop"] == 3 * 10_000_00
    assert by_name["match-up-blackjack-1"]["drop"] == 3 * 10_000_00 + 20_000 + 30_000
    hold = by_name["dynasty-blackjack-1"]["win"] / by_name["dynasty-blackjack-1"]["handle"]
    assert by_name["dynasty-blackjack-1"]["hold_of_handle"] == pytest.approx(hold)


def test_rep_2_game_performance_against_theory(book: Book, records: Records) -> None:
    def some_edges(game: Game) -> dict[str, float] | None:
        return {"blackjack": 0.01} if game.name != "mega-blackjack" else None

    made = report("game-performance", book, records, TODAY, NOON, theory=some_edges)
    tables = report("table-win", book, records, TODAY, NOON)
    assert made.total is not None
    assert tables.total is not None
    assert made.total[4:6] == tables.total[5:7]
    by_wager = {(row["game"], row["wager"]): row for row in rows(made)}
    main = by_wager["dynasty-blackjack", "blackjack"]
    placed = sum(
        part.wagers["blackjack"]
        for each in all_rounds(book, records)
        if each.table == "dynasty-blackjack-1" and each.status == "settled"
        for part in each.players
    )
    assert main["initial"] == placed
    assert main["theoretical_win"] == round(placed * 0.01)
    assert main["difference"] == pytest.approx(main["win"] / main["handle"] - placed * 0.01 / main["handle"])
    assert main["handle"] > main["initial"]
    assert by_wager["mega-blackjack", "blackjack"]["theoretical_hold"] is None


def test_rep_2_what_follows_the_ante_counts_with_it_against_the_mathematics(book: Book, records: Records) -> None:
    edge = float(par(GAMES["stadium-three-card-poker"]).entries[0].figures.house_edge)
    made = report("game-performance", book, records, TODAY, NOON, theory=lambda game: {"ante": edge})
    by_wager = {row["wager"]: row for row in rows(made) if row["game"] == "stadium-three-card-poker"}
    assert "play" not in by_wager
    lines = [
        payment
        for each in all_rounds(book, records)
        if each.table == "stadium-three-card-poker-1"
        for part in each.players
        for payment in part.settled
        if payment.wager in ("ante", "play", "ante-bonus")
    ]
    ante = by_wager["ante"]
    assert ante["handle"] == sum(line.staked for line in lines) > ante["initial"]
    assert ante["win"] == sum(line.staked - line.returned for line in lines)
    assert ante["theoretical_win"] == round(ante["initial"] * edge) > 0


def test_rep_2_insurance_is_counted_by_itself() -> None:
    table = (
        match_up_blackjack().bets(p1=1_000).dealt("9s Ac 8h 5d").decides(p1="insure").decides(p1="stand").dealt("Td Kc")
    )
    table.confirmed()
    assert totals_of(table.round) == {
        "blackjack": WagerTotals(initial=1_000, staked=1_000, returned=2_000),
        "insurance": WagerTotals(staked=500),
    }


def test_rep_2_operator_liability_is_what_is_owed(book: Book, records: Records) -> None:
    now = report("operator-liability", book, records, TODAY, NOON + HOUR)
    owed = Counter[str]()
    for name, amount in book.balances().items():
        owed[kind_of(name)] += amount
    amounts = {row["what"]: row["amount"] for row in rows(now)}
    assert amounts["credit of players"] == owed["credit"]
    assert amounts["wagers in play"] == owed["in-play"] > 0
    assert amounts["outstanding tickets"] == 5_000
    begun = report("operator-liability", book, records, between(NOON - HOUR, NOON + 1), NOON + HOUR)
    assert {row["what"]: row["amount"] for row in rows(begun)} == {"credit of players": 3 * 10_000_00}


def test_rep_2_tips_by_dealer(book: Book, records: Records) -> None:
    [row] = rows(report("tips", book, records, TODAY, NOON))
    assert (row["dealer"], row["tips"]) == ("automated", book.balances()[account("tips", "automated")])


def test_rep_2_tickets_issued_redeemed_and_outstanding(book: Book, records: Records) -> None:
    made = report("tickets", book, records, TODAY, NOON)
    assert [(row["issued"], row["redeemed"], row["outstanding"]) for row in rows(made)] == [
        (20_000, None, 20_000),
        (5_000, None, 25_000),
        (None, 20_000, 5_000),
    ]
    assert made.total is not None
    assert made.total[-3:] == (25_000, 20_000, 5_000)


def test_rep_2_large_wins(book: Book, records: Records) -> None:
    made = rows(report("large-wins", book, records, TODAY, NOON))
    expected = {
        (each.table, each.round, part.player, won)
        for each in all_rounds(book, records)
        for part in each.players
        if (won := sum(max(0, payment.returned - payment.tips - payment.staked) for payment in part.settled)) >= 3_000
    }
    assert {(row["table"], row["round"], row["player"], row["won"]) for row in made} == expected
    assert expected


def test_hp_1_a_win_that_an_attendant_pays_is_reported(tmp_path: Path) -> None:
    config = msgspec.structs.replace(all_games(attendant_pays_from=500), large_win=500)
    with playing_house(tmp_path / "podium.db", config) as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play_until("dynasty-blackjack-1", lambda table: bool(playing.house.held("dynasty-blackjack-1.bot1")))
        records = Records()
        made = rows(report("large-wins", playing.book, records, TODAY, NOON))
        assert any(row["attendant"] == row["won"] >= 500 for row in made)
        last = records.recall(playing.book, "dynasty-blackjack-1", len(records.rounds.by_table["dynasty-blackjack-1"]))
        own = next(part for part in last.players if part.player.endswith("bot1"))
        assert own.held == playing.house.held(own.player)
        assert own.credit_after == playing.house.credit(own.player)


def test_mtr_1_mtr_2_every_meter_equals_the_sum_over_the_ledger(book: Book, records: Records) -> None:
    made = rows(report("meters", book, records, TODAY, NOON))
    tables = {f"table {table}" for table in records.rounds.by_table}
    terminals = {"terminal cage-1", "terminal terminal-1", "terminal terminal-2", "terminal terminal-3"}
    assert {row["where"] for row in made} == {"house", *tables, *terminals}
    assert all(row["difference"] == 0 for row in made)
    for meter in Meters.__struct_fields__:
        by_terminal = [row["journal"] for row in made if row["meter"] == meter and row["where"] in terminals]
        whole = [row["journal"] for row in made if row["meter"] == meter and row["where"] == "house"]
        assert [sum(by_terminal)] == whole, meter
    house = {row["meter"]: row for row in made if row["where"] == "house"}
    assert house["bills_in"]["shown"] == "0015000000"
    assert house["vouchers_out"]["journal"] == 25_000
    assert all(len(row["shown"]) == 10 for row in made)


def test_mtr_2_a_ledger_that_was_altered_differs_from_its_meters(record: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(record, tmp_path / "podium.db"))
    file = sqlite3.connect(copy)
    with file:
        file.execute("UPDATE transfers SET amount = amount + 7 WHERE id = 't-2'")
    file.close()
    book = open_book(copy, writable=False)
    made = rows(report("meters", book, Records(), TODAY, NOON))
    book.close()
    assert {(row["where"], row["meter"], row["difference"]) for row in made if row["difference"]} == {
        ("house", "vouchers_out", -7),
        ("terminal terminal-1", "vouchers_out", -7),
    }


def test_rep_2_player_sessions_add_up_to_the_credit(book: Book, records: Records) -> None:
    made = rows(report("player-sessions", book, records, TODAY, NOON))
    assert len(made) == 15
    for row in made:
        credit = row["bought_in"] + row["net"] - row["cashed_out"] + row["adjusted"]
        assert credit == book.balances()[account("credit", row["player"])]
        assert row["rounds"] == len(records.rounds.of_player(row["player"])) > 0
    assert {row["player"]: row["adjusted"] for row in made if row["adjusted"]} == {"match-up-blackjack-1.bot1": 1_500}


# --- significant events ------------------------------------------------------------------------------------------------------


def test_evt_1_what_is_significant_by_nature_is_found(book: Book, records: Records) -> None:
    made = rows(report("significant-events", book, records, TODAY, NOON))
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for row in made:
        by_kind.setdefault(row["kind"], []).append(row)
    [void] = by_kind["void"]
    assert (void["source"], void["who"]) == ("dynasty-blackjack-1", "dora, approved by sam")
    assert void["reason"] == "round 13: card on the floor"
    [correction] = by_kind["correction"]
    assert (correction["who"], correction["after"]) == ("dora, approved by sam", "4h")
    dealt = [
        step.said for step in records.recall(book, "stadium-blackjack-1", 13).steps if step.said.key == "event.card"
    ]
    assert str(dealt[0]) == f"Player's card 1: {correction['before']}."
    [adjustment] = by_kind["adjustment"]
    assert (adjustment["who"], adjustment["reason"]) == ("sam and olga", "=misprinted ticket")
    assert int(adjustment["after"]) - int(adjustment["before"]) == 1_500
    assert len(by_kind["table-opened"]) == 5
    assert by_kind["sign-in-failed"][0]["source"] == "terminal-7"
    assert not set(NOTED) & (set(by_kind) - {"sign-in-failed"})
    house, *_, changed = (
        row for row in by_kind["configuration-changed"] if row["source"] != "house" or not row["before"]
    )
    assert set(json.loads(house["after"])["tables"]) == set(records.rounds.by_table)
    assert (changed["source"], changed["who"], changed["reason"]) == ("match-up-blackjack-1", "olga", "version 2")
    assert json.loads(changed["before"]) == {"betting_seconds": 15}
    assert json.loads(changed["after"]) == {"betting_seconds": 30}
    assert {row["kind"] for row in made} >= {"large-win", "large-wager", "house-started"}


def test_evt_1_large_wins_and_wagers_are_those_of_the_rounds(book: Book, records: Records) -> None:
    wagers = {
        (each.table, part.player, f"round {each.round}", str(part.staked))
        for each in all_rounds(book, records)
        if each.status == "settled"
        for part in each.players
        if part.staked >= 2_500
    }
    found = records.significant.search(kind="large-wager")
    assert {(event.source, event.who, event.reason, event.after) for event in found} == wagers


def test_evt_4_significant_events_are_searched(book: Book, records: Records) -> None:
    search = records.significant.search
    assert [event.kind for event in search(text="PASSWORD")] == ["sign-in-failed"]
    assert {event.kind for event in search(who="dora")} == {"void", "correction", "sign-in-failed"}
    assert {event.source for event in search(source="mega-blackjack-1")} == {"mega-blackjack-1"}
    assert search(between(1, 2)) == []
    times = [event.at for event in search()]
    assert times == sorted(times)


def test_a_report_of_an_interval_takes_what_lies_in_it_and_no_more(book: Book, records: Records) -> None:
    whole = report("game-performance", book, records, TODAY, NOON)
    middle = max(line.ended for line in records.rounds.newest_first("mega-blackjack-1"))
    halves = [
        report("game-performance", book, records, interval, NOON)
        for interval in (between(TODAY.since, middle), between(middle, TODAY.until))
    ]
    parts = Counter[str]()
    for half in halves:
        for row in rows(half):
            parts[f"{row['game']} {row['wager']}"] += row["handle"]
    assert parts == {f"{row['game']} {row['wager']}": row["handle"] for row in rows(whole)}
    assert all(half.rows for half in halves)


class Counting:
    """A book that counts how often it is read."""

    def __init__(self, book: Book) -> None:
        self.book, self.reads = book, 0

    def posted(self, after: int = 0, limit: int = 10_000) -> list[Posted]:
        self.reads += 1
        return self.book.posted(after, limit)

    def entries(self, stream: str, after: int = 0, limit: int = 10_000) -> list[Entry]:
        self.reads += 1
        return self.book.entries(stream, after, limit)


def test_transfers_of_an_interval_are_found_by_halving(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        for number in range(2_000):
            playing.house.pay_in("ann", 1, NOON + number * HOUR, key=f"k{number}", by="carl")
        playing.store()
        counting = Counting(playing.book)
        reading: Any = counting
        wanted = between(NOON + 1_500 * HOUR, NOON + 1_503 * HOUR)
        assert [posted.transfer.id for posted in posted_in(reading, wanted)] == ["k1500", "k1501", "k1502"]
        assert [entry.time - NOON for entry in entries_in(reading, "house", wanted)] == [
            n * HOUR for n in (1500, 1501, 1502)
        ]
        assert counting.reads < 70


# --- gaming days -------------------------------------------------------------------------------------------------------------


def test_rep_1_a_new_time_zone_moves_nothing_between_the_days_before(tmp_path: Path) -> None:
    with playing_house(tmp_path / "podium.db") as playing:
        playing.seat_bots("dynasty-blackjack-1")
        playing.play("dynasty-blackjack-1", 3)
        before, records = Records(), Records()
        before.catch_up(playing.book)
        asked = AskedInterval("day", "2026-05-28")
        told = report("table-win", playing.book, before, interval_of(asked, before.calendar, NOON), NOON)
        moved = msgspec.structs.replace(playing.house.config, time_zone="Pacific/Kiritimati", day_begins="05:00")
        playing.house.configure(moved, playing.now + HOUR, by="olga")
        playing.store()
        records.catch_up(playing.book)
        again = report("table-win", playing.book, records, interval_of(asked, records.calendar, NOON), NOON)
        assert (again.since, again.rows, again.total) == (told.since, told.rows, told.total)
        assert records.calendar.rule.time_zone == "Pacific/Kiritimati"
        [changed] = [each for each in records.significant.search(TODAY) if '"Pacific/Kiritimati"' in each.after]
        assert (changed.kind, changed.who) == ("configuration-changed", "olga")


def test_rep_1_times_in_a_file_are_those_of_the_house() -> None:
    title = as_written("s")
    made = Sheet("s", title, (Column("t", title, "time"),)).filled(
        Interval(title, 0, NOON, "Asia/Tokyo"), NOON, [(NOON,)]
    )
    assert "Time zone,Asia/Tokyo\r\n" in as_csv(made)
    assert "\r\n2026-05-28T21:00:00.000+09:00\r\n" in as_csv(made)


# --- play money --------------------------------------------------------------------------------------------------------------


def test_guests_at_an_ordinary_table_are_in_no_report_of_money(tmp_path: Path) -> None:
    """A load test plays with guests: the books are those of a house where nobody but the players had been."""
    table, made = "dynasty-blackjack-1", dict[str, dict[str, Any]]()
    with playing_house(tmp_path / "podium.db") as playing:
        [ann] = playing.seat_bots(table, 1)
        for number in range(1, 6):
            guest = f"guest-{number}"
            playing.house.admit(guest, "guest", playing.now)
            playing.house.pay_in(guest, 100_000, playing.now, key=guest, by="house")
            playing.house.sit_down(guest, table, None, playing.now)
        playing.play(table, 8)
        records = Records()
        records.catch_up(playing.book)
        for name in REPORTS:
            made[name] = {str(row[0]): row for row in report(name, playing.book, records, TODAY, playing.now).rows}
        [row] = rows(report("table-win", playing.book, records, TODAY, playing.now))
        recalled = [records.recall(playing.book, table, number) for number in range(1, 9)]
    own = [part for record in recalled for part in record.players if part.player == ann]
    assert len(own) < sum(len(record.players) for record in recalled)
    assert row["drop"] == 10_000_00
    assert row["handle"] == sum(part.staked for part in own)
    assert row["win"] == -sum(part.net for part in own)
    assert set(made["player-sessions"]) == {ann}
    with closing(open_book(tmp_path / "podium.db", writable=False)) as book:
        meters = rows(report("meters", book, records, TODAY, NOON + HOUR))
        liability = rows(report("operator-liability", book, records, TODAY, NOON + 12 * HOUR))
        credit = book.balances()[account("credit", ann)]
    house = {each["meter"]: each for each in meters if str(each["where"]) == "house"}
    assert (house["drop"]["journal"], house["coin_in"]["journal"]) == (10_000_00, sum(part.staked for part in own))
    assert {each["difference"] for each in meters} == {0}
    assert credit in [each["amount"] for each in liability]
