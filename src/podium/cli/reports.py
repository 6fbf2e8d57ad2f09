"""`podium report`, `podium events` and `podium recall`: what happened, read from the record and from nothing else."""

import csv
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import time_ns
from typing import Any, NamedTuple

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from podium.basics.cards import cards
from podium.basics.money import amount as money
from podium.basics.refusal import Refused
from podium.basics.words import ENGLISH, Phrase
from podium.cli import terminal
from podium.cli.data import opened
from podium.cli.output import Written, print_json
from podium.house.reports import (
    REPORTS,
    AskedInterval,
    Records,
    Report,
    RoundRecord,
    as_csv,
    check_name,
    for_player,
    interval_of,
    report,
)
from podium.house.reports.intervals import moment
from podium.house.reports.recall import parts_of
from podium.house.reports.records import RoundsWanted
from podium.house.reports.report import Column, Row, not_a_formula
from podium.house.reports.rounds import mask_of
from podium.maths.par_sheet import par
from podium.record.store import Reading
from podium.rules.games import Game
from podium.server.theory import known_edges

EVENT_COLUMNS = ("time", "kind", "source", "who", "reason", "before", "after", "entry")


class Wanted(NamedTuple):
    """The events that are looked for; an empty field matches everything."""

    kind: str = ""
    source: str = ""
    who: str = ""
    text: str = ""


@contextmanager
def _recorded(where: str) -> Iterator[tuple[Reading, Records]]:
    """The record of a house as it stands now, and its indexes."""
    with opened(where) as book, book.at_one_moment() as still:
        records = Records()
        with Console(stderr=True).status("Reading the record ..."):
            records.catch_up(still)
        yield still, records


def _now() -> int:
    return time_ns() // 1_000_000


# --- reports ---------------------------------------------------------------------------------------------------------


def list_reports(how: Written) -> None:
    """The reports that can be asked for."""
    listed = [{"name": name, "title": ENGLISH.say(title)} for name, title in REPORTS.items()]
    if how == "json":
        print_json(listed)
    elif how == "csv":
        _csv(("name", "title"), [tuple(each.values()) for each in listed])
    else:
        width = max(map(len, REPORTS))
        for each in listed:
            print(f"{each['name']:{width}}  {each['title']}")


def show_report(where: str, name: str, asked: AskedInterval, how: Written) -> None:
    check_name(name)
    with _recorded(where) as (book, records), Console(stderr=True).status("Counting ..."):
        interval = interval_of(asked, records.calendar, _now())
        made = report(name, book, records, interval, _now(), theory=_edges)
    match how:
        case "csv":
            sys.stdout.write(as_csv(made))
        case "json":
            print_json(as_data(made))
        case "text":
            terminal.show(_report_parts(made))


def _edges(game: Game) -> Mapping[str, float]:
    """The house edge of each wager, as the house worked it out on this machine, or worked out now."""
    known = known_edges(game)
    if known is None:
        try:
            known = {name: wager["house_edge"] for name, wager in par(game).to_dict()["wagers"].items()}
        except Refused:  # an option that the mathematics does not read
            known = {}
    return known


def as_data(made: Report) -> dict[str, Any]:
    """A report for programs: rows by the names of the columns, amounts in minor units, times in milliseconds since 1970."""
    names = [column.name for column in made.columns]
    return {
        "report": made.name,
        "title": ENGLISH.say(made.title),
        "interval": ENGLISH.say(made.interval),
        "from": made.since,
        "to": made.until,
        "made": made.made,
        "zone": made.zone,
        "says": None if made.says is None else ENGLISH.say(made.says),
        "note": None if made.note is None else ENGLISH.say(made.note),
        "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in made.rows],
        "total": None if made.total is None else dict(zip(names, map(_plain, made.total), strict=True)),
    }


def _plain(cell: Any) -> Any:
    return ENGLISH.say(cell) if isinstance(cell, Phrase) else cell


def _report_parts(made: Report) -> Iterator[RenderableType]:
    yield Text(ENGLISH.say(made.title), style="bold")
    yield Text(f"{ENGLISH.say(made.interval)} ({made.zone}), made {moment(made.made, made.zone)}")
    table = Table(box=None, pad_edge=False)
    for column in made.columns:
        table.add_column(ENGLISH.say(column.title), justify="left" if column.kind in _WORDS else "right")
    for row in [*made.rows, *([made.total] if made.total is not None else [])]:
        table.add_row(*_cells(made.columns, row, made.zone))
    yield table
    for said in (made.says, made.note):
        if said is not None:
            yield Text(ENGLISH.sentence(said))


_WORDS = ("text", "time", "game", "wager", "event", "meter")


def _cells(columns: Sequence[Column], row: Row, zone: str) -> list[str]:
    return [_cell(column, cell, zone) for column, cell in zip(columns, row, strict=True)]


def _cell(column: Column, cell: Any, zone: str) -> str:
    if cell is None or cell == "":
        return ""
    match column.kind, cell:
        case "amount", int():
            return money(cell)
        case "share", float():
            return f"{cell:.3%}"
        case "time", int():
            return moment(cell, zone) if cell else ""
    return str(_plain(cell))


# --- events ----------------------------------------------------------------------------------------------------------


def show_events(where: str, asked: AskedInterval, wanted: Wanted, how: Written) -> None:
    with _recorded(where) as (book, records):
        interval = interval_of(asked, records.calendar, _now())
        found = records.reaching(book, interval, "events").significant.search(interval, **wanted._asdict())
    events = [
        {"time": fields.pop("at"), **fields} for event in reversed(found) for fields in [msgspec.structs.asdict(event)]
    ]
    if how == "json":
        print_json(events)
        return
    rows = [
        tuple(moment(each["time"], interval.zone) if name == "time" else each[name] for name in EVENT_COLUMNS)
        for each in events
    ]
    if how == "csv":
        _csv(EVENT_COLUMNS, rows)
        return
    for event, row in zip(events, rows, strict=True):
        who = f", {event['who']}" if event["who"] else ""
        print(
            f"{row[0]}  {event['kind']}  {event['source']}{who}{f': {reason}' if (reason := event['reason']) else ''}"
        )
    if not events:
        print("No such event.")


# --- recall ----------------------------------------------------------------------------------------------------------


def show_round(where: str, table: str, number: int, player: str, how: Written) -> None:
    with _recorded(where) as (book, records):
        record = records.recall(book, table, number)
        zone = records.calendar.rule_of(records.calendar.day_of(record.opened)).time_zone
    if player:
        parts_of(record, player)
        record = for_player(record, player)
    match how:
        case "json":
            print_json(record)
        case "csv":
            columns = (
                "table",
                "round",
                "opened",
                "player",
                "seat",
                "credit_before",
                "credit_after",
                "staked",
                "returned",
                "net",
                "tips",
                "held",
            )
            _csv(
                columns,
                [
                    (table, number, moment(record.opened, zone), *(getattr(part, name) for name in columns[3:]))
                    for part in record.players
                ],
            )
        case "text":
            terminal.show(_round_parts(record, zone))


ROUND_COLUMNS = ("table", "round", "game", "opened", "ended", "status", "dealer", "most_staked", "most_won")


def wanted_rounds(table: str, player: str, shown: str, staked: int, won: int) -> RoundsWanted:
    """The rounds that are looked for; something that is not a card is refused."""
    return RoundsWanted(table, player, mask_of(cards(shown)), staked, won)


def show_rounds(where: str, asked: AskedInterval, wanted: RoundsWanted, how: Written) -> None:
    with _recorded(where) as (book, records):
        interval = interval_of(asked, records.calendar, _now())
        lines = records.look_for(book, wanted, interval)
    values = [(each.config.game if name == "game" else getattr(each, name) for name in ROUND_COLUMNS) for each in lines]
    found: list[dict[str, Any]] = [dict(zip(ROUND_COLUMNS, each, strict=True)) for each in values]
    if how == "json":
        print_json(found)
        return
    for each in found:
        each |= {name: moment(each[name], interval.zone) if each[name] else "" for name in ("opened", "ended")}
    if how == "csv":
        _csv(ROUND_COLUMNS, [tuple(each.values()) for each in found])
        return
    for each in found:
        amounts = f"most staked {money(each['most_staked'])}, most won {money(each['most_won'])}"
        print(f"{each['opened']}  {each['table']} {each['round']}  {each['status']}  {amounts}")
    if not found:
        print("No such round.")


def _round_parts(record: RoundRecord, zone: str) -> Iterator[RenderableType]:
    yield Text(f"{record.title}, {record.table}, round {record.round}: {record.status}", style="bold")
    yield Text(
        f"{moment(record.opened, zone)} to {moment(record.ended, zone) if record.ended else 'now'}, dealer {record.dealer}, rules {record.fingerprint[:16]}"
    )
    yield Text(f"Cards: {record.cards}")
    steps = Table(box=None, pad_edge=False, show_header=False)
    for step in record.steps:
        steps.add_row(moment(step.at, zone)[11:23], ENGLISH.say(step.said), "by the house" if step.by_system else "")
    yield steps
    players = Table(box=None, pad_edge=False)
    for name in ("player", "seat", "credit before", "staked", "returned", "net", "credit after"):
        players.add_column(name, justify="left" if name == "player" else "right")
    for part in record.players:
        amounts = (part.credit_before, part.staked, part.returned, part.net, part.credit_after)
        players.add_row(part.player, str(part.seat), *map(money, amounts))
    yield players
    yield Text(record.difference or "What was paid is what the rules pay for these cards.")


# --- CSV -------------------------------------------------------------------------------------------------------------


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    write = csv.writer(sys.stdout, lineterminator="\r\n").writerow
    write(columns)
    for row in rows:
        write(["" if cell is None else not_a_formula(_plain(cell)) for cell in row])
