"""The performance of games and tables: handle, win, drop, and hold compared with theory (REP-2)."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from podium.basics.words import Phrase, english, phrase
from podium.house.reports.drop import drop_by_table
from podium.house.reports.intervals import Interval
from podium.house.reports.records import Records, Theory, WagerTotals
from podium.house.reports.report import TOTAL, Report, Row, column, share, sheet
from podium.record.store import Reading
from podium.rules.games import Game

GAMES: Final = sheet(
    "game-performance",
    "Game performance",
    (
        column("game", "Game", "game"),
        column("wager", "Wager", "wager"),
        column("rounds", "Rounds", "count"),
        column("initial", "Initial wagers", "amount"),
        column("handle", "Handle", "amount"),
        column("win", "Win", "amount"),
        column("hold", "Hold", "share"),
        column("theoretical_win", "Theoretical win", "amount"),
        column("theoretical_hold", "Theoretical hold", "share"),
        column("difference", "Actual less theoretical", "share", key="actual-less-theoretical"),
    ),
    note="Rounds that ended in the interval, without void rounds. The theoretical win is the house edge on the initial "
    "wagers, and empty where no house edge is known. The play wager and the ante bonus count with the ante.",
)

TABLES: Final = sheet(
    "table-win",
    "Table win, drop and hold",
    (
        column("table", "Table"),
        column("game", "Game", "game"),
        column("rounds", "Rounds", "count"),
        column("void", "Void rounds", "count"),
        column("drop", "Drop", "amount"),
        column("handle", "Handle", "amount"),
        column("win", "Win", "amount"),
        column("hold_of_drop", "Win of drop", "share"),
        column("hold_of_handle", "Win of handle", "share"),
    ),
    note="A buy-in counts as drop of the table where the player sat, or of the next table where the player sat down.",
)


english("report", {"no-table": "(no table)"})


def game_performance(
    book: Reading, records: Records, interval: Interval, made: int, theory: Theory | None = None
) -> Report:
    """Handle, win and hold of every wager of every game, compared with theory."""
    sums: dict[tuple[str, str], WagerTotals] = {}
    rounds: Counter[tuple[str, str]] = Counter()
    expected: dict[tuple[str, str], float] = {}
    edges: dict[str, Mapping[str, float]] = {}
    for line in records.ended_in(book, interval):
        if line.config.training:
            continue
        for wager, totals in records.totals(book, line).items():
            key = (line.config.game, wager)
            sums[key] = sums.get(key, WagerTotals()).plus(totals)
            rounds[key] += 1
            if line.fingerprint not in edges:
                edges[line.fingerprint] = _edges(line.config.to_game(), theory)
            edge = edges[line.fingerprint].get(wager)
            if edge is not None:
                expected[key] = expected.get(key, 0.0) + edge * totals.initial
    rows = [_wager_row(key, sums[key], rounds[key], expected.get(key)) for key in sorted(sums)]
    return GAMES.filled(interval, made, rows, _wager_total(sums, expected))


def _edges(game: Game, theory: Theory | None) -> Mapping[str, float]:
    return (theory(game) if theory is not None else None) or {}


def _wager_row(key: tuple[str, str], totals: WagerTotals, rounds: int, expected: float | None) -> Row:
    actual = share(totals.win, totals.staked)
    hold = None if expected is None else share(expected, totals.staked)
    difference = None if actual is None or hold is None else actual - hold
    won = None if expected is None else round(expected)
    return (*key, rounds, totals.initial, totals.staked, totals.win, actual, won, hold, difference)


def _wager_total(sums: Mapping[tuple[str, str], WagerTotals], expected: Mapping[tuple[str, str], float]) -> Row:
    total = WagerTotals()
    for totals in sums.values():
        total = total.plus(totals)
    won = round(sum(expected.values())) if expected else None
    return (TOTAL, "", None, total.initial, total.staked, total.win, share(total.win, total.staked), won, None, None)


def table_win(book: Reading, records: Records, interval: Interval, made: int) -> Report:
    """The win of every table, relative to buy-ins and to stakes."""
    drop = drop_by_table(book, records, interval)
    rounds, void, games = Counter[str](), Counter[str](), dict[str, str]()
    sums: dict[str, WagerTotals] = {}
    for line in records.ended_in(book, interval):
        if line.config.training:
            continue
        games[line.table] = line.config.game
        (void if line.status == "void" else rounds)[line.table] += 1
        for totals in records.totals(book, line).values():
            sums[line.table] = sums.get(line.table, WagerTotals()).plus(totals)
    rows = [
        _table_row(
            table or phrase("report.no-table"),
            games.get(table, ""),
            rounds[table],
            void[table],
            drop[table],
            sums.get(table, WagerTotals()),
        )
        for table in sorted(games.keys() | drop.keys())
    ]
    total = WagerTotals()
    for totals in sums.values():
        total = total.plus(totals)
    return TABLES.filled(interval, made, rows, _table_row(TOTAL, "", rounds.total(), void.total(), drop.total(), total))


def _table_row(table: str | Phrase, game: str, rounds: int, void: int, drop: int, totals: WagerTotals) -> Row:
    held = share(totals.win, drop), share(totals.win, totals.staked)
    return (table, game, rounds, void, drop, totals.staked, totals.win, *held)
