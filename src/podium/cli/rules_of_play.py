"""`podium rules`: the rulebook of a configuration in the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from podium.cli import terminal
from podium.cli.options import read_options
from podium.rules.games import game
from podium.rules.rulebook import Rulebook, RuleTable, Section, Sentence, rulebook


def show(name: str, options: list[str]) -> None:
    terminal.show(_pages(rulebook(game(name, read_options(options)))))


def _pages(book: Rulebook) -> Iterator[RenderableType]:
    yield Text(f"{book.game.title}: rules of play", style="bold")
    for number, section in enumerate(book.sections, start=1):
        yield ""
        yield Text(f"{number}. {section.title}", style="bold cyan")
        yield _section(section, number)


def _section(section: Section, number: int) -> Grid:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column()
    for count, part in section.numbered(number):
        grid.add_row(count, _sentence(part) if isinstance(part, Sentence) else _table(part))
    return grid


def _sentence(sentence: Sentence) -> Text:
    text = Text(sentence.text)
    return text.append(f" [{sentence.clause}]", style="dim") if sentence.clause else text


def _table(table: RuleTable) -> RenderableType:
    rows = Grid.grid(padding=(0, 2))
    for _ in table.rows[0]:
        rows.add_column(overflow="fold")
    for row in table.rows:
        rows.add_row(*(Text(cell) for cell in row))
    titled = Grid.grid()
    titled.add_row(Text(table.title, style="italic"))
    titled.add_row(Padding(rows, (0, 0, 0, 2)))
    return Padding(titled, (0, 0, 0, 2))
