"""How things look in a terminal. Rich uses colours only there, and none if NO_COLOR is set."""

import sys
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.text import Text

from podium.basics.cards import SUITS, cards

MAX_WIDTH_CHARS = 100
"""Longer lines are hard to read."""

PAPER_WIDTH_CHARS = 80
"""The width in a file or a pipe, independent of the terminal."""

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
ARROW = "→"


def either(sign: str, plain: str) -> str:
    """A character, or its replacement if the terminal's encoding does not have it."""
    try:
        sign.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return plain
    return sign


def show(parts: Iterable[RenderableType]) -> None:
    """Prints these one below the other. In a file or a pipe lines have no trailing spaces."""
    console = Console(highlight=False)
    console.width = min(console.width, MAX_WIDTH_CHARS) if console.is_terminal else PAPER_WIDTH_CHARS
    if console.is_terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as page:
        for part in parts:
            console.print(part)
    sys.stdout.writelines(f"{line.rstrip()}\n" for line in page.get().splitlines())


def drawn(codes: str) -> Text:
    """Cards in red and black, with the symbols of their suits."""
    text = Text()
    for number, card in enumerate(cards(codes)):
        red = card.suit in "dh"
        text.append(" " if number else "")
        text.append(
            f"{card.rank.replace('T', '10')}{either(SIGNS[card.suit], card.suit)}", style="bold red" if red else "bold"
        )
    return text
