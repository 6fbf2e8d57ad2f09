"""`podium rules`: the rulebook of a configuration in the terminal."""

from collections.abc import Iterator
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Language, codes, english, language
from podium.cli import terminal
from podium.cli.options import read_options
from podium.house.table import TableConfig
from podium.house.table.config import settings_of
from podium.house.table.printed import table_rulebook
from podium.rules.games import game
from podium.rules.rulebook import Chapter, Rule, Rulebook, RuleTable

english(
    "refused",
    {
        "language-unknown": "There is no language {code:quoted}. Languages: {codes}.",
        "setting-unknown": "A table has no setting {setting:quoted}. Settings: {settings}.",
        "setting-value": "{setting} = {value} is not allowed: {why}.",
    },
)


def show(name: str, options: list[str], settings: list[str], code: str) -> None:
    if code not in codes():
        raise Refused("language-unknown", code=code, codes=codes())
    chosen = read_options(options)
    game(name, chosen)  # refuses the options before the settings
    config = _configured(TableConfig(game=name, options=chosen, dealer="live"), read_options(settings, "setting"))
    terminal.show(_pages(table_rulebook(config.check(), config), language(code)))


def _configured(plain: TableConfig, settings: dict[str, Any]) -> TableConfig:
    """A table with these settings; one that a table does not have, or a value of another kind, is refused."""
    known = [setting.name for setting in settings_of(plain)]
    for name, value in settings.items():
        if name not in known:
            raise Refused("setting-unknown", setting=shortened(name), settings=known)
        try:
            plain = msgspec.convert({**msgspec.structs.asdict(plain), name: value}, TableConfig)
        except msgspec.ValidationError as error:
            why = str(error).partition(" - at ")[0]
            raise Refused("setting-value", setting=name, value=shortened(str(value)), why=why) from None
    return plain


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
