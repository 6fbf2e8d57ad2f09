"""A bar that shows how far the dealing of many rounds has come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def dealing(rounds: int) -> Iterator[Callable[[int], None]]:
    """The bar, on standard error where that is a terminal; it is told how many rounds were added."""
    console = Console(stderr=True)
    columns = (TextColumn("Dealing"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=rounds)
        yield lambda added: bar.advance(task, added)
