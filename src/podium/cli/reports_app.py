"""The commands of reports, recall and significant events, with their arguments and their help."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import Csv

reports_app = typer.Typer()

Data = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", readable=False, help="Where the house keeps its journal.")
]
Database = Annotated[str, typer.Option(metavar="URL", help="The PostgreSQL address of the house; without a password.")]
DatabaseFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file of mode 600 with the PostgreSQL address, which may have a password."),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON instead of text.")]
PeriodName = Annotated[
    str, typer.Option("--period", metavar="PERIOD", help="day, month, year or shift; month and year are to date.")
]
Day = Annotated[
    str, typer.Option("--day", metavar="DAY", help="The gaming day of the period, like 2026-05-28; by default today.")
]
Shift = Annotated[
    int, typer.Option("--shift", metavar="N", min=0, help="A shift of the day; by default the one that it is now.")
]
From = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="WHEN",
        help="The first day of a span, or a moment like 2026-05-28T14:00, by the house's clock.",
    ),
]
To = Annotated[
    str, typer.Option("--to", metavar="WHEN", help="The last day of a span, included, or the moment at which it ends.")
]


@reports_app.command(
    epilog="""
Examples:

\b
  podium report
  podium report table-win --period day --data /var/lib/podium
  podium report game-performance --period month --day 2026-05-28 --csv
  podium report tips --period shift --shift 2 --json
  podium report meters --from 2026-05-01 --to 2026-05-07
"""
)
def report(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The report; without it the reports are listed.")] = "",
    data: Data = None,
    database: Database = "",
    database_file: DatabaseFile = None,
    period: PeriodName = "",
    day: Day = "",
    shift: Shift = 0,
    first: From = "",
    last: To = "",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Make a report of a house from its record; the house may be running, and takes no part in it.

    Without a period or a span it covers all time.
    """
    from podium.cli import reports
    from podium.cli.data import house_at
    from podium.cli.output import written
    from podium.house.reports import AskedInterval

    how = written(json=json, csv=csv)
    if not name:
        reports.list_reports(how)
        return
    asked = AskedInterval(period, day, shift, first, last)
    reports.show_report(house_at(data, database, database_file), name, asked, how)


@reports_app.command(
    epilog="""
Examples:

\b
  podium events --period day --data /var/lib/podium
  podium events --kind void --from 2026-05-01 --to 2026-05-07 --csv
  podium events --who carl --json
"""
)
def events(
    data: Data = None,
    database: Database = "",
    database_file: DatabaseFile = None,
    period: PeriodName = "",
    day: Day = "",
    shift: Shift = 0,
    first: From = "",
    last: To = "",
    kind: Annotated[str, typer.Option(metavar="KIND", help="Events of one kind, like void or sign-in-failed.")] = "",
    source: Annotated[
        str, typer.Option(metavar="NAME", help="Where it happened: a table, `house` or a terminal.")
    ] = "",
    who: Annotated[str, typer.Option(metavar="NAME", help="Who did it.")] = "",
    text: Annotated[str, typer.Option(metavar="WORDS", help="Words that the event contains.")] = "",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """List significant events, the newest first (EVT-1)."""
    from podium.cli import reports
    from podium.cli.data import house_at
    from podium.cli.output import written
    from podium.house.reports import AskedInterval

    how, wanted = written(json=json, csv=csv), reports.Wanted(kind, source, who, text)
    asked = AskedInterval(period, day, shift, first, last)
    reports.show_events(house_at(data, database, database_file), asked, wanted, how)


@reports_app.command(
    epilog="""
Examples:

\b
  podium recall blackjack-1 1042 --data /var/lib/podium
  podium recall blackjack-1 1042 --json
  podium recall --player ann --from 2026-05-28T20:00 --to 2026-05-28T23:00
  podium recall --card "As Ah" --won 100000 --csv
"""
)
def recall(
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="The table.", show_default=False)] = "",
    number: Annotated[
        int,
        typer.Argument(metavar="[ROUND]", help="The number of the round at the table.", min=0, show_default=False),
    ] = 0,
    data: Data = None,
    database: Database = "",
    database_file: DatabaseFile = None,
    player: Annotated[str, typer.Option(metavar="NAME", help="The part of this player, or the player's rounds.")] = "",
    first: From = "",
    last: To = "",
    card: Annotated[str, typer.Option(metavar="CARDS", help="Cards that were shown in the round, like 'As Td'.")] = "",
    staked: Annotated[
        int, typer.Option(metavar="N", min=0, help="The least that one player staked, in minor units.")
    ] = 0,
    won: Annotated[int, typer.Option(metavar="N", min=0, help="The least that one player won, in minor units.")] = 0,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Recall a round in full: every card, wager, decision and payment, each computed again from the record (REC-2).

    Without the number of a round it lists the last fifty rounds that match, the newest first.
    """
    from podium.cli import reports
    from podium.cli.data import house_at
    from podium.cli.output import written
    from podium.house.reports import AskedInterval

    how, where = written(json=json, csv=csv), house_at(data, database, database_file)
    if number:
        reports.show_round(where, table, number, player, how)
    else:
        asked = AskedInterval(first=first, last=last)
        reports.show_rounds(where, asked, reports.wanted_rounds(table, player, card, staked, won), how)
