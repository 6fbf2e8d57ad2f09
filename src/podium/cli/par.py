"""`podium par`: what a configuration returns."""

from pathlib import Path

from rich.console import Console

from podium.cli import terminal
from podium.cli.files import unwritable
from podium.cli.options import read_options
from podium.cli.output import Written, print_csv, print_json
from podium.maths.listing import sheet_parts
from podium.maths.page import page
from podium.maths.par_sheet import par
from podium.maths.sheet import ParSheet
from podium.rules.games import game


def show(name: str, options: list[str], *, strategy: str, written: Written, html: Path | None) -> None:
    """Prints the PAR sheet, and writes its page if a file is named."""
    chosen = game(name, read_options(options))
    with Console(stderr=True).status("Counting ..."):
        sheet = par(chosen, strategy)
        if html is not None:
            _write_page(html, sheet)
    match written:
        case "json":
            print_json(sheet.to_dict())
        case "csv":
            print_csv(sheet.rows())
        case "text":
            terminal.show(sheet_parts(sheet))


def _write_page(file: Path, sheet: ParSheet) -> None:
    try:
        file.write_text(page(sheet), encoding="utf-8")
    except OSError as error:
        raise unwritable(file, error) from None
