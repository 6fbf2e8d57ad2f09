"""The progress bar for many rounds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def dealing(rounds: int) -> Iterator[Callable[[int], None]]:
    """Shows the bar on standard error, if that is a terminal; call the result with the number of rounds added."""
    console = Console(stderr=True)
    columns = (TextColumn("Dealing"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=rounds)
        yield lambda added: bar.advance(task, added)
