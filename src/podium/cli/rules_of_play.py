"""`podium rules`: the rulebook of a configuration in the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from podium.basics.refusal import Refused
from podium.basics.words import Language, codes, english, language
from podium.cli import terminal
from podium.cli.options import read_options
from podium.house.table import TableConfig
from podium.house.table.printed import table_rulebook
from podium.rules.games import game
from podium.rules.rulebook import Chapter, Rule, Rulebook, RuleTable

english("refused", {"language-unknown": "There is no language {code:quoted}. Languages: {codes}."})


def show(name: str, options: list[str], code: str) -> None:
    if code not in codes():
        raise Refused("language-unknown", code=code, codes=codes())
    chosen = game(name, read_options(options))
    terminal.show(_pages(table_rulebook(chosen, TableConfig(game=name, dealer="live")), language(code)))


def _pages(book: Rulebook, words: Language) -> Iterator[RenderableType]:
    yield Text(words.heading(book.title), style="bold")
    for chapter in book.chapters:
        yield ""
        yield Text(f"{chapter.number}. {words.heading(chapter.title)}", style="bold cyan")
        yield _chapter(chapter, words)


def _chapter(chapter: Chapter, words: Language) -> Grid:
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")  # Chinese has no spaces to break a line at
    for rule in chapter.parts:
        grid.add_row(rule.number, _sentence(rule, words))
        if rule.table is not None:
            grid.add_row("", _table(rule.table, words))
    return grid


def _sentence(rule: Rule, words: Language) -> Text:
    text = Text(words.sentence(rule.said))
    return text.append(f" [{rule.clause}]", style="dim") if rule.clause else text


def _table(table: RuleTable, words: Language) -> RenderableType:
    rows = Grid.grid(padding=(0, 2))
    for _ in table.rows[0]:
        rows.add_column(overflow="fold")
    for label, *cells in table.rows:
        rows.add_row(Text(words.heading(label)), *(Text(words.say(cell)) for cell in cells))
    titled = Grid.grid()
    titled.add_row(Text(words.heading(table.title), style="italic"))
    titled.add_row(Padding(rows, (0, 0, 0, 2)))
    return Padding(titled, (0, 0, 0, 2))
