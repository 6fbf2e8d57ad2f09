"""Recall and reports hold a limited amount in memory, and say the same about what they have forgotten (REC-1,
REP-1)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.basics.refusal import Refused
from podium.house import House, limits
from podium.house.reports import REPORTS, Interval, Records, between, report
from podium.house.reports.rounds import RoundLine
from podium.house.table.events import SNAPSHOT
from podium.record.ledger import Transfer, TransferKind, account
from podium.record.limits import MAX_ROUNDS_IN_A_METER
from podium.record.meters import MeterReader
from podium.record.store import Book, open_book, read_stream
from tests.houses import NOON, busy_day, playing_house
from tests.metering import read_meters

ALWAYS = between(0, 10 * NOON)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A busy day, with a snapshot of each table every few rounds."""
    path = tmp_path_factory.mktemp("record") / "podium.db"
    defaults = House.__init__.__kwdefaults__
    assert defaults is not None
    before = dict(defaults)
    defaults["snapshot_every"] = 60
    try:
        with playing_house(path) as playing:
            busy_day(playing)
            house = playing.house
            house.admit("late", "card", playing.now)
            house.pay_in("late", 700, playing.now, key="late", by="carl", terminal="cage-1")
            house.admit("never", "card", playing.now)
            house.pay_in("never", 900, playing.now, key="never", by="carl", terminal="cage-1")
            playing.now += 1_000
            house.sit_down("late", "dynasty-blackjack-1", None, playing.now)
            house.at_table("dynasty-blackjack-1", lambda table: table.get_up("dynasty-blackjack-1.bot1", playing.now))
            playing.now += 1_000
            house.pay_in("dynasty-blackjack-1.bot1", 300, playing.now, key="again", by="carl", terminal="cage-1")
            playing.store()
    finally:
        defaults.update(before)
    return path


@pytest.fixture
def book(record: Path) -> Iterator[Book]:
    opened = open_book(record, writable=False)
    yield opened
    opened.close()


def followed(book: Book) -> Records:
    records = Records()
    records.catch_up(book)
    return records


def intervals(whole: Records) -> list[Interval]:
    """All of it, the first half of the rounds, and some in the middle."""
    ends = sorted(whole.rounds.ends())
    quarter = len(ends) // 4
    return [
        ALWAYS,
        between(0, ends[2 * quarter]),
        between(ends[quarter], ends[2 * quarter]),
        between(ends[-1], 10 * NOON),
    ]


def facts(line: RoundLine) -> tuple[Any, ...]:
    return tuple(getattr(line, name) for name in RoundLine.__slots__)


@pytest.fixture
def forgetful(book: Book, monkeypatch: pytest.MonkeyPatch) -> Records:
    """Records that hold the last few rounds only."""
    monkeypatch.setattr(limits, "MAX_INDEXED_ROUNDS", 10)
    records = followed(book)
    assert 0 < records.rounds.count <= 10
    assert records.since > 0
    return records


# --- rounds -------------------------------------------------------------------------------------------------------------


def test_a_round_that_is_forgotten_is_recalled_all_the_same(book: Book, forgetful: Records) -> None:
    """MAX_INDEXED_ROUNDS."""
    whole = every_round(book)
    assert len(whole) > 60
    for known in whole:
        found = forgetful.find(book, known.table, known.round)
        assert found is not None
        assert facts(found) == facts(known)
        assert forgetful.recall(book, known.table, known.round).difference == ""
    for table, number in (("mega-blackjack-1", 0), ("mega-blackjack-1", 999), ("nowhere", 1)):
        assert forgetful.find(book, table, number) is None


def every_round(book: Book) -> list[RoundLine]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "MAX_INDEXED_ROUNDS", 10**9)
        return list(followed(book).rounds.newest_first())


def test_a_round_is_found_from_the_snapshot_before_it(
    book: Book, forgetful: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not by reading the journal of its table from the beginning, nor the last stretch of it."""
    snapshot = [entry.sequence for entry in read_stream(book, "table/stadium-blackjack-1") if entry.kind == SNAPSHOT]
    assert len(snapshot) >= 5
    entries, read = book.entries, list[int]()

    def counted(stream: str, after: int = 0, limit: int = 10_000) -> Any:
        found = entries(stream, after, min(limit, 100))
        read.extend(entry.sequence for entry in found)
        return found

    monkeypatch.setattr(book, "entries", counted)
    rounds = forgetful.rounds.of_player("stadium-blackjack-1.bot1")
    first = next(begun for begun in rounds if forgetful.rounds.begun_at(begun) is None)
    before = max(sequence for sequence in snapshot if sequence <= first.first)
    assert len([sequence for sequence in snapshot if sequence < before]) > 1
    found = forgetful._begun_at(book, first)
    assert found is not None
    assert found.first == first.first
    assert min(read) == before - 1
    assert max(read) < found.last + 100


def test_rec_1_the_rounds_of_a_player_are_found_when_the_house_has_forgotten_them(
    book: Book, forgetful: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_INDEXED_ROUNDS", 10**9)
    whole = followed(book)
    for player in ("stadium-blackjack-1.bot1", "mega-blackjack-1.bot2"):
        played = [facts(line) for line in forgetful.search(book, player=player)]
        assert played == [facts(line) for line in whole.search(book, player=player)]
        assert len(played) > 8


def test_only_the_last_rounds_of_the_last_players_are_remembered(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_INDEXED_ROUNDS_PER_PLAYER, MAX_INDEXED_PLAYERS."""
    monkeypatch.setattr(limits, "MAX_INDEXED_ROUNDS_PER_PLAYER", 3)
    monkeypatch.setattr(limits, "MAX_INDEXED_PLAYERS", 3)
    records = followed(book)
    assert len(records.rounds._by_player) == 3
    # Tables are followed in the order of their names.
    assert all(player.startswith("stadium-three-card-poker-1") for player in records.rounds._by_player)
    for player in records.rounds._by_player:
        assert len(records.rounds.of_player(player)) == 3
    assert records.search(book, player="mega-blackjack-1.bot1") == []


# --- reports ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPORTS)
def test_rep_1_a_report_about_what_is_forgotten_is_the_same(
    book: Book, forgetful: Records, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MAX_INDEXED_ROUNDS, MAX_INDEXED_STAYS, MAX_INDEXED_EVENTS: memory makes it quicker, and nothing else."""
    monkeypatch.setattr(limits, "MAX_INDEXED_ROUNDS", 10**9)
    whole = followed(book)
    for interval in intervals(whole):
        assert report(name, book, forgetful, interval, NOON) == report(name, book, whole, interval, NOON)


@pytest.mark.parametrize(("limit", "name"), [("STAYS", "player-sessions"), ("EVENTS", "significant-events")])
def test_rep_1_an_interval_that_is_too_much_is_refused(
    book: Book, monkeypatch: pytest.MonkeyPatch, limit: str, name: str
) -> None:
    """MAX_INDEXED_STAYS, MAX_INDEXED_EVENTS: a shorter interval is accepted."""
    whole = followed(book)
    monkeypatch.setattr(limits, f"MAX_INDEXED_{limit}", 8)
    records = followed(book)
    assert (records.stays.count if limit == "STAYS" else len(records.significant)) <= 8 + len(records.stays._seated)
    if limit == "EVENTS":
        with pytest.raises(Refused, match="More happened in this time than a report can hold: ask for a shorter"):
            report(name, book, records, ALWAYS, NOON)
    last = between(records.since, 10 * NOON)
    assert report(name, book, records, last, NOON) == report(name, book, whole, last, NOON)


def test_rep_1_a_report_has_only_so_many_rows(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_REPORT_ROWS."""
    records = followed(book)
    monkeypatch.setattr(limits, "MAX_REPORT_ROWS", 2)
    for name in ("tickets", "significant-events", "player-sessions", "game-performance", "meters"):
        with pytest.raises(Refused, match="ask for a shorter interval"):
            report(name, book, records, ALWAYS, NOON)
    monkeypatch.setattr(limits, "MAX_REPORT_ROWS", 1_000)
    assert report("tickets", book, records, ALWAYS, NOON).rows


def test_what_rounds_came_to_is_remembered_of_only_so_many(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    """MAX_KNOWN_TOTALS."""
    monkeypatch.setattr(limits, "MAX_KNOWN_TOTALS", 5)
    few, many = followed(book), followed(book)
    made = report("game-performance", book, few, ALWAYS, NOON)
    assert made == report("game-performance", book, few, ALWAYS, NOON)
    assert len(few._totals) == 5
    monkeypatch.setattr(limits, "MAX_KNOWN_TOTALS", 10**6)
    assert made == report("game-performance", book, many, ALWAYS, NOON)


KINDS: tuple[TransferKind, ...] = ("stake-lost", "stake-back")


def test_mtr_1_meters_of_a_long_time_hold_the_last_rounds_of_each_table() -> None:
    """MAX_ROUNDS_IN_A_METER."""
    reader, bank = MeterReader(), account("bank", "t1")
    moved = [
        Transfer(f"{number}.{player}.{kind}", account("in-play", "t1", f"p{player}"), bank, 5, kind, "t1", str(number))
        for number in range(100)
        for player in range(3)
        for kind in KINDS
    ]
    for transfer in moved:
        reader.count(transfer)
    assert [len(rounds) for rounds in reader._games.values()] == [MAX_ROUNDS_IN_A_METER]
    assert reader.read().games_played == 300
    assert read_meters(moved).games_played == 300
